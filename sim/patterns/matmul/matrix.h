/* The matrices of a multiplication A <- C x D + E. */
#pragma once

#include "sim/cube/matmul_grid.h"

/* A is E at first. */
typedef enum { MATRIX_C, MATRIX_D, MATRIX_A, N_MATRICES } MatrixName;

/* Rows and columns: C is P x Q, D is Q x R, A is P x R. */
static inline guint matrix_height(MatmulShape shape, MatrixName name)
{
    return name == MATRIX_D ? shape.q : shape.p;
}

static inline guint matrix_width(MatmulShape shape, MatrixName name)
{
    return name == MATRIX_C ? shape.q : shape.r;
}

/* That of multiplication m of several. */
static inline guint matrix_number(guint m, MatrixName name)
{
    return m * N_MATRICES + name;
}
