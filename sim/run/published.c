#include "published.h"
#include "models/exchange.h"
#include "sim/text/input.h"
#include "models/matmul_best.h"
#include "models/spanning.h"

#include <math.h>
#include <string.h>

/* --- Bokhari, Nicol & Bokhari: the complete exchange in phases --- */

static double in_phases_ps(const Run *run)
{
    const Problem *problem = &run->problem;
    const char *name = problem->algorithm->name;
    guint dimension = problem->dimension;
    gint64 bytes = problem->data.bytes;
    if (strcmp(name, "standard") == 0)
        return exchange_standard_ps(run->machine, dimension, bytes);
    if (strcmp(name, "direct") == 0)
        return exchange_direct_ps(run->machine, dimension, bytes);
    g_assert(strcmp(name, "multiphase") == 0);
    return exchange_multiphase_ps(run->machine, dimension, &problem->partition, bytes);
}

/* Bytes of the largest message of an exchange in phases. */
static gint64 largest_message(const Run *run)
{
    const Problem *problem = &run->problem;
    gint64 largest = run->problem.data.bytes;
    for (guint i = 0; i < problem->partition.n_parts; i++)
        largest = MAX(largest, run->problem.data.bytes << (problem->dimension - problem->partition.part[i]));
    return largest;
}

/* --- Johnsson & Ho: spanning graphs --- */

static const SpanningRow *row_of(const Algorithm *algorithm)
{
    return spanning_find(pattern_of(algorithm->pattern)->name, algorithm->name,
                         algorithm->n_port ? PORTS_ALL : PORTS_ONE);
}

static SpanningCase case_of(const Run *run)
{
    return (SpanningCase){.dimension = run->problem.dimension, .bytes = run->problem.data.bytes,
                          .packet = run->machine->packet, .element = run->element,
                          .accumulate = run->problem.accumulate};
}

static gint64 spanning(const Run *run, const char **why)
{
    const SpanningRow *row = row_of(run->problem.algorithm);
    SpanningCase c = case_of(run);
    *why = spanning_unpublished_reason(row, run->machine, &c);
    return spanning_published_ps(row, run->machine, &c);
}

/* --- Ho & Johnsson: permutations of address bits --- */

