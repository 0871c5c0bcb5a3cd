#include "shuffle.h"
#include "input.h"
#include "sequence.h"

#include <math.h>
#include <string.h>

/* The symbols of the table, in bytes. */
typedef struct {
    const ShuffleCase *c;
    const Machine *machine; /* to tell which of several parts takes longest; NULL: not asked for */
    guint n;                /* without the idle dimensions */
    guint sigma, beta, least, most;     /* orders of cycles; least and most are 1 for the identity */
    gint64 split;           /* K is c->bytes/split: 2^idle */
    gint64 order;           /* of the cycle that an entry with a maximum over cycles is about */
    gint64 pieces;          /* that data is really cut into */
    gint64 run, cut;        /* how many of them a subcube has, and into how many equal lots the algorithm puts these */
    double K, tau_per_t_c;  /* tau in units of t_c per byte */
} Entry;

struct ShuffleRow {
    ShuffleLabel label;
    ShuffleCount (*printed)(const Entry *e);
    double (*optimal)(const Entry *e);
    gint64 (*pieces)(const Entry *e);
    void (*steps)(const Entry *e, ShuffleSteps *steps);     /* NULL: not known */
    enum { PER_CYCLE = 1,   /* the entry is a maximum over cycles */
           PIPELINED = 2,
           PAIRS_ONLY = 4,  /* all cycles must have order two */
           EXCHANGES = 8    /* everybody sends and receives in every step */
    } kind;
};

static Entry entry_of(const ShuffleCase *c, const Machine *machine)
{
    const Permutation *p = c->permutation;
    Entry e = {.c = c, .machine = machine, .n = p->dimension - c->idle, .sigma = permutation_order(p),
               .beta = p->n_cycles, .least = 1, .most = 1, .split = (gint64)1 << c->idle,
               .pieces = 1, .run = 1, .cut = 1};
    for (guint i = 0; i < p->n_cycles; i++) {
        guint length = permutation_cycle_length(p, i);
        e.least = i ? MIN(e.least, length) : length;
        e.most = MAX(e.most, length);
    }
    e.K = (double)c->bytes / (double)e.split;
    const MachineTerms *terms = machine ? machine_terms(machine, c->bytes) : NULL;
    if (terms && terms->lambda_ps > 0)
        e.tau_per_t_c = (double)terms->lambda_ps / (double)terms->tau_ps_per_byte;
    return e;
}

/* ceil(log2 x), x > 0 */
static guint log2_up(guint x)
{
    return x > 1 ? g_bit_storage(x - 1) : 0;
}

/* --- the entries --- */

/* K a/b */
static ShuffleRational share(const Entry *e, gint64 a, gint64 b)
{
    return (ShuffleRational){(__int128)e->c->bytes * a, b * e->split};
}

/* ceil(K a/(b B)), at least 1 */
static __int128 packets(const Entry *e, gint64 a, gint64 b)
{
    __int128 bytes = (__int128)e->c->bytes * a, unit = (__int128)e->c->packet * b * e->split;
    return unit == 0 || bytes == 0 ? 1 : (bytes + unit - 1) / unit;
}

static ShuffleCount counts(ShuffleRational bytes, __int128 startups)
{
    return (ShuffleCount){bytes, {startups, 1}};
}

/* 2(sigma - beta)K; 2(sigma - beta) ceil(K/B) */
static ShuffleCount a0(const Entry *e)
{
    gint64 cycles = 2 * (e->sigma - e->beta);
    return counts(share(e, cycles, 1), cycles * packets(e, 1, 1));
}

/* 2(sigma - beta)K; (sigma - 2 beta) ceil(2K/B) + 2 beta ceil(K/B) */
static ShuffleCount a1(const Entry *e)
{
    __int128 startups = (e->sigma - 2 * e->beta) * packets(e, 2, 1) + 2 * e->beta * packets(e, 1, 1);
    return counts(share(e, 2 * (e->sigma - e->beta), 1), startups);
}

/* sigma K; sigma ceil(K/B). Also SPT (sec. 4.4.2). */
static ShuffleCount a1a(const Entry *e)
{
    return counts(share(e, e->sigma, 1), e->sigma * packets(e, 1, 1));
}

/* (sigma + beta)K/2; (sigma + beta) ceil(K/(2B)) */
static ShuffleCount a2(const Entry *e)
{
    gint64 cycles = e->sigma + e->beta;
    return counts(share(e, cycles, 2), cycles * packets(e, 1, 2));
}

/* nK; 2n ceil(K/(2B)) */
static ShuffleCount a3(const Entry *e)
{
    return counts(share(e, e->n, 1), 2 * e->n * packets(e, 1, 2));
}

