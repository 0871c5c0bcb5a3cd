#include "csv.h"
#include "input.h"

#include <string.h>

void csv_free(Csv *csv)
{
    g_strfreev(csv->names);
    g_free(csv->text);
    g_string_chunk_free(csv->added);
    g_ptr_array_unref(csv->cells);
    g_array_unref(csv->lines);
    g_free(csv);
}

/* Position of reading. Cells are written over the text already read: no cell is longer than its text in the file. */
typedef struct {
    const char *where, *at;
    char *out;              /* where the next character of a cell is written */
    guint line;             /* line of `at` in the file, from 1 */
} CsvReader;

static gboolean bad_line(const CsvReader *reader, guint line, const char *wrong, GError **error)
{
    return input_refuse(error, "%s: line %u: %s", reader->where, line, wrong);
}

static gboolean at_cell_end(const char *at)
{
    return *at == '\0' || *at == ',' || *at == '\n' || (*at == '\r' && at[1] == '\n');
}

static gboolean read_quoted(CsvReader *reader, GError **error)
{
    guint first = reader->line;
    for (reader->at++; *reader->at != '\0'; reader->at++) {
        if (*reader->at == '"' && *++reader->at != '"')
            return at_cell_end(reader->at) || bad_line(reader, first, "text after the end of a quoted cell", error);
        reader->line += *reader->at == '\n';
        *reader->out++ = *reader->at;
    }
    return bad_line(reader, first, "a quoted cell does not end", error);
}

/* Reads the next cell and the character that ends it. Sets `more` to whether another cell follows in its row. */
static gboolean csv_read_cell(CsvReader *reader, gboolean *more, GError **error)
{
    if (*reader->at == '"' && !read_quoted(reader, error))
        return FALSE;
    while (!at_cell_end(reader->at))
        *reader->out++ = *reader->at++;
    *more = *reader->at == ',';
    reader->at += *reader->at == '\r';
    reader->line += *reader->at == '\n';
    reader->at += *reader->at != '\0';
    *reader->out++ = '\0';
    return TRUE;
}

/* Reads the next row, and appends its first `max` cells to csv->cells. Returns how many cells it has in all; 0 with an
 * error. */
static guint csv_read_row(CsvReader *reader, Csv *csv, guint max, GError **error)
{
    guint n = 0;
    for (gboolean more = TRUE; more; n++) {
        char *start = reader->out;
        if (!csv_read_cell(reader, &more, error))
            return 0;
        if (n < max)
            g_ptr_array_add(csv->cells, start);
    }
    return n;
}

static void skip_empty_lines(CsvReader *reader)
{
    for (gsize end; *reader->at != '\0'; reader->at += end + 1, reader->line++) {
        end = *reader->at == '\r';
        if (reader->at[end] != '\n')
            return;
    }
}

static gboolean csv_read_rows(CsvReader *reader, Csv *csv, GError **error)
{
    guint most = MIN(CSV_ROWS_MAX, CSV_CELLS_MAX / csv->n_columns);
    for (skip_empty_lines(reader); *reader->at != '\0'; skip_empty_lines(reader)) {
        guint line = reader->line, n = csv_read_row(reader, csv, csv->n_columns, error);
        if (n == 0)
            return FALSE;
        if (n != csv->n_columns) {
            g_autofree char *wrong = g_strdup_printf("%u cells; allowed: %u, as many as columns", n, csv->n_columns);
            return bad_line(reader, line, wrong, error);
        }
        if (csv->n_rows == most)
            return input_refuse(error, "%s: line %u: row %u; allowed: at most %u rows of %u columns", reader->where,
                                line, most + 1, most, csv->n_columns);
        g_array_append_val(csv->lines, line);
        csv->n_rows++;
    }
    return TRUE;
}

/* Refuses two columns of the same name: csv_named() would find only the first. */
static gboolean csv_check_names(const CsvReader *reader, char **names, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; names[i]; i++)
        if (*names[i] && !g_hash_table_add(known, names[i]))
            return input_refuse(error, "%s: two columns have the name '%s'", reader->where, names[i]);
    return TRUE;
}

static gboolean read_names(CsvReader *reader, Csv *csv, GError **error)
{
    csv->n_columns = csv_read_row(reader, csv, CSV_COLUMNS_MAX, error);
    if (csv->n_columns > CSV_COLUMNS_MAX)
        return input_refuse(error, "%s: %u columns; allowed: at most %u", reader->where, csv->n_columns,
                            CSV_COLUMNS_MAX);
    csv->names = g_new0(char *, csv->n_columns + 1);
    for (guint i = 0; i < csv->n_columns; i++)
        csv->names[i] = g_strdup(csv_cell(csv, 0, i));
    g_ptr_array_set_size(csv->cells, 0);
    return csv->n_columns > 0 && csv_check_names(reader, csv->names, error);
}

Csv *csv_take(const char *where, char *text, GError **error)
{
    CsvReader reader = {where, text, text, 1};
    g_autoptr(Csv) csv = g_new0(Csv, 1);
    csv->text = text;
    csv->added = g_string_chunk_new(1024);
    csv->cells = g_ptr_array_new();
    csv->lines = g_array_new(FALSE, FALSE, sizeof(guint));
    skip_empty_lines(&reader);
    return read_names(&reader, csv, error) && csv_read_rows(&reader, csv, error) ? g_steal_pointer(&csv) : NULL;
}

Csv *csv_load(const char *path, GError **error)
{
    char *text = input_load_text(path, CSV_FILE_MAX, FALSE, error);
    return text ? csv_take(path, text, error) : NULL;
}

const char *csv_find(const char *text, const char *ends)
{
    gboolean quoted = FALSE;
    for (; *text && (quoted || !strchr(ends, *text)); text++)
        quoted ^= *text == '"';
    return text;
}

int csv_column(const Csv *csv, const char *name)
{
    for (guint i = 0; i < csv->n_columns; i++)
        if (strcmp(csv->names[i], name) == 0)
            return (int)i;
    return -1;
}

const char *csv_cell(const Csv *csv, guint row, guint column)
{
    return g_ptr_array_index(csv->cells, row * csv->n_columns + column);
}

const char *csv_named(const Csv *csv, guint row, const char *name)
{
    int column = csv_column(csv, name);
    return column < 0 ? "" : csv_cell(csv, row, (guint)column);
}

void csv_add_row(Csv *csv, const char *const *cells)
{
    guint line = csv->n_rows++ ? g_array_index(csv->lines, guint, csv->lines->len - 1) : 1;
    g_array_append_val(csv->lines, line);
    for (guint i = 0; i < csv->n_columns; i++)
        g_ptr_array_add(csv->cells, g_string_chunk_insert(csv->added, cells[i]));
}

void csv_add_column(Csv *csv, const char *name, const char *const *texts)
{
    guint n = csv->n_columns;
    g_autoptr(GPtrArray) before = g_steal_pointer(&csv->cells);
    csv->cells = g_ptr_array_sized_new(csv->n_rows * (n + 1));
    for (guint row = 0; row < csv->n_rows; row++) {
        for (guint i = 0; i < n; i++)
            g_ptr_array_add(csv->cells, before->pdata[row * n + i]);
        g_ptr_array_add(csv->cells, g_string_chunk_insert(csv->added, texts[row] ? texts[row] : ""));
    }
    csv->names = g_renew(char *, csv->names, n + 2);
    csv->names[n] = g_strdup(name);
    csv->names[n + 1] = NULL;
    csv->n_columns++;
}
