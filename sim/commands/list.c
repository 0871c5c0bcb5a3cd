/* ecube list: what there is. */
#include "command.h"
#include "models/input.h"
#include "sim/run/data.h"
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
    g_string_append(out, "[run]: also options of `ecube run`, as --bytes; in a sweep the first varies slowest\n");
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        g_autofree char *allowed = key_allowed(key), *takers = key_takers(key);
        const char *fallback = key->fallback ? key->fallback : "";
        g_string_append_printf(out, "  %-18s  %s; %s%s%s%s%s\n", key->name, key->help, allowed,
                               *takers ? "; for " : "", takers, *fallback ? "; default: " : "", fallback);
    }
    g_string_append(out, "\n[machine]: in machine files and scenarios; all keys go with --set KEY=VALUE\n");
    for (guint i = 0; machine_keys()[i]; i++) {
        MachineKeyHelp key = machine_key_help(i);
        g_string_append_printf(out, "  %-18s  %s; %s%s%s\n", key.name, key.unit, key.help,
                               *key.fallback ? "; default: " : "", key.fallback);
    }
    return TRUE;
}

/* --- the same for programs --- */

/* Adds `n` cells; NULL and "" stand for what does not apply. */
static void add_cells(Table *table, const char *const *cells, guint n)
{
    for (guint i = 0; i < n; i++)
        table_add(table, cells[i] && *cells[i] ? cells[i] : NULL);
}
#define CELLS(table, ...)                                                                                              \
    add_cells(table, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static gboolean add_machines(Table *table, GError **error)
{
    g_auto(GStrv) names = machine_names(command_platforms(), error);
    for (guint i = 0; names && names[i]; i++) {
        g_autoptr(Machine) machine = machine_load(command_platforms(), "machine", names[i], NULL, error);
        if (!machine)
            return FALSE;
        CELLS(table, names[i], machine->title, machine->path);
    }
    return names != NULL;
}

static gboolean add_scenarios(Table *table, GError **error)
{
    g_auto(GStrv) names = data_scenario_names(error);
    for (guint i = 0; names && names[i]; i++) {
        g_autofree char *title = data_scenario_title(names[i]), *path = data_find_scenario(names[i], error);
        if (!path)
            return FALSE;
        CELLS(table, names[i], title, path);
    }
    return names != NULL;
}

static gboolean add_patterns(Table *table, GError **error)
{
    (void)error;
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_nth(i);
        g_autofree const char **names = algorithm_names(pattern);
        g_autofree char *algorithms = g_strjoinv(",", (char **)names);
        g_autofree char *aliases = g_strjoinv(",", (char **)(gpointer)pattern->aliases);
        CELLS(table, pattern->name, pattern->summary, aliases, pattern->reverse ? pattern->reverse->name : NULL,
              algorithms);
    }
    return TRUE;
}

static gboolean add_algorithms(Table *table, GError **error)
{
    (void)error;
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        CELLS(table, pattern_of(algorithm->pattern)->name, algorithm->name, algorithm->n_port ? "all" : "one",
              algorithm->summary, algorithm->source);
    }
    return TRUE;
}

static gboolean add_keys(Table *table, GError **error)
{
    (void)error;
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        g_autofree char *takers = key_takers(key), *allowed = key_allowed(key);
        const char letter[] = {key->letter, '\0'};
        CELLS(table, "run", key->name, letter, key->argument, allowed, key->fallback, takers, key->help);
    }
    for (guint i = 0; machine_keys()[i]; i++) {
        MachineKeyHelp key = machine_key_help(i);
        CELLS(table, "machine", key.name, NULL, NULL, key.unit, key.fallback, NULL, key.help);
    }
    return TRUE;
}

/* --- what there are lists of --- */

#define TEXT(name) {name, name, TRUE, FALSE}
#define COLUMNS_MAX 8

static const char *const what_names[] = {"machines", "scenarios", "patterns", "algorithms", "keys", NULL};
static const struct {
    gboolean (*tell)(GString *out, GError **error);         /* for people */
    gboolean (*add)(Table *table, GError **error);          /* for programs */
    guint n_columns;
    Column columns[COLUMNS_MAX];
} lists[] = {
    {list_machines, add_machines, 3, {TEXT("name"), TEXT("title"), TEXT("path")}},
    {list_scenarios, add_scenarios, 3, {TEXT("name"), TEXT("title"), TEXT("path")}},
    {list_patterns, add_patterns, 5,
     {TEXT("name"), TEXT("summary"), TEXT("aliases"), TEXT("reverse"), TEXT("algorithms")}},
    {list_algorithms, add_algorithms, 5,
     {TEXT("pattern"), TEXT("name"), TEXT("ports"), TEXT("summary"), TEXT("source")}},
    {list_keys, add_keys, 8,
     {TEXT("section"), TEXT("name"), TEXT("letter"), TEXT("argument"), TEXT("allowed"), TEXT("default"),
      TEXT("taken_by"), TEXT("help")}},
};

static gboolean print_list(guint what, Format format, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(Table) table = table_new(lists[what].columns, lists[what].n_columns);
    if (format == FORMAT_TABLE)
        return lists[what].tell(out, error) && report_write(NULL, out->str, error);
    g_autofree char *text = lists[what].add(table, error) ? table_text(table, format) : NULL;
    return text && report_write(NULL, text, error);
}

static int cmd_list(int argc, char **argv, GError **error)
{
    char *format_name = NULL;
    const GOptionEntry options[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "What the result is written as", "table|csv|json"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    guint what, format = FORMAT_TABLE;
    gboolean ok = command_parse(&argc, &argv, "machines|scenarios|patterns|algorithms|keys",
                                "Lists what the other commands know by name.", options, NULL, error);
    if (ok && argc != 2)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "usage: ecube list machines|scenarios|patterns|algorithms|keys");
    ok = ok && argc == 2 && input_parse_choice("list", argv[1], what_names, &what, error) &&
         (!format_name || input_parse_choice("--format", format_name, table_format_names(), &format, error)) &&
         print_list(what, (Format)format, error);
    g_free(format_name);
    return ok ? 0 : 2;
}

const Command command_list = {"list", "list machines, scenarios, patterns, algorithms or keys", cmd_list};
