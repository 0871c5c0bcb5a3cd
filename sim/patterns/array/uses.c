/* Programs on an array that use the complete exchange (sim/cube/use.h): the content of their blocks, their local
 * work, and their schedules. The exchanges are those of unchanged algorithms (exchange/multiphase.c,
 * contending.c). */
#include "uses.h"
#include "field.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/schedule/combinators.h"
#include "sim/patterns/problem.h"

#include <string.h>

/* --- the elements at the beginning and at the end --- */

#define N_SERIES 3      /* number of geometric series in the sum: enough that no row of the array is a multiple of
                         * another */

struct ArrayValues {
    UseKind kind;
    gsize n;                        /* number of rows, and of columns, of the array */
    guint64 *powers[2 * N_SERIES];  /* [n]: powers g^0 ... g^(n - 1) of the number g of each series; first of the
                                     * series by rows, then of those by columns */
    guint64 *sums[2 * N_SERIES];    /* [n]: Fourier transform of each of the `powers` */
};

static guint64 drawn(guint64 i)
{
    return field_number(content_draw(i));
}

static guint64 drawn_at(const ArrayValues *values, gsize row, gsize column)
{
    return drawn(row * values->n + column);
}

/* Returns the Fourier transform of base^0 ... base^(n - 1): element v is the sum of (base w^v)^i over all i < n. */
static guint64 *transform_of_powers(guint64 base, gsize n)
{
    guint64 *sums = g_new(guint64, MAX(1, n)), root = n ? field_root(n) : 1, ratio = base;
    guint64 last = field_subtract(field_power(base, n), 1);
    for (gsize v = 0; v < n; v++) {
        guint64 first = field_subtract(ratio, 1);
        sums[v] = first ? field_multiply(last, field_inverse(first)) : n;
        ratio = field_multiply(ratio, root);
    }
    return sums;
}

/* Returns the sum over t of series[t][row] series[N_SERIES + t][column]. With ArrayValues.powers as `series` this is an
 * element of the array, with ArrayValues.sums an element of its transform. */
static guint64 sum_of_products(guint64 *const *series, gsize row, gsize column)
{
    guint64 sum = 0;
    for (guint t = 0; t < N_SERIES; t++)
        sum = field_add(sum, field_multiply(series[t][row], series[N_SERIES + t][column]));
    return sum;
}

/* Returns the product of one row of the matrix and three neighbouring elements of a line; neighbours outside of the
 * array are given as 0. */
static guint64 line_of(const Tridiagonal *m, guint64 before, guint64 at, guint64 after)
{
    guint64 sides = field_add(field_multiply(m->lower, before), field_multiply(m->upper, after));
    return field_add(field_multiply(m->diagonal, at), sides);
}

/* Returns the element of the solution in this row and column; 0 if the place is outside of the array, on any side. */
static guint64 solution(const ArrayValues *values, gsize row, gsize column)
{
    return row < values->n && column < values->n ? drawn_at(values, row, column) : 0;
}

static guint64 along_row(const ArrayValues *values, gsize row, gsize column)
{
    return line_of(&tridiagonal_of_rows, solution(values, row, column - 1), solution(values, row, column),
                   solution(values, row, column + 1));
}

guint64 array_value_at_first(const ArrayValues *values, gsize row, gsize column)
{
    switch (values->kind) {
    case USE_TRANSPOSITION:
        return drawn_at(values, row, column);
    case USE_FFT:
        return sum_of_products(values->powers, row, column);
    case USE_ADI:
        return line_of(&tridiagonal_of_columns, along_row(values, row - 1, column), along_row(values, row, column),
                       along_row(values, row + 1, column));
    }
    g_assert_not_reached();
}

guint64 array_value_at_last(const ArrayValues *values, gsize row, gsize column)
{
    switch (values->kind) {
    case USE_TRANSPOSITION:
        return drawn_at(values, column, row);
    case USE_FFT:
        return sum_of_products(values->sums, column, row);
    case USE_ADI:
        return drawn_at(values, row, column);
    }
    g_assert_not_reached();
}

ArrayValues *array_values_new(UseKind kind, gsize n)
{
    ArrayValues *values = g_new0(ArrayValues, 1);
    values->kind = kind;
    values->n = n;
    for (guint t = 0; t < 2 * N_SERIES && kind == USE_FFT; t++) {
        values->powers[t] = field_powers(drawn(t), n);
        values->sums[t] = transform_of_powers(drawn(t), n);
    }
    return values;
}

void array_values_free(ArrayValues *values)
{
    for (guint t = 0; values && t < 2 * N_SERIES; t++) {
        g_free(values->powers[t]);
        g_free(values->sums[t]);
    }
    g_free(values);
}

