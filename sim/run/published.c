#include "published.h"
#include "models/exchange.h"
#include "models/input.h"
#include "models/spanning.h"
#include "published_permutation.h"

#include <math.h>
#include <string.h>

/* --- Bokhari, Nicol & Bokhari: the complete exchange in phases --- */

static double standard(const Run *run)
{
    return exchange_standard_ps(run->machine, run->schedule.dimension, run->data.bytes);
}

static double direct(const Run *run)
{
    return exchange_direct_ps(run->machine, run->schedule.dimension, run->data.bytes);
}

static double multiphase(const Run *run)
{
    return exchange_multiphase_ps(run->machine, run->schedule.dimension, &run->schedule.partition, run->data.bytes);
}

/* Bytes of the largest message of an exchange in phases. */
static gint64 largest_message(const Run *run)
{
    const Schedule *schedule = &run->schedule;
    gint64 largest = run->data.bytes;
    for (guint i = 0; i < schedule->partition.n_parts; i++)
        largest = MAX(largest, run->data.bytes << (schedule->dimension - schedule->partition.part[i]));
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
    return (SpanningCase){.dimension = run->schedule.dimension, .bytes = run->data.bytes,
                          .packet = run->machine->packet, .element = run->element,
                          .accumulate = run->schedule.accumulate};
}

static gint64 spanning(const Run *run, const char **why)
{
    const SpanningRow *row = row_of(run->schedule.algorithm);
    SpanningCase c = case_of(run);
    *why = spanning_unpublished_reason(row, run->machine, &c);
    return spanning_published_ps(row, run->machine, &c);
}

/* --- which belongs to which --- */

#define IN_PHASES "complete-exchange"

static const struct {
    const char *pattern, *algorithm;
    double (*time_ps)(const Run *run);
    const char *none;       /* why there is no formula */
} others[] = {
    {IN_PHASES, "standard", standard, NULL},
    {IN_PHASES, "direct", direct, NULL},
    {IN_PHASES, "multiphase", multiphase, NULL},
    {IN_PHASES, "naive", NULL, "no paper predicts an exchange whose messages contend for receivers"},
    {IN_PHASES, "reversed", NULL, "no paper predicts an exchange whose messages contend for channels"},
    {IN_PHASES, "sbt", NULL, "Table 4 has no n-port SBT: half of the data crosses one dimension"},
    {IN_PHASES, "nrsbt", NULL, "Table 4 has the nRSBT for n ports only"},
    {IN_PHASES, "sbnt", NULL, "Table 4 has the SBnT for n ports only"},
    {"scatter", "nrsbt", NULL, "Table 3 has the nRSBT for n ports only"},
    {"scatter", "sbnt", NULL, "Table 3 has the SBnT for n ports only"},
    {"broadcast", "sbnt", NULL, "Table 1 has no SBnT: the nESBT is better"},
};

static gint64 other(const Run *run, const char **why)
{
    const Algorithm *algorithm = run->schedule.algorithm;
    guint i = 0;
    while (i < G_N_ELEMENTS(others) && (strcmp(others[i].algorithm, algorithm->name) != 0 ||
                                        strcmp(others[i].pattern, pattern_of(algorithm->pattern)->name) != 0))
        i++;
    if (i == G_N_ELEMENTS(others)) {
        *why = "no paper has it";
        return 0;
    }
    *why = others[i].none ? others[i].none : exchange_unpublished_reason(run->machine, largest_message(run));
    if (*why)
        return 0;
    double time = others[i].time_ps(run);
    return time < (double)INPUT_TIME_MAX_PS ? llround(time) : INPUT_TIME_MAX_PS;
}

static gboolean permutes(const Run *run)
{
    return run->schedule.pattern->kind == PATTERN_PERMUTATION;
}

gboolean published_time(const Run *run, gint64 *time_ps, const char **reason)
{
    const char *why = NULL;
    gint64 time = permutes(run)                       ? published_permutation_ps(run, &why)
                  : row_of(run->schedule.algorithm) ? spanning(run, &why)
                                                    : other(run, &why);
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
    const Algorithm *algorithm = run->schedule.algorithm;
    gboolean pipeline = algorithm->pipelines && algorithm->graph == GRAPH_SBNT; /* as deep as the SBT: the same count */
    const SpanningRow *row = pipeline ? spanning_find("broadcast", "sbt", PORTS_ALL) : row_of(algorithm);
    SpanningCase c = case_of(run);
    if (permutes(run))
        return published_permutation_packet(run);
    return row ? spanning_optimal_packet(row, run->machine, &c) : run->machine->packet;
}
