#include "hull.h"
#include "equipartitions.h"

#include <math.h>
#include <string.h>

/* --- phases --- */

/* Returns the time of one barrier, Q(d), if barriers separate the machine's phases; else 0. */
static double barrier_ps(const Machine *machine, guint dimension)
{
    return machine->phase_barrier ? (double)machine_barrier_ps(machine, dimension) : 0;
}

/* Returns the time of the barriers of a phase: one barrier, or with BARRIER_EXCHANGE `n_exchanges` barriers ("global
 * synchronization at each DE step", Nicol & Bokhari 1994, sec. 2.3). */
static double phase_barriers_ps(const Machine *machine, guint dimension, double n_exchanges)
{
    return barrier_ps(machine, dimension) * (machine->phase_barrier == BARRIER_EXCHANGE ? n_exchanges : 1);
}

/* Returns the time of one message in the formulas, apart from its bytes: lambda + delta, its handshake and, with
 * BARRIER_EXCHANGE, the barrier before it. */
static double hull_message_ps(const Machine *machine, const MachineTerms *terms, guint dimension)
{
    gboolean meets = machine->phase_barrier == BARRIER_EXCHANGE;
    return loads_messages_ps(machine, terms, 1, dimension / 2.0, TRUE) + (meets ? barrier_ps(machine, dimension) : 0);
}

/* Run: the last messages of a phase, if they follow each other without a break. */
typedef struct {
    double value;       /* time by which these messages lengthen the phase: count x excess - delta_hop x zeros */
    double count;
    double zeros;       /* number of channels that the messages do not cross: the 0 bits in their numbers */
} HullRun;

/* Returns the run with the largest value. A run begins with one of the last 2^bits - 1 messages, and goes on to the
 * last. The last message crosses all `bits` channels of the subcube and takes `excess` longer than a gap. Message i,
 * counted from the end, crosses one channel less for each bit of i that is 1. Takes O(bits^2). */
static HullRun longest_run(guint bits, double excess, double hop)
{
    HullRun best[PARTITION_DIMENSION_MAX + 1] = {{0, 0, 0}};    /* [less]: the best run among the last 2^b - 1
                                                                 * messages, if each crosses `less` channels less */
    for (guint b = 0; b < bits; b++)
        for (guint less = 0; less < bits - b; less++) {
            HullRun rest = best[less + 1];
            double half = ldexp(1, (int)b), zeros = half * b / 2;
            double value = half * (excess - less * hop) - hop * zeros + rest.value;
            if (value >= best[less].value)
                best[less] = (HullRun){value, half + rest.count, zeros + rest.zeros + rest.count};
        }
    return best[0].count ? best[0] : (HullRun){excess, 1, 0};
}

/* Phase over a subcube, all of whose messages have the costs `terms`. */
typedef struct {
    const Machine *machine;
    const MachineTerms *terms;
    guint dimension, part;      /* dimensions of the cube and of the subcube, 1 <= part <= dimension */
    guint stop;                 /* lowest address bit of the phase */
    gboolean rearranges;        /* whether memory is rearranged after the phase, the papers' shuffle */
    ExchangeDistance distance;
    const CongestedStep *steps; /* steps whose messages share channels; NULL if they share none. Only with
                                 * EXCHANGE_TRUE_DISTANCE, without overlap */
} Phase;

static double moving_ps_per_byte(const Phase *p)
{
    return p->rearranges ? ldexp(machine_byte_ps(p->machine->rho_fs_per_byte), (int)p->dimension) : 0;
}

/* Returns the number of the phase's address bits whose change leads to another processor of the same node. */
static guint bits_within(const Phase *p)
{
    guint bits = p->machine->host > 1 ? g_bit_storage((gulong)p->machine->host) - 1 : 0;
    return bits > p->stop ? MIN(bits - p->stop, p->part) : 0;
}

/* Returns the number of channels that the 2^bits - 1 messages of a phase over `bits` address bits cross in all. */
static double hops_of(guint bits)
{
    return ldexp(bits, (int)bits - 1);
}

/* Returns the line of a phase whose messages go one after another: (2^a - 1)(lambda + tau m 2^(d-a) + delta) + rho m
 * 2^d + Q(d), with a = part. 2^w - 1 of the messages stay within nodes, with w = bits_within(). */
