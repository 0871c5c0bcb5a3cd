#include "matmul_transposition.h"

#include <string.h>

/* Element (a, b) goes from the owners of a and b among rows and columns of the grid to those of b and a. While it is on
 * its way, each bit of its processor's address depends on a alone or on b alone; so the largest message is a product:
 * the most of a and the most of b that agree in those bits. */
/* Some of a side that have the same owners among rows and among columns. */
typedef struct {
    guint row, column, count;
} Run;

typedef struct {
    const MatmulCase *c;
    GArray *runs[2];            /* of a and of b */
    guint rows, columns;        /* bits of the address that already are those of the destination */
    guint *agree;               /* [2 N], zeros */
} Transposition;

/* The next dimension: its bit among rows, or columns. */
typedef struct {
    gboolean of_row;
    guint bit;
} Crossing;

/* How many from `i` on have the owners of i: up to the next block of rows or of columns. In the cyclic layout those
 * that follow each other do not, but all at a distance of max(N1,N2). */
static guint run_length(const MatmulCase *c, guint size, guint i)
{
    guint n1 = c->grid.n1, n2 = c->grid.n2, longer = MAX(n1, n2);
    if (c->layout == MATMUL_CYCLIC)
        return matmul_share_of_first(size, longer, MATMUL_CYCLIC, i + 1) -
               matmul_share_of_first(size, longer, MATMUL_CYCLIC, i);
    guint row = matmul_share(size, n1), column = matmul_share(size, n2);
    return MIN(size - i, MIN(row - i % row, column - i % column));
}

static GArray *runs_of(const MatmulCase *c, guint size)
{
    GArray *runs = g_array_new(FALSE, FALSE, sizeof(Run));
    gboolean is_cyclic = c->layout == MATMUL_CYCLIC;
    guint end = is_cyclic ? MIN(size, 1u << MAX(c->grid.n1, c->grid.n2)) : size, count;
    for (guint i = 0; i < end; i += is_cyclic ? 1 : count) {
        count = run_length(c, size, i);
        Run run = {matmul_owner(size, c->grid.n1, c->layout, i), matmul_owner(size, c->grid.n2, c->layout, i), count};
        g_array_append_val(runs, run);
    }
    return runs;
}

/* The most of side 0 (a) or 1 (b) that agree in all bits which depend on them, and on bit 0 or 1 of the crossing. */
static void fullest(const Transposition *t, guint side, Crossing crossing, gint64 most[2])
{
    guint rows = side == 0 ? ~t->rows : t->rows, columns = side == 0 ? t->columns : ~t->columns;
    const Run *first = (const Run *)(gpointer)t->runs[side]->data, *end = first + t->runs[side]->len;
    guint n2 = t->c->grid.n2;
    most[0] = most[1] = 0;
    for (const Run *run = first; run < end; run++) {
        guint value = (crossing.of_row ? run->row : run->column) >> crossing.bit & 1;
        guint *agree = &t->agree[2 * ((run->row & rows) << n2 | (run->column & columns)) + value];
        *agree += run->count;
        most[value] = MAX(most[value], *agree);
    }
    for (const Run *run = first; run < end; run++) {
        guint place = (run->row & rows) << n2 | (run->column & columns);
        t->agree[2 * place] = t->agree[2 * place + 1] = 0;
    }
}

/* Who crosses has one value of the bit from one of a and b, and the other from the other. */
static gint64 cross(Transposition *t, Crossing crossing)
{
    gint64 of_a[2], of_b[2];
    fullest(t, 0, crossing, of_a);
    fullest(t, 1, crossing, of_b);
    *(crossing.of_row ? &t->rows : &t->columns) |= 1u << crossing.bit;
    return MAX(of_a[0] * of_b[1], of_a[1] * of_b[0]);
}

/* Bit number i of an address of n bits in the order in which they are taken. */
static Crossing crossing_of(const MatmulCase *c, gboolean of_row, guint i)
{
    guint n = of_row ? c->grid.n1 : c->grid.n2;
    return (Crossing){of_row, c->layout == MATMUL_CYCLIC ? i : n - 1 - i};
}

/* Whole blocks in pairs, halves of them otherwise. */
static void transposition_of_equal(const MatmulCase *c, gint64 block, gint64 *messages)
{
    guint pairs = 2 * MIN(c->grid.n1, c->grid.n2);
    for (guint i = 0; i < c->grid.n1 + c->grid.n2; i++)
        messages[i] = i < pairs ? block : block / 2;
}

static void transposition_of_any(const MatmulCase *c, guint rows, guint columns, gint64 *messages)
{
    g_autoptr(GArray) of_rows = runs_of(c, rows), of_columns = runs_of(c, columns);
    g_autofree guint *agree = g_new0(guint, (gsize)2 << (c->grid.n1 + c->grid.n2));
    Transposition t = {c, {of_rows, of_columns}, 0, 0, agree};
    for (guint i = 0; i < MAX(c->grid.n1, c->grid.n2); i++)
        for (int of_row = 1; of_row >= 0; of_row--)
            if (i < (of_row ? c->grid.n1 : c->grid.n2))
                *messages++ = cross(&t, crossing_of(c, of_row, i));
}

/* --- what has been found before --- */

typedef struct {
    gint64 key;                 /* first, as g_int64_hash() has it */
    gint64 messages[MACHINE_DIMENSION_MAX];
} Known;

GHashTable *matmul_transpositions_new(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
}

/* The sides have 21 bits, the dimensions five. */
static gint64 key_of(const MatmulCase *c, guint rows, guint columns)
{
    return (gint64)rows << 32 | (gint64)columns << 11 | (gint64)c->grid.n1 << 6 | c->grid.n2 << 1 | c->layout;
}

static void known_transposition(const MatmulCase *c, guint rows, guint columns, gint64 *messages)
{
    gint64 key = key_of(c, rows, columns);
    Known *known = g_hash_table_lookup(c->transpositions, &key);
    if (!known) {
        known = g_new0(Known, 1);
        known->key = key;
        transposition_of_any(c, rows, columns, known->messages);
        g_hash_table_add(c->transpositions, known);
    }
    memcpy(messages, known->messages, (c->grid.n1 + c->grid.n2) * sizeof *messages);
}

gboolean matmul_blocks_are_equal(const MatmulCase *c, const MatmulPhase *phase)
{
    guint rows = matmul_side(&c->shape, phase->by_rows), columns = matmul_side(&c->shape, phase->by_columns);
    return !((rows | columns) & ((1u << MAX(c->grid.n1, c->grid.n2)) - 1));
}

void matmul_transposition(const MatmulCase *c, const MatmulPhase *phase, gint64 *messages)
{
    guint rows = matmul_side(&c->shape, phase->by_rows), columns = matmul_side(&c->shape, phase->by_columns);
    if (matmul_blocks_are_equal(c, phase))
        transposition_of_equal(c, matmul_block(c, phase), messages);
    else if (c->transpositions)
        known_transposition(c, rows, columns, messages);
    else
        transposition_of_any(c, rows, columns, messages);
}
