#include "matmul_a3b.h"

/* The most of A's rows, [value of a bit], that agree in the processor row where they belong, where `rows` has bits, and
 * in the column that has them. */
typedef struct {
    gint64 most[2];
} Fullest;

static Fullest fullest_rows(const MatmulCase *c, guint rows, guint columns, gboolean of_row, guint bit)
{
    Fullest fullest = {{0, 0}};
    g_autofree guint *agree = g_new0(guint, (gsize)2 << (c->grid.n1 + c->grid.n2));
    for (guint i = 0; i < c->shape.p; i++) {
        guint row = matmul_owner(c->shape.p, c->grid.n1, c->layout, i);
        guint column = matmul_owner(c->shape.p, c->grid.n2, c->layout, i);
        guint value = (of_row ? row : column) >> bit & 1;
        guint here = ++agree[2 * ((row & rows) << c->grid.n2 | (column & columns)) + value];
        fullest.most[value] = MAX(fullest.most[value], here);
    }
    return fullest;
}

/* The most of A's columns that agree in the bits `columns` of where they belong. */
static Fullest fullest_columns(const MatmulCase *c, guint columns, guint bit)
{
    Fullest fullest = {{0, 0}};
    g_autofree guint *agree = g_new0(guint, (gsize)2 << c->grid.n2);
    for (guint j = 0; j < c->shape.r; j++) {
        guint column = matmul_owner(c->shape.r, c->grid.n2, c->layout, j), value = column >> bit & 1;
        guint here = ++agree[2 * (column & columns) + value];
        fullest.most[value] = MAX(fullest.most[value], here);
    }
    return fullest;
}

/* Bit number i of a row's address in the order in which sums go: the low ones tell rows of a set apart, in the cyclic
 * layout the high ones. */
static guint row_bit(const MatmulCase *c, guint i)
{
    guint n1 = c->grid.n1, apart = n1 - c->grid.n2;
    if (c->layout == MATMUL_CYCLIC)
        return (c->grid.n2 + i) % n1;
    return i < apart ? apart - 1 - i : n1 - 1 - (i - apart);
}

/* Sums go to processors whose bit is 1 from those whose bit is 0, and back if any of the former has a term. */
static gint64 sums(const MatmulCase *c, gint64 *messages)
{
    guint done = 0, n_terms = matmul_owners(c->shape.q, c->grid.n1, c->layout);
    gint64 additions = 0;
    for (guint i = 0; i < c->grid.n1; i++) {
        guint bit = row_bit(c, i);
        gboolean both = n_terms > 1u << bit;
        Fullest rows = fullest_rows(c, done, ~0u, TRUE, bit);
        messages[i] = MAX(rows.most[1], both ? rows.most[0] : 0) * c->shape.r;
        additions += both ? messages[i] : 0;
        done |= 1u << bit;
    }
    return additions;
}

gint64 matmul_a3b(const MatmulCase *c, gint64 *messages)
{
    gint64 additions = sums(c, messages);
    guint done = 0, n2 = c->grid.n2;
    for (guint i = 0; i < n2; i++) {
        guint bit = c->layout == MATMUL_CYCLIC ? i : n2 - 1 - i;
        Fullest rows = fullest_rows(c, ~0u, ~done, FALSE, bit), columns = fullest_columns(c, done, bit);
        messages[c->grid.n1 + i] = MAX(rows.most[0] * columns.most[1], rows.most[1] * columns.most[0]);
        done |= 1u << bit;
    }
    return additions;
}
