/* ecube list: prints the names of machines, scenarios, patterns, algorithms and keys. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/run/record.h"

#include <string.h>

typedef struct {
    Table *table;           /* the list as a table, for programs */
    GString *people;        /* the list as text, for people */
} List;

/* Adds a row of texts, the last of which is followed by NULL. "" becomes an empty cell. */
G_GNUC_NULL_TERMINATED static void list_add_row(List *list, ...)
{
    va_list texts;
    va_start(texts, list);
    for (const char *text; (text = va_arg(texts, const char *));)
        table_add(list->table, *text ? text : NULL);
    va_end(texts);
}

static const char *list_cell(const char *text)
{
    return text ? text : "";
}

/* --- machines, scenarios --- */

static void put_file(List *list, int width, const char *name, const char *title, const char *path)
{
    list_add_row(list, name, list_cell(title), path, NULL);
    g_string_append_printf(list->people, "%-*s  %s\n", width, name, list_cell(title));
}

static void put_folder(List *list, const char *folder)
{
    g_string_append_printf(list->people, "\nThese are in %s; a file of your own goes by its path.\n", folder);
}

static gboolean list_machines(List *list, GError **error)
{
    g_auto(GStrv) names = machine_names(data_platforms(), error);
    for (guint i = 0; names && names[i]; i++) {
        g_autoptr(Machine) machine = machine_load(data_platforms(), "machine", names[i], error);
        if (!machine)
            return FALSE;
        put_file(list, 20, names[i], machine->title, machine->path);
    }
    put_folder(list, data_platforms());
    return names != NULL;
}

static gboolean list_scenarios(List *list, GError **error)
{
    g_auto(GStrv) names = data_scenario_names(error);
    for (guint i = 0; names && names[i]; i++) {
        g_autofree char *path = data_find_scenario(names[i], error);
        if (!path)
            return FALSE;
        g_autofree char *title = data_scenario_title(path);
        put_file(list, 21, names[i], title, path);
    }
    put_folder(list, data_scenarios());
    return names != NULL;
}

/* --- patterns, algorithms --- */

/* Appends the pattern's other names as a line: "MPI_Allgather; also called allgather". */
static void put_other_names(GString *out, const Pattern *pattern, const char *aliases)
{
    const char *const words[][2] = {{"", pattern_theory(pattern)->mpi}, {"also called ", *aliases ? aliases : NULL},
                                    {"formerly ", pattern->former}};
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (words[i][1])
            g_string_append_printf(names, "%s%s%s", names->len ? "; " : "", words[i][0], words[i][1]);
    if (names->len)
        g_string_append_printf(out, "%-17s  %s\n", "", names->str);
}

static gboolean list_patterns(List *list, GError **error)
{
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_nth(i);
        const PatternTheory *theory = pattern_theory(pattern);
        g_autofree const char **names = algorithm_names(pattern);
        g_autofree char *algorithms = g_strjoinv(" ", (char **)names);
        g_autofree char *aliases = g_strjoinv(", ", (char **)(gpointer)pattern->aliases);
        list_add_row(list, pattern->name, theory->summary, aliases, pattern->reverse ? pattern->reverse->name : "",
                     algorithms, list_cell(theory->mpi), list_cell(pattern->former), NULL);
        g_string_append_printf(list->people, "%-17s  %s\n", pattern->name, theory->summary);
        put_other_names(list->people, pattern, aliases);
        g_string_append_printf(list->people, "%-17s  algorithms: %s\n", "", algorithms);
    }
    return TRUE;
}

/* Appends a heading: "broadcast, and backwards reduction:". */
static void put_pattern(GString *out, const Pattern *pattern)
{
    g_string_append_printf(out, "%s%s", out->len ? "\n" : "", pattern->name);
    for (guint i = 0; i < pattern_count(); i++)
        if (pattern_nth(i)->reverse == pattern)
            g_string_append_printf(out, ", and backwards %s", pattern_nth(i)->name);
    g_string_append(out, ":\n");
}

