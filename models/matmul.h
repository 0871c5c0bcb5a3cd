/* Matrix multiplication A <- C x D + E on a grid of processors (Johnsson & Ho 1987, sec. 5): what it is about.
 *
 * A and E have P x R elements, C has P x Q and D Q x R. The N = 2^n processors are a grid of N1 = 2^n1 rows and
 * N2 = 2^n2 columns, n1 + n2 = n; a partitioning by columns is the grid 1 x N, one by rows N x 1. */
#pragma once

#include <glib.h>

/* The largest of P, Q and R. */
#define MATMUL_SIDE_MAX (1u << 20)

/* P, Q, R: 1 ... MATMUL_SIDE_MAX. */
typedef struct {
    guint p, q, r;
} MatmulShape;

typedef struct {
    guint n1, n2;
} MatmulGrid;

/* Of h rows, row i is in processor row i div ceil(h / N1) (consecutive), or i mod N1 (cyclic); columns likewise with
 * N2. */
typedef enum { MATMUL_CONSECUTIVE, MATMUL_CYCLIC } MatmulLayout;