/* --- blocks --- */

/* Elements and tables of an ArrayContent. They exist while memories are in use, from array_fill() to
 * array_forget(). */
typedef struct {
    guint64 *elements;      /* the elements of all blocks, in the order of the blocks' numbers */
    guint64 *row;           /* [n]: copy of the row that is worked on */
    ArrayValues *values;
    guint64 *helpers[ARRAY_SOLVE_COLUMNS + 1];  /* [ArrayWork]: table for the work: the roots of transforms, or the
                                                 * reciprocals of systems */
} Data;

static const Tridiagonal *const systems[] = {
    [ARRAY_SOLVE_ROWS] = &tridiagonal_of_rows,
    [ARRAY_SOLVE_COLUMNS] = &tridiagonal_of_columns,
};

typedef struct {
    Content head;
    const ExchangeUse *use;
    guint dimension;
    gsize side, n;          /* number of rows (and columns) of a block, and of the array */
    Data *data;             /* never NULL; its members are NULL until memories are filled */
} ArrayContent;

/* [UseKind]: names of the array at the beginning and at the end, for faults and legends. */
static const struct {
    const char *array, *result;
} words[] = {
    [USE_TRANSPOSITION] = {"the array", "the transposed array"},
    [USE_FFT] = {"the array", "its transform, transposed"},
    [USE_ADI] = {"the right side", "the solution"},
};

static const ArrayContent *array_content(const Content *content)
{
    return (const ArrayContent *)content;
}

static guint array_n_blocks(const ArrayContent *c)
{
    return 1u << c->dimension;
}

/* --- at the beginning: blocks are numbered processor by processor --- */

static void array_make_data(const ArrayContent *c)
{
    UseKind kind = c->use->kind;
    *c->data = (Data){.elements = g_new(guint64, MAX(1, c->n * c->n)), .row = g_new(guint64, MAX(1, c->n)),
                      .values = array_values_new(kind, c->n)};
    if (kind == USE_FFT)
        c->data->helpers[ARRAY_TRANSFORM_ROWS] = field_transform_roots(c->n);
    for (ArrayWork work = ARRAY_SOLVE_ROWS; work <= ARRAY_SOLVE_COLUMNS && kind == USE_ADI; work++)
        c->data->helpers[work] = tridiagonal_reciprocals(systems[work], c->n);
}

static void array_fill(const Content *self, guint node, Block *slots)
{
    const ArrayContent *c = array_content(self);
    if (!c->data->elements)
        array_make_data(c);
    for (guint slot = 0; slot < array_n_blocks(c); slot++) {
        slots[slot] = (Block)node * array_n_blocks(c) + slot;
        guint64 *elements = array_elements(self, slots[slot]);
        for (gsize row = 0; row < c->side; row++)
            for (gsize column = 0; column < c->side; column++)
                *elements++ = array_value_at_first(c->data->values, node * c->side + row, slot * c->side + column);
    }
}

guint64 *array_elements(const Content *content, Block block)
{
    const ArrayContent *c = array_content(content);
    return c->data->elements + block * c->side * c->side;
}

/* --- blocks on their way: each has its elements in a place of its own --- */

static void array_pack(const Content *self, Block block, guint8 *bytes)
{
    const ArrayContent *c = array_content(self);
    const guint64 *elements = array_elements(self, block);
    for (gsize e = 0; e < c->side * c->side; e++)
        content_pack_element(elements[e], bytes + e * USE_ELEMENT_BYTES, USE_ELEMENT_BYTES);
}

static Block array_unpack(Content *self, Block like, const guint8 *bytes)
{
    const ArrayContent *c = array_content(self);
    guint64 *elements = array_elements(self, like);
    for (gsize e = 0; e < c->side * c->side; e++)
        elements[e] = content_unpack_element(bytes + e * USE_ELEMENT_BYTES, USE_ELEMENT_BYTES);
    return like;
}

/* --- local work --- */

static void transpose_block(guint64 *elements, gsize side)
{
    for (gsize row = 0; row < side; row++)
        for (gsize column = row + 1; column < side; column++) {
            guint64 *one = &elements[row * side + column], *other = &elements[column * side + row], kept = *one;
            *one = *other;
            *other = kept;
        }
}

/* Copies row `number` of a processor, piece by piece from its blocks, to `row`. With `back` it copies from `row` to
 * the blocks. */