static const PermutingRow *permuting_row(const Algorithm *algorithm)
{
    return permuting_find(algorithm->name, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
}

PermutingCase published_permutation_case(const Run *run)
{
    return (PermutingCase){.permutation = &run->problem.permutation, .bytes = run->problem.data.bytes,
                           .packet = run->machine->packet, .element = run->element, .idle = run->problem.idle};
}

gint64 published_permutation_ps(const Run *run, const char **why)
{
    const PermutingRow *row = permuting_row(run->problem.algorithm);
    PermutingCase c = published_permutation_case(run);
    *why = run->problem.algorithm->unpublished;
    if (*why)
        return 0;
    *why = permuting_unpublished_reason(row, run->machine, &c);
    return permuting_published_ps(row, run->machine, &c);
}

/* --- Johnsson & Ho: matrix multiplication --- */

/* The place of a name in a list of models/, which has it. */
static guint place_of(const char *const *names, const char *name)
{
    guint i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    return i;
}

static MatmulCase multiplication_case(const Problem *problem, gint64 packet, gboolean optimal)
{
    const Multiplication *m = &problem->matmul;
    return (MatmulCase){.shape = m->shape, .grid = m->grid, .layout = m->layout,
                        .algorithm = place_of(matmul_algorithm_names, problem->algorithm->name),
                        .routing = place_of(matmul_routing_names, m->routing->name),
                        .accumulate = problem->accumulate,
                        .ports = problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE,
                        .element = m->element, .packet = packet, .optimal = optimal};
}

MatmulGrid published_grid(const Problem *problem, const Machine *machine, gboolean optimal)
{
    const MatmulCase c = multiplication_case(problem, machine ? machine->packet : 0, optimal);
    const MatmulQuestion question = {.model = MATMUL_PUBLISHED, .grids = MATMUL_ANY, .dimension = problem->dimension,
                                     .ports = c.ports, .layout = c.layout, .element = c.element, .packet = c.packet,
                                     .optimal = optimal || c.packet == 0,
                                     .terms = machine ? matmul_terms(machine, G_MAXINT64) : (MatmulTerms){0, 1, 0}};
    MatmulChoice choice;
    guint n = problem->dimension;
    return matmul_choose(&question, &c.shape, c.algorithm, &choice) ? choice.grid : (MatmulGrid){(n + 1) / 2, n / 2};
}

void published_choose_packets(Problem *problem, const Machine *machine)
{
    const MatmulCase c = multiplication_case(problem, machine->packet, TRUE);
    const MatmulRecipe *recipe = matmul_recipe_at_first(c.algorithm);
    const MatmulTerms terms = matmul_terms(machine, G_MAXINT64);
    problem->matmul.best_packets = TRUE;
    for (guint i = 0; recipe && i < recipe->n_phases; i++) {
        const MatmulPhase *phase = &recipe->phases[i];
        gint64 packet = MAX(1, matmul_packet(&c, phase, &terms) / c.element);
        if (matmul_is_pipelined(&c, phase))
            *(phase->matrix == 'A' ? &problem->matmul.packet_of_a : &problem->matmul.packet) = packet;
    }
}

static gint64 multiplication(const Run *run, const char **why)
{
    const Multiplication *m = &run->problem.matmul;
    const MatmulCase c = multiplication_case(&run->problem, run->machine->packet, m->best_packets);
    gint64 ps = 0;
    if (m->repeat > 1)
        *why = "Johnsson & Ho's tables are for one multiplication";
    else if (m->overlap)
        *why = "Johnsson & Ho's times are sums: nothing overlaps";
    else
        matmul_published_ps(&c, run->machine, &ps, why);
    return ps;
}

/* --- which belongs to which --- */

static gint64 exchange_in_phases(const Run *run, const char **why)
{
    *why = exchange_unpublished_reason(run->machine, largest_message(run));
    if (*why)
        return 0;
    const Problem *problem = &run->problem;
    double time = in_phases_ps(run);
    if (problem->pattern->use)
        time = exchange_use_ps(problem->pattern->use, run->machine, problem->dimension, problem->data.bytes, time);
    return time < (double)INPUT_TIME_MAX_PS ? llround(time) : INPUT_TIME_MAX_PS;
}

gboolean published_time(const Run *run, gint64 *time_ps, const char **reason)
{
    const Algorithm *algorithm = run->problem.algorithm;
    const char *why = algorithm->unpublished;
    gint64 time = why                              ? 0
                  : run->problem.pattern->permutes ? published_permutation_ps(run, &why)
                  : run->problem.pattern->multiplies ? multiplication(run, &why)
                  : row_of(algorithm)                ? spanning(run, &why)
                                                     : exchange_in_phases(run, &why);
    if (!why && time >= INPUT_TIME_MAX_PS)
        why = "the formula gives a time longer than the clock can count";
    if (reason)
        *reason = why;
    if (!why)
        *time_ps = time;
    return !why;
}

/* The n-port SBnT broadcast is as deep as the SBT: the same count. */
static gboolean is_sbnt_pipeline(const Algorithm *algorithm)
{
    return algorithm->takes & TAKES_PACKETS && strcmp(algorithm->name, "sbnt") == 0;
}

gint64 published_packet(const Run *run)
{
    const Algorithm *algorithm = run->problem.algorithm;
    const SpanningRow *row = is_sbnt_pipeline(algorithm) ? spanning_find("broadcast", "sbt", PORTS_ALL)
                                                         : row_of(algorithm);
    SpanningCase c = case_of(run);
    if (row)
        return spanning_optimal_packet(row, run->machine, &c);
    const PermutingRow *permuting = run->problem.pattern->permutes ? permuting_row(algorithm) : NULL;
    PermutingCase p = published_permutation_case(run);
    return permuting ? permuting_optimal_packet(permuting, run->machine, &p) : run->machine->packet;
}
