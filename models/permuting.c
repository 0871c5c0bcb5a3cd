#include "permuting.h"
#include "sim/cube/sequence.h"
#include "sim/text/input.h"

#include <math.h>

/* Values of the symbols of Table 2 (Ho & Johnsson 1988) for one permutation, amount of data and machine. */
struct PermutingEntry {
    const PermutingCase *c;     /* borrowed */
    const Machine *machine;     /* borrowed; may be NULL if neither tau_per_t_c nor steps are needed */
    Permutation real;           /* real cycles of the permutation, to which the symbols refer */
    guint exchanges;            /* number of exchanges of a real with a virtual dimension, in mixed cycles */
    guint n;                    /* number of dimensions that are not idle */
    guint sigma, beta, least, most;     /* sum of the orders of the cycles, number of cycles, smallest and largest order
                                         * of a cycle (1 for the identity) */
    gint64 split;               /* number of runs of the data, 2^idle; K is c->bytes/split */
    gint64 order;               /* order of the first cycle, or of the current one in a maximum over cycles */
    double K, tau_per_t_c;      /* bytes of a run of a processor's data; start-up time/transmission time of a byte */
};

static PermutingEntry make_entry(const PermutingCase *c, const Machine *machine)
{
    PermutingEntry e = {.c = c, .machine = machine, .real = permutation_real_part(c->permutation),
                        .n = c->permutation->dimension - c->idle, .least = 1, .most = 1, .split = (gint64)1 << c->idle};
    const Permutation *p = &e.real;
    e.sigma = permutation_order(p);
    e.beta = p->n_cycles;
    e.exchanges = permutation_real_order(c->permutation) - e.sigma;
    for (guint i = 0; i < p->n_cycles; i++) {
        guint length = permutation_cycle_length(p, i);
        e.least = i ? MIN(e.least, length) : length;
        e.most = MAX(e.most, length);
    }
    e.order = e.beta ? permutation_cycle_length(p, 0) : 0;
    e.K = (double)c->bytes / (double)e.split;
    const MachineTerms *terms = machine ? machine_terms(machine, c->bytes) : NULL;
    if (terms && terms->lambda_ps > 0)
        e.tau_per_t_c = (double)terms->lambda_ps / machine_byte_ps(terms->tau_fs_per_byte);
    return e;
}

static Rational permuting_share(const PermutingEntry *e, gint64 a, gint64 b)
{
    return (Rational){(__int128)e->c->bytes * a, b * e->split};
}

/* --- the bytes of each step ---
 *
 * Each step costs the time of its largest message, as all processors take it together. If parts of the data go
 * through different cycles at a time (A1a and A2 with n ports, A6), each part goes from step to step by itself. The
 * parts wait for each other at the end of each round; the steps counted are those of the slowest part. Data is cut
 * into equal consecutive pieces of whole elements, the larger ones first. A message is the data that crosses a
 * channel in a step.
 *
 * If v local dimensions move, the data is 2^v equal blocks. The real cycles go as without them, in pieces of whole
 * blocks. A mixed cycle takes a step for each of its real dimensions, in which all processors exchange half of their
 * blocks across it (sec. 4.1). A virtual cycle takes no step.
 *
 * With half duplex, which Table 2 does not cover, a step in which a processor both sends and receives counts twice:
 * all steps of A2 and A3, most of A1a, none of A0, A1, A4 and SPT. With idle dimensions the data is 2^idle runs of
 * pieces. Run p goes to the subcube whose idle bits spell p, across one idle dimension after another; with n ports in
 * `idle` parts that begin with different dimensions. It comes back in reverse order. */

/* Returns the time of one message of `bytes` in ps, packet by packet. */
static __int128 permuting_message_ps(const Machine *machine, gint64 packet, gint64 bytes)
{
    gint64 full = packet ? bytes / packet : 0, rest = bytes - full * packet;
    const MachineTerms *of_full = machine_terms(machine, packet), *of_rest = machine_terms(machine, rest);
    __int128 each = machine_bytes_ps(of_full->tau_fs_per_byte, packet) + of_full->lambda_ps;
    if (bytes == 0)
        return machine->lambda_zero_ps;
    return full * each + (rest ? machine_bytes_ps(of_rest->tau_fs_per_byte, rest) + of_rest->lambda_ps : 0);
}

/* Returns the time of the steps on the machine in ps, packet by packet; INPUT_TIME_MAX_PS for any longer time. */
static gint64 steps_ps(const PermutingSteps *steps, const Machine *machine, gint64 packet)
{
    __int128 sum = 0;
    for (guint k = 0; k < steps->n_steps; k++)
        sum += MIN(permuting_message_ps(machine, packet, steps->bytes[k]), INPUT_TIME_MAX_PS);
    return (gint64)MIN(sum, INPUT_TIME_MAX_PS);
}

/* How the data of a case is cut into pieces, and the steps counted so far. */
struct PermutingWalk {
    const PermutingRow *row;
    const PermutingEntry *e;
    gint64 run;             /* number of pieces of a run, which is the data of one subcube */
    gint64 ways;            /* pieces of each of the row_pieces() parts of a run: paths to subcubes x local blocks */
    PermutingSteps *steps;
};

