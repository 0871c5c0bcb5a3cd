/* What a run's schedule sends, as far as a fit must know before it prices it. */
#pragma once

#include "sim/patterns/run.h"

typedef struct {
    GArray *lengths;        /* gint64: bytes of packets, each once, in order; handshakes have 0 */
    guint most_hops;        /* of a message */
    gboolean turns;         /* a processor awaits a message although it has sent one */
    gboolean is_sum;        /* in every step all processors exchange in pairs, as many bytes over as many channels, and
                             * move as many in their memories: the time is a sum over the steps */
    gboolean may_contend;   /* the schedule says so; then nothing else is known */
    gboolean at_once;       /* messages are issued while others of the same processor are under way */
} Traffic;

/* Of a run with a machine, whose options count. Clear with traffic_clear(). */
Traffic traffic_of(const Run *run, const Schedule *schedule);
void traffic_clear(Traffic *traffic);

/* Why messages of the run may have to wait for each other, so that its contention-free time need not be its time; NULL
 * if they cannot. Static text. */
const char *traffic_contends(const Traffic *traffic, const Machine *machine);
