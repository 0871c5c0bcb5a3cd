#include "arithmetic.h"
#include "sim/schedule/content.h"

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
    return content_draw(((guint64)matrix << 40) + ((guint64)row << 20) + col);
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
    guint64 **references = (guint64 **)arithmetic->references->pdata;
    if (!references[m])
        references[m] = compute_reference(arithmetic->shape, m);
    return references[m];
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

static gboolean has(Indices indices, guint i)
{
    return i >= indices.first && (i - indices.first) % indices.stride == 0 && indices_place(indices, i) < indices.count;
}

/* Elements of a piece that are before number `e` of its patch and in column j. */
static guint before_in_column(const Piece *piece, guint e, guint place)
{
    guint width = piece->patch.cols.count;
    return e / width + (e % width > place);
}

static guint before_in_row(const Piece *piece, guint e, guint place)
{
    guint width = piece->patch.cols.count;
    return CLAMP(e, place * width, (place + 1) * width) - place * width;
}

gint64 arithmetic_n_products_of(const Piece *c, const Piece *d, guint j)
{
    if (!has(c->patch.cols, j) || !has(d->patch.rows, j))
        return 0;
    guint col = indices_place(c->patch.cols, j), row = indices_place(d->patch.rows, j);
    gint64 of_c = before_in_column(c, c->first + c->count, col) - before_in_column(c, c->first, col);
    gint64 of_d = before_in_row(d, d->first + d->count, row) - before_in_row(d, d->first, row);
    return of_c * of_d;
}

static gboolean is_within(Indices a, Indices b)
{
    return indices_both(a, b).count == a.count;
}

/* The places in a patch's rows of D's columns. */
static guint *places_of(Indices cols, Indices in)
{
    guint *places = g_new(guint, cols.count + 1);
    for (guint k = 0; k < cols.count; k++)
        places[k] = indices_place(in, indices_nth(cols, k));
    return places;
}

/* Adds a multiple of a row to places[] of the sums; those follow each other if it is NULL. */
static inline void add_multiple(guint64 *sums, const guint *places, guint64 factor, const guint64 *row, guint n)
{
    if (!places)
        for (guint k = 0; k < n; k++)
            sums[k] += factor * row[k];
    else
        for (guint k = 0; k < n; k++)
            sums[places[k]] += factor * row[k];
}

/* Every element of C's times a row of D's. */
static void multiply_rows(Factor c, Factor d, const Patch *a, const guint *places, guint64 *sums)
{
    const Patch *of_c = &c.piece->patch, *of_d = &d.piece->patch;
    for (guint e = 0; e < c.piece->count; e++) {
        guint at = c.piece->first + e, n = of_d->cols.count;
        guint i = indices_place(a->rows, indices_nth(of_c->rows, at / of_c->cols.count));
        guint j = indices_place(of_d->rows, indices_nth(of_c->cols, at % of_c->cols.count));
        add_multiple(sums + (gsize)i * a->cols.count, places, c.elements[e], d.elements + (gsize)j * n, n);
    }
}

/* A column of C's times every element of D's. */
static void multiply_columns(Factor c, Factor d, const Patch *a, const guint *places, guint64 *sums)
{
    const Patch *of_c = &c.piece->patch, *of_d = &d.piece->patch;
    for (guint e = 0; e < d.piece->count; e++) {
        guint at = d.piece->first + e, k = at % of_d->cols.count;
        guint j = indices_place(of_c->cols, indices_nth(of_d->rows, at / of_d->cols.count));
        for (guint row = 0; row < of_c->rows.count; row++) {
            gsize i = indices_place(a->rows, indices_nth(of_c->rows, row));
            sums[i * a->cols.count + (places ? places[k] : k)] +=
                c.elements[(gsize)row * of_c->cols.count + j] * d.elements[e];
        }
    }
}

gboolean arithmetic_multiply(Factor c, Factor d, const Patch *a, guint64 *sums)
{
    const Patch *of_c = &c.piece->patch, *of_d = &d.piece->patch;
    gboolean by_c = goes_by_c(c.piece, d.piece);
    gboolean meets = by_c ? is_within(of_c->cols, of_d->rows) : is_within(of_d->rows, of_c->cols);
    if (!meets || !is_within(of_c->rows, a->rows) || !is_within(of_d->cols, a->cols))
        return FALSE;
    if (c.piece->count == 0 || d.piece->count == 0)
        return TRUE;
    g_autofree guint *places = of_d->cols.count < a->cols.count ? places_of(of_d->cols, a->cols) : NULL;
    (by_c ? multiply_rows : multiply_columns)(c, d, a, places, sums);
    return TRUE;
}
