/* What a run will take of memory and time, estimated before it runs from what the schedule says of some of its steps;
 * and whether it can be done. */
#pragma once

#include "sim/patterns/run.h"

/* No estimate is larger, so that some can be added up. */
#define ESTIMATE_MAX ((gsize)1 << 60)

/* Bytes that the process of a run takes at its peak, libraries included: its slots, the messages under way, and
 * SimGrid's share. At least what is needed, and at most about three times that (scripts/estimates.sh measures it). With
 * a machine of NULL, of a process that looks at the data alone. */
gsize estimate_run(const Run *run);

/* The same of a run with a trace, and of the process that gets it and makes a text `text` times as large of it. */
gsize estimate_traced(const Run *run, double text);

/* A problem, and what was counted of its schedule. Many runs in a row have the same one. Begins as zeros. */
typedef struct {
    Problem problem;
    struct EstimateTraffic {
        guint64 messages, hops, blocks; /* of all processors, about: channels that messages cross, slots they carry */
        guint64 sent, awaited, lists;   /* in a step, at most: messages, and bytes of lists of what is sent */
        guint64 largest;                /* message, in blocks */
        guint farthest;                 /* channels that a message crosses, at most */
        guint64 slots, stored;          /* of the whole cube; bytes of what they stand for */
    } traffic;
} EstimateMemo;

/* About how long a run takes: packets times the channels they cross, and some for blocks and products, in units of
 * which a run of nothing takes some thousands; 1 ... ESTIMATE_EFFORT_MAX. The same on every computer. */
guint64 estimate_effort(const Run *run, EstimateMemo *memo);

/* So that a million of them can be added up. */
#define ESTIMATE_EFFORT_MAX ((guint64)1 << 43)

/* Refuses at once a run that the clock cannot count, or that does not fit into memory. The ECUBE_ERROR_INPUT,
 * or ECUBE_ERROR_MEMORY, names the limit and the estimate. */
gboolean run_check(const Run *run, GError **error);

/* What needs no schedule of that: whether the clock can count the run, and whether its least slots fit. */
gboolean run_check_clock(const Run *run, GError **error);

/* Refuses, like run_check(), what doesn't fit with its trace and a text that is `text` times as large, or has no trace:
 * flows have none. */
gboolean run_check_traced(const Run *run, double text, GError **error);

/* Refuses, like run_check(), what is not simulated, but whose data doesn't fit together with `least` > 0 bytes; then 0.
 * Else the bytes that are free beside the data. */
gsize run_room_beside(const Run *run, gsize least, GError **error);

/* Refuses, like run_check(), what only looks at the schedule. */
gboolean run_check_schedule(const Run *run, GError **error);
