#include "matmul_counts.h"
#include "matmul_a3b.h"
#include "matmul_torus.h"
#include "matmul_transposition.h"
#include "matmul_uneven.h"
#include "spanning.h"

#include <string.h>

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
    sum->largest_message = MAX(sum->largest_message, more->largest_message);
    sum->largest_packet = MAX(sum->largest_packet, more->largest_packet);
    if (sum->smallest_packet == 0 || (more->smallest_packet && more->smallest_packet < sum->smallest_packet))
        sum->smallest_packet = more->smallest_packet;
}

static void add_message(const Counting *k, LockstepCount *count, gint64 packet, gint64 times, gint64 elements)
{
    SpanningCase c = {.packet = packet, .element = k->c->element};
    lockstep_add(count, &c, elements > 0 ? times : 0, (__int128)elements * k->c->element);
}

static const char *const too_uneven = "blocks of several sizes are counted on up to 1024 processors";

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

static gboolean all_have_terms(const Ring *ring)
{
    return ring->n_terms == 0 || ring->n_terms == 1u << ring->m;
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
static LockstepCount even(Counting *k, const Ring *ring, const SpanningRow *row, const SpanningCase *c)
{
    k->exact.operations += ring->n_terms > 0 ? ((gint64)ring->n_terms - 1) * first(k, ring, 1) : 0;
    return row->exact(c);
}

static LockstepCount enumerated(Counting *k, const Ring *ring, const SpanningCase *c)
{
    UnevenCase u = {k->c->routing, k->c->ports, *c};
    if (ring->m > UNEVEN_DIMENSION_MAX) {
        k->reason = too_uneven;
        return (LockstepCount){0};
    }
    gint64 blocks[1 << UNEVEN_DIMENSION_MAX], additions = 0;
    for (guint i = 0; i < 1u << ring->m; i++)
        blocks[i] = first(k, ring, i + 1) - first(k, ring, i);
    LockstepCount count = ring->n_terms ? uneven_reduction(&u, blocks, ring->n_terms, &additions)
                                        : uneven_broadcast(&u, blocks);
    k->exact.operations += additions;
    return count;
}

/* The doublings of a routing with one port whose messages are what neighbours have together; -1 of the others. */
static int n_doublings(const MatmulCase *c, const Ring *ring)
{
    if (c->ports == PORTS_ALL || c->routing == MATMUL_NRSBT || c->routing == MATMUL_SBNT)
        return -1;
    if (c->routing == MATMUL_SBT)
        return (int)ring->m;
    if (!all_have_terms(ring))
        return -1;
    return c->routing == MATMUL_HYBRID ? (int)MIN(c->accumulate, ring->m) : 0;
}

static LockstepCount count_ring(Counting *k, const MatmulPhase *phase)
{
    Ring ring = ring_of(k, phase);
    gint64 packet = matmul_packet(k->c, phase, k->terms);
    SpanningCase c = {.dimension = ring.m, .bytes = first(k, &ring, 1) * k->c->element, .packet = packet,
                      .element = k->c->element, .accumulate = MIN(k->c->accumulate, ring.m)};
    int doublings = n_doublings(k->c, &ring);
    const SpanningRow *row = spanning_find("all-broadcast", matmul_routing_names[k->c->routing], k->c->ports);
    if (ring.m == 0)
        return (LockstepCount){0};
    if (doublings >= 0)
        return doubling(k, &ring, packet, (guint)doublings);
    if (ring.size % (1u << ring.m) == 0 && all_have_terms(&ring))
        return even(k, &ring, row, &c);
    return enumerated(k, &ring, &c);
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
    Pipeline p = {k->c, matmul_blocks_are_equal(k->c, phase), block,
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
    gboolean is_sbnt = k->c->routing == MATMUL_SBNT;
    gint64 bundle = (gint64)matmul_share(sizes[0], n) * matmul_share(sizes[1], n);
    SpanningCase c = {.dimension = n, .bytes = bundle * k->c->element, .element = k->c->element,
                      .packet = matmul_packet(k->c, phase, k->terms)};
    if (matmul_blocks_are_equal(k->c, phase))
        return (is_sbnt ? lockstep_sbnt_exchange : lockstep_nrsbt_exchange)(&c);
    if (n > UNEVEN_DIMENSION_MAX) {
        k->reason = too_uneven;
        return (LockstepCount){0};
    }
    gint64 shares[2][1 << UNEVEN_DIMENSION_MAX];
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < 1u << n; i++)
            shares[side][i] = matmul_share_of_first(sizes[side], n, k->c->layout, i + 1) -
                              (gint64)matmul_share_of_first(sizes[side], n, k->c->layout, i);
    return uneven_exchange(&(UnevenCase){is_sbnt ? MATMUL_SBNT : MATMUL_NRSBT, PORTS_ALL, c}, shares[0], shares[1]);
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

/* Both broadcasts of a1 at a time: the longer one counts. */
static void count_at_a_time(Counting *k)
{
    LockstepCount moved[2] = {count_ring(k, &k->recipe->phases[0]), count_ring(k, &k->recipe->phases[1])};
    gboolean second = moved_ps(k, &moved[1]) > moved_ps(k, &moved[0]);
    LockstepCount all = moved[0];
    add_moved(&all, &moved[1]);
    k->exact.moved = moved[second];
    k->exact.moved.smallest_packet = all.smallest_packet;
    k->exact.moved.largest_packet = all.largest_packet;
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
        count_at_a_time(k);
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
    k->exact.operations += matmul_a3b(k->c, messages) + multiplication(k);
    for (guint i = 0; i < k->c->grid.n1 + k->c->grid.n2; i++)
        add_message(k, &k->exact.moved, k->c->packet, 1, messages[i]);
}

static void count_torus(Counting *k)
{
    const MatmulCase *c = k->c;
    matmul_torus(c, &k->exact.moved, &k->reason);
    k->exact.operations = 2 * (gint64)c->shape.q * matmul_torus_share(c, c->shape.p, c->grid.n1) *
                          matmul_torus_share(c, c->shape.r, c->grid.n2);
}

gboolean matmul_counts(const MatmulCase *c, const MatmulTerms *terms, MatmulExact *exact, const char **reason)
{
    Counting k = {.c = c, .terms = terms, .recipe = matmul_recipe_at_first(c->algorithm)};
    if (!k.recipe)
        count_torus(&k);
    else if (!spanning_find("all-broadcast", matmul_routing_names[c->routing], c->ports))
        k.reason = c->ports == PORTS_ALL ? "the routing is for one port" : "the routing is for n ports";
    else if (c->algorithm == MATMUL_A3B && c->grid.n1 < c->grid.n2)
        k.reason = "a3b needs at least as many rows as columns of processors";
    else if (c->algorithm == MATMUL_A3B)
        count_a3b(&k);
    else
        count_recipe(&k);
    *exact = k.exact;
    *reason = k.reason;
    return !k.reason;
}

const char *matmul_unpublished_reason(const MatmulExact *exact, const Machine *machine)
{
    const LockstepCount *moved = &exact->moved;
    if (machine_terms(machine, moved->smallest_packet) == machine_terms(machine, moved->largest_packet))
        return NULL;
    return "Johnsson & Ho's tables have one start-up time; here are short and long packets, which differ";
}

MatmulCount matmul_exact_count(const MatmulExact *exact, gint64 element)
{
    return (MatmulCount){{exact->moved.bytes, element}, {exact->moved.startups, 1}, exact->operations};
}
