#include "matmul_counts.h"
#include "matmul_torus.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

#include <string.h>

/* --- messages of transpositions --- */

/* Element (a, b) goes from the owners of row a and column b of the grid to the owners of row b and column a. On
 * its way, each bit of its processor's address depends on a alone or on b alone; so the largest message is a product:
 * the most of a and the most of b that agree in those bits. */

/* Some of a side that have the same owners among rows and among columns. */
typedef struct {
    guint row, column, count;
} Run;

/* The two sides of a matrix, and how many indices agree. */
typedef struct {
    const MatmulCase *c;
    GArray *runs[2];            /* Run */
    guint *agree;               /* [2 N], zeros */
} Sides;

/* A dimension that is crossed: its bit in the number of a row, or of a column, of the grid. */
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

static Sides sides_new(const MatmulCase *c, guint first, guint second)
{
    return (Sides){c, {runs_of(c, first), runs_of(c, second)}, g_new0(guint, (gsize)2 << (c->grid.n1 + c->grid.n2))};
}

static void sides_clear(Sides *sides)
{
    g_array_unref(sides->runs[0]);
    g_array_unref(sides->runs[1]);
    g_free(sides->agree);
}

/* The most indices of a side whose owners agree in the bits `rows` and `columns`: of those with 0 in the bit that is
 * crossed, and of those with 1. */
static void fullest(const Sides *sides, guint side, guint rows, guint columns, Crossing crossing, gint64 most[2])
{
    const Run *first = (const Run *)(gpointer)sides->runs[side]->data, *end = first + sides->runs[side]->len;
    guint n2 = sides->c->grid.n2;
    most[0] = most[1] = 0;
    for (const Run *run = first; run < end; run++) {
        guint value = (crossing.of_row ? run->row : run->column) >> crossing.bit & 1;
        guint *agree = &sides->agree[2 * ((run->row & rows) << n2 | (run->column & columns)) + value];
        *agree += run->count;
        most[value] = MAX(most[value], *agree);
    }
    for (const Run *run = first; run < end; run++) {
        guint place = (run->row & rows) << n2 | (run->column & columns);
        sides->agree[2 * place] = sides->agree[2 * place + 1] = 0;
    }
}