static ExchangeLine phase_line(const Phase *p)
{
    guint w = bits_within(p);
    double n_within = ldexp(1, (int)w) - 1, n = ldexp(1, (int)p->part) - 1 - n_within, busy = n;
    double hops = p->distance == EXCHANGE_AVERAGE_DISTANCE ? n * p->dimension / 2.0
                  : machine_is_crossbar(p->machine)                ? n
                                                           : hops_of(p->part) - hops_of(w);
    if (p->steps) {
        hops = busy = 0;
        for (guint s = 1; s <= n; s++) {
            hops += p->steps[s << p->stop].hops;
            busy += p->steps[s << p->stop].load;
        }
    }
    MachineTerms within = w ? machine_within(p->machine, p->terms) : *p->terms;
    double tau = busy * machine_byte_ps(p->terms->tau_fs_per_byte) +
                 n_within * machine_byte_ps(within.tau_fs_per_byte);
    return (ExchangeLine){loads_messages_ps(p->machine, p->terms, n, hops, TRUE) +
                              loads_messages_ps(p->machine, &within, n_within, 0, TRUE) +
                              phase_barriers_ps(p->machine, p->dimension, n + n_within),
                          ldexp(tau, (int)(p->dimension - p->part)) + moving_ps_per_byte(p)};
}

/* Returns the line at `bytes` >= 0 (may be INFINITY) of a phase that issues all messages at once, on a machine that
 * overlaps start-ups. No formula is published. Message k = 0 ... n - 1 of n = 2^part - 1 starts at k gap, and leaves
 * after messages 0 ... k - 1. So the messages last
 *
 *     max over s = 1 ... n of (n - s) gap + lambda + s (delta + tau m 2^(d - part)) + delta_hop H(s),
 *
 * where the last s messages, over H(s) channels, follow each other without a break. SimGrid's flows do not wait for
 * each other: with SWITCHING_FLUID s is 1. Message k crosses a channel for each one bit of k + 1. With
 * EXCHANGE_AVERAGE_DISTANCE each message crosses d/2 channels, otherwise on a crossbar one. There are no handshakes. */
static ExchangeLine overlapped_line(const Phase *p, double bytes)
{
    const Machine *machine = p->machine;
    double n = ldexp(1, (int)p->part) - 1, hop = (double)p->terms->delta_hop_ps, gap = (double)machine->gap_ps;
    double tau = ldexp(machine_byte_ps(p->terms->tau_fs_per_byte), (int)(p->dimension - p->part));
    gboolean average = p->distance == EXCHANGE_AVERAGE_DISTANCE, alike = average || machine_is_crossbar(machine);
    double channels = average ? p->dimension / 2.0 : alike ? 1 : p->part;
    double excess = (double)machine->delta_ps + channels * hop + (tau > 0 ? tau * bytes : 0) - gap;
    HullRun run = machine->switching == SWITCHING_FLUID ? (HullRun){excess, 1, 0}
                                                        : longest_run(p->part, excess, alike ? 0 : hop);
    double hops = run.count * channels - (alike ? 0 : run.zeros);
    double intercept = (n - run.count) * gap + (double)p->terms->lambda_ps + run.count * (double)machine->delta_ps;
    return (ExchangeLine){intercept + hops * hop + barrier_ps(machine, p->dimension),
                          run.count * tau + moving_ps_per_byte(p)};
}

/* Returns the line on which the time of a phase for blocks of `bytes` bytes lies. */
static ExchangeLine phase_line_at(const Machine *machine, guint dimension, guint part, guint stop, gboolean rearranges,
                                  ExchangeDistance distance, double bytes)
{
    const MachineTerms *terms = machine_terms(machine, ldexp(bytes, (int)(dimension - part)));
    Phase phase = {machine, terms, dimension, part, stop, rearranges, distance,
                   congested_on_machine(machine, group_of_cube(MIN(dimension, GROUP_FACTORS_MAX)))};
    return machine->overlaps ? overlapped_line(&phase, bytes) : phase_line(&phase);
}

/* --- published formulas --- */

double exchange_phase_ps(const Machine *machine, guint dimension, guint part, gint64 bytes, gboolean rearranges)
{
    const MachineTerms *terms = machine_terms(machine, ldexp((double)bytes, (int)(dimension - part)));
    Phase phase = {machine, terms, dimension, part, 0, rearranges, EXCHANGE_AVERAGE_DISTANCE, NULL};
    return exchange_line_at(phase_line(&phase), (double)bytes);
}

