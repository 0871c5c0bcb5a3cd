/* ecube verify: checks a schedule's data, without a clock. */
#include "command.h"
#include "sim/patterns/registry.h"
#include "sim/replay/verify.h"
#include "sim/run/data.h"
#include "sim/run/process.h"
#include "sim/run/record.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/show/contention.h"

#include <stdio.h>

/* Appends the run's name: "multiphase (3,3) d=6: ", "matmul a1 of 16x16x16 on 4x4, routing sbt, d=4: ". */
static void put_name(GString *out, const Run *run)
{
    const Problem *problem = &run->problem;
    g_autofree char *partition = partition_format(&problem->partition);
    const Algorithm *algorithm = problem->algorithm;
    if (problem->pattern != pattern_default())
        g_string_append_printf(out, "%s ", problem->pattern->name);
    g_string_append(out, algorithm->name);
    if (*partition)
        g_string_append_printf(out, " (%s)", partition);
    if (algorithm_takes(algorithm, problem_routing(problem)) & TAKES_ACCUMULATE)
        g_string_append_printf(out, " k=%u", problem->accumulate);
    run_put_named(run, KEY_SUBJECT, out);
    run_put_named(run, KEY_HOW, out);
    if (problem_rails(problem) > 1)
        g_string_append_printf(out, ", %u ports", problem->rails);
    gboolean of_a_size = pattern_theory(problem->pattern)->size_key != NULL;
    g_string_append_printf(out, "%s%s", algorithm->n_port && problem_rails(problem) == 1 ? ", all ports" : "",
                           algorithm->n_port || problem_rails(problem) > 1 || of_a_size ? "," : "");
    if (problem_group(problem)->binary)
        g_string_append_printf(out, " d=%u: ", problem->dimension);
    else
        g_string_append_printf(out, " on %s processors: ", problem_group(problem)->name);
}

static void put_success(GString *out, const Run *run, const Verdict *verdict, guint n_steps)
{
    const char *whole = pattern_theory(run->problem.pattern)->unit;
    const char *unit = whole || pieces_count(&run->problem.data.pieces) > 1 ? "piece" : "block";
    g_string_append_printf(out, "ok, every %s in place; %" G_GUINT64_FORMAT " messages moved %" G_GUINT64_FORMAT
                           " %ss in %u steps%s", whole ? whole : unit, verdict->messages, verdict->blocks,
                           unit, n_steps, verdict->proof == PROOF_TRANSLATION ? ", by translation" : "");
    if (run->problem.algorithm->bound)
        g_string_append_printf(out, "; no exchange without contention takes fewer than %u",
                               run->problem.algorithm->bound(&run->problem));
    if (whole)
        g_string_append_printf(out, "; a processor has up to %" G_GINT64_FORMAT " operations and %" G_GINT64_FORMAT
                               " elements", verdict->operations, verdict->peak_bytes / run->element);
    g_string_append_c(out, '\n');
}

static gboolean contention;             /* whether --contention is given */
static const Machine *network_of_all;   /* machine on whose network messages contend; NULL: none is named */

static char *contention_on_network(const Schedule *schedule, Ports ports)
{
    if (!network_of_all)
        return contention_text(schedule, NULL, ports);
    const Topology network = machine_topology(network_of_all, schedule_n_nodes(schedule));
    return contention_text(schedule, &network, ports);
}

static gboolean verify_one(gconstpointer data, GString *out)
{
    const Run *run = data;
    const Problem *problem = &run->problem;
    g_autoptr(Schedule) schedule = schedule_make(problem);
    Ports ports = problem->algorithm->n_port ? PORTS_ALL : problem_rails(problem) > 1 ? problem->rails : PORTS_ONE;
    Verdict verdict = verify(schedule, ports);
    put_name(out, run);
    if (verdict.ok)
        put_success(out, run, &verdict, schedule->n_steps);
    else
        g_string_append_printf(out, "FAILED: %s\n", verdict.fault);
    if (contention) {
        g_autofree char *text = contention_on_network(schedule, ports);
        g_string_append(out, text);
    }
    gboolean ok = verdict.ok;
    verdict_clear(&verdict);
    return ok;
}

/* Verifies the schedules of all runs and appends the results to `out`. Returns whether all are correct. Reports runs
 * that come to no result, and goes on. */
static gboolean verify_all(const GArray *runs, const GPtrArray *refused, GString *out)
{
    gboolean all = TRUE;
    for (guint i = 0; i < runs->len; i++) {
        g_autoptr(GError) failure = NULL;
        const char *why = refused->pdata[i];
        gboolean ok = FALSE;
        if (!why && !apart_do(verify_one, &g_array_index(runs, Run, i), out, &ok, &failure))
            why = failure->message;
        if (why)
            command_report_failed(runs, i, why);
        all &= ok;
    }
    return all;
}

static gboolean verify_scenario(const CommandLine *line, GError **error)
{
    g_autoptr(GArray) runs = command_runs(line, SCENARIO_DATA, error);
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_DATA);
    gboolean named = contention && scenario_value(line->scenario, "machine");
    g_autoptr(GPtrArray) refused = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) out = g_string_new(NULL);
    if (!runs || !command_check_runs(runs, refused, error) ||
        (named && !(network_of_all = resolver_machine(resolver, line->scenario, error))))
        return FALSE;
    for (guint i = 0; named && i < runs->len; i++)
        if (!machine_check_size(network_of_all, problem_n_nodes(&g_array_index(runs, Run, i).problem), error))
            return FALSE;
    gboolean ok = verify_all(runs, refused, out);
    return output_write(NULL, out->str, error) && ok;
}

static const GOptionEntry options[] = {
    {"contention", 0, 0, G_OPTION_ARG_NONE, &contention,
     "Name the messages of each step that want the same channel or receiver", NULL},
    {0},
};

const Command command_verify = {
    .name = "verify", .summary = "check a schedule's data, without any clock", .usage = "[SCENARIO]",
    .help = "Replays the data of every schedule of the scenario without any clock: checks that every\n"
            "block ends where the pattern promises, that no message is lost, and that no step uses a port\n"
            "twice. Needs no machine and no sizes; contention is that\n"
            "on the network of --machine, if one is named. Contention is not a failure. Exit code: 0 all well,\n"
            "1 a schedule failed, 2 bad input.\n\n"
            "Example: ecube verify -d 6 -a standard,multiphase,direct -p 3,3",
    .options = options, .run = verify_scenario};
