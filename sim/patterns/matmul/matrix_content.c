#include "matrix_content.h"

#include <string.h>

/* --- local work --- */

/* The memory of a processor during local work. */
typedef struct {
    GPtrArray *tiles;       /* list to which new tiles are added */
    guint node;
    Block *slots;
    char *fault;            /* the first fault, or NULL */
} MatrixMemory;

/* Sets the fault that `piece` is not in the slot, unless there is a fault already: "finds no rows 0 to 3, columns 4 to
 * 7 of C in slot 2". Always returns NULL. */
static Tile *miss(MatrixMemory *m, guint matrix, const Piece *piece, guint slot)
{
    g_autofree char *what = tile_describe(&(Tile){.matrix = matrix, .piece = *piece});
    if (!m->fault)
        m->fault = g_strdup_printf("finds no %s in slot %u", what, slot);
    return NULL;
}

/* Returns the tile in a slot if it has as many elements as `piece`, else NULL. */
static Tile *find_tile(const Block *slots, guint slot, const Piece *piece)
{
    Tile *tile = slots[slot] == BLOCK_NONE ? NULL : tile_of(slots[slot]);
    return tile && tile->elements && tile->piece.count == piece->count ? tile : NULL;
}

/* Returns the tile in a slot if it has as many elements as `piece`; else sets the fault and returns NULL. */
static Tile *need_tile(MatrixMemory *m, guint matrix, guint slot, const Piece *piece)
{
    Tile *tile = find_tile(m->slots, slot, piece);
    return tile ? tile : miss(m, matrix, piece, slot);
}

/* Slot of a processor, and the piece that it must hold, which is not empty. */
typedef struct {
    guint slot;
    Piece piece;
} Filled;

/* Returns the slots of `region` that must hold a piece at `node` (GArray of Filled, ascending). Caller unrefs. */
static GArray *filled_slots(guint node, const Region *region)
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

/* Returns the elements of `patch`, gathered from the slots in `list`; a missing tile is a fault. Caller frees. */
static guint64 *gather(MatrixMemory *m, const GArray *list, guint matrix, const Patch *patch)
{
    guint64 *whole = g_new0(guint64, patch_count(patch));
    for EACH(filled, list) {
        const Tile *tile = need_tile(m, matrix, filled->slot, &filled->piece);
        if (tile)
            tile_put(&filled->piece, tile->elements, patch, whole);
    }
    return whole;
}

/* Empties the slots in `list`, and frees the elements of their sums. */
static void drop(Block *slots, const GArray *list)
{
    for EACH(filled, list) {
        Block *slot = &slots[filled->slot];
        if (*slot != BLOCK_NONE && tile_of(*slot)->is_sum)
            tile_spend(tile_of(*slot));
        *slot = BLOCK_NONE;
    }
}

/* Returns the first tile in the slots of `list`, which stands for all: they are of one matrix, and all or none are
 * sums. NULL: all slots are empty. */
static const Tile *any_tile(const Block *slots, const GArray *list)
{
    for EACH(filled, list)
        if (slots[filled->slot] != BLOCK_NONE)
            return tile_of(slots[filled->slot]);
    return NULL;
}

static void recut(MatrixMemory *m, const MatrixWork *work)
{
    g_autoptr(GArray) from = filled_slots(m->node, &work->regions[0]), to = filled_slots(m->node, &work->regions[1]);
    const Tile *like = any_tile(m->slots, from);
    Patch patch = region_cover(&work->regions[0], m->node);
    if (!like)
        return;
    g_autofree guint64 *whole = gather(m, from, like->matrix, &patch);
    drop(m->slots, from);
    if (m->fault)
        return;
    for EACH(filled, to) {
        Tile *tile = tile_new(m->tiles, like->matrix, &filled->piece, like->is_sum);
        tile_get(&filled->piece, tile->elements, &patch, whole);
        m->slots[filled->slot] = tile_block(tile);
    }
}

/* Returns the tile to which a product with the elements of `patch` is added; NULL: none fits. With work->first an empty
 * slot gets a tile of zeros. */
