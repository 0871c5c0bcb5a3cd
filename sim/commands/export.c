/* ecube export: one schedule as text, for people or for LogGOPSim. */
#include "command.h"
#include "models/input.h"
#include "sim/run/limits.h"
#include "sim/run/report.h"
#include "sim/show/export.h"
#include "sim/show/export_goal.h"

static const char *const formats[] = {"text", "goal", NULL};
enum { EXPORT_TEXT, EXPORT_GOAL };

static gboolean export_scenario(const CommandLine *line, GError **error)
{
    gboolean goal = line->format == EXPORT_GOAL;
    g_autoptr(GArray) runs = command_runs(line, goal ? SCENARIO_TIMED : SCENARIO_DATA, error);
    if (!runs)
        return FALSE;
    if (runs->len != 1)
        return input_refuse(error, "export: takes a single schedule; the scenario's lists make %u", runs->len);
    const Run *run = &g_array_index(runs, Run, 0);
    if (!report_check_path(line->output, error) || !run_check_data(run, export_estimate(&run->problem), error))
        return FALSE;
    g_autofree char *text = goal ? export_goal(&run->problem, run->element, run->machine, error)
                                 : export_text(&run->problem, run->element);
    return text && report_write(line->output, text, error);
}

static const GOptionEntry options[] = {
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the schedule is written as; default: text", "text|goal"},
    COMMAND_OUTPUT,
    {0},
};

const Command command_export = {
    .name = "export", .summary = "write a schedule as text, or for LogGOPSim", .usage = "[SCENARIO]",
    .help = "Writes a single schedule: step by step for people, which needs neither a machine nor a size,\n"
            "or as GOAL for LogGOPSim, with the machine's handshakes and barriers as messages and its\n"
            "shuffles as calc operations.\n\n"
            "Example: ecube export -d 3 -a multiphase -p 1,2\n"
            "         ecube export --format goal -m ipsc860 -d 6 -a direct -b 32 --output direct.goal",
    .options = options, .formats = formats, .run = export_scenario};
