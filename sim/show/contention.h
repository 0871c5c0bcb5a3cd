/* Contention without a clock: messages of one step of a schedule that want the same channel or the same receiver.
 *
 * All messages of a step count as sent at once. Where a step has several for one port (SCHEDULE_AT_ONCE), the first
 * messages of all ports form one round, the second messages the next, and so on. The channels that two routes share,
 * if any, follow each other, so the first of them names the pair. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/schedule.h"

/* Two messages: a to a_destination, and b to b_destination, with a <= b. */
typedef struct {
    guint a, a_destination;
    guint b, b_destination;
    guint from, to;             /* the first channel that both share, or their common receiver (from == to) */
} ContentionPair;

typedef struct {
    guint64 channel_pairs;      /* pairs whose routes share a channel */
    guint64 receiver_pairs;     /* pairs with the same receiver; some of them share a channel, too */
    guint most_on_channel;      /* largest number of messages that want one channel in one round; 0: none wants a
                                 * channel */
    guint most_on_receiver;
} Contention;

/* Returns the contention in step k of `schedule` on `network`; NULL: the cube of as many processors, or a crossbar if
 * there is no such cube. Receivers count with PORTS_ONE alone. Appends up to `n_pairs` pairs to `pairs`
 * (ContentionPair; NULL: none wanted), by round, then channels before receivers. */
Contention contention_step(const Schedule *schedule, const Topology *network, Ports ports, guint k, GArray *pairs,
                           guint n_pairs);

/* Returns, for people, that nothing contends, or sums and a table of the first steps that contend. Caller frees. */
char *contention_text(const Schedule *schedule, const Topology *network, Ports ports);