/* ceil(log2 sigma_max)(sigma K; sigma ceil(K/B)) */
static ShuffleCount a4(const Entry *e)
{
    gint64 cycles = log2_up(e->most) * e->sigma;
    return counts(share(e, cycles, 1), cycles * packets(e, 1, 1));
}

/* K; beta sigma_max ceil(K/(sigma_max beta B)). Also DPT: with cycles of order two beta sigma_max is sigma. */
static ShuffleCount a1a_ports(const Entry *e)
{
    gint64 cycles = e->beta * e->most;
    return counts(share(e, 1, 1), cycles * packets(e, 1, cycles));
}

/* beta max_i ((sigma_i + 1)K/(2 sigma_i beta); (sigma_i + 1) ceil(K/(2 sigma_i beta B))) */
static ShuffleCount a2_ports(const Entry *e)
{
    gint64 order = e->order;
    return counts(share(e, order + 1, 2 * order), e->beta * (order + 1) * packets(e, 1, 2 * order * e->beta));
}

/* K; 2n ceil(K/(2nB)) */
static ShuffleCount a3_ports(const Entry *e)
{
    return counts(share(e, e->n > 0, 1), 2 * e->n * packets(e, 1, 2 * e->n));
}

/* ceil(log2 sigma_max)(K/(2B) + 1)(B; 1), for sigma <= K/(2B) */
static ShuffleCount a4_ports(const Entry *e)
{
    gint64 levels = log2_up(e->most), packet = e->c->packet;
    __int128 twice = 2 * (__int128)packet * e->split;
    if (packet == 0 || twice * e->sigma >= e->c->bytes)     /* B is K/(2 sigma) */
        return counts(share(e, levels * (e->sigma + 1), 2 * e->sigma), levels * (e->sigma + 1));
    return (ShuffleCount){{levels * (e->c->bytes + twice), 2 * e->split},
                          {levels * (e->c->bytes + twice), 2 * packet * e->split}};
}

/* P = sigma + beta + sigma_min - 1 */
static gint64 sequences(const Entry *e)
{
    return sequence_count(e->c->permutation);
}

/* (sigma + beta)K/P; (sigma + beta) ceil(K/(PB)) */
static ShuffleCount a5(const Entry *e)
{
    gint64 cycles = e->sigma + e->beta;
    return counts(share(e, cycles, sequences(e)), cycles * packets(e, 1, sequences(e)));
}

/* Start-ups of A6 by the proof of Theorem 2, for K/divisor of the data: k x max over the k groups; a single cycle takes
 * (sigma_i + 1) ceil(K/(2 sigma_i B)). */
static __int128 recursion_startups(const Entry *e, const Grouping *g, guint mask, gint64 divisor)
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
static ShuffleCount a6(const Entry *e)
{
    Grouping g = grouping_of_permutation(e->c->permutation);
    __int128 recursion = recursion_startups(e, &g, (1u << g.n) - 1, 1), printed = 2 * (e->sigma + e->beta) - 1;
    return counts(share(e, e->least + 1, 2 * e->least), MAX(recursion, printed));
}

/* --- B_opt --- */

static double whole(const Entry *e)             /* K */
{
    return e->K;
}

static double doubled(const Entry *e)           /* 2K */
{
    return 2 * e->K;
}

static double half(const Entry *e)              /* K/2 */
{
    return e->K / 2;
}

static double part(const Entry *e)              /* K/(sigma_min beta); printed with sigma_max */
{
    return e->K / (e->least * e->beta);
}

static double half_part(const Entry *e)         /* K/(2 sigma_min beta) */
{
    return part(e) / 2;
}

static double half_port(const Entry *e)         /* K/(2n) */
{
    return e->K / (2 * e->n);
}

static double pipeline(const Entry *e)          /* sqrt(K tau/(2 t_c)) */
{
    return e->K > 0 ? sqrt(e->K * e->tau_per_t_c / 2) : 0;
}

static double sequence(const Entry *e)          /* K/P */
{
    return e->K / (double)sequences(e);
}

static double leaf(const Entry *e)              /* max(K/(2 sigma), K/8) */
{
    return MAX(e->K / (2 * e->sigma), e->K / 8);
}

/* --- what each step really carries --- */

static void add_step(ShuffleSteps *steps, gint64 bytes)
{
    g_assert(steps->n_steps < SHUFFLE_STEPS_MAX);
    steps->bytes[steps->n_steps++] = bytes;
    steps->largest = MAX(steps->largest, bytes);
}

/* `times` steps with the `count` pieces from `first` on. Without data, piece 0 is what is sent. */
static void add_steps(ShuffleSteps *steps, guint times, gint64 bytes, gint64 first)
{
    for (guint i = 0; i < times && (bytes > 0 || first == 0); i++)
        add_step(steps, bytes);
}

