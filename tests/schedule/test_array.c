/* Arithmetic modulo a prime, and what arrays hold at first and at last. */
#include "sim/patterns/array/field.h"
#include "sim/patterns/array/uses.h"
#include "tests/support/tests.h"

/* --- the field --- */

static guint64 remainder_of(unsigned __int128 number)
{
    return (guint64)(number % FIELD_PRIME);
}

TEST(field)
{
    const guint64 p = FIELD_PRIME, two_32 = (guint64)1 << 32;
    const guint64 numbers[] = {0, 1, 2, 7, two_32 - 1, two_32, two_32 + 1, p / 2, p - two_32, p - 2, p - 1,
                               G_GUINT64_CONSTANT(0x9e3779b97f4a7c15), G_GUINT64_CONSTANT(0xfffffffe00000002)};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        for (guint j = 0; j < G_N_ELEMENTS(numbers); j++) {
            unsigned __int128 a = numbers[i], b = numbers[j];
            ck_assert_uint_eq(field_add(numbers[i], numbers[j]), remainder_of(a + b));
            ck_assert_uint_eq(field_subtract(numbers[i], numbers[j]), remainder_of(a + p - b));
            ck_assert_uint_eq(field_multiply(numbers[i], numbers[j]), remainder_of(a * b));
        }
    for (guint i = 1; i < G_N_ELEMENTS(numbers); i++)
        ck_assert_uint_eq(field_multiply(numbers[i], field_inverse(numbers[i])), 1);
    ck_assert_uint_eq(field_number(p), 0);
    ck_assert_uint_eq(field_power(7, 5), 16807);
}

TEST(roots)
{
    ck_assert_uint_eq(field_root(1), 1);
    for (guint i = 1; i <= 32; i++) {
        guint64 root = field_root((guint64)1 << i);
        ck_assert_uint_eq(field_power(root, (guint64)1 << (i - 1)), FIELD_PRIME - 1);
    }
}

/* --- rows --- */

static guint64 number_of(guint64 i)
{
    return field_number((i + 3) * G_GUINT64_CONSTANT(0xd1342543de82ef95));
}

/* The sum of numbers[b] w^(b v), by definition. */
static guint64 coefficient(const guint64 *numbers, guint n, guint v)
{
    guint64 sum = 0;
    for (guint b = 0; b < n; b++)
        sum = field_add(sum, field_multiply(numbers[b], field_power(field_root(n), (guint64)b * v)));
    return sum;
}

TEST(transforms)
{
    guint64 numbers[64], row[64];
    for (guint n = 1; n <= G_N_ELEMENTS(row); n *= 2) {
        g_autofree guint64 *powers = field_transform_roots(n);
        for (guint i = 0; i < n; i++)
            numbers[i] = row[i] = number_of(n + i);
        field_transform(powers, n, row);
        for (guint v = 0; v < n; v++)
            ck_assert_uint_eq(row[v], coefficient(numbers, n, v));
    }
}

/* Line i of the matrix times x[n]. */
static guint64 line_times(const Tridiagonal *m, const guint64 *x, guint n, guint i)
{
    guint64 sum = field_multiply(m->diagonal, x[i]);
    sum = i > 0 ? field_add(sum, field_multiply(m->lower, x[i - 1])) : sum;
    return i + 1 < n ? field_add(sum, field_multiply(m->upper, x[i + 1])) : sum;
}

TEST(solutions)
{
    const Tridiagonal *matrices[] = {&tridiagonal_of_rows, &tridiagonal_of_columns};
    guint64 row[40];
    for (guint m = 0; m < G_N_ELEMENTS(matrices); m++)
        for (guint n = 0; n <= G_N_ELEMENTS(row); n++) {
            g_autofree guint64 *reciprocals = tridiagonal_reciprocals(matrices[m], n);
            for (guint i = 0; i < n; i++)
                row[i] = number_of(i);
            tridiagonal_solve(matrices[m], reciprocals, n, row);
            for (guint i = 0; i < n; i++)
                ck_assert_uint_eq(line_times(matrices[m], row, n, i), number_of(i));
        }
}

/* By hand: 2 x - y = 3 and -x + 2 y = 0 have the solution (2, 1); all is computed with integers. */
TEST(solution_by_hand)
{
    const Tridiagonal matrix = {FIELD_PRIME - 1, 2, FIELD_PRIME - 1};
    guint64 row[] = {3, 0};
    g_autofree guint64 *reciprocals = tridiagonal_reciprocals(&matrix, 2);
    tridiagonal_solve(&matrix, reciprocals, 2, row);
    ck_assert_uint_eq(row[0], 2);
    ck_assert_uint_eq(row[1], 1);
}

/* No diagonal has a 0 after the elimination, however long a row may be in any test or figure. */
TEST_LOOP(long_rows, 0, 2)
{
    g_free(tridiagonal_reciprocals(_i ? &tridiagonal_of_columns : &tridiagonal_of_rows, 1u << 18));
}

/* --- what belongs where --- */

#define N_MOST 16

/* In two dimensions, by definition: the transform's element (u, v) is in place (v, u). */
TEST(transform_values)
{
    for (guint n = 1; n <= N_MOST; n *= 2) {
        ArrayValues *values = array_values_new(USE_FFT, n);
        guint64 rows[N_MOST][N_MOST], column[N_MOST], row[N_MOST];
        for (guint a = 0; a < n; a++) {
            for (guint b = 0; b < n; b++)
                row[b] = array_value_at_first(values, a, b);
            for (guint v = 0; v < n; v++)
                rows[a][v] = coefficient(row, n, v);
        }
        for (guint v = 0; v < n; v++) {
            for (guint a = 0; a < n; a++)
                column[a] = rows[a][v];
            for (guint u = 0; u < n; u++)
                ck_assert_uint_eq(array_value_at_last(values, v, u), coefficient(column, n, u));
        }
        array_values_free(values);
    }
}

/* Every equation holds exactly: the rows' matrix along rows, and the columns' along columns, make the right side of the
 * solution. */
TEST(solution_values)
{
    for (guint n = 1; n <= N_MOST; n++) {
        ArrayValues *values = array_values_new(USE_ADI, n);
        guint64 along_rows[N_MOST][N_MOST], row[N_MOST], column[N_MOST];
        for (guint i = 0; i < n; i++) {
            for (guint j = 0; j < n; j++)
                row[j] = array_value_at_last(values, i, j);
            for (guint j = 0; j < n; j++)
                along_rows[i][j] = line_times(&tridiagonal_of_rows, row, n, j);
        }
        for (guint j = 0; j < n; j++) {
            for (guint i = 0; i < n; i++)
                column[i] = along_rows[i][j];
            for (guint i = 0; i < n; i++)
                ck_assert_uint_eq(array_value_at_first(values, i, j),
                                  line_times(&tridiagonal_of_columns, column, n, i));
        }
        array_values_free(values);
    }
}

TEST(transposed_values)
{
    ArrayValues *values = array_values_new(USE_TRANSPOSITION, N_MOST);
    for (guint i = 0; i < N_MOST; i++)
        for (guint j = 0; j < N_MOST; j++) {
            ck_assert_uint_eq(array_value_at_last(values, i, j), array_value_at_first(values, j, i));
            ck_assert(i == j || array_value_at_first(values, i, j) != array_value_at_first(values, j, i));
        }
    array_values_free(values);
}

TESTS(array, field, roots, transforms, solutions, solution_by_hand, long_rows, transform_values, solution_values,
      transposed_values)
