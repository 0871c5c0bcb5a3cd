/* ecube export: one schedule as text, for people or for LogGOPSim. */
#include "command.h"
#include "models/input.h"
#include "sim/run/limits.h"
#include "sim/run/report.h"
#include "sim/show/export.h"
#include "sim/show/export_goal.h"

static const char *const format_names[] = {"text", "goal", NULL};
enum { EXPORT_TEXT, EXPORT_GOAL };

static gboolean export_run(const GArray *runs, guint format, const char *output, GError **error)
{
    if (runs->len != 1)
        return input_refuse(error, "export: takes a single schedule; the scenario's lists make %u", runs->len);
    const Run *run = &g_array_index(runs, Run, 0);
    if (!report_check_path(output, error) || !run_check_data(run, export_estimate(&run->problem), error))
        return FALSE;
    g_autofree char *text = format == EXPORT_GOAL ? export_goal(&run->problem, run->element, run->machine, error)
                                                  : export_text(&run->problem, run->element);
    return text && report_write(output, text, error);
}

static int cmd_export(int argc, char **argv, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    char *format_name = NULL, *output = NULL;
    const GOptionEntry own[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "What the schedule is written as; default: text",
         "text|goal"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE, whole or not at all", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = command_key_entries(NULL, own);
    guint format = EXPORT_TEXT;
    int code = 2;
    if (command_parse(&argc, &argv, "[SCENARIO]",
                      "Writes a single schedule: step by step for people, which needs neither a machine nor a size,\n"
                      "or as GOAL for LogGOPSim, with the machine's handshakes and barriers as messages and its\n"
                      "shuffles as calc operations.\n\n"
                      "Example: ecube export -d 3 -a multiphase -p 1,2\n"
                      "         ecube export --format goal -m ipsc860 -d 6 -a direct -b 32 --output direct.goal",
                      entries, scenario, error) &&
        (!format_name || input_parse_choice("--format", format_name, format_names, &format, error)) &&
        command_load(scenario, argc, argv, error)) {
        ScenarioUse use = format == EXPORT_GOAL ? SCENARIO_TIMED : SCENARIO_DATA;
        g_autoptr(GArray) runs = scenario_resolve(scenario, command_platforms(), use, error);
        if (runs && command_check_apart("--output", output, scenario, g_array_index(runs, Run, 0).machine, error) &&
            export_run(runs, format, output, error))
            code = 0;
    }
    g_free(format_name);
    g_free(output);
    return code;
}

const Command command_export = {"export", "write a schedule as text, or for LogGOPSim", cmd_export};
