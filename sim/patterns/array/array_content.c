#include "array_content.h"
#include "field.h"
#include "transform.h"
#include "tridiagonal.h"
#include "values.h"

#include <string.h>

/* What there is only while memories are in use. */
typedef struct {
    guint64 *elements;      /* of block after block, in the order of their numbers */
    guint64 *row;           /* [n]: the one that is worked on */
    ArrayValues *values;
    Transform *transform;
    Elimination *rows, *columns;
} Data;

typedef struct {
    Content head;
    const ExchangeUse *use;
    guint dimension;
    gsize side, n;          /* of a block, and of the array */
    Data *data;             /* its fields are NULL until memories are filled */
} ArrayContent;

/* In words. */
static const struct {
    const char *array, *result;
} words[] = {
    [USE_TRANSPOSITION] = {"the array", "the transposed array"},
    [USE_FFT] = {"the array", "its transform, transposed"},
    [USE_ADI] = {"the right side", "the solution"},
};

static const ArrayContent *content_of(const Content *content)
{
    return (const ArrayContent *)content;
}

static guint n_blocks(const ArrayContent *c)
{
    return 1u << c->dimension;
}

/* --- at first --- */

static void make_data(const ArrayContent *c)
{
    UseKind kind = c->use->kind;
    *c->data = (Data){.elements = g_new(guint64, MAX(1, c->n * c->n)), .row = g_new(guint64, MAX(1, c->n)),
                      .values = array_values_new(kind, c->n)};
    if (kind == USE_FFT)
        c->data->transform = transform_new(c->n);
    if (kind == USE_ADI) {
        c->data->rows = elimination_new(&tridiagonal_of_rows, c->n);
        c->data->columns = elimination_new(&tridiagonal_of_columns, c->n);
    }
}

static void fill_block(const ArrayContent *c, guint node, guint slot, guint64 *elements)
{
    for (gsize row = 0; row < c->side; row++)
        for (gsize column = 0; column < c->side; column++)
            *elements++ = array_value_at_first(c->data->values, node * c->side + row, slot * c->side + column);
}

/* Blocks are numbered processor by processor. */
static void fill(const Content *self, guint node, Block *slots)
{
    const ArrayContent *c = content_of(self);
    if (!c->data->elements)
        make_data(c);
    for (guint slot = 0; slot < n_blocks(c); slot++) {
        slots[slot] = (Block)node * n_blocks(c) + slot;
        fill_block(c, node, slot, array_elements(self, slots[slot]));
    }
}

guint64 *array_elements(const Content *content, Block block)
{
    const ArrayContent *c = content_of(content);
    return c->data->elements + block * c->side * c->side;
}

/* --- blocks on their way: each has its elements in a place of its own --- */

static void pack(const Content *self, Block block, guint8 *bytes)
{
    const ArrayContent *c = content_of(self);
    const guint64 *elements = array_elements(self, block);
    for (gsize e = 0; e < c->side * c->side; e++)
        content_pack_element(elements[e], bytes + e * USE_ELEMENT_BYTES, USE_ELEMENT_BYTES);
}

static Block unpack(Content *self, Block like, const guint8 *bytes)
{
    const ArrayContent *c = content_of(self);
    guint64 *elements = array_elements(self, like);
    for (gsize e = 0; e < c->side * c->side; e++)
        elements[e] = content_unpack_element(bytes + e * USE_ELEMENT_BYTES, USE_ELEMENT_BYTES);
    return like;
}

/* --- local work --- */

static void transpose(guint64 *elements, gsize side)
{
    for (gsize row = 0; row < side; row++)
        for (gsize column = row + 1; column < side; column++) {
            guint64 *one = &elements[row * side + column], *other = &elements[column * side + row], kept = *one;
            *one = *other;
            *other = kept;
        }
}

/* The pieces that a row has in all blocks, to `row` or from there. */
static void copy_row(const ArrayContent *c, const Block *slots, gsize number, guint64 *row, gboolean back)
{
    for (guint slot = 0; slot < n_blocks(c); slot++, row += c->side) {
        guint64 *piece = array_elements(&c->head, slots[slot]) + number * c->side;
        memcpy(back ? piece : row, back ? row : piece, c->side * sizeof *row);
    }
}

static void work_on_row(const Data *data, ArrayWork work)
{
    if (work == ARRAY_TRANSFORM_ROWS)
        transform_row(data->transform, data->row);
    else
        elimination_solve(work == ARRAY_SOLVE_ROWS ? data->rows : data->columns, data->row);
}

