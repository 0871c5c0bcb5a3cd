#include "arithmetic.h"

struct Arithmetic {
    MatmulShape shape;
    GPtrArray *references;  /* guint64 *, by the number of the multiplication; NULL: not asked for yet */
};

Arithmetic *arithmetic_new(MatmulShape shape)
{
    Arithmetic *arithmetic = g_new(Arithmetic, 1);
    *arithmetic = (Arithmetic){shape, g_ptr_array_new_with_free_func(g_free)};
    return arithmetic;
}

void arithmetic_free(Arithmetic *arithmetic)
{
    g_ptr_array_unref(arithmetic->references);
    g_free(arithmetic);
}

static guint64 element(guint matrix, guint row, guint col)
{
    guint64 z = (((guint64)matrix << 40) + ((guint64)row << 20) + col + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void arithmetic_generate(const Arithmetic *arithmetic, guint matrix, const Piece *piece, guint64 *elements)
{
    guint width = piece->patch.cols.count;
    for (guint i = 0, e = piece->first; i < piece->count; i++, e++)
        elements[i] = element(matrix, indices_nth(piece->patch.rows, e / width),
                              indices_nth(piece->patch.cols, e % width));
}

/* --- the reference --- */

/* A whole matrix, or its transpose. */
static guint64 *whole(guint matrix, guint height, guint width, gboolean transposed)
{
    guint64 *elements = g_new(guint64, (gsize)height * width);
    for (guint i = 0; i < height; i++)
        for (guint j = 0; j < width; j++)
            elements[transposed ? (gsize)j * height + i : (gsize)i * width + j] = element(matrix, i, j);
    return elements;
}

static guint64 inner_product(const guint64 *a, const guint64 *b, guint n)
{
    guint64 sum = 0;
    for (guint i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static guint64 *compute_reference(MatmulShape s, guint m)
{
    g_autofree guint64 *c = whole(matrix_number(m, MATRIX_C), s.p, s.q, FALSE);
    g_autofree guint64 *d = whole(matrix_number(m, MATRIX_D), s.q, s.r, TRUE);
    guint64 *a = whole(matrix_number(m, MATRIX_A), s.p, s.r, FALSE);
    for (gsize i = 0; i < s.p; i++)
        for (gsize k = 0; k < s.r; k++)
            a[i * s.r + k] += inner_product(c + i * s.q, d + k * s.q, s.q);
    return a;
}

const guint64 *arithmetic_reference(Arithmetic *arithmetic, guint m)
{
    if (m >= arithmetic->references->len)
        g_ptr_array_set_size(arithmetic->references, (gint)m + 1);
    gpointer *reference = &g_ptr_array_index(arithmetic->references, m);
    if (!*reference)
        *reference = compute_reference(arithmetic->shape, m);
    return *reference;
}

/* --- products --- */

/* Whether C's elements say what is to be multiplied, each by a row of D; else D's do, each by a column of C. */
static gboolean goes_by_c(const Piece *c, const Piece *d)
{
    return d->count == patch_count(&d->patch) && c->patch.cols.count <= d->patch.rows.count;
}

gint64 arithmetic_n_products(const Piece *c, const Piece *d)
{
    return goes_by_c(c, d) ? (gint64)c->count * d->patch.cols.count : (gint64)d->count * c->patch.rows.count;
}

static gboolean is_equal(Indices a, Indices b)
{
    return a.count == b.count && (a.count == 0 || a.first == b.first) && (a.count < 2 || a.stride == b.stride);
}

static gboolean is_within(Indices a, Indices b)
{
    Indices both = indices_both(a, b);
    return both.count == a.count;
}

static void add_multiple(guint64 *sums, guint64 factor, const guint64 *row, guint n)
{
    for (guint k = 0; k < n; k++)
        sums[k] += factor * row[k];
}

/* Every element of C's times a row of D's. */
static void multiply_rows(Factor c, Factor d, guint64 *sums)
{
    guint width = c.piece->patch.cols.count, n = d.piece->patch.cols.count;
    guint row = c.piece->first / width, col = c.piece->first % width;
    for (guint e = 0; e < c.piece->count; e++) {
        guint j = indices_place(d.piece->patch.rows, indices_nth(c.piece->patch.cols, col));
        add_multiple(sums + (gsize)row * n, c.elements[e], d.elements + (gsize)j * n, n);
        if (++col == width) {
            col = 0;
            row++;
        }
    }
}

/* A column of C's times every element of D's. */
static void multiply_columns(Factor c, Factor d, guint64 *sums)
{
    guint n = d.piece->patch.cols.count, width = c.piece->patch.cols.count;
    for (guint i = 0; i < d.piece->count; i++) {
        guint e = d.piece->first + i;
        guint j = indices_place(c.piece->patch.cols, indices_nth(d.piece->patch.rows, e / n));
        for (gsize row = 0; row < c.piece->patch.rows.count; row++)
            sums[row * n + e % n] += c.elements[row * width + j] * d.elements[i];
    }
}

gboolean arithmetic_multiply(Factor c, Factor d, const Patch *a, guint64 *sums)
{
    const Patch *of_c = &c.piece->patch, *of_d = &d.piece->patch;
    gboolean by_c = goes_by_c(c.piece, d.piece);
    gboolean meets = by_c ? is_within(of_c->cols, of_d->rows) : is_within(of_d->rows, of_c->cols);
    if (!meets || !is_equal(a->rows, of_c->rows) || !is_equal(a->cols, of_d->cols))
        return FALSE;
    if (c.piece->count == 0 || d.piece->count == 0)
        return TRUE;
    if (by_c)
        multiply_rows(c, d, sums);
    else
        multiply_columns(c, d, sums);
    return TRUE;
}
