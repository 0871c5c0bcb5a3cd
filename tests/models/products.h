/* What the tests of matrix multiplication share. */
#pragma once

#include "models/matmul.h"
#include "tests/support/tests.h"

/* The textbook machine with elements of 4 bytes: t_c = 1 us, lambda = 1000 us, flop = 1 us; and with lambda = t_c. */
extern const MatmulTerms textbook, equal_terms;

/* "a4 sbt 5x7x3 2x4 one", "a1 nrsbt 16x16x16 4x4 all 2": algorithm, routing, shape, grid, ports, B in elements.
 * Elements of 4 bytes, the consecutive layout. Aborts if that is nonsense. */
MatmulCase product(const char *text);