static void permuting_add_step(PermutingSteps *steps, gint64 bytes)
{
    g_assert(steps->n_steps < PERMUTING_STEPS_MAX);
    steps->bytes[steps->n_steps++] = bytes;
    steps->largest = MAX(steps->largest, bytes);
}

/* Adds `times` steps that send `bytes` bytes, in pieces from `first` on. Without data only piece 0 is sent, empty. */
static void permuting_add_steps(PermutingSteps *steps, guint times, gint64 bytes, gint64 first)
{
    for (guint i = 0; i < times && (bytes > 0 || first == 0); i++)
        permuting_add_step(steps, bytes);
}

/* Returns the bytes of the `count` pieces from `first` on. */
static gint64 permuting_run_bytes(const PermutingWalk *w, gint64 first, gint64 count)
{
    gint64 elements = w->e->c->bytes / w->e->c->element, pieces = w->run << w->e->c->idle;
    return (elements / pieces * count + CLAMP(elements % pieces - first, 0, count)) * w->e->c->element;
}

/* Returns the bytes of the first run, and so of the processor with the most data. */
static gint64 whole_bytes(const PermutingWalk *w)
{
    return permuting_run_bytes(w, 0, w->run);
}

static guint length_of(const PermutingWalk *w, guint cycle)
{
    return permutation_cycle_length(&w->e->real, cycle);
}

/* --- A0, A1, A1a, A2, and A4 with one port --- */

static void walk_a0(const PermutingWalk *w)
{
    permuting_add_steps(w->steps, 2 * (w->e->sigma - w->e->beta), whole_bytes(w), 0);
}

static void walk_a1(const PermutingWalk *w)
{
    for (guint i = 0; i < w->e->beta; i++) {
        permuting_add_step(w->steps, whole_bytes(w));
        permuting_add_steps(w->steps, length_of(w, i) - 2, 2 * whole_bytes(w), 0);
        permuting_add_step(w->steps, whole_bytes(w));
    }
}

/* Adds the steps of A1a. With half duplex each step but the last of a cycle of order three or more becomes two, as
 * some processor both sends and receives. */
static void walk_a1a(const PermutingWalk *w)
{
    permuting_add_steps(w->steps, w->e->sigma, whole_bytes(w), 0);
    for (guint i = 0; i < w->e->beta && w->e->machine->duplex == DUPLEX_HALF; i++)
        permuting_add_steps(w->steps, length_of(w, i) > 2 ? length_of(w, i) - 1 : 0, whole_bytes(w), 0);
}

/* Adds the steps of A2. In each step some processor sends the longer half. */
static void walk_a2(const PermutingWalk *w)
{
    permuting_add_steps(w->steps, w->e->sigma + w->e->beta, permuting_run_bytes(w, 0, w->run / 2), 0);
}

/* --- A3 --- */

static gint64 a3_lots(const PermutingRow *row, const PermutingEntry *e)
{
    return (gint64)1 << e->n;
}

static gint64 a3_ports_lots(const PermutingRow *row, const PermutingEntry *e)
{
    return (gint64)e->n << e->n;
}

/* Returns how many of the numbers 0 ... x - 1 have none of the bits in `mask`. */
static gint64 count_without(gint64 x, guint mask)
{
    gint64 count = 0;
    for (guint b = MACHINE_DIMENSION_MAX + 1; b-- > 0;) {
        if (!(x >> b & 1))
            continue;
        guint free_bits = ((1u << b) - 1) & ~mask;
        count += (gint64)1 << (guint)__builtin_popcount(free_bits);
        if (mask >> b & 1)
            break;
    }
    return count;
}

/* Returns the bytes of the largest message in step k of part r. Steps 0 ... n-1 are the first complete exchange, the
 * others the second. `crossed` are the dimensions that the first exchange has crossed, this step included. A message
 * of the first exchange has the pieces whose numbers agree in the bits of `crossed`. A message of the second exchange
 * has those that agree in the other bits. Pieces are in order: the message in which these bits are 0 has most bytes. */
static gint64 a3_bytes(const PermutingWalk *w, guint r, guint k)
{
    guint n = w->e->n, t = k % n, crossed = 0;
    for (guint j = 0; j < t + (k < n); j++)
        crossed |= 1u << (r + j) % n;
    gint64 element = w->e->c->element, elements = w->e->c->bytes / element, pieces = w->run << w->e->c->idle;
    gint64 nodes = (gint64)1 << n, longer = CLAMP(elements % pieces - r * nodes * w->ways, 0, nodes * w->ways);
    gint64 of_each = k < n ? (gint64)1 << t : nodes >> (t + 1), all = longer / w->ways;
    guint fixed = k < n ? crossed : ~crossed & (guint)(nodes - 1);
    gint64 extra = w->ways * count_without(all, fixed) + (all & fixed ? 0 : longer % w->ways);
    return (elements / pieces * w->ways * (nodes / 2) + of_each * extra) * element;
}

