/* What cannon, dekel and outer move: multiplications with constant storage (sec. 5.2.1) on the torus of s x s virtual
 * processors, s = max(N1, N2). A processor has s/N1 rows and s/N2 columns of them. With one port C moves before D in
 * each step, with n ports at a time. The published codes are right for N1 = N2 alone (models/README.md).
 *
 * The torus, turned so that N1 >= N2: the transposed product, with P and R exchanged, C and D. */
#pragma once

#include "matmul.h"

/* NULL, or why the algorithm, or its count, is not for the grid. Static text. */
const char *matmul_torus_counts(const MatmulCase *c, LockstepCount *moved);
