#include "matmul_grid.h"
#include "sim/text/input.h"

#include <string.h>

const char *const matmul_layout_names[] = {"consecutive", "cyclic", NULL};
const char *const matmul_encoding_names[] = {"binary", "gray", NULL};

guint matmul_side(const MatmulShape *shape, MatmulSide side)
{
    return side == MATMUL_P ? shape->p : side == MATMUL_Q ? shape->q : shape->r;
}

/* --- as users write them --- */

/* Parses "AxB..." as `n` numbers from 1 to `max`. */
static gboolean parse_product(const char *text, guint n, gint64 max, gint64 *numbers)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    gboolean ok = g_strv_length(parts) == n;
    for (guint i = 0; ok && i < n; i++)
        ok = input_parse_count("", parts[i], 1, max, &numbers[i], NULL);
    return ok;
}

gboolean matmul_shape_parse(const char *where, const char *text, MatmulShape *shape, GError **error)
{
    gint64 sides[3];
    if (!parse_product(text, G_N_ELEMENTS(sides), MATMUL_SIDE_MAX, sides))
        return input_refuse(error, "%s: '%s' is not allowed; allowed: PxQxR, each from 1 to %u", where, text,
                            MATMUL_SIDE_MAX);
    *shape = (MatmulShape){(guint)sides[0], (guint)sides[1], (guint)sides[2]};
    return TRUE;
}

gboolean matmul_grid_parse(const char *where, const char *text, guint dimension, const char *others, MatmulGrid *grid,
                           GError **error)
{
    gint64 nodes = (gint64)1 << dimension, sides[3] = {1, nodes, 1};
    gboolean ok = TRUE;
    if (strcmp(text, "row") == 0)
        sides[0] = nodes, sides[1] = 1;
    else if (strcmp(text, "column") != 0)
        ok = (parse_product(text, 2, nodes, sides) || parse_product(text, 3, nodes, sides)) &&
             sides[0] * sides[1] * sides[2] == nodes;
    if (!ok)
        return input_refuse(error, "%s: '%s' is not allowed; allowed: %s, column, row, or N1xN2 or N1xN2xN3 with the "
                            "product 2^%u = %" G_GINT64_FORMAT, where, text, others, dimension, nodes);
    grid->n1 = (guint)g_bit_storage((gulong)sides[0]) - 1;
    grid->n2 = (guint)g_bit_storage((gulong)sides[1]) - 1;
    grid->n3 = dimension - grid->n1 - grid->n2;
    return TRUE;
}

char *matmul_shape_format(const MatmulShape *shape)
{
    return g_strdup_printf("%ux%ux%u", shape->p, shape->q, shape->r);
}

char *matmul_grid_format(const MatmulGrid *grid)
{
    g_autofree char *layers = grid->n3 ? g_strdup_printf("x%u", 1u << grid->n3) : g_strdup("");
    return g_strdup_printf("%ux%u%s", 1u << grid->n1, 1u << grid->n2, layers);
}

/* --- shares --- */

guint matmul_share(guint size, guint m)
{
    return (size + (1u << m) - 1) >> m;
}

guint matmul_owner(guint size, guint m, MatmulLayout layout, guint i)
{
    return layout == MATMUL_CONSECUTIVE ? i / matmul_share(size, m) : i & ((1u << m) - 1);
}

guint matmul_owners(guint size, guint m, MatmulLayout layout)
{
    return layout == MATMUL_CONSECUTIVE ? matmul_owner(size, m, layout, size - 1) + 1 : MIN(size, 1u << m);
}