double exchange_multiphase_ps(const Machine *machine, guint dimension, const Phases *partition, gint64 bytes)
{
    double time = 0;
    for (guint i = 0; i < partition->n_parts; i++)
        time += exchange_phase_ps(machine, dimension, partition->part[i], bytes, TRUE);
    return time;
}

double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return dimension ? exchange_phase_ps(machine, dimension, dimension, bytes, FALSE) : 0;
}

double exchange_use_ps(const ExchangeUse *use, const Machine *machine, guint dimension, gint64 bytes,
                       double exchange_ps)
{
    double copying = machine_byte_ps(machine->rho_fs_per_byte) * (double)use_copied_bytes(dimension, bytes);
    double computing = (double)machine->flop_ps * (double)use_operations(use, dimension, bytes);
    return use->n_exchanges * (exchange_ps + copying) + 2 * computing;
}

const char *exchange_unpublished_reason(const Machine *machine, gint64 largest)
{
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return "Bokhari's and Nicol's formulas are about circuits";
    if (machine->reconfigure_ps)
        return "Bokhari's and Nicol's formulas know no circuits that are kept";
    if (machine->packet && largest > machine->packet)
        return "Bokhari's and Nicol's formulas know no packets";
    return NULL;
}

/* --- costs --- */

HullCosts hull_costs(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                     double bytes)
{
    HullCosts costs = {.dimension = dimension};
    for (guint a = 1; a <= dimension; a++)
        for (guint stop = 0; stop <= dimension - a; stop++)
            costs.part[stop][a] = stop > 0 && machine->host <= 1 && !machine_shares_channels(machine)
                                      ? costs.part[0][a]
                                      : phase_line_at(machine, dimension, a, stop, TRUE, distance, bytes);
    if (dimension)
        costs.direct = phase_line_at(machine, dimension, dimension, 0, direct_rearranges, distance, bytes);
    return costs;
}

ExchangeLine hull_partition_line(const HullCosts *costs, const Phases *partition)
{
    if (partition->n_parts == 1)
        return costs->direct;
    ExchangeLine sum = {0, 0};
    for (guint i = 0, stop = costs->dimension; i < partition->n_parts; i++) {
        stop -= partition->part[i];
        sum = exchange_line_sum(sum, costs->part[stop][partition->part[i]]);
    }
    return sum;
}

/* --- the lower envelope --- */

static HullFace face_of(const HullCosts *costs, Phases partition)
{
    return (HullFace){0, INFINITY, hull_partition_line(costs, &partition), partition, {0}, 0, NULL};
}

/* Largest relative difference, from rounding, between two lines that count as one. */
#define EPSILON 1e-12

static gboolean nearly_equal(double a, double b)
{
    return fabs(a - b) <= EPSILON * MAX(fabs(a), fabs(b));
}

static gboolean same_line(ExchangeLine a, ExchangeLine b)
{
    return nearly_equal(a.intercept_ps, b.intercept_ps) && nearly_equal(a.slope_ps_per_byte, b.slope_ps_per_byte);
}

/* Returns the block size from which on the flatter line b lies below the steeper line a. */
static double hull_crossing(ExchangeLine a, ExchangeLine b)
{
    return (b.intercept_ps - a.intercept_ps) / (a.slope_ps_per_byte - b.slope_ps_per_byte);
}

/* Adds a line to an envelope. Lines must come in the order of falling slopes. */
static void envelope_add(GArray *faces, HullFace new)
{
    while (faces->len > 0) {
        HullFace *last = &g_array_index(faces, HullFace, faces->len - 1);
        if (nearly_equal(last->line.slope_ps_per_byte, new.line.slope_ps_per_byte)) {
            if (last->line.intercept_ps <= new.line.intercept_ps)
                return;
        } else {
            double from = hull_crossing(last->line, new.line);
            if (from > last->from_bytes && !nearly_equal(from, last->from_bytes)) {
                last->to_bytes = from;
                break;
            }
        }
        g_array_set_size(faces, faces->len - 1);
    }
    new.from_bytes = faces->len > 0 ? g_array_index(faces, HullFace, faces->len - 1).to_bytes : 0;
    g_array_append_val(faces, new);
}

static Hull *hull_take(GArray *faces)
{
    Hull *hull = g_new(Hull, 1);
    hull->n_faces = faces->len;
    hull->faces = (HullFace *)(gpointer)g_array_free(faces, FALSE);
    return hull;
}

