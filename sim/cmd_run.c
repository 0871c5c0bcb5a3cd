/* ecube run: simulate every run of a scenario. */
#include "../models/input.h"
#include "command.h"
#include "report.h"

static gboolean check_all(const GArray *runs, GError **error)
{
    for (guint i = 0; i < runs->len; i++)
        if (!run_check(&g_array_index(runs, Run, i), error))
            return FALSE;
    return TRUE;
}

static Record *execute_all(const GArray *runs, GError **error)
{
    g_autofree Record *records = g_new0(Record, MAX(1, runs->len));
    for (guint i = 0; i < runs->len; i++) {
        records[i].run = g_array_index(runs, Run, i);
        if (!run_execute(&records[i].run, &records[i].result, error))
            return NULL;
    }
    return g_steal_pointer(&records);
}

static int tell_failures(const Record *records, guint n)
{
    int code = 0;
    for (guint i = 0; i < n; i++)
        code |= run_tell_failure(&records[i].run, &records[i].result);
    return code;
}

static int run_scenario(Scenario *scenario, Format format, const char *output, GError **error)
{
    g_autoptr(GArray) runs = scenario_resolve(scenario, command_platforms(), SCENARIO_TIMED, error);
    if (!runs || !check_all(runs, error) || !report_check_path(output, error))
        return 2;
    g_autofree Record *records = execute_all(runs, error);
    if (!records)
        return 2;
    g_autofree char *overrides = scenario_overrides(scenario);
    g_autofree char *text = report_text(format, records, runs->len, overrides);
    if (!report_write(output, text, error))
        return 2;
    return tell_failures(records, runs->len);
}

static int cmd_run(int argc, char **argv, GError **error)
{
    ScenarioOptions options = {0};
    char *format_name = NULL, *output = NULL;
    const GOptionEntry own[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "table, csv or json", "FORMAT"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE, whole or not at all", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = command_scenario_entries(&options, own);
    int code = 2;
    guint format = FORMAT_TABLE;
    if (command_parse(&argc, &argv, "[SCENARIO.ini]",
                      "Runs every combination of the scenario's sizes, algorithms and partitions. Each comes with\n"
                      "three times (published formula, contention-free price, SimGrid simulation), its contention,\n"
                      "and the proof that every block arrived. Exit code: 0 all data in place, 1 a run failed,\n"
                      "2 bad input.\n\n"
                      "Example: ecube run -m ipsc860 -d 6 -a standard,multiphase,direct -p 3,3 -b 32",
                      entries, error) &&
        (!format_name ||
         input_parse_choice("--format", format_name, table_format_names(), &format, error))) {
        g_autoptr(Scenario) scenario = command_scenario(&options, argc, argv, error);
        if (scenario)
            code = run_scenario(scenario, (Format)format, output, error);
    }
    command_scenario_clear(&options);
    g_free(format_name);
    g_free(output);
    return code;
}

const Command command_run = {"run", "simulate a scenario, or one run given by options", cmd_run};
