#include "permuting.h"
#include "sim/cube/sequence.h"

#include <math.h>

/* --- the entries of Table 2 as printed, for permutations other than the identity --- */

/* ceil(K a/(b B)) */
static __int128 packets(const PermutingEntry *e, gint64 a, gint64 b)
{
    return transfer_packets(permuting_share(e, a, b), e->c->packet);
}

static TransferCount counts(Rational bytes, __int128 startups)
{
    return (TransferCount){bytes, {startups, 1}};
}

/* times (K/parts; ceil(K/(parts B))) */
static TransferCount equal_steps(const PermutingEntry *e, gint64 times, gint64 parts)
{
    return counts(permuting_share(e, times, parts), times * packets(e, 1, parts));
}

#define EQUAL_STEPS(name, times, parts) \
    static TransferCount printed_##name(const PermutingEntry *e) { return equal_steps(e, times, parts); }

/* ceil(log2 sigma_max) */
static guint levels_of(const PermutingEntry *e)
{
    return g_bit_storage(e->most - 1);
}

/* 2(sigma - beta)K; 2(sigma - beta) ceil(K/B) */
EQUAL_STEPS(a0, 2 * (e->sigma - e->beta), 1)

/* 2(sigma - beta)K; (sigma - 2 beta) ceil(2K/B) + 2 beta ceil(K/B) */
static TransferCount printed_a1(const PermutingEntry *e)
{
    __int128 startups = (e->sigma - 2 * e->beta) * packets(e, 2, 1) + 2 * e->beta * packets(e, 1, 1);
    return counts(permuting_share(e, 2 * (e->sigma - e->beta), 1), startups);
}

/* sigma K; sigma ceil(K/B). Also SPT (sec. 4.4.2). */
EQUAL_STEPS(a1a, e->sigma, 1)
/* (sigma + beta)K/2; (sigma + beta) ceil(K/(2B)) */
EQUAL_STEPS(a2, e->sigma + e->beta, 2)
/* nK; 2n ceil(K/(2B)) */
EQUAL_STEPS(a3, 2 * e->n, 2)
/* ceil(log2 sigma_max)(sigma K; sigma ceil(K/B)) */
EQUAL_STEPS(a4, levels_of(e) * e->sigma, 1)
/* K; beta sigma_max ceil(K/(sigma_max beta B)). Also DPT: with cycles of order two beta sigma_max is sigma. */
EQUAL_STEPS(a1a_ports, e->beta * e->most, e->beta * e->most)
/* beta max_i ((sigma_i + 1)K/(2 sigma_i beta); (sigma_i + 1) ceil(K/(2 sigma_i beta B))) */
EQUAL_STEPS(a2_ports, e->beta * (e->order + 1), 2 * e->order * e->beta)
/* K; 2n ceil(K/(2nB)) */
EQUAL_STEPS(a3_ports, 2 * e->n, 2 * e->n)

/* ceil(log2 sigma_max)(K/(2B) + 1)(B; 1), for sigma <= K/(2B) */
static TransferCount printed_a4_ports(const PermutingEntry *e)
{
    gint64 levels = levels_of(e), packet = e->c->packet;
    __int128 twice = 2 * (__int128)packet * e->split;
    if (packet == 0 || twice * e->sigma >= e->c->bytes)     /* B is K/(2 sigma) */
        return counts(permuting_share(e, levels * (e->sigma + 1), 2 * e->sigma), levels * (e->sigma + 1));
    return (TransferCount){{levels * (e->c->bytes + twice), 2 * e->split},
                           {levels * (e->c->bytes + twice), 2 * packet * e->split}};
}

/* P = sigma + beta + sigma_min - 1: (sigma + beta)K/P; (sigma + beta) ceil(K/(PB)) */
EQUAL_STEPS(a5, e->sigma + e->beta, sequence_count(&e->real))

/* Start-ups of A6 by the proof of Theorem 2, for K/divisor of the data: k x max over the k groups; a single cycle takes
 * (sigma_i + 1) ceil(K/(2 sigma_i B)). */