/* Bytes of the `count` pieces from `first` on. */
static gint64 run_bytes(const Entry *e, gint64 first, gint64 count)
{
    gint64 elements = e->c->bytes / e->c->element, longer = elements % e->pieces;
    return (elements / e->pieces * count + CLAMP(longer - first, 0, count)) * e->c->element;
}

/* What a processor has, and has most of, in the permutation: the data of run 0. */
static gint64 whole_bytes(const Entry *e)
{
    return run_bytes(e, 0, e->run);
}

static gint64 one_piece(const Entry *e)
{
    return e->c->bytes >= 0;
}

static gint64 two_pieces(const Entry *e)
{
    return 2 * one_piece(e);
}

static void a0_steps(const Entry *e, ShuffleSteps *steps)
{
    add_steps(steps, 2 * (e->sigma - e->beta), whole_bytes(e), 0);
}

static void a1_steps(const Entry *e, ShuffleSteps *steps)
{
    for (guint i = 0; i < e->beta; i++) {
        add_step(steps, whole_bytes(e));
        add_steps(steps, permutation_cycle_length(e->c->permutation, i) - 2, 2 * whole_bytes(e), 0);
        add_step(steps, whole_bytes(e));
    }
}

/* From order three on, some processor sends late elements and receives early ones, or the other way round, in all steps
 * of a cycle but the last: with half duplex these take two. */
static void a1a_steps(const Entry *e, ShuffleSteps *steps)
{
    add_steps(steps, e->sigma, whole_bytes(e), 0);
    for (guint i = 0; i < e->beta && e->machine->duplex == DUPLEX_HALF; i++) {
        guint length = permutation_cycle_length(e->c->permutation, i);
        add_steps(steps, length > 2 ? length - 1 : 0, whole_bytes(e), 0);
    }
}

/* In every step somebody sends the longer half. */
static void a2_steps(const Entry *e, ShuffleSteps *steps)
{
    add_steps(steps, e->sigma + e->beta, run_bytes(e, 0, e->run / 2), 0);
}

/* --- A3 --- */

static gint64 a3_pieces(const Entry *e)
{
    return (gint64)1 << e->n;
}

static gint64 a3_port_pieces(const Entry *e)
{
    return a3_pieces(e) * MAX(1, e->n);
}

/* How many numbers below x have none of the bits in `mask`. */
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

/* Step k of part r: the first n steps are the first complete exchange. `crossed` dimensions are behind, with the
 * present one in the first exchange: a message has the pieces p that have certain bits there, from 2^k processors; in
 * the second it has those with certain bits elsewhere, for 2^(n-k-1). Most bytes have those where these bits are 0. */
static gint64 a3_bytes(const Entry *e, guint r, guint k)
{
    guint n = e->n, t = k % n, crossed = 0;
    for (guint j = 0; j < t + (k < n); j++)
        crossed |= 1u << (r + j) % n;
    gint64 elements = e->c->bytes / e->c->element, nodes = (gint64)1 << n, unit = e->run / e->cut;
    gint64 longer = CLAMP(elements % e->pieces - r * nodes * unit, 0, nodes * unit);
    gint64 of_each = k < n ? (gint64)1 << t : nodes >> (t + 1);
    guint fixed = k < n ? crossed : ~crossed & (guint)(nodes - 1);
    gint64 extra = unit * count_without(longer / unit, fixed) + (longer / unit & fixed ? 0 : longer % unit);
    return (elements / e->pieces * unit * (nodes / 2) + of_each * extra) * e->c->element;
}

static void a3_steps(const Entry *e, ShuffleSteps *steps)
{
    gint64 parts = e->cut >> e->n;
    for (guint k = 0; k < 2 * e->n && e->beta > 0; k++) {
        gint64 most = 0;
        for (guint r = 0; r < parts; r++)
            most = MAX(most, a3_bytes(e, r, k));
        add_step(steps, most);
    }
}

/* --- rounds: k parts of the data go through k groups of cycles at a time, part i in round r through group (i+r) mod k;
 * the parts wait for each other after each round --- */

typedef struct {
    const Entry *e;
    const Grouping *grouping;
    guint steps_more, paths;    /* a cycle of s takes s + steps_more steps, its data in paths x s pieces */
} Rounds;