static void copy_row(const ArrayContent *c, const Block *slots, gsize number, guint64 *row, gboolean back)
{
    for (guint slot = 0; slot < array_n_blocks(c); slot++, row += c->side) {
        guint64 *piece = array_elements(&c->head, slots[slot]) + number * c->side;
        memcpy(back ? piece : row, back ? row : piece, c->side * sizeof *row);
    }
}

static void work_on_row(const Data *data, gsize n, ArrayWork work)
{
    if (work == ARRAY_TRANSFORM_ROWS)
        field_transform(data->helpers[work], n, data->row);
    else
        tridiagonal_solve(systems[work], data->helpers[work], n, data->row);
}

static char *array_operate(Content *self, guint node, Block *slots, const Operation *operation)
{
    const ArrayContent *c = array_content(self);
    for (guint slot = 0; slot < array_n_blocks(c); slot++)
        if (slots[slot] == BLOCK_NONE)
            return g_strdup_printf("finds no block in slot %u", slot);
    if (operation->what == ARRAY_TRANSPOSE_BLOCKS)
        for (guint slot = 0; slot < array_n_blocks(c); slot++)
            transpose_block(array_elements(self, slots[slot]), c->side);
    else
        for (gsize number = 0; number < c->side; number++) {
            copy_row(c, slots, number, c->data->row, FALSE);
            work_on_row(c->data, c->n, operation->what);
            copy_row(c, slots, number, c->data->row, TRUE);
        }
    return NULL;
}

static gint64 array_operations(const Content *self, guint node, const Operation *operation)
{
    const ArrayContent *c = array_content(self);
    return operation->what == ARRAY_TRANSPOSE_BLOCKS ? 0 : use_operations(c->use, c->dimension, self->block_bytes);
}

Operation array_work(const Content *content, ArrayWork work)
{
    const ArrayContent *c = array_content(content);
    gint64 moved = work == ARRAY_TRANSPOSE_BLOCKS ? use_copied_bytes(c->dimension, content->block_bytes) : 0;
    return (Operation){.what = work, .count = array_n_blocks(c), .bytes = moved};
}

/* --- the proof --- */

static char *array_check_block(const ArrayContent *c, guint node, guint slot, const guint64 *elements)
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

static char *array_check(const Content *self, guint node, const Block *slots)
{
    const ArrayContent *c = array_content(self);
    char *fault = NULL;
    for (guint slot = 0; slot < array_n_blocks(c) && !fault; slot++)
        fault = slots[slot] == BLOCK_NONE
                    ? g_strdup_printf("slot %u of processor %u is empty; a block of %s belongs there", slot, node,
                                      words[c->use->kind].result)
                    : array_check_block(c, node, slot, array_elements(self, slots[slot]));
    return fault;
}

static char *array_describe(const Content *self, Block block)
{
    guint n = array_n_blocks(array_content(self));
    return block == BLOCK_NONE ? g_strdup("nothing")
                               : g_strdup_printf("the block that slot %u of processor %u held at first",
                                                 (guint)(block % n), (guint)(block / n));
}

static char *array_legend(const Content *self)
{
    const ArrayContent *c = array_content(self);
    return g_strdup_printf("at first, slot i of processor x holds %s in rows k x to k x + k - 1, columns k i to k i + "
                           "k - 1; k = %" G_GSIZE_FORMAT "\nat last, the same of %s", words[c->use->kind].array,
                           c->side, words[c->use->kind].result);
}

static void array_forget(Content *self)
{
    Data *data = array_content(self)->data;
    g_free(data->elements);
    g_free(data->row);
    array_values_free(data->values);
    for (guint work = 0; work < G_N_ELEMENTS(data->helpers); work++)
        g_free(data->helpers[work]);
    *data = (Data){0};
}

/* The most memory beside the array, in lines of n elements: the copied row, the powers and sums of the series, and the
 * roots. */
#define LINES_MORE 14

static gsize array_storage(const Content *self)
{
    double n = (double)array_content(self)->n;
    return (gsize)MIN((n + LINES_MORE) * n * sizeof(guint64), (double)(G_MAXSIZE / 2));
}

static void array_free(Content *self)
{
    array_forget(self);
    g_free(array_content(self)->data);
    g_free(self);
}

Content *array_content_new(const ExchangeUse *use, guint dimension, gint64 bytes)
{
    static const ContentClass class = {.fill = array_fill, .operate = array_operate, .operations = array_operations,
                                       .forget = array_forget, .storage = array_storage, .pack = array_pack,
                                       .unpack = array_unpack, .describe = array_describe, .legend = array_legend,
                                       .check = array_check, .free = array_free};
    ArrayContent *c = g_new(ArrayContent, 1);
    gsize side = (gsize)use_side(bytes);
    *c = (ArrayContent){{&class, bytes, USE_ELEMENT_BYTES}, use, dimension, side, side << dimension, g_new0(Data, 1)};
    return &c->head;
}

