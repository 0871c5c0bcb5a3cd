/* A4 with n ports: all exchanges of a level of the recursion at a time, pipelined, over as many paths as there are
 * (Ho & Johnsson 1988, sec. 4.4.2, which refers to their Multiple Path Transpose; worked out here).
 *
 * The exchanges of a level have m pairs of dimensions. Let the bits of x differ in H of these pairs. The data of x
 * must cross these H pairs, one after another: path p < H begins at the pth and goes on cyclically. The data is in
 * two families: one crosses the first dimension of every pair first, the other the second dimension. Between pairs a
 * packet is at a processor whose bits differ in the same pairs. All such processors do the same at the same time, so
 * that no two packets want a channel. Within a pair the packet is at a processor whose bits there are equal, which
 * gets nothing else over these two dimensions. While a packet makes the second crossing of a pair, the next packet
 * makes the first. With C packets in a family, path p has every Hth of them, M = C/H rounded up. Packet u is at its
 * tth pair in cycles t S + u and t S + u + 1, with S = max(M, 2). */
#include "permutation_cycles.h"
#include "sim/patterns/registry.h"

typedef struct {
    guint n_pairs;
    Pair pair[CYCLE_MAX];
} Pairs;

static guint per_family(const Plan *plan)
{
    return (plan->layout.n_pieces + 1) / 2;
}

static guint packets_of_path(const Plan *plan, guint n_differing)
{
    return (per_family(plan) + n_differing - 1) / n_differing;
}

static guint stride(const Plan *plan, guint n_differing)
{
    return MAX(2, packets_of_path(plan, n_differing));
}

/* Returns the pairs in which the bits of x differ: bit q for pair q. */
static guint differing_pairs(const Pairs *pairs, guint x)
{
    guint differing = 0;
    for (guint q = 0; q < pairs->n_pairs; q++)
        differing |= ((x >> pairs->pair[q].first ^ x >> pairs->pair[q].second) & 1) << q;
    return differing;
}

/* Returns the piece of `family` that makes its first crossing of pair q in `cycle`; -1: there is none. Bit p of
 * `differing` is 1 if the sender's bits of pair p differ; bit q must be 1. */
static gint64 first_crossing(const Plan *plan, guint differing, guint q, guint family, guint cycle)
{
    guint n = (guint)__builtin_popcount(differing), position = (guint)__builtin_popcount(differing & ((1u << q) - 1));
    guint t = cycle / stride(plan, n), u = cycle % stride(plan, n);
    if (t >= n)
        return -1;
    guint packet = u * n + (position + n - t) % n;
    guint piece = family * per_family(plan) + packet;
    gboolean exists = packet < per_family(plan) && pieces_of_run(plan, piece, 1) > 0;
    return exists && u < packets_of_path(plan, n) ? (gint64)piece : -1;
}

/* Returns the dimension of pair q that packets of a family (0 or 1) cross first; with `second` the other
 * dimension. */
static guint crossed(const Pairs *pairs, guint q, guint family, gboolean second)
{
    return (family == 0) != second ? pairs->pair[q].first : pairs->pair[q].second;
}

/* Returns the slot in which a packet of a family waits between its two crossings of pair q. */
static guint middle_slot(const Plan *plan, guint q, guint family)
{
    return plan->layout.n_pieces + 2 * q + family;
}

/* Adds the messages that `node` sends and awaits in step `cycle` of a level for pair q. Packets of family 0 cross the
 * pair's first dimension first, packets of family 1 the second. If the node's bits differ in the pair, it sends first
 * crossings and receives second crossings. Otherwise packets pass through it between their two crossings. */
static void a4_cross(const Plan *plan, const Pairs *pairs, guint node, guint q, guint family, guint cycle,
                     Step *out)
{
    guint own = differing_pairs(pairs, node), middle = middle_slot(plan, q, family);
    guint first = node ^ 1u << crossed(pairs, q, family, FALSE), second = node ^ 1u << crossed(pairs, q, family, TRUE);
    gint64 now = first_crossing(plan, own | 1u << q, q, family, cycle);
    gint64 before = cycle > 0 ? first_crossing(plan, own | 1u << q, q, family, cycle - 1) : -1;
    gboolean differs = own >> q & 1;
    if (differs && now >= 0)
        step_send_slots(out, first, (guint)now, 1, middle);
    if (!differs && before >= 0)
        step_send_slots(out, second, middle, 1, (guint)before);
    if (differs ? before >= 0 : now >= 0)
        step_await(out, differs ? second : first);
}

/* Returns the number of cycles that a level takes at processors whose bits differ in n of its pairs. */
static guint cycles_of(const Plan *plan, guint n)
{
    return (n - 1) * stride(plan, n) + packets_of_path(plan, n) + 1;
}

static guint cycles_of_level(const Plan *plan, guint n_pairs)
{
    guint most = 0;
    for (guint n = 1; n <= n_pairs; n++)
        most = MAX(most, cycles_of(plan, n));
    return most;
}

static void a4_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    Pairs pairs;
    guint level = 0, cycle = k, cycles;
    while (pairs.n_pairs = cycles_halvings(&plan->problem.permutation, level, pairs.pair),
           cycle >= (cycles = cycles_of_level(plan, pairs.n_pairs))) {
        cycle -= cycles;
        level++;
    }
    for (guint q = 0; q < pairs.n_pairs; q++)
        for (guint family = 0; family < 2; family++)
            a4_cross(plan, &pairs, node, q, family, cycle, out);
    out->phase = k == 0;
}

/* Returns the largest number of pairs of a level. */
static guint most_pairs(const Permutation *permutation)
{
    Pair pairs[CYCLE_MAX];
    guint n, most = 0;
    for (guint level = 0; (n = cycles_halvings(permutation, level, pairs)) > 0; level++)
        most = MAX(most, n);
    return most;
}

static Schedule *a4_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = a4_step};
    Layout layout = layout_of_problem(problem);
    layout.n_owners = 1 + (2 * most_pairs(&problem->permutation) + layout.n_pieces - 1) / layout.n_pieces;
    Plan *plan = plan_new(sizeof *plan, &class, problem, &layout);
    Pair pairs[CYCLE_MAX];
    guint n;
    for (guint level = 0; (n = cycles_halvings(&problem->permutation, level, pairs)) > 0; level++)
        plan->head.n_steps += cycles_of_level(plan, n);
    return &plan->head;
}

/* Returns the number of parts of the data, 2 families x paths x 2 packets. With fewer packets, channels would be idle
 * where the bits of all pairs differ. */
static guint a4_n_parts(const Problem *problem)
{
    return MAX(1, 4 * most_pairs(&problem->permutation));
}

const Algorithm algorithm_a4_permutation_n = {
    .name = "a4",
    .pattern = &pattern_permutation,
    .n_port = TRUE,
    .summary = "exchanges that halve the cycles, all of a level at a time, packets one after another over all paths",
    .source = "Ho & Johnsson 1988, sec. 4.4.2, Algorithm A4; paths worked out here",
    .takes = TAKES_PACKETS,
    .n_parts = a4_n_parts,
    .make = a4_make,
};
