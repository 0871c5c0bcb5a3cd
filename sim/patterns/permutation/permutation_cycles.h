/* The common functions of the algorithms for permutations of address bits, all of them of processors. Each buffer has a
 * slot for every part of a processor's data. Parts without bytes come last; they have a slot but no piece. */
#pragma once

#include "sim/schedule/plan.h"

#define CYCLE_MAX PERMUTATION_BITS_MAX

/* Returns how many of the `count` parts from `first` on have a piece. These come first. */
static inline guint pieces_of_run(const Plan *plan, guint first, guint count)
{
    guint n = pieces_count(plan_pieces(plan));
    return first >= n ? 0 : MIN(count, n - first);
}

/* Returns why a permutation with a cycle of more than two dimensions is refused; NULL if it has none. Static text. */
const char *cycles_refuse_unless_exchanges(const Problem *problem);

/* Two dimensions that are exchanged. */
typedef struct {
    guint8 first, second;
} Pair;

/* Fills in the exchanges of a level of A4, and returns their number; 0 from the first level without exchanges on. The
 * exchange [a_{k-1}, a_{h-1}], with h = k/2 rounded up, divides the cycle (a0 ... a_{k-1}) into (a0 ... a_{h-1}) and
 * (a_h ... a_{k-1}). */
guint cycles_halvings(const Permutation *permutation, guint level, Pair pairs[CYCLE_MAX]);

/* --- all cycles at a time --- */

/* A schedule of one strand that moves some pieces of all processors through one cycle. */
typedef struct {
    Plan plan;
    guint cycle;            /* index of the cycle in the permutation */
    guint first, count;     /* number of the first piece that it moves, and how many it moves */
} Passage;

static inline const Passage *passage_of(const Schedule *schedule)
{
    return (const Passage *)schedule;
}

/* A function that divides the cycles `members` (a mask of their indices) into groups, fills in groups[n] (masks) and
 * returns n. The n groups share the data: in each of n rounds every group moves another n-th of it. The function is
 * called again for each group, to divide it in the same way. If n is 1, the cycles of the group follow each other, and
 * each moves all of the group's data. A cycle of `length` dimensions takes length + more_steps steps. */
typedef guint GroupCycles(const Permutation *permutation, guint more_steps, guint32 members,
                          guint32 groups[SCHEDULE_STRANDS_MAX]);

/* Puts every cycle into a group of its own. All cycles run at the same time, each on one part of the data after another
 * (Lemma 6, the second bound). */
GroupCycles cycles_alone;

/* Puts all cycles into one group: one cycle runs after the other (Lemma 6, the first bound). */
GroupCycles cycles_in_turn;

/* Divides the cycles into the groups that attain f(S), the least time of Lemma 8, and each group again: Algorithm A6.
 * The time of a cycle is its number of steps (sim/cube/sequence.h). */
GroupCycles cycles_hierarchical;

/* Returns a schedule that goes through all cycles, with a Passage of `class` for each. `group` says which cycles follow
 * each other and which divide the data among them; the latter are strands. A cycle of `length` dimensions takes length
 * + more_steps steps. Caller frees. */
Schedule *cycles_make(const Problem *problem, const Layout *layout, GroupCycles *group, const ScheduleClass *class,
                      guint more_steps);
