/* ecube list: what there is. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/patterns/registry.h"
#include "sim/run/record.h"

#include <string.h>

/* A list is rows of as many texts as it has columns, "" where one does not apply. */
#define COLUMNS_MAX 8

static void add_row(GPtrArray *rows, const char *const *cells)
{
    char **row = g_new0(char *, COLUMNS_MAX + 1);
    for (guint i = 0; i < COLUMNS_MAX; i++)
        row[i] = g_strdup(cells[i] ? cells[i] : "");
    g_ptr_array_add(rows, row);
}
#define ADD_ROW(rows, ...) add_row(rows, (const char *const[COLUMNS_MAX]){__VA_ARGS__})

/* --- machines, scenarios --- */

static gboolean add_machines(GPtrArray *rows, GError **error)
{
    g_auto(GStrv) names = machine_names(data_platforms(), error);
    for (guint i = 0; names && names[i]; i++) {
        g_autoptr(Machine) machine = machine_load(data_platforms(), "machine", names[i], error);
        if (!machine)
            return FALSE;
        ADD_ROW(rows, names[i], machine->title, machine->path);
    }
    return names != NULL;
}

static gboolean add_scenarios(GPtrArray *rows, GError **error)
{
    g_auto(GStrv) names = data_scenario_names(error);
    for (guint i = 0; names && names[i]; i++) {
        g_autofree char *title = data_scenario_title(names[i]), *path = data_find_scenario(names[i], error);
        if (!path)
            return FALSE;
        ADD_ROW(rows, names[i], title, path);
    }
    return names != NULL;
}

/* --- patterns, algorithms --- */

static gboolean add_patterns(GPtrArray *rows, GError **error)
{
    for (guint i = 0; i < pattern_count(); i++) {
        const Pattern *pattern = pattern_nth(i);
        g_autofree const char **names = algorithm_names(pattern);
        g_autofree char *algorithms = g_strjoinv(" ", (char **)names);
        g_autofree char *aliases = g_strjoinv(", ", (char **)(gpointer)pattern->aliases);
        ADD_ROW(rows, pattern->name, pattern->summary, aliases, pattern->reverse ? pattern->reverse->name : NULL,
                algorithms);
    }
    return TRUE;
}

static void tell_pattern(GString *out, char **row, char **last)
{
    g_string_append_printf(out, "%-17s  %s\n", row[0], row[1]);
    if (*row[2])
        g_string_append_printf(out, "%-17s  also called %s\n", "", row[2]);
    g_string_append_printf(out, "%-17s  algorithms: %s\n", "", row[4]);
}

static gboolean add_algorithms(GPtrArray *rows, GError **error)
{
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        ADD_ROW(rows, algorithm->pattern->name, algorithm->name, algorithm->n_port ? "all" : "one",
                algorithm->summary, algorithm->source);
    }
    return TRUE;
}

/* "broadcast, and backwards reduction:" */
static void put_pattern(GString *out, const char *name)
{
    g_string_append_printf(out, "%s%s", out->len ? "\n" : "", name);
    for (guint i = 0; i < pattern_count(); i++)
        if (pattern_nth(i)->reverse && strcmp(pattern_nth(i)->reverse->name, name) == 0)
            g_string_append_printf(out, ", and backwards %s", pattern_nth(i)->name);
    g_string_append(out, ":\n");
}

static void tell_algorithm(GString *out, char **row, char **last)
{
    if (!last || strcmp(row[0], last[0]) != 0)
        put_pattern(out, row[0]);
    g_string_append_printf(out, "  %-17s  %s%s\n  %-17s  [%s]\n", row[1], strcmp(row[2], "all") ? "" : "all ports: ",
                           row[3], "", row[4]);
}

/* --- keys --- */

static gboolean add_keys(GPtrArray *rows, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        g_autofree char *takers = key_takers(key, FALSE), *allowed = key_allowed(key);
        const char letter[] = {key->letter, '\0'};
        ADD_ROW(rows, "run", key->name, letter, key->argument, allowed, key->fallback, takers, key->help);
    }
    for (const MachineKey *key = machine_keys; key->name; key++)
        ADD_ROW(rows, "machine", key->name, NULL, NULL, key->unit, key->fallback, NULL, key->help);
    return TRUE;
}

