/* What the algorithms for permutations of address bits have in common. All dimensions of the permutation are those of
 * processors. Slots: each buffer has one for every part of a processor's data; parts without bytes, which come last,
 * have a slot but no piece. */
#ifndef ECUBE_SCHEDULES_PERMUTATION_H
#define ECUBE_SCHEDULES_PERMUTATION_H

#include "schedules.h"

#define CYCLE_MAX PERMUTATION_BITS_MAX

/* How many of the `count` parts from `first` on have a piece: those come first. */
static inline guint pieces_of_run(const Schedule *schedule, guint first, guint count)
{
    guint n = pieces_count(&schedule->pieces);
    return first >= n ? 0 : MIN(count, n - first);
}

/* Why a permutation is not one that transposes matrices, or NULL. */
const char *permutation_refuses_unless_exchanges(const Permutation *permutation);

/* Makes a strand for every cycle, which work at the same time over dimensions of their own. Algorithm.strand_steps says
 * how many steps each has. */
void permutation_strands(Schedule *schedule);

static inline guint32 strands_all(const Schedule *schedule)
{
    return schedule->n_strands == 32 ? G_MAXUINT32 : (1u << schedule->n_strands) - 1;
}

/* The least number that all cycles' lengths divide; 1 if there are none. */
guint permutation_common_multiple(const Permutation *permutation);

#endif
