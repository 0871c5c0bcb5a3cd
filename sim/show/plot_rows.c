#include "plot_rows.h"
#include "sim/run/keys.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* Keeps the rows for which keep[row] is set. */
static void keep_rows(Csv *csv, const guint8 *keep)
{
    guint n = 0;
    for (guint row = 0; row < csv->n_rows; row++) {
        if (!keep[row])
            continue;
        for (guint c = 0; c < csv->n_columns; c++)
            g_ptr_array_index(csv->cells, n * csv->n_columns + c) =
                g_ptr_array_index(csv->cells, row * csv->n_columns + c);
        g_array_index(csv->lines, guint, n) = g_array_index(csv->lines, guint, row);
        n++;
    }
    csv->n_rows = n;
    g_ptr_array_set_size(csv->cells, (int)(n * csv->n_columns));
    g_array_set_size(csv->lines, n);
}

char *plot_override(const Csv *csv, guint row, const char *key)
{
    g_auto(GStrv) pairs = input_split(csv_named(csv, row, "overrides"), " ");
    gsize length = strlen(key);
    for (guint i = 0; pairs[i]; i++)
        if (strncmp(pairs[i], key, length) == 0 && pairs[i][length] == '=')
            return g_strdup(pairs[i] + length + 1);
    return NULL;
}

char *plot_value_of(const Csv *csv, guint row, const char *key)
{
    int column = csv_column(csv, key);
    return column >= 0 ? g_strdup(csv_cell(csv, row, (guint)column)) : plot_override(csv, row, key);
}

static gboolean same_value(const char *a, const char *b)
{
    double one, other;
    return strcmp(a, b) == 0 || (input_parse_decimal(a, &one) && input_parse_decimal(b, &other) && one == other);
}

/* Keeps the rows in which `key`, a column or an overridden key, has this value. */
static gboolean keep_pair(Csv *csv, const char *path, const char *key, const char *value, GError **error)
{
    g_autofree guint8 *keep = g_new0(guint8, csv->n_rows + 1);
    guint n_known = 0, n_kept = 0;
    for (guint row = 0; row < csv->n_rows; row++) {
        g_autofree char *cell = plot_value_of(csv, row, key);
        n_known += cell != NULL;
        keep[row] = cell && same_value(cell, value);
        n_kept += keep[row];
    }
    if (n_known == 0)
        return input_refuse(error, "--where: '%s' is not allowed; allowed: a column of %s, or a key that it overrides",
                            key, path);
    if (n_kept == 0)
        return input_refuse(error, "--where: '%s=%s' is not allowed; allowed: a value of %s, in a row that the keys "
                            "before leave", key, value, path);
    keep_rows(csv, keep);
    return TRUE;
}

gboolean plot_keep_where(Csv *csv, const char *path, const char *where, GError **error)
{
    g_auto(GStrv) pairs = input_split(where, ",");
    if (!*pairs)
        return input_refuse(error, "--where: '%s' is not allowed; allowed: KEY=VALUE,...", where);
    for (guint i = 0; pairs[i]; i++) {
        char *equal = strchr(pairs[i], '=');
        if (!equal)
            return input_refuse(error, "--where: '%s' is not allowed; allowed: KEY=VALUE,...", pairs[i]);
        *equal = '\0';
        if (!keep_pair(csv, path, pairs[i], equal + 1, error))
            return FALSE;
    }
    return TRUE;
}

/* --- the best row of each task --- */

gboolean plot_is_choice(const char *key)
{
    return strcmp(key, "algorithm") == 0 || strcmp(key, "partition") == 0 || strcmp(key, "offsets") == 0;
}

char *plot_task(const Csv *csv, guint row, const char *x)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) pairs = input_split(csv_named(csv, row, "overrides"), " ");
    for (guint i = 0; pairs[i]; i++) {
        g_autofree char *name = g_strndup(pairs[i], strcspn(pairs[i], "="));
        if (g_strcmp0(name, x) != 0)
            g_string_append_printf(out, "%s ", pairs[i]);
    }
    for (const Key *const *key = keys_of_runs(); *key; key++) {
        const char *name = (*key)->name;
        gboolean is_left_out = plot_is_choice(name) || g_strcmp0(name, x) == 0 || plot_is_given_twice(csv, row, name);
        g_string_append_printf(out, "\x1f%s", is_left_out ? "" : csv_named(csv, row, name));
    }
    return g_string_free(out, FALSE);
}

