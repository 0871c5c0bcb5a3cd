/* How Algorithms A5 and A6 spread the cycles of a permutation over time (Ho & Johnsson 1988, sec. 4.4.3). */
#pragma once

#include "permutation.h"

/* Most dimensions of a sequence: sigma + beta. */
#define SEQUENCE_LENGTH_MAX (PERMUTATION_BITS_MAX + PERMUTATION_BITS_MAX / 2)

/* --- A5: sequences of exchanges --- */

/* Returns sigma + beta, the number of exchanges of each sequence; 0 for the identity. */
guint sequence_length(const Permutation *permutation);

/* Returns sigma + beta + min sigma_i - 1; 0 for the identity. So many sequences run at once while at most two of them
 * use the same dimension in a cycle (Lemma 7). */
guint sequence_count(const Permutation *permutation);

/* Fills dims[sequence_length()] with Seq_k, k < sequence_count(): the dimensions that part k exchanges with its virtual
 * one, in cycles 0, 1, ... Seq_0 is each cycle in the order of the permutation, followed by its first dimension.
 * Seq_{k+1} is Seq_k without its first dimension d, followed by delta(d). */
void sequence_fill(const Permutation *permutation, guint k, guint8 *dims);

/* --- A6: groups of cycles --- */

/* Most cycles that can be grouped: those of a 16-cube. */
#define GROUPING_CYCLES_MAX 8

/* For every set S of cycles, a mask of their numbers: f(S) of Lemma 8, and the groups that attain it. f of a single
 * cycle is s, its number of steps. f of several cycles is the minimum over all divisions into k > 1 groups of k times
 * the largest f of a group. Of equally good divisions one with the fewest groups counts. Of these it is the first in
 * alphabetical order of the groups' numbers, cycle by cycle; groups are numbered by their first cycles. */
typedef struct {
    guint n;                                                    /* number of cycles */
    guint f[1 << GROUPING_CYCLES_MAX];                          /* [mask of cycles]: f(S) of Lemma 8 */
    guint8 n_groups[1 << GROUPING_CYCLES_MAX];                  /* number of groups [mask]; 1 for a cycle alone */
    /* [mask of cycles][n_groups[mask]]: the groups into which the set is divided, as masks */
    guint8 group[1 << GROUPING_CYCLES_MAX][GROUPING_CYCLES_MAX];
} Grouping;

/* Returns the grouping with s_i = sigma_i + more: more is 1 for the start-ups of A2 (Theorem 2), 0 for those of A1a.
 * The whole set is mask (1 << n) - 1; n is at most GROUPING_CYCLES_MAX. */
Grouping grouping_of_permutation(const Permutation *permutation, guint more);