/* A processor sends what has one value of the bit by a, and the other by b. */
static gint64 larger_product(const gint64 of_a[2], const gint64 of_b[2])
{
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

/* `rows` and `columns`: the bits of the address that already equal the destination's. */
static void transposition_of_any(const MatmulCase *c, guint height, guint width, gint64 *messages)
{
    Sides sides = sides_new(c, height, width);
    guint rows = 0, columns = 0;
    for (guint i = 0; i < MAX(c->grid.n1, c->grid.n2); i++)
        for (int of_row = 1; of_row >= 0; of_row--) {
            gint64 of_a[2], of_b[2];
            Crossing crossing = crossing_of(c, of_row, i);
            if (i >= (of_row ? c->grid.n1 : c->grid.n2))
                continue;
            fullest(&sides, 0, ~rows, columns, crossing, of_a);
            fullest(&sides, 1, rows, ~columns, crossing, of_b);
            *messages++ = larger_product(of_a, of_b);
            *(of_row ? &rows : &columns) |= 1u << crossing.bit;
        }
    sides_clear(&sides);
}

/* What has been counted before. */
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

/* Whether max(N1,N2) divides both sides of the matrix: all blocks, and what goes from one to another, are as large. */
static gboolean blocks_are_equal(const MatmulCase *c, const MatmulPhase *phase)
{
    guint rows = matmul_side(&c->shape, phase->by_rows), columns = matmul_side(&c->shape, phase->by_columns);
    return !((rows | columns) & ((1u << MAX(c->grid.n1, c->grid.n2)) - 1));
}

void matmul_transposition(const MatmulCase *c, const MatmulPhase *phase, gint64 *messages)
{
    guint rows = matmul_side(&c->shape, phase->by_rows), columns = matmul_side(&c->shape, phase->by_columns);
    if (blocks_are_equal(c, phase))
        transposition_of_equal(c, matmul_block(c, phase), messages);
    else if (c->transpositions)
        known_transposition(c, rows, columns, messages);
    else
        transposition_of_any(c, rows, columns, messages);
}

/* --- what follows the multiplication of a3b, N1 >= N2 --- */

/* Bit number i of a row's address in the order in which sums go: the low ones tell rows of a set apart, in the cyclic
 * layout the high ones. */
static guint row_bit(const MatmulCase *c, guint i)
{
    guint n1 = c->grid.n1, apart = n1 - c->grid.n2;
    if (c->layout == MATMUL_CYCLIC)
        return (c->grid.n2 + i) % n1;
    return i < apart ? apart - 1 - i : n1 - 1 - (i - apart);
}

/* Sums of A^T go within columns to the processor row where they belong: over the n1 - n2 dimensions that tell apart the
 * rows of the grid which share a column's rows of A, then over the others. Each goes to a processor whose bit is 1 from
 * one whose bit is 0, and back if any of the former has a term. */
static gint64 a3b_sums(const MatmulCase *c, const Sides *sides, gint64 *messages)
{
    guint done = 0, n_terms = matmul_owners(c->shape.q, c->grid.n1, c->layout);
    gint64 additions = 0, rows[2];
    for (guint i = 0; i < c->grid.n1; i++) {
        guint bit = row_bit(c, i);
        gboolean both = n_terms > 1u << bit;
        fullest(sides, 0, done, ~0u, (Crossing){TRUE, bit}, rows);
        messages[i] = MAX(rows[1], both ? rows[0] : 0) * c->shape.r;
        additions += both ? messages[i] : 0;
        done |= 1u << bit;
    }
    return additions;
}

/* The largest message of each of the n1 + n2 steps, in elements: of sums within columns, which then are scattered
 * within rows. Returns the additions of the busiest processors. */
static gint64 a3b_messages(const MatmulCase *c, gint64 *messages)
{
    Sides sides = sides_new(c, c->shape.p, c->shape.r);
    gint64 additions = a3b_sums(c, &sides, messages), rows[2], columns[2];
    for (guint i = 0, done = 0; i < c->grid.n2; i++) {
        Crossing crossing = crossing_of(c, FALSE, i);
        fullest(&sides, 0, ~0u, ~done, crossing, rows);
        fullest(&sides, 1, 0, done, crossing, columns);
        messages[c->grid.n1 + i] = larger_product(rows, columns);
        done |= 1u << crossing.bit;
    }
    sides_clear(&sides);
    return additions;
}

/* The most that a processor has of a side of `size` that 2^m processors share, which is cut for the torus: several
 * blocks as large as the largest. */
static guint torus_share(const MatmulCase *c, guint size, guint m)
{
    guint finest = MAX(c->grid.n1, c->grid.n2);
    return matmul_share_of_first(size, finest, c->layout, 1u << (finest - m));
}

/* --- a multiplication --- */

typedef struct {
    const MatmulCase *c;
    const MatmulTerms *terms;
    const MatmulRecipe *recipe;
    MatmulExact exact;
    const char *reason;
} Counting;

/* --- sums of counts --- */

static void add_moved(LockstepCount *sum, const LockstepCount *more)
{
    sum->bytes += more->bytes;
    sum->startups += more->startups;
    sum->largest_packet = MAX(sum->largest_packet, more->largest_packet);
    if (sum->smallest_packet == 0 || (more->smallest_packet && more->smallest_packet < sum->smallest_packet))
        sum->smallest_packet = more->smallest_packet;
}

static void add_message(const Counting *k, LockstepCount *count, gint64 packet, gint64 times, gint64 elements)
{
    lockstep_add(count, packet, elements > 0 ? times : 0, (__int128)elements * k->c->element);
}

/* --- blocks of several sizes --- */

/* What all-to-all communication with n ports takes when the processors' blocks have different sizes, by nrsbt, sbnt or,
 * in a broadcast, gcea. Data in n parts is cut as in spanning.h. */
typedef struct {
    MatmulRouting routing;
    SpanningCase c;             /* dimension, packet and element */
} Uneven;

/* The most dimensions that are enumerated. */
#define UNEVEN_DIMENSION_MAX 10

static const char *const too_uneven = "blocks of several sizes are counted on up to 1024 processors";

/* The last hop of tree number `tree` to the node at `node` from the block's owner. */
typedef struct {
    guint tree, node, parent, dimension, step;
} Hop;

static guint n_parts(const Uneven *u)
{
    return u->routing == MATMUL_SBNT ? 1 : u->c.dimension;
}

static gint64 part_of(gint64 elements, guint parts, guint part)
{
    return elements / parts + (part < elements % parts);
}

/* Spanning trees set the ones of a node in ascending cyclic order from `start` on, all nodes at a distance in a step.
 * On a ring in the order of the Gray code a step is a hop. */
static Hop hop_to(const Uneven *u, guint tree, guint node)
{
    guint n = u->c.dimension, start = u->routing == MATMUL_SBNT ? cube_base(node, n) : tree;
    guint r = cube_rotate_right(node, n, start), turn = graph_gray_position(r);
    gboolean on_ring = u->routing == MATMUL_GCEA;
    guint last = on_ring ? (guint)g_bit_nth_lsf(turn, -1) : g_bit_storage(r) - 1, dimension = (start + last) % n;
    return (Hop){tree, node, node ^ 1u << dimension, dimension, on_ring ? turn : (guint)__builtin_popcount(node)};
}

static int compare_steps(gconstpointer a, gconstpointer b)
{
    guint x = ((const Hop *)a)->step, y = ((const Hop *)b)->step;
    return (x > y) - (x < y);
}

/* All hops, by steps. */
static GArray *all_hops(const Uneven *u)
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

typedef struct {
    const Uneven *u;
    const gint64 *blocks;
    guint n_nodes;
    gboolean *has_term;         /* [part][owner][node]: of sums on their way */
    gint64 *load, *added;       /* in this step: [dimension][node], [node] */
} Walk;

static gboolean *term_at(const Walk *w, guint tree, guint owner, guint node)
{
    return &w->has_term[((gsize)tree * w->n_nodes + owner) * w->n_nodes + node];
}

/* The sums of `owner` make a hop, to the node's parent. */
static void walk_hop(Walk *w, const Hop *hop, guint owner)
{
    gint64 elements = part_of(w->blocks[owner], n_parts(w->u), hop->tree);
    gboolean *there = term_at(w, hop->tree, owner, hop->parent);
    if (!*term_at(w, hop->tree, owner, hop->node))
        return;
    if (*there)
        w->added[owner ^ hop->parent] += elements;
    *there = TRUE;
    w->load[hop->dimension * w->n_nodes + (owner ^ hop->node)] += elements;
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
        lockstep_add(&count, w->u->c.packet, largest > 0, (__int128)largest * w->u->c.element);
        *additions += take_largest(w->added, w->n_nodes);
    }
    return count;
}

