/* ecube: dispatch to a subcommand, and the one place that prints errors and chooses exit codes:
 * 0 fine, 1 a check failed, 2 bad usage or input. */
#include "../models/input.h"
#include "command.h"
#include "engine.h"
#include "report.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const Command *const commands[] = {
    &command_run,  &command_verify, &command_sweep, &command_merge,  &command_compare,  &command_hull,
    &command_best, &command_tables, &command_plot,  &command_export, &command_tree,     &command_embed,
    &command_platform, &command_list,
};

static char *help_text(void)
{
    GString *text = g_string_new("ecube simulates communication schedules on hypercube machines: complete exchange,\n"
                                 "broadcast and more.\n\n"
                                 "Usage: ecube COMMAND [OPTIONS]\n\n");
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        g_string_append_printf(text, "  %-10s  %s\n", commands[i]->name, commands[i]->summary);
    g_string_append(text, "\n`ecube COMMAND --help` explains a command; `ecube --version` prints the version.\n\n"
                          "Try:\n  ecube run --machine ipsc860 --dimension 6 --algorithm standard,multiphase,direct "
                          "--partition 3,3 --bytes 32\n");
    return g_string_free(text, FALSE);
}

static const Command *find_command(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(commands) + 1] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        names[i] = commands[i]->name;
    guint i;
    return input_parse_choice("command", name, names, &i, error) ? commands[i] : NULL;
}

static int dispatch(int argc, char **argv, GError **error)
{
    g_autofree char *help = help_text();
    if (argc < 2) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "a command is missing; see `ecube --help`");
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return report_write(NULL, help, error) ? 0 : 2;
    if (strcmp(argv[1], "--version") == 0) {
        g_autofree char *version = g_strdup_printf("ecube %s (%s)\n", ECUBE_VERSION, engine_simgrid_version());
        return report_write(NULL, version, error) ? 0 : 2;
    }
    const Command *command = find_command(argv[1], error);
    if (!command)
        return 2;
    g_autofree char *name = g_strconcat("ecube ", command->name, NULL);
    g_set_prgname(name);
    return command->main(argc - 1, argv + 1, error);
}

/* One line, whatever bytes a user has put into it. */
static void print_error(const GError *error)
{
    g_autofree char *message = g_utf8_make_valid(error->message, -1);
    for (char *c = message; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = g_ascii_isspace(*c) ? ' ' : '?';
    fprintf(stderr, "ecube: %s\n", message);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    setlocale(LC_CTYPE, "C.UTF-8");
    int code = engine_check_library(&error) ? dispatch(argc, argv, &error) : 2;
    if (!error)
        return code;
    print_error(error);
    return g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_RUN) ? 1 : 2;
}
