#include "matmul_uneven.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

/* --- how blocks go --- */

/* The last hop of tree number `tree` to the node at `node` from the block's owner. */
typedef struct {
    guint tree, node, parent, dimension, step;
} Hop;

static guint n_parts(const UnevenCase *u)
{
    gboolean in_parts = u->routing == MATMUL_NRSBT || (u->routing == MATMUL_GCEA && u->ports == PORTS_ALL);
    return in_parts ? u->c.dimension : 1;
}

static gint64 part_of(gint64 elements, guint parts, guint part)
{
    return elements / parts + (part < elements % parts);
}

/* Dimensions that double messages: those before a ring's. */
static guint n_doublings(const UnevenCase *u)
{
    return u->routing == MATMUL_HYBRID ? u->c.accumulate : u->routing == MATMUL_GCEA ? 0 : u->c.dimension;
}

/* Spanning trees set the ones of a node in ascending cyclic order from `start` on, one dimension after another, or,
 * with n ports, all nodes at a distance in a step. On a ring, of CRA or in the order of the Gray code, a step is a hop.
 */
static Hop hop_to(const UnevenCase *u, guint tree, guint node)
{
    guint n = u->c.dimension, k = n_doublings(u);
    if (u->routing == MATMUL_CRA)
        return (Hop){tree, node, node - 1, 0, node - 1};
    guint start = u->routing == MATMUL_SBNT ? cube_base(node, n) : tree, r = cube_rotate_right(node, n, start);
    guint last = g_bit_storage(r) - 1, step = start + last;
    if (r >> k) {
        guint turn = graph_gray_position(r >> k);
        last = k + (guint)g_bit_nth_lsf(turn, -1);
        step = k + turn - 1;
    } else if (u->ports == PORTS_ALL)
        step = (guint)__builtin_popcount(node) - 1;
    guint dimension = (start + last) % n;
    return (Hop){tree, node, node ^ 1u << dimension, dimension, step};
}

static int compare_steps(gconstpointer a, gconstpointer b)
{
    guint x = ((const Hop *)a)->step, y = ((const Hop *)b)->step;
    return (x > y) - (x < y);
}

/* All hops, by steps. */
static GArray *all_hops(const UnevenCase *u)
{
    GArray *hops = g_array_new(FALSE, FALSE, sizeof(Hop));
    for (guint tree = 0; tree < n_parts(u); tree++)
        for (guint node = 1; node < 1u << u->c.dimension; node++) {
            Hop hop = hop_to(u, tree, node);
            g_array_append_val(hops, hop);
        }
    g_array_sort(hops, compare_steps);
    return hops;
}

/* --- broadcasts and reductions --- */

typedef struct {
    const UnevenCase *u;
    const gint64 *blocks;
    guint n_nodes, n_terms;
    gboolean *has_term;         /* [part][owner][node]: of sums on their way; NULL: a broadcast */
    gint64 *load, *added;       /* in this step: [dimension][node], [node] */
} Walk;

/* Where the node of an owner's tree is; of CRA's ring, in the order of the Gray code. */
static guint place(const Walk *w, guint owner, guint node)
{
    guint position = (graph_gray_position(owner) + node) % w->n_nodes;
    return w->u->routing == MATMUL_CRA ? position ^ position >> 1 : owner ^ node;
}

static gboolean *term_at(const Walk *w, guint tree, guint owner, guint node)
{
    return &w->has_term[((gsize)tree * w->n_nodes + owner) * w->n_nodes + node];
}

/* The block of `owner` makes a hop, backwards in a reduction. */
static void walk_hop(Walk *w, const Hop *hop, guint owner)
{
    gint64 elements = part_of(w->blocks[owner], n_parts(w->u), hop->tree);
    guint from = place(w, owner, w->has_term ? hop->node : hop->parent);
    if (w->has_term) {
        gboolean *there = term_at(w, hop->tree, owner, hop->parent);
        if (!*term_at(w, hop->tree, owner, hop->node))
            return;
        if (*there)
            w->added[place(w, owner, hop->parent)] += elements;
        *there = TRUE;
    }
    w->load[hop->dimension * w->n_nodes + from] += elements;
}

/* The largest; all are cleared. */
static gint64 take_largest(gint64 *numbers, gsize n)
{
    gint64 largest = 0;
    for (gsize i = 0; i < n; i++) {
        largest = MAX(largest, numbers[i]);
        numbers[i] = 0;
    }
    return largest;
}

