/* What the algorithms for permutations of address bits have in common. All dimensions of the permutation are those of
 * processors. Slots: each buffer has one for every part of a processor's data; parts without bytes, which come last,
 * have a slot but no piece. */
#pragma once

#include "sim/schedule/plan.h"

#define CYCLE_MAX PERMUTATION_BITS_MAX

/* How many of the `count` parts from `first` on have a piece: those come first. */
static inline guint pieces_of_run(const Plan *plan, guint first, guint count)
{
    guint n = pieces_count(plan_pieces(plan));
    return first >= n ? 0 : MIN(count, n - first);
}

/* Why a permutation is not one that transposes matrices, or NULL. */
const char *cycles_refuse_unless_exchanges(const Problem *problem);

/* Two dimensions that are exchanged. */
typedef struct {
    guint8 first, second;
} Pair;

/* A4: the exchanges of a level, whose number is returned; 0 if there are none from this level on. [a_{k-1}, a_{h-1}]
 * with h = k/2 rounded up leaves of the cycle (a0 ... a_{k-1}) the two (a0 ... a_{h-1}) and (a_h ... a_{k-1}). */
guint cycles_halvings(const Permutation *permutation, guint level, Pair pairs[CYCLE_MAX]);

/* --- all cycles at a time --- */

/* Some pieces of everybody's data on their way through one cycle: a schedule of one strand over its dimensions. */
typedef struct {
    Plan plan;
    guint cycle;
    guint first, count;     /* the pieces */
} Passage;

static inline const Passage *passage_of(const Schedule *schedule)
{
    return (const Passage *)schedule;
}

/* How several cycles, as bits, share the data: in n groups, which is returned, groups[n]. In each of n rounds every
 * group gets another n-th of the data, and shares that among its own. With one group, which is all of them, cycle
 * follows cycle, and each gets all of the data. */
typedef guint GroupCycles(const Permutation *permutation, guint more_steps, guint32 members,
                          guint32 groups[SCHEDULE_STRANDS_MAX]);

/* Every cycle is a group: it gets one part of the data after another (Lemma 6, the second bound). */
GroupCycles cycles_alone;

/* There is one group (Lemma 6, the first bound). */
GroupCycles cycles_in_turn;

/* The cycles in groups, these in groups, and so on, as f(S) of Lemma 8 has it for the steps of the cycles: A6. */
GroupCycles cycles_hierarchical;

/* A strand for every cycle that others do not wait for, with passages of `class`, which take so many steps for a cycle
 * of `length` dimensions: length + more_steps. Caller frees. */
Schedule *cycles_make(const Problem *problem, const Layout *layout, GroupCycles *group, const ScheduleClass *class,
                      guint more_steps);
