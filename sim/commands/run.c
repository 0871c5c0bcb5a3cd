/* ecube run: simulates every run of a scenario. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/available.h"
#include "sim/run/estimate.h"
#include "sim/run/record.h"
#include "sim/show/explain.h"
#include "sim/show/summary.h"
#include "sim/show/plot.h"
#include "sim/show/plot_curves.h"
#include "sim/show/trace_file.h"

#include <sys/resource.h>

/* Options of `ecube run` that ask for more than the table of results. */
static struct {
    char *trace;            /* path of the trace file to be written; NULL: none */
    TraceFormat trace_format;
    gboolean explain, memory;
} extras;

static gboolean wants_trace(void)
{
    return extras.trace || extras.explain;
}

/* Returns the size of the trace file per byte of trace in memory; 0 without a trace file. */
static double trace_share(void)
{
    return extras.trace ? trace_file_share(extras.trace_format) : 0;
}

/* Refuses --explain and --memory with CSV and JSON: they print text below a table. */
static gboolean check_format(guint format, GError **error)
{
    if (format == FORMAT_TABLE || (!extras.explain && !extras.memory))
        return TRUE;
    return input_refuse(error, "%s requires a table: --format table, or an output that is not .csv or .json",
                        extras.explain ? "--explain" : "--memory");
}

static gboolean check_trace(const CommandLine *line, const GArray *runs, GError **error)
{
    const Run *run = &g_array_index(runs, Run, 0);
    if (!wants_trace())
        return TRUE;
    return runs_check_single(extras.trace ? "--trace" : "--explain", runs, error) &&
           (!extras.trace || (trace_file_format("--trace", extras.trace, &extras.trace_format, error) &&
                              output_check_path(extras.trace, error) &&
                              output_check_apart("--trace", extras.trace, "output", line->output, error) &&
                              command_check_apart("--trace", extras.trace, error))) &&
           run_check_traced(run, trace_share(), error);
}

/* Returns the explanation of a finished run for --explain, else "". Caller frees. */
static char *explain(const Trace *trace, const Record *record)
{
    if (!extras.explain || !record->result.finished)
        return g_strdup("");
    return explain_text(trace, record->run.machine, problem_n_nodes(&record->run.problem),
                        record->result.simulated_ps, FORMAT_TABLE);
}

/* Returns the largest memory of this process so far, in bytes; it includes the trace. */
static gsize own_peak(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (gsize)usage.ru_maxrss * 1024 : 0;
}

/* Returns a line on the memory of each run with a result, for --memory, else "". Caller frees. */
static char *memory_text(const Record *records, guint n)
{
    gboolean traced = wants_trace();
    g_autoptr(GString) out = g_string_new(extras.memory ? "\n" : NULL);
    for (guint i = 0; extras.memory && i < n; i++) {
        const Run *run = &records[i].run;
        if (records[i].failed)
            continue;
        gsize taken = MAX(records[i].result.peak, traced ? own_peak() : 0);
        g_autofree char *what = run_describe(run), *peak = available_text(taken, TRUE);
        gsize estimated = traced ? estimate_traced(run, trace_share()) : estimate_run(run);
        g_autofree char *estimate = available_text(estimated, TRUE);
        g_string_append_printf(out, "memory of %s: %s, estimated %s\n", what, peak, estimate);
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static gboolean write_trace(const Trace *trace, const Run *run, GError **error)
{
    if (!extras.trace)
        return TRUE;
    Topology topology = machine_topology(run->machine, problem_n_nodes(&run->problem));
    g_autofree char *text = trace_file_text(trace, &topology, extras.trace_format);
    return output_write(extras.trace, text, error);
}

/* Executes all runs and returns their records; NULL with an error. `failures`, `trace`: see command_execute(). */
static Record *run_execute_all(const GArray *runs, GPtrArray *failures, Trace **trace, GError **error)
{
    g_autofree Record *records = g_new0(Record, runs->len);
    for (guint i = 0; i < runs->len; i++)
        if (!command_execute(runs, i, records, failures, trace, error))
            return NULL;
    return g_steal_pointer(&records);
}

/* Returns the script by which `ecube plot` would draw the records. NULL with an error. Caller frees. */
static char *run_figure(const CommandLine *line, const Record *records, guint n, const char *overrides, GError **error)
{
    static char *y[] = {(char *)"simulated_us", NULL};
    g_autoptr(Csv) csv = csv_take("runs", record_text(FORMAT_CSV, records, n, overrides), error);
    PlotOptions options = {.x = csv ? plot_default_x(csv) : NULL, .y = y, .format = line->figure_format};
    options.log_x = options.log_y = csv && plot_spreads(csv, options.x) && plot_spreads(csv, *y);
    return csv ? plot_script(csv, "--figure", &options, error) : NULL;
}

static gboolean run_scenario(const CommandLine *line, GError **error)
{
    g_autoptr(GArray) runs = command_runs(line, SCENARIO_TIMED, error);
    g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func(g_free);
    if (!runs || !command_check_runs(runs, failures, error) || !check_trace(line, runs, error) ||
        !check_format(line->format, error))
        return FALSE;
    g_autoptr(Trace) trace = NULL;
    g_autofree Record *records = run_execute_all(runs, failures, wants_trace() ? &trace : NULL, error);
    if (!records || !write_trace(trace, &records->run, error))
        return FALSE;
    g_autofree char *overrides = scenario_overrides(line->scenario);
    if (!command_draw(line, line->figure ? run_figure(line, records, runs->len, overrides, error) : NULL, error))
        return FALSE;
    g_autofree char *report = record_text(line->format, records, runs->len, overrides);
    g_autofree char *explanation = explain(trace, records), *memory = memory_text(records, runs->len);
    g_autofree char *words = line->format == FORMAT_TABLE ? summary_below(records, runs->len) : g_strdup("");
    g_autofree char *text = g_strconcat(report, words, explanation, memory, NULL);
    return output_write(line->output, text, error) && command_report_failures(runs, records, failures);
}

static const GOptionEntry options[] = {
    COMMAND_FORMAT,
    COMMAND_OUTPUT,
    COMMAND_FIGURE("the simulated times over the sizes"),
    {"trace", 0, 0, G_OPTION_ARG_FILENAME, &extras.trace,
     "Write what happened in a single run: .csv, .json (for Perfetto), .paje or .trace", "FILE"},
    {"explain", 0, 0, G_OPTION_ARG_NONE, &extras.explain,
     "Show who waited for whom, what was busy, and what the time of a single run consists of", NULL},
    {"memory", 0, 0, G_OPTION_ARG_NONE, &extras.memory,
     "Show how much memory each run took, and how much it was expected to", NULL},
    {0},
};

const Command command_run = {
    .name = "run", .summary = "simulate a scenario, or one run given by options", .usage = "[SCENARIO]",
    .help = "Runs every combination of the scenario's sizes, algorithms and partitions. Each comes with\n"
            "three times (published formula, contention-free price, SimGrid simulation), its contention,\n"
            "and the proof that every block arrived. Below the table stands what made the difference of\n"
            "the fastest and the slowest run of a size. Exit code: 0 all data in place, 1 a run failed,\n"
            "and the others are reported, 2 bad input.\n\n"
            "Example: ecube run -m ipsc860 -d 6 -a standard,multiphase,direct -p 3,3 -b 32",
    .options = options, .run = run_scenario};
