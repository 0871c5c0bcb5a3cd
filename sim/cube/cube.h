/* Arithmetic of the binary d-cube: nodes are 0 ... 2^d - 1, neighbours differ in one address bit.
 *
 * A directed channel from `node` across dimension `dim` has the number node x d + dim. The e-cube route from a to b
 * crosses the dimensions in which they differ, lowest first. */
#pragma once

#include <glib.h>

static inline guint cube_n_nodes(guint dimension)
{
    return 1u << dimension;
}

/* Returns the number of channels on the route from a to b. */
static inline guint cube_distance(guint a, guint b)
{
    return (guint)__builtin_popcount(a ^ b);
}

/* Returns the first dimension of the e-cube route from `at` to `to`, which must differ. */
static inline guint cube_first_dimension(guint at, guint to)
{
    return (guint)__builtin_ctz(at ^ to);
}

/* Returns the last dimension of the e-cube route from `from` to `to`, which must differ. */
static inline guint cube_last_dimension(guint from, guint to)
{
    return 31u - (guint)__builtin_clz(from ^ to);
}

static inline guint cube_channel(guint dimension, guint node, guint dim)
{
    return node * dimension + dim;
}

/* Returns the address of `node` with its `dimension` bits in reverse order. */
guint cube_reverse_bits(guint node, guint dimension);

/* Returns `address`, of `width` bits, rotated left by `by` bits (0 <= by <= width). */
guint cube_rotate_left(guint address, guint width, guint by);

static inline guint cube_rotate_right(guint address, guint width, guint by)
{
    return cube_rotate_left(address, width, width - by);
}

/* Returns base(r) of Johnsson & Ho 1987, sec. 4.1.5: the smallest number of bits by which `address`, of `width` bits,
 * must be rotated right to become as small as possible. */
guint cube_base(guint address, guint width);

/* Returns the bits of x at the places where `dims` has a 1, moved together to the lowest places. */
guint cube_gather_bits(guint x, guint dims);
/* Returns the lowest bits of x, moved to the places where `dims` has a 1: the inverse of cube_gather_bits(). */
guint cube_spread_bits(guint x, guint dims);
