/* ecube list: what there is. */
#include "command.h"
#include "models/input.h"
#include "sim/run/data.h"
#include "sim/schedule/algorithms/registry.h"
#include "sim/run/report.h"

static gboolean list_machines(GString *out, GError **error)
{
    g_auto(GStrv) names = machine_names(command_platforms(), error);
    for (guint i = 0; names && names[i]; i++) {
        g_autoptr(Machine) machine = machine_load(command_platforms(), "machine", names[i], NULL, error);
        if (!machine)
            return FALSE;
        g_string_append_printf(out, "%-20s  %s\n", names[i], machine->title ? machine->title : "");
    }
    g_string_append_printf(out, "\nThese are in %s; a file of your own goes by its path.\n", command_platforms());
    return names != NULL;
}

static gboolean list_scenarios(GString *out, GError **error)
{
    g_auto(GStrv) names = data_scenario_names(error);
    for (guint i = 0; names && names[i]; i++) {
        g_autofree char *title = data_scenario_title(names[i]);
        g_string_append_printf(out, "%-21s  %s\n", names[i], title);
    }
    g_string_append_printf(out, "\nThese are in %s; a file of your own goes by its path.\n", data_scenarios());
    return names != NULL;
}

/* "broadcast, and backwards reduction:" */
static void put_pattern(GString *out, const Pattern *pattern)
{
    g_string_append_printf(out, "%s%s", out->len ? "\n" : "", pattern->name);
    for (guint i = 0; i < pattern_count(); i++)
        if (pattern_nth(i)->reverse == pattern)
            g_string_append_printf(out, ", and backwards %s", pattern_nth(i)->name);
    g_string_append(out, ":\n");
}

static gboolean list_algorithms(GString *out, GError **error)
{
    (void)error;
    PatternKind pattern = G_MAXINT;
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        if (algorithm->pattern != pattern)
            put_pattern(out, pattern_of(algorithm->pattern));
        pattern = algorithm->pattern;
        g_string_append_printf(out, "  %-10s  %s%s\n  %-10s  [%s]\n", algorithm->name,
                               algorithm->n_port ? "all ports: " : "", algorithm->summary, "", algorithm->source);
    }
    return TRUE;
}

static gboolean list_patterns(GString *out, GError **error)
{
    (void)error;
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_nth(i);
        g_autofree const char **names = algorithm_names(pattern);
        g_autofree char *algorithms = g_strjoinv(" ", (char **)names);
        g_autofree char *aliases = g_strjoinv(", ", (char **)(gpointer)pattern->aliases);
        g_string_append_printf(out, "%-17s  %s\n", pattern->name, pattern->summary);
        if (*aliases)
            g_string_append_printf(out, "%-17s  also called %s\n", "", aliases);
        g_string_append_printf(out, "%-17s  algorithms: %s\n", "", algorithms);
    }
    return TRUE;
}

static gboolean list_keys(GString *out, GError **error)
{
    (void)error;
    g_string_append(out, "[run]: also options of `ecube run`, as --bytes\n");
    for (const RunKey *key = scenario_run_keys(); key->name; key++)
        g_string_append_printf(out, "  %-18s  %s; %s\n", key->name, key->help, key->allowed);
    g_string_append(out, "\n[machine]: in machine files and scenarios; all keys go with --set KEY=VALUE\n");
    for (guint i = 0; machine_keys()[i]; i++) {
        MachineKeyHelp key = machine_key_help(i);
        g_string_append_printf(out, "  %-18s  %s; %s%s%s\n", key.name, key.unit, key.help,
                               *key.fallback ? "; default: " : "", key.fallback);
    }
    return TRUE;
}

static const char *const what_names[] = {"machines", "scenarios", "patterns", "algorithms", "keys", NULL};
static gboolean (*const lists[])(GString *out, GError **error) = {list_machines, list_scenarios, list_patterns,
                                                                  list_algorithms, list_keys};

static int cmd_list(int argc, char **argv, GError **error)
{
    const GOptionEntry options[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    guint what;
    if (!command_parse(&argc, &argv, "machines|scenarios|patterns|algorithms|keys",
                       "Lists what the other commands know by name.", options, error))
        return 2;
    if (argc != 2) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "usage: ecube list machines|scenarios|patterns|algorithms|keys");
        return 2;
    }
    if (!input_parse_choice("list", argv[1], what_names, &what, error))
        return 2;
    g_autoptr(GString) out = g_string_new(NULL);
    return lists[what](out, error) && report_write(NULL, out->str, error) ? 0 : 2;
}

const Command command_list = {"list", "list machines, scenarios, patterns, algorithms or keys", cmd_list};
