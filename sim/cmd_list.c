/* ecube list: what there is. */
#include "../models/input.h"
#include "command.h"
#include "report.h"

static gboolean list_machines(GString *out, GError **error)
{
    g_auto(GStrv) names = machine_names(command_platforms(), error);
    for (guint i = 0; names && names[i]; i++) {
        g_autoptr(Machine) machine = machine_load(command_platforms(), "machine", names[i], NULL, error);
        if (!machine)
            return FALSE;
        g_string_append_printf(out, "%-20s  %s\n", names[i], machine->title ? machine->title : "");
    }
    return names != NULL;
}

static gboolean list_algorithms(GString *out, GError **error)
{
    (void)error;
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        g_string_append_printf(out, "%-12s  %s\n%-12s  [%s]\n", algorithm->name, algorithm->summary, "",
                               algorithm->source);
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

static const char *const what_names[] = {"machines", "algorithms", "keys", NULL};
static gboolean (*const lists[])(GString *out, GError **error) = {list_machines, list_algorithms, list_keys};

static int cmd_list(int argc, char **argv, GError **error)
{
    const GOptionEntry options[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    guint what;
    if (!command_parse(&argc, &argv, "machines|algorithms|keys", "Lists what the other commands know by name.", options,
                       error))
        return 2;
    if (argc != 2) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "usage: ecube list machines|algorithms|keys");
        return 2;
    }
    if (!input_parse_choice("list", argv[1], what_names, &what, error))
        return 2;
    g_autoptr(GString) out = g_string_new(NULL);
    return lists[what](out, error) && report_write(NULL, out->str, error) ? 0 : 2;
}

const Command command_list = {"list", "list machines, algorithms or keys", cmd_list};
