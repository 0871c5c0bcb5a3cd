/* What the tests of matrix multiplication share. */
#pragma once

#include "tests/support/tests.h"

/* An algorithm on a grid of 2^n processors, with one port or n, a routing of its broadcasts if it has any, and a
 * layout: every one of them that is not refused, for matrices of 1 x 1 without packets. The hybrid accumulates half
 * of the dimensions of the longer side of the grid; with `thorough` any number of them. */
typedef void CheckProduct(const TestProduct *product, gconstpointer user);
void each_product(guint n, gboolean thorough, CheckProduct *check, gconstpointer user);

/* Whether the algorithm's name is one of a1, a2, a3, a4, a5: everything but transpositions has a printed count that is
 * right where the shape divides. */
gboolean has_tables(const TestProduct *product);

/* What P, Q and R are to be divided by, so that everybody has as much to do: max(N1, N2), or in three dimensions N; and
 * whether it divides them. */
guint side_of(const MatmulGrid *grid);
gboolean divides(const TestProduct *product);

/* A number that has nothing to do with the place of `number` among the products of a grid, of which there are
 * twelve. */
guint scattered(guint number);

/* Number `number` of all P x Q x R from 1 to 9, not in their order; and P, Q, R that are one or two times
 * side_of(grid). */
MatmulShape small_shape(guint number);
MatmulShape divided_shape(const MatmulGrid *grid, guint number);

/* Of 4-byte elements; start-ups of 1000 µs, 1 µs for an element, 1 µs for an operation, in packets of `packet`
 * elements. Caller frees. */
Machine *multiplying_machine(gboolean n_port, gint64 packet);