static void walk_a3(const PermutingWalk *w)
{
    guint parts = (guint)(w->run / w->ways >> w->e->n);
    for (guint k = 0; k < 2 * w->e->n; k++) {
        gint64 most = 0;
        for (guint r = 0; r < parts; r++)
            most = MAX(most, a3_bytes(w, r, k));
        permuting_add_step(w->steps, most);
    }
}

/* --- rounds: k parts of the data go through k groups of cycles, part i in round r through group (i+r) mod k; after
 * each round the parts wait for each other --- */

static Grouping grouping_of(const PermutingRow *row, const PermutingEntry *e)
{
    Grouping g = grouping_of_permutation(&e->real, row->paths - 1);
    guint all = (1u << g.n) - 1;
    g.n_groups[all] = row->flat ? (guint8)g.n : g.n_groups[all];
    for (guint i = 0; i < g.n && row->flat; i++)
        g.group[all][i] = (guint16)(1u << i);
    return g;
}

/* Returns the least number of equal parts of the data for the rounds of `mask` and, recursively, of its groups. */
static gint64 group_lots(const Grouping *g, guint mask, guint paths)
{
    guint k = g->n_groups[mask];
    gint64 lots = 1;
    if (k == 1)
        return paths * (g->f[mask] + 1 - paths);
    for (guint i = 0; i < k; i++)
        lots = common_multiple(lots, group_lots(g, g->group[mask][i], paths));
    return k * lots;
}

static gint64 rounds_lots(const PermutingRow *row, const PermutingEntry *e)
{
    Grouping g = grouping_of(row, e);
    return group_lots(&g, (1u << g.n) - 1, row->paths);
}

static void add_rounds(const PermutingWalk *w, const Grouping *g, guint mask, gint64 first, gint64 count,
                       PermutingSteps *steps);

/* Adds the steps of round r of the groups in `mask`, each with a part of `count` pieces. The slowest part's steps
 * count. */
static void add_round(const PermutingWalk *w, const Grouping *g, guint mask, guint r, gint64 first, gint64 count,
                      PermutingSteps *steps)
{
    guint k = g->n_groups[mask];
    gint64 most_ps = -1;
    PermutingSteps longest = {0};
    for (guint i = 0; i < k; i++) {
        PermutingSteps part = {0};
        add_rounds(w, g, g->group[mask][(i + r) % k], first + i * count, count, &part);
        steps->largest = MAX(steps->largest, part.largest);
        gint64 ps = steps_ps(&part, w->e->machine, w->e->c->packet);
        if (ps > most_ps)
            longest = part;
        most_ps = MAX(most_ps, ps);
    }
    for (guint i = 0; i < longest.n_steps; i++)
        permuting_add_step(steps, longest.bytes[i]);
}

/* Adds the steps of `count` pieces from `first` on in the groups of `mask`: s + paths - 1 for a cycle of order s. */
static void add_rounds(const PermutingWalk *w, const Grouping *g, guint mask, gint64 first, gint64 count,
                       PermutingSteps *steps)
{
    guint k = g->n_groups[mask], paths = w->row->paths;
    if (k == 1) {
        guint order = length_of(w, (guint)g_bit_nth_lsf(mask, -1));
        permuting_add_steps(steps, order + paths - 1, permuting_run_bytes(w, first, count / (paths * order)), first);
    }
    for (guint r = 0; k > 1 && r < k; r++)
        add_round(w, g, mask, r, first, count / k, steps);
}

static void walk_rounds(const PermutingWalk *w)
{
    Grouping g = grouping_of(w->row, w->e);
    add_rounds(w, &g, (1u << g.n) - 1, 0, w->run, w->steps);
}

static gint64 in_turn_lots(const PermutingRow *row, const PermutingEntry *e)
{
    gint64 lots = 1;
    for (guint i = 0; i < e->beta; i++)
        lots = common_multiple(lots, row->paths * permutation_cycle_length(&e->real, i));
    return lots;
}

static void walk_in_turn(const PermutingWalk *w)
{
    for (guint i = 0; i < w->e->beta; i++) {
        guint paths = w->row->paths, order = length_of(w, i);
        permuting_add_steps(w->steps, order + paths - 1, permuting_run_bytes(w, 0, w->run / (paths * order)), 0);
    }
}

/* --- A5 --- */

#define IN_MEMORY G_MAXUINT8

/* One sequence of A5. `at`: where its virtual dimension is now, IN_MEMORY or at a processor dimension. */
typedef struct {
    guint8 dims[SEQUENCE_LENGTH_MAX];
    guint8 at;
} Sequence;

static gint64 a5_lots(const PermutingRow *row, const PermutingEntry *e)
{
    return 2 * sequence_count(&e->real);
}

/* Returns the bytes of the largest message across `dim` in step t. A sender with bit b in `dim` sends half of each part
 * that crosses `dim`: half 1 - b if `at` is IN_MEMORY, half b if `at` is `dim`. For parts with other values of `at`
 * half 0, the larger one, counts: some sender has bit 0 in the dimensions `at` of all these parts. */