/* A reduction: processor i gets blocks[i] sums, of each of which the first n_terms processors have a term; no sums of
 * none are sent. `additions` becomes the most of any processor in each step, together. A broadcast of the blocks is the
 * same backwards, with as many terms as processors. */
static LockstepCount walk_blocks(const Uneven *u, const gint64 *blocks, guint n_terms, gint64 *additions)
{
    guint n_nodes = 1u << u->c.dimension;
    g_autofree gint64 *load = g_new0(gint64, (gsize)u->c.dimension * n_nodes), *added = g_new0(gint64, n_nodes);
    g_autofree gboolean *has_term = g_new(gboolean, (gsize)n_parts(u) * n_nodes * n_nodes);
    Walk w = {u, blocks, n_nodes, has_term, load, added};
    for (guint tree = 0; tree < n_parts(u); tree++)
        for (guint owner = 0; owner < n_nodes; owner++)
            for (guint node = 0; node < n_nodes; node++)
                *term_at(&w, tree, owner, node) = (owner ^ node) < n_terms;
    *additions = 0;
    return walk(&w, additions);
}

/* Every processor sends to the one at `way` from it, by one of the trees: adds what crosses a dimension in a step to
 * load[step][dimension][node]. Dimensions are in ascending cyclic order, from the tree's first or from base(way) on;
 * nRSBT waits for those that are not crossed. */
static void exchange_way(const Uneven *u, const gint64 *from, const gint64 *to, guint tree, guint way, gint64 *load)
{
    guint n = u->c.dimension, crossed = 0;
    gboolean is_sbnt = u->routing == MATMUL_SBNT;
    guint start = is_sbnt ? cube_base(way, n) : tree;
    for (guint i = 0; i < n; i++) {
        guint dimension = (start + i) % n, step = is_sbnt ? (guint)__builtin_popcount(crossed) : i;
        gint64 *of_step = load + (((gsize)step * n + dimension) << n);
        if (!(way >> dimension & 1))
            continue;
        for (guint source = 0; source < 1u << n; source++)
            of_step[source ^ crossed] += part_of(from[source] * to[source ^ way], n_parts(u), tree);
        crossed |= 1u << dimension;
    }
}