static void tell_key(GString *out, char **row, char **last)
{
    if (!last)
        g_string_append(out, "[run]: also options of `ecube run`, as --bytes; in a sweep the first varies slowest\n");
    else if (strcmp(row[0], last[0]) != 0)
        g_string_append(out, "\n[machine]: in machine files and scenarios; all but title and measured go with --set "
                        "KEY=VALUE\n");
    g_string_append_printf(out, "  %-18s  %s; %s%s%s%s%s\n", row[1], row[7], row[4], *row[6] ? "; for " : "", row[6],
                           *row[5] ? "; default: " : "", row[5]);
}

/* --- lists --- */

#define TEXT(name) {name, name, TRUE, FALSE}

static const char *const names[] = {"machines", "scenarios", "patterns", "algorithms", "keys", NULL};
static const struct {
    gboolean (*add)(GPtrArray *rows, GError **error);
    int width;                                              /* of the first column for people, before the second */
    void (*tell)(GString *out, char **row, char **last);    /* else a row for people; last: the one before, or NULL */
    const char *(*folder)(void);                            /* in which the files of the list are, or NULL */
    guint n_columns;
    Column columns[COLUMNS_MAX];
} lists[] = {
    {add_machines, 20, NULL, data_platforms, 3, {TEXT("name"), TEXT("title"), TEXT("path")}},
    {add_scenarios, 21, NULL, data_scenarios, 3, {TEXT("name"), TEXT("title"), TEXT("path")}},
    {add_patterns, 0, tell_pattern, NULL, 5,
     {TEXT("name"), TEXT("summary"), TEXT("aliases"), TEXT("reverse"), TEXT("algorithms")}},
    {add_algorithms, 0, tell_algorithm, NULL, 5,
     {TEXT("pattern"), TEXT("name"), TEXT("ports"), TEXT("summary"), TEXT("source")}},
    {add_keys, 0, tell_key, NULL, 8,
     {TEXT("section"), TEXT("name"), TEXT("letter"), TEXT("argument"), TEXT("allowed"), TEXT("default"),
      TEXT("taken_by"), TEXT("help")}},
};

static char *text_for_people(guint what, const GPtrArray *rows)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];
        if (lists[what].tell)
            lists[what].tell(out, row, i ? rows->pdata[i - 1] : NULL);
        else
            g_string_append_printf(out, "%-*s  %s\n", lists[what].width, row[0], row[1]);
    }
    if (lists[what].folder)
        g_string_append_printf(out, "\nThese are in %s; a file of your own goes by its path.\n", lists[what].folder());
    return g_string_free(out, FALSE);
}

static char *text_for_programs(guint what, const GPtrArray *rows, Format format)
{
    g_autoptr(Table) table = table_new(lists[what].columns, lists[what].n_columns);
    for (guint i = 0; i < rows->len; i++)
        for (guint c = 0; c < lists[what].n_columns; c++) {
            const char *cell = ((char **)rows->pdata[i])[c];
            table_add(table, *cell ? cell : NULL);
        }
    return table_text(table, format);
}

static gboolean print_list(const CommandLine *line, GError **error)
{
    guint what;
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    if (!input_parse_choice("list", line->arguments[0], names, &what, error) || !lists[what].add(rows, error))
        return FALSE;
    g_autofree char *text = line->format == FORMAT_TABLE ? text_for_people(what, rows)
                                                         : text_for_programs(what, rows, line->format);
    return output_write(NULL, text, error);
}

static const GOptionEntry options[] = {COMMAND_FORMAT, {0}};

const Command command_list = {
    .name = "list", .summary = "list machines, scenarios, patterns, algorithms or keys",
    .usage = "machines|scenarios|patterns|algorithms|keys", .help = "Lists what the other commands know by name.",
    .single = "usage: ecube list machines|scenarios|patterns|algorithms|keys", .options = options, .run = print_list};
