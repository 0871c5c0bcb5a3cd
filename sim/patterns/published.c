#include "published.h"
#include "models/hull.h"
#include "sim/text/input.h"
#include "models/spanning.h"
#include "problem.h"
#include "theory.h"

#include <math.h>
#include <string.h>

/* --- Bokhari, Nicol & Bokhari: the complete exchange in phases --- */

/* Returns the published time in ps of one exchange in phases. Direct has a single phase, without a shuffle after
 * it. */
static double in_phases_ps(const Run *run)
{
    const Problem *problem = &run->problem;
    if (problem->algorithm->phases == partition_direct)
        return exchange_direct_ps(run->machine, problem->dimension, problem->data.bytes);
    return exchange_multiphase_ps(run->machine, problem->dimension, &problem->partition, problem->data.bytes);
}

/* Returns the bytes of the largest message of an exchange in phases. */
static gint64 largest_message(const Run *run)
{
    const Problem *problem = &run->problem;
    gint64 largest = run->problem.data.bytes;
    for (guint i = 0; i < problem->partition.n_parts; i++)
        largest = MAX(largest, run->problem.data.bytes << (problem->dimension - problem->partition.part[i]));
    return largest;
}

gint64 published_in_phases(const Run *run, const ExchangeUse *use, const char **why)
{
    const Problem *problem = &run->problem;
    *why = exchange_unpublished_reason(run->machine, largest_message(run));
    if (*why)
        return 0;
    double time = in_phases_ps(run);
    if (use)
        time = exchange_use_ps(use, run->machine, problem->dimension, problem->data.bytes, time);
    return time < (double)INPUT_TIME_MAX_PS ? llround(time) : INPUT_TIME_MAX_PS;
}

/* --- Johnsson & Ho: spanning graphs --- */

static const SpanningRow *published_row(const Algorithm *algorithm)
{
    return spanning_find(algorithm->pattern->name, algorithm->name,
                         algorithm->n_port ? PORTS_ALL : PORTS_ONE);
}

static SpanningCase published_case(const Run *run)
{
    return (SpanningCase){.dimension = run->problem.dimension, .bytes = run->problem.data.bytes,
                          .packet = run->machine->packet, .element = run->element,
                          .accumulate = run->problem.accumulate};
}

gboolean published_is_on_graph(const Run *run)
{
    return published_row(run->problem.algorithm) != NULL;
}

gint64 published_on_graph(const Run *run, const char **why)
{
    const SpanningRow *row = published_row(run->problem.algorithm);
    SpanningCase c = published_case(run);
    *why = spanning_unpublished_reason(row, run->machine, &c);
    return spanning_published_ps(row, run->machine, &c);
}

/* Whether the algorithm is a pipelined broadcast on the SBnT or the TCBT: neither is in Table 1. With n ports both have
 * the depth and the best packet of the n-port SBT. With one port the TCBT takes twice the time of the n-port SBT on a
 * cube with a dimension less, in packets of the same size. */
static gboolean is_as_deep(const Algorithm *algorithm)
{
    const char *const names[] = {"sbnt", "tcbt", NULL};
    return algorithm->takes & TAKES_PACKETS && g_strv_contains(names, algorithm->name);
}

/* Returns the packet in bytes that is best for a broadcast on edge-disjoint circuits. It is that of a single path with
 * the data of the largest part. */
static gint64 packet_on_circuits(const Run *run)
{
    SpanningCase c = published_case(run);
    gint64 elements = c.bytes / c.element, n_parts = problem_n_parts(&run->problem);
    c.bytes = (elements + n_parts - 1) / n_parts * c.element;
    return spanning_optimal_packet(spanning_find("broadcast", "gc", PORTS_ONE), run->machine, &c);
}

gint64 published_graph_packet(const Run *run)
{
    const Algorithm *algorithm = run->problem.algorithm;
    if (algorithm->takes & TAKES_PACKETS && g_str_equal(algorithm->name, "circuits"))
        return packet_on_circuits(run);
    gboolean deep = is_as_deep(algorithm);
    const SpanningRow *row = deep ? spanning_find("broadcast", "sbt", PORTS_ALL) : published_row(algorithm);
    SpanningCase c = published_case(run);
    c.dimension -= deep && !algorithm->n_port && c.dimension > 1;
    return row ? spanning_optimal_packet(row, run->machine, &c) : run->machine->packet;
}

gboolean published_time(const Run *run, gint64 *time_ps, const char **reason)
{
    const PatternTheory *theory = pattern_theory(run->problem.pattern);
    const char *why = run->problem.algorithm->unpublished;
    const Topology network = machine_topology(run->machine, problem_n_nodes(&run->problem));
    if (!why && (!topology_is_cube(&network) || !problem_group(&run->problem)->binary))
        why = "the formulas are of binary cubes";
    if (!why && (run->machine->host || run->machine->ports > PORTS_ALL))
        why = "the formulas know neither nodes nor several ports for any channel";
    if (!why && !theory->published_ps)
        why = "the pattern has no formula";
    gint64 time = why ? 0 : theory->published_ps(run, &why);
    if (!why && run->problem.gathering.how != GATHER_FREE && run->problem.partition.n_parts == 0)
        /* formulas of exchanges in phases count these copies: they are the shuffles */
        why = "the formulas count no copies of messages that are not contiguous";
    if (!why && time >= INPUT_TIME_MAX_PS)
        why = "the formula gives a time longer than the clock can count";
    if (reason)
        *reason = why;
    if (!why)
        *time_ps = time;
    return !why;
}

gint64 published_packet(const Run *run)
{
    const PatternTheory *theory = pattern_theory(run->problem.pattern);
    return theory->best_packet ? theory->best_packet(run) : run->machine->packet;
}