/* A complete exchange: processor i has from[i] to[j] elements for processor j. */
static LockstepCount exchange_blocks(const Uneven *u, const gint64 *from, const gint64 *to)
{
    guint n = u->c.dimension;
    gsize n_loads = (gsize)n << n;
    g_autofree gint64 *load = g_new0(gint64, n * n_loads);
    LockstepCount count = {0};
    for (guint tree = 0; tree < n_parts(u); tree++)
        for (guint way = 1; way < 1u << n; way++)
            exchange_way(u, from, to, tree, way, load);
    for (guint step = 0; step < n; step++) {
        gint64 largest = take_largest(load + step * n_loads, n_loads);
        lockstep_add(&count, u->c.packet, largest > 0, (__int128)largest * u->c.element);
    }
    return count;
}

/* --- broadcasts and reductions --- */

/* The side of a phase's matrix that is shared along the ring, and what a processor has of the other. */
typedef struct {
    guint size, m;
    gint64 other;
    guint n_terms;              /* processors with terms; 0: a broadcast */
} Ring;

static Ring ring_of(const Counting *k, const MatmulPhase *phase)
{
    const MatmulGrid *grid = &k->c->grid;
    guint rows = matmul_side(&k->c->shape, phase->by_rows), columns = matmul_side(&k->c->shape, phase->by_columns);
    Ring ring = phase->within_rows ? (Ring){columns, grid->n2, matmul_share(rows, grid->n1), 0}
                                   : (Ring){rows, grid->n1, matmul_share(columns, grid->n2), 0};
    if (phase->kind == MATMUL_REDUCE)
        ring.n_terms = matmul_owners(k->c->shape.q, ring.m, k->c->layout);
    return ring;
}

static gint64 first(const Counting *k, const Ring *ring, guint count)
{
    return ring->other * matmul_share_of_first(ring->size, ring->m, k->c->layout, count);
}

/* One port: `doublings` steps with what 2^i neighbours have together, then a ring of those that have as much. In a
 * reduction of sums that the first processors have terms of, those send to others that have none, as long as these are
 * no more than 2^i; and that takes no addition. */
static LockstepCount doubling(Counting *k, const Ring *ring, gint64 packet, guint doublings)
{
    LockstepCount count = {0};
    for (guint i = 0; i < doublings; i++) {
        gboolean to_others = ring->n_terms > 0 && ring->n_terms <= 1u << i;
        gint64 elements = to_others ? first(k, ring, 2u << i) - first(k, ring, 1u << i) : first(k, ring, 1u << i);
        add_message(k, &count, packet, 1, elements);
        k->exact.operations += ring->n_terms > 0 && !to_others ? elements : 0;
    }
    gint64 hops = ((gint64)1 << (ring->m - doublings)) - 1, elements = first(k, ring, 1u << doublings);
    add_message(k, &count, packet, hops, elements);
    k->exact.operations += ring->n_terms > 0 ? hops * elements : 0;
    return count;
}

/* Closed forms of blocks of one size. */
static LockstepCount even(Counting *k, const Ring *ring, const SpanningCase *c)
{
    const SpanningRow *row = spanning_find("all-broadcast", matmul_routing_names[k->c->routing], PORTS_ALL);
    k->exact.operations += ring->n_terms > 0 ? ((gint64)ring->n_terms - 1) * first(k, ring, 1) : 0;
    return row->exact(c);
}

static LockstepCount enumerated(Counting *k, const Ring *ring, const SpanningCase *c)
{
    Uneven u = {k->c->routing, *c};
    if (ring->m > UNEVEN_DIMENSION_MAX) {
        k->reason = too_uneven;
        return (LockstepCount){0};
    }
    gint64 blocks[1 << UNEVEN_DIMENSION_MAX], additions;
    for (guint i = 0; i < 1u << ring->m; i++)
        blocks[i] = first(k, ring, i + 1) - first(k, ring, i);
    LockstepCount count = walk_blocks(&u, blocks, ring->n_terms ? ring->n_terms : 1u << ring->m, &additions);
    k->exact.operations += ring->n_terms ? additions : 0;
    return count;
}

