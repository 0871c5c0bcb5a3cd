/* How much there is to do in a run, counted before it runs.
 *
 * The schedule is asked for some of its steps, evenly spread over processors and steps, and what they do is scaled up.
 * The same run has the same numbers on every computer: only whole numbers are calculated with. */
#pragma once

#include "sim/patterns/run.h"

typedef struct {
    guint64 steps;          /* that processors begin */
    guint64 messages;       /* without handshakes */
    guint64 early;          /* messages of steps that await nothing: they pile up at their receivers */
    guint64 exchanges;      /* steps that are pairwise exchanges */
    guint64 hops;           /* channels that messages cross */
    guint64 blocks;         /* slots that messages carry */
    guint64 bytes;          /* about, of contents that say so (content.h); else 0 */
    guint64 stretches;
    guint64 slots;          /* of memory */
    guint64 search;         /* slots looked at to make the steps (schedule.h) */
    guint flags;            /* of the schedule */
    gboolean sizes_move;    /* sizes of messages depend on what moves (content.h) */
} Workload;

/* About how many bytes a message of a step of `node` has, if its content says so; else 0. */
gint64 workload_bytes_about(const Content *content, guint node, const Step *step, const Send *send);

/* Steps of a strand that are asked, where the phases of an algorithm differ: such schedules say what messages have. */
#define WORKLOAD_STEPS_COMPOSED 256

/* What was counted, Problem -> Workload: many runs have the same schedule. Caller unrefs. */
GHashTable *workloads_new(void);

/* The workload of a problem's schedule. */
Workload workloads_count(GHashTable *workloads, const Problem *problem);

/* About how long a run takes, in µs of the computer on which the constants were measured; 1 ... WORKLOAD_EFFORT_MAX. */
guint64 workloads_effort(GHashTable *workloads, const Run *run);

/* So that a million of them can be added up. */
#define WORKLOAD_EFFORT_MAX ((guint64)1 << 43)
