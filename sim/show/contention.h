/* Contention without a clock: which messages of one step of a schedule want the same channel, or the same receiver.
 *
 * All messages of a step are looked at as if they were sent at once; where a step has several for one port
 * (SCHEDULE_AT_ONCE), the first of all ports, then the second, and so on. Routes are e-cube routes, which share a
 * run of consecutive channels or none, so that a pair is named by the first channel it shares. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/schedule.h"

/* Two messages, by their processors; a's number is not above b's. */
typedef struct {
    guint a, a_destination;
    guint b, b_destination;
    guint from, to;             /* the first channel they share, or from == to, their receiver */
} ContentionPair;

typedef struct {
    guint64 channel_pairs;      /* pairs whose routes share a channel */
    guint64 receiver_pairs;     /* pairs that aim at one receiver; some of them share a channel, too */
    guint most_on_channel;      /* messages that want the channel wanted most; 0 if there are no messages */
    guint most_on_receiver;
} Contention;

/* Looks at step k of `schedule`; with PORTS_ALL receivers are of no interest. The first `n_pairs` pairs are appended
 * to `pairs` (ContentionPair), by channel and then by receiver; NULL if they are of no interest. */
Contention contention_step(const Schedule *schedule, Ports ports, guint k, GArray *pairs, guint n_pairs);

/* One line if nothing contends, else the sums and a table of the first steps that do, with examples. Caller frees. */
char *contention_text(const Schedule *schedule, Ports ports);