static gboolean list_algorithms(List *list, GError **error)
{
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *a = algorithm_nth(i);
        list_add_row(list, a->pattern->name, a->name, a->n_port ? "all" : "one", a->summary, a->source, NULL);
        if (i == 0 || a->pattern != algorithm_nth(i - 1)->pattern)
            put_pattern(list->people, a->pattern);
        g_string_append_printf(list->people, "  %-17s  %s%s\n  %-17s  [%s]\n", a->name,
                               a->n_port ? "all ports: " : "", a->summary, "", a->source);
    }
    return TRUE;
}

/* --- keys --- */

static void list_put_key(List *list, const char *name, const char *help, const char *allowed, const char *takers,
                         const char *fallback)
{
    g_string_append_printf(list->people, "  %-18s  %s; %s%s%s%s%s\n", name, help, allowed, *takers ? "; for " : "",
                           takers, *fallback ? "; default: " : "", fallback);
}

static gboolean list_keys(List *list, GError **error)
{
    GString *people = list->people;
    g_string_append(people, "[run]: also options of `ecube run`, as --bytes; in a sweep the first varies slowest\n");
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        const char letter[] = {key->option.letter, '\0'}, *fallback = list_cell(key->fallback);
        g_autofree char *takers = key_takers(key, FALSE), *allowed = key_allowed(key);
        list_add_row(list, "run", key->name, letter, list_cell(key->option.argument), allowed, fallback, takers,
                     key->help, NULL);
        list_put_key(list, key->name, key->help, allowed, takers, fallback);
    }
    g_string_append(people, "\n[machine]: in machine files and scenarios; all but title, measured and verdict also by "
                            "--set KEY=VALUE\n");
    for (const MachineKey *key = machine_keys; key->name; key++) {
        list_add_row(list, "machine", key->name, "", "", key->unit, list_cell(key->fallback), "", key->help, NULL);
        list_put_key(list, key->name, key->help, key->unit, "", list_cell(key->fallback));
    }
    return TRUE;
}

/* --- lists --- */

#define COLUMNS_MAX 8
#define TEXT(name) {name, name, TRUE, FALSE}

static const char *const names[] = {"machines", "scenarios", "patterns", "algorithms", "keys", NULL};
static const struct {
    gboolean (*list)(List *list, GError **error);
    guint n_columns;
    Column columns[COLUMNS_MAX];
} lists[] = {
    {list_machines, 3, {TEXT("name"), TEXT("title"), TEXT("path")}},
    {list_scenarios, 3, {TEXT("name"), TEXT("title"), TEXT("path")}},
    {list_patterns, 7, {TEXT("name"), TEXT("summary"), TEXT("aliases"), TEXT("reverse"), TEXT("algorithms"),
                        TEXT("mpi"), TEXT("former")}},
    {list_algorithms, 5, {TEXT("pattern"), TEXT("name"), TEXT("ports"), TEXT("summary"), TEXT("source")}},
    {list_keys, 8, {TEXT("section"), TEXT("name"), TEXT("letter"), TEXT("argument"), TEXT("allowed"), TEXT("default"),
                    TEXT("taken_by"), TEXT("help")}},
};

static gboolean print_list(const CommandLine *line, GError **error)
{
    guint what;
    if (!input_parse_choice("list", line->arguments[0], names, &what, error))
        return FALSE;
    g_autoptr(Table) table = table_new(lists[what].columns, lists[what].n_columns);
    g_autoptr(GString) people = g_string_new(NULL);
    if (!lists[what].list(&(List){table, people}, error))
        return FALSE;
    g_autofree char *rows = table_text(table, line->format);
    return output_write(NULL, line->format == FORMAT_TABLE ? people->str : rows, error);
}

static const GOptionEntry options[] = {COMMAND_FORMAT, {0}};

const Command command_list = {
    .name = "list", .summary = "list machines, scenarios, patterns, algorithms or keys",
    .usage = "machines|scenarios|patterns|algorithms|keys", .help = "Lists what the other commands know by name.",
    .single = "usage: ecube list machines|scenarios|patterns|algorithms|keys", .options = options, .run = print_list};