static gint64 lcm(gint64 a, gint64 b)
{
    gint64 x = a, y = b;
    while (y) {
        gint64 rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* The least number of pieces that can be divided as the groups want it. */
static gint64 rounds_pieces(const Grouping *g, guint mask, guint paths)
{
    guint k = g->n_groups[mask];
    gint64 pieces = 1;
    if (k == 1)
        return paths * (g->f[mask] - 1);
    for (guint i = 0; i < k; i++)
        pieces = lcm(pieces, rounds_pieces(g, g->group[mask][i], paths));
    return k * pieces;
}

/* One message of `bytes`, packet by packet. */
static __int128 message_ps(const Machine *machine, gint64 packet, gint64 bytes)
{
    gint64 full = packet ? bytes / packet : 0, rest = bytes - full * packet;
    const MachineTerms *of_full = machine_terms(machine, packet), *of_rest = machine_terms(machine, rest);
    __int128 each = (__int128)packet * of_full->tau_ps_per_byte + of_full->lambda_ps;
    if (bytes == 0)
        return machine->lambda_zero_ps;
    return full * each + (rest ? (__int128)rest * of_rest->tau_ps_per_byte + of_rest->lambda_ps : 0);
}

static gint64 steps_ps(const Entry *e, const ShuffleSteps *steps)
{
    __int128 sum = 0;
    for (guint k = 0; k < steps->n_steps; k++)
        sum += MIN(message_ps(e->machine, e->c->packet, steps->bytes[k]), INPUT_TIME_MAX_PS);
    return (gint64)MIN(sum, INPUT_TIME_MAX_PS);
}

/* Adds the steps of the parts that take longest, of `count` pieces from `first` on. */
static void add_rounds(const Rounds *x, guint mask, gint64 first, gint64 count, ShuffleSteps *steps)
{
    guint k = x->grouping->n_groups[mask];
    if (k == 1) {
        guint order = permutation_cycle_length(x->e->c->permutation, (guint)g_bit_nth_lsf(mask, -1));
        add_steps(steps, order + x->steps_more, run_bytes(x->e, first, count / (x->paths * order)), first);
    }
    for (guint r = 0; k > 1 && r < k; r++) {
        ShuffleSteps longest = {0};
        for (guint i = 0; i < k; i++) {
            ShuffleSteps part = {0};
            add_rounds(x, x->grouping->group[mask][(i + r) % k], first + i * (count / k), count / k, &part);
            steps->largest = MAX(steps->largest, part.largest);
            if (i == 0 || steps_ps(x->e, &part) > steps_ps(x->e, &longest))
                longest = part;
        }
        for (guint i = 0; i < longest.n_steps; i++)
            add_step(steps, longest.bytes[i]);
    }
}

/* Every cycle is a group. */
static Grouping flat_grouping(const Permutation *p)
{
    Grouping g = grouping_of_permutation(p);
    guint all = (1u << g.n) - 1;
    g.n_groups[all] = (guint8)g.n;
    for (guint i = 0; i < g.n; i++)
        g.group[all][i] = (guint8)(1u << i);
    return g;
}

static gint64 a1a_port_pieces(const Entry *e)
{
    Grouping g = flat_grouping(e->c->permutation);
    return rounds_pieces(&g, (1u << g.n) - 1, 1);
}

static void a1a_port_steps(const Entry *e, ShuffleSteps *steps)
{
    Grouping g = flat_grouping(e->c->permutation);
    add_rounds(&(Rounds){e, &g, 0, 1}, (1u << g.n) - 1, 0, e->run, steps);
}

static gint64 a2_port_pieces(const Entry *e)
{
    Grouping g = flat_grouping(e->c->permutation);
    return rounds_pieces(&g, (1u << g.n) - 1, 2);
}

static void a2_port_steps(const Entry *e, ShuffleSteps *steps)
{
    Grouping g = flat_grouping(e->c->permutation);
    add_rounds(&(Rounds){e, &g, 1, 2}, (1u << g.n) - 1, 0, e->run, steps);
}

static gint64 a6_pieces(const Entry *e)
{
    Grouping g = grouping_of_permutation(e->c->permutation);
    return rounds_pieces(&g, (1u << g.n) - 1, 2);
}

static void a6_steps(const Entry *e, ShuffleSteps *steps)
{
    Grouping g = grouping_of_permutation(e->c->permutation);
    add_rounds(&(Rounds){e, &g, 1, 2}, (1u << g.n) - 1, 0, e->run, steps);
}

/* --- A5 --- */

#define IN_MEMORY G_MAXUINT8

/* A sequence: its dimensions, and where its virtual one is: a dimension, or in its place. */
typedef struct {
    guint8 dims[SEQUENCE_LENGTH_MAX];
    guint8 at;
} Lane;

static gint64 a5_pieces(const Entry *e)
{
    return 2 * sequences(e);
}

/* Bytes of the largest message across `dim` in step t. What is sent of part k is the half whose number is 1 minus the
 * sender's bit `dim` if the virtual dimension is in its place, otherwise the sender's bit where it is. The other bits
 * are as they like: somebody has 0 in all of them, the longer halves. */
static gint64 a5_bytes(const Entry *e, const Lane *lanes, guint t, guint dim)
{
    gint64 most = 0, unit = e->run / e->cut;
    for (guint bit = 0; bit < 2; bit++) {
        gint64 bytes = 0;
        for (guint k = 0; k < sequences(e); k++) {
            gint64 from_memory = lanes[k].at == IN_MEMORY ? 1 - bit : lanes[k].at == dim ? bit : 0;
            if (lanes[k].dims[t] == dim)
                bytes += run_bytes(e, (2 * (gint64)k + from_memory) * unit, unit);
        }
        most = MAX(most, bytes);
    }
    return most;
}

static void a5_steps(const Entry *e, ShuffleSteps *steps)
{
    Lane lanes[SEQUENCE_LENGTH_MAX + PERMUTATION_BITS_MAX];
    for (guint k = 0; k < sequences(e); k++) {
        sequence_fill(e->c->permutation, k, lanes[k].dims);
        lanes[k].at = IN_MEMORY;
    }
    for (guint t = 0; t < e->sigma + e->beta; t++) {
        gint64 most = 0;
        for (guint dim = 0; dim < e->n; dim++)
            most = MAX(most, a5_bytes(e, lanes, t, dim));
        add_step(steps, most);
        for (guint k = 0; k < sequences(e); k++) {
            guint8 dim = lanes[k].dims[t];
            lanes[k].at = lanes[k].at == IN_MEMORY ? dim : lanes[k].at == dim ? IN_MEMORY : lanes[k].at;
        }
    }
}

/* --- extended cubes --- */

/* Lane i of step t: part i of every run that goes from the processors with 0 in idle dimension i + t to those with 1.
 * Lanes have crossed the t dimensions before; most bytes go where the bits there are 0. */
static gint64 lane_bytes(const Entry *e, gint64 lanes, guint i, guint t)
{
    guint r = e->c->idle, crossed = 0, bit = 1u << (i + t) % r;
    gint64 bytes = 0, count = e->run / lanes;
    for (guint j = 0; j < t; j++)
        crossed |= 1u << (i + j) % r;
    for (guint run = 0; run < 1u << r; run++)
        if ((run & bit) && !(run & crossed))
            bytes += run_bytes(e, run * e->run + i * count, count);
    return bytes;
}

/* Step t of the expansion, and of the compression, which goes backwards. */
static void spread(const Entry *e, gint64 lanes, guint t, ShuffleSteps *steps)
{
    gint64 most = 0;
    for (guint i = 0; i < lanes; i++)
        most = MAX(most, lane_bytes(e, lanes, i, t));
    add_steps(steps, 1, most, 1);
}

/* --- the rows --- */

#define EXACT "exact"
#define BOUND "a bound from order three on"
#define IF_EVEN "exact if K halves, else transfers too low"
#define IF_DIVIDES "exact if K divides, else transfers too low"

static const ShuffleRow rows[] = {
    {{"a0", PORTS_ONE, "[2, 4)", "[1, 2)", EXACT}, a0, whole, one_piece, a0_steps, 0},
    {{"a1", PORTS_ONE, "[2, 4)", "1", EXACT}, a1, doubled, one_piece, a1_steps, 0},
    {{"a1a", PORTS_ONE, "2", "1", "exact in lock step; free-running it can be less"},
     a1a, whole, one_piece, a1a_steps, 0},
    {{"a2", PORTS_ONE, "(1, 1.5]", "(1, 1.5]", IF_EVEN}, a2, half, two_pieces, a2_steps, EXCHANGES},
    {{"a3", PORTS_ONE, "2n/sigma", "2n/sigma", IF_DIVIDES}, a3, half, a3_pieces, a3_steps, EXCHANGES},
    {{"a4", PORTS_ONE, "[2, 2 ceil(log2 sigma_max)]", "[1, ceil(log2 sigma_max)]", BOUND},
     a4, whole, one_piece, a0_steps, 0},
    {{"a1a", PORTS_ALL, "2", "[1, (sigma+2)^2/(8 sigma)]",
      "exact if K divides and shorter cycles have no more packets, else too low"},
     a1a_ports, part, a1a_port_pieces, a1a_port_steps, 0},
    {{"a2", PORTS_ALL, "(1, 1.5]", "(1, (sigma+3)^2/(8 sigma)]", IF_DIVIDES},
     a2_ports, half_part, a2_port_pieces, a2_port_steps, PER_CYCLE},
    {{"a3", PORTS_ALL, "2", "2n/sigma", IF_DIVIDES}, a3_ports, half_port, a3_port_pieces, a3_steps, 0},
    {{"a4", PORTS_ALL, "(1, 2 ceil(log2 sigma_max)]", NULL, "not counted: the paper does not say how it goes"},
     a4_ports, pipeline, one_piece, NULL, PIPELINED},
    {{"a5", PORTS_ALL, "(1, 2)", "(1, 1.5]", IF_DIVIDES}, a5, sequence, a5_pieces, a5_steps, 0},
    {{"a6", PORTS_ALL, "(1, 1.5]", "(1, 3)", "a bound; f(S) start-ups"}, a6, leaf, a6_pieces, a6_steps, 0},
    {{"spt", PORTS_ONE, "2", "1", EXACT}, a1a, whole, one_piece, a1a_steps, PAIRS_ONLY},
    {{"dpt", PORTS_ALL, "2", "1", IF_DIVIDES}, a1a_ports, part, a1a_port_pieces, a1a_port_steps, PAIRS_ONLY},
};

const ShuffleRow *shuffle_find(const char *algorithm, Ports ports)
{
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].label.algorithm, algorithm) == 0 && rows[i].label.ports == ports)
            return &rows[i];
    return NULL;
}

