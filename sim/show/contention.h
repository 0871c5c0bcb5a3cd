/* Contention without a clock: messages of one step of a schedule that want the same channel or the same receiver.
 *
 * All messages of a step count as sent at once. A step may have several messages for one port (SCHEDULE_AT_ONCE). The
 * first messages of all ports then form one round, the second messages the next, and so on. If two routes share
 * channels, these follow each other: the first of them names the pair. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/schedule.h"

/* A pair of messages: a to a_destination, and b to b_destination, with a <= b. */
typedef struct {
    guint a, a_destination;
    guint b, b_destination;
    guint from, to;             /* ends of the first channel that both routes share, or from == to: their common
                                 * receiver */
} ContentionPair;

typedef struct {
    guint64 channel_pairs;      /* number of pairs whose routes share a channel */
    guint64 receiver_pairs;     /* number of pairs with the same receiver; some of them also share a channel */
    guint most_on_channel;      /* largest number of messages that want one channel in one round; 0: none wants a
                                 * channel */
    guint most_on_receiver;
} Contention;

/* Returns the contention in step k of `schedule` on `network`; NULL: the cube of as many processors, or a crossbar if
 * there is no such cube. Receivers count only with PORTS_ONE. Appends pairs to `pairs` (ContentionPair; NULL: none)
 * until it has `n_pairs`: by round, and in a round channels before receivers. */
Contention contention_step(const Schedule *schedule, const Topology *network, Ports ports, guint k, GArray *pairs,
                           guint n_pairs);

/* Returns a text for people: that nothing contends, or sums over all steps and a table of the first steps that contend.
 * Caller frees. */
char *contention_text(const Schedule *schedule, const Topology *network, Ports ports);
