#include "command.h"
#include "sim/text/csv.h"
#include "sim/text/input.h"

#include <string.h>

static const char *const formats[] = {"csv", "table", "json", NULL};

/* Appends the numbers of the columns that `name` selects: "bytes", or "bytes-" for this column and all columns behind
 * it. Error: ECUBE_ERROR_INPUT if there is no such column. */
static gboolean columns_find(const Csv *csv, const char *where, const char *name, GArray *numbers, GError **error)
{
    gboolean open = strlen(name) > 1 && g_str_has_suffix(name, "-");
    g_autofree char *first = g_strndup(name, strlen(name) - open);
    int found = csv_column(csv, first);
    if (found < 0)
        return input_refuse_name(where, first, (const char *const *)csv->names, "columns of the file", error);
    guint number = (guint)found;
    for (guint last = open ? csv->n_columns - 1 : number; number <= last; number++)
        g_array_append_val(numbers, number);
    return TRUE;
}

/* Returns the columns with these `numbers`, of all rows, as text. Caller frees. */
static char *columns_text(const Csv *csv, const GArray *numbers, Format format)
{
    g_autofree Column *columns = g_new0(Column, numbers->len);
    g_autoptr(Table) table = table_new(columns, numbers->len);
    for (guint i = 0; i < numbers->len; i++)
        columns[i].name = columns[i].heading = csv->names[g_array_index(numbers, guint, i)];
    for (guint row = 0; row < csv->n_rows; row++)
        for (guint i = 0; i < numbers->len; i++) {
            const char *cell = csv_cell(csv, row, g_array_index(numbers, guint, i));
            table_add(table, *cell ? cell : NULL);
        }
    return table_text(table, format);
}

static gboolean columns_print(const CommandLine *line, GError **error)
{
    static const Format format_of[] = {FORMAT_CSV, FORMAT_TABLE, FORMAT_JSON};
    if (line->n_arguments == 0 || line->n_arguments > 2)
        return input_refuse(error, "columns takes names and one file; see `ecube columns --help`");
    const char *path = line->n_arguments == 2 ? line->arguments[1] : "/dev/stdin";
    command_note_read("CSV", path);
    g_autoptr(Csv) csv = command_check_outputs(line, error) ? csv_load(path, error) : NULL;
    if (!csv)
        return FALSE;
    g_autofree char *where = g_strdup_printf("%s: column", path);
    g_auto(GStrv) names = input_split(line->arguments[0], ",");
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; names[i]; i++)
        if (!columns_find(csv, where, names[i], numbers, error))
            return FALSE;
    if (numbers->len == 0)
        return input_refuse(error, "%s: '%s' names none", where, line->arguments[0]);
    g_autofree char *text = columns_text(csv, numbers, format_of[line->format]);
    return output_write(line->output, text, error);
}

static const GOptionEntry options[] = {
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name, "What the result is written as",
     "csv|table|json"},
    COMMAND_OUTPUT,
    {0},
};

const Command command_columns = {
    .name = "columns", .summary = "print some columns of a CSV file, by their names", .usage = "NAME,... [FILE]",
    .help = "Prints the columns of these names, in this order, of a CSV file or of standard input. NAME- stands for\n"
            "that column and all behind it.\n\n"
            "Example: ecube run ipsc860-demo --format csv | ecube columns algorithm,bytes,simulated_us",
    .options = options, .formats = formats, .run = columns_print};
