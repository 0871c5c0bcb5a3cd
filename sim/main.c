/* ecube: dispatch to a subcommand, and the one place that prints errors and chooses exit codes:
 * 0 fine, 1 a check or run failed or the system refused, 2 bad usage or input, or too little memory. */
#include "sim/text/input.h"
#include "sim/commands/command.h"
#include "sim/engine/engine.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/text/message.h"
#include "sim/text/version.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>

static const Command *const commands[] = {
    &command_run, &command_report, &command_verify, &command_sweep, &command_merge, &command_columns, &command_plot,
    &command_hull, &command_best, &command_compare, &command_offsets, &command_regions, &command_fit,
    &command_reproduce, &command_tables, &command_tree, &command_embed,
    &command_export, &command_platform, &command_list, &command_complete, NULL,
};

/* The groups of commands in the help, by the first command of each. */
static const struct {
    const Command *first;
    const char *heading;
} groups[] = {
    {&command_run, "Run:"}, {&command_hull, "Ask the model:"}, {&command_reproduce, "The papers:"},
    {&command_export, "Tools:"},
};

static void help_put_heading(GString *out, const Command *command)
{
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
        if (groups[i].first == command)
            g_string_append_printf(out, "%s%s\n", i > 0 ? "\n" : "", groups[i].heading);
}

static char *help_text(void)
{
    GString *text = g_string_new("ecube simulates communication schedules on hypercube machines: complete exchange,\n"
                                 "broadcast and more.\n\n"
                                 "Usage: ecube COMMAND [OPTIONS]\n\n");
    for (guint i = 0; commands[i]; i++) {
        help_put_heading(text, commands[i]);
        g_string_append_printf(text, "  %-10s  %s\n", commands[i]->name, commands[i]->summary);
    }
    g_string_append(text, "\n`ecube COMMAND --help` explains a command; `ecube --version` prints the version.\n\n"
                          "Try:\n  ecube run --machine ipsc860 --dimension 6 --algorithm standard,multiphase,direct "
                          "--partition 3,3 --bytes 32\n");
    return g_string_free(text, FALSE);
}

static const Command *find_command(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(commands)] = {NULL};
    for (guint i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    guint i;
    if (input_parse_choice("command", name, names, &i, NULL))
        return commands[i];
    input_refuse_name("command", name, names, "`ecube --help`", error);
    return NULL;
}

/* Executes the command that argv[1] names. FALSE: a check failed, or there is an error. */
static gboolean dispatch(int argc, char **argv, GError **error)
{
    const char *const help_words[] = {"--help", "-h", "help", NULL};
    /* "ecube 0.1.0, commit 1234567-dirty (SimGrid version 3.32)"; a release has no commit */
    g_autofree char *version = g_strdup_printf("ecube %s (%s)\n", ECUBE_ABOUT, engine_simgrid_version);
    g_autofree char *help = help_text();
    if (argc < 2)
        return input_refuse(error, "a command is missing; see `ecube --help`");
    if (g_strv_contains(help_words, argv[1]))
        return output_write(NULL, help, error);
    if (strcmp(argv[1], "--version") == 0)
        return output_write(NULL, version, error);
    const Command *command = find_command(argv[1], error);
    if (!command || !data_check(error))
        return FALSE;
    g_autofree char *name = g_strconcat("ecube ", command->name, NULL);
    g_set_prgname(name);
    return command_main(commands, command, argc - 1, argv + 1, error);
}

/* Opens "/", by O_PATH neither readable nor writable, in place of each closed standard stream. Otherwise a file that is
 * opened later would get the stream's number and its output. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/", O_PATH) < 0)
            return;
}

/* Exits with 2 if standard output cannot be written. Runs at exit, as GLib prints --help and exits unchecked. */
static void check_standard_output(void)
{
    if (!ferror(stdout) && fflush(stdout) == 0)
        return;
    message_print("standard output: cannot be written");
    _exit(2);
}

static int main_run(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    gboolean ok = dispatch(argc, argv, &error);
    if (!error)
        return ok ? 0 : 1;
    message_print("%s", error->message);
    clearerr(stdout);           /* reported already: check_standard_output() must not repeat it */
    return error->domain == ECUBE_ERROR && error->code <= ECUBE_ERROR_MEMORY ? 2 : 1;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    signal(SIGCHLD, SIG_DFL);   /* a parent may have left it ignored; then waiting for a child fails */
    setlocale(LC_CTYPE, "C.UTF-8");
    atexit(check_standard_output);
    return main_run(argc, argv);
}
