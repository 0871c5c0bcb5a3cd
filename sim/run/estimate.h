/* Estimates of the memory and the time of a run, made before it runs from a sample of its schedule's steps; and whether
 * the run is possible. */
#pragma once

#include "sim/patterns/run.h"

/* Upper bound of estimates of bytes, so that a few of them can be added up. */
#define ESTIMATE_MAX ((gsize)1 << 60)

/* Most events (price.h) of a run, which take hours. The limit on simulated times does not imply one: packets may cost
 * nothing. */
#define RUN_EVENTS_MAX G_GUINT64_CONSTANT(100000000000)

/* Returns the bytes of a run's process at its peak, libraries included: its slots, the messages under way, and
 * SimGrid's share. The estimate is at least the need and at most about three times that (scripts/estimates.sh measures
 * it). Without a machine the process looks at the data alone. */
gsize estimate_run(const Run *run);

/* Returns the estimate of estimate_run() without making the schedule again. */
gsize estimate_planned(const Run *run, const Schedule *schedule);

/* Returns the peak bytes of a run with a trace, in its process and in the process that reads the trace and makes a text
 * `text` times as large. */
gsize estimate_traced(const Run *run, double text);

/* A problem and the traffic of its schedule, which many runs in a row share. Begins as zeros. */
typedef struct {
    Problem problem;
    struct EstimateTraffic {
        guint64 messages, hops, blocks; /* estimates for all processors: messages; channels that messages cross; slots
                                         * that messages carry */
        guint64 sent, awaited, lists;   /* maxima of a step: messages sent, messages awaited, bytes of the lists of
                                         * blocks sent */
        guint64 stretches, stretched;   /* stretches of all messages; bytes of the stretches of a step, at most */
        guint64 largest;                /* blocks of the largest message */
        guint farthest;                 /* channels that a message crosses, at most */
        guint64 slots, stored;          /* slots of all processors; bytes of their stored data */
    } traffic;
} EstimateMemo;

/* Returns the effort of a run: packets times the channels that they cross, and some for blocks and products. An empty
 * run has some thousands of these units; the range is 1 to ESTIMATE_EFFORT_MAX. The same on every computer. */
guint64 estimate_effort(const Run *run, EstimateMemo *memo);

/* Largest effort, so that a million efforts can be added up. */
#define ESTIMATE_EFFORT_MAX ((guint64)1 << 43)

/* Refuses a run that the clock cannot count or that does not fit into memory. The ECUBE_ERROR_INPUT or
 * ECUBE_ERROR_MEMORY names the limit and the estimate. */
gboolean run_check(const Run *run, GError **error);

/* Refuses a run that the clock cannot count, or whose least slots do not fit into memory. Makes no estimate of its
 * process. Errors as run_check(). */
gboolean run_check_clock(const Run *run, GError **error);

/* Refuses a run that does not fit into memory with its trace and a text `text` times as large, or that has no trace:
 * flows have none. Errors as run_check(). */
gboolean run_check_traced(const Run *run, double text, GError **error);

/* Returns the bytes free beside the run's data, or 0 with an error if fewer than `least` > 0 are. For commands that do
 * not simulate. Errors as run_check(). */
gsize run_room_beside(const Run *run, gsize least, GError **error);

/* Refuses a run whose schedule does not fit into memory, for commands that only look at the schedule. Errors as
 * run_check(). */
gboolean run_check_schedule(const Run *run, GError **error);