void hull_free(Hull *hull)
{
    g_free(hull->faces);
    g_free(hull);
}

static GArray *faces_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(HullFace));
}

/* --- the hull over all partitions --- */

static int by_slope(gconstpointer a, gconstpointer b)
{
    const ExchangeLine *x = &((const HullFace *)a)->line, *y = &((const HullFace *)b)->line;
    if (x->slope_ps_per_byte != y->slope_ps_per_byte)
        return x->slope_ps_per_byte > y->slope_ps_per_byte ? -1 : 1;
    return x->intercept_ps < y->intercept_ps ? -1 : x->intercept_ps > y->intercept_ps;
}

Hull *hull_envelope(GArray *candidates)
{
    GArray *faces = faces_new();
    g_array_sort(candidates, by_slope);
    for (guint i = 0; i < candidates->len; i++)
        envelope_add(faces, g_array_index(candidates, HullFace, i));
    return hull_take(faces);
}

/* Returns the value of the line at `bytes`, or its slope at INFINITY, where only slopes count. */
static double value_at(ExchangeLine line, double bytes)
{
    return isinf(bytes) ? line.slope_ps_per_byte : exchange_line_at(line, bytes);
}

/* Best phase or list at one block size, by lowest address bit and number of bits: [stop][part]. */
typedef struct {
    ExchangeLine line[PARTITION_DIMENSION_MAX + 1][PARTITION_DIMENSION_MAX + 1];
    guint n_steps[PARTITION_DIMENSION_MAX + 1][PARTITION_DIMENSION_MAX + 1];    /* messages of a best list; 0: a
                                                                                 * phase */
} BestLines;

static BestLines best_lines_at(const HullCosts *costs, double bytes)
{
    BestLines c = {0};
    if (!costs->lists) {
        memcpy(c.line, costs->part, sizeof c.line);
        c.line[0][costs->dimension] = costs->direct;
        return c;
    }
    for (guint i = 0; i < costs->lists->len; i++) {
        const HullList *list = &g_array_index(costs->lists, HullList, i);
        for (guint stop = 0; stop <= costs->dimension - list->part; stop++) {
            guint *n_steps = &c.n_steps[stop][list->part];
            ExchangeLine *line = &c.line[stop][list->part];
            if (*n_steps && value_at(*line, bytes) <= value_at(list->line[stop], bytes))
                continue;
            *n_steps = list->n_steps;
            *line = list->line[stop];
        }
    }
    return c;
}

/* Returns the best face for blocks of `bytes` bytes, as a shortest path from 0 to d whose steps are parts. */
static HullFace best_face(const HullCosts *costs, double bytes)
{
    guint d = costs->dimension;
    const BestLines c = best_lines_at(costs, bytes);
    double least[PARTITION_DIMENSION_MAX + 1] = {0};
    guint8 chosen[PARTITION_DIMENSION_MAX + 1] = {0};
    for (guint sum = 1; sum <= d; sum++) {
        least[sum] = INFINITY;
        for (guint a = 1; a <= sum; a++) {
            double step = value_at(c.line[sum - a][a], bytes);
            if ((costs->lists && !c.n_steps[sum - a][a]) || least[sum - a] + step >= least[sum])
                continue;
            least[sum] = least[sum - a] + step;
            chosen[sum] = (guint8)a;
        }
    }
    HullFace best = {.to_bytes = INFINITY, .line = {costs->once_ps, 0}};
    Phases *parts = &best.partition;
    for (guint sum = d; sum > 0; sum -= chosen[sum]) {
        guint stop = sum - chosen[sum];
        best.n_steps[parts->n_parts] = c.n_steps[stop][chosen[sum]];
        best.line = exchange_line_sum(best.line, c.line[stop][chosen[sum]]);
        parts->part[parts->n_parts++] = chosen[sum];
    }
    if (costs->lists)
        return best;
    Phases sorted = *parts;
    partition_sort(&sorted);
    HullFace face = face_of(costs, sorted);
    return same_line(face.line, best.line) ? face : face_of(costs, *parts);
}

Phases hull_best_at(const HullCosts *costs, double bytes)
{
    return best_face(costs, bytes).partition;
}

/* Adds all faces that are best at sizes between those of `left` and `right`. If another face lies below both at their
 * crossing, adds it, and searches on both sides of it. */
