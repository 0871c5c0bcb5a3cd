/* The right counts of a matrix multiplication, beside those in print: what it moves and computes in lock step, for any
 * shape, divisible or not, in both layouts. Each step of communication costs its largest message, and each phase of
 * arithmetic its busiest processor. Only real elements are moved, multiplied and counted; a message without elements is
 * not sent; the first product, or the first term, of a sum is no addition.
 *
 * Processors that run freely, each from step to step, take as long if max(N1,N2) divides P, Q and R, and communicate
 * no longer otherwise. outer communicates no longer; but a product waits for products of others, on the way of its
 * blocks, which takes up to (2s + 1)/s times the arithmetic of the busiest processor (s = N1 = N2 >= 4). Otherwise
 * the count of pipelined packets on oblong grids is about what they take. Distances, handshakes and barriers are not in
 * it, as in spanning.h.
 *
 * They are closed because maps and rankings need them for many shapes on up to 65,536 processors, where no schedule can
 * be walked through. */
#pragma once

#include "matmul.h"

typedef struct {
    LockstepCount moved;
    gint64 operations;
} MatmulExact;

/* NULL, or a static text on why nothing counts it: the algorithm does not go with the grid; or blocks have several
 * sizes, which with n ports are enumerated on up to 1024 processors, and in three dimensions not at all; or shuffles to
 * these are pipelined. The routing is sbt with one port, nrsbt or sbnt
 * with n; a1 may have cra and gcea, too. `terms` matter where things go on at a time (a1's two broadcasts with n ports,
 * of which the longer one counts) and for optimal packets. */
const char *matmul_counts(const MatmulCase *c, const MatmulTerms *terms, MatmulExact *exact);

/* The same as the tables count, in elements. */
MatmulCount matmul_exact_count(const MatmulExact *exact, gint64 element);

/* The largest messages of a transposition with one port step by step, in elements: messages[n1 + n2]. The steps cross
 * the dimensions in pairs, of the row's and the column's address, the highest first (cyclic: the lowest), then those
 * that the longer side of the grid has left. In each a processor sends at once everything whose destination differs in
 * it (the SPT of Ho & Johnsson 1988). */
void matmul_transposition(const MatmulCase *c, const MatmulPhase *phase, gint64 *messages);

/* For MatmulCase.transpositions, to ask for the same again and again; caller unrefs it. */
GHashTable *matmul_transpositions_new(void);
