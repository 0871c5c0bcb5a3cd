/* ecube export: one schedule as text, for people, LogGOPSim or SMPI. */
#include "command.h"
#include "models/input.h"
#include "sim/run/limits.h"
#include "sim/run/report.h"
#include "sim/show/export.h"
#include "sim/show/export_goal.h"
#include "sim/show/export_ti.h"

static const char *const formats[] = {"text", "goal", "ti", NULL};
enum { EXPORT_TEXT, EXPORT_GOAL, EXPORT_TI };

static char *schedule_text(int format, const Run *run, GError **error)
{
    if (format == EXPORT_GOAL)
        return export_goal(&run->problem, run->element, run->machine, error);
    if (format == EXPORT_TI)
        return export_ti(&run->problem, run->element, run->machine, error);
    return export_text(&run->problem, run->element);
}

static gboolean export_scenario(const CommandLine *line, GError **error)
{
    gboolean timed = line->format != EXPORT_TEXT;
    g_autoptr(GArray) runs = command_runs(line, timed ? SCENARIO_TIMED : SCENARIO_DATA, error);
    if (!runs)
        return FALSE;
    if (runs->len != 1)
        return input_refuse(error, "export: takes a single schedule; the scenario's lists make %u", runs->len);
    const Run *run = &g_array_index(runs, Run, 0);
    if (!report_check_path(line->output, error) || !run_check_data(run, export_estimate(&run->problem), error))
        return FALSE;
    g_autofree char *text = schedule_text(line->format, run, error);
    return text && report_write(line->output, text, error);
}

static const GOptionEntry options[] = {
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the schedule is written as; default: text", "text|goal|ti"},
    COMMAND_OUTPUT,
    {0},
};

const Command command_export = {
    .name = "export", .summary = "write a schedule as text, or for LogGOPSim or SMPI", .usage = "[SCENARIO]",
    .help = "Writes a single schedule: step by step for people, which needs neither a machine nor a size,\n"
            "as GOAL for LogGOPSim, with the machine's handshakes and barriers as messages and its\n"
            "shuffles as calc operations, or as a time-independent trace for SMPI's smpirun -replay,\n"
            "with all that is not the links' as sleeps.\n\n"
            "Example: ecube export -d 3 -a multiphase -p 1,2\n"
            "         ecube export --format goal -m ipsc860 -d 6 -a direct -b 32 --output direct.goal",
    .options = options, .formats = formats, .run = export_scenario};
