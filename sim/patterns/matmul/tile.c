#include "tile.h"

#include <string.h>

/* --- life --- */

static void tile_free(gpointer tile)
{
    tile_spend(tile);
    g_free(tile);
}

GPtrArray *tiles_new(void)
{
    return g_ptr_array_new_with_free_func(tile_free);
}

Tile *tile_new(GPtrArray *tiles, guint matrix, const Piece *piece, gboolean is_sum)
{
    Tile *tile = g_new(Tile, 1);
    *tile = (Tile){matrix, *piece, is_sum, g_new(guint64, piece->count)};
    g_ptr_array_add(tiles, tile);
    return tile;
}

void tile_spend(Tile *tile)
{
    g_clear_pointer(&tile->elements, g_free);
}

/* --- elements --- */

static void copy(const Piece *piece, guint64 *elements, const Patch *patch, guint64 *whole, gboolean put)
{
    const Patch *of = &piece->patch;
    if (piece->count == patch_count(patch) && piece->count == patch_count(of)) {
        memcpy(put ? whole : elements, put ? elements : whole, piece->count * sizeof *whole);
        return;
    }
    for (guint e = 0; e < piece->count;) {
        guint row = (piece->first + e) / of->cols.count, col = (piece->first + e) % of->cols.count;
        guint64 *in_row = whole + (gsize)indices_place(patch->rows, indices_nth(of->rows, row)) * patch->cols.count;
        for (; col < of->cols.count && e < piece->count; col++, e++) {
            guint64 *place = &in_row[indices_place(patch->cols, indices_nth(of->cols, col))];
            *(put ? place : &elements[e]) = put ? elements[e] : *place;
        }
    }
}

void tile_put(const Piece *piece, const guint64 *elements, const Patch *patch, guint64 *whole)
{
    copy(piece, (guint64 *)elements, patch, whole, TRUE);
}

void tile_get(const Piece *piece, guint64 *elements, const Patch *patch, const guint64 *whole)
{
    copy(piece, elements, patch, (guint64 *)whole, FALSE);
}

/* --- numbers --- */

static guint64 element(guint matrix, guint row, guint col)
{
    return content_draw(((guint64)matrix << 40) + ((guint64)row << 20) + col);
}

void tile_generate(Tile *tile)
{
    const Patch *patch = &tile->piece.patch;
    guint width = patch->cols.count;
    for (guint i = 0, e = tile->piece.first; i < tile->piece.count; i++, e++)
        tile->elements[i] = element(tile->matrix, indices_nth(patch->rows, e / width),
                                    indices_nth(patch->cols, e % width));
}

/* Returns the elements of a whole matrix, or of its transpose, from the generator. Caller frees. */
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

guint64 *tile_reference(MatmulShape s, guint m)
{
    g_autofree guint64 *c = whole(matrix_number(m, MATRIX_C), s.p, s.q, FALSE);
    g_autofree guint64 *d = whole(matrix_number(m, MATRIX_D), s.q, s.r, TRUE);
    guint64 *a = whole(matrix_number(m, MATRIX_A), s.p, s.r, FALSE);
    for (gsize i = 0; i < s.p; i++)
        for (gsize k = 0; k < s.r; k++)
            a[i * s.r + k] += inner_product(c + i * s.q, d + k * s.q, s.q);
    return a;
}

static gboolean has(Indices indices, guint i)
{
    return i >= indices.first && (i - indices.first) % indices.stride == 0 && indices_place(indices, i) < indices.count;
}

/* Returns the number of elements in column `place` of the piece's patch that come before element number `e` of the
 * patch. */
static guint before_in_column(const Piece *piece, guint e, guint place)
{
    guint width = piece->patch.cols.count;
    return e / width + (e % width > place);
}

/* Returns the number of elements that a piece has in row `place` of its patch. Sets `*first` to the number of the first
 * one in the patch. */
static guint in_row(const Piece *piece, guint place, guint *first)
{
    guint width = piece->patch.cols.count, end = MIN(piece->first + piece->count, (place + 1) * width);
    *first = MAX(piece->first, place * width);
    return end > *first ? end - *first : 0;
}

gint64 tile_n_products_of(const Piece *c, const Piece *d, guint j)
{
    if (!has(c->patch.cols, j) || !has(d->patch.rows, j))
        return 0;
    guint col = indices_place(c->patch.cols, j), first;
    gint64 of_c = before_in_column(c, c->first + c->count, col) - before_in_column(c, c->first, col);
    return of_c * in_row(d, indices_place(d->patch.rows, j), &first);
}