static Tile *sums_of(MatrixMemory *m, const MatrixWork *work, const Patch *patch)
{
    const Region *region = &work->regions[2];
    Piece piece = region_piece(region, m->node, 0);
    if (!work->first || m->slots[region->slot] != BLOCK_NONE)
        return find_tile(m->slots, region->slot, &piece);
    if (piece.count != patch_count(patch))
        return NULL;
    Tile *tile = tile_new(m->tiles, work->matrix, &piece, TRUE);
    memset(tile->elements, 0, piece.count * sizeof *tile->elements);
    m->slots[region->slot] = tile_block(tile);
    return tile;
}

/* Returns all elements that `node` has in regions[region], as one piece. */
static Piece factor(const MatrixWork *work, guint node, guint region)
{
    return piece_whole(region_cover(&work->regions[region], node));
}

/* Adds the product of the tiles c and d to `sums`, whose patch is `a`. Sets the fault if the tiles do not fit each
 * other or `a`. */
static void multiply_into(MatrixMemory *m, Tile c, Tile d, const Patch *a, Tile *sums)
{
    if (!tile_multiply(&c, &d, a, sums->elements))
        m->fault = g_strdup("multiplies pieces of C and D that do not fit");
}

/* Returns the elements of a factor that the processor has, row by row. `patch` must be the rectangle that they form.
 * Caller frees. */
static guint64 *gather_factor(MatrixMemory *m, const MatrixWork *work, MatrixName matrix, const Patch *patch)
{
    g_autoptr(GArray) list = filled_slots(m->node, &work->regions[matrix]);
    return gather(m, list, matrix, patch);
}

static void multiply(MatrixMemory *m, const MatrixWork *work)
{
    Piece c = factor(work, m->node, MATRIX_C), d = factor(work, m->node, MATRIX_D);
    Piece a = piece_whole((Patch){c.patch.rows, d.patch.cols});
    if (tile_n_products(&c, &d) == 0)
        return;
    g_autofree guint64 *of_c = gather_factor(m, work, MATRIX_C, &c.patch);
    g_autofree guint64 *of_d = gather_factor(m, work, MATRIX_D, &d.patch);
    Tile *sums = m->fault ? NULL : sums_of(m, work, &a.patch);
    if (sums)
        multiply_into(m, (Tile){.piece = c, .elements = of_c}, (Tile){.piece = d, .elements = of_d}, &a.patch, sums);
    else
        miss(m, MATRIX_A, &a, work->regions[2].slot);
}

static void add_sums(MatrixMemory *m, const MatrixWork *work)
{
    Piece piece = region_piece(&work->regions[1], m->node, 0);
    if (piece.count == 0)
        return;
    g_autoptr(GArray) list = filled_slots(m->node, &work->regions[0]);
    g_autofree guint64 *whole = gather(m, list, MATRIX_A, &piece.patch);
    Tile *to = need_tile(m, MATRIX_A, work->regions[1].slot, &piece);
    if (m->fault)
        return;
    for (guint e = 0; e < piece.count; e++)
        to->elements[e] += whole[e];
    drop(m->slots, list);
}

static void multiply_pieces(MatrixMemory *m, const Product *product)
{
    Piece of_a = piece_whole(product->a);
    Tile *c = need_tile(m, MATRIX_C, product->c_slot, &product->c);
    Tile *d = need_tile(m, MATRIX_D, product->d_slot, &product->d);
    Tile *a = need_tile(m, MATRIX_A, product->a_slot, &of_a);
    if (a && !a->is_sum)
        miss(m, MATRIX_A, &of_a, product->a_slot);
    if (!m->fault)
        multiply_into(m, (Tile){.piece = product->c, .elements = c->elements},
                      (Tile){.piece = product->d, .elements = d->elements}, &product->a, a);
}

static void multiply_all(MatrixMemory *m, const MatrixWork *work, guint k)
{
    Product product;
    for (guint i = 0; !m->fault && work->nth(work->user, m->node, k, i, &product); i++) {
        gboolean any = tile_n_products(&product.c, &product.d) > 0;
        if (any && work->first)
            sums_of(m, work, &product.a);
        if (any)
            multiply_pieces(m, &product);
        if (product.c_is_done)
            m->slots[product.c_slot] = BLOCK_NONE;
        if (product.d_is_done)
            m->slots[product.d_slot] = BLOCK_NONE;
    }
}

