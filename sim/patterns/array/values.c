#include "values.h"
#include "field.h"
#include "sim/schedule/content.h"
#include "tridiagonal.h"

#define N_SERIES 3      /* so many that no row of the array is a multiple of another */

struct ArrayValues {
    UseKind kind;
    gsize n;
    guint64 *powers[2][N_SERIES];   /* [n] of rows and of columns: the series' terms */
    guint64 *sums[2][N_SERIES];     /* [n]: their transforms */
};

/* --- numbers that are drawn --- */

static guint64 drawn(guint64 i)
{
    return field_number(content_draw(i));
}

static guint64 drawn_at(const ArrayValues *values, gsize row, gsize column)
{
    return drawn(row * values->n + column);
}

/* --- sums of geometric series: the sum over t of g_t^row h_t^column --- */

static guint64 *powers_of(guint64 base, gsize n)
{
    guint64 *powers = g_new(guint64, MAX(1, n));
    powers[0] = 1;
    for (gsize i = 1; i < n; i++)
        powers[i] = field_multiply(powers[i - 1], base);
    return powers;
}

/* Number v is the sum of (base w^v)^i over all i < n. */
static guint64 *transform_of_powers(guint64 base, gsize n)
{
    guint64 *sums = g_new(guint64, MAX(1, n)), root = n ? field_root(n) : 1, ratio = base;
    guint64 last = field_subtract(field_power(base, n), 1);
    for (gsize v = 0; v < n; v++) {
        guint64 first = field_subtract(ratio, 1);
        sums[v] = first ? field_multiply(last, field_inverse(first)) : n;
        ratio = field_multiply(ratio, root);
    }
    return sums;
}

static guint64 sum_of_products(guint64 *const *rows, guint64 *const *columns, gsize row, gsize column)
{
    guint64 sum = 0;
    for (guint t = 0; t < N_SERIES; t++)
        sum = field_add(sum, field_multiply(rows[t][row], columns[t][column]));
    return sum;
}

/* --- systems of equations --- */

/* What the solution makes of a line; neighbours outside of the array are 0. */
static guint64 along_row(const ArrayValues *values, gsize row, gsize column)
{
    const Tridiagonal *m = &tridiagonal_of_rows;
    guint64 sum = field_multiply(m->diagonal, drawn_at(values, row, column));
    if (column > 0)
        sum = field_add(sum, field_multiply(m->lower, drawn_at(values, row, column - 1)));
    if (column + 1 < values->n)
        sum = field_add(sum, field_multiply(m->upper, drawn_at(values, row, column + 1)));
    return sum;
}

static guint64 right_side(const ArrayValues *values, gsize row, gsize column)
{
    const Tridiagonal *m = &tridiagonal_of_columns;
    guint64 sum = field_multiply(m->diagonal, along_row(values, row, column));
    if (row > 0)
        sum = field_add(sum, field_multiply(m->lower, along_row(values, row - 1, column)));
    if (row + 1 < values->n)
        sum = field_add(sum, field_multiply(m->upper, along_row(values, row + 1, column)));
    return sum;
}

/* --- all of them --- */

guint64 array_value_at_first(const ArrayValues *values, gsize row, gsize column)
{
    switch (values->kind) {
    case USE_TRANSPOSITION:
        return drawn_at(values, row, column);
    case USE_FFT:
        return sum_of_products(values->powers[0], values->powers[1], row, column);
    case USE_ADI:
        return right_side(values, row, column);
    }
    g_assert_not_reached();
}

guint64 array_value_at_last(const ArrayValues *values, gsize row, gsize column)
{
    switch (values->kind) {
    case USE_TRANSPOSITION:
        return drawn_at(values, column, row);
    case USE_FFT:
        return sum_of_products(values->sums[0], values->sums[1], column, row);
    case USE_ADI:
        return drawn_at(values, row, column);
    }
    g_assert_not_reached();
}

ArrayValues *array_values_new(UseKind kind, gsize n)
{
    ArrayValues *values = g_new0(ArrayValues, 1);
    values->kind = kind;
    values->n = n;
    for (guint side = 0; side < 2 && kind == USE_FFT; side++)
        for (guint t = 0; t < N_SERIES; t++) {
            guint64 base = drawn(side * N_SERIES + t);
            values->powers[side][t] = powers_of(base, n);
            values->sums[side][t] = transform_of_powers(base, n);
        }
    return values;
}

void array_values_free(ArrayValues *values)
{
    if (!values)
        return;
    for (guint side = 0; side < 2; side++)
        for (guint t = 0; t < N_SERIES; t++) {
            g_free(values->powers[side][t]);
            g_free(values->sums[side][t]);
        }
    g_free(values);
}