static void search_between(GArray *candidates, const HullCosts *costs, const HullFace *left, const HullFace *right)
{
    if (left->line.slope_ps_per_byte <= right->line.slope_ps_per_byte ||
        nearly_equal(left->line.slope_ps_per_byte, right->line.slope_ps_per_byte))
        return;
    double bytes = hull_crossing(left->line, right->line);
    if (!isfinite(bytes) || bytes <= 0)
        return;
    HullFace middle = best_face(costs, bytes);
    double known = exchange_line_at(left->line, bytes), found = exchange_line_at(middle.line, bytes);
    if (found >= known || nearly_equal(found, known))
        return;
    g_array_append_val(candidates, middle);
    search_between(candidates, costs, left, &middle);
    search_between(candidates, costs, &middle, right);
}

Hull *hull_find(const HullCosts *costs)
{
    HullFace first = best_face(costs, 0), last = best_face(costs, INFINITY);
    g_autoptr(GArray) candidates = faces_new();
    g_array_append_val(candidates, first);
    g_array_append_val(candidates, last);
    search_between(candidates, costs, &first, &last);
    return hull_envelope(candidates);
}

Hull *hull_find_equal(const HullCosts *costs)
{
    guint d = costs->dimension, n_crossings = 0;
    ExchangeLine part[PARTITION_DIMENSION_MAX + 1];
    memcpy(part, costs->part[0], sizeof part);
    part[d] = costs->direct;
    g_autoptr(GArray) found = equipartitions_hull(d, part, &n_crossings);
    const EquipartitionFace *face = (const EquipartitionFace *)(gpointer)found->data;
    Hull *hull = g_new0(Hull, 1);
    hull->n_faces = found->len;
    hull->faces = g_new0(HullFace, found->len);
    for (guint i = 0; i < found->len; i++) {
        Phases partition = partition_equipartition(d, face[i].n_parts);
        hull->faces[i] = (HullFace){.partition = partition, .line = hull_partition_line(costs, &partition),
                                    .from_bytes = face[i].from_bytes,
                                    .to_bytes = i + 1 < found->len ? face[i + 1].from_bytes : INFINITY};
    }
    return hull;
}

/* --- the hull over some partitions --- */

const char *const hull_choice_names[] = {"mixed", "one", "extremes", NULL};

Phases hull_one_radix(guint dimension, guint part)
{
    guint rest = dimension % part;
    Phases partition = {0};
    if (rest)
        partition.part[partition.n_parts++] = rest;
    for (guint i = 0; i < dimension / part; i++)
        partition.part[partition.n_parts++] = part;
    return partition;
}

static Hull *find_among(const HullCosts *costs, HullChoice choice)
{
    guint d = costs->dimension;
    if (choice == HULL_MIXED || choice >= HULL_OFFSETS || d == 0)
        return hull_find(costs);
    g_autoptr(GArray) candidates = faces_new();
    for (guint part = 1; part <= d; part += choice == HULL_EXTREMES && d > 1 ? d - 1 : 1) {
        HullFace face = face_of(costs, hull_one_radix(d, part));
        g_array_append_val(candidates, face);
    }
    return hull_envelope(candidates);
}

/* --- lists of offsets --- */

/* Returns the lists for each number of address bits from 1 to `dimension`, with their lines at blocks of `bytes`
 * (GArray of HullList). Caller unrefs. */
static GArray *lists_at(const Machine *machine, guint dimension, double bytes)
{
    GArray *lists = g_array_new(FALSE, FALSE, sizeof(HullList));
    for (guint part = 1; part <= dimension; part++)
        for (guint i = 0; i < members_of_part(part)->len; i++) {
            const Member *member = &g_array_index(members_of_part(part), Member, i);
            HullList list = {.part = part, .n_steps = member->n_steps};
            guint others = dimension - part;
            gboolean meets = machine->phase_barrier == BARRIER_EXCHANGE;
            ExchangeLine meeting = {meets ? phase_barriers_ps(machine, dimension, member->n_steps) : 0, 0};
            for (guint stop = 0; stop <= others; stop++)
                list.line[stop] = stop > 0 && stop < others && machine->host <= 1
                                      ? list.line[0]
                                      : exchange_line_sum(loads_line(member->loads, machine, others, stop, bytes),
                                                          meeting);
            g_array_append_val(lists, list);
        }
    return lists;
}