static gint64 a5_bytes(const PermutingWalk *w, const Sequence *sequences, guint t, guint dim)
{
    gint64 most = 0;
    for (guint bit = 0; bit < 2; bit++) {
        gint64 bytes = 0;
        for (guint k = 0; k < sequence_count(&w->e->real); k++) {
            const Sequence *s = &sequences[k];
            gint64 half = s->at == IN_MEMORY ? 1 - bit : s->at == dim ? bit : 0;
            if (s->dims[t] == dim)
                bytes += permuting_run_bytes(w, (2 * (gint64)k + half) * w->ways, w->ways);
        }
        most = MAX(most, bytes);
    }
    return most;
}

static void walk_a5(const PermutingWalk *w)
{
    Sequence sequences[SEQUENCE_LENGTH_MAX + PERMUTATION_BITS_MAX];
    guint n = sequence_count(&w->e->real);
    for (guint k = 0; k < n; k++) {
        sequence_fill(&w->e->real, k, sequences[k].dims);
        sequences[k].at = IN_MEMORY;
    }
    for (guint t = 0; t < w->e->sigma + w->e->beta; t++) {
        gint64 most = 0;
        for (guint dim = 0; dim < w->e->n; dim++)
            most = MAX(most, a5_bytes(w, sequences, t, dim));
        permuting_add_step(w->steps, most);
        for (guint k = 0; k < n; k++) {
            guint8 dim = sequences[k].dims[t], *at = &sequences[k].at;
            *at = *at == IN_MEMORY ? dim : *at == dim ? IN_MEMORY : *at;
        }
    }
}

/* --- extended cubes --- */

/* Returns the most bytes of part i that a processor sends in step t of the expansion. A run is the data of one
 * subcube. In step t, part i of the runs crosses idle dimension (i + t) mod r. The processors that send most have 0 in
 * all dimensions that part i crossed in earlier steps. */
static gint64 way_bytes(const PermutingWalk *w, guint i, guint t)
{
    guint r = w->e->c->idle, crossed = 0, bit = 1u << (i + t) % r;
    gint64 bytes = 0, count = w->run / w->ways;
    for (guint j = 0; j < t; j++)
        crossed |= 1u << (i + j) % r;
    for (guint run = 0; run < 1u << r; run++)
        if ((run & bit) && !(run & crossed))
            bytes += permuting_run_bytes(w, run * w->run + i * count, count);
    return bytes;
}

/* Adds step t of the expansion. The compression takes the same steps in reverse order. */
static void permuting_spread(const PermutingWalk *w, guint t)
{
    gint64 most = 0;
    for (guint i = 0; i < w->ways; i++)
        most = MAX(most, way_bytes(w, i, t));
    permuting_add_steps(w->steps, 1, most, 1);
}

/* --- all of them --- */

static gint64 row_pieces(const PermutingRow *row, const PermutingEntry *e)
{
    return row->lots ? row->lots(row, e) : row->paths;
}

static void row_steps(const PermutingRow *row, const PermutingEntry *e, PermutingSteps *steps)
{
    guint idle = e->c->idle;
    gboolean whole = row->cycles == CYCLES_WHOLE;
    gint64 ways = row->ports == PORTS_ALL && idle > 0 ? idle : 1;
    if (whole)      /* all local blocks that are sent at once go in one message */
        ways <<= permutation_local_dimensions(e->c->permutation);
    PermutingWalk w = {row, e, row_pieces(row, e) * ways, ways, steps};
    gboolean half = e->machine->duplex == DUPLEX_HALF;
    for (guint t = 0; t < idle; t++)
        permuting_spread(&w, t);
    for (guint i = 0; (e->beta || whole) && i <= (guint)(row->exchanges && half); i++)
        row->walk(&w);
    if (!whole)     /* exchanges with virtual dimensions, each of half of the memory */
        permuting_add_steps(steps, (half ? 2 : 1) * e->exchanges, e->c->bytes / 2, 0);
    for (guint t = idle; t-- > 0;)
        permuting_spread(&w, t);
}

/* --- the entries of Table 2 as printed, for permutations other than the identity --- */

/* Returns ceil(K a/(b B)). */
static __int128 permuting_packets(const PermutingEntry *e, gint64 a, gint64 b)
{
    return transfer_packets(permuting_share(e, a, b), e->c->packet);
}

static TransferCount permuting_counts(Rational bytes, __int128 startups)
{
    return (TransferCount){bytes, {startups, 1}};
}

/* Returns `times` times K/parts transfers and ceil(K/(parts B)) start-ups. */
static TransferCount permuting_equal_steps(const PermutingEntry *e, gint64 times, gint64 parts)
{
    return permuting_counts(permuting_share(e, times, parts), times * permuting_packets(e, 1, parts));
}

#define EQUAL_STEPS(name, times, parts) \
    static TransferCount printed_##name(const PermutingEntry *e) { return permuting_equal_steps(e, times, parts); }

/* Returns ceil(log2 sigma_max). */
static guint levels_of(const PermutingEntry *e)
{
    return g_bit_storage(e->most - 1);
}

/* Returns 2(sigma - beta)K transfers and 2(sigma - beta) ceil(K/B) start-ups. */
EQUAL_STEPS(a0, 2 * (e->sigma - e->beta), 1)

