#include "tridiagonal.h"
#include "field.h"

/* Not symmetric, and not the same: a sweep in the wrong order or direction is told. Their diagonals outweigh the rest.
 * That they have no 0 after the elimination modulo p is asserted. */
const Tridiagonal tridiagonal_of_rows = {FIELD_PRIME - 2, 7, FIELD_PRIME - 4};
const Tridiagonal tridiagonal_of_columns = {FIELD_PRIME - 1, 5, FIELD_PRIME - 3};

Elimination *elimination_new(const Tridiagonal *matrix, gsize n)
{
    Elimination *e = g_new(Elimination, 1);
    *e = (Elimination){n, matrix->upper, g_new0(guint64, MAX(1, n)), g_new0(guint64, MAX(1, n))};
    guint64 pivot = matrix->diagonal;
    for (gsize i = 0; i < n; i++) {
        if (i > 0) {
            e->multipliers[i] = field_multiply(matrix->lower, e->reciprocals[i - 1]);
            pivot = field_subtract(matrix->diagonal, field_multiply(e->multipliers[i], matrix->upper));
        }
        g_assert(pivot != 0);
        e->reciprocals[i] = field_inverse(pivot);
    }
    return e;
}

void elimination_free(Elimination *elimination)
{
    if (!elimination)
        return;
    g_free(elimination->multipliers);
    g_free(elimination->reciprocals);
    g_free(elimination);
}

void elimination_solve(const Elimination *e, guint64 *row)
{
    gsize n = e->n;
    for (gsize i = 1; i < n; i++)
        row[i] = field_subtract(row[i], field_multiply(e->multipliers[i], row[i - 1]));
    if (n > 0)
        row[n - 1] = field_multiply(row[n - 1], e->reciprocals[n - 1]);
    for (gsize i = n; i-- > 1;) {
        guint64 rest = field_subtract(row[i - 1], field_multiply(e->upper, row[i]));
        row[i - 1] = field_multiply(rest, e->reciprocals[i - 1]);
    }
}
