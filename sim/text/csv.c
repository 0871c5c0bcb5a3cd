#include "csv.h"
#include "models/input.h"

#include <string.h>

void csv_free(Csv *csv)
{
    g_strfreev(csv->names);
    g_ptr_array_unref(csv->cells);
    g_array_unref(csv->lines);
    g_free(csv);
}

/* Where the reader is. */
typedef struct {
    const char *where, *at;
    guint line;             /* of `at`, from 1 */
} Reader;

static gboolean bad_line(const Reader *reader, guint line, const char *wrong, GError **error)
{
    return input_refuse(error, "%s: line %u: %s", reader->where, line, wrong);
}

static gboolean at_cell_end(const char *at)
{
    return *at == '\0' || *at == ',' || *at == '\n' || (*at == '\r' && at[1] == '\n');
}

static gboolean read_quoted(Reader *reader, GString *cell, GError **error)
{
    guint first = reader->line;
    for (reader->at++; *reader->at != '\0'; reader->at++) {
        if (*reader->at == '"' && *++reader->at != '"')
            return at_cell_end(reader->at) || bad_line(reader, first, "text after the end of a quoted cell", error);
        reader->line += *reader->at == '\n';
        g_string_append_c(cell, *reader->at);
    }
    return bad_line(reader, first, "a quoted cell does not end", error);
}

/* The next cell; `reader` stops at what ends it. NULL on an error. Caller frees. */
static char *read_cell(Reader *reader, GError **error)
{
    g_autoptr(GString) cell = g_string_new(NULL);
    if (*reader->at == '"' && !read_quoted(reader, cell, error))
        return NULL;
    for (; !at_cell_end(reader->at); reader->at++)
        g_string_append_c(cell, *reader->at);
    return g_strdup(cell->str);
}

/* Appends the cells of the next row to `cells` and goes behind its end. */
static gboolean read_row(Reader *reader, GPtrArray *cells, GError **error)
{
    for (;;) {
        char *cell = read_cell(reader, error);
        if (!cell)
            return FALSE;
        g_ptr_array_add(cells, cell);
        if (*reader->at != ',')
            break;
        reader->at++;
    }
    reader->at += *reader->at == '\r';
    if (*reader->at == '\n') {
        reader->at++;
        reader->line++;
    }
    return TRUE;
}

/* An empty line is no row. */
static void skip_empty_lines(Reader *reader)
{
    for (gsize end; *reader->at != '\0'; reader->at += end + 1, reader->line++) {
        end = *reader->at == '\r';
        if (reader->at[end] != '\n')
            return;
    }
}

static gboolean read_rows(Reader *reader, Csv *csv, GError **error)
{
    for (skip_empty_lines(reader); *reader->at != '\0'; skip_empty_lines(reader)) {
        guint line = reader->line, before = csv->cells->len;
        if (!read_row(reader, csv->cells, error))
            return FALSE;
        guint n = csv->cells->len - before;
        if (n != csv->n_columns) {
            g_autofree char *wrong = g_strdup_printf("%u cells; allowed: %u, as many as columns", n, csv->n_columns);
            return bad_line(reader, line, wrong, error);
        }
        g_array_append_val(csv->lines, line);
        csv->n_rows++;
    }
    return TRUE;
}

/* Two columns of one name: nobody could say which one is meant. */
static gboolean check_names(const Reader *reader, const GPtrArray *names, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < names->len; i++) {
        char *name = g_ptr_array_index(names, i);
        if (*name && !g_hash_table_add(known, name))
            return input_refuse(error, "%s: two columns have the name '%s'", reader->where, name);
    }
    return TRUE;
}

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

Csv *csv_parse(const char *where, const char *text, GError **error)
{
    Reader reader = {where, text + (g_str_has_prefix(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0), 1};
    g_autoptr(Csv) csv = g_new0(Csv, 1);
    csv->cells = g_ptr_array_new_with_free_func(g_free);
    csv->lines = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    skip_empty_lines(&reader);
    if (!read_row(&reader, names, error) || !check_names(&reader, names, error))
        return NULL;
    csv->n_columns = names->len;
    g_ptr_array_add(names, NULL);
    csv->names = (char **)g_ptr_array_steal(names, NULL);
    if (!read_rows(&reader, csv, error))
        return NULL;
    return g_steal_pointer(&csv);
}

Csv *csv_load(const char *path, GError **error)
{
    g_autofree char *text = input_load_text(path, CSV_FILE_MAX, FALSE, error);
    return text ? csv_parse(path, text, error) : NULL;
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