/* The best row of a task (plot_task()), and the two least values of the task's rows. */
typedef struct {
    guint row;
    double least, next;     /* `next` is the second least value; INFINITY: there is none */
} BestRow;

/* Whether two rows have one partition, and so one schedule under two names: Standard has 1,1,...,1, Direct has d. */
static gboolean plot_is_one_schedule(const Csv *csv, guint row, guint other)
{
    const char *partition = csv_named(csv, row, "partition");
    return *partition && strcmp(partition, csv_named(csv, other, "partition")) == 0;
}

static void best_take(const Csv *csv, BestRow *best, guint row, double value)
{
    if (value == best->least && plot_is_one_schedule(csv, row, best->row))
        return;
    if (value < best->least) {
        best->next = best->least;
        best->least = value;
        best->row = row;
    } else {
        best->next = MIN(best->next, value);
    }
}

gboolean plot_keep_best(Csv *csv, const char *path, const char *y, GError **error)
{
    int column = csv_column(csv, y);
    g_autoptr(GHashTable) tasks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree guint8 *keep = g_new0(guint8, csv->n_rows + 1);
    g_autofree const char **texts = g_new0(const char *, csv->n_rows + 1);
    if (column < 0)
        return input_refuse(error, "--best: '%s' is not a column of %s", y, path);
    for (guint row = 0; row < csv->n_rows; row++) {
        const char *cell = csv_cell(csv, row, (guint)column);
        double value = INFINITY;
        if (*cell && !input_parse_decimal(cell, &value))
            return input_refuse(error, "%s: line %u: %s: '%s' is not allowed; allowed: a number", path,
                                g_array_index(csv->lines, guint, row), y, cell);
        char *task = plot_task(csv, row, NULL);
        BestRow *best = g_hash_table_lookup(tasks, task);
        if (best) {
            best_take(csv, best, row, value);
            g_free(task);
        } else {
            BestRow first = {row, value, INFINITY};
            g_hash_table_insert(tasks, task, g_memdup2(&first, sizeof first));
        }
    }
    GHashTableIter all;
    gpointer found;
    g_hash_table_iter_init(&all, tasks);
    while (g_hash_table_iter_next(&all, NULL, &found)) {
        const BestRow *best = found;
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        keep[best->row] = !isinf(best->least);
        if (!isinf(best->next) && best->least > 0)
            texts[best->row] = g_intern_string(g_ascii_formatd(text, sizeof text, "%.6f",
                                                               100 * (best->next / best->least - 1)));
    }
    csv_add_column(csv, PLOT_MARGIN, texts);
    keep_rows(csv, keep);
    return TRUE;
}

/* --- the key that is swept --- */

/* Returns the number of different values of a column or, if there is no such column, of an overridden key; 0 if a value
 * is missing or no number. */
static guint count_values(const Csv *csv, const char *key)
{
    g_autoptr(GHashTable) values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint row = 0; row < csv->n_rows; row++) {
        char *value = plot_value_of(csv, row, key);
        double number;
        if (!value || !input_parse_decimal(value, &number)) {
            g_free(value);
            return 0;
        }
        g_hash_table_add(values, value);
    }
    return g_hash_table_size(values);
}

char *plot_swept_key(const Csv *csv, const char *than)
{
    g_auto(GStrv) pairs = input_split(csv->n_rows ? csv_named(csv, 0, "overrides") : "", " ");
    guint most = MAX(1, count_values(csv, than)), n_swept = 0;
    char *swept = NULL;
    for (guint i = 0; pairs[i]; i++) {
        *strchr(pairs[i], '=') = '\0';
        guint n = csv_column(csv, pairs[i]) < 0 ? count_values(csv, pairs[i]) : 0;
        if (n <= most)
            continue;
        n_swept++;
        g_free(swept);
        swept = g_strdup(pairs[i]);
    }
    if (n_swept != 1)
        g_clear_pointer(&swept, g_free);
    return swept;
}

gboolean plot_is_given_twice(const Csv *csv, guint row, const char *name)
{
    return strcmp(name, "processors") == 0 && *csv_named(csv, row, "dimension");
}

/* --- measured times beside predicted ones --- */

/* Returns a text that identifies the run of a row: its cells in all columns of keys except the machine's. Caller
 * frees. */
