#include "permuting_steps.h"
#include "sim/text/input.h"
#include "sim/cube/sequence.h"

PermutingEntry permuting_entry(const PermutingCase *c, const Machine *machine)
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
        e.tau_per_t_c = (double)terms->lambda_ps / (double)terms->tau_ps_per_byte;
    return e;
}

Rational permuting_share(const PermutingEntry *e, gint64 a, gint64 b)
{
    return (Rational){(__int128)e->c->bytes * a, b * e->split};
}

/* Data as it is cut for one case, and the steps so far. */
typedef struct {
    const PermutingCourse *course;
    const PermutingEntry *e;
    gint64 run;             /* pieces that a subcube has */
    gint64 ways;            /* that go from one subcube to others at a time; each lot of pieces is as many */
    PermutingSteps *steps;
} Walk;

struct PermutingCourse {
    void (*walk)(const Walk *w);
    gint64 (*lots)(const PermutingCourse *course, const PermutingEntry *e);     /* equal ones, of a run; NULL: paths */
    guint paths;            /* of a part of the data at a time */
    gboolean exchanges;     /* everybody sends and receives in every step */
    gboolean flat;          /* every cycle is a group of its own */
};

static void add_step(PermutingSteps *steps, gint64 bytes)
{
    g_assert(steps->n_steps < PERMUTING_STEPS_MAX);
    steps->bytes[steps->n_steps++] = bytes;
    steps->largest = MAX(steps->largest, bytes);
}

/* `times` steps of `bytes` bytes in pieces from `first` on. Without data, piece 0 is what is sent. */
static void add_steps(PermutingSteps *steps, guint times, gint64 bytes, gint64 first)
{
    for (guint i = 0; i < times && (bytes > 0 || first == 0); i++)
        add_step(steps, bytes);
}

/* Bytes of the `count` pieces from `first` on. */
static gint64 run_bytes(const Walk *w, gint64 first, gint64 count)
{
    gint64 elements = w->e->c->bytes / w->e->c->element, pieces = w->run << w->e->c->idle;
    return (elements / pieces * count + CLAMP(elements % pieces - first, 0, count)) * w->e->c->element;
}

/* What a processor has, and has most of, in the permutation: the data of run 0. */
static gint64 whole_bytes(const Walk *w)
{
    return run_bytes(w, 0, w->run);
}

static guint length_of(const Walk *w, guint cycle)
{
    return permutation_cycle_length(&w->e->real, cycle);
}

/* --- A0, A1, A1a, A2, and A4 with one port --- */

static void walk_a0(const Walk *w)
{
    add_steps(w->steps, 2 * (w->e->sigma - w->e->beta), whole_bytes(w), 0);
}

static void walk_a1(const Walk *w)
{
    for (guint i = 0; i < w->e->beta; i++) {
        add_step(w->steps, whole_bytes(w));
        add_steps(w->steps, length_of(w, i) - 2, 2 * whole_bytes(w), 0);
        add_step(w->steps, whole_bytes(w));
    }
}

/* From order three on, some processor sends late elements and receives early ones, or the other way round, in all steps
 * of a cycle but the last: with half duplex these take two. */
static void walk_a1a(const Walk *w)
{
    add_steps(w->steps, w->e->sigma, whole_bytes(w), 0);
    for (guint i = 0; i < w->e->beta && w->e->machine->duplex == DUPLEX_HALF; i++)
        add_steps(w->steps, length_of(w, i) > 2 ? length_of(w, i) - 1 : 0, whole_bytes(w), 0);
}

/* In every step somebody sends the longer half. */
static void walk_a2(const Walk *w)
{
    add_steps(w->steps, w->e->sigma + w->e->beta, run_bytes(w, 0, w->run / 2), 0);
}

/* --- A3 --- */

