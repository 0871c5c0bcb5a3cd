/* ecube report: writes the runs of a scenario as a page to look at. */
#include "command.h"
#include "models/congested.h"
#include "sim/text/input.h"
#include "sim/text/message.h"
#include "sim/text/version.h"
#include "sim/run/data.h"
#include "sim/run/estimate.h"
#include "sim/run/keys.h"
#include "sim/show/page.h"
#include "sim/show/plot.h"
#include "sim/show/sheet.h"

#include <string.h>

#define RUNS_MAX 64         /* limit of runs on one page */
#define TEXT_SHARE 1.5      /* bytes of the page per byte of its trace; the largest ratio measured */

/* Refuses networks that the page has no picture of. */
static gboolean report_check_network(const Machine *machine, GError **error)
{
    return !machine_shares_channels(machine) || machine_is_mesh(machine) ||
           input_refuse(error, "machine %s: topology: '%s' has no picture; allowed: cube, crossbar, mesh (or use "
                        "ecube run --explain)", machine->spec, topology_classes[machine->topology]->name);
}

/* Refuses too many runs, networks without a picture, and runs whose traces do not fit into memory. Fills `refused` as
 * command_check_runs() does. */
static gboolean report_check_runs(const GArray *runs, GPtrArray *refused, GError **error)
{
    if (runs->len > RUNS_MAX)
        return input_refuse(error, RUNS_ARE_MADE_OF " make %u runs; allowed: at most %u on a page (use ecube "
                            "sweep)", runs->len, RUNS_MAX);
    if (!command_check_runs(runs, refused, error))
        return FALSE;
    for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        if (!refused->pdata[i] &&
            !(report_check_network(run->machine, error) && run_check_traced(run, TEXT_SHARE, error)))
            return FALSE;
    }
    return TRUE;
}

/* Executes all runs and adds a PageRun of each to `shown`. Returns their records; NULL with an error. Caller frees. */
static Record *report_execute_all(const GArray *runs, GPtrArray *failures, GPtrArray *shown, GError **error)
{
    g_autofree Record *records = g_new0(Record, runs->len);
    guint left = PAGE_INTERVALS_MAX;
    for (guint i = 0; i < runs->len; i++) {
        g_autoptr(Trace) trace = NULL;
        if (!command_execute(runs, i, records, failures, &trace, error))
            return NULL;
        gboolean whole = trace && trace->intervals->len <= left;
        left -= whole ? trace->intervals->len : 0;
        g_ptr_array_add(shown, page_run_new(&records[i], failures->pdata[i], trace, whole));
    }
    return g_steal_pointer(&records);
}

#define PAIR_INTERVALS_MAX (PAGE_INTERVALS_MAX / 2)     /* limit of intervals of a run that is executed again */

/* Adds the intervals of the two runs that the page compares, if it has left them out and they are at most
 * PAIR_INTERVALS_MAX. To this end executes these runs again. */
static gboolean report_show_pair(const GArray *runs, Record *records, GPtrArray *failures, GPtrArray *shown,
                                 GError **error)
{
    const RunPair pair = summary_pair(records, runs->len);
    const Record *const both[] = {pair.slow, pair.fast};
    for (guint k = 0; k < G_N_ELEMENTS(both) && pair.slow; k++) {
        guint i = (guint)(both[k] - records);
        PageRun *run = shown->pdata[i];
        g_autoptr(Trace) trace = NULL;
        if (run->is_whole || !run->arrivals)
            continue;
        if (!command_execute(runs, i, records, failures, &trace, error))
            return FALSE;
        if (!trace || trace->intervals->len > PAIR_INTERVALS_MAX)
            continue;
        page_run_free(run);
        shown->pdata[i] = page_run_new(&records[i], failures->pdata[i], trace, TRUE);
    }
    return TRUE;
}

/* Returns the hull of contention-free times if its model covers the run, or NULL. Caller frees. */
static Hull *hull_of(const Run *run)
{
    const Machine *machine = run->machine;
    const Group *group = problem_group(&run->problem);
    gboolean is_exchange = problem_has_hull(&run->problem) && !congested_applies(machine, group);
    gboolean has_lines = group->binary || (machine_is_crossbar(machine) && machine->phase_barrier != BARRIER_EXCHANGE);
    return is_exchange && has_lines && machine->switching == SWITCHING_CIRCUIT && !machine->packet &&
                   !machine->start_skew_ps && machine->ports == PORTS_ONE && machine->host <= 1
               ? hull_of_group(machine, group, HULL_MIXED)
               : NULL;
}

/* Returns the command line that draws the hull of the run. Caller frees. */
static char *hull_command(const Run *run, const char *overrides)
{
    const Group *group = problem_group(&run->problem);
    g_autofree char *size = group->binary ? g_strdup_printf("%u", group->dimension) : g_strdup(group->name);
    const char *const words[] = {"hull", "-m", run->machine->spec, group->binary ? "-d" : "-n", size, "--figure",
                                 "hull.svg", NULL};
    g_autofree char *command = command_quote(words);
    g_auto(GStrv) pairs = g_strsplit(overrides, " ", -1);
    g_autofree char *set = g_strjoinv(" -s ", pairs);
    return g_strconcat(command, *set ? " -s " : "", set, NULL);
}

