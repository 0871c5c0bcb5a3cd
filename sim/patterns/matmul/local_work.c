#include "local_work.h"

/* "finds no rows 0 to 3, columns 4 to 7 of C in slot 2" */
static char *missing(guint matrix, const Piece *piece, guint slot)
{
    g_autofree char *what = tile_describe(&(Tile){.matrix = matrix, .piece = *piece});
    return g_strdup_printf("finds no %s in slot %u", what, slot);
}

Tile *work_find_tile(const Block *slots, guint slot, const Piece *piece)
{
    Tile *tile = slots[slot] == BLOCK_NONE ? NULL : tile_of(slots[slot]);
    return tile && tile->elements && tile->piece.count == piece->count ? tile : NULL;
}

GArray *work_filled_slots(guint node, const Region *region)
{
    g_autoptr(GArray) numbers = region_numbers(region, node);
    GArray *slots = g_array_new(FALSE, FALSE, sizeof(Filled));
    for (guint i = 0; i < numbers->len; i++)
        for (guint part = 0; part < region->n_parts; part++) {
            guint n = region_slot_of(region, g_array_index(numbers, guint, i)) + part;
            Filled filled = {region->slot + n, region_piece(region, node, n)};
            if (filled.piece.count > 0)
                g_array_append_val(slots, filled);
        }
    return slots;
}

#define EACH(filled, list)                                                                                             \
    (const Filled *filled = (const Filled *)(gpointer)(list)->data;                                                   \
     filled < (const Filled *)(gpointer)(list)->data + (list)->len; filled++)

/* What they hold of a matrix, as a patch. Caller frees. */
static guint64 *gather(const Block *slots, const GArray *list, guint matrix, const Patch *patch, char **fault)
{
    guint64 *whole = g_new0(guint64, patch_count(patch));
    for EACH(filled, list) {
        const Tile *tile = work_find_tile(slots, filled->slot, &filled->piece);
        if (tile)
            tile_put(&filled->piece, tile->elements, patch, whole);
        else if (!*fault)
            *fault = missing(matrix, &filled->piece, filled->slot);
    }
    return whole;
}

/* Takes it out of them. */
static void drop(Block *slots, const GArray *list)
{
    for EACH(filled, list) {
        Block *slot = &slots[filled->slot];
        if (*slot != BLOCK_NONE && tile_of(*slot)->is_sum)
            tile_spend(tile_of(*slot));
        *slot = BLOCK_NONE;
    }
}

/* The other way round. */
static void cut(GPtrArray *tiles, Block *slots, const GArray *list, const Tile *like, const Patch *patch,
                const guint64 *whole)
{
    for EACH(filled, list) {
        Tile *tile = tile_new(tiles, like->matrix, &filled->piece, like->is_sum);
        tile_get(&filled->piece, tile->elements, patch, whole);
        slots[filled->slot] = tile_block(tile);
    }
}

/* Any of their tiles, to know what the others are; NULL: there is none. */
static const Tile *any_tile(const Block *slots, const GArray *list)
{
    for EACH(filled, list)
        if (slots[filled->slot] != BLOCK_NONE)
            return tile_of(slots[filled->slot]);
    return NULL;
}

static char *recut(GPtrArray *tiles, guint node, Block *slots, const Work *work)
{
    g_autoptr(GArray) from = work_filled_slots(node, &work->regions[0]);
    g_autoptr(GArray) to = work_filled_slots(node, &work->regions[1]);
    const Tile *like = any_tile(slots, from);
    Patch patch = region_cover(&work->regions[0], node);
    char *fault = NULL;
    if (!like)
        return NULL;
    g_autofree guint64 *whole = gather(slots, from, like->matrix, &patch, &fault);
    drop(slots, from);
    if (!fault)
        cut(tiles, slots, to, like, &patch, whole);
    return fault;
}

/* All that a processor has of a matrix in a region, as a patch. Caller frees. */
static guint64 *gather_region(guint node, const Block *slots, const Region *region, guint matrix, const Patch *patch,
                              char **fault)
{
    g_autoptr(GArray) list = work_filled_slots(node, region);
    return gather(slots, list, matrix, patch, fault);
}

static char *unfit(void)
{
    return g_strdup("multiplies pieces of C and D that do not fit");
}

/* The sums of a product, which begin with 0 or lie there already. */
static Tile *sums_of(GPtrArray *tiles, guint node, Block *slots, const Work *work, const Patch *patch)
{
    const Region *region = &work->regions[2];
    Piece piece = region_piece(region, node, 0);
    if (!work->first || slots[region->slot] != BLOCK_NONE)
        return work_find_tile(slots, region->slot, &piece);
    if (piece.count != patch_count(patch))
        return NULL;
    Tile *tile = tile_new(tiles, work->matrix, &piece, TRUE);
    for (guint e = 0; e < piece.count; e++)
        tile->elements[e] = 0;
    slots[region->slot] = tile_block(tile);
    return tile;
}

void work_factors(const Work *work, guint node, Piece *c, Piece *d)
{
    *c = piece_whole(region_cover(&work->regions[0], node));
    *d = piece_whole(region_cover(&work->regions[1], node));
}

