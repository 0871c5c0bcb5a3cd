#include "command.h"
#include "models/input.h"
#include "sim/run/data.h"
#include "sim/run/limits.h"
#include "sim/run/report.h"
#include "sim/text/message.h"

#include <string.h>

const char *command_platforms(void)
{
    return data_platforms();
}

/* Where command_parse() is to put what it gets, instead of parsing. */
static CommandSyntax *asked = NULL;

void command_ask(const Command *command, CommandSyntax *syntax)
{
    char *words[] = {(char *)command->name, NULL};
    g_autoptr(GError) error = NULL;
    *syntax = (CommandSyntax){NULL, NULL};
    asked = syntax;
    command->main(1, words, &error);
    asked = NULL;
    g_assert(syntax->usage);
}

void command_syntax_clear(CommandSyntax *syntax)
{
    g_free(syntax->usage);
    g_free(syntax->entries);
}

static guint count_entries(const GOptionEntry *entries)
{
    guint n = 0;
    while (entries[n].long_name)
        n++;
    return n;
}

static GOptionEntry *copy_entries(const GOptionEntry *entries)
{
    return command_join_entries(entries, entries + count_entries(entries));
}

/* The same options, whose values are taken as they come. GLib refuses one that is not UTF-8 without naming the option;
 * whoever parses it knows better. Caller frees the array. */
static GOptionEntry *without_conversion(const GOptionEntry *options)
{
    GOptionEntry *entries = copy_entries(options);
    for (GOptionEntry *entry = entries; entry->long_name; entry++)
        if (entry->arg == G_OPTION_ARG_STRING)
            entry->arg = G_OPTION_ARG_FILENAME;
    return entries;
}

gboolean command_parse(int *argc, char ***argv, const char *usage, const char *help, const GOptionEntry *options,
                       Scenario *scenario, GError **error)
{
    if (asked) {
        *asked = (CommandSyntax){g_strdup(usage), copy_entries(options)};
        return FALSE;
    }
    g_autoptr(GOptionContext) context = g_option_context_new(usage);
    g_option_context_set_description(context, help);
    g_autofree GOptionEntry *entries = without_conversion(options);
    GOptionGroup *group = g_option_group_new("", "", "", scenario, NULL);
    g_option_group_add_entries(group, entries);
    g_option_context_set_main_group(context, group);
    g_autoptr(GError) failure = NULL;
    if (g_option_context_parse(context, argc, argv, &failure))
        return TRUE;
    if (failure->domain == ECUBE_ERROR)
        g_propagate_error(error, g_steal_pointer(&failure));
    else
        input_refuse(error, "%s; see `%s --help`", failure->message, g_get_prgname());
    return FALSE;
}

gboolean command_no_arguments(int argc, char **argv, GError **error)
{
    if (argc > 1)
        input_refuse(error, "'%.60s': the command takes options only; see `%s --help`", argv[1], g_get_prgname());
    return argc <= 1;
}

/* --- keys --- */

/* The key that "--machine" or "-m" stands for. */
static const Key *key_of(const char *option)
{
    guint i = 0;
    if (option[1] == '-')
        return keys_find(option + 2);
    while (keys_nth(i)->letter != option[1])
        i++;
    return keys_nth(i);
}

static gboolean set_key(const char *option, const char *value, gpointer scenario, GError **error)
{
    const Key *key = key_of(option);
    g_autofree char *origin = g_strconcat("--", key->name, NULL);
    return scenario_set(scenario, key->name, value, origin, error);
}

static gboolean set_pair(const char *option, const char *pair, gpointer scenario, GError **error)
{
    return scenario_set_pair(scenario, pair, error);
}

static gboolean set_pair_of_machine(const char *option, const char *pair, gpointer scenario, GError **error)
{
    return scenario_set_pair_of_machine(scenario, pair, error);
}

static GOptionEntry make_entry(const char *name, char letter, GOptionArgFunc set, const char *help,
                               const char *argument)
{
    return (GOptionEntry){name, letter, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, (gpointer)set, help, argument};
}

static GOptionEntry entry_of(const Key *key)
{
    g_autofree char *help = key_help(key);
    *help = g_ascii_toupper(*help);
    return make_entry(key->name, key->letter, set_key, g_intern_string(help), key->argument);
}

GOptionEntry *command_join_entries(const GOptionEntry *first, const GOptionEntry *second)
{
    guint n_first = count_entries(first), n_second = count_entries(second);
    GOptionEntry *entries = g_new0(GOptionEntry, n_first + n_second + 1);
    memcpy(entries, first, n_first * sizeof *first);
    memcpy(entries + n_first, second, n_second * sizeof *second);
    return entries;
}

GOptionEntry *command_key_entries(const char *const *names, const GOptionEntry *own)
{
    g_autofree GOptionEntry *entries = g_new0(GOptionEntry, keys_count() + 2);
    guint n = 0;
    for (guint i = 0; i < keys_count(); i++)
        if (!names || g_strv_contains(names, keys_nth(i)->name))
            entries[n++] = entry_of(keys_nth(i));
    entries[n] = make_entry("set", 's', names ? set_pair_of_machine : set_pair,
                              names ? "Set a machine key (`ecube list keys`); may be repeated"
                                    : "Set a key (`ecube list keys`); may be repeated",
                              "KEY=VALUE");
    return command_join_entries(entries, own);
}

gboolean command_load(Scenario *scenario, int argc, char **argv, GError **error)
{
    if (argc > 2)
        return input_refuse(error, "'%.60s': one scenario at most", argv[2]);
    g_autofree char *path = argc == 2 ? data_find_scenario(argv[1], error) : NULL;
    return argc < 2 || (path && scenario_load(scenario, path, error));
}

gboolean command_check_apart(const char *option, const char *output, const Scenario *scenario, const Machine *machine,
                             GError **error)
{
    const char *path = scenario_path(scenario);
    return (!path || report_check_apart(option, output, "scenario", path, error)) &&
           (!machine || report_check_apart(option, output, "machine", machine->path, error));
}

gboolean command_check_runs(const GArray *runs, GPtrArray *refused, GError **error)
{
    g_autoptr(GError) first = NULL;
    guint n_refused = 0;
    g_ptr_array_set_size(refused, 0);
    for (guint i = 0; i < runs->len; i++) {
        g_autoptr(GError) failure = NULL;
        gboolean ok = run_check(&g_array_index(runs, Run, i), &failure);
        g_ptr_array_add(refused, ok ? NULL : g_strdup(failure->message));
        if (!ok && n_refused++ == 0)
            first = g_steal_pointer(&failure);
    }
    if (n_refused == 0 || n_refused < runs->len)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&first));
    return FALSE;
}

void command_tell_failed(const GArray *runs, guint i, const char *why)
{
    g_autofree char *what = run_describe(&g_array_index(runs, Run, i));
    if (runs->len > 1)
        message_tell("run %u of %u (%s): %s", i + 1, runs->len, what, why);
    else
        message_tell("%s: %s", what, why);
}