static LockstepCount count_in_ring(Counting *k, const Ring *ring, gint64 packet)
{
    SpanningCase c = {.dimension = ring->m, .bytes = first(k, ring, 1) * k->c->element, .packet = packet,
                      .element = k->c->element};
    if (ring->m == 0)
        return (LockstepCount){0};
    if (k->c->ports == PORTS_ONE)       /* the others, which are linear arrays, pass blocks along a ring */
        return doubling(k, ring, packet, k->c->routing == MATMUL_SBT ? ring->m : 0);
    if (ring->size % (1u << ring->m) == 0 && (ring->n_terms == 0 || ring->n_terms == 1u << ring->m))
        return even(k, ring, &c);
    return enumerated(k, ring, &c);
}

static LockstepCount count_ring(Counting *k, const MatmulPhase *phase)
{
    Ring ring = ring_of(k, phase);
    return count_in_ring(k, &ring, matmul_packet(k->c, phase, k->terms));
}

/* --- transpositions --- */

/* A transposition in packets: what each processor has at most, and cuts into packets. */
typedef struct {
    const MatmulCase *c;
    gboolean is_even;           /* all blocks are as large */
    gint64 block, packet;
    gint64 steps[MACHINE_DIMENSION_MAX];        /* the largest messages of whole blocks */
} Pipeline;

static Pipeline pipeline_of(const Counting *k, const MatmulPhase *phase)
{
    gint64 bytes = matmul_packet(k->c, phase, k->terms), block = matmul_block(k->c, phase);
    Pipeline p = {k->c, blocks_are_equal(k->c, phase), block,
                  bytes ? CLAMP(bytes / k->c->element, 1, block) : block, {0}};
    matmul_transposition(k->c, phase, p.steps);
    return p;
}

/* Of the first `count` elements that are dealt out to 2^k destinations, those that cross in half step number `step`.
 * Elements 2i and 2i + 1 of a round cross in different ones: their destinations are i, and 2^k - 1 - i. */
static gint64 half_of(const Pipeline *p, guint step, gint64 count)
{
    guint k = (guint)ABS((int)p->c->grid.n1 - (int)p->c->grid.n2);
    guint bit = p->c->layout == MATMUL_CYCLIC ? step : k - 1 - step;
    gint64 last = count % ((gint64)1 << k) / 2;
    return count / 2 + (count % 2 ? last >> bit & 1 : 0);
}

/* Packet `i` in step `s`. On squares all of it goes to one processor, and moves or not. On others it moves in pairs of
 * steps, and halves of it in those that are left. Shares of blocks that are not as large are about even. */
static gint64 pipelined_message(const Pipeline *p, guint s, gint64 i)
{
    guint paired = 2 * MIN(p->c->grid.n1, p->c->grid.n2);
    gint64 first = i * p->packet, end = MIN(first + p->packet, p->block);
    if (i < 0 || first >= p->block)
        return 0;
    if (p->c->grid.n1 == p->c->grid.n2)
        return CLAMP(p->steps[s] - first, 0, p->packet);
    if (p->is_even)
        return s < paired ? end - first : half_of(p, s - paired, end) - half_of(p, s - paired, first);
    return (gint64)(((__int128)(end - first) * p->steps[s] + p->block - 1) / p->block);
}

/* Packet i is in step s of the dimensions in cycle i + s. */
static gint64 cycle_message(const Pipeline *p, gint64 cycle)
{
    gint64 largest = 0;
    for (guint s = 0; s < p->c->grid.n1 + p->c->grid.n2; s++)
        largest = MAX(largest, pipelined_message(p, s, cycle - s));
    return largest;
}

/* Most cycles are alike: those in which the step with the largest messages has a full packet. */
static LockstepCount pipelined(const Counting *k, const MatmulPhase *phase)
{
    LockstepCount count = {0};
    Pipeline p = pipeline_of(k, phase);
    guint n = k->c->grid.n1 + k->c->grid.n2, s = 0;
    for (guint i = 1; i < n; i++)
        s = p.steps[i] > p.steps[s] ? i : s;
    gint64 alike = (k->c->grid.n1 == k->c->grid.n2 ? p.steps[s] : p.block) / p.packet;
    gint64 cycles = (p.block + p.packet - 1) / p.packet + n - 1;
    for (gint64 cycle = 0; cycle < cycles; cycle++) {
        gint64 times = cycle == s && alike > 0 ? alike : 1;
        add_message(k, &count, k->c->packet, times, cycle_message(&p, cycle));
        cycle += times - 1;
    }
    return count;
}

