#include "matrix_content.h"
#include "arithmetic.h"
#include "tile.h"

typedef enum { WORK_RECUT, WORK_MULTIPLY, WORK_ADD, WORK_PRODUCTS } WorkKind;

/* Local work, in terms of regions. */
typedef struct {
    WorkKind kind;
    guint matrix;           /* of the sums that a product begins */
    gboolean first;         /* the product begins sums */
    Region regions[3];
    ProductNth *nth;
    gconstpointer user;
} Work;

typedef struct {
    Content head;
    MatmulShape shape;
    guint dimension;
    Arithmetic *arithmetic;
    guint n_matrices;
    Home *homes;            /* [n_matrices] */
    guint n_slots;          /* of a memory */
    GArray *works;          /* Work; operation.what is 1 + a number of it */
    TileStore *store;
    GSList *kept;           /* Keep * */
    char **fault;           /* the first sum that could not be formed, or NULL */
} MatrixContent;

/* What is freed with the content. */
typedef struct {
    gpointer data;
    GDestroyNotify destroy;
} Keep;

static const MatrixContent *content_of(const Content *content)
{
    return (const MatrixContent *)content;
}

Home home_of_region(const Region *region)
{
    return (Home){region->slot, region_n_slots(region), (Piece (*)(gconstpointer, guint, guint))region_piece, region};
}

/* --- at first --- */