/* Returns 2(sigma - beta)K transfers and (sigma - 2 beta) ceil(2K/B) + 2 beta ceil(K/B) start-ups. */
static TransferCount printed_a1(const PermutingEntry *e)
{
    __int128 double_packets = permuting_packets(e, 2, 1), packets = permuting_packets(e, 1, 1);
    __int128 startups = (e->sigma - 2 * e->beta) * double_packets + 2 * e->beta * packets;
    return permuting_counts(permuting_share(e, 2 * (e->sigma - e->beta), 1), startups);
}

/* Returns sigma K transfers and sigma ceil(K/B) start-ups. SPT takes as many (sec. 4.4.2). */
EQUAL_STEPS(a1a, e->sigma, 1)
/* Returns (sigma + beta)K/2 transfers and (sigma + beta) ceil(K/(2B)) start-ups. */
EQUAL_STEPS(a2, e->sigma + e->beta, 2)
/* Returns nK transfers and 2n ceil(K/(2B)) start-ups. */
EQUAL_STEPS(a3, 2 * e->n, 2)
/* Returns s K transfers and s ceil(K/B) start-ups, s = sigma ceil(log2 sigma_max). */
EQUAL_STEPS(a4, levels_of(e) * e->sigma, 1)
/* Returns K transfers; beta sigma_max ceil(K/(sigma_max beta B)) start-ups. Holds for DPT as well: with cycles of order
 * two beta sigma_max is sigma. */
EQUAL_STEPS(a1a_ports, e->beta * e->most, e->beta * e->most)
/* Returns beta times (sigma_i + 1)K/(2 sigma_i beta) transfers and (sigma_i + 1) ceil(K/(2 sigma_i beta B)) start-ups
 * for sigma_i = e->order. permuting_printed() takes the maximum over the cycles. */
EQUAL_STEPS(a2_ports, e->beta * (e->order + 1), 2 * e->order * e->beta)
/* Returns Lemma 6's sum over the cycles, in steps of K/(paths sigma_i): sigma_i for one path, sigma_i + 1 for two. */
static TransferCount printed_in_turn(const PermutingEntry *e, guint paths)
{
    TransferCount sum = permuting_counts((Rational){0, 1}, 0);
    for (guint i = 0; i < e->beta; i++) {
        guint order = permutation_cycle_length(&e->real, i);
        TransferCount one = permuting_equal_steps(e, order + paths - 1, paths * order);
        sum = (TransferCount){rational_add(sum.bytes, one.bytes), rational_add(sum.startups, one.startups)};
    }
    return sum;
}

/* Returns beta K transfers and the sum over the cycles of sigma_i ceil(K/(sigma_i B)) start-ups. */
static TransferCount printed_a1a_in_turn(const PermutingEntry *e)
{
    return printed_in_turn(e, 1);
}

/* Returns sum_i (sigma_i + 1)K/(2 sigma_i) transfers and sum_i (sigma_i + 1) ceil(K/(2 sigma_i B)) start-ups. */
static TransferCount printed_a2_in_turn(const PermutingEntry *e)
{
    return printed_in_turn(e, 2);
}

/* Returns K transfers and 2n ceil(K/(2nB)) start-ups. */
EQUAL_STEPS(a3_ports, 2 * e->n, 2 * e->n)

/* Returns 2K/B + sigma - 2 start-ups, and B times as many transfers, for B <= K. A packet starts every other cycle, and
 * takes sigma cycles (sec. 4.2.2, where sigma is n). */
static TransferCount printed_a0_ports(const PermutingEntry *e)
{
    __int128 whole = e->c->bytes, packet = (__int128)e->c->packet * e->split;
    gint64 more = e->sigma - 2;
    if (packet == 0 || packet >= whole)
        return permuting_counts(permuting_share(e, e->sigma, 1), e->sigma);
    return (TransferCount){{2 * whole + more * packet, e->split}, {2 * whole + more * packet, (gint64)packet}};
}

/* Returns ceil(log2 sigma_max)(K/(2B) + 1) start-ups, and B times as many transfers, for sigma <= K/(2B). */
static TransferCount printed_a4_ports(const PermutingEntry *e)
{
    gint64 levels = levels_of(e), packet = e->c->packet;
    __int128 twice = 2 * (__int128)packet * e->split;
    if (packet == 0 || twice * e->sigma >= e->c->bytes)     /* B is K/(2 sigma) */
        return permuting_counts(permuting_share(e, levels * (e->sigma + 1), 2 * e->sigma), levels * (e->sigma + 1));
    return (TransferCount){{levels * (e->c->bytes + twice), 2 * e->split},
                           {levels * (e->c->bytes + twice), 2 * packet * e->split}};
}

/* Returns (sigma + beta)K/P transfers and (sigma + beta) ceil(K/(PB)) start-ups, P = sigma + beta + sigma_min - 1. */
EQUAL_STEPS(a5, e->sigma + e->beta, sequence_count(&e->real))

/* Returns the start-ups of A6 for M = K/divisor bytes (proof of Theorem 2): k times the most that any of the k groups
 * takes for M/k. A single cycle takes (sigma_i + 1) ceil(M/(2 sigma_i B)) or, with one path (A1a), sigma_i
 * ceil(M/(sigma_i B)). */
