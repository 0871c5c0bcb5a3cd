/* Functions that several algorithms for permutations of address bits of processors share. A buffer has a slot for
 * every part of a processor's data. Parts without bytes come last; they have a slot but no piece. */
#pragma once

#include "sim/schedule/plan.h"

#define CYCLE_MAX PERMUTATION_BITS_MAX

/* Returns how many of the `count` parts from `first` on have a piece. Parts with a piece come before those without. */
static inline guint pieces_of_run(const Plan *plan, guint first, guint count)
{
    guint n = pieces_count(plan_pieces(plan));
    return first >= n ? 0 : MIN(count, n - first);
}

/* Returns why an algorithm for exchanges of two dimensions refuses the problem, static text; NULL: no cycle of its
 * permutation is longer. */
const char *cycles_refuse_unless_exchanges(const Problem *problem);

/* Two dimensions whose bits an exchange swaps. */
typedef struct {
    guint8 first, second;
} Pair;

/* Fills in the exchanges of level `level` of Algorithm A4, counted from 0, and returns their number. Behind the last
 * level it is 0. The exchange [a_{k-1}, a_{h-1}], with h = k/2 rounded up, splits the cycle (a0 ... a_{k-1}) into (a0
 * ... a_{h-1}) and (a_h ... a_{k-1}). The next level splits these. */
guint cycles_halvings(const Permutation *permutation, guint level, Pair pairs[CYCLE_MAX]);

/* --- all cycles at a time --- */

/* Schedule of one strand that moves some pieces of every processor through one cycle of the permutation. */
typedef struct {
    Plan plan;
    guint cycle;            /* index of the cycle in the permutation */
    guint first, count;     /* the pieces that move: `count` pieces from number `first` on */
} Passage;

static inline const Passage *passage_of(const Schedule *schedule)
{
    return (const Passage *)schedule;
}

/* Divides the cycles `members` (a mask of their indices) into n groups: fills in groups[0] ... groups[n - 1] (masks)
 * and returns n. The groups share the data: in each of n rounds every group moves another n-th of it. The function is
 * called again for each group, to divide it in the same way. If n is 1, the cycles follow each other, and each moves
 * all of the group's data. A cycle of `length` dimensions takes length + more_steps steps. */
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

/* Returns a schedule that moves all data through all cycles, with Passages of `class`. `group` says which cycles
 * follow each other, in one strand, and which share the data in strands of their own. A cycle of `length` dimensions
 * takes length + more_steps steps. Caller frees. */
Schedule *cycles_make(const Problem *problem, const Layout *layout, GroupCycles *group, const ScheduleClass *class,
                      guint more_steps);
