/* ecube compare: the hull's promise against simulation. */
#include "command.h"
#include "compare_measured.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"
#include "sim/run/compare.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/text/message.h"

#include <stdio.h>
#include <string.h>

static char *measured;

/* --- every candidate --- */

static const Column candidate_columns[] = {
    {.name = "machine", .text = TRUE},
    {.name = "dimension"},
    {.name = "bytes", .heading = "bytes"},
    {.name = "algorithm", .heading = "algorithm", .text = TRUE},
    {.name = "partition", .heading = "partition", .text = TRUE},
    {.name = "hull", .heading = "hull"}, {.name = "best", .heading = "best"},
    {.name = "published_us", .heading = "published"}, {.name = "contention_free_us", .heading = "contention-free"},
    {.name = "simulated_us", .heading = "simulated"}, {.name = "contention_us", .heading = "contention"},
    {.name = "fluid_us", .heading = "fluid"},
    {.name = "messages"}, {.name = "blocked_messages", .heading = "blocked"}, {.name = "blocked_us"},
    {.name = "over_best", .heading = "over best"}, {.name = "data_ok"}, {.name = "overrides", .text = TRUE},
};

static void add_mark(Table *table, gboolean marked)
{
    table_add_shown(table, marked ? "true" : "false", marked ? "*" : "");
}

static void add_percent(Table *table, double share)
{
    g_autofree char *exact = g_strdup_printf("%.6f", share), *shown = g_strdup_printf("%.1f %%", 100 * share);
    table_add_shown(table, exact, shown);
}

#define N_RESULTS 9     /* cells from published_us to over_best */

static void add_results(Table *table, const Candidate *c, const Candidate *best)
{
    const RunResult *result = &c->result;
    record_add_published(table, &c->run);
    table_add_time(table, result->contention_free_ps);
    table_add_time(table, result->simulated_ps);
    table_add_time(table, result->simulated_ps - result->contention_free_ps);
    table_add_time(table, c->fluid.simulated_ps);
    table_addf(table, "%" G_GUINT64_FORMAT, result->network.messages);
    table_addf(table, "%" G_GUINT64_FORMAT, result->network.blocked);
    table_add_time(table, result->network.blocked_ps);
    add_percent(table, compare_regret(c, best));
}

static const Candidate *best_of(const GArray *candidates, const Candidate *c)
{
    return &g_array_index(candidates, Candidate, c->best);
}

static void add_candidate(Table *table, const Candidate *c, const Candidate *best, const char *overrides)
{
    g_autofree char *partition = partition_format(&c->run.problem.partition);
    table_add(table, c->run.machine->spec);
    table_addf(table, "%u", c->run.problem.dimension);
    table_addf(table, "%" G_GINT64_FORMAT, c->run.problem.data.bytes);
    table_add(table, c->run.problem.algorithm->name);
    table_add(table, partition);
    add_mark(table, c->is_hull);
    add_mark(table, c == best);
    if (c->failed)
        for (guint i = 0; i < N_RESULTS; i++)
            table_add(table, NULL);
    else
        add_results(table, c, best);
    table_add(table, c->failed ? "failed" : c->result.data_ok && c->fluid.data_ok ? "true" : "false");
    table_add(table, overrides);
}

static char *candidates_text(const GArray *candidates, const char *overrides, Format format)
{
    g_autoptr(Table) table = table_new(candidate_columns, G_N_ELEMENTS(candidate_columns));
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *c = &g_array_index(candidates, Candidate, i);
        add_candidate(table, c, best_of(candidates, c), overrides);
    }
    return table_text(table, format);
}

/* --- one line per size --- */

static const Column summary_columns[] = {
    {.name = "bytes", .heading = "bytes"},
    {.name = "hull", .heading = "the hull says", .text = TRUE},
    {.name = "promise", .heading = "promise"}, {.name = "simulated", .heading = "simulated"},
    {.name = "best", .heading = "best simulated", .text = TRUE},
    {.name = "best_simulated", .heading = "its time"}, {.name = "regret", .heading = "regret"},
};

static char *candidate_name(const Candidate *c)
{
    g_autofree char *partition = partition_format(&c->run.problem.partition);
    return g_strdup(*partition ? partition : c->run.problem.algorithm->name);
}

static char *summary_text(const GArray *candidates)
{
    g_autoptr(Table) table = table_new(summary_columns, G_N_ELEMENTS(summary_columns));
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *hull = &g_array_index(candidates, Candidate, i), *best = best_of(candidates, hull);
        if (!hull->is_hull)
            continue;
        g_autofree char *hull_name = candidate_name(hull), *best_name = candidate_name(best);
        table_addf(table, "%" G_GINT64_FORMAT, hull->run.problem.data.bytes);
        table_add(table, hull_name);
        table_add_time(table, hull->promise_ps);
        table_add_time(table, hull->result.simulated_ps);
        table_add(table, best_name);
        table_add_time(table, best->result.simulated_ps);
        add_percent(table, compare_regret(hull, best));
    }
    return table_text(table, FORMAT_TABLE);
}