/* Returns the number of additions and multiplications in c x d. With work->first the first product of each sum takes no
 * addition: the product with the first row of D (by_rows), or column of C, that `node` has in regions[0]. */
static gint64 operations_of(const MatrixWork *work, guint node, const Piece *c, const Piece *d)
{
    gint64 n = 2 * tile_n_products(c, d);
    if (!work->first || n == 0)
        return n;
    Patch all = region_cover(&work->regions[0], node);
    return n - tile_n_products_of(c, d, work->by_rows ? all.rows.first : all.cols.first);
}

static const MatrixWork *nth_work(const GArray *works, guint i)
{
    return &g_array_index(works, MatrixWork, i);
}

static gboolean begins_sums(const MatrixWork *work)
{
    return work->kind == WORK_MULTIPLY && work->first;
}

/* Returns the region in which WORK_RECUT or WORK_MULTIPLY puts new tiles; NULL if it makes none. Always NULL for
 * WORK_PRODUCTS, even with `first`. */
static const Region *made_by(const MatrixWork *work)
{
    return work->kind == WORK_RECUT ? &work->regions[1] : begins_sums(work) ? &work->regions[2] : NULL;
}

#define NOTHING G_MAXUINT

/* Returns the index of the last work before work i that puts tiles into the region that work i cuts; NOTHING: no work
 * does. */
static guint find_maker(const GArray *works, guint i)
{
    guint slot = nth_work(works, i)->regions[0].slot;
    while (i-- > 0) {
        const Region *made = made_by(nth_work(works, i));
        if (made && made->slot == slot)
            return i;
    }
    return NOTHING;
}

/* Whether `node` forms products for the sums that work i begins (WORK_MULTIPLY) or cuts (WORK_RECUT). Otherwise it has
 * no sums until those of other nodes arrive. TRUE if no WORK_MULTIPLY begins what work i makes or cuts. */
static gboolean has_terms(const GArray *works, guint i, guint node)
{
    guint maker = nth_work(works, i)->kind == WORK_RECUT ? find_maker(works, i) : i;
    const MatrixWork *work = maker != NOTHING ? nth_work(works, maker) : NULL;
    if (!work || !begins_sums(work))
        return TRUE;
    Piece c = factor(work, node, MATRIX_C), d = factor(work, node, MATRIX_D);
    return tile_n_products(&c, &d) > 0;
}

/* --- the content --- */

typedef struct {
    Content head;
    MatmulShape shape;
    MatmulGrid grid;
    MatmulLayout layout;
    guint dimension;
    GPtrArray *references;  /* guint64 *, [multiplication]: the right A, by tile_reference(); NULL until it is needed */
    guint n_matrices;
    Home *homes;            /* [n_matrices]: homes of the matrices, by matrix_number() */
    guint n_slots;          /* number of slots of a processor */
    GArray *works;          /* MatrixWork; the Operation.what of a work is 1 + its index */
    GPtrArray *tiles;       /* Tile *: all tiles of the present walk through the schedule */
    GSList *kept;           /* Keep *: data to be freed with the content */
    char **fault;           /* pointer to the message on the first addition of tiles that do not fit, or to NULL */
    guint64 mask;           /* mask of the bits of an element that check_tile() compares: all, unless elements have
                             * arrived in fewer than 8 bytes */
} MatrixContent;

/* Data that the content owns, and the function that frees it. */
typedef struct {
    gpointer data;
    GDestroyNotify destroy;
} Keep;

static const MatrixContent *content_of(const Content *content)
{
    return (const MatrixContent *)content;
}

/* Whether all processors have equally much to do, and so go through their steps side by side. On a grid of three
 * dimensions, processor (k, l, m) has share (k, l) of shape.p, (m, k) and (m, l) of shape.q, and (l, m) of shape.r. */
static gboolean is_even(const MatrixContent *c)
{
    guint side = 1u << MAX(c->grid.n1, c->grid.n2), depth = c->grid.n3;
    if (depth > 0)
        return c->shape.p % (1u << (c->grid.n1 + c->grid.n2)) == 0 && c->shape.q % (side << depth) == 0 &&
               c->shape.r % (1u << (c->grid.n2 + depth)) == 0;
    return c->shape.p % side == 0 && c->shape.q % side == 0 && c->shape.r % side == 0;
}

