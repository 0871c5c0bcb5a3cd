/* Transpositions of matrices on a grid with one port, in lock step (Johnsson & Ho 1987, sec. 5.2.2; the SPT of Ho &
 * Johnsson 1988). */
#pragma once

#include "matmul.h"

/* Whether max(N1,N2) divides both sides of the matrix: all blocks, and what goes from one to another, are as large. */
gboolean matmul_blocks_are_equal(const MatmulCase *c, const MatmulPhase *phase);

/* The largest messages of a transposition step by step, in elements. The dimensions are taken in pairs, of the row's
 * and the column's address, the highest first (cyclic: the lowest), then those that the longer side of the grid has
 * left; in each, a processor sends at once everything whose destination differs in it. Fills messages[n1 + n2]. */
void matmul_transposition(const MatmulCase *c, const MatmulPhase *phase, gint64 *messages);

/* For MatmulCase.transpositions, to ask for the same again and again; caller unrefs it. */
GHashTable *matmul_transpositions_new(void);
