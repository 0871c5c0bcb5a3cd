/* Estimates of the memory and the time of a run, made before it runs from a sample of its schedule's steps; and whether
 * the run is possible. */
#pragma once

#include "sim/patterns/run.h"

/* Upper bound of estimates of bytes, so that a few of them can be added up. */
#define ESTIMATE_MAX ((gsize)1 << 60)

/* Largest number of events (price.h) that a run may have; so many take hours. The limit on simulated times does not
 * limit them, because packets may take no time. */
#define RUN_EVENTS_MAX G_GUINT64_CONSTANT(100000000000)

/* Returns the bytes of a run's process at its peak, libraries included: its slots, the messages under way, and
 * SimGrid's share. The estimate is at least the need and at most about three times that (scripts/estimates.sh measures
 * it). If run->machine is NULL, the estimate is of a process that only moves the data, without SimGrid. */
gsize estimate_run(const Run *run);

/* Returns the peak bytes of a run with a trace, in its own process or in the process that makes a text of the trace,
 * whichever takes more. The text is `text` times as large as the trace. */
gsize estimate_traced(const Run *run, double text);

/* A problem and the traffic of its schedule, which many runs in a row share. Begins as zeros. */
typedef struct {
    Problem problem;
    struct EstimateTraffic {
        guint64 messages, hops, blocks; /* estimates for all processors: messages; channels that messages cross; slots
                                         * that messages carry */
        guint64 sent, awaited, lists;   /* maxima over the steps: messages sent, messages awaited, bytes of the lists
                                         * of blocks sent */
        guint64 stretches, stretched;   /* stretches of all messages; bytes of the stretches of a step, at most */
        guint64 largest;                /* blocks of the largest message */
        guint farthest;                 /* channels that a message crosses, at most */
        guint64 slots, stored;          /* slots of all processors; bytes that the content stores */
    } traffic;
} EstimateMemo;

/* Returns the effort of a run: the channels crossed by all packets, and shares for blocks and products of matrices. A
 * run without messages has an effort of some thousands; the most is ESTIMATE_EFFORT_MAX. It is the same on every
 * computer. */
guint64 estimate_effort(const Run *run, EstimateMemo *memo);

/* Largest effort, so that a million efforts can be added up. */
#define ESTIMATE_EFFORT_MAX ((guint64)1 << 43)

/* Refuses a run that the clock cannot count or that does not fit into memory. The ECUBE_ERROR_INPUT or
 * ECUBE_ERROR_MEMORY names the limit and the estimate. */
gboolean run_check(const Run *run, GError **error);

/* Refuses a run that passed run_check_clock() if its schedule has over RUN_EVENTS_MAX events, or if it needs more than
 * `room` bytes. Sets `*needed` to the bytes it needs. Errors as run_check(). */
gboolean run_check_room(const Run *run, const Schedule *schedule, gsize room, gsize *needed, GError **error);

/* Refuses a run that the clock cannot count, or for which not even the least slots fit into memory. Does not estimate
 * the memory of the run's process. Errors as run_check(). */
gboolean run_check_clock(const Run *run, GError **error);

/* Refuses a run that does not fit into memory with its trace and a text `text` times as large, or that has no trace:
 * flows have none. Errors as run_check(). */
gboolean run_check_traced(const Run *run, double text, GError **error);

/* Returns the free bytes that remain beside the run's data; 0 with an error if they are fewer than `least` > 0. For
 * commands that do not simulate. Errors as run_check(). */
gsize run_room_beside(const Run *run, gsize least, GError **error);

/* Refuses a run whose schedule does not fit into memory, for commands that only look at the schedule. Errors as
 * run_check(). */
gboolean run_check_schedule(const Run *run, GError **error);
