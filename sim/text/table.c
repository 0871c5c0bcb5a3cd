#include "table.h"
#include "html.h"
#include "message.h"
#include "json.h"

#include <string.h>

const char *const table_format_names[] = {"table", "csv", "json", NULL};

typedef struct {
    char *text, *shown;     /* text is NULL if the cell does not apply; shown is NULL if people see `text` */
} Cell;

struct Table {
    const Column *columns;
    guint n_columns;
    GArray *cells;          /* Cell, row by row */
};

static void cell_clear(gpointer data)
{
    Cell *cell = data;
    g_free(cell->text);
    g_free(cell->shown);
}

Table *table_new(const Column *columns, guint n_columns)
{
    Table *table = g_new(Table, 1);
    *table = (Table){columns, n_columns, g_array_new(FALSE, FALSE, sizeof(Cell))};
    g_array_set_clear_func(table->cells, cell_clear);
    return table;
}

void table_free(Table *table)
{
    g_array_unref(table->cells);
    g_free(table);
}

void table_add_shown(Table *table, const char *text, const char *shown)
{
    Cell cell = {g_strdup(text), g_strdup(shown)};
    g_array_append_val(table->cells, cell);
}

void table_add(Table *table, const char *text)
{
    table_add_shown(table, text, NULL);
}

void table_addf(Table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    Cell cell = {format ? g_strdup_vprintf(format, arguments) : NULL, NULL};
    va_end(arguments);
    g_array_append_val(table->cells, cell);
}

/* Returns `units` as a number of µs with `decimals` decimals. A µs has `per_us` = 10^decimals units. Caller frees. */
static char *decimal(gint64 units, gint64 per_us, int decimals)
{
    return g_strdup_printf("%s%" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT, units < 0 ? "-" : "", ABS(units) / per_us,
                           decimals, ABS(units) % per_us);
}

char *table_time(gint64 ps)
{
    return decimal(ps, 1000000, 6);
}

/* Cuts zeros off the end of a decimal fraction. Returns `text`. */
static char *cut_zeros(char *text)
{
    char *end = text + strlen(text);
    while (end[-1] == '0')
        end--;
    *(end[-1] == '.' ? end - 1 : end) = '\0';
    return text;
}

char *table_time_short(gint64 ps)
{
    return cut_zeros(table_time(ps));
}

char *table_rate(gint64 fs)
{
    return fs % 1000 ? decimal(fs, 1000000000, 9) : table_time(fs / 1000);
}

char *table_rate_short(gint64 fs)
{
    return cut_zeros(table_rate(fs));
}

char *table_time_shown(gint64 ps)
{
    gint64 half_ns = ps < 0 ? -500 : 500, ns = (ps + half_ns) / 1000;
    return ps == 0 ? g_strdup("0") : ns == 0 ? g_strdup(ps < 0 ? ">-0.001" : "<0.001") : decimal(ns, 1000, 3);
}

void table_add_time(Table *table, gint64 ps)
{
    g_autofree char *exact = table_time(ps), *shown = table_time_shown(ps);
    table_add_shown(table, exact, shown);
}

void table_add_nothing(Table *table, guint n)
{
    for (guint i = 0; i < n; i++)
        table_add(table, NULL);
}

void table_add_time_if(Table *table, gboolean applies, gint64 ps)
{
    if (applies)
        table_add_time(table, ps);
    else
        table_add(table, NULL);
}

void table_add_count_if(Table *table, gboolean applies, gint64 count)
{
    table_addf(table, applies ? "%" G_GINT64_FORMAT : NULL, count);
}

void table_add_share_if(Table *table, gboolean applies, double share)
{
    g_autofree char *exact = g_strdup_printf("%.6f", share), *shown = g_strdup_printf("%.1f %%", 100 * share);
    table_add_shown(table, applies ? exact : NULL, applies ? shown : NULL);
}

void table_add_percent_if(Table *table, gboolean applies, double share)
{
    g_autofree char *exact = g_strdup_printf("%.6f", 100 * share), *shown = g_strdup_printf("%.1f", 100 * share);
    table_add_shown(table, applies ? exact : NULL, applies ? shown : NULL);
}

gboolean table_is_empty(const Table *table)
{
    return table->cells->len == 0;
}

static guint table_n_rows(const Table *table)
{
    return table->cells->len / table->n_columns;
}

static const Cell *cell_at(const Table *table, guint row, guint column)
{
    return &g_array_index(table->cells, Cell, row * table->n_columns + column);
}

/* --- CSV --- */

static void table_put_csv_cell(GString *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        g_string_append(out, text);
        return;
    }
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(out, "\"%s\"", doubled);
}

