/* The network: channels, ports and headers, in plain memory. README.md says what messages do: "The network",
 * "Duplex" and "Switching".
 *
 * There is no deadlock. Channels are claimed in an order in which no two routes wait for each other (e-cube), the
 * receive port last. With DUPLEX_HALF a message that waits for the ports of its two ends holds neither of them and no
 * channel, but only its send port. Only later messages of the same processor wait for that send port, and these hold
 * nothing. (Each packet claims the ports of the ends anew: a processor must be able to receive before a message of many
 * packets has left. The send port is kept.) With store-and-forward a channel belongs to its send port and is free with
 * it, and receive ports are held by transmissions alone.
 *
 * The network knows dates and nothing of SimGrid. Its driver walks from instant to instant,
 *
 *     while (network_advance(net)) {      // 1. transmissions that end release and deliver
 *         ...                             // 2. processors act: network_send(), network_timer()
 *         network_grant(net);             // 3. free resources are granted
 *     }
 *
 * This is the rule of README.md, "Events at the same instant"; results depend on nothing else. */
#pragma once

#include "network_hooks.h"
#include "sim/machine/machine.h"

/* Allocates an idle network of `n_nodes` processors at date 0. `machine` and `hooks` must outlive it. */
Network *network_new(const Machine *machine, guint n_nodes, const NetworkHooks *hooks, gpointer user);
void network_free(Network *network);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Network, network_free)

/* Issues a message of `bytes` bytes at the present instant; hooks->sent and hooks->delivered get `cargo` back.
 * `source` and `destination` are different processors. The message does not begin before the date `turn_ps`: if it
 * gets its send port earlier, its first start-up is longer by the difference. `rank` is its number among the messages
 * of its step: where circuits are kept, messages of rank j use the ports number j modulo the number of ports. */
void network_send(Network *network, guint source, guint destination, guint rank, gint64 bytes, gint64 turn_ps,
                  gpointer cargo);

/* Calls hooks->timer with `number` after `delay_ps` >= 0. */
void network_timer(Network *network, gint64 delay_ps, guint number);

/* Advances to the next instant that has events, which may be the present one again. Handles these events, and so
 * delivers the messages that arrive. Returns FALSE if no event is left, or if the clock would reach
 * INPUT_TIME_MAX_PS. */
gboolean network_advance(Network *network);

/* Grants free channels and ports to the requests of the present instant, in the order of service. */
void network_grant(Network *network);

gint64 network_now(const Network *network);
NetworkStats network_stats(const Network *network);

/* Whether network_advance() stopped because the clock would reach INPUT_TIME_MAX_PS. */
gboolean network_overflowed(const Network *network);