/* With n ports in n parts. */
static gint64 a3_lots(const PermutingCourse *course, const PermutingEntry *e)
{
    return (gint64)(course == &course_a3_ports ? e->n : 1) << e->n;
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
 * present one in the first exchange: a message has the lots that have certain bits there, from 2^k processors; in the
 * second it has those with certain bits elsewhere, for 2^(n-k-1). Most bytes have those where these bits are 0. */
static gint64 a3_bytes(const Walk *w, guint r, guint k)
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

static void walk_a3(const Walk *w)
{
    guint parts = (guint)(w->run / w->ways >> w->e->n);
    for (guint k = 0; k < 2 * w->e->n; k++) {
        gint64 most = 0;
        for (guint r = 0; r < parts; r++)
            most = MAX(most, a3_bytes(w, r, k));
        add_step(w->steps, most);
    }
}

/* --- rounds: k parts of the data go through k groups of cycles at a time, part i in round r through group (i+r) mod k;
 * the parts wait for each other after each round --- */

static Grouping grouping_of(const PermutingCourse *course, const PermutingEntry *e)
{
    Grouping g = grouping_of_permutation(&e->real);
    guint all = (1u << g.n) - 1;
    g.n_groups[all] = course->flat ? (guint8)g.n : g.n_groups[all];
    for (guint i = 0; i < g.n && course->flat; i++)
        g.group[all][i] = (guint8)(1u << i);
    return g;
}

/* The least number of lots that can be divided as the groups want it. */
static gint64 group_lots(const Grouping *g, guint mask, guint paths)
{
    guint k = g->n_groups[mask];
    gint64 lots = 1;
    if (k == 1)
        return paths * (g->f[mask] - 1);
    for (guint i = 0; i < k; i++)
        lots = common_multiple(lots, group_lots(g, g->group[mask][i], paths));
    return k * lots;
}

static gint64 rounds_lots(const PermutingCourse *course, const PermutingEntry *e)
{
    Grouping g = grouping_of(course, e);
    return group_lots(&g, (1u << g.n) - 1, course->paths);
}

static void add_rounds(const Walk *w, const Grouping *g, guint mask, gint64 first, gint64 count,
                       PermutingSteps *steps);

/* Round r of the groups in `mask`: the steps of the part that takes longest, each having `count` pieces. */
static void add_round(const Walk *w, const Grouping *g, guint mask, guint r, gint64 first, gint64 count,
                      PermutingSteps *steps)
{
    guint k = g->n_groups[mask];
    gint64 most_ps = -1;
    PermutingSteps longest = {0};
    for (guint i = 0; i < k; i++) {
        PermutingSteps part = {0};
        add_rounds(w, g, g->group[mask][(i + r) % k], first + i * count, count, &part);
        steps->largest = MAX(steps->largest, part.largest);
        gint64 ps = permuting_steps_ps(&part, w->e->machine, w->e->c->packet);
        if (ps > most_ps)
            longest = part;
        most_ps = MAX(most_ps, ps);
    }
    for (guint i = 0; i < longest.n_steps; i++)
        add_step(steps, longest.bytes[i]);
}

/* Adds the steps of `count` pieces from `first` on in the groups of `mask`. A cycle of s has its data in paths x s
 * lots and takes s + paths - 1 steps. */
static void add_rounds(const Walk *w, const Grouping *g, guint mask, gint64 first, gint64 count, PermutingSteps *steps)
{
    guint k = g->n_groups[mask], paths = w->course->paths;
    if (k == 1) {
        guint order = length_of(w, (guint)g_bit_nth_lsf(mask, -1));
        add_steps(steps, order + paths - 1, run_bytes(w, first, count / (paths * order)), first);
    }
    for (guint r = 0; k > 1 && r < k; r++)
        add_round(w, g, mask, r, first, count / k, steps);
}

static void walk_rounds(const Walk *w)
{
    Grouping g = grouping_of(w->course, w->e);
    add_rounds(w, &g, (1u << g.n) - 1, 0, w->run, w->steps);
}

/* --- A5 --- */

#define IN_MEMORY G_MAXUINT8

/* Its dimensions, and where its virtual one is: a dimension, or in its place. */
typedef struct {
    guint8 dims[SEQUENCE_LENGTH_MAX];
    guint8 at;
} Sequence;

static gint64 a5_lots(const PermutingCourse *course, const PermutingEntry *e)
{
    return 2 * sequence_count(&e->real);
}

/* Bytes of the largest message across `dim` in step t. What is sent of part k is the half whose number is 1 minus the
 * sender's bit `dim` if the virtual dimension is in its place, otherwise the sender's bit where it is. The other bits
 * are as they like: somebody has 0 in all of them, the longer halves. */
static gint64 a5_bytes(const Walk *w, const Sequence *sequences, guint t, guint dim)
{
    gint64 most = 0;
    for (guint bit = 0; bit < 2; bit++) {
        gint64 bytes = 0;
        for (guint k = 0; k < sequence_count(&w->e->real); k++) {
            const Sequence *s = &sequences[k];
            gint64 half = s->at == IN_MEMORY ? 1 - bit : s->at == dim ? bit : 0;
            if (s->dims[t] == dim)
                bytes += run_bytes(w, (2 * (gint64)k + half) * w->ways, w->ways);
        }
        most = MAX(most, bytes);
    }
    return most;
}

static void walk_a5(const Walk *w)
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
        add_step(w->steps, most);
        for (guint k = 0; k < n; k++) {
            guint8 dim = sequences[k].dims[t], *at = &sequences[k].at;
            *at = *at == IN_MEMORY ? dim : *at == dim ? IN_MEMORY : *at;
        }
    }
}