static Piece piece_in_region(gconstpointer region, MatrixName matrix, guint node, guint i)
{
    return region_piece(region, node, i);
}

Home home_of_region(const Region *region)
{
    return (Home){region->slot, region_n_slots(region), piece_in_region, region};
}

static Piece piece_at_home(const MatrixContent *c, guint matrix, guint node, guint i)
{
    const Home *home = &c->homes[matrix];
    return home->piece(home->user, matrix % N_MATRICES, node, i);
}

/* --- at first --- */

static void fill_home(const MatrixContent *c, guint matrix, guint node, Block *slots)
{
    const Home *home = &c->homes[matrix];
    for (guint i = 0; i < home->n_slots; i++) {
        Piece piece = piece_at_home(c, matrix, node, i);
        if (piece.count == 0)
            continue;
        Tile *tile = tile_new(c->tiles, matrix, &piece, matrix % N_MATRICES == MATRIX_A);
        tile_generate(tile);
        slots[home->slot + i] = tile_block(tile);
    }
}

static void fill(const Content *self, guint node, Block *slots)
{
    const MatrixContent *c = content_of(self);
    for (guint i = 0; i < c->n_slots; i++)
        slots[i] = BLOCK_NONE;
    for (guint matrix = 0; matrix < c->n_matrices; matrix++)
        fill_home(c, matrix, node, slots);
}

/* --- sizes --- */

static gint64 bytes_of_blocks(const Content *self, const Block *blocks, guint count)
{
    gint64 elements = 0;
    for (guint i = 0; i < count; i++)
        if (blocks[i] != BLOCK_NONE)
            elements += tile_of(blocks[i])->piece.count;
    return elements * self->element_bytes;
}

/* --- sums --- */

static void keep_fault(const MatrixContent *c, char *fault)
{
    if (*c->fault)
        g_free(fault);
    else
        *c->fault = fault;
}

/* Adds the elements of the tile `arriving` to those of `held`, frees the elements of `arriving`, and returns `held`.
 * If the tiles do not fit, only sets the content's fault, unless there is a fault already. */
static Block add(const Content *self, Block held, Block arriving)
{
    const MatrixContent *c = content_of(self);
    Tile *sum = tile_of(held), *term = tile_of(arriving);
    if (!sum->elements || !term->elements || !sum->is_sum || sum->piece.count != term->piece.count) {
        g_autofree char *one = tile_describe(term), *other = tile_describe(sum);
        keep_fault(c, g_strdup_printf("%s can't be added to %s", one, other));
        return held;
    }
    for (guint e = 0; e < sum->piece.count; e++)
        sum->elements[e] += term->elements[e];
    tile_spend(term);
    return held;
}

/* --- pieces on their way --- */

static void pack(const Content *self, Block block, guint8 *bytes)
{
    const Tile *tile = tile_of(block);
    for (guint e = 0; e < tile->piece.count; e++)
        content_pack_element(tile->elements[e], bytes + e * self->element_bytes, self->element_bytes);
}

/* Returns a new tile with the matrix and piece of the sketch `like` and the elements in `bytes`. Elements of fewer than
 * 8 bytes have lost their high bits: takes these out of `mask`. The low bits of sums and products stay right. */
static Block unpack(Content *self, Block like, const guint8 *bytes)
{
    MatrixContent *c = (MatrixContent *)self;
    const Tile *sketch = tile_of(like);
    Tile *tile = tile_new(c->tiles, sketch->matrix, &sketch->piece, sketch->is_sum);
    for (guint e = 0; e < tile->piece.count; e++)
        tile->elements[e] = content_unpack_element(bytes + e * self->element_bytes, self->element_bytes);
    if (self->element_bytes < 8)
        c->mask = ((guint64)1 << 8 * self->element_bytes) - 1;
    return tile_block(tile);
}

static Block sketch(Content *self, Block block)
{
    Tile *kept = g_memdup2(tile_of(block), sizeof(Tile));
    kept->elements = NULL;
    matrix_content_keep(self, kept, g_free);
    return tile_block(kept);
}

