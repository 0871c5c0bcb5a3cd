/* The circuit-switched network: channels, ports and headers of a binary d-cube, in plain memory.
 *
 * A message takes its send port and pays its start-up; its header claims the channels of the e-cube route one after
 * another and keeps what it holds while it waits, first come first served; then it claims the receiver's port and
 * transmits; at the end everything is released at once (machine model, "One message, step by step").
 *
 * With DUPLEX_SYNCHRONIZED a processor's sending and receiving overlap only if both start at the same instant;
 * otherwise a transmission that is ready waits, holding its circuit, until the other has ended. That is blocked time.
 *
 * The network knows dates and nothing of SimGrid: whoever drives it walks from instant to instant,
 *
 *     while (network_advance(net)) {      // 1. transmissions that end release and deliver
 *         ...                             // 2. processors act: network_send(), network_timer()
 *         network_grant(net);             // 3. free resources are granted
 *     }
 *
 * which is the machine model's rule for events at the same instant; results depend on nothing else. Requests are served
 * in the order (date of request, number of the sending processor, order in which that processor issued them). */
#ifndef ECUBE_NETWORK_H
#define ECUBE_NETWORK_H

#include "../models/machine.h"
#include "trace.h"

#include <glib.h>

typedef struct Network Network;

typedef struct {
    /* A message has been transmitted and delivered, at network_now(). */
    void (*delivered)(gpointer user, gpointer cargo);
    /* A timer has run out, at network_now(). */
    void (*timer)(gpointer user, guint number);
    /* Optional: a start-up, a channel's use, a wait or a transmission has ended, at network_now(). Messages are
     * numbered from 0 in the order of network_send(), packets in the order in which they begin. */
    void (*traced)(gpointer user, const TraceInterval *interval);
} NetworkHooks;

typedef struct {
    guint64 messages;       /* delivered */
    guint64 blocked;        /* of these, that waited for a channel or the receive port */
    gint64 blocked_ps;      /* their waiting in all */
    gint64 longest_ps;      /* the longest wait of one message, all its packets together */
} NetworkStats;

/* An idle network at date 0. `machine` must outlive it. */
Network *network_new(const Machine *machine, guint dimension, const NetworkHooks *hooks, gpointer user);
void network_free(Network *network);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Network, network_free)

/* Issues a message of `bytes` bytes at the present instant; hooks->delivered gets `cargo` back. `source` and
 * `destination` are different processors. */
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

#endif
