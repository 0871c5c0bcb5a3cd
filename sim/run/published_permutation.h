/* The published times of permutations of address bits (Ho & Johnsson 1988, Table 2). */
#ifndef ECUBE_PUBLISHED_PERMUTATION_H
#define ECUBE_PUBLISHED_PERMUTATION_H

#include "models/permuting.h"
#include "run.h"

/* The row of Table 2 that an algorithm of the pattern permutation is, or NULL and `*why` there is none (static
 * text). */
const PermutingRow *published_permutation_row(const Algorithm *algorithm, const char **why);

/* The case of a run, which must outlive it. */
PermutingCase published_permutation_case(const Run *run);

/* The published time in ps, rounded up to the picosecond; INPUT_TIME_MAX_PS for any time from there on. `*why` it does
 * not apply, or NULL (static text). */
gint64 published_permutation_ps(const Run *run, const char **why);

/* B_opt in whole elements, no larger than the machine's packet; that, where Table 2 has no row. */
gint64 published_permutation_packet(const Run *run);

#endif
