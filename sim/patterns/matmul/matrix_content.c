#include "matrix_content.h"
#include "forecast.h"

typedef struct {
    Content head;
    MatmulShape shape;
    MatmulGrid grid;
    guint dimension;
    GPtrArray *references;  /* guint64 *: the products, by the numbers of multiplications; NULL until one is needed */
    guint n_matrices;
    Home *homes;            /* [n_matrices] */
    guint n_slots;          /* of a memory */
    GArray *works;          /* Work; operation.what is 1 + a number of it */
    GPtrArray *tiles;       /* Tile * */
    GSList *kept;           /* Keep * */
    char **fault;           /* the first sum that could not be formed, or NULL */
    guint64 mask;           /* of an element's bits, those that are right: all, until some have come as fewer bytes */
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

/* --- pieces on their way --- */

static void pack(const Content *self, Block block, guint8 *bytes)
{
    const Tile *tile = tile_of(block);
    for (guint e = 0; e < tile->piece.count; e++)
        content_pack_element(tile->elements[e], bytes + e * self->element_bytes, self->element_bytes);
}

/* Sums and products modulo 2^64 are right modulo any smaller power of 2 if their terms are. */
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

/* --- local work --- */

static const Work *work_of(const MatrixContent *c, const Operation *operation)
{
    return &g_array_index(c->works, Work, operation->what - 1);
}

static char *operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    const MatrixContent *c = content_of(self);
    return work_do(work_of(c, operation), node, operation->count, slots, c->tiles);
}

static gint64 operations(const Content *self, guint node, const Operation *operation)
{
    return work_operations(work_of(content_of(self), operation), node, operation->count);
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

Operation matrix_products_begin(Content *content, ProductNth *nth, gconstpointer user, guint m, const Region *still,
                                gboolean still_is_d, const Region *sums)
{
    return add_work(content, &(Work){.kind = WORK_PRODUCTS, .nth = nth, .user = user, .first = TRUE,
                                     .matrix = matrix_number(m, MATRIX_A), .by_rows = still_is_d,
                                     .regions = {*still, *still, *sums}});
}

Operation matrix_products(Content *content, ProductNth *nth, gconstpointer user)
{
    return add_work(content, &(Work){.kind = WORK_PRODUCTS, .nth = nth, .user = user});
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
        const Tile *tile = work_find_tile(slots, slot, &piece);
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

/* "  0 has rows 0 to 1, columns 0 to 3 of C in slot 0; ..." */
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

static char *tell(const Content *self, guint node, const Operation *operation)
{
    GString *out = g_string_new(NULL);
    forecast_tell(content_of(self)->works, operation->what - 1, node, operation->count, out);
    return g_string_free(out, FALSE);
}

/* --- life --- */

static void forget(Content *self)
{
    const MatrixContent *c = content_of(self);
    g_ptr_array_set_size(c->tiles, 0);
    g_clear_pointer(c->fault, g_free);
}

/* The matrices, what is made of them, and the products to compare with, for which C and D are needed once more. */
static gsize storage(const Content *self)
{
    const MatrixContent *c = content_of(self);
    guint64 p = c->shape.p, q = c->shape.q, r = c->shape.r, n = c->n_matrices / N_MATRICES, n_slots = 0;
    for (guint matrix = 0; matrix < c->n_matrices; matrix++)
        n_slots += (guint64)c->homes[matrix].n_slots << c->dimension;
    return forecast_bytes_of(n * (p * q + q * r + p * r), n_slots) + (n * p * r + p * q + q * r) * sizeof(guint64) +
           forecast_storage(c->works, c->dimension);
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
                                       .storage = storage, .tell = tell, .pack = pack, .unpack = unpack,
                                       .sketch = sketch, .describe = describe, .legend = legend, .check = check,
                                       .free = free_content};
    MatrixContent *c = g_new0(MatrixContent, 1);
    c->head = (Content){&class, BYTES_DIFFER, problem->element};
    c->mask = G_MAXUINT64;
    c->shape = problem->shape;
    c->grid = problem->grid;
    c->dimension = problem->grid.n1 + problem->grid.n2;
    c->references = g_ptr_array_new_with_free_func(g_free);
    c->works = g_array_new(FALSE, FALSE, sizeof(Work));
    c->tiles = tiles_new();
    c->fault = g_new0(char *, 1);
    return &c->head;
}

/* Whether all processors have as much to do, and so go through their steps side by side. */
static gboolean is_even(const MatrixContent *c)
{
    guint side = 1u << MAX(c->grid.n1, c->grid.n2);
    return c->shape.p % side == 0 && c->shape.q % side == 0 && c->shape.r % side == 0;
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
    schedule->flags &= n_port ? ~(guint)SCHEDULE_CONTENDS : ~0u;    /* every message has its ports for itself */
    schedule_set_content(schedule, content);
    return schedule;
}
