/* How Algorithms A5 and A6 spread the cycles of a permutation over time: index arithmetic only (Ho & Johnsson 1988,
 * sec. 4.4.3). */
#pragma once

#include "permutation.h"

/* Most dimensions in a sequence: sigma + beta. */
#define SEQUENCE_LENGTH_MAX (PERMUTATION_BITS_MAX + PERMUTATION_BITS_MAX / 2)

/* --- A5: sequences of exchanges --- */

/* sigma + beta, the exchanges of each sequence; 0 for the identity. */
guint sequence_length(const Permutation *permutation);

/* sigma + beta + min sigma_i - 1, how many sequences run at once without a dimension being used by more than two of
 * them in a cycle (Lemma 7); 0 for the identity. */
guint sequence_count(const Permutation *permutation);

/* Seq_k, k < sequence_count(): the dimensions that part k exchanges with its virtual one, in cycles 0, 1, ... Seq_0 is
 * each cycle in the order of the permutation, followed by its first dimension; Seq_{k+1} is Seq_k without its first
 * dimension d, followed by delta(d). Fills dims[sequence_length()]. */
void sequence_fill(const Permutation *permutation, guint k, guint8 *dims);

/* --- A6: groups of cycles --- */

/* Most cycles that can be grouped: a 16-cube has no more. */
#define GROUPING_CYCLES_MAX 8

/* For every set of cycles, as a mask of their numbers: f(S) of Lemma 8, and the groups that attain it. f of one cycle
 * is its s; f of more is the least k x (the largest f of k groups), over all divisions into k > 1 groups. Of divisions
 * that are equally good that with the fewest groups is taken, and of those the smallest: the cycles' groups, written in
 * order of the cycles, come first in alphabetical order, groups being numbered in order of their first cycles. */
typedef struct {
    guint n;                                                    /* cycles */
    guint f[1 << GROUPING_CYCLES_MAX];                          /* [mask] */
    guint8 n_groups[1 << GROUPING_CYCLES_MAX];                  /* [mask]; 1 for a cycle alone */
    guint8 group[1 << GROUPING_CYCLES_MAX][GROUPING_CYCLES_MAX];    /* [mask][n_groups]: masks */
} Grouping;

/* With s_i = sigma_i + more: more is 1 for the start-ups of A2 (Theorem 2), 0 for those of A1a. The whole set is mask
 * (1 << n) - 1; n is at most GROUPING_CYCLES_MAX. */
Grouping grouping_of_permutation(const Permutation *permutation, guint more);