static char *identity_of(const Csv *csv, guint row)
{
    GString *out = g_string_new(NULL);
    for (const Key *const *key = keys_of_runs(); *key; key++) {
        gboolean counts = (*key)->kind != KEY_MACHINE && !key_is_of_machine(*key) &&
                          !plot_is_given_twice(csv, row, (*key)->name);
        g_string_append_printf(out, "%s\x1f", counts ? csv_named(csv, row, (*key)->name) : "");
    }
    return g_string_free(out, FALSE);
}

/* Returns a map from identity_of() to the run's least time, a text borrowed from `measured`. NULL with an error. Caller
 * unrefs. */
static GHashTable *times_of(const Csv *measured, const char *path, guint column, GError **error)
{
    g_autoptr(GHashTable) times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint row = 0; row < measured->n_rows; row++) {
        const char *time = csv_cell(measured, row, column);
        double us;
        if (*time && !input_parse_decimal(time, &us))
            return input_refuse(error, "%s: line %u: " PLOT_MEASURED ": '%s' is not allowed; allowed: a time of at "
                                "least 0", path, g_array_index(measured->lines, guint, row), time), NULL;
        g_autofree char *run = identity_of(measured, row);
        const char *known = g_hash_table_lookup(times, run);
        if (*time && (!known || us < g_ascii_strtod(known, NULL)))
            g_hash_table_insert(times, g_steal_pointer(&run), (gpointer)time);
    }
    return g_steal_pointer(&times);
}

/* Returns a text of the row's pattern and number of processors, by which baselines find their runs. Caller frees. */
static char *subject_of(const Csv *csv, guint row)
{
    return g_strdup_printf("%s %s %s", csv_named(csv, row, "pattern"), csv_named(csv, row, "dimension"),
                           plot_is_given_twice(csv, row, "processors") ? "" : csv_named(csv, row, "processors"));
}

/* Returns the cell of column `name` for a row of `measured` that is appended to `csv`. Machine and overrides are those
 * of the first row of `csv`. The text stays valid when rows are added to `csv`. */
static const char *cell_beside(const Csv *csv, const Csv *measured, guint row, const char *name)
{
    const Key *key = keys_find(name);
    if (strcmp(name, "overrides") == 0 || (key && (key->kind == KEY_MACHINE || key_is_of_machine(key))))
        return g_intern_string(csv_named(csv, 0, name));
    return key || strcmp(name, PLOT_MEASURED) == 0 ? csv_named(measured, row, name) : "";
}

/* Appends the rows of the baselines "library" and "loop" in `measured` whose pattern and processors `csv` has. */
static void plot_add_baselines(Csv *csv, const Csv *measured)
{
    g_autofree const char **cells = g_new0(const char *, csv->n_columns);
    g_autoptr(GHashTable) subjects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint row = 0; row < csv->n_rows; row++)
        g_hash_table_add(subjects, subject_of(csv, row));
    for (guint row = 0; row < measured->n_rows; row++) {
        g_autofree char *subject = subject_of(measured, row);
        const char *name = csv_named(measured, row, "algorithm");
        if ((strcmp(name, "library") != 0 && strcmp(name, "loop") != 0) || !g_hash_table_contains(subjects, subject))
            continue;
        for (guint i = 0; i < csv->n_columns; i++)
            cells[i] = cell_beside(csv, measured, row, csv->names[i]);
        csv_add_row(csv, cells);
    }
}

gboolean plot_add_measured(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error)
{
    int column = csv_column(measured, PLOT_MEASURED);
    if (column < 0)
        return input_refuse(error, "%s: there is no column '" PLOT_MEASURED "': not the CSV of ecube-mpi",
                            measured_path);
    if (csv_column(csv, PLOT_MEASURED) >= 0)
        return input_refuse(error, "%s: has a column '" PLOT_MEASURED "' of its own; allowed: the CSV of `ecube run` "
                            "or `ecube sweep`", path);
    g_autoptr(GHashTable) times = times_of(measured, measured_path, (guint)column, error);
    if (!times)
        return FALSE;
    g_autofree const char **texts = g_new0(const char *, csv->n_rows + 1);
    guint n = 0;
    for (guint row = 0; row < csv->n_rows; row++) {
        g_autofree char *run = identity_of(csv, row);
        texts[row] = g_hash_table_lookup(times, run);
        n += texts[row] != NULL;
    }
    if (n == 0)
        return input_refuse(error, "%s: none of its runs is in %s", measured_path, path);
    csv_add_column(csv, PLOT_MEASURED, texts);
    plot_add_baselines(csv, measured);
    return TRUE;
}