/* --- extended cubes --- */

/* Way i of step t: part i of every run that goes from the processors with 0 in idle dimension i + t to those with 1. It
 * has crossed the t dimensions before; most bytes go where the bits there are 0. */
static gint64 way_bytes(const Walk *w, guint i, guint t)
{
    guint r = w->e->c->idle, crossed = 0, bit = 1u << (i + t) % r;
    gint64 bytes = 0, count = w->run / w->ways;
    for (guint j = 0; j < t; j++)
        crossed |= 1u << (i + j) % r;
    for (guint run = 0; run < 1u << r; run++)
        if ((run & bit) && !(run & crossed))
            bytes += run_bytes(w, run * w->run + i * count, count);
    return bytes;
}

/* Step t of the expansion, and of the compression, which goes backwards. */
static void spread(const Walk *w, guint t)
{
    gint64 most = 0;
    for (guint i = 0; i < w->ways; i++)
        most = MAX(most, way_bytes(w, i, t));
    add_steps(w->steps, 1, most, 1);
}

/* --- mixed cycles --- */

/* Half of the memory in each, which with half duplex takes two steps. */
static void walk_exchanges(const Walk *w)
{
    guint times = w->e->machine->duplex == DUPLEX_HALF ? 2 : 1;
    add_steps(w->steps, times * w->e->exchanges, w->e->c->bytes / 2, 0);
}

/* --- all of them --- */

const PermutingCourse course_a0 = {.walk = walk_a0, .paths = 1};
const PermutingCourse course_a1 = {.walk = walk_a1, .paths = 1};
const PermutingCourse course_a1a = {.walk = walk_a1a, .paths = 1};
const PermutingCourse course_a2 = {.walk = walk_a2, .paths = 2, .exchanges = TRUE};
const PermutingCourse course_a3 = {.walk = walk_a3, .lots = a3_lots, .exchanges = TRUE};
const PermutingCourse course_a1a_ports = {.walk = walk_rounds, .lots = rounds_lots, .paths = 1, .flat = TRUE};
const PermutingCourse course_a2_ports = {.walk = walk_rounds, .lots = rounds_lots, .paths = 2, .flat = TRUE};
const PermutingCourse course_a3_ports = {.walk = walk_a3, .lots = a3_lots};
const PermutingCourse course_a5 = {.walk = walk_a5, .lots = a5_lots};
const PermutingCourse course_a6 = {.walk = walk_rounds, .lots = rounds_lots, .paths = 2};

gint64 course_pieces(const PermutingCourse *course, const PermutingEntry *e)
{
    return course->lots ? course->lots(course, e) : course->paths;
}

void course_steps(const PermutingCourse *course, Ports ports, const PermutingEntry *e, PermutingSteps *steps)
{
    guint idle = e->c->idle;
    gint64 ways = ports == PORTS_ALL && idle > 0 ? idle : 1;
    Walk w = {course, e, course_pieces(course, e) * ways, ways, steps};
    gboolean twice = course->exchanges && e->machine->duplex == DUPLEX_HALF;
    for (guint t = 0; t < idle; t++)
        spread(&w, t);
    for (guint i = 0; e->beta && i <= (guint)twice; i++)
        course->walk(&w);
    walk_exchanges(&w);
    for (guint t = idle; t-- > 0;)
        spread(&w, t);
}

/* --- their time --- */

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

gint64 permuting_steps_ps(const PermutingSteps *steps, const Machine *machine, gint64 packet)
{
    __int128 sum = 0;
    for (guint k = 0; k < steps->n_steps; k++)
        sum += MIN(message_ps(machine, packet, steps->bytes[k]), INPUT_TIME_MAX_PS);
    return (gint64)MIN(sum, INPUT_TIME_MAX_PS);
}
