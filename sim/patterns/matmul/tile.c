#include "tile.h"

#include <string.h>

/* --- life --- */

static void tile_free(gpointer tile)
{
    tile_spend(tile);
    g_free(tile);
}

TileStore tile_store_new(void)
{
    return (TileStore){g_ptr_array_new_with_free_func(tile_free)};
}

void tile_store_clear(TileStore *store)
{
    g_ptr_array_set_size(store->tiles, 0);
}

void tile_store_free(TileStore *store)
{
    g_ptr_array_unref(store->tiles);
}

Tile *tile_new(TileStore *store, guint matrix, const Piece *piece, gboolean is_sum)
{
    Tile *tile = g_new(Tile, 1);
    *tile = (Tile){matrix, *piece, is_sum, g_new(guint64, piece->count)};
    g_ptr_array_add(store->tiles, tile);
    return tile;
}

void tile_spend(Tile *tile)
{
    g_clear_pointer(&tile->elements, g_free);
}

/* --- elements --- */

static gboolean is_whole(const Piece *piece, const Patch *patch)
{
    return piece->count == patch_count(patch) && piece->count == patch_count(&piece->patch);
}

/* Where the row of a piece that element number `e` is in begins in a patch. */
static gsize row_start(const Piece *piece, const Patch *patch, guint row)
{
    return (gsize)indices_place(patch->rows, indices_nth(piece->patch.rows, row)) * patch->cols.count;
}

/* The function for one element, which is known by its number in the piece and its place in the patch. */
typedef void Visit(guint e, gsize place, gpointer elements, gpointer whole);

static inline void visit_all(const Piece *piece, const Patch *patch, Visit *visit, gpointer elements, gpointer whole)
{
    guint width = piece->patch.cols.count;
    guint row = piece->count ? piece->first / width : 0, col = piece->count ? piece->first % width : 0;
    gsize start = piece->count ? row_start(piece, patch, row) : 0;
    for (guint e = 0; e < piece->count; e++) {
        visit(e, start + indices_place(patch->cols, indices_nth(piece->patch.cols, col)), elements, whole);
        if (++col == width && e + 1 < piece->count) {
            col = 0;
            start = row_start(piece, patch, ++row);
        }
    }
}

static void put_one(guint e, gsize place, gpointer elements, gpointer whole)
{
    ((guint64 *)whole)[place] = ((const guint64 *)elements)[e];
}

static void get_one(guint e, gsize place, gpointer elements, gpointer whole)
{
    ((guint64 *)elements)[e] = ((const guint64 *)whole)[place];
}

void tile_put(const Piece *piece, const guint64 *elements, const Patch *patch, guint64 *whole)
{
    if (is_whole(piece, patch))
        memcpy(whole, elements, piece->count * sizeof *whole);
    else
        visit_all(piece, patch, put_one, (gpointer)elements, whole);
}

void tile_get(const Piece *piece, guint64 *elements, const Patch *patch, const guint64 *whole)
{
    if (is_whole(piece, patch))
        memcpy(elements, whole, piece->count * sizeof *elements);
    else
        visit_all(piece, patch, get_one, elements, (gpointer)whole);
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
