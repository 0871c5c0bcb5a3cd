#include "beside.h"
#include "sim/text/input.h"
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

static const char *cell_of(const Csv *csv, guint row, const char *name)
{
    int column = csv_column(csv, name);
    return column < 0 ? "" : csv_cell(csv, row, (guint)column);
}

/* What a row is about, whatever is done for it. Caller frees. */
static char *subject_of(const Csv *csv, guint row)
{
    return g_strdup_printf("%s %s", cell_of(csv, row, "pattern"), cell_of(csv, row, "dimension"));
}

/* What a row of `measured` has in a column of `csv`, of whose machine it is. */
static const char *cell_beside(const Csv *csv, const Csv *measured, guint row, const char *name)
{
    const Key *key = keys_find(name);
    if (strcmp(name, "overrides") == 0 || (key && (key->kind == KEY_MACHINE || key_is_of_machine(key))))
        return cell_of(csv, 0, name);
    return key || strcmp(name, BESIDE_COLUMN) == 0 ? cell_of(measured, row, name) : "";
}

/* The rows of what has no schedule, so that nothing predicts it, where `csv` has their pattern and dimension. */
static void add_baselines(Csv *csv, const Csv *measured)
{
    g_autofree const char **cells = g_new0(const char *, csv->n_columns);
    g_autoptr(GHashTable) subjects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint row = 0; row < csv->n_rows; row++)
        g_hash_table_add(subjects, subject_of(csv, row));
    for (guint row = 0; row < measured->n_rows; row++) {
        g_autofree char *subject = subject_of(measured, row);
        const char *name = cell_of(measured, row, "algorithm");
        if ((strcmp(name, "library") != 0 && strcmp(name, "loop") != 0) || !g_hash_table_contains(subjects, subject))
            continue;
        for (guint i = 0; i < csv->n_columns; i++)
            cells[i] = cell_beside(csv, measured, row, csv->names[i]);
        csv_add_row(csv, cells);
    }
}

gboolean beside_join(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error)
{
    int column = csv_column(measured, BESIDE_COLUMN);
    if (column < 0)
        return input_refuse(error, "%s: there is no column '" BESIDE_COLUMN "': not the CSV of ecube-mpi",
                            measured_path);
    if (csv_column(csv, BESIDE_COLUMN) >= 0)
        return input_refuse(error, "%s: has a column '" BESIDE_COLUMN "' of its own; allowed: the CSV of `ecube run` "
                            "or `ecube sweep`", path);
    if (!check_times(measured, measured_path, (guint)column, error))
        return FALSE;
    g_autoptr(GHashTable) times = times_of(measured, (guint)column);
    g_autofree const char **texts = g_new0(const char *, csv->n_rows + 1);
    guint n = 0;
    for (guint row = 0; row < csv->n_rows; row++) {
        g_autofree char *run = identity_of(csv, row);
        texts[row] = g_hash_table_lookup(times, run);
        n += texts[row] != NULL;
    }
    if (n == 0)
        return input_refuse(error, "%s: none of its runs is in %s", measured_path, path);
    csv_add_column(csv, BESIDE_COLUMN, texts);
    add_baselines(csv, measured);
    return TRUE;
}