static void table_put_csv(GString *out, const Table *table)
{
    for (guint c = 0; c < table->n_columns; c++)
        g_string_append_printf(out, "%s%s", c ? "," : "", table->columns[c].name);
    g_string_append_c(out, '\n');
    for (guint r = 0; r < table_n_rows(table); r++) {
        for (guint c = 0; c < table->n_columns; c++) {
            const char *text = cell_at(table, r, c)->text;
            g_string_append(out, c ? "," : "");
            table_put_csv_cell(out, text ? text : "");
        }
        g_string_append_c(out, '\n');
    }
}

/* --- JSON --- */

/* Whether `text` is neither a number nor true or false, such as "none" or "4x6". JSON quotes such texts. */
static gboolean is_word(const char *text)
{
    return strchr(text, 'x') || (g_ascii_isalpha(*text) && strcmp(text, "true") != 0 && strcmp(text, "false") != 0);
}

static void table_put_json(GString *out, const Table *table)
{
    g_string_append(out, "[\n");
    for (guint r = 0; r < table_n_rows(table); r++) {
        for (guint c = 0; c < table->n_columns; c++) {
            const char *text = cell_at(table, r, c)->text;
            g_string_append_printf(out, "%s\"%s\": ", c ? ", " : "  {", table->columns[c].name);
            if (text && (table->columns[c].text || is_word(text)))
                json_put_string(out, text);
            else
                g_string_append(out, text ? text : "null");
        }
        g_string_append(out, r + 1 < table_n_rows(table) ? "},\n" : "}\n");
    }
    g_string_append(out, "]\n");
}

/* --- for people --- */

/* Returns the text of a cell for people; row 0 has the headings. Borrowed. */
static const char *shown_at(const Table *table, guint row, guint column)
{
    if (row == 0)
        return table->columns[column].heading;
    const Cell *cell = cell_at(table, row - 1, column);
    return cell->shown ? cell->shown : cell->text && *cell->text ? cell->text : "-";
}

/* Returns the width of a column in characters, or 0 if it is left out of the table. On a terminal columns of numbers
 * that are all 0 or do not apply are left out, too. */
static guint width_of(const Table *table, guint column)
{
    guint width = 0;
    const Column *is = &table->columns[column];
    gboolean brief = !is->text && !is->optional && column > 0 && message_output_columns() > 0;
    gboolean shown = !is->optional && !brief;
    for (guint r = 0; table->columns[column].heading && r <= table_n_rows(table); r++) {
        const char *text = shown_at(table, r, column);
        width = MAX(width, (guint)g_utf8_strlen(text, -1));
        shown |= r > 0 && strcmp(text, "-") != 0 && !(brief && strcmp(text, "0") == 0);
    }
    return shown ? width : 0;
}

/* Returns the widths of all columns [n_columns] in characters, 0 for those not shown. Caller frees. */
static guint *widths_of(const Table *table)
{
    guint *widths = g_new0(guint, table->n_columns);
    for (guint c = 0; c < table->n_columns; c++)
        widths[c] = width_of(table, c);
    return widths;
}

static void table_put_aligned(GString *out, const Table *table)
{
    g_autofree guint *widths = widths_of(table);
    for (guint r = 0; r <= table_n_rows(table); r++) {
        g_autoptr(GString) line = g_string_new(NULL);
        for (guint c = 0; c < table->n_columns; c++) {
            if (widths[c] == 0)
                continue;
            const char *text = shown_at(table, r, c);
            int blanks = (int)(widths[c] - (guint)g_utf8_strlen(text, -1));
            gboolean left = table->columns[c].text;
            g_string_append_printf(line, "%*s%s%*s  ", left ? 0 : blanks, "", text, left ? blanks : 0, "");
        }
        g_string_append_printf(out, "%s\n", g_strchomp(line->str));
    }
}

static void table_put_html(GString *out, const Table *table)
{
    g_autofree guint *widths = widths_of(table);
    g_string_append(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
    for (guint r = 0; r <= table_n_rows(table); r++) {
        g_string_append(out, "<tr>");
        for (guint c = 0; c < table->n_columns; c++) {
            const char *side = table->columns[c].text ? " class=\"left\"" : "", *tag = r ? "td" : "th";
            g_autofree char *text = widths[c] ? g_utf8_make_valid(shown_at(table, r, c), -1) : g_strdup("");
            if (widths[c]) {
                g_string_append_printf(out, "<%s%s>", tag, side);
                html_put(out, "%s</%s>", text, tag);
            }
        }
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</table></div>\n");
}

char *table_text(const Table *table, Format format)
{
    static void (*const put[])(GString *out, const Table *table) = {table_put_aligned, table_put_csv, table_put_json,
                                                                    table_put_html};
    g_assert(table->cells->len % table->n_columns == 0);
    GString *out = g_string_new(NULL);
    put[format](out, table);
    return g_string_free(out, FALSE);
}
