/* ecube platform: prints the SimGrid platform of a machine. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/engine/platform.h"
#include "sim/run/data.h"
#include "sim/run/record.h"

static char *dimension_given, *processors_given;

static gboolean print_platform(const CommandLine *line, GError **error)
{
    const double seconds_per_us = 1e-6;
    const Group *group = group_asked(dimension_given, processors_given, NULL, FALSE, MACHINE_DIMENSION_MAX, error);
    g_autoptr(Machine) machine =
        group ? machine_load(data_platforms(), "machine", line->arguments[0], error) : NULL;
    if (!machine || !machine_check_size(machine, group->n, error) || !platform_check(machine, group->n, error))
        return FALSE;
    g_autofree char *xml = platform_xml(machine, group->n, seconds_per_us);
    command_note_read("machine", machine->path);
    return command_check_outputs(line, error) && output_write(line->output, xml, error);
}

static const GOptionEntry options[] = {
    {"dimension", 'd', 0, G_OPTION_ARG_STRING, &dimension_given, "Cube dimension, 0 to 18", "D"},
    {"processors", 'n', 0, G_OPTION_ARG_STRING, &processors_given, "Processors, of a crossbar any number", "P"},
    COMMAND_OUTPUT,
    {0},
};

const Command command_platform = {
    .name = "platform", .summary = "print the SimGrid platform of a machine", .usage = "MACHINE --dimension D",
    .help = "Prints a SimGrid 3.32 platform: 2^D hosts node-0 ... in a torus of D twos, which is an e-cube\n"
            "hypercube with two directed links per edge; or, of a crossbar, a cluster. Any SimGrid program can\n"
            "load it.",
    .single = "platform takes one machine; usage: ecube platform MACHINE --dimension D",
    .options = options, .outputs = (const char *const[]){"xml", NULL}, .run = print_platform};
