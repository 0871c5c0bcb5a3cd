/* The matrices of a multiplication A <- C x D + E. */
#pragma once

#include <glib.h>

/* A is E at first. */
typedef enum { MATRIX_C, MATRIX_D, MATRIX_A, N_MATRICES } MatrixName;

/* That of multiplication m of several. */
static inline guint matrix_number(guint m, MatrixName name)
{
    return m * N_MATRICES + name;
}
