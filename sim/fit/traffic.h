/* What a run's schedule sends, as far as a fit must know before it prices it. */
#pragma once

#include "sim/run/run.h"

typedef struct {
    GArray *lengths;        /* gint64: bytes of packets, each once, in order; handshakes have 0 */
    guint most_hops;        /* of a message */
    gboolean turns;         /* a processor awaits a message although it has sent one */
    gboolean is_sum;        /* every processor does the same, and one message at a time: its time is a sum */
    gboolean may_contend;   /* the schedule says so */
} Traffic;

/* Of a run with a machine, whose options count. Clear with traffic_clear(). */
Traffic traffic_of(const Run *run, const Schedule *schedule);
void traffic_clear(Traffic *traffic);

/* Why messages of the run may have to wait for each other, so that its contention-free time need not be its time; NULL
 * if they cannot. Static text. */
const char *traffic_contends(const Traffic *traffic, const Machine *machine);
