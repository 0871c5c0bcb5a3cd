/* ecube platform: the SimGrid platform of a machine. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/engine/platform.h"
#include "sim/run/data.h"
#include "sim/run/record.h"

static char *dimension_given, *processors_given;

/* How many processors there are; 0 with an error. */
static guint n_asked(GError **error)
{
    gint64 number = 0;
    if (dimension_given && processors_given)
        return input_refuse(error, "--processors: '%s' is given beside --dimension; allowed: one of the two",
                            processors_given), 0;
    if (processors_given)
        return input_parse_count("--processors", processors_given, 1, GROUP_SIZE_MAX, &number, error)
                   ? (guint)number : 0;
    if (!dimension_given)
        return input_refuse(error, "--dimension is missing; usage: ecube platform MACHINE --dimension D"), 0;
    return input_parse_count("--dimension", dimension_given, 0, MACHINE_DIMENSION_MAX, &number, error)
               ? cube_n_nodes((guint)number) : 0;
}

static gboolean print_platform(const CommandLine *line, GError **error)
{
    const double seconds_per_us = 1e-6;
    guint n = n_asked(error);
    g_autoptr(Machine) machine =
        n ? machine_load(data_platforms(), "machine", line->arguments[0], error) : NULL;
    if (!machine || !machine_check_size(machine, n, error) || !platform_check(machine, error))
        return FALSE;
    g_autofree char *xml = platform_xml(machine, n, seconds_per_us);
    return output_check_path(line->output, error) &&
           output_check_apart("--output", line->output, "machine", machine->path, error) &&
           output_write(line->output, xml, error);
}

static const GOptionEntry options[] = {
    {"dimension", 'd', 0, G_OPTION_ARG_STRING, &dimension_given, "Cube dimension, 0 to 16", "D"},
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
    .options = options, .run = print_platform};
