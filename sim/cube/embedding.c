#include "embedding.h"
#include "cube.h"
#include "graph.h"
#include "sim/text/input.h"

/* Returns ceil(log2 extent), the number of address bits for an axis of `extent` nodes. */
static guint n_bits(guint extent)
{
    return extent == 1 ? 0 : 32u - (guint)__builtin_clz(extent - 1);
}

gboolean embedding_parse(const char *where, const char *text, gboolean wrap, Embedding *embedding, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    guint n_axes = g_strv_length(parts);
    gboolean numbers = n_axes > 0;
    *embedding = (Embedding){.n_axes = n_axes, .wrap = wrap};
    for (guint i = 0; numbers && i < MIN(n_axes, EMBEDDING_AXES_MAX); i++) {
        gint64 extent = 1;
        numbers = input_parse_count(where, parts[i], 1, 1 << EMBEDDING_DIMENSION_MAX, &extent, NULL);
        embedding->extent[i] = (guint)extent;
    }
    if (!numbers)
        return input_refuse(error, "%s: '%s' is not allowed; allowed: whole numbers from 1 to %u with x between "
                            "them, as 4x8", where, text, 1 << EMBEDDING_DIMENSION_MAX);
    if (n_axes > EMBEDDING_AXES_MAX)
        return input_refuse(error, "%s: '%s' has %u axes; allowed: up to %u", where, text, n_axes,
                            EMBEDDING_AXES_MAX);
    guint dimension = embedding_dimension(embedding);
    return dimension <= EMBEDDING_DIMENSION_MAX ||
           input_refuse(error, "%s: '%s' needs a cube of dimension %u; allowed: up to %u", where, text, dimension,
                        EMBEDDING_DIMENSION_MAX);
}

char *embedding_format(const Embedding *e)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < e->n_axes; i++)
        g_string_append_printf(text, "%s%u", i ? " x " : "", e->extent[i]);
    return g_string_free(text, FALSE);
}

guint embedding_dimension(const Embedding *e)
{
    guint dimension = 0;
    for (guint i = 0; i < e->n_axes; i++)
        dimension += n_bits(e->extent[i]);
    return dimension;
}

guint embedding_n_nodes(const Embedding *e)
{
    guint n_nodes = 1;
    for (guint i = 0; i < e->n_axes; i++)
        n_nodes *= e->extent[i];
    return n_nodes;
}

/* Returns the address of node `at` of a linear array or, with `wrap`, of a ring. A ring leaves out the middle of the
 * Gray code. Positions p and 2^b - 1 - p of the code of b bits differ in the highest bit alone. So the nodes beside the
 * gap are neighbours if `extent` is even. */
static guint embedding_address(guint extent, gboolean wrap, guint at)
{
    guint from_end = wrap ? extent / 2 : 0;
    return graph_gray(at < extent - from_end ? at : (1u << n_bits(extent)) - extent + at);
}

guint embedding_processor(const Embedding *e, const guint *at)
{
    guint processor = 0;
    for (guint i = 0; i < e->n_axes; i++)
        processor = processor << n_bits(e->extent[i]) | embedding_address(e->extent[i], e->wrap, at[i]);
    return processor;
}

gboolean embedding_next(const Embedding *e, guint *at)
{
    for (guint i = e->n_axes; i-- > 0;) {
        if (++at[i] < e->extent[i])
            return TRUE;
        at[i] = 0;
    }
    return FALSE;
}

guint embedding_hops(const Embedding *e, const guint *at, guint axis)
{
    guint extent = e->extent[axis];
    if (at[axis] + 1 == extent && (!e->wrap || extent <= 2))
        return 0;
    return cube_distance(embedding_address(extent, e->wrap, at[axis]),
                         embedding_address(extent, e->wrap, (at[axis] + 1) % extent));
}

EmbeddingEdges embedding_edges(const Embedding *e)
{
    EmbeddingEdges edges = {0};
    guint at[EMBEDDING_AXES_MAX] = {0};
    do {
        for (guint i = 0; i < e->n_axes; i++) {
            guint hops = embedding_hops(e, at, i);
            edges.n_edges[hops] += hops > 0;
            edges.dilation = MAX(edges.dilation, hops);
        }
    } while (embedding_next(e, at));
    return edges;
}

double embedding_expansion(const Embedding *e)
{
    return (double)cube_n_nodes(embedding_dimension(e)) / embedding_n_nodes(e);
}