static __int128 recursion_startups(const PermutingEntry *e, const Grouping *g, guint paths, guint mask, gint64 divisor)
{
    guint k = g->n_groups[mask];
    if (k == 1)
        return g->f[mask] * permuting_packets(e, 1, paths * (g->f[mask] + 1 - paths) * divisor);
    __int128 most = 0;
    for (guint i = 0; i < k; i++)
        most = MAX(most, recursion_startups(e, g, paths, g->group[mask][i], divisor * k));
    return k * most;
}

static __int128 all_startups(const PermutingEntry *e, guint paths)
{
    Grouping g = grouping_of_permutation(&e->real, paths - 1);
    return recursion_startups(e, &g, paths, (1u << g.n) - 1, 1);
}

/* Returns (1/2 + 1/(2 sigma_min))K transfers and 2 sigma + 2 beta - 1 start-ups, the bound on f(S) "with B = B_opt".
 * If B is so small that the recursion in the proof of Theorem 2 gives more start-ups, these count. */
static TransferCount printed_a6(const PermutingEntry *e)
{
    __int128 recursion = all_startups(e, 2), printed = 2 * (e->sigma + e->beta) - 1;
    return permuting_counts(permuting_share(e, e->least + 1, 2 * e->least), MAX(recursion, printed));
}

/* Returns the counts of A6 over A1a: K transfers, and the start-ups in the proof of Theorem 2 with s_i = sigma_i. */
static TransferCount printed_a6_a1a(const PermutingEntry *e)
{
    return permuting_counts(permuting_share(e, 1, 1), all_startups(e, 1));
}

/* Returns the counts of expansion and compression over the r idle dimensions together. Step i of r sends K/2^i, by n
 * ports K/(r 2^i) each, in as many packets as needed; K is c->bytes. */
static TransferCount printed_expansion(const PermutingEntry *e, Ports ports)
{
    guint r = e->c->idle;
    gint64 ways = ports == PORTS_ALL ? r : 1;
    __int128 startups = 0;
    for (guint k = 1; k <= r; k++)
        startups += permuting_packets(e, (gint64)1 << (k - 1), ways);
    return permuting_counts((Rational){2 * (__int128)e->c->bytes * (e->split - 1), e->split * ways}, 2 * startups);
}

/* Defines optimum_name(), which returns B_opt in bytes. With one port: `whole` for A0, A1a and A4, `double` for A1,
 * `half` for A2 and A3. The others are for n ports. */
#define OPTIMUM(name, formula) \
    static double optimum_##name(const PermutingEntry *e) { return formula; }

OPTIMUM(whole, e->K)
OPTIMUM(double, 2 * e->K)
OPTIMUM(half, e->K / 2)
OPTIMUM(a0_ports, e->K > 0 && e->sigma > 2 ? MIN(e->K, sqrt(2 * e->K * e->tau_per_t_c / (e->sigma - 2))) : e->K)
OPTIMUM(a1a_in_turn, e->K / e->least)
OPTIMUM(a2_in_turn, e->K / (2 * e->least))
OPTIMUM(a1a_ports, e->K / (e->least * e->beta))         /* the table has sigma_max in place of sigma_min */
OPTIMUM(a2_ports, optimum_a1a_ports(e) / 2)
OPTIMUM(a3_ports, e->K / (2 * e->n))
OPTIMUM(a4_ports, e->K > 0 ? sqrt(e->K * e->tau_per_t_c / 2) : 0)
OPTIMUM(a5, e->K / sequence_count(&e->real))
OPTIMUM(a6, MAX(e->K / (2 * e->sigma), e->K / 8))
OPTIMUM(a6_a1a, MAX(e->K / e->sigma, e->K / 4))

/* --- the rows --- */

#define ONE_WAY(walk, printed, optimum) printed_##printed, optimum_##optimum, walk, NULL, 1, FALSE, FALSE
#define HALVES(walk, lots, printed, optimum) printed_##printed, optimum_##optimum, walk, lots, 2, TRUE, FALSE
#define ROUNDS(paths, flat, printed) printed_##printed, optimum_##printed, walk_rounds, rounds_lots, paths, FALSE, flat
#define IN_TURN(paths, printed) printed_##printed, optimum_##printed, walk_in_turn, in_turn_lots, paths, FALSE, FALSE
#define PIPELINED(paths, printed) printed_##printed, optimum_##printed, NULL, NULL, paths, FALSE, FALSE
#define AT_A_TIME(walk, lots, printed) printed_##printed, optimum_##printed, walk, lots, 0, FALSE, FALSE

