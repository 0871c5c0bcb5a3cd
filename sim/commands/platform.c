/* ecube platform: the SimGrid platform of a machine. */
#include "command.h"
#include "models/input.h"
#include "sim/engine/platform.h"
#include "sim/run/report.h"

static int print_platform(const char *spec, const char *dimension_text, const char *output, GError **error)
{
    const double seconds_per_us = 1e-6;
    gint64 dimension;
    if (!input_parse_count("--dimension", dimension_text, 0, MACHINE_DIMENSION_MAX, &dimension, error))
        return 2;
    g_autoptr(Machine) machine = machine_load(command_platforms(), "machine", spec, error);
    if (!machine)
        return 2;
    g_autofree char *xml = platform_xml(machine, (guint)dimension, seconds_per_us);
    gboolean ok = report_check_path(output, error) &&
                  report_check_apart("--output", output, "machine", machine->path, error) &&
                  report_write(output, xml, error);
    return ok ? 0 : 2;
}

static int cmd_platform(int argc, char **argv, GError **error)
{
    char *dimension = NULL, *output = NULL;
    const GOptionEntry options[] = {
        {"dimension", 'd', 0, G_OPTION_ARG_STRING, &dimension, "Cube dimension, 0 to 16", "D"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE, whole or not at all", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    int code = 2;
    if (command_parse(&argc, &argv, "MACHINE --dimension D",
                      "Prints a SimGrid 3.32 platform: 2^D hosts node-0 ... in a torus of D twos, which is an e-cube\n"
                      "hypercube with two directed links per edge. Any SimGrid program can load it.",
                      options, NULL, error)) {
        if (argc != 2 || !dimension)
            input_refuse(error, "%s; usage: ecube platform MACHINE --dimension D",
                         argc != 2 ? "platform takes one machine" : "--dimension is missing");
        else
            code = print_platform(argv[1], dimension, output, error);
    }
    g_free(dimension);
    g_free(output);
    return code;
}

const Command command_platform = {"platform", "print the SimGrid platform of a machine", cmd_platform};
