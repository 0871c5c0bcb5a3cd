/* Estimates of the memory and the time of a run, made before it runs from a sample of its schedule's steps; and whether
 * the run is possible. */
#pragma once

#include "sim/patterns/run.h"

/* Upper bound of estimates of bytes, so that a few of them can be added up. */
#define ESTIMATE_MAX ((gsize)1 << 60)

/* Largest number of events (price.h) that a run may have; this number takes hours to simulate. The limit on simulated
 * times does not limit events, because packets may take no simulated time. */
#define RUN_EVENTS_MAX G_GUINT64_CONSTANT(100000000000)

/* Returns the bytes of a run's process at its peak, libraries included: its slots, the messages under way, and SimGrid.
 * The estimate is at least what the process needs, and at most about three times that (scripts/estimates.sh measures
 * it). If run->machine is NULL, the estimate is of a process that only moves the data, without SimGrid. */
gsize estimate_run(const Run *run);

/* Returns the peak bytes of a run with a trace. They are those of its own process, or of the process that makes a text
 * of the trace if this takes more. The text is `text` times as large as the trace. */
gsize estimate_traced(const Run *run, double text);

/* The last problem whose traffic was estimated, and that traffic: the next run often has the same schedule. Begins as
 * zeros. */
typedef struct {
    Problem problem;
    struct EstimateTraffic {
        guint64 messages, hops, blocks; /* estimates for all processors: messages; channels that messages cross; slots
                                         * that messages carry */
        guint64 sent, awaited, lists;   /* maxima over the steps: messages sent, messages awaited, bytes of the lists
                                         * of blocks sent */
        guint64 stretches, stretched;   /* number of stretches (Stretch) of all messages; maximum over the steps: bytes
                                         * of the stretches that belong to the step alone (Step.own) */
        guint64 largest;                /* number of blocks of the message with the most blocks */
        guint farthest;                 /* largest number of channels that a message crosses */
        guint64 slots, stored;          /* slots of all processors; bytes that the content stores */
    } traffic;
} EstimateMemo;

/* Returns the effort of a run, a measure of its computing time. It is the number of channels that all packets cross,
 * plus fractions of the numbers of blocks and of products. A run without messages has an effort of some thousands; the
 * largest effort is ESTIMATE_EFFORT_MAX. Efforts are the same on every computer. */
guint64 estimate_effort(const Run *run, EstimateMemo *memo);

/* Largest effort, so that a million efforts can be added up. */
#define ESTIMATE_EFFORT_MAX ((guint64)1 << 43)

/* Refuses a run that run_check_clock() or run_check_room() refuses. The ECUBE_ERROR_INPUT or ECUBE_ERROR_MEMORY names
 * the limit and the estimate. */
gboolean run_check(const Run *run, GError **error);

/* Refuses a run that passed run_check_clock() if its schedule has over RUN_EVENTS_MAX events, or if it needs more than
 * `room` bytes. Sets `*needed` to the bytes it needs. Errors as run_check(). */
gboolean run_check_room(const Run *run, const Schedule *schedule, gsize room, gsize *needed, GError **error);

/* Refuses a run if run->refused is set, its time must exceed the clock (INPUT_TIME_MAX_PS), its least slots exceed the
 * memory, or its copied bytes are unknown. Does not estimate the memory of the run's process. Errors as run_check(). */
gboolean run_check_clock(const Run *run, GError **error);

/* Refuses a run that does not fit into memory together with its trace and a text `text` times as large as the trace.
 * Also refuses switching = fluid, whose flows have no trace. Errors as run_check(). */
gboolean run_check_traced(const Run *run, double text, GError **error);

/* Returns the bytes of memory that remain free when the run's data is loaded; 0 with an error if they are fewer than
 * `least` > 0. For commands that do not simulate. Errors as run_check(). */
gsize run_room_beside(const Run *run, gsize least, GError **error);

/* Refuses a run whose schedule does not fit into memory, for commands that only look at the schedule. Errors as
 * run_check(). */
gboolean run_check_schedule(const Run *run, GError **error);