/* --- operations --- */

static const MatrixWork *work_of(const Content *content, const Operation *operation)
{
    return nth_work(content_of(content)->works, operation->what - 1);
}

static char *operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    const MatrixWork *work = work_of(self, operation);
    MatrixMemory m = {content_of(self)->tiles, node, slots, NULL};
    if (work->kind == WORK_PRODUCTS)
        multiply_all(&m, work, operation->count);
    else
        (work->kind == WORK_RECUT ? recut : work->kind == WORK_MULTIPLY ? multiply : add_sums)(&m, work);
    return m.fault;
}

static gint64 operations(const Content *self, guint node, const Operation *operation)
{
    const MatrixWork *work = work_of(self, operation);
    Product product;
    gint64 n = 0;
    if (work->kind == WORK_MULTIPLY) {
        Piece c = factor(work, node, MATRIX_C), d = factor(work, node, MATRIX_D);
        n = operations_of(work, node, &c, &d);
    }
    if (work->kind == WORK_ADD)
        n = region_piece(&work->regions[1], node, 0).count;
    for (guint i = 0; work->nth && work->nth(work->user, node, operation->count, i, &product); i++)
        n += operations_of(work, node, &product.c, &product.d);
    return n;
}

Operation matrix_work(Content *content, const MatrixWork *work)
{
    GArray *works = content_of(content)->works;
    g_array_append_val(works, *work);
    return (Operation){.what = works->len};
}

/* --- the proof --- */

static const guint64 *find_reference(const MatrixContent *c, guint m)
{
    gpointer *reference = &c->references->pdata[m];
    if (!*reference)
        *reference = tile_reference(c->shape, m);
    return *reference;
}

static char *check_tile(const MatrixContent *c, guint node, guint slot, const Tile *tile, const Piece *piece)
{
    guint64 width = c->shape.r;
    const guint64 *reference = find_reference(c, tile->matrix / N_MATRICES);
    for (guint e = 0, n = piece->patch.cols.count; e < piece->count; e++) {
        guint i = indices_nth(piece->patch.rows, (piece->first + e) / n);
        guint k = indices_nth(piece->patch.cols, (piece->first + e) % n);
        if ((tile->elements[e] ^ reference[i * width + k]) & c->mask)
            return g_strdup_printf("slot %u of processor %u holds %" G_GUINT64_FORMAT " for element (%u, %u) of A; "
                                   "the product has %" G_GUINT64_FORMAT, slot, node, tile->elements[e], i, k,
                                   reference[i * width + k]);
    }
    return NULL;
}

static char *check_home(const MatrixContent *c, guint matrix, guint node, const Block *slots)
{
    const Home *home = &c->homes[matrix];
    char *fault = NULL;
    for (guint i = 0; i < home->n_slots && !fault; i++) {
        Piece piece = piece_at_home(c, matrix, node, i);
        if (piece.count == 0)
            continue;
        guint slot = home->slot + i;
        const Tile *tile = find_tile(slots, slot, &piece);
        fault = tile && tile->matrix == matrix ? check_tile(c, node, slot, tile, &piece)
                     : g_strdup_printf("slot %u of processor %u does not hold its part of A", slot, node);
    }
    return fault;
}

static char *check(const Content *self, guint node, const Block *slots)
{
    const MatrixContent *c = content_of(self);
    char *fault = g_strdup(*c->fault);
    for (guint m = 0; m < c->references->len && !fault; m++)
        fault = check_home(c, matrix_number(m, MATRIX_A), node, slots);
    return fault;
}

/* --- for people --- */

static char *describe(const Content *self, Block block)
{
    return block == BLOCK_NONE ? g_strdup("nothing") : tile_describe(tile_of(block));
}

/* Appends a line on the homes of `node`: "  0 has rows 0 to 1, columns 0 to 3 of C in slot 0; ..." */
static void put_homes(GString *out, const MatrixContent *c, guint node)
{
    const char *before = "has";
    g_string_append_printf(out, "\n  %u ", node);
    for (guint matrix = 0; matrix < c->n_matrices; matrix++)
        for (guint i = 0; i < c->homes[matrix].n_slots; i++) {
            const Tile tile = {.matrix = matrix, .piece = piece_at_home(c, matrix, node, i)};
            if (tile.piece.count == 0)
                continue;
            g_autofree char *what = tile_describe(&tile);
            g_string_append_printf(out, "%s %s in slot %u", before, what, c->homes[matrix].slot + i);
            before = ";";
        }
    g_string_append(out, *before == ';' ? "" : "has nothing");
}

