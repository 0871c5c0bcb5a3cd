#include "theory.h"

static void bar_clear(gpointer bar)
{
    g_free(((Bar *)bar)->name);
}

void sheet_init(Sheet *sheet, Format format)
{
    *sheet = (Sheet){.format = format, .text = g_string_new(NULL), .bars = g_array_new(FALSE, FALSE, sizeof(Bar))};
    g_array_set_clear_func(sheet->bars, bar_clear);
}

void sheet_clear(Sheet *sheet)
{
    g_string_free(sheet->text, TRUE);
    g_array_unref(sheet->bars);
    g_free(sheet->title);
    g_free(sheet->map.unit_name);
    g_free(sheet->map.best);
    g_clear_pointer(&sheet->priced, g_array_unref);
}

void sheet_add_bar(Sheet *sheet, const char *name, double us, double bound_us)
{
    Bar bar = {g_strdup(name), us, bound_us, NULL};
    g_array_append_val(sheet->bars, bar);
}

static int compare_bars(gconstpointer a, gconstpointer b)
{
    const Bar *x = a, *y = b;
    return (x->us > y->us) - (x->us < y->us);
}

void sheet_sort_bars(Sheet *sheet)
{
    g_array_sort(sheet->bars, compare_bars);    /* g_array_sort() keeps the order of equal bars */
}

void sheet_put_tables(Sheet *sheet, const PaperTables *tables, gpointer data)
{
    gboolean people = sheet->format == FORMAT_TABLE;
    for (guint first = 0, next; first < tables->n_rows; first = next) {
        g_autoptr(Table) table = table_new(tables->columns, tables->n_columns);
        guint number = tables->number(first);
        for (next = first; next < tables->n_rows && (!people || tables->number(next) == number); next++)
            tables->add(table, next, data);
        if (!people && tables->add_others)
            tables->add_others(table, data);
        g_autofree char *rows = table_text(table, sheet->format);
        if (!people)
            g_string_append(sheet->text, rows);
        else if (!table_is_empty(table))
            g_string_append_printf(sheet->text, "\n%s\n\n%s", tables->title(number), rows);
    }
}

void listing_add_ratio(Table *table, gboolean applies, gint64 exact_ps, gint64 published_ps)
{
    double ratio = (double)exact_ps / (double)published_ps;
    g_autofree char *exact = g_strdup_printf("%.6f", ratio), *shown = g_strdup_printf("%.4f", ratio);
    if (applies && exact_ps == published_ps)
        table_add(table, "1");
    else if (applies && published_ps > 0)
        table_add_shown(table, exact, shown);
    else
        table_add(table, NULL);
}