static __int128 recursion_startups(const PermutingEntry *e, const Grouping *g, guint mask, gint64 divisor)
{
    guint k = g->n_groups[mask];
    if (k == 1)
        return g->f[mask] * packets(e, 1, 2 * (g->f[mask] - 1) * divisor);
    __int128 most = 0;
    for (guint i = 0; i < k; i++)
        most = MAX(most, recursion_startups(e, g, g->group[mask][i], divisor * k));
    return k * most;
}

/* (1/2 + 1/(2 sigma_min))K; 2 sigma + 2 beta - 1, the bound on f(S), "with B = B_opt". With a smaller B, what the
 * recursion in the proof of Theorem 2 has, if that is more. */
static TransferCount printed_a6(const PermutingEntry *e)
{
    Grouping g = grouping_of_permutation(&e->real);
    __int128 recursion = recursion_startups(e, &g, (1u << g.n) - 1, 1), printed = 2 * (e->sigma + e->beta) - 1;
    return counts(permuting_share(e, e->least + 1, 2 * e->least), MAX(recursion, printed));
}

/* Each K(1 - 1/2^r); r with one port, K/r(1 - 1/2^r); r with n, r being the idle dimensions. K here is c->bytes. */
static TransferCount printed_expansion(const PermutingEntry *e, Ports ports)
{
    guint r = e->c->idle;
    gint64 ways = ports == PORTS_ALL ? r : 1;
    __int128 startups = 0;
    for (guint k = 1; k <= r; k++)
        startups += packets(e, (gint64)1 << (k - 1), ways);
    return counts((Rational){2 * (__int128)e->c->bytes * (e->split - 1), e->split * ways}, 2 * startups);
}

/* B_opt in bytes: of A0, A1a and A4 (K), of A1 (2K), of A2 and A3 (K/2); then of the others, with n ports. */

#define OPTIMUM(name, formula) \
    static double optimum_##name(const PermutingEntry *e) { return formula; }

OPTIMUM(whole, e->K)
OPTIMUM(double, 2 * e->K)
OPTIMUM(half, e->K / 2)
OPTIMUM(a1a_ports, e->K / (e->least * e->beta))         /* printed with sigma_max */
OPTIMUM(a2_ports, optimum_a1a_ports(e) / 2)
OPTIMUM(a3_ports, e->K / (2 * e->n))
OPTIMUM(a4_ports, e->K > 0 ? sqrt(e->K * e->tau_per_t_c / 2) : 0)
OPTIMUM(a5, e->K / sequence_count(&e->real))
OPTIMUM(a6, MAX(e->K / (2 * e->sigma), e->K / 8))

/* --- the rows --- */

const PermutingRow permuting_rows[] = {
    {"a0", PORTS_ONE, printed_a0, optimum_whole, &course_a0, CYCLES_ALL},
    {"a1", PORTS_ONE, printed_a1, optimum_double, &course_a1, CYCLES_ALL},
    {"a1a", PORTS_ONE, printed_a1a, optimum_whole, &course_a1a, CYCLES_ALL},
    {"a2", PORTS_ONE, printed_a2, optimum_half, &course_a2, CYCLES_ALL},
    {"a3", PORTS_ONE, printed_a3, optimum_half, &course_a3, CYCLES_REAL},
    {"a4", PORTS_ONE, printed_a4, optimum_whole, &course_a0, CYCLES_REAL},
    {"a1a", PORTS_ALL, printed_a1a_ports, optimum_a1a_ports, &course_a1a_ports, CYCLES_REAL},
    {"a2", PORTS_ALL, printed_a2_ports, optimum_a2_ports, &course_a2_ports, CYCLES_REAL},
    {"a3", PORTS_ALL, printed_a3_ports, optimum_a3_ports, &course_a3_ports, CYCLES_REAL},
    {"a4", PORTS_ALL, printed_a4_ports, optimum_a4_ports, NULL, CYCLES_REAL},
    {"a5", PORTS_ALL, printed_a5, optimum_a5, &course_a5, CYCLES_REAL},
    {"a6", PORTS_ALL, printed_a6, optimum_a6, &course_a6, CYCLES_REAL},
    {"spt", PORTS_ONE, printed_a1a, optimum_whole, &course_a1a, CYCLES_PAIRS},
    {"dpt", PORTS_ALL, printed_a1a_ports, optimum_a1a_ports, &course_a1a_ports, CYCLES_PAIRS},
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
    if (permutation_virtual_order(p) > 0 && row->cycles != CYCLES_ALL)
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
    PermutingEntry e = permuting_entry(&(PermutingCase){.permutation = permutation}, NULL);
    return e.beta && row->course ? course_pieces(row->course, &e) : 1;
}