static char *people_text(const GArray *candidates, const char *overrides)
{
    const Run *run = &g_array_index(candidates, Candidate, 0).run;
    g_autofree char *summary = summary_text(candidates);
    g_autofree char *all = candidates_text(candidates, overrides, FORMAT_TABLE);
    g_autofree char *machine = input_printable(run->machine->spec);
    g_autofree char *with = *overrides ? g_strdup_printf("With %s.\n", overrides) : g_strdup("");
    return g_strdup_printf("The hull against simulation on %s, d = %u. Times in µs.\n%s\n%s\nEvery candidate:\n\n%s",
                           machine, run->problem.dimension, with, summary, all);
}

/* --- the candidates --- */

/* The hull is one of complete exchanges. */
static gboolean check_pattern(const Scenario *scenario, GError **error)
{
    const char *name = scenario_get(scenario, "pattern");
    const Pattern *pattern = name ? pattern_find("pattern", name, error) : pattern_default();
    return pattern && (pattern->has_hull ||
                       input_refuse(error, "pattern: '%s' has no hull to compare with; allowed: %s", name,
                                    pattern_default()->name));
}

/* Whether its machine overlaps start-ups; what is wrong with it is said later. */
static gboolean overlaps(const Scenario *scenario)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_TIMED);
    const Machine *machine = judge_machine(judge, scenario, NULL);
    return machine && machine->overlaps;
}

/* Unless the scenario names them: every partition, and the two that contend; where start-ups overlap, every partition
 * both ways, and the exchange of MPI libraries. */
static gboolean default_candidates(Scenario *scenario, GError **error)
{
    if (!check_pattern(scenario, error))
        return FALSE;
    const char *all = overlaps(scenario) ? "multiphase-linear,multiphase,linear" : "multiphase,naive,reversed";
    if (!scenario_get(scenario, "algorithm") && !scenario_set(scenario, "algorithm", all, "algorithm", error))
        return FALSE;
    return scenario_get(scenario, "partition") || !strstr(scenario_get(scenario, "algorithm"), "multiphase") ||
           scenario_set(scenario, "partition", "all", "partition", error);
}

static gboolean tell_failures(const GArray *candidates)
{
    gboolean ok = TRUE;
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *c = &g_array_index(candidates, Candidate, i);
        if (c->failed) {
            g_autofree char *what = run_describe(&c->run);
            message_tell("%s: %s", what, c->result.fault);
        }
        ok &= !c->failed && (run_tell_failure(&c->run, &c->result) & run_tell_failure(&c->run, &c->fluid));
    }
    return ok;
}

static gboolean compare_scenario(const CommandLine *line, GError **error)
{
    if (measured)
        return compare_measured(line, measured, error);
    if (!default_candidates(line->scenario, error))
        return FALSE;
    g_autoptr(GArray) runs = command_runs(line, SCENARIO_TIMED, error);
    if (!runs || !output_check_path(line->output, error))
        return FALSE;
    g_autoptr(GArray) candidates = compare_run(runs, error);
    if (!candidates)
        return FALSE;
    g_autofree char *overrides = scenario_overrides(line->scenario);
    g_autofree char *text = line->format == FORMAT_TABLE ? people_text(candidates, overrides)
                                                         : candidates_text(candidates, overrides, line->format);
    return output_write(line->output, text, error) && tell_failures(candidates);
}

static const GOptionEntry options[] = {
    {"measured", 0, 0, G_OPTION_ARG_FILENAME, &measured,
     "Measured times (`ecube fit --help`) that the hull is compared with, instead of simulated ones", "FILE"},
    COMMAND_FORMAT, COMMAND_OUTPUT, {0}};

const Command command_compare = {
    .name = "compare", .summary = "the hull's promise against simulation", .usage = "[SCENARIO]",
    .help = "For every size: what the hull of optimality says, what it costs in simulation,\n"
            "which candidate is best there, the regret of trusting the hull, and the contention of every\n"
            "candidate, beside the same schedules over SimGrid's flows. Candidates are the scenario's\n"
            "algorithms and partitions; by default all partitions, naive and reversed, or on a machine with\n"
            "a gap all partitions of multiphase-linear and multiphase, and linear. The hull is that of\n"
            "`ecube hull`. It knows no packets, no store-and-forward (nor do the flows) and no skewed\n"
            "start; trusting it where they are set is part of the regret.\n\n"
            "With --measured the complete exchanges of that file are the candidates; -d names one dimension\n"
            "of the file.\n\n"
            "Example: ecube compare -m ipsc860 -d 5 -b 32,100,400\n"
            "         ecube compare --measured measured.csv -m ./mine.ini",
    .options = options, .run = compare_scenario};