guint hull_n_steps(const HullFace *face)
{
    guint n_steps = 0;
    for (guint i = 0; i < face->partition.n_parts; i++)
        n_steps += face->n_steps[i];
    return n_steps;
}

Offsets *hull_offsets(const HullFace *face, const Group *group)
{
    if (face->list)
        return offsets_parse("", face->list, group, NULL);
    if (!group->binary)
        return offsets_best(group, face->n_steps[0]);
    Offsets *offsets = offsets_new();
    guint stop = 0;
    for (guint i = face->partition.n_parts; i-- > 0; stop += face->partition.part[i]) {
        g_autoptr(Offsets) part = offsets_best(group_of_cube(face->partition.part[i]), face->n_steps[i]);
        offsets_add(offsets, part, stop);
    }
    return offsets;
}

/* --- radices, and lists modulo a number of processors --- */

/* Returns the lists from which a group that is no cube chooses (GArray of Member), made once. Borrowed, static. */
static const GArray *members_of_group(const Machine *machine, const Group *group, HullChoice choice)
{
    static GHashTable *found[HULL_RINGS + 2];
    gboolean runs = choice == HULL_OFFSETS && machine->reconfigure_ps > 0;
    guint at = runs ? HULL_RINGS + 1 : choice;
    if (!found[at])
        found[at] = g_hash_table_new(NULL, NULL);
    GArray *members = g_hash_table_lookup(found[at], group);
    if (members)
        return members;
    members = runs                     ? members_of_circuits(group)
              : choice == HULL_RINGS   ? members_of_rings(group)
              : choice == HULL_MIXED   ? members_of_radices(group)
              : choice == HULL_OFFSETS ? members_of_lists(group)
                                       : members_of_one_radix(group, choice == HULL_EXTREMES ? group->n - 2 : 1);
    g_hash_table_insert(found[at], (gpointer)group, members);
    return members;
}

gboolean hull_knows_nodes(const Machine *machine, const Group *group)
{
    gint64 node = machine->host;
    return node <= 1 || (!group || group->binary ? (node & (node - 1)) == 0 : group_block(group, node) == node);
}