static char *legend(const Content *self)
{
    const MatrixContent *c = content_of(self);
    GString *out = g_string_new("at first, with E in the place of A,");
    for (guint node = 0; node < 1u << c->dimension; node++)
        put_homes(out, c, node);
    g_string_append(out, "\nat last, A = C x D + E is in its place");
    return g_string_free(out, FALSE);
}

/* Appends the numbers of slots: " slots 3-5, 7". With `sizes` appends the elements of each slot as well, and joins only
 * slots of one size: " slots 3-5 of 8, 7 of 4 elements". */
static void put_slots(GString *out, const GArray *filled, gboolean sizes)
{
    guint n, size = 0;
    g_string_append(out, filled->len > 1 ? " slots" : " slot");
    for (guint i = 0; i < filled->len; i += n) {
        const Filled *first = &g_array_index(filled, Filled, i);
        size = first->piece.count;
        for (n = 1; i + n < filled->len && first[n].slot == first->slot + n &&
                    (!sizes || first[n].piece.count == size);)
            n++;
        g_string_append_printf(out, n > 1 ? "%s %u-%u" : "%s %u", i ? "," : "", first->slot, first->slot + n - 1);
        if (sizes)
            g_string_append_printf(out, " of %u", size);
    }
    if (sizes)
        g_string_append_printf(out, " element%s", size == 1 ? "" : "s");
}

static void put_region(GString *out, const char *before, const Region *region, guint node, gboolean sizes)
{
    g_autoptr(GArray) filled = filled_slots(node, region);
    g_string_append(out, before);
    put_slots(out, filled, sizes);
}

static void put_product(GString *out, const Product *product)
{
    if (tile_n_products(&product->c, &product->d) > 0)
        g_string_append_printf(out, "%smultiplies slot %u by slot %u, added to slot %u", out->len ? "; " : "",
                               product->c_slot, product->d_slot, product->a_slot);
    if (product->c_is_done && product->c.count > 0)
        g_string_append_printf(out, "%sempties slot %u", out->len ? "; " : "", product->c_slot);
    if (product->d_is_done && product->d.count > 0)
        g_string_append_printf(out, "%sempties slot %u", out->len ? "; " : "", product->d_slot);
}

static void put_work(GString *out, const MatrixWork *work, guint node)
{
    static const char *const begin[] = {[WORK_RECUT] = "cuts", [WORK_MULTIPLY] = "multiplies", [WORK_ADD] = "adds"};
    const Region *last = &work->regions[work->kind == WORK_MULTIPLY ? 2 : 1];
    gboolean makes = made_by(work) != NULL;
    put_region(out, begin[work->kind], &work->regions[0], node, FALSE);
    if (work->kind == WORK_MULTIPLY)
        put_region(out, " by", &work->regions[1], node, FALSE);
    put_region(out, work->kind == WORK_ADD ? " to" : makes ? ", into" : ", added to", last, node, makes);
}

static char *work_text(const Content *self, guint node, const Operation *operation)
{
    const MatrixWork *work = work_of(self, operation);
    GString *out = g_string_new(NULL);
    Patch patch = region_cover(&work->regions[work->kind == WORK_MULTIPLY ? 2 : 0], node);
    gboolean any = patch_count(&patch) > 0 && has_terms(content_of(self)->works, operation->what - 1, node);
    Product product;
    for (guint i = 0; work->nth && work->nth(work->user, node, operation->count, i, &product); i++)
        put_product(out, &product);
    if (work->kind != WORK_PRODUCTS && any)
        put_work(out, work, node);
    return g_string_free(out, FALSE);
}

/* --- pictures --- */

/* Returns the number of rows (or columns) of the matrix that the picture shows before the first of `indices`. The
 * matrix has `extent` of them. In a cyclic layout it shows the rows of one share after those of another. */
