#include "beside.h"
#include "models/input.h"
#include "sim/run/keys.h"

#include <math.h>
#include <string.h>

/* What a row has in the columns of keys, the machine's aside. Caller frees. */
static char *identity_of(const Csv *csv, guint row)
{
    GString *out = g_string_new(NULL);
    for (const Key *const *key = keys_of_runs(); *key; key++) {
        int column = csv_column(csv, (*key)->name);
        gboolean counts = column >= 0 && (*key)->kind != KEY_MACHINE && !key_is_of_machine(*key);
        g_string_append_printf(out, "%s\x1f", counts ? csv_cell(csv, row, (guint)column) : "");
    }
    return g_string_free(out, FALSE);
}

/* From runs to the texts of their least times, borrowed from `measured`. Caller unrefs. */
static GHashTable *times_of(const Csv *measured, guint column)
{
    GHashTable *times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint row = 0; row < measured->n_rows; row++) {
        const char *time = csv_cell(measured, row, column);
        char *run = identity_of(measured, row);
        const char *known = g_hash_table_lookup(times, run);
        if (*time && (!known || g_ascii_strtod(time, NULL) < g_ascii_strtod(known, NULL)))
            g_hash_table_insert(times, run, (gpointer)time);
        else
            g_free(run);
    }
    return times;
}

/* The same table with room for one column more, which is empty. */
static Csv *widened(const Csv *csv)
{
    Csv *wide = g_new0(Csv, 1);
    wide->n_rows = csv->n_rows;
    wide->n_columns = csv->n_columns + 1;
    wide->lines = g_array_copy(csv->lines);
    wide->cells = g_ptr_array_new_with_free_func(g_free);
    wide->names = g_new0(char *, wide->n_columns + 1);
    for (guint i = 0; i < wide->n_columns; i++)
        wide->names[i] = g_strdup(i < csv->n_columns ? csv->names[i] : BESIDE_COLUMN);
    for (guint row = 0; row < csv->n_rows; row++)
        for (guint i = 0; i < wide->n_columns; i++)
            g_ptr_array_add(wide->cells, g_strdup(i < csv->n_columns ? csv_cell(csv, row, i) : ""));
    return wide;
}

/* Here, where the file is known. */
static gboolean check_times(const Csv *measured, const char *path, guint column, GError **error)
{
    for (guint row = 0; row < measured->n_rows; row++) {
        const char *time = csv_cell(measured, row, column);
        char *end;
        double us = g_ascii_strtod(time, &end);
        if (*end != '\0' || (*time && !(isfinite(us) && us >= 0)))
            return input_refuse(error, "%s: line %u: " BESIDE_COLUMN ": '%s' is not allowed; allowed: a time of at "
                                "least 0", path, g_array_index(measured->lines, guint, row), time);
    }
    return TRUE;
}

Csv *beside_join(const Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error)
{
    int column = csv_column(measured, BESIDE_COLUMN);
    if (column < 0)
        return input_refuse(error, "%s: there is no column '" BESIDE_COLUMN "': not the CSV of ecube-mpi",
                            measured_path), NULL;
    if (csv_column(csv, BESIDE_COLUMN) >= 0)
        return input_refuse(error, "%s: has a column '" BESIDE_COLUMN "' of its own; allowed: the CSV of `ecube run` "
                            "or `ecube sweep`", path), NULL;
    if (!check_times(measured, measured_path, (guint)column, error))
        return NULL;
    g_autoptr(GHashTable) times = times_of(measured, (guint)column);
    g_autoptr(Csv) wide = widened(csv);
    guint n = 0;
    for (guint row = 0; row < csv->n_rows; row++) {
        g_autofree char *run = identity_of(csv, row);
        const char *time = g_hash_table_lookup(times, run);
        char **cell = (char **)&g_ptr_array_index(wide->cells, row * wide->n_columns + csv->n_columns);
        if (!time)
            continue;
        g_free(*cell);
        *cell = g_strdup(time);
        n++;
    }
    if (n == 0)
        return input_refuse(error, "%s: none of its runs is in %s", measured_path, path), NULL;
    return g_steal_pointer(&wide);
}
