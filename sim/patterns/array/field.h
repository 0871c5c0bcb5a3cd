/* Arithmetic modulo the prime p = 2^64 - 2^32 + 1, which has roots of unity of the orders 2^0 ... 2^32. It is exact,
 * so that results of different computations can be compared. All numbers are below p unless a function says
 * otherwise. */
#pragma once

#include <glib.h>

#define FIELD_PRIME G_GUINT64_CONSTANT(0xffffffff00000001)

/* 2^64 modulo p */
#define FIELD_TWO_TO_64 G_GUINT64_CONSTANT(0xffffffff)

/* Returns all bits set if `holds`, else 0. There is no branch: a misprediction takes longer than the arithmetic. */
static inline guint64 field_mask(gboolean holds)
{
    return -(guint64)holds;
}

/* Returns `word` modulo p. */
static inline guint64 field_number(guint64 word)
{
    return word - (FIELD_PRIME & field_mask(word >= FIELD_PRIME));
}

static inline guint64 field_add(guint64 a, guint64 b)
{
    guint64 sum = a + b;
    return field_number(sum) + (FIELD_TWO_TO_64 & field_mask(sum < a));
}

static inline guint64 field_subtract(guint64 a, guint64 b)
{
    return a - b + (FIELD_PRIME & field_mask(a < b));
}

/* Returns a b modulo p. The product is low + 2^64 (middle + 2^32 high), and 2^96 is -1 modulo p. */
static inline guint64 field_multiply(guint64 a, guint64 b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    guint64 low = (guint64)product, top = (guint64)(product >> 64);
    guint64 high = top >> 32, middle = top & FIELD_TWO_TO_64;
    guint64 difference = low - high - (FIELD_TWO_TO_64 & field_mask(low < high));
    return field_add(field_number(difference), middle * FIELD_TWO_TO_64);
}

guint64 field_power(guint64 base, guint64 exponent);

/* Returns 1/a modulo p; 0 if a is 0. */
guint64 field_inverse(guint64 a);

/* Returns a number w of order n: w^n = 1, and no lower power of w is 1. n is a power of 2 up to 2^32. */
guint64 field_root(guint64 n);

/* Returns the n powers base^0 ... base^(n - 1) modulo p. Caller frees with g_free(). */
guint64 *field_powers(guint64 base, gsize n);

/* --- rows of n numbers --- */

/* Returns the argument `roots` of field_transform() for rows of n numbers: powers of a root of unity. n is 0 or a
 * power of 2. Caller frees with g_free(). */
guint64 *field_transform_roots(gsize n);

/* Replaces row[n] by its discrete Fourier transform: row[v] becomes the sum of row[b] w^(b v) over all b. w is
 * field_root(n), and `roots` is field_transform_roots(n). */
void field_transform(const guint64 *roots, gsize n, guint64 *row);

/* Matrix of a system of n equations, each with the same three numbers: equation i is lower x[i-1] + diagonal x[i] +
 * upper x[i+1] = row[i], where x[-1] and x[n] are 0. */
typedef struct {
    guint64 lower, diagonal, upper;
} Tridiagonal;

/* The matrices of an Alternating Direction Implicit sweep: for the rows of an array, and for its columns. */
extern const Tridiagonal tridiagonal_of_rows, tridiagonal_of_columns;

/* Returns the reciprocals of the n diagonal elements that Thomas's elimination leaves. They serve any right side.
 * Caller frees with g_free(). */
guint64 *tridiagonal_reciprocals(const Tridiagonal *matrix, gsize n);

/* Replaces the right side row[n] of the system by its solution. `reciprocals` is tridiagonal_reciprocals(matrix,
 * n). */
void tridiagonal_solve(const Tridiagonal *matrix, const guint64 *reciprocals, gsize n, guint64 *row);