#define LAST_SECOND 253402300799    /* the last second of the year 9999 */

/* Returns the date of SOURCE_DATE_EPOCH, which makes pages reproducible, or today's: "2026-11-23". NULL with an error:
 * SOURCE_DATE_EPOCH is no time. Caller frees. */
static char *date_of_page(GError **error)
{
    const char *epoch = g_getenv("SOURCE_DATE_EPOCH");
    gint64 seconds = g_get_real_time() / G_USEC_PER_SEC;
    if (epoch && !input_parse_count("SOURCE_DATE_EPOCH", epoch, 0, LAST_SECOND, &seconds, error))
        return NULL;
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds);
    return g_date_time_format(time, "%Y-%m-%d");
}

/* Refuses options that describe runs: `path` has the runs. */
static gboolean report_check_alone(const CommandLine *line, const char *path, GError **error)
{
    g_autofree char *overrides = scenario_overrides(line->scenario);
    if (*overrides)
        return input_refuse(error, "--set: '%s' is not allowed with %s, which has the runs", overrides, path);
    for (const Key *const *key = keys_of_runs(); *key; key++)
        if (scenario_get(line->scenario, (*key)->name))
            return input_refuse(error, "--%s: '%s' is not allowed with %s, which has the runs", (*key)->name,
                                scenario_get(line->scenario, (*key)->name), path);
    return TRUE;
}

static void report_done(const CommandLine *line, guint n_runs)
{
    if (message_columns() > 0 && strcmp(line->output, "-") != 0)
        message_print("%s is written, %u run%s; open it in a browser", line->output, n_runs, n_runs == 1 ? "" : "s");
}

/* Writes the table of runs `path` as a page. */
static gboolean report_csv(const CommandLine *line, const char *path, const char *date, GError **error)
{
    command_note_read("CSV", path);
    if (!report_check_alone(line, path, error) || !command_check_outputs(line, error))
        return FALSE;
    g_autoptr(Csv) csv = csv_load(path, error);
    if (!csv)
        return FALSE;
    plot_rename_patterns(csv);
    g_autofree char *made = g_markup_printf_escaped("Made by ecube %s, on <time>%s</time>, with <code id=\"command\">%s"
                                                    "</code>", ECUBE_ABOUT, date, line->words);
    g_autofree char *text = sheet_text(csv, path, made, error);
    if (!text || !output_write(line->output, text, error))
        return FALSE;
    report_done(line, csv->n_rows);
    return TRUE;
}

static gboolean make_report(const CommandLine *line, GError **error)
{
    if (!line->output)
        return input_refuse(error, "--output is missing: the file for the page");
    g_autofree char *date = date_of_page(error);
    if (!date || command_csv(line))
        return date && report_csv(line, command_csv(line), date, error);
    g_autoptr(GArray) runs = command_runs(line, SCENARIO_TIMED, error);
    g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) shown = g_ptr_array_new_with_free_func(page_run_free);
    g_autofree Record *records =
        runs && report_check_runs(runs, failures, error)
            ? report_execute_all(runs, failures, shown, error) : NULL;
    if (!records || !report_show_pair(runs, records, failures, shown, error))
        return FALSE;
    g_autofree char *overrides = scenario_overrides(line->scenario);
    g_autoptr(Hull) hull = hull_of(&records[0].run);
    g_autofree char *drawn_by = hull_command(&records[0].run, overrides);
    const char *path = scenario_path(line->scenario);
    g_autofree char *sentence = path ? data_scenario_title(path) : g_strdup("");
    const PageHead head = {line->words, ECUBE_ABOUT, date, sentence, overrides, records, runs->len, hull, drawn_by};
    g_autofree char *text = page_text(&head, shown);
    if (!output_write(line->output, text, error))
        return FALSE;
    report_done(line, runs->len);
    return command_report_failures(runs, records, failures);
}

static const GOptionEntry options[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &command_line.output,
     "The page, .html; written whole or not at all; - for standard output", "FILE"},
    {0},
};

const Command command_report = {
    .name = "report", .summary = "write a page that shows runs, and why they took as long as they did",
    .usage = "[SCENARIO] | FILE.csv",
    .takes_csv = TRUE,
    .help = "Runs what `ecube run` would, and writes one HTML file to look at, which needs no network:\n"
            "circuits that claim channels of the cube, a space-time diagram, who waited for whom, and\n"
            "what the time consists of. Exit code: as of `ecube run`.\n\n"
            "Of FILE.csv, which `ecube sweep` or `ecube run` wrote, it shows time against size, percent above\n"
            "the best, and what contention did.\n\n"
            "Examples: ecube report -m ipsc860 -d 3 -a naive,direct -b 100 -o report.html\n"
            "          ecube report sweep.csv -o sweep.html",
    .options = options, .outputs = (const char *const[]){"html", NULL}, .run = make_report};
