/* What contention does to what the hull promises: every candidate simulated at every size, beside the hull's choice. */
#pragma once

#include "process.h"

typedef struct {
    Run run;
    RunResult result;           /* over circuits, or whatever the machine's switching is */
    RunResult fluid;            /* the same over SimGrid's flows, full duplex and not stored on the way */
    gboolean is_hull;           /* the partition the published hull of optimality names for this size */
    gint64 promise_ps;          /* of the hull's choice: the time its line promises, Direct without a shuffle */
    gboolean is_best;           /* the least simulated time of the candidates of this size; ties: the first */
    gboolean failed;            /* came to no result; result.fault says why. Never the hull's */
} Candidate;

/* Runs every candidate. `runs` are Run elements, those of one size following each other, with the same machine and
 * dimension, none of which needs a partition twice; where the hull's choice is not among them it is added. Returns
 * Candidate elements in the order of the runs, size by size. Errors: as run_execute(), if the hull's choice comes to no
 * result. */
GArray *compare_run(const GArray *runs, GError **error);

/* The hull's candidate and the best one among those of the size of candidate number `first`; `*n` is how many there
 * are. Borrowed. */
void compare_choices(const GArray *candidates, guint first, guint *n, const Candidate **hull, const Candidate **best);

/* What trusting the hull costs: the hull's simulated time over the best, less 1; 0 if both take
 * no time. */
double compare_regret(const Candidate *hull, const Candidate *best);
