/* The network: channels, ports and headers of a binary d-cube, in plain memory.
 *
 * A message takes its send port and pays its start-up; its header claims the channels of the e-cube route one after
 * another and keeps what it holds while it waits, first come first served; then it claims the receiver's port and
 * transmits; at the end everything is released at once (README.md, "One message, step by step").
 *
 * With DUPLEX_SYNCHRONIZED a processor's sending and receiving overlap only if both start at the same instant;
 * otherwise a transmission that is ready waits, holding its circuit, until the other has ended. That is blocked time.
 *
 * With DUPLEX_HALF a processor has one port only and takes part in one packet at a time, as sender or as receiver, from
 * the beginning of the packet's start-up to the end of its transmission. A packet claims its two ends together, before
 * its start-up, and only when both are free; of those that can begin, the first in the order of service does, and who
 * waits for a busy end keeps nobody from the other, free one. A message claims ends when it is at the head of its
 * processor's sends, and keeps that place for all its packets; but each packet claims the ends anew, since what
 * excludes each other is packets on the wire, and a processor must not be deaf for as long as a message of many packets
 * takes. So two messages that are exchanged alternate packet by packet: both end within a packet of each other, after
 * twice the time of one. From the claim on, waiting for the ends is blocked time.
 *     No deadlock: who waits for ends holds no end and no channel, only its place as a sender, which nobody waits for
 * but later messages of the same processor, that hold nothing. So whoever holds an end has both, and waits for channels
 * alone, in e-cube order.
 *
 * With SWITCHING_STORE_AND_FORWARD every packet crosses one channel after another, each hop being a circuit of its own
 * of one channel: send port of the processor it is at (the message keeps its source's for all its packets), start-up,
 * channel, receive port of the next processor, transmission. Having arrived it asks, first come first served like that
 * processor's own messages, for the next hop's send port; memory there is unlimited. The message is sent when its last
 * packet has crossed the first channel, and delivered when the last has arrived. Blocked time is the waiting of all its
 * packets for receive ports (or ends) and for send ports, but for the time until the packets of the same message
 * before it, or at its source the processor's own messages before it, have left.
 *     No deadlock: the channel is the send port's and free with it, and receive ports are held by transmissions alone.
 *
 * The network knows dates and nothing of SimGrid: whoever drives it walks from instant to instant,
 *
 *     while (network_advance(net)) {      // 1. transmissions that end release and deliver
 *         ...                             // 2. processors act: network_send(), network_timer()
 *         network_grant(net);             // 3. free resources are granted
 *     }
 *
 * which is the rule of README.md, "Events at the same instant"; results depend on nothing else. Requests are served
 * in the order (date of request, number of the sending processor, order in which that processor issued them); packets
 * that a processor sends for others count after that by their source, and by its order. */
#pragma once

#include "models/machine.h"
#include "network_hooks.h"

typedef struct Network Network;

/* An idle network at date 0. `machine` must outlive it. */
Network *network_new(const Machine *machine, guint dimension, const NetworkHooks *hooks, gpointer user);
void network_free(Network *network);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Network, network_free)

/* Issues a message of `bytes` bytes at the present instant; hooks->sent and hooks->delivered get `cargo` back. `source`
 * and `destination` are different processors. */
void network_send(Network *network, guint source, guint destination, gint64 bytes, gpointer cargo);

/* Calls hooks->timer with `number` after `delay_ps` >= 0. */
void network_timer(Network *network, gint64 delay_ps, guint number);

/* Goes to the next instant at which something happens (possibly the present one again) and does part 1 of it. FALSE if
 * nothing is to come, or if the clock would pass INPUT_TIME_MAX_PS. */
gboolean network_advance(Network *network);

/* Part 3 of the present instant. */
void network_grant(Network *network);

gint64 network_now(const Network *network);
NetworkStats network_stats(const Network *network);

/* TRUE if network_advance() stopped because the clock cannot count any further. */
gboolean network_overflowed(const Network *network);
