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

/* Number of channels crossed from a to b. */
static inline guint cube_distance(guint a, guint b)
{
    return (guint)__builtin_popcount(a ^ b);
}

/* First dimension of the e-cube route from `at` to `to`; the two must differ. */
static inline guint cube_first_dimension(guint at, guint to)
{
    return (guint)__builtin_ctz(at ^ to);
}

/* Last dimension of the e-cube route; the two must differ. */
static inline guint cube_last_dimension(guint from, guint to)
{
    return 31u - (guint)__builtin_clz(from ^ to);
}

static inline guint cube_channel(guint dimension, guint node, guint dim)
{
    return node * dimension + dim;
}

/* The address of `node` with its `dimension` bits in reverse order. */
guint cube_reverse_bits(guint node, guint dimension);

/* `address`, of `width` bits, rotated left by `by` bits (0 <= by <= width). */
guint cube_rotate_left(guint address, guint width, guint by);

static inline guint cube_rotate_right(guint address, guint width, guint by)
{
    return cube_rotate_left(address, width, width - by);
}

/* base(r) of Johnsson & Ho 1987, sec. 4.1.5: by how many bits `address`, of `width` bits, must be rotated right to
 * become as small as it can; the fewest if several do. */
guint cube_base(guint address, guint width);

/* The bits of x in `dims`, as bits, put together; and the other way round. */
guint cube_gather_bits(guint x, guint dims);
guint cube_spread_bits(guint x, guint dims);