const PermutingRow permuting_rows[] = {
    {"a0", PORTS_ONE, CYCLES_ALL, ONE_WAY(walk_a0, a0, whole)},
    {"a1", PORTS_ONE, CYCLES_ALL, ONE_WAY(walk_a1, a1, double)},
    {"a1a", PORTS_ONE, CYCLES_ALL, ONE_WAY(walk_a1a, a1a, whole)},
    {"a2", PORTS_ONE, CYCLES_ALL, HALVES(walk_a2, NULL, a2, half)},
    {"a3", PORTS_ONE, CYCLES_WHOLE, HALVES(walk_a3, a3_lots, a3, half)},
    {"a4", PORTS_ONE, CYCLES_REAL, ONE_WAY(walk_a0, a4, whole)},
    {"a0", PORTS_ALL, CYCLES_REAL, PIPELINED(0, a0_ports)},
    {"a1a", PORTS_ALL, CYCLES_REAL, ROUNDS(1, TRUE, a1a_ports)},
    {"a1a-in-turn", PORTS_ALL, CYCLES_REAL, IN_TURN(1, a1a_in_turn)},
    {"a2", PORTS_ALL, CYCLES_REAL, ROUNDS(2, TRUE, a2_ports)},
    {"a2-in-turn", PORTS_ALL, CYCLES_REAL, IN_TURN(2, a2_in_turn)},
    {"a3", PORTS_ALL, CYCLES_WHOLE, AT_A_TIME(walk_a3, a3_ports_lots, a3_ports)},
    {"a4", PORTS_ALL, CYCLES_REAL, PIPELINED(2, a4_ports)},
    {"a5", PORTS_ALL, CYCLES_REAL, AT_A_TIME(walk_a5, a5_lots, a5)},
    {"a6", PORTS_ALL, CYCLES_REAL, ROUNDS(2, FALSE, a6)},
    {"a6-a1a", PORTS_ALL, CYCLES_REAL, ROUNDS(1, FALSE, a6_a1a)},
    {"spt", PORTS_ONE, CYCLES_PAIRS, ONE_WAY(walk_a1a, a1a, whole)},
    {"dpt", PORTS_ALL, CYCLES_PAIRS, ROUNDS(1, TRUE, a1a_ports)},
};
const guint permuting_n_rows = G_N_ELEMENTS(permuting_rows);

const PermutingRow *permuting_find(const char *algorithm, Ports ports)
{
    for (const PermutingRow *row = permuting_rows; row < permuting_rows + permuting_n_rows; row++)
        if (row->ports == ports && g_str_equal(row->algorithm, algorithm))
            return row;
    return NULL;
}

const char *permuting_refuses(const PermutingRow *row, const Permutation *p)
{
    if (permutation_virtual_order(p) > 0 && row->cycles != CYCLES_ALL && row->cycles != CYCLES_WHOLE)
        return "it is for dimensions of processors alone: no cycle may have bits of local memory";
    for (guint i = 0; i < p->n_cycles; i++)
        if (row->cycles == CYCLES_PAIRS && permutation_cycle_length(p, i) > 2)
            return "it is for transpositions: all cycles must have two dimensions";
    return NULL;
}

/* --- counts --- */

static TransferCount printed_of(const PermutingRow *row, const PermutingEntry *e)
{
    if (e->beta == 0)
        return (TransferCount){{0, 1}, {0, 1}};
    TransferCount count = row->printed(e);
    if (e->c->idle == 0)
        return count;
    TransferCount more = printed_expansion(e, row->ports);
    return (TransferCount){rational_add(count.bytes, more.bytes), rational_add(count.startups, more.startups)};
}

gint64 permuting_pieces(const PermutingRow *row, const Permutation *permutation)
{
    PermutingEntry e = make_entry(&(PermutingCase){.permutation = permutation}, NULL);
    return e.beta + e.exchanges && row->walk ? row_pieces(row, &e) : 1;
}

gboolean permuting_steps(const PermutingRow *row, const Machine *machine, const PermutingCase *c,
                         PermutingSteps *steps)
{
    PermutingEntry e = make_entry(c, machine);
    *steps = (PermutingSteps){0};
    if (row->walk && e.beta + e.exchanges > 0)
        row_steps(row, &e, steps);
    return row->walk != NULL;
}

/* Returns the largest useful packet of a pipelined algorithm in bytes: K/(2 sigma) for A4, K for A0. */
static gint64 pipelined_bytes(const PermutingRow *row, const PermutingCase *c)
{
    gint64 packets = (gint64)MAX(1, row->paths * permutation_order(c->permutation)) << c->idle;
    return MAX(1, (c->bytes + packets - 1) / packets);
}

/* Sets *least and *most to the bytes of the smallest and largest packet that is not empty; 0 if there is none. Steps
 * of pipelined algorithms are not known: all their packets count as full but, on extended cubes, the smallest as one
 * element. */
static void packet_range(const PermutingRow *row, const Machine *machine, const PermutingCase *c, gint64 *least,
                         gint64 *most)
{
    PermutingSteps steps;
    gint64 B = c->packet ? c->packet : G_MAXINT64;
    *least = *most = 0;
    if (!permuting_steps(row, machine, c, &steps)) {
        *most = MIN(B, c->idle ? c->bytes : pipelined_bytes(row, c));
        *least = c->idle ? MIN(*most, c->element) : *most;
    }
    for (guint k = 0; k < steps.n_steps; k++) {
        gint64 rest = steps.bytes[k] % B, smallest = rest ? rest : MIN(B, steps.bytes[k]);
        *least = *least == 0 ? smallest : MIN(*least, smallest);
        *most = MAX(*most, MIN(B, steps.bytes[k]));
    }
}

