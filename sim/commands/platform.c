/* ecube platform: the SimGrid platform of a machine. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/engine/platform.h"
#include "sim/run/data.h"
#include "sim/run/record.h"

static char *dimension_given;

static gboolean print_platform(const CommandLine *line, GError **error)
{
    const double seconds_per_us = 1e-6;
    gint64 dimension;
    if (!dimension_given)
        return input_refuse(error, "--dimension is missing; usage: ecube platform MACHINE --dimension D");
    if (!input_parse_count("--dimension", dimension_given, 0, MACHINE_DIMENSION_MAX, &dimension, error))
        return FALSE;
    g_autoptr(Machine) machine = machine_load(data_platforms(), "machine", line->arguments[0], error);
    if (!machine)
        return FALSE;
    g_autofree char *xml = platform_xml(machine, 1u << dimension, seconds_per_us);
    return output_check_path(line->output, error) &&
           output_check_apart("--output", line->output, "machine", machine->path, error) &&
           output_write(line->output, xml, error);
}

static const GOptionEntry options[] = {
    {"dimension", 'd', 0, G_OPTION_ARG_STRING, &dimension_given, "Cube dimension, 0 to 16", "D"},
    COMMAND_OUTPUT,
    {0},
};

const Command command_platform = {
    .name = "platform", .summary = "print the SimGrid platform of a machine", .usage = "MACHINE --dimension D",
    .help = "Prints a SimGrid 3.32 platform: 2^D hosts node-0 ... in a torus of D twos, which is an e-cube\n"
            "hypercube with two directed links per edge. Any SimGrid program can load it.",
    .single = "platform takes one machine; usage: ecube platform MACHINE --dimension D",
    .options = options, .run = print_platform};