guint shuffle_count(void)
{
    return G_N_ELEMENTS(rows);
}

const ShuffleRow *shuffle_nth(guint i)
{
    g_assert(i < G_N_ELEMENTS(rows));
    return &rows[i];
}

const ShuffleLabel *shuffle_label(const ShuffleRow *row)
{
    return &row->label;
}

const char *shuffle_refuses(const ShuffleRow *row, const Permutation *p)
{
    for (guint i = 0; i < p->n_cycles; i++)
        if ((row->kind & PAIRS_ONLY) && permutation_cycle_length(p, i) > 2)
            return "it is for transpositions: all cycles must have two dimensions";
    return NULL;
}

/* --- sums of rationals --- */

/* Whether count x each_ps certainly reaches INPUT_TIME_MAX_PS; if not, it is below (2^53 + each_ps) x denominator. */
static gboolean too_long(ShuffleRational count, gint64 each_ps)
{
    return each_ps > 0 && count.numerator / count.denominator > INPUT_TIME_MAX_PS / each_ps;
}

/* ceil(a x a_ps + b x b_ps), saturated. Whole and broken parts are added apart, so that nothing overflows. */
static gint64 sum_ps(ShuffleRational a, gint64 a_ps, ShuffleRational b, gint64 b_ps)
{
    if (too_long(a, a_ps) || too_long(b, b_ps))
        return INPUT_TIME_MAX_PS;
    __int128 x = a.numerator * a_ps, y = b.numerator * b_ps, one = (__int128)a.denominator * b.denominator;
    __int128 rest = x % a.denominator * b.denominator + y % b.denominator * a.denominator;
    __int128 sum = x / a.denominator + y / b.denominator + (rest > 0) + (rest > one);
    return (gint64)MIN(sum, INPUT_TIME_MAX_PS);
}