gint64 tile_n_products(const Piece *c, const Piece *d)
{
    gint64 n = 0;
    for (guint j = 0; j < c->patch.cols.count; j++)
        n += tile_n_products_of(c, d, indices_nth(c->patch.cols, j));
    return n;
}

static gboolean is_within(Indices a, Indices b)
{
    return indices_both(a, b).count == a.count;
}

/* Returns the place of each index of `cols` among the indices `in`, which must contain it (indices_place()). Caller
 * frees. */
static guint *places_of(Indices cols, Indices in)
{
    guint *places = g_new(guint, cols.count + 1);
    for (guint k = 0; k < cols.count; k++)
        places[k] = indices_place(in, indices_nth(cols, k));
    return places;
}

/* Adds factor x row[k] to sums[places[k]], or to sums[k] if `places` is NULL, for each k < n. */
static inline void add_multiple(guint64 *sums, const guint *places, guint64 factor, const guint64 *row, guint n)
{
    if (!places)
        for (guint k = 0; k < n; k++)
            sums[k] += factor * row[k];
    else
        for (guint k = 0; k < n; k++)
            sums[places[k]] += factor * row[k];
}

/* Adds the products of column `col` of c and row `row` of d to the sums of patch `a`. `col` and `row` count within the
 * patches of c and d. places[k] is the column of `a` for column k of d; NULL: k itself. */
static void multiply_row(const Tile *c, guint col, const Tile *d, guint row, const Patch *a, const guint *places,
                         guint64 *sums)
{
    const Piece *of_c = &c->piece;
    guint first, n = in_row(&d->piece, row, &first), k = first - row * d->piece.patch.cols.count;
    for (guint i = 0; n > 0 && i < of_c->patch.rows.count; i++) {
        guint e = i * of_c->patch.cols.count + col - of_c->first;
        gsize at = (gsize)indices_place(a->rows, indices_nth(of_c->patch.rows, i)) * a->cols.count;
        if (e < of_c->count)
            add_multiple(sums + at + (places ? 0 : k), places ? places + k : NULL, c->elements[e],
                         d->elements + first - d->piece.first, n);
    }
}

gboolean tile_multiply(const Tile *c, const Tile *d, const Patch *a, guint64 *sums)
{
    const Patch *of_c = &c->piece.patch, *of_d = &d->piece.patch;
    gboolean meets = is_within(of_c->cols, of_d->rows) || is_within(of_d->rows, of_c->cols);
    if (!meets || !is_within(of_c->rows, a->rows) || !is_within(of_d->cols, a->cols))
        return FALSE;
    g_autofree guint *places = of_d->cols.count < a->cols.count ? places_of(of_d->cols, a->cols) : NULL;
    for (guint col = 0; col < of_c->cols.count; col++) {
        guint j = indices_nth(of_c->cols, col);
        if (has(of_d->rows, j))
            multiply_row(c, col, d, indices_place(of_d->rows, j), a, places, sums);
    }
    return TRUE;
}

/* --- for people --- */

static void put_indices(GString *text, const char *what, Indices indices)
{
    guint last = indices_nth(indices, indices.count - 1);
    if (indices.count == 1)
        g_string_append_printf(text, "%s %u", what, indices.first);
    else if (indices.stride == 1)
        g_string_append_printf(text, "%ss %u to %u", what, indices.first, last);
    else
        g_string_append_printf(text, "%ss %u to %u by %u", what, indices.first, last, indices.stride);
}

char *tile_describe(const Tile *tile)
{
    static const char names[] = "CDA";
    const Piece *piece = &tile->piece;
    GString *text = g_string_new(NULL);
    if (piece->count < patch_count(&piece->patch))
        g_string_append_printf(text, "elements %u to %u of ", piece->first, piece->first + piece->count - 1);
    put_indices(text, "row", piece->patch.rows);
    put_indices(text, ", column", piece->patch.cols);
    g_string_append_printf(text, " of %c", names[tile->matrix % N_MATRICES]);
    if (tile->matrix >= N_MATRICES)
        g_string_append_printf(text, " (multiplication %u)", tile->matrix / N_MATRICES);
    return g_string_free(text, FALSE);
}