/* Between rows or columns alone: a complete exchange, of blocks of any size. */
static LockstepCount exchanged(Counting *k, const MatmulPhase *phase)
{
    guint n = k->c->grid.n1 + k->c->grid.n2, by_rows = matmul_side(&k->c->shape, phase->by_rows);
    guint by_columns = matmul_side(&k->c->shape, phase->by_columns);
    guint sizes[2] = {k->c->grid.n1 ? by_rows : by_columns, k->c->grid.n1 ? by_columns : by_rows};
    gint64 bundle = (gint64)matmul_share(sizes[0], n) * matmul_share(sizes[1], n);
    SpanningCase c = {.dimension = n, .bytes = bundle * k->c->element, .element = k->c->element,
                      .packet = matmul_packet(k->c, phase, k->terms)};
    if (blocks_are_equal(k->c, phase))
        return spanning_find("complete-exchange", matmul_routing_names[k->c->routing], PORTS_ALL)->exact(&c);
    if (n > UNEVEN_DIMENSION_MAX) {
        k->reason = too_uneven;
        return (LockstepCount){0};
    }
    gint64 shares[2][1 << UNEVEN_DIMENSION_MAX];
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < 1u << n; i++)
            shares[side][i] = matmul_share_of_first(sizes[side], n, k->c->layout, i + 1) -
                              (gint64)matmul_share_of_first(sizes[side], n, k->c->layout, i);
    return exchange_blocks(&(Uneven){k->c->routing, c}, shares[0], shares[1]);
}

static LockstepCount count_transposition(Counting *k, const MatmulPhase *phase)
{
    LockstepCount count = {0};
    guint n = k->c->grid.n1 + k->c->grid.n2;
    gint64 messages[MACHINE_DIMENSION_MAX];
    if (k->c->ports == PORTS_ALL && n > 0)
        return matmul_is_pipelined(k->c, phase) ? pipelined(k, phase) : exchanged(k, phase);
    matmul_transposition(k->c, phase, messages);
    for (guint i = 0; i < n; i++)
        add_message(k, &count, matmul_packet(k->c, phase, k->terms), 1, messages[i]);
    return count;
}

/* --- recipes --- */

static void count_phase(Counting *k, const MatmulPhase *phase)
{
    LockstepCount one = phase->kind == MATMUL_TRANSPOSE ? count_transposition(k, phase) : count_ring(k, phase);
    add_moved(&k->exact.moved, &one);
}

static gint64 moved_ps(const Counting *k, const LockstepCount *moved)
{
    MatmulCount count = {{moved->bytes, 1}, {moved->startups, 1}, 0};
    return matmul_ps(&count, 1, k->terms);
}

/* Both broadcasts at a time: the longer one counts. */
static void count_at_a_time(Counting *k, LockstepCount first, LockstepCount second)
{
    LockstepCount *shorter = moved_ps(k, &second) > moved_ps(k, &first) ? &first : &second;
    shorter->bytes = shorter->startups = 0;     /* its packets stay the smallest or the largest */
    add_moved(&k->exact.moved, &first);
    add_moved(&k->exact.moved, &second);
}

/* Products and their sums, and E at home. */
static gint64 multiplication(const Counting *k)
{
    const MatmulCut *cut = k->recipe->cut;
    gint64 p = matmul_part(k->c, MATMUL_P, cut[MATMUL_P]), q = matmul_part(k->c, MATMUL_Q, cut[MATMUL_Q]),
           r = matmul_part(k->c, MATMUL_R, cut[MATMUL_R]);
    gint64 home = matmul_part(k->c, MATMUL_P, MATMUL_BY_ROWS) * matmul_part(k->c, MATMUL_R, MATMUL_BY_COLUMNS);
    return p * r * (2 * q - 1) + home;
}

static void count_recipe(Counting *k)
{
    if (k->c->algorithm == MATMUL_A1 && k->c->ports == PORTS_ALL)
        count_at_a_time(k, count_ring(k, &k->recipe->phases[0]), count_ring(k, &k->recipe->phases[1]));
    else
        for (guint i = 0; i < k->recipe->n_phases; i++)
            count_phase(k, &k->recipe->phases[i]);
    k->exact.operations += multiplication(k);
}

/* --- the others --- */

