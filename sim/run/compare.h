/* What contention does to what the hull promises: every candidate simulated at every size, beside the hull's choice. */
#pragma once

#include "process.h"

typedef struct {
    Run run;
    RunResult result;           /* over circuits, or whatever the machine's switching is */
    RunResult fluid;            /* the same over SimGrid's flows, full duplex and not stored on the way */
    gboolean is_hull;           /* the partition the hull of optimality names; one of each size */
    gint64 promise_ps;          /* of the hull's choice: the time its line promises */
    guint best;                 /* the candidate of this size with the least simulated time; ties: the first */
    gboolean failed;            /* came to no result; result.fault says why. Never the hull's */
} Candidate;

/* Runs every candidate. `runs` are Run elements, those of one size following each other, with the same machine and
 * dimension, none of which needs a partition twice; where the hull's choice is not among them it is added. Returns
 * Candidate elements in the order of the runs, size by size. Errors: as run_execute(), if the hull's choice comes to no
 * result. */
GArray *compare_run(const GArray *runs, GError **error);

/* Whether a run has these parts, in any order, and issues messages as its machine's hull has it: with a gap, all those
 * of a phase at once. `sorted` has its parts in non-decreasing order. */
gboolean compare_is_choice(const Run *run, const Partition *sorted);

/* What trusting a candidate costs: its simulated time over the best one's, less 1; 0 if both take no time. */
double compare_regret(const Candidate *candidate, const Candidate *best);
