/* ecube export: writes one schedule as text, for people, LogGOPSim or SMPI. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/estimate.h"
#include "sim/run/record.h"
#include "sim/show/export.h"
#include "sim/show/export_ranks.h"

static const char *const formats[] = {"text", "goal", "ti", NULL};
enum { EXPORT_TEXT, EXPORT_GOAL, EXPORT_TI };

/* Least and most memory for text that is not written yet, in bytes. */
#define ROOM_MIN 8000000
#define ROOM_MAX 256000000

/* Returns the limit of text not written yet, in bytes: half of the free memory, since a text may use twice its length,
 * and at most ROOM_MAX. For EXPORT_TEXT returns ROOM_MIN. 0 with an error: the schedule does not fit into memory. */
static gsize find_room(int format, const Run *run, GError **error)
{
    if (format == EXPORT_TEXT)
        return run_check_schedule(run, error) ? ROOM_MIN : 0;
    gsize room = run_room_beside(run, 2 * ROOM_MIN, error) / 2;
    return MIN(room, ROOM_MAX);
}

static gboolean write_schedule(Output *out, int format, const Run *run, gsize room, GError **error)
{
    if (format == EXPORT_GOAL)
        return export_goal(out, &run->problem, run->element, run->machine, room, error);
    if (format == EXPORT_TI)
        return export_ti(out, &run->problem, run->element, run->machine, room, error);
    export_text(out, &run->problem, run->element);
    return TRUE;
}

static gboolean export_scenario(const CommandLine *line, GError **error)
{
    gboolean timed = line->format != EXPORT_TEXT;
    g_autoptr(GArray) runs = command_runs(line, timed ? SCENARIO_TIMED : SCENARIO_DATA, error);
    if (!runs || !runs_check_single("export", runs, error))
        return FALSE;
    const Run *run = &g_array_index(runs, Run, 0);
    gsize room = find_room(line->format, run, error);
    Output *out = room ? output_open(line->output, error) : NULL;
    return out && output_close(out, write_schedule(out, line->format, run, room, error), error);
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
            "shuffles and late starts as calc operations, or as a time-independent trace for SMPI's smpirun -replay,\n"
            "with all that is not the links' as sleeps.\n\n"
            "Example: ecube export -d 3 -a multiphase -p 1,2\n"
            "         ecube export --format goal -m ipsc860 -d 6 -a direct -b 32 --output direct.goal",
    .options = options, .formats = formats, .run = export_scenario};
