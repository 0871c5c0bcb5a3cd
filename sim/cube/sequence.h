/* How Algorithms A5 and A6 spread the cycles of a permutation over time (Ho & Johnsson 1988, sec. 4.4.3). */
#pragma once

#include "permutation.h"

/* Largest length of a sequence of exchanges: sigma + beta. */
#define SEQUENCE_LENGTH_MAX (PERMUTATION_BITS_MAX + PERMUTATION_BITS_MAX / 2)

/* --- A5: sequences of exchanges --- */

/* Returns sigma + beta, the number of exchanges of each sequence; 0 for the identity. */
guint sequence_length(const Permutation *permutation);

/* Returns the number of sequences that run at once, sigma + beta + min sigma_i - 1; 0 for the identity. With that
 * number no more than two sequences use a dimension in the same cycle (Lemma 7). */
guint sequence_count(const Permutation *permutation);

/* Fills dims[sequence_length()] with Seq_k, k < sequence_count(): the dimensions with which part k exchanges its
 * virtual dimension, in cycles (time steps) 0, 1, ... Seq_0 is each cycle of the permutation in order, followed by
 * its first dimension. Seq_{k+1} is Seq_k without its first dimension d, followed by delta(d). */
void sequence_fill(const Permutation *permutation, guint k, guint8 *dims);

/* --- A6: groups of cycles --- */

/* Largest number of cycles that can be grouped: that of a permutation of the largest cube. */
#define GROUPING_CYCLES_MAX 9

/* Groups of every set S of cycles (a mask of their numbers): f(S) of Lemma 8, and the groups that attain it. f of a
 * single cycle is its number of steps, s_i. f of several cycles is the minimum over all divisions into k > 1 groups
 * of k times the largest f of a group. Of equally good divisions, the one with the fewest groups counts. Of these, it
 * is the one whose list of group numbers, one for each cycle in turn, is lexicographically first. Group 0 has the first
 * cycle of S, group 1 the first cycle outside of group 0, and so on. */
typedef struct {
    guint n;                                                    /* number of cycles */
    guint f[1 << GROUPING_CYCLES_MAX];                          /* [mask of cycles]: f(S) of Lemma 8 */
    guint8 n_groups[1 << GROUPING_CYCLES_MAX];                  /* [mask]: number of groups of this set; 1 for one
                                                                 * cycle */
    /* [mask of cycles][n_groups[mask]]: the groups into which the set is divided, as masks */
    guint16 group[1 << GROUPING_CYCLES_MAX][GROUPING_CYCLES_MAX];
} Grouping;

/* Returns the grouping with s_i = sigma_i + more. `more` is 1 for the start-ups of A2 (Theorem 2), and 0 for those of
 * A1a. The permutation has n <= GROUPING_CYCLES_MAX cycles; all of them are mask (1 << n) - 1. */
Grouping grouping_of_permutation(const Permutation *permutation, guint more);