static ShuffleRational add(ShuffleRational a, ShuffleRational b)
{
    if (a.denominator == b.denominator)
        return (ShuffleRational){a.numerator + b.numerator, a.denominator};
    return (ShuffleRational){a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}

static double real(ShuffleRational x)
{
    return (double)x.numerator / (double)x.denominator;
}

/* --- extended cubes --- */

/* Expansion and compression: each K(1 - 1/2^r); r with one port, K/r(1 - 1/2^r); r with n, r being the idle dimensions.
 * K here is c->bytes. */
static ShuffleCount expansion(const Entry *e, Ports ports)
{
    guint r = e->c->idle;
    gint64 ways = ports == PORTS_ALL ? r : 1;
    __int128 startups = 0;
    for (guint k = 1; k <= r; k++)
        startups += packets(e, (gint64)1 << (k - 1), ways);
    return counts((ShuffleRational){2 * (__int128)e->c->bytes * (e->split - 1), e->split * ways}, 2 * startups);
}

/* --- counts --- */

static ShuffleCount printed_of(const ShuffleRow *row, const Entry *e)
{
    ShuffleCount none = counts((ShuffleRational){0, 1}, 0), count = e->beta > 0 ? row->printed(e) : none;
    if (e->beta == 0 || e->c->idle == 0)
        return count;
    ShuffleCount more = expansion(e, row->label.ports);
    return (ShuffleCount){add(count.bytes, more.bytes), add(count.startups, more.startups)};
}

static gint64 count_ps(ShuffleCount count, const MachineTerms *terms)
{
    return sum_ps(count.bytes, terms->tau_ps_per_byte, count.startups, terms->lambda_ps);
}

gint64 shuffle_pieces(const ShuffleRow *row, const Permutation *permutation)
{
    Entry e = entry_of(&(ShuffleCase){.permutation = permutation}, NULL);
    return e.beta ? row->pieces(&e) : 1;
}

gboolean shuffle_steps(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c, ShuffleSteps *steps)
{
    Entry e = entry_of(c, machine);
    *steps = (ShuffleSteps){0};
    if (!row->steps || e.beta == 0)
        return row->steps != NULL;
    gint64 lanes = row->label.ports == PORTS_ALL && c->idle > 0 ? c->idle : 1;
    gboolean twice = (row->kind & EXCHANGES) && machine->duplex == DUPLEX_HALF;
    e.cut = row->pieces(&e);
    e.run = e.cut * lanes;
    e.pieces = e.run << c->idle;
    for (guint t = 0; t < c->idle; t++)
        spread(&e, lanes, t, steps);
    for (guint i = 0; i <= (guint)twice; i++)
        row->steps(&e, steps);
    for (guint t = c->idle; t-- > 0;)
        spread(&e, lanes, t, steps);
    return TRUE;
}

/* The largest packet that A4 has use for: K/(2 sigma). */
static gint64 pipelined_bytes(const ShuffleCase *c)
{
    gint64 packets = 2 * (gint64)MAX(1, permutation_order(c->permutation)) << c->idle;
    return MAX(1, (c->bytes + packets - 1) / packets);
}

/* The least and the largest packet with bytes; 0 if there is none. A4's steps are not known: its packets are taken to
 * be full, but on extended cubes to have anything up to B and K. */
static void packet_range(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c, gint64 *least,
                         gint64 *most)
{
    ShuffleSteps steps;
    gint64 B = c->packet ? c->packet : G_MAXINT64;
    *least = *most = 0;
    if (!shuffle_steps(row, machine, c, &steps)) {
        *most = MIN(B, c->idle ? c->bytes : pipelined_bytes(c));
        *least = c->idle ? MIN(*most, c->element) : *most;
    }
    for (guint k = 0; k < steps.n_steps; k++) {
        gint64 rest = steps.bytes[k] % B, smallest = rest ? rest : MIN(B, steps.bytes[k]);
        *least = *least == 0 ? smallest : MIN(*least, smallest);
        *most = MAX(*most, MIN(B, steps.bytes[k]));
    }
}

static const MachineTerms *terms_of(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    gint64 least, most;
    packet_range(row, machine, c, &least, &most);
    return machine_terms(machine, most);
}

ShuffleCount shuffle_printed(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    Entry e = entry_of(c, machine);
    e.order = e.beta ? permutation_cycle_length(c->permutation, 0) : 0;
    ShuffleCount most = printed_of(row, &e);
    for (guint i = 1; i < e.beta && (row->kind & PER_CYCLE); i++) {
        e.order = permutation_cycle_length(c->permutation, i);
        ShuffleCount count = printed_of(row, &e);
        const MachineTerms *terms = terms_of(row, machine, c);
        if (count_ps(count, terms) > count_ps(most, terms))
            most = count;
    }
    return most;
}

/* --- times --- */

const char *shuffle_unpublished_reason(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    gint64 least, most;
    packet_range(row, machine, c, &least, &most);
    if (machine_terms(machine, least) != machine_terms(machine, most))
        return "Ho & Johnsson's Table 2 has one start-up time; here are short and long packets, which differ";
    return NULL;
}

gint64 shuffle_published_ps(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    return count_ps(shuffle_printed(row, machine, c), terms_of(row, machine, c));
}

gint64 shuffle_counted_ps(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    ShuffleSteps steps;
    Entry e = {.c = c, .machine = machine};
    return shuffle_steps(row, machine, c, &steps) ? steps_ps(&e, &steps) : -1;
}

/* --- the best packet --- */

double shuffle_optimal_bytes(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    Entry e = entry_of(c, machine);
    return e.beta ? row->optimal(&e) : 0;
}

static gint64 whole_elements(const ShuffleCase *c, double bytes)
{
    return (gint64)ceil(bytes / (double)c->element) * c->element;
}

/* Of two packets that with the smaller published time; the first if both have the same. */
static gint64 better_packet(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c, gint64 first,
                            gint64 second)
{
    ShuffleCase with_first = *c, with_second = *c;
    with_first.packet = first;
    with_second.packet = second;
    gint64 first_ps = shuffle_published_ps(row, machine, &with_first);
    return first_ps <= shuffle_published_ps(row, machine, &with_second) ? first : second;
}

/* The packet or the next smaller one. */
static gint64 better_below(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c, gint64 packet)
{
    return better_packet(row, machine, c, packet, MAX(packet - c->element, c->element));
}

/* The largest message of expansion and compression: half of the data, over all idle dimensions with n ports. */
static double expansion_bytes(const ShuffleCase *c, Ports ports)
{
    return c->idle ? (double)c->bytes / (ports == PORTS_ONE ? 2 : 2 * c->idle) : 0;
}

gint64 shuffle_optimal_packet(const ShuffleRow *row, const Machine *machine, const ShuffleCase *c)
{
    ShuffleCase unlimited = *c;
    unlimited.packet = 0;
    ShuffleSteps steps;
    shuffle_steps(row, machine, &unlimited, &steps);
    double optimal = CLAMP(shuffle_optimal_bytes(row, machine, c), 1, 2 * (double)MAX(1, c->bytes));
    gint64 best = whole_elements(c, optimal), limit = machine->packet;
    if (row->kind & PIPELINED) {
        best = better_below(row, machine, c, MIN(best, whole_elements(c, (double)pipelined_bytes(c))));
        best = better_packet(row, machine, c, MAX(best, whole_elements(c, expansion_bytes(c, row->label.ports))), best);
    }
    best = MAX(best, steps.largest);
    if (limit == 0 || best <= limit)
        return best;
    return limit < c->element ? limit : limit / c->element * c->element;
}

ShuffleRational shuffle_min_startups(const ShuffleRow *row, const ShuffleCase *c)
{
    static const Machine one_startup = {.short_limit = -1, .terms = {.lambda_ps = 1}};
    ShuffleCase unlimited = *c;
    unlimited.packet = 0;
    return shuffle_printed(row, &one_startup, &unlimited).startups;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

double shuffle_transfer_factor(const ShuffleRow *row, const ShuffleCase *c)
{
    static const Machine transfers_only = {.short_limit = -1, .terms = {.tau_ps_per_byte = 1}};
    guint ports = row->label.ports == PORTS_ONE ? permutation_real_order(c->permutation) : 1;
    gboolean moves = permutation_real_order(c->permutation) > 0;
    return ratio(real(shuffle_printed(row, &transfers_only, c).bytes), moves * ports * (double)c->bytes / 2);
}

double shuffle_startup_factor(const ShuffleRow *row, const ShuffleCase *c)
{
    return ratio(real(shuffle_min_startups(row, c)), permutation_real_order(c->permutation));
}

/* --- lower bounds --- */

/* A transmission time that no algorithm has less than. */
static gint64 transfer_bound_ps(const Machine *machine, ShuffleRational bytes)
{
    const MachineTerms *a = &machine->terms, *b = machine->short_limit < 0 ? a : &machine->short_terms;
    return sum_ps(bytes, MIN(a->tau_ps_per_byte, b->tau_ps_per_byte), (ShuffleRational){0, 1}, 0);
}

gint64 shuffle_lower_bound_ps(const Machine *machine, Ports ports, const ShuffleCase *c)
{
    const MachineTerms *a = &machine->terms, *b = machine->short_limit < 0 ? a : &machine->short_terms;
    gint64 lambda_ps = c->bytes ? MIN(a->lambda_ps, b->lambda_ps) : machine->lambda_zero_ps;
    gint64 order = permutation_real_order(c->permutation), distance = permutation_distance_max(c->permutation);
    gint64 used = ports == PORTS_ONE ? 1 : c->idle + order, ways = ports == PORTS_ONE ? order : 1;
    if (order == 0)
        return 0;
    /* sigma K/2 or K/2; with idle dimensions over 2^idle */
    gint64 bound = transfer_bound_ps(machine, (ShuffleRational){(__int128)ways * c->bytes, (gint64)2 << c->idle});
    bound = MAX(bound, sum_ps((ShuffleRational){distance, 1}, lambda_ps, (ShuffleRational){0, 1}, 0));
    if (c->idle == 0 || c->bytes == 0)
        return bound;
    /* K + sigma - oJ - 1 elements, or K/(n - m_p + sigma) + sigma - oJ - 1 */
    __int128 last = (__int128)(distance - 1) * c->element * used;
    return MAX(bound, transfer_bound_ps(machine, (ShuffleRational){c->bytes + last, used}));
}

ShuffleRational shuffle_fixed_packet_bound(const Permutation *p, Ports ports, guint cycles, gint64 bytes)
{
    __int128 ways = ports == PORTS_ONE ? permutation_real_order(p) : 1;
    return (ShuffleRational){cycles * ways * bytes, 2 * ((gint64)cycles - 1)};
}

ShuffleRational shuffle_startups_bound(const Permutation *p)
{
    return (ShuffleRational){2 * permutation_real_order(p), 3};
}

/* --- break-even points --- */

ShuffleRational shuffle_break_even(ShuffleEven pair, const Permutation *p)
{
    Entry e = entry_of(&(ShuffleCase){.permutation = p}, NULL);
    switch (pair) {
    case EVEN_A1A_A2_ONE_PORT: return (ShuffleRational){e.sigma - e.beta, 2 * e.beta};
    case EVEN_A1A_A2_N_PORT: return (ShuffleRational){e.most - 1, 2 * e.beta * e.most};
    default: return (ShuffleRational){1, 6 * e.sigma - 4};
    }
}