/* --- programs --- */

/* State of a program while its schedule is made. */
typedef struct {
    Problem exchange;       /* the problem that each complete exchange of the program solves */
    Content *content;
    GPtrArray *parts;       /* Schedule *, in the order in which they run */
    guint n_phases;         /* number of phases of all exchanges in `parts` */
} ArrayProgram;

typedef void Recipe(ArrayProgram *program);

static void array_add_work(ArrayProgram *p, ArrayWork work)
{
    Operation operation = array_work(p->content, work);
    guint dimension = p->exchange.dimension;
    g_ptr_array_add(p->parts, schedule_work(dimension, 1u << dimension, &operation));
}

/* Adds a transposition of the array: a complete exchange, and then the transposition of each block. Blocks of at most
 * one element are left as they are. */
static void array_transpose(ArrayProgram *p)
{
    Schedule *exchange = schedule_make(&p->exchange);
    p->n_phases += exchange->n_phases;
    g_ptr_array_add(p->parts, exchange);
    if (use_copied_bytes(p->exchange.dimension, p->exchange.data.bytes) > 0)
        array_add_work(p, ARRAY_TRANSPOSE_BLOCKS);
}

static void transposition(ArrayProgram *p)
{
    array_transpose(p);
}

static void fft(ArrayProgram *p)
{
    array_add_work(p, ARRAY_TRANSFORM_ROWS);
    array_transpose(p);
    array_add_work(p, ARRAY_TRANSFORM_ROWS);
}

static void adi(ArrayProgram *p)
{
    array_add_work(p, ARRAY_SOLVE_ROWS);
    array_transpose(p);
    array_add_work(p, ARRAY_SOLVE_COLUMNS);
    array_transpose(p);
}

/* Type of Algorithm.family in this file: the recipe of the program, and the algorithm of its complete exchanges. */
typedef struct {
    Recipe *recipe;
    const Algorithm *exchange;
} ArrayFamily;

static Problem exchange_of(const Problem *problem)
{
    const ArrayFamily *family = problem->algorithm->family;
    Problem exchange = problem_new(family->exchange, problem->dimension);
    exchange.partition = problem->partition;
    exchange.data = problem->data;
    return exchange;
}

/* Makes the schedule of a program. Its exchanges keep their barriers, so that no exchange receives messages of the next
 * one. */
static Schedule *array_make(const Problem *problem)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    ArrayProgram p = {.exchange = exchange_of(problem), .parts = parts,
                      .content = array_content_new(problem->pattern->family, problem->dimension, problem->data.bytes)};
    ((const ArrayFamily *)problem->algorithm->family)->recipe(&p);
    Schedule *schedule = schedule_then(parts->len, (Schedule **)parts->pdata, TRUE);
    schedule->n_phases = p.n_phases;
    schedule_set_content(schedule, p.content);
    return schedule;
}

extern const Algorithm algorithm_standard, algorithm_direct, algorithm_multiphase, algorithm_naive;

#define USE(use, kind, exchange_name, ...)                                                                             \
    const Algorithm algorithm_##exchange_name##_##use = {                                                              \
        .name = #exchange_name, .pattern = kind, .make = array_make,                                                   \
        .family = &(const ArrayFamily){use, &algorithm_##exchange_name}, __VA_ARGS__}

#define USES(use, kind, what, where)                                                                                   \
    USE(use, kind, standard, .phases = partition_standard, .summary = what " by Standard", .source = where);           \
    USE(use, kind, direct, .phases = partition_direct, .summary = what " by Direct", .source = where);                 \
    USE(use, kind, multiphase, .takes = TAKES_PARTITION, .summary = what " by Multiphase", .source = where)

USES(transposition, &pattern_transposition, "exchange blocks, transpose each", "Bokhari 1993, sec. 2");
USES(fft, &pattern_fft, "transform rows; transpose; transform rows",
     "Bokhari 1993, sec. 2; Nicol & Bokhari 1994, sec. 1");
USES(adi, &pattern_adi, "solve rows; transpose; solve rows; transpose",
     "Bokhari 1993, sec. 2; Nicol & Bokhari 1994, sec. 1");

/* Without phase_barrier some processors begin their second exchange while others are still in the first. */
USE(adi, &pattern_adi, naive, .summary = "solve rows; transpose; solve rows; transpose by Naive",
    .source = "to show what a barrier is for", .unpublished = "no paper predicts it");