ExchangeLine hull_line_at(const Machine *machine, const Group *group, const Phases *partition, double bytes)
{
    if (group->binary) {
        const HullCosts costs = hull_costs(machine, group->dimension, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
        return hull_partition_line(&costs, partition);
    }
    g_autoptr(Offsets) offsets = offsets_of_radices(partition, group, 1);
    g_autoptr(GArray) loads = loads_of(group, offsets, congested_on_machine(machine, group));
    ExchangeLine line = loads_line(loads, machine, 0, 0, bytes);
    return exchange_line_sum(line, (ExchangeLine){barrier_ps(machine, group->dimension), 0});
}

static Hull *hull_of_members(const Machine *machine, const Group *group, const GArray *members, double bytes)
{
    g_autoptr(GArray) candidates = faces_new();
    for (guint i = 0; i < members->len; i++) {
        const Member *member = &g_array_index(members, Member, i);
        const ExchangeLine barrier = {barrier_ps(machine, group->dimension), 0};
        ExchangeLine line = machine_shares_channels(machine)
                                ? hull_line_at(machine, group, &member->parts, bytes)
                                : exchange_line_sum(loads_line(member->loads, machine, 0, 0, bytes), barrier);
        HullFace face = {0, INFINITY, line, member->parts, {member->n_steps}, member->n_circuits, member->list};
        g_array_append_val(candidates, face);
    }
    return hull_envelope(candidates);
}

/* --- the hull of a machine --- */

/* Appends to `faces` the part of `hull` for block sizes in [from, to). Joins its first face to the last one of `faces`
 * if they are equal. */
static void add_clipped(GArray *faces, const Hull *hull, double from, double to)
{
    for (guint i = 0; i < hull->n_faces; i++) {
        HullFace face = hull->faces[i];
        face.from_bytes = MAX(face.from_bytes, from);
        face.to_bytes = MIN(face.to_bytes, to);
        if (face.from_bytes >= face.to_bytes)
            continue;
        HullFace *last = faces->len ? &g_array_index(faces, HullFace, faces->len - 1) : NULL;
        gboolean same = last && partition_equal(&last->partition, &face.partition) &&
                        memcmp(last->n_steps, face.n_steps, sizeof face.n_steps) == 0 && last->list == face.list &&
                        same_line(last->line, face.line);
        if (same)
            last->to_bytes = face.to_bytes;
        else
            g_array_append_val(faces, face);
    }
}

/* Adds the block sizes at which the line of a phase changes, between two sizes where its lines are `left` and `right`.
 * The time of a phase is the maximum of its lines. If no line is higher where `left` and `right` cross, adds that size.
 * Otherwise searches on both sides of the higher line. */
static void add_bends(GArray *sizes, const Phase *phase, ExchangeLine left, ExchangeLine right)
{
    if (right.slope_ps_per_byte <= left.slope_ps_per_byte ||
        nearly_equal(left.slope_ps_per_byte, right.slope_ps_per_byte))
        return;
    double bytes = hull_crossing(left, right), known = exchange_line_at(left, bytes);
    ExchangeLine middle = overlapped_line(phase, bytes);
    double found = exchange_line_at(middle, bytes);
    if (found <= known || nearly_equal(found, known)) {
        g_array_append_val(sizes, bytes);
        return;
    }
    add_bends(sizes, phase, left, middle);
    add_bends(sizes, phase, middle, right);
}

static int hull_by_size(gconstpointer a, gconstpointer b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Query for a hull: its machine, its cube or other group, and the partitions or lists among which to choose. */
typedef struct {
    const Machine *machine;
    guint dimension;
    const Group *group;         /* group that is no cube; NULL: the cube of `dimension` */
    ExchangeDistance distance;
    gboolean direct_rearranges;
    HullChoice choice;
} HullQuery;

/* Returns the block sizes m at which the line of any phase or list changes, sorted, then INFINITY. A phase over `a`
 * dimensions sends messages of m 2^(d-a) bytes, which at some m reach the limit of a piece (MachinePiece). */
static GArray *find_bends(const HullQuery *q)
{
    const Machine *machine = q->machine;
    MachinePiece pieces[MACHINE_PIECES_MAX];
    guint n = machine_pieces(machine, pieces);
    gboolean of_lists = q->choice == HULL_OFFSETS;
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(double));
    if (q->group && n > 1)
        members_add_bends(sizes, machine, 0, members_of_group(machine, q->group, q->choice));
    for (guint a = 1; !q->group && a <= q->dimension; a++) {
        if (of_lists && n > 1)
            members_add_bends(sizes, machine, q->dimension - a, members_of_part(a));
        for (guint i = 0; !of_lists && i < n; i++) {
            double limit = ldexp((double)pieces[i].limit, -(int)(q->dimension - a));
            Phase phase = {machine, pieces[i].terms, q->dimension, a, 0, FALSE, q->distance, NULL};
            if (i + 1 < n)
                g_array_append_val(sizes, limit);
            if (machine->overlaps)
                add_bends(sizes, &phase, overlapped_line(&phase, 0), overlapped_line(&phase, INFINITY));
        }
    }
    g_array_sort(sizes, hull_by_size);
    double last = INFINITY;
    g_array_append_val(sizes, last);
    return sizes;
}

/* Returns a hull over all block sizes, of the lines on which the candidates' times for blocks of `bytes` bytes lie. */
static Hull *hull_of_lines(const HullQuery *q, double bytes)
{
    if (q->group)
        return hull_of_members(q->machine, q->group, members_of_group(q->machine, q->group, q->choice), bytes);
    g_autoptr(GArray) lists = q->choice == HULL_OFFSETS ? lists_at(q->machine, q->dimension, bytes) : NULL;
    HullCosts costs = {.dimension = q->dimension, .lists = lists,
                       .once_ps = q->dimension ? phase_barriers_ps(q->machine, q->dimension, 0) : 0};
    if (!lists)
        costs = hull_costs(q->machine, q->dimension, q->distance, q->direct_rearranges, bytes);
    gboolean straight = isinf(bytes) && q->distance == EXCHANGE_AVERAGE_DISTANCE && !q->machine->overlaps &&
                        q->machine->host <= 1 && q->dimension > 0;
    return straight && q->choice == HULL_MIXED ? hull_find_equal(&costs) : find_among(&costs, q->choice);
}

/* Returns the hull put together from one hull for each interval between two sizes of find_bends(). */
static Hull *hull_of_pieces(const HullQuery *q)
{
    g_autoptr(GArray) sizes = find_bends(q);
    GArray *faces = faces_new();
    double from = 0;
    for (guint i = 0; i < sizes->len; i++) {
        double limit = g_array_index(sizes, double, i);
        if (limit < from)
            continue;
        double to = nextafter(limit, INFINITY);     /* the limit itself belongs to the piece below it */
        g_autoptr(Hull) piece = hull_of_lines(q, (from + limit) / 2);
        add_clipped(faces, piece, from, to);
        from = to;
    }
    return hull_take(faces);
}

Hull *hull_of_machine(const Machine *machine, guint dimension, ExchangeDistance distance, gboolean direct_rearranges,
                      HullChoice choice)
{
    return hull_of_pieces(&(HullQuery){machine, dimension, NULL, distance, direct_rearranges, choice});
}

static HullQuery hull_query(const Machine *machine, const Group *group, HullChoice choice)
{
    return (HullQuery){.machine = machine, .dimension = group->dimension, .group = group->binary ? NULL : group,
                       .distance = EXCHANGE_TRUE_DISTANCE, .choice = choice};
}

Hull *hull_of_group(const Machine *machine, const Group *group, HullChoice choice)
{
    const HullQuery q = hull_query(machine, group, choice);
    return hull_of_pieces(&q);
}

Hull *hull_at(const Machine *machine, const Group *group, HullChoice choice, double bytes)
{
    const HullQuery q = hull_query(machine, group, choice);
    return hull_of_lines(&q, bytes);
}

/* --- questions --- */

const HullFace *hull_lookup(const Hull *hull, double bytes)
{
    const HullFace *face = &hull->faces[hull->n_faces - 1];
    while (face > hull->faces && face->from_bytes > bytes)
        face--;
    return face;
}

/* --- Nicol & Bokhari --- */

/* The model in the letters of Nicol & Bokhari: a phase over x of d dimensions costs (2^x - 1)(A + 2^(d-x) B) + K. */
typedef struct {
    double a, b, k, d;
} Nicol;

/* Returns Delta_d(s, m), the extra cost of one phase over s dimensions against two phases over s/2 dimensions each. */
static double delta(const Nicol *n, double s)
{
    double half = exp2(s / 2);
    return (half - 1) * (half - 1) * (n->a - exp2(n->d - s) * n->b) - n->k;
}

/* Returns the zero of delta() between 2 and d, where it changes sign once. */
static double find_s_star(const Nicol *n)
{
    double low = 2, high = n->d;
    for (guint i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (delta(n, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static guint ceil_divide(guint a, guint b)
{
    return (a + b - 1) / b;
}

/* Fills in the verdict of Lemma 1 and its bounds on the largest part. */
static void nicol_judge(const Nicol *n, guint dimension, NicolBounds *bounds)
{
    if (dimension < 2 || delta(n, n->d) < 0) {
        bounds->verdict = NICOL_DIRECT;
        bounds->d_max_min = bounds->d_max_max = dimension;
    } else if (delta(n, 2) > 0) {
        bounds->verdict = NICOL_STANDARD;
        bounds->d_max_min = bounds->d_max_max = 1;
    } else {
        bounds->verdict = NICOL_MULTIPHASE;
        bounds->s_star = find_s_star(n);
        bounds->d_max_min = ceil_divide((guint)floor(bounds->s_star), 2);
        bounds->d_max_max = MIN(dimension, (guint)ceil(bounds->s_star));
    }
}

NicolBounds hull_nicol(const Machine *machine, guint dimension, double bytes)
{
    double moving = ldexp(machine_byte_ps(machine->rho_fs_per_byte) * bytes, (int)dimension);
    Nicol n = {
        .a = hull_message_ps(machine, &machine->terms, dimension),
        .b = machine_byte_ps(machine->terms.tau_fs_per_byte) * bytes,
        .k = moving + phase_barriers_ps(machine, dimension, 0),
        .d = dimension,
    };
    double half = exp2(n.d / 2);
    NicolBounds bounds = {
        .ratio = n.a / n.b,
        .lower = 1 + n.k / n.b / ((half - 1) * (half - 1)),
        .upper = exp2(n.d - 2) + n.k / n.b,
        .s_star = NAN,
    };
    nicol_judge(&n, dimension, &bounds);
    if (dimension == 0)
        return bounds;      /* without phases, phases_min and phases_max stay 0 */
    bounds.phases_min = ceil_divide(dimension, bounds.d_max_max);
    bounds.phases_max = bounds.d_max_min > 1 ? ceil_divide(dimension, bounds.d_max_min - 1) - 1 : dimension;
    return bounds;
}