static guint shown_before(guint extent, Indices indices)
{
    guint before = indices.stride == 1 ? indices.first : 0;
    for (guint share = 0; indices.stride > 1 && share < indices.first; share++)
        before += indices_share(extent, indices.stride, share, MATMUL_CYCLIC).count;
    return before;
}

/* Returns the rectangle of the picture that stands for a piece: a part of one row, or all rows that have elements of
 * the piece. */
static MosaicPiece shown_piece(const MatrixContent *c, MatrixName matrix, const Piece *piece)
{
    const Patch *patch = &piece->patch;
    guint width = MAX(1, patch->cols.count), row = piece->first / width, end = piece->first + piece->count;
    MosaicPiece out = {matrix, shown_before(matrix_height(c->shape, matrix), patch->rows) + row,
                       shown_before(matrix_width(c->shape, matrix), patch->cols), (end + width - 1) / width - row,
                       patch->cols.count};
    if (out.height == 1) {
        out.left += piece->first % width;
        out.width = piece->count;
    }
    return out;
}

static MosaicPiece piece_of(const Content *self, Block block)
{
    const Tile *tile = tile_of(block);
    return shown_piece(content_of(self), tile->matrix % N_MATRICES, &tile->piece);
}

/* Places processors in the picture by their first blocks of A. FALSE if two get the same place, as happens to
 * processors without elements of A. */
static gboolean place_processors(const MatrixContent *c, Mosaic *out)
{
    guint n = 1u << c->dimension, seen[1 << MOSAIC_DIMENSION_MAX] = {0};
    for (guint node = 0; node < n; node++) {
        guint row = 0, column = 0;
        Piece own = piece_at_home(c, MATRIX_A, node, 0);
        MosaicPiece at = shown_piece(c, MATRIX_A, &own);
        for (guint i = 0; i < n; i++) {
            Piece other = piece_at_home(c, MATRIX_A, i, 0);
            MosaicPiece there = shown_piece(c, MATRIX_A, &other);
            row += there.left == at.left && there.top < at.top;
            column += there.top == at.top && there.left < at.left;
        }
        out->places[node] = row * out->columns + column;
        if (row >= out->rows || column >= out->columns || seen[out->places[node]]++)
            return FALSE;
    }
    return TRUE;
}

static const char legend_of_picture[] =
    "Processors on their grid, with what each holds now of C, D and A, which is E at first; C 2,1 is in block row 2, "
    "column 1. A column of C and the row of D that it is multiplied by have one colour. Labels above: messages. Bars: "
    "arithmetic done.";

/* Fills in the grid and the matrices of the picture; FALSE if the run has no picture. With a cyclic layout only square
 * grids have one: on other grids the shares of processor rows do not lie in the order of the rows. */
static gboolean mosaic(const Content *self, Mosaic *out)
{
    const MatrixContent *c = content_of(self);
    guint n2 = c->grid.n2 + c->grid.n3;
    gboolean cyclic = c->layout == MATMUL_CYCLIC, square = c->grid.n1 == n2, cuts_alike = square && !cyclic;
    if (c->dimension > MOSAIC_DIMENSION_MAX || c->n_matrices > N_MATRICES || (cyclic && !square))
        return FALSE;
    *out = (Mosaic){.rows = 1u << c->grid.n1, .columns = 1u << n2,
                    .side = is_even(c) || cuts_alike ? 1u << MAX(c->grid.n1, n2) : 0, .names = {"C", "D", "A"},
                    .legend = legend_of_picture,
                    .summed = {MOSAIC_COLUMNS, MOSAIC_ROWS, MOSAIC_NONE}};
    for (MatrixName matrix = 0; matrix < N_MATRICES; matrix++) {
        out->heights[matrix] = matrix_height(c->shape, matrix);
        out->widths[matrix] = matrix_width(c->shape, matrix);
    }
    return place_processors(c, out);
}

/* --- life --- */

static void forget(Content *self)
{
    const MatrixContent *c = content_of(self);
    g_ptr_array_set_size(c->tiles, 0);
    g_clear_pointer(c->fault, g_free);
}

/* Bytes that a tile takes beside its elements: its head, two headers of the heap, and an entry in a list. */
#define BYTES_TILE (sizeof(Tile) + 40)