static char *operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    const ArrayContent *c = content_of(self);
    for (guint slot = 0; slot < n_blocks(c); slot++)
        if (slots[slot] == BLOCK_NONE)
            return g_strdup_printf("finds no block in slot %u", slot);
    if (operation->what == ARRAY_TRANSPOSE_BLOCKS)
        for (guint slot = 0; slot < n_blocks(c); slot++)
            transpose(array_elements(self, slots[slot]), c->side);
    else
        for (gsize number = 0; number < c->side; number++) {
            copy_row(c, slots, number, c->data->row, FALSE);
            work_on_row(c->data, operation->what);
            copy_row(c, slots, number, c->data->row, TRUE);
        }
    return NULL;
}

static gint64 operations(const Content *self, guint node, const Operation *operation)
{
    const ArrayContent *c = content_of(self);
    return operation->what == ARRAY_TRANSPOSE_BLOCKS ? 0 : use_operations(c->use, c->dimension, self->block_bytes);
}

Operation array_work(const Content *content, ArrayWork work)
{
    const ArrayContent *c = content_of(content);
    gint64 moved = work == ARRAY_TRANSPOSE_BLOCKS ? use_copied_bytes(c->dimension, content->block_bytes) : 0;
    return (Operation){.what = work, .count = n_blocks(c), .bytes = moved};
}

/* --- the proof --- */

static char *check_block(const ArrayContent *c, guint node, guint slot, const guint64 *elements)
{
    for (gsize e = 0; e < c->side * c->side; e++) {
        gsize row = node * c->side + e / c->side, column = slot * c->side + e % c->side;
        guint64 wanted = array_value_at_last(c->data->values, row, column);
        if (elements[e] != wanted)
            return g_strdup_printf("slot %u of processor %u holds %" G_GUINT64_FORMAT " in row %" G_GSIZE_FORMAT
                                   ", column %" G_GSIZE_FORMAT " of %s; %" G_GUINT64_FORMAT " belongs there", slot,
                                   node, elements[e], row, column, words[c->use->kind].result, wanted);
    }
    return NULL;
}

static char *check(const Content *self, guint node, const Block *slots)
{
    const ArrayContent *c = content_of(self);
    char *fault = NULL;
    for (guint slot = 0; slot < n_blocks(c) && !fault; slot++)
        fault = slots[slot] == BLOCK_NONE
                    ? g_strdup_printf("slot %u of processor %u is empty; a block of %s belongs there", slot, node,
                                      words[c->use->kind].result)
                    : check_block(c, node, slot, array_elements(self, slots[slot]));
    return fault;
}

/* --- for people --- */

static char *describe(const Content *self, Block block)
{
    guint n = n_blocks(content_of(self));
    return block == BLOCK_NONE ? g_strdup("nothing")
                               : g_strdup_printf("the block that slot %u of processor %u held at first",
                                                 (guint)(block % n), (guint)(block / n));
}

static char *legend(const Content *self)
{
    const ArrayContent *c = content_of(self);
    return g_strdup_printf("at first, slot i of processor x holds %s in rows k x to k x + k - 1, columns k i to k i + "
                           "k - 1; k = %" G_GSIZE_FORMAT "\nat last, the same of %s", words[c->use->kind].array,
                           c->side, words[c->use->kind].result);
}

/* --- life --- */

static void forget(Content *self)
{
    Data *data = content_of(self)->data;
    g_free(data->elements);
    g_free(data->row);
    array_values_free(data->values);
    transform_free(data->transform);
    elimination_free(data->rows);
    elimination_free(data->columns);
    *data = (Data){0};
}

#define LINES_MORE 14   /* of n elements: the row, the powers and sums of values.c, the roots. No use has more */

static gsize storage(const Content *self)
{
    double n = (double)content_of(self)->n;
    return (gsize)MIN((n + LINES_MORE) * n * sizeof(guint64), (double)(G_MAXSIZE / 2));
}

static void free_content(Content *self)
{
    forget(self);
    g_free(content_of(self)->data);
    g_free(self);
}

Content *array_content_new(const ExchangeUse *use, guint dimension, gint64 bytes)
{
    static const ContentClass class = {.fill = fill, .operate = operate, .operations = operations, .forget = forget,
                                       .storage = storage, .pack = pack, .unpack = unpack, .describe = describe,
                                       .legend = legend, .check = check, .free = free_content};
    ArrayContent *c = g_new(ArrayContent, 1);
    gsize side = (gsize)use_side(bytes);
    *c = (ArrayContent){{&class, bytes, USE_ELEMENT_BYTES}, use, dimension, side, side << dimension, g_new0(Data, 1)};
    return &c->head;
}
