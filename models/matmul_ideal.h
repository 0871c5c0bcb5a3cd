/* Which grids are best for a matrix multiplication, without trying them: Table 12 and figures 18 and 24 of Johnsson &
 * Ho 1987, for P, Q and R that are multiples of N. */
#pragma once

#include "matmul.h"

/* Table 12, one port: the best grid where N1 N2 = N are real numbers. */
typedef struct {
    double n1, n2;                  /* N1, N2; a grid only where both are from 1 to N */
    double transfers, operations;   /* operations: 2PQR/N */
    guint startups;
    double us;                      /* T_min */
} MatmulIdeal;

/* Of a1 to a5. */
MatmulIdeal matmul_ideal(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                         const MatmulTerms *terms);

/* N1 = 2^n1 is the best of powers of two while the ratio of two sides of the matrices is not above `until`; the last
 * has none, and its denominator is 0. */
typedef struct {
    guint n1;
    Rational until;
} MatmulFace;

/* Figure 18: N1 of a1 with one port, over P/R. Fills faces[dimension + 1]. */
void matmul_faces_one_port(guint dimension, MatmulFace *faces);

/* Figure 24: N1 of a2 with n ports, which minimises R f(n1) + Q f(n2), f(m) = (2^m - 1)/m, f(0) = 0, over Q/R. That of
 * a3, a4, a5 over Q/P, P/Q, R/Q. Fills faces[at most dimension + 1]; returns how many. */
guint matmul_faces_n_port(guint dimension, MatmulFace *faces);