/* Returns the most bytes that the content stores: the matrices, the tiles that local work makes, and the right A of
 * each multiplication, with C and D once more while one A is computed. */
static gsize storage(const Content *self)
{
    const MatrixContent *c = content_of(self);
    guint64 p = c->shape.p, q = c->shape.q, r = c->shape.r, n = c->n_matrices / N_MATRICES, n_slots = 0;
    guint64 elements = n * (p * q + q * r + p * r);
    gboolean products_begin = FALSE;
    for (guint matrix = 0; matrix < c->n_matrices; matrix++)
        n_slots += (guint64)c->homes[matrix].n_slots << c->dimension;
    for (guint i = 0; i < c->works->len; i++) {
        const MatrixWork *work = nth_work(c->works, i);
        const Region *made = made_by(work);
        products_begin |= work->kind == WORK_PRODUCTS && work->first;
        for (guint node = 0; made && node < 1u << c->dimension; node++) {
            Patch patch = region_cover(made, node);
            guint64 n_made = has_terms(c->works, i, node) ? patch_count(&patch) : 0;
            elements += n_made;
            n_slots += n_made ? region_n_slots(made) : 0;
        }
    }
    elements += products_begin ? n * p * r : 0;
    return (elements + n * p * r + p * q + q * r) * sizeof(guint64) + MIN(elements, n_slots) * BYTES_TILE;
}

void matrix_content_keep(Content *content, gpointer data, GDestroyNotify destroy)
{
    MatrixContent *c = (MatrixContent *)content;
    c->kept = g_slist_prepend(c->kept, g_memdup2(&(Keep){data, destroy}, sizeof(Keep)));
}

static void free_kept(gpointer kept)
{
    ((const Keep *)kept)->destroy(((const Keep *)kept)->data);
    g_free(kept);
}

static void free_content(Content *self)
{
    MatrixContent *c = (MatrixContent *)self;
    g_slist_free_full(c->kept, free_kept);
    forget(self);
    g_ptr_array_unref(c->references);
    g_ptr_array_unref(c->tiles);
    g_free(c->fault);
    g_free(c->homes);
    g_array_unref(c->works);
    g_free(c);
}

Content *matrix_content_new(const Multiplication *problem)
{
    static const ContentClass class = {.fill = fill, .bytes_of_blocks = bytes_of_blocks, .add = add,
                                       .operate = operate, .operations = operations, .forget = forget,
                                       .storage = storage, .work_text = work_text, .pack = pack, .unpack = unpack,
                                       .sketch = sketch, .describe = describe, .legend = legend, .mosaic = mosaic,
                                       .piece = piece_of, .check = check, .free = free_content};
    MatrixContent *c = g_new0(MatrixContent, 1);
    c->head = (Content){&class, BYTES_DIFFER, problem->element};
    c->mask = G_MAXUINT64;
    c->shape = problem->shape;
    c->grid = problem->grid;
    c->layout = problem->layout;
    c->dimension = problem->grid.n1 + problem->grid.n2 + problem->grid.n3;
    c->references = g_ptr_array_new_with_free_func(g_free);
    c->works = g_array_new(FALSE, FALSE, sizeof(MatrixWork));
    c->tiles = tiles_new();
    c->fault = g_new0(char *, 1);
    return &c->head;
}

Schedule *matrix_content_give(Content *content, const GArray *homes, gboolean n_port, Schedule *schedule)
{
    MatrixContent *c = (MatrixContent *)content;
    c->n_matrices = homes->len;
    g_ptr_array_set_size(c->references, (gint)(homes->len / N_MATRICES));
    c->homes = g_memdup2(homes->data, homes->len * sizeof(Home));
    for (guint i = 0; i < homes->len; i++)
        schedule->n_slots = MAX(schedule->n_slots, c->homes[i].slot + c->homes[i].n_slots);
    c->n_slots = schedule->n_slots;
    schedule->flags |= is_even(c) ? 0 : SCHEDULE_CONTENDS;
    schedule->flags &= n_port ? ~(guint)SCHEDULE_CONTENDS : ~0u;    /* with n ports no message waits, as each has a port
                                                                     * of its own */
    schedule_set_content(schedule, content);
    return schedule;
}
