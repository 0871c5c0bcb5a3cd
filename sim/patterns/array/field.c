#include "field.h"

#define GENERATOR 7     /* generator of the multiplicative group: its powers are all numbers of the field but 0 */

guint64 field_power(guint64 base, guint64 exponent)
{
    guint64 power = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = field_multiply(power, base);
        base = field_multiply(base, base);
    }
    return power;
}

guint64 field_inverse(guint64 a)
{
    return field_power(a, FIELD_PRIME - 2);
}

guint64 field_root(guint64 n)
{
    g_assert(n > 0 && (FIELD_PRIME - 1) % n == 0);
    return field_power(GENERATOR, (FIELD_PRIME - 1) / n);
}

guint64 *field_powers(guint64 base, gsize n)
{
    guint64 *powers = g_new(guint64, MAX(1, n));
    powers[0] = 1;
    for (gsize i = 1; i < n; i++)
        powers[i] = field_multiply(powers[i - 1], base);
    return powers;
}

/* --- transforms: decimation in time with two branches (Cooley & Tukey 1965) --- */

guint64 *field_transform_roots(gsize n)
{
    return field_powers(n ? field_root(n) : 1, n / 2);
}

/* Permutes the row: element i moves to the index whose bits are those of i in reversed order. */
static void reverse_order(gsize n, guint64 *row)
{
    for (gsize i = 1, j = 0; i < n; i++) {
        gsize bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            guint64 kept = row[i];
            row[i] = row[j];
            row[j] = kept;
        }
    }
}

static void butterfly(guint64 *a, guint64 *b, guint64 root)
{
    guint64 turned = field_multiply(*b, root);
    *b = field_subtract(*a, turned);
    *a = field_add(*a, turned);
}

void field_transform(const guint64 *roots, gsize n, guint64 *row)
{
    reverse_order(n, row);
    for (gsize half = 1; half < n; half *= 2)
        for (gsize start = 0; start < n; start += 2 * half)
            for (gsize i = 0; i < half; i++)
                butterfly(&row[start + i], &row[start + half + i], roots[i * (n / 2 / half)]);
}

/* --- systems of equations --- */

/* The matrices are neither symmetric nor equal, so that a sweep in the wrong order or direction gives a wrong result.
 * With FIELD_PRIME - a read as -a, each diagonal outweighs the other elements. */
const Tridiagonal tridiagonal_of_rows = {FIELD_PRIME - 2, 7, FIELD_PRIME - 4};
const Tridiagonal tridiagonal_of_columns = {FIELD_PRIME - 1, 5, FIELD_PRIME - 3};

guint64 *tridiagonal_reciprocals(const Tridiagonal *matrix, gsize n)
{
    guint64 *reciprocals = g_new(guint64, MAX(1, n)), product = field_multiply(matrix->lower, matrix->upper);
    for (gsize i = 0; i < n; i++) {
        guint64 taken = i > 0 ? field_multiply(product, reciprocals[i - 1]) : 0;
        guint64 pivot = field_subtract(matrix->diagonal, taken);
        g_assert(pivot != 0);
        reciprocals[i] = field_inverse(pivot);
    }
    return reciprocals;
}

void tridiagonal_solve(const Tridiagonal *matrix, const guint64 *reciprocals, gsize n, guint64 *row)
{
    for (gsize i = 0; i < n; i++) {
        guint64 taken = i > 0 ? field_multiply(matrix->lower, row[i - 1]) : 0;
        row[i] = field_multiply(field_subtract(row[i], taken), reciprocals[i]);
    }
    for (gsize i = n; i-- > 1;) {
        guint64 taken = field_multiply(matrix->upper, row[i]);
        row[i - 1] = field_subtract(row[i - 1], field_multiply(taken, reciprocals[i - 1]));
    }
}
