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

/* The same options, whose values are taken as they come. GLib refuses one that is not UTF-8 without naming the option;
 * whoever parses it knows better. Caller frees the array. */
static GOptionEntry *without_conversion(const GOptionEntry *options)
{
    GOptionEntry *entries = command_join_entries(NULL, 0, options);
    for (GOptionEntry *entry = entries; entry->long_name; entry++)
        if (entry->arg == G_OPTION_ARG_STRING)
            entry->arg = G_OPTION_ARG_FILENAME;
        else if (entry->arg == G_OPTION_ARG_STRING_ARRAY)
            entry->arg = G_OPTION_ARG_FILENAME_ARRAY;
    return entries;
}

gboolean command_parse(int *argc, char ***argv, const char *usage, const char *help, const GOptionEntry *options,
                       GError **error)
{
    if (asked) {
        *asked = (CommandSyntax){g_strdup(usage), command_join_entries(NULL, 0, options)};
        return FALSE;
    }
    g_autoptr(GOptionContext) context = g_option_context_new(usage);
    g_option_context_set_description(context, help);
    g_autofree GOptionEntry *entries = without_conversion(options);
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) failure = NULL;
    if (g_option_context_parse(context, argc, argv, &failure))
        return TRUE;
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s; see `%s --help`", failure->message, g_get_prgname());
    return FALSE;
}

gboolean command_no_arguments(int argc, char **argv, GError **error)
{
    if (argc > 1)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "'%.60s': the command takes options only; see `%s --help`",
                    argv[1], g_get_prgname());
    return argc <= 1;
}

GOptionEntry *command_join_entries(const GOptionEntry *shared, guint n_shared, const GOptionEntry *own)
{
    guint n_own = 0;
    while (own[n_own].long_name)
        n_own++;
    GOptionEntry *entries = g_new0(GOptionEntry, n_shared + n_own + 1);
    if (n_shared > 0)
        memcpy(entries, shared, n_shared * sizeof *shared);
    memcpy(entries + n_shared, own, n_own * sizeof *own);
    return entries;
}

GOptionEntry *command_scenario_entries(ScenarioOptions *o, const GOptionEntry *own)
{
    const GOptionEntry shared[] = {
        {"machine", 'm', 0, G_OPTION_ARG_STRING, &o->machine, "A machine (`ecube list machines`) or a machine file",
         "NAME"},
        {"dimension", 'd', 0, G_OPTION_ARG_STRING, &o->dimension, "Cube dimension, 0 to 16", "D"},
        {"pattern", 0, 0, G_OPTION_ARG_STRING, &o->pattern, "Who sends what to whom (`ecube list patterns`)", "NAME"},
        {"algorithm", 'a', 0, G_OPTION_ARG_STRING, &o->algorithm, "Algorithms (`ecube list algorithms`)", "NAME,..."},
        {"partition", 'p', 0, G_OPTION_ARG_STRING, &o->partition, "Phases of multiphase, as 3,3; several by ;",
         "D1,D2,...|all|equal"},
        {"accumulate", 0, 0, G_OPTION_ARG_STRING, &o->accumulate, "Accumulation steps of hybrid", "K,..."},
        {"source", 0, 0, G_OPTION_ARG_STRING, &o->source, "Source of the patterns that have one", "S"},
        {"permutation", 0, 0, G_OPTION_ARG_STRING, &o->permutation, "A permutation of address bits, as bit-reversal",
         "NAME"},
        {"cycles", 0, 0, G_OPTION_ARG_STRING, &o->cycles, "The same by its index cycles, as 0,1,2/3,4", "CYCLES"},
        {"idle", 0, 0, G_OPTION_ARG_STRING, &o->idle, "Dimensions in which only processors with bits 0 have data", "R"},
        {"bytes", 'b', 0, G_OPTION_ARG_STRING, &o->bytes, "Block sizes m, or M for each destination", "M,..."},
        {"element", 0, 0, G_OPTION_ARG_STRING, &o->element, "Bytes of one element", "E"},
        {"ports", 0, 0, G_OPTION_ARG_STRING, &o->ports, "one or all: ports of a processor", "one|all"},
        {"packet", 0, 0, G_OPTION_ARG_STRING, &o->packet, "Largest packet: bytes, unlimited or optimal",
         "B|unlimited|optimal"},
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o->set, "Set a key (`ecube list keys`); may be repeated",
         "KEY=VALUE"},
    };
    return command_join_entries(shared, G_N_ELEMENTS(shared), own);
}

void command_scenario_clear(ScenarioOptions *o)
{
    g_free(o->machine);
    g_free(o->dimension);
    g_free(o->pattern);
    g_free(o->algorithm);
    g_free(o->partition);
    g_free(o->accumulate);
    g_free(o->source);
    g_free(o->permutation);
    g_free(o->cycles);
    g_free(o->idle);
    g_free(o->bytes);
    g_free(o->element);
    g_free(o->ports);
    g_free(o->packet);
    g_strfreev(o->set);
}

static gboolean set_options(Scenario *scenario, const ScenarioOptions *o, GError **error)
{
    const struct {
        const char *key, *value;
    } given[] = {
        {"machine", o->machine},     {"dimension", o->dimension}, {"pattern", o->pattern},
        {"algorithm", o->algorithm}, {"partition", o->partition}, {"bytes", o->bytes},
        {"accumulate", o->accumulate}, {"source", o->source},     {"element", o->element},
        {"ports", o->ports},         {"packet", o->packet},       {"permutation", o->permutation},
        {"cycles", o->cycles},       {"idle", o->idle},
    };
    for (guint i = 0; i < G_N_ELEMENTS(given); i++) {
        g_autofree char *origin = g_strconcat("--", given[i].key, NULL);
        if (given[i].value && !scenario_set(scenario, given[i].key, given[i].value, origin, error))
            return FALSE;
    }
    for (guint i = 0; o->set && o->set[i]; i++)
        if (!scenario_set_pair(scenario, o->set[i], error))
            return FALSE;
    return TRUE;
}

Scenario *command_scenario(const ScenarioOptions *options, int argc, char **argv, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    if (argc > 2) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "'%.60s': one scenario at most", argv[2]);
        return NULL;
    }
    g_autofree char *path = argc == 2 ? data_find_scenario(argv[1], error) : NULL;
    if ((argc == 2 && (!path || !scenario_load(scenario, path, error))) || !set_options(scenario, options, error))
        return NULL;
    return g_steal_pointer(&scenario);
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