static void fill_home(const MatrixContent *c, guint matrix, guint node, Block *slots)
{
    const Home *home = &c->homes[matrix];
    for (guint i = 0; i < home->n_slots; i++) {
        Piece piece = home->piece(home->user, node, i);
        if (piece.count == 0)
            continue;
        Tile *tile = tile_new(c->store, matrix, &piece, matrix % N_MATRICES == MATRIX_A);
        arithmetic_generate(c->arithmetic, matrix, &piece, tile->elements);
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

/* What arrives is spent. */
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

/* --- local work --- */

static char *missing(const char *what, guint slot)
{
    return g_strdup_printf("finds no %s in slot %u", what, slot);
}

/* The tile in a slot, which must be that of a piece; NULL: it is not. */
static Tile *find_tile(const Block *slots, guint slot, const Piece *piece)
{
    Tile *tile = slots[slot] == BLOCK_NONE ? NULL : tile_of(slots[slot]);
    return tile && tile->elements && tile->piece.count == piece->count ? tile : NULL;
}

/* The slots of a region that hold what belongs there. */
typedef struct {
    guint slot;
    Piece piece;
} Filled;

/* Filled, of everything that a processor is to have in a region. */
static GArray *filled_slots(guint node, const Region *region)
{
    g_autoptr(GArray) numbers = region_numbers(region, node);
    GArray *slots = g_array_new(FALSE, FALSE, sizeof(Filled));
    for (guint i = 0; i < numbers->len; i++)
        for (guint part = 0; part < region->n_parts; part++) {
            guint n = g_array_index(numbers, guint, i) * region->n_parts + part;
            Filled filled = {region->slot + n, region_piece(region, node, n)};
            if (filled.piece.count > 0)
                g_array_append_val(slots, filled);
        }
    return slots;
}

#define EACH(filled, list)                                                                                             \
    (const Filled *filled = (const Filled *)(gpointer)(list)->data;                                                   \
     filled < (const Filled *)(gpointer)(list)->data + (list)->len; filled++)

/* What they hold, as a patch. Caller frees. */
static guint64 *gather(const Block *slots, const GArray *list, const Patch *patch, char **fault)
{
    guint64 *whole = g_new0(guint64, patch_count(patch));
    for EACH(filled, list) {
        const Tile *tile = find_tile(slots, filled->slot, &filled->piece);
        if (tile)
            tile_put(&filled->piece, tile->elements, patch, whole);
        else if (!*fault)
            *fault = missing("operand", filled->slot);
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
static void cut(const MatrixContent *c, Block *slots, const GArray *list, const Tile *like, const Patch *patch,
                const guint64 *whole)
{
    for EACH(filled, list) {
        Tile *tile = tile_new(c->store, like->matrix, &filled->piece, like->is_sum);
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

static char *recut(const MatrixContent *c, guint node, Block *slots, const Work *work)
{
    g_autoptr(GArray) from = filled_slots(node, &work->regions[0]), to = filled_slots(node, &work->regions[1]);
    const Tile *like = any_tile(slots, from);
    Patch patch = region_cover(&work->regions[0], node);
    char *fault = NULL;
    if (!like)
        return NULL;
    g_autofree guint64 *whole = gather(slots, from, &patch, &fault);
    drop(slots, from);
    if (!fault)
        cut(c, slots, to, like, &patch, whole);
    return fault;
}

/* All that a processor has in a region, as a patch. Caller frees. */
static guint64 *gather_region(guint node, const Block *slots, const Region *region, const Patch *patch, char **fault)
{
    g_autoptr(GArray) list = filled_slots(node, region);
    return gather(slots, list, patch, fault);
}

static char *unfit(void)
{
    return g_strdup("multiplies operands that do not fit");
}

/* The sums of a product, which begin with 0 or lie there already. */
static Tile *sums_of(const MatrixContent *c, guint node, Block *slots, const Work *work, const Patch *patch)
{
    const Region *region = &work->regions[2];
    Piece piece = region_piece(region, node, 0);
    if (!work->first || slots[region->slot] != BLOCK_NONE)
        return find_tile(slots, region->slot, &piece);
    if (piece.count != patch_count(patch))
        return NULL;
    Tile *tile = tile_new(c->store, work->matrix, &piece, TRUE);
    for (guint e = 0; e < piece.count; e++)
        tile->elements[e] = 0;
    slots[region->slot] = tile_block(tile);
    return tile;
}

/* Whole patches, of what a processor has in the first two regions. */
static void factors_of(const Work *work, guint node, Piece *c, Piece *d)
{
    *c = piece_whole(region_cover(&work->regions[0], node));
    *d = piece_whole(region_cover(&work->regions[1], node));
}

static char *multiply(const MatrixContent *c, guint node, Block *slots, const Work *work)
{
    Piece of_c, of_d;
    factors_of(work, node, &of_c, &of_d);
    Patch patch = {of_c.patch.rows, of_d.patch.cols};
    char *fault = NULL;
    if (arithmetic_n_products(&of_c, &of_d) == 0)
        return NULL;
    g_autofree guint64 *all_c = gather_region(node, slots, &work->regions[0], &of_c.patch, &fault);
    g_autofree guint64 *all_d = gather_region(node, slots, &work->regions[1], &of_d.patch, &fault);
    Tile *sums = fault ? NULL : sums_of(c, node, slots, work, &patch);
    if (fault || !sums)
        return fault ? fault : missing("sums", work->regions[2].slot);
    gboolean fits = arithmetic_multiply((Factor){&of_c, all_c}, (Factor){&of_d, all_d}, &patch, sums->elements);
    return fits ? NULL : unfit();
}

static char *add_sums(guint node, Block *slots, const Work *work)
{
    const Region *sums = &work->regions[0], *a = &work->regions[1];
    Piece piece = region_piece(a, node, 0);
    char *fault = NULL;
    if (piece.count == 0)
        return NULL;
    g_autoptr(GArray) list = filled_slots(node, sums);
    g_autofree guint64 *whole = gather(slots, list, &piece.patch, &fault);
    Tile *to = find_tile(slots, a->slot, &piece);
    if (fault || !to)
        return fault ? fault : missing("matrix E", a->slot);
    for (guint e = 0; e < piece.count; e++)
        to->elements[e] += whole[e];
    drop(slots, list);
    return NULL;
}

static char *multiply_pieces(guint node, const Block *slots, const Product *product)
{
    Piece of_a = piece_whole(product->a);
    const Tile *c = find_tile(slots, product->c_slot, &product->c);
    const Tile *d = find_tile(slots, product->d_slot, &product->d);
    Tile *a = find_tile(slots, product->a_slot, &of_a);
    if (!c || !d || !a || !a->is_sum)
        return missing("operand", !c ? product->c_slot : !d ? product->d_slot : product->a_slot);
    gboolean fits = arithmetic_multiply((Factor){&product->c, c->elements}, (Factor){&product->d, d->elements},
                                        &product->a, a->elements);
    return fits ? NULL : unfit();
}

static char *multiply_all(guint node, Block *slots, const Work *work, guint k)
{
    Product product;
    char *fault = NULL;
    for (guint i = 0; !fault && work->nth(work->user, node, k, i, &product); i++) {
        if (arithmetic_n_products(&product.c, &product.d) > 0)
            fault = multiply_pieces(node, slots, &product);
        if (product.c_is_done)
            slots[product.c_slot] = BLOCK_NONE;
        if (product.d_is_done)
            slots[product.d_slot] = BLOCK_NONE;
    }
    return fault;
}

static const Work *work_of(const MatrixContent *c, const Operation *operation)
{
    return &g_array_index(c->works, Work, operation->what - 1);
}

static char *operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    const MatrixContent *c = content_of(self);
    const Work *work = work_of(c, operation);
    switch (work->kind) {
    case WORK_RECUT:
        return recut(c, node, slots, work);
    case WORK_MULTIPLY:
        return multiply(c, node, slots, work);
    case WORK_ADD:
        return add_sums(node, slots, work);
    case WORK_PRODUCTS:
        return multiply_all(node, slots, work, operation->count);
    }
    g_assert_not_reached();
}

/* Of products that begin sums, the first term of each takes no addition. */
static gint64 operations(const Content *self, guint node, const Operation *operation)
{
    const Work *work = work_of(content_of(self), operation);
    Piece c, d;
    Product product;
    gint64 n = 0;
    switch (work->kind) {
    case WORK_RECUT:
        return 0;
    case WORK_MULTIPLY:
        factors_of(work, node, &c, &d);
        n = arithmetic_n_products(&c, &d);
        return 2 * n - (work->first && n > 0 ? (gint64)c.patch.rows.count * d.patch.cols.count : 0);
    case WORK_ADD:
        return region_piece(&work->regions[1], node, 0).count;
    case WORK_PRODUCTS:
        for (guint i = 0; work->nth(work->user, node, operation->count, i, &product); i++)
            n += arithmetic_n_products(&product.c, &product.d);
        return 2 * n;
    }
    g_assert_not_reached();
}

static Operation add_work(Content *content, const Work *work)
{
    GArray *works = content_of(content)->works;
    g_array_append_val(works, *work);
    return (Operation){.what = works->len};
}

Operation matrix_recut(Content *content, const Region *from, const Region *to)
{
    return add_work(content, &(Work){.kind = WORK_RECUT, .regions = {*from, *to}});
}

Operation matrix_multiply(Content *content, guint m, const Region *c, const Region *d, const Region *a, gboolean first)
{
    return add_work(content, &(Work){.kind = WORK_MULTIPLY, .matrix = matrix_number(m, MATRIX_A), .first = first,
                                     .regions = {*c, *d, *a}});
}

Operation matrix_add(Content *content, const Region *sums, const Region *a)
{
    return add_work(content, &(Work){.kind = WORK_ADD, .regions = {*sums, *a}});
}

Operation matrix_products(Content *content, ProductNth *nth, gconstpointer user)
{
    return add_work(content, &(Work){.kind = WORK_PRODUCTS, .nth = nth, .user = user});
}

/* --- the proof --- */

static char *check_tile(const MatrixContent *c, guint node, guint slot, const Tile *tile, const Piece *piece)
{
    guint64 width = c->shape.r;
    const guint64 *reference = arithmetic_reference(c->arithmetic, tile->matrix / N_MATRICES);
    for (guint e = 0, n = piece->patch.cols.count; e < piece->count; e++) {
        guint i = indices_nth(piece->patch.rows, (piece->first + e) / n);
        guint k = indices_nth(piece->patch.cols, (piece->first + e) % n);
        if (tile->elements[e] != reference[i * width + k])
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
        Piece piece = home->piece(home->user, node, i);
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
    for (guint matrix = MATRIX_A; matrix < c->n_matrices && !fault; matrix += N_MATRICES)
        fault = check_home(c, matrix, node, slots);
    return fault;
}

/* --- for people --- */

static char *describe(const Content *self, Block block)
{
    return block == BLOCK_NONE ? g_strdup("nothing") : tile_describe(tile_of(block));
}

static char *legend(const Content *self)
{
    return g_strdup("at first, processors hold their parts of C, D and E\n"
                    "at last, processors hold their parts of A = C x D + E");
}

/* --- life --- */

static void forget(Content *self)
{
    const MatrixContent *c = content_of(self);
    tile_store_clear(c->store);
    g_clear_pointer(c->fault, g_free);
}

/* Bytes of a tile, beside its elements: its head, two places in the heap, and in a list. */
#define BYTES_TILE (sizeof(Tile) + 40)

/* Of pieces with so many elements together. */
static gsize bytes_of(guint64 elements, guint64 n_slots)
{
    return elements * sizeof(guint64) + MIN(elements, n_slots) * BYTES_TILE;
}

/* What local work makes on all processors together, at most. */
static gsize bytes_of_work(const MatrixContent *c, const Work *work)
{
    guint64 elements = 0, n_slots = 0;
    const Region *made = work->kind == WORK_RECUT ? &work->regions[1] : &work->regions[2];
    if (work->kind != WORK_RECUT && !work->first)
        return 0;
    for (guint node = 0; node < 1u << c->dimension; node++) {
        Patch patch = region_cover(made, node);
        elements += patch_count(&patch);
        n_slots += region_n_slots(made);
    }
    return bytes_of(elements, n_slots);
}

static gsize storage(const Content *self)
{
    const MatrixContent *c = content_of(self);
    guint64 p = c->shape.p, q = c->shape.q, r = c->shape.r, of_all = p * q + q * r + p * r;
    gsize bytes = 2 * of_all * sizeof(guint64) * c->n_matrices / N_MATRICES;
    for (guint matrix = 0; matrix < c->n_matrices; matrix++)
        bytes += MIN(of_all, (guint64)c->homes[matrix].n_slots << c->dimension) * BYTES_TILE;
    for (guint i = 0; i < c->works->len; i++)
        bytes += bytes_of_work(c, &g_array_index(c->works, Work, i));
    return bytes;
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
    arithmetic_free(c->arithmetic);
    tile_store_free(c->store);
    g_free(c->store);
    g_free(c->fault);
    g_free(c->homes);
    g_array_unref(c->works);
    g_free(c);
}

Content *matrix_content_new(const Multiplication *problem)
{
    static const ContentClass class = {.fill = fill, .bytes_of_blocks = bytes_of_blocks, .add = add,
                                       .operate = operate, .operations = operations, .forget = forget,
                                       .storage = storage, .describe = describe, .legend = legend, .check = check,
                                       .free = free_content};
    MatrixContent *c = g_new0(MatrixContent, 1);
    c->head = (Content){&class, BYTES_DIFFER, problem->element};
    c->shape = problem->shape;
    c->dimension = problem->grid.n1 + problem->grid.n2;
    c->arithmetic = arithmetic_new(problem->shape);
    c->works = g_array_new(FALSE, FALSE, sizeof(Work));
    c->store = g_new(TileStore, 1);
    *c->store = tile_store_new();
    c->fault = g_new0(char *, 1);
    return &c->head;
}

Schedule *matrix_content_give(Content *content, const GArray *homes, Schedule *schedule)
{
    MatrixContent *c = (MatrixContent *)content;
    c->n_matrices = homes->len;
    c->homes = g_memdup2(homes->data, homes->len * sizeof(Home));
    for (guint i = 0; i < homes->len; i++)
        schedule->n_slots = MAX(schedule->n_slots, c->homes[i].slot + c->homes[i].n_slots);
    c->n_slots = schedule->n_slots;
    schedule_set_content(schedule, content);
    return schedule;
}
