/* Extended-cube permutations (Ho & Johnsson 1988, sec. 4.5): only the processors of the lowest subcube have data, those
 * whose bits in the `idle` highest dimensions are 0. They expand it over the other subcubes, all subcubes permute at
 * the same time, and the data is compressed again.
 *
 * Run p of the pieces goes to the subcube whose idle bits spell p: in step t of the expansion, half of what a processor
 * has, across idle dimension t. With n ports every run is in as many parts as there are idle dimensions, and part i
 * begins with idle dimension i. A processor has its own run in the first slots; there the permutation works. */
#pragma once

#include "sim/schedule/algorithm.h"

/* The parts that all runs together have. problem->idle > 0. */
guint extended_n_parts(const Problem *problem);

/* The schedule of a problem with idle > 0. Caller frees. */
Schedule *extended_make(const Problem *problem);