static const MachineTerms *terms_of(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    gint64 least, most;
    packet_range(row, machine, c, &least, &most);
    return machine_terms(machine, most);
}

TransferCount permuting_printed(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    PermutingEntry e = make_entry(c, machine);
    const MachineTerms *terms = terms_of(row, machine, c);
    TransferCount most = printed_of(row, &e);
    for (guint i = 1; i < e.beta; i++) {
        e.order = permutation_cycle_length(&e.real, i);
        TransferCount count = printed_of(row, &e);
        if (transfer_ps(count, terms) > transfer_ps(most, terms))
            most = count;
    }
    return most;
}

/* --- times --- */

const char *permuting_unpublished_reason(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    gint64 least, most;
    if (!permutation_is_separable(c->permutation))
        return "Ho & Johnsson's Table 2 is for separable permutations, and this has a mixed cycle";
    packet_range(row, machine, c, &least, &most);
    if (machine_terms(machine, least) != machine_terms(machine, most))
        return "Ho & Johnsson's Table 2 has one start-up time; here are short and long packets, which differ";
    return NULL;
}

gint64 permuting_published_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    return transfer_ps(permuting_printed(row, machine, c), terms_of(row, machine, c));
}

gint64 permuting_counted_ps(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    PermutingSteps steps;
    return permuting_steps(row, machine, c, &steps) ? steps_ps(&steps, machine, c->packet) : -1;
}

/* --- the best packet --- */

double permuting_optimal_bytes(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    PermutingEntry e = make_entry(c, machine);
    return e.beta ? row->optimal(&e) : 0;
}

static gint64 whole_elements(const PermutingCase *c, double bytes)
{
    return (gint64)ceil(bytes / (double)c->element) * c->element;
}

/* Returns the packet with the smaller published time; `first` if the times are equal. */
static gint64 better_packet(const PermutingRow *row, const Machine *machine, const PermutingCase *c, gint64 first,
                            gint64 second)
{
    PermutingCase with_first = *c, with_second = *c;
    with_first.packet = first;
    with_second.packet = second;
    gint64 first_ps = permuting_published_ps(row, machine, &with_first);
    return first_ps <= permuting_published_ps(row, machine, &with_second) ? first : second;
}

gint64 permuting_optimal_packet(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    PermutingCase unlimited = *c;
    unlimited.packet = 0;
    PermutingSteps steps;
    permuting_steps(row, machine, &unlimited, &steps);
    double optimal = CLAMP(permuting_optimal_bytes(row, machine, c), 1, 2 * (double)MAX(1, c->bytes));
    gint64 best = whole_elements(c, optimal);
    if (!row->walk) {     /* pipelined, with n ports */
        double expanded = c->idle ? (double)c->bytes / (2 * c->idle) : 0;   /* largest message of the expansion */
        best = MIN(best, whole_elements(c, (double)pipelined_bytes(row, c)));
        best = better_packet(row, machine, c, best, MAX(best - c->element, c->element));
        best = better_packet(row, machine, c, MAX(best, whole_elements(c, expanded)), best);
    }
    return transfer_allowed_packet(machine, MAX(best, steps.largest), c->element);
}

/* --- bounds --- */

static gint64 bytes_ps(Rational bytes, const MachineTerms *terms)
{
    return transfer_ps((TransferCount){bytes, {0, 1}}, terms);
}

gint64 permuting_lower_bound_ps(const Machine *machine, Ports ports, const PermutingCase *c)
{
    MachineTerms terms = transfer_least_terms(machine, c->bytes);
    gint64 order = permutation_real_order(c->permutation), distance = permutation_distance_max(c->permutation);
    gint64 used = ports == PORTS_ONE ? 1 : c->idle + order, ways = ports == PORTS_ONE ? order : 1;
    if (order == 0)
        return 0;
    /* sigma K/2, with n ports K/2; divided by 2^idle if there are idle dimensions */
    gint64 transfers = bytes_ps((Rational){(__int128)ways * c->bytes, (gint64)2 << c->idle}, &terms);
    gint64 bound = MAX(transfers, transfer_ps((TransferCount){{0, 1}, {distance, 1}}, &terms));
    if (c->idle == 0 || c->bytes == 0)
        return bound;
    /* Corollary 4 in elements: K + distance - 1; with n ports K/(n - m_p + sigma) + distance - 1 */
    __int128 last = (__int128)(distance - 1) * c->element * used;
    return MAX(bound, bytes_ps((Rational){c->bytes + last, used}, &terms));
}

Rational permuting_break_even(PermutingEven pair, const Permutation *p)
{
    PermutingEntry e = make_entry(&(PermutingCase){.permutation = p}, NULL);
    switch (pair) {
    case EVEN_A1A_A2_ONE_PORT: return (Rational){e.sigma - e.beta, 2 * e.beta};
    case EVEN_A1A_A2_N_PORT: return (Rational){e.most - 1, 2 * e.beta * e.most};
    default: return (Rational){1, 6 * e.sigma - 4};
    }
}