/* As a3 until it has multiplied. */
static void count_a3b(Counting *k)
{
    gint64 messages[MACHINE_DIMENSION_MAX];
    count_phase(k, &k->recipe->phases[0]);
    count_phase(k, &k->recipe->phases[1]);
    k->exact.operations += a3b_messages(k->c, messages) + multiplication(k);
    for (guint i = 0; i < k->c->grid.n1 + k->c->grid.n2; i++)
        add_message(k, &k->exact.moved, k->c->packet, 1, messages[i]);
}

/* --- three dimensions, where all blocks are as large --- */

static const char *uncounted_in_three(const MatmulCase *c)
{
    guint n1 = c->grid.n1, n2 = c->grid.n2, n3 = c->grid.n3;
    if (c->shape.p % (1u << (n1 + n2)) || c->shape.q % (1u << (MAX(n1, n2) + n3)) || c->shape.r % (1u << (n2 + n3)))
        return "three dimensions are counted where N1 N2 divides P, max(N1,N2) N3 divides Q, and N2 N3 divides R";
    return c->algorithm == MATMUL_3D_SHUFFLED && c->ports == PORTS_ALL && c->packet > 0
               ? "shuffles in packets are not counted" : NULL;
}

/* A broadcast of blocks, or a reduction to them, among 2^m processors. */
static LockstepCount count_line(Counting *k, guint m, gint64 block, gboolean sums)
{
    Ring ring = {1u << m, m, block, sums ? 1u << m : 0};
    return count_in_ring(k, &ring, k->c->packet);
}

/* Half a block across each of some dimensions. */
static void count_shuffle(Counting *k, gint64 block, guint dimensions)
{
    add_message(k, &k->exact.moved, k->c->packet, dimensions, block / 2);
}

static void count_in_three(Counting *k)
{
    const MatmulShape *s = &k->c->shape;
    guint n1 = k->c->grid.n1, n2 = k->c->grid.n2, n3 = k->c->grid.n3, n = n1 + n2 + n3;
    gint64 c = (gint64)s->p * s->q >> n, d = (gint64)s->q * s->r >> n, a = (gint64)s->p * s->r >> n;
    if (k->c->algorithm == MATMUL_3D_SHUFFLED && n3 > 0) {
        count_shuffle(k, c, n2 > 0 ? n2 + n3 : 0);
        count_shuffle(k, d, n1 + n3);
    }
    LockstepCount of_c = count_line(k, n2, c, FALSE), of_d = count_line(k, n1, d, FALSE);
    if (k->c->ports == PORTS_ALL)
        count_at_a_time(k, of_c, of_d);
    else {
        add_moved(&k->exact.moved, &of_c);
        add_moved(&k->exact.moved, &of_d);
    }
    LockstepCount sums = count_line(k, n3, a, TRUE);
    add_moved(&k->exact.moved, &sums);
    k->exact.operations += 2 * ((gint64)s->q >> n3) * (a << n3) - (n3 > 0 ? (a << n3) - a : 0);
}

static void count_torus(Counting *k)
{
    const MatmulCase *c = k->c;
    k->reason = matmul_torus_counts(c, &k->exact.moved);
    k->exact.operations = 2 * (gint64)c->shape.q * torus_share(c, c->shape.p, c->grid.n1) *
                          torus_share(c, c->shape.r, c->grid.n2);
}

const char *matmul_counts(const MatmulCase *c, const MatmulTerms *terms, MatmulExact *exact)
{
    Counting k = {.c = c, .terms = terms, .recipe = matmul_recipe_at_first(c->algorithm)};
    if (!matmul_is_counted(c->algorithm))
        k.reason = "no formula counts it";
    else if (matmul_is_deep(c->algorithm)) {
        k.reason = uncounted_in_three(c);
        if (!k.reason)
            count_in_three(&k);
    } else if (!k.recipe)
        count_torus(&k);
    else if (c->algorithm == MATMUL_A3B && c->grid.n1 < c->grid.n2)
        k.reason = "a3b needs at least as many rows as columns of processors";
    else if (c->algorithm == MATMUL_A3B)
        count_a3b(&k);
    else
        count_recipe(&k);
    *exact = k.exact;
    return k.reason;
}

MatmulCount matmul_exact_count(const MatmulExact *exact, gint64 element)
{
    return (MatmulCount){{exact->moved.bytes, element}, {exact->moved.startups, 1}, exact->operations};
}