gboolean permuting_steps(const PermutingRow *row, const Machine *machine, const PermutingCase *c,
                         PermutingSteps *steps)
{
    PermutingEntry e = permuting_entry(c, machine);
    *steps = (PermutingSteps){0};
    if (row->course && e.beta + e.exchanges > 0)
        course_steps(row->course, row->ports, &e, steps);
    return row->course != NULL;
}

/* The largest packet that A4 has use for: K/(2 sigma). */
static gint64 pipelined_bytes(const PermutingCase *c)
{
    gint64 packets = 2 * (gint64)MAX(1, permutation_order(c->permutation)) << c->idle;
    return MAX(1, (c->bytes + packets - 1) / packets);
}

/* The least and the largest packet with bytes; 0 if there is none. A4's steps are not known: its packets are taken to
 * be full, but on extended cubes to have anything up to B and K. */
static void packet_range(const PermutingRow *row, const Machine *machine, const PermutingCase *c, gint64 *least,
                         gint64 *most)
{
    PermutingSteps steps;
    gint64 B = c->packet ? c->packet : G_MAXINT64;
    *least = *most = 0;
    if (!permuting_steps(row, machine, c, &steps)) {
        *most = MIN(B, c->idle ? c->bytes : pipelined_bytes(c));
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
    PermutingEntry e = permuting_entry(c, machine);
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
    return permuting_steps(row, machine, c, &steps) ? permuting_steps_ps(&steps, machine, c->packet) : -1;
}

/* --- the best packet --- */

double permuting_optimal_bytes(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    PermutingEntry e = permuting_entry(c, machine);
    return e.beta ? row->optimal(&e) : 0;
}

static gint64 whole_elements(const PermutingCase *c, double bytes)
{
    return (gint64)ceil(bytes / (double)c->element) * c->element;
}

/* Of two packets that with the smaller published time; the first if both have the same. */
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
    if (!row->course) {     /* pipelined, with n ports */
        double expanded = c->idle ? (double)c->bytes / (2 * c->idle) : 0;   /* the largest message of expansion */
        best = MIN(best, whole_elements(c, (double)pipelined_bytes(c)));
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
    /* sigma K/2 or K/2; with idle dimensions over 2^idle */
    gint64 transfers = bytes_ps((Rational){(__int128)ways * c->bytes, (gint64)2 << c->idle}, &terms);
    gint64 bound = MAX(transfers, transfer_ps((TransferCount){{0, 1}, {distance, 1}}, &terms));
    if (c->idle == 0 || c->bytes == 0)
        return bound;
    /* K + sigma - oJ - 1 elements, or K/(n - m_p + sigma) + sigma - oJ - 1 */
    __int128 last = (__int128)(distance - 1) * c->element * used;
    return MAX(bound, bytes_ps((Rational){c->bytes + last, used}, &terms));
}

Rational permuting_break_even(PermutingEven pair, const Permutation *p)
{
    PermutingEntry e = permuting_entry(&(PermutingCase){.permutation = p}, NULL);
    switch (pair) {
    case EVEN_A1A_A2_ONE_PORT: return (Rational){e.sigma - e.beta, 2 * e.beta};
    case EVEN_A1A_A2_N_PORT: return (Rational){e.most - 1, 2 * e.beta * e.most};
    default: return (Rational){1, 6 * e.sigma - 4};
    }
}