static char *multiply(GPtrArray *tiles, guint node, Block *slots, const Work *work)
{
    Piece of_c, of_d;
    work_factors(work, node, &of_c, &of_d);
    Patch patch = {of_c.patch.rows, of_d.patch.cols};
    char *fault = NULL;
    if (tile_n_products(&of_c, &of_d) == 0)
        return NULL;
    g_autofree guint64 *all_c = gather_region(node, slots, &work->regions[0], MATRIX_C, &of_c.patch, &fault);
    g_autofree guint64 *all_d = gather_region(node, slots, &work->regions[1], MATRIX_D, &of_d.patch, &fault);
    Tile *sums = fault ? NULL : sums_of(tiles, node, slots, work, &patch);
    Piece of_a = piece_whole(patch);
    if (fault || !sums)
        return fault ? fault : missing(MATRIX_A, &of_a, work->regions[2].slot);
    gboolean fits = tile_multiply(&(Tile){.piece = of_c, .elements = all_c}, &(Tile){.piece = of_d, .elements = all_d},
                                  &patch, sums->elements);
    return fits ? NULL : unfit();
}

static char *add_sums(guint node, Block *slots, const Work *work)
{
    const Region *sums = &work->regions[0], *a = &work->regions[1];
    Piece piece = region_piece(a, node, 0);
    char *fault = NULL;
    if (piece.count == 0)
        return NULL;
    g_autoptr(GArray) list = work_filled_slots(node, sums);
    g_autofree guint64 *whole = gather(slots, list, MATRIX_A, &piece.patch, &fault);
    Tile *to = work_find_tile(slots, a->slot, &piece);
    if (fault || !to)
        return fault ? fault : missing(MATRIX_A, &piece, a->slot);
    for (guint e = 0; e < piece.count; e++)
        to->elements[e] += whole[e];
    drop(slots, list);
    return NULL;
}

static char *multiply_pieces(guint node, const Block *slots, const Product *product)
{
    Piece of_a = piece_whole(product->a);
    const Tile *c = work_find_tile(slots, product->c_slot, &product->c);
    const Tile *d = work_find_tile(slots, product->d_slot, &product->d);
    Tile *a = work_find_tile(slots, product->a_slot, &of_a);
    if (!c)
        return missing(MATRIX_C, &product->c, product->c_slot);
    if (!d)
        return missing(MATRIX_D, &product->d, product->d_slot);
    if (!a || !a->is_sum)
        return missing(MATRIX_A, &of_a, product->a_slot);
    gboolean fits = tile_multiply(&(Tile){.piece = product->c, .elements = c->elements},
                                  &(Tile){.piece = product->d, .elements = d->elements}, &product->a, a->elements);
    return fits ? NULL : unfit();
}

static char *multiply_all(GPtrArray *tiles, guint node, Block *slots, const Work *work, guint k)
{
    Product product;
    char *fault = NULL;
    for (guint i = 0; !fault && work->nth(work->user, node, k, i, &product); i++) {
        gboolean any = tile_n_products(&product.c, &product.d) > 0;
        if (any && work->first)
            sums_of(tiles, node, slots, work, &product.a);
        if (any)
            fault = multiply_pieces(node, slots, &product);
        if (product.c_is_done)
            slots[product.c_slot] = BLOCK_NONE;
        if (product.d_is_done)
            slots[product.d_slot] = BLOCK_NONE;
    }
    return fault;
}

char *work_do(const Work *work, guint node, guint k, Block *slots, GPtrArray *tiles)
{
    switch (work->kind) {
    case WORK_RECUT:
        return recut(tiles, node, slots, work);
    case WORK_MULTIPLY:
        return multiply(tiles, node, slots, work);
    case WORK_ADD:
        return add_sums(node, slots, work);
    case WORK_PRODUCTS:
        return multiply_all(tiles, node, slots, work, k);
    }
    g_assert_not_reached();
}

/* --- what it takes --- */

/* A multiplication and an addition each; but of products that begin sums, the first term of each takes no addition. It
 * belongs to the first row of D (and column of C) of all that a processor has. */
static gint64 operations_of(const Work *work, guint node, const Piece *c, const Piece *d)
{
    gint64 n = 2 * tile_n_products(c, d);
    if (!work->first || n == 0)
        return n;
    Patch all = region_cover(&work->regions[0], node);
    return n - tile_n_products_of(c, d, work->by_rows ? all.rows.first : all.cols.first);
}

gint64 work_operations(const Work *work, guint node, guint k)
{
    Piece c, d;
    Product product;
    gint64 n = 0;
    switch (work->kind) {
    case WORK_RECUT:
        return 0;
    case WORK_MULTIPLY:
        work_factors(work, node, &c, &d);
        return operations_of(work, node, &c, &d);
    case WORK_ADD:
        return region_piece(&work->regions[1], node, 0).count;
    case WORK_PRODUCTS:
        for (guint i = 0; work->nth(work->user, node, k, i, &product); i++)
            n += operations_of(work, node, &product.c, &product.d);
        return n;
    }
    g_assert_not_reached();
}