/* Backwards through the steps, as sums go. */
static LockstepCount walk(Walk *w, gint64 *additions)
{
    LockstepCount count = {0};
    g_autoptr(GArray) hops = all_hops(w->u);
    for (guint i = hops->len; i > 0; i--) {
        const Hop *hop = &g_array_index(hops, Hop, i - 1);
        for (guint owner = 0; owner < w->n_nodes; owner++)
            if (w->blocks[owner] > 0)
                walk_hop(w, hop, owner);
        if (i > 1 && g_array_index(hops, Hop, i - 2).step == hop->step)
            continue;
        gint64 largest = take_largest(w->load, (gsize)w->u->c.dimension * w->n_nodes);
        lockstep_add(&count, &w->u->c, largest > 0, (__int128)largest * w->u->c.element);
        *additions += take_largest(w->added, w->n_nodes);
    }
    return count;
}

static LockstepCount walk_blocks(Walk *w, gint64 *additions)
{
    g_autofree gint64 *load = g_new0(gint64, (gsize)w->u->c.dimension * w->n_nodes);
    g_autofree gint64 *added = g_new0(gint64, w->n_nodes);
    w->load = load;
    w->added = added;
    return walk(w, additions);
}

LockstepCount uneven_broadcast(const UnevenCase *u, const gint64 *blocks)
{
    gint64 none = 0;
    Walk w = {.u = u, .blocks = blocks, .n_nodes = 1u << u->c.dimension};
    return walk_blocks(&w, &none);
}

LockstepCount uneven_reduction(const UnevenCase *u, const gint64 *blocks, guint n_terms, gint64 *additions)
{
    Walk w = {.u = u, .blocks = blocks, .n_nodes = 1u << u->c.dimension, .n_terms = n_terms};
    g_autofree gboolean *has_term = g_new0(gboolean, (gsize)n_parts(u) * w.n_nodes * w.n_nodes);
    w.has_term = has_term;
    for (guint tree = 0; tree < n_parts(u); tree++)
        for (guint owner = 0; owner < w.n_nodes; owner++)
            for (guint node = 0; node < w.n_nodes; node++)
                *term_at(&w, tree, owner, node) = place(&w, owner, node) < n_terms;
    *additions = 0;
    return walk_blocks(&w, additions);
}

/* --- exchange --- */

typedef struct {
    const UnevenCase *u;
    const gint64 *from, *to;
    gint64 *load;           /* [step][dimension][node] */
} Exchange;

/* Every processor sends to the one at `way` from it: part `tree` of that crosses `dimension` in `step`, having
 * crossed the dimensions `crossed`. */
static void exchange_hop(Exchange *x, guint tree, guint way, guint crossed, guint dimension, guint step)
{
    guint n = x->u->c.dimension, n_nodes = 1u << n;
    gint64 *load = &x->load[((gsize)step * n + dimension) << n];
    for (guint source = 0; source < n_nodes; source++)
        load[source ^ crossed] += part_of(x->from[source] * x->to[source ^ way], n_parts(x->u), tree);
}

/* Dimensions in ascending cyclic order, from the tree's first or from base(way) on; nRSBT waits for those that are not
 * crossed. */
static void exchange_way(Exchange *x, guint tree, guint way)
{
    guint n = x->u->c.dimension, crossed = 0;
    gboolean is_sbnt = x->u->routing == MATMUL_SBNT;
    guint start = is_sbnt ? cube_base(way, n) : tree;
    for (guint i = 0; i < n; i++) {
        guint dimension = (start + i) % n;
        if (way >> dimension & 1) {
            exchange_hop(x, tree, way, crossed, dimension, is_sbnt ? (guint)__builtin_popcount(crossed) : i);
            crossed |= 1u << dimension;
        }
    }
}

LockstepCount uneven_exchange(const UnevenCase *u, const gint64 *from, const gint64 *to)
{
    guint n = u->c.dimension;
    gsize n_loads = (gsize)n << n;
    g_autofree gint64 *load = g_new0(gint64, n * n_loads);
    Exchange x = {u, from, to, load};
    LockstepCount count = {0};
    for (guint tree = 0; tree < n_parts(u); tree++)
        for (guint way = 1; way < 1u << n; way++)
            exchange_way(&x, tree, way);
    for (guint step = 0; step < n; step++) {
        gint64 largest = take_largest(load + step * n_loads, n_loads);
        lockstep_add(&count, &u->c, largest > 0, (__int128)largest * u->c.element);
    }
    return count;
}
