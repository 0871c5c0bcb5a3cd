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

/* Two dimensions that are exchanged. */
typedef struct {
    guint8 first, second;
} Pair;

/* A4: the exchanges of a level, whose number is returned; 0 if there are none from this level on. [a_{k-1}, a_{h-1}]
 * with h = k/2 rounded up leaves of the cycle (a0 ... a_{k-1}) the two (a0 ... a_{h-1}) and (a_h ... a_{k-1}). */
guint permutation_halvings(const Permutation *permutation, guint level, Pair pairs[CYCLE_MAX]);

/* --- all cycles at a time --- */

/* How cycle c shares the data with the others. */
typedef Sharing Share(const Permutation *permutation, guint c);

/* Every cycle gets one part of the data after another (Lemma 6). */
Share permutation_share_evenly;

/* How often some part of the data passes a cycle. */
guint sharing_n_visits(const Sharing *sharing);

/* Makes a strand for every cycle, each over dimensions of its own, and their sharing. Algorithm.strand_steps says how
 * many steps each has. */
void permutation_strands(Schedule *schedule, Share *share);

/* A time at which some pieces of everybody's data pass a cycle. */
typedef struct {
    guint first, count;     /* the pieces */
    guint32 join;           /* strands that are waited for before */
} Visit;

Visit permutation_visit(const Schedule *schedule, guint c, guint number);

/* The fewest pieces such that every visit to a cycle of length s has a multiple of s of them; 1 for the identity. */
guint permutation_n_pieces(const Permutation *permutation, Share *share);

#endif
