#include "permuting.h"
#include "permuting_printed.h"

#include <math.h>
#include <string.h>

struct PermutingRow {
    PermutingLabel label;
    PermutingPrinted *printed;
    PermutingOptimum *optimal;
    const PermutingCourse *course;  /* NULL: not known */
    gboolean pipelined;
    gboolean pairs_only;            /* all cycles must have order two */
};

#define EXACT "exact"
#define IF_DIVIDES "exact if K divides, else transfers too low"

static const PermutingRow rows[] = {
    {{"a0", PORTS_ONE, "[2, 4)", "[1, 2)", EXACT}, printed_a0, optimum_whole, &course_a0, FALSE, FALSE},
    {{"a1", PORTS_ONE, "[2, 4)", "1", EXACT}, printed_a1, optimum_double, &course_a1, FALSE, FALSE},
    {{"a1a", PORTS_ONE, "2", "1", "exact in lock step; free-running it can be less"},
     printed_a1a, optimum_whole, &course_a1a, FALSE, FALSE},
    {{"a2", PORTS_ONE, "(1, 1.5]", "(1, 1.5]", "exact if K halves, else transfers too low"},
     printed_a2, optimum_half, &course_a2, FALSE, FALSE},
    {{"a3", PORTS_ONE, "2n/sigma", "2n/sigma", IF_DIVIDES}, printed_a3, optimum_half, &course_a3, FALSE, FALSE},
    {{"a4", PORTS_ONE, "[2, 2 ceil(log2 sigma_max)]", "[1, ceil(log2 sigma_max)]", "a bound from order three on"},
     printed_a4, optimum_whole, &course_a0, FALSE, FALSE},
    {{"a1a", PORTS_ALL, "2", "[1, (sigma+2)^2/(8 sigma)]",
      "exact if K divides and shorter cycles have no more packets, else too low"},
     printed_a1a_ports, optimum_a1a_ports, &course_a1a_ports, FALSE, FALSE},
    {{"a2", PORTS_ALL, "(1, 1.5]", "(1, (sigma+3)^2/(8 sigma)]", IF_DIVIDES},
     printed_a2_ports, optimum_a2_ports, &course_a2_ports, FALSE, FALSE},
    {{"a3", PORTS_ALL, "2", "2n/sigma", IF_DIVIDES},
     printed_a3_ports, optimum_a3_ports, &course_a3_ports, FALSE, FALSE},
    {{"a4", PORTS_ALL, "(1, 2 ceil(log2 sigma_max)]", NULL, "not counted: the paper does not say how it goes"},
     printed_a4_ports, optimum_a4_ports, NULL, TRUE, FALSE},
    {{"a5", PORTS_ALL, "(1, 2)", "(1, 1.5]", IF_DIVIDES}, printed_a5, optimum_a5, &course_a5, FALSE, FALSE},
    {{"a6", PORTS_ALL, "(1, 1.5]", "(1, 3)", "a bound; f(S) start-ups"},
     printed_a6, optimum_a6, &course_a6, FALSE, FALSE},
    {{"spt", PORTS_ONE, "2", "1", EXACT}, printed_a1a, optimum_whole, &course_a1a, FALSE, TRUE},
    {{"dpt", PORTS_ALL, "2", "1", IF_DIVIDES},
     printed_a1a_ports, optimum_a1a_ports, &course_a1a_ports, FALSE, TRUE},
};

const PermutingRow *permuting_find(const char *algorithm, Ports ports)
{
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].label.algorithm, algorithm) == 0 && rows[i].label.ports == ports)
            return &rows[i];
    return NULL;
}

guint permuting_count(void)
{
    return G_N_ELEMENTS(rows);
}

const PermutingRow *permuting_nth(guint i)
{
    g_assert(i < G_N_ELEMENTS(rows));
    return &rows[i];
}

const PermutingLabel *permuting_label(const PermutingRow *row)
{
    return &row->label;
}

const char *permuting_refuses(const PermutingRow *row, const Permutation *p)
{
    for (guint i = 0; i < p->n_cycles; i++)
        if (row->pairs_only && permutation_cycle_length(p, i) > 2)
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
    TransferCount more = printed_expansion(e, row->label.ports);
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
    if (row->course && e.beta)
        course_steps(row->course, row->label.ports, &e, steps);
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
        e.order = permutation_cycle_length(c->permutation, i);
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

/* The packet or the next smaller one. */
static gint64 better_below(const PermutingRow *row, const Machine *machine, const PermutingCase *c, gint64 packet)
{
    return better_packet(row, machine, c, packet, MAX(packet - c->element, c->element));
}

/* The largest message of expansion and compression: half of the data, over all idle dimensions with n ports. */
static double expansion_bytes(const PermutingCase *c, Ports ports)
{
    return c->idle ? (double)c->bytes / (ports == PORTS_ONE ? 2 : 2 * c->idle) : 0;
}

gint64 permuting_optimal_packet(const PermutingRow *row, const Machine *machine, const PermutingCase *c)
{
    PermutingCase unlimited = *c;
    unlimited.packet = 0;
    PermutingSteps steps;
    permuting_steps(row, machine, &unlimited, &steps);
    double optimal = CLAMP(permuting_optimal_bytes(row, machine, c), 1, 2 * (double)MAX(1, c->bytes));
    gint64 best = whole_elements(c, optimal);
    if (row->pipelined) {
        best = better_below(row, machine, c, MIN(best, whole_elements(c, (double)pipelined_bytes(c))));
        best = better_packet(row, machine, c, MAX(best, whole_elements(c, expansion_bytes(c, row->label.ports))), best);
    }
    return transfer_allowed_packet(machine, MAX(best, steps.largest), c->element);
}

Rational permuting_min_startups(const PermutingRow *row, const PermutingCase *c)
{
    static const Machine one_startup = {.short_limit = -1, .terms = {.lambda_ps = 1}};
    PermutingCase unlimited = *c;
    unlimited.packet = 0;
    return permuting_printed(row, &one_startup, &unlimited).startups;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

double permuting_transfer_factor(const PermutingRow *row, const PermutingCase *c)
{
    static const Machine transfers_only = {.short_limit = -1, .terms = {.tau_ps_per_byte = 1}};
    guint ports = row->label.ports == PORTS_ONE ? permutation_real_order(c->permutation) : 1;
    gboolean moves = permutation_real_order(c->permutation) > 0;
    return ratio(rational_real(permuting_printed(row, &transfers_only, c).bytes), moves * ports * (double)c->bytes / 2);
}

double permuting_startup_factor(const PermutingRow *row, const PermutingCase *c)
{
    return ratio(rational_real(permuting_min_startups(row, c)), permutation_real_order(c->permutation));
}

