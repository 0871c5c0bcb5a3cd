#include "curves.h"
#include "sim/text/input.h"
#include "sim/machine/machine.h"
#include "sim/patterns/registry.h"

#include <math.h>
#include <string.h>

static const Quantity quantities[] = {
    {"simulated_us", "simulated", TRUE, 1, FALSE},
    {"published_us", "published", TRUE, 2, FALSE},
    {"contention_free_us", "contention-free", TRUE, 3, FALSE},
    {"blocked_us", "waiting in all", TRUE, 0, FALSE},
    {"longest_wait_us", "longest wait", TRUE, 0, FALSE},
    {"wall_s", "wall-clock time (s)", FALSE, 0, FALSE},
    {"messages", "messages", FALSE, 0, FALSE},
    {"blocked_messages", "blocked messages", FALSE, 0, FALSE},
    {"arithmetic_us", "arithmetic", TRUE, 0, FALSE},
    {"measured_us", "measured", TRUE, 0, TRUE},
    {"minimum_us", "least measured", TRUE, 0, TRUE},
    {"median_us", "median measured", TRUE, 0, TRUE},
    {"fitted_us", "fitted", TRUE, 1, FALSE},
    {"peak_elements", "elements of a processor, at most", FALSE, 0, FALSE},
};

Quantity quantity_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(quantities); i++)
        if (strcmp(quantities[i].name, name) == 0)
            return quantities[i];
    const Key *key = keys_find(name);
    return (Quantity){name, key && key->axis_title ? key->axis_title : name, g_str_has_suffix(name, "_us"), 0, FALSE};
}

static void series_free(gpointer data)
{
    Series *series = data;
    g_free(series->overrides);
    g_free(series->key);
    g_array_unref(series->points);
    g_free(series);
}

/* --- reading --- */

const char *input_name(const Plot *plot, guint input)
{
    return plot->key[input] ? plot->key[input]->name : OVERRIDES;
}

static const char *cell_of(const Plot *plot, guint row, guint input)
{
    return plot->column[input] < 0 ? "" : csv_cell(plot->csv, row, (guint)plot->column[input]);
}

static const char *overrides_of(const Plot *plot, guint row)
{
    return cell_of(plot, row, plot->n_inputs - 1);
}

/* "tau=0.2 ports=all" without `key`; what it had there goes to *value, if not NULL. Caller frees both. */
static char *overrides_without(const char *overrides, const char *key, char **value)
{
    g_auto(GStrv) pairs = input_split(overrides, " ");
    g_autoptr(GStrvBuilder) kept = g_strv_builder_new();
    gsize length = strlen(key);
    for (guint i = 0; pairs[i]; i++) {
        if (strncmp(pairs[i], key, length) != 0 || pairs[i][length] != '=')
            g_strv_builder_add(kept, pairs[i]);
        else if (value && !*value)
            *value = g_strdup(pairs[i] + length + 1);
    }
    g_auto(GStrv) rest = g_strv_builder_end(kept);
    return g_strjoinv(" ", rest);
}

/* An empty cell is NAN. */
static gboolean parse_number(const Plot *plot, guint row, const char *column, const char *text, double *value,
                             GError **error)
{
    char *end;
    *value = *text ? g_ascii_strtod(text, &end) : NAN;
    if (!*text || (*end == '\0' && end != text && isfinite(*value)))
        return TRUE;
    return input_refuse(error, "%s: line %u: %s: '%s' is not allowed; allowed: a number", plot->path,
                        g_array_index(plot->csv->lines, guint, row), column, text);
}

/* Numbers in the columns of multiplications: a side of the matrices, alone or for each processor, or of the grid. */
typedef struct {
    const char *name, *column;
    guint at;               /* which of "16x8x4" */
    gboolean per_processor;
} Side;

static const Side sides[] = {
    {"P", "shape", 0, FALSE}, {"Q", "shape", 1, FALSE}, {"R", "shape", 2, FALSE},
    {"P/N", "shape", 0, TRUE}, {"Q/N", "shape", 1, TRUE}, {"R/N", "shape", 2, TRUE},
    {"N1", "grid", 0, FALSE}, {"N2", "grid", 1, FALSE},
};

static const Side *side_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
        if (strcmp(sides[i].name, name) == 0)
            return &sides[i];
    return NULL;
}

/* What a column of multiplications has in a row, or "". */
static const char *matrix_cell(const Plot *plot, guint row, const char *name)
{
    int column = csv_column(plot->csv, name);
    return column < 0 ? "" : csv_cell(plot->csv, row, (guint)column);
}

/* NAN where there is none. */
static double side_number(const Plot *plot, guint row, const Side *side)
{
    g_auto(GStrv) numbers = g_strsplit(matrix_cell(plot, row, side->column), "x", -1);
    double processors = g_ascii_strtod(matrix_cell(plot, row, "processors"), NULL);
    if (g_strv_length(numbers) <= side->at || (side->per_processor && !(processors > 0)))
        return NAN;
    return g_ascii_strtod(numbers[side->at], NULL) / (side->per_processor ? processors : 1);
}

/* "*x8x4": without the side. Interned. */
static const char *without_side(const char *shape, const Side *side)
{
    g_auto(GStrv) numbers = g_strsplit(shape, "x", -1);
    if (g_strv_length(numbers) <= side->at)
        return shape;
    g_free(numbers[side->at]);
    numbers[side->at] = g_strdup("*");
    g_autofree char *rest = g_strjoinv("x", numbers);
    return g_intern_string(rest);
}

/* A grid that changes with x is still one of columns, or of rows; two processors are both. */
static const char *kind_of_grid(const char *grid)
{
    gboolean is_small = strcmp(grid, "1x1") == 0 || strcmp(grid, "1x2") == 0 || strcmp(grid, "2x1") == 0;
    return is_small ? "" : g_str_has_prefix(grid, "1x") ? "column" : g_str_has_suffix(grid, "x1") ? "row" : "";
}

static gboolean read_x(const Plot *plot, guint row, double *x, GError **error)
{
    const char *name = plot->options->x;
    int column = csv_column(plot->csv, name);
    if (column < 0 && side_of(name)) {
        *x = side_number(plot, row, side_of(name));
        return TRUE;
    }
    g_autofree char *value = NULL;
    if (column < 0)
        g_free(overrides_without(overrides_of(plot, row), name, &value));
    else
        value = g_strdup(csv_cell(plot->csv, row, (guint)column));
    return parse_number(plot, row, name, value ? value : "", x, error);
}

static gboolean read_y(const Plot *plot, guint row, double *y, guint *n_values, GError **error)
{
    for (guint i = 0; i < plot->n_y; i++) {
        const char *name = plot->options->y[i];
        const char *text = csv_cell(plot->csv, row, (guint)csv_column(plot->csv, name));
        if (!parse_number(plot, row, name, text, &y[i], error))
            return FALSE;
        if (plot->options->log_y && !(y[i] > 0))
            y[i] = NAN;
        *n_values += !isnan(y[i]);
    }
    return TRUE;
}

gboolean curves_is_with_algorithm(const Key *key)
{
    return key && key->of_algorithm && key->is_list;
}

gboolean curves_follows(const Key *key, const char *algorithm)
{
    const Algorithm *found = algorithm_find("", pattern_default(), FALSE, algorithm, NULL);
    return key && key->of_algorithm && found && !(found->takes & key->of_algorithm);
}

static gboolean is_by_size(const char *x)
{
    return strcmp(x, "dimension") == 0 || strcmp(x, "processors") == 0;
}

/* Whether x stands for this input, or settles it. */
static gboolean is_x(const Plot *plot, guint row, guint input)
{
    const char *x = plot->options->x, *name = input_name(plot, input);
    const char *algorithm = csv_cell(plot->csv, row, (guint)csv_column(plot->csv, "algorithm"));
    return strcmp(x, name) == 0 ||
           (is_by_size(x) && (strcmp(name, "dimension") == 0 || curves_follows(plot->key[input], algorithm)));
}

/* What an input says about the curve that the row is on. */
static const char *input_of(const Plot *plot, guint row, guint input)
{
    const Side *side = side_of(plot->options->x);
    const char *cell = cell_of(plot, row, input), *name = input_name(plot, input);
    if (side && strcmp(side->column, name) == 0)
        return strcmp(name, "grid") == 0 ? "" : without_side(cell, side);
    if (strcmp(name, "grid") == 0 && (side || is_by_size(plot->options->x)))
        return kind_of_grid(cell);
    return is_x(plot, row, input) ? "" : cell;
}

static Series *series_of_row(Plot *plot, GHashTable *known, guint row)
{
    Series *series = g_new0(Series, 1);
    g_autoptr(GString) key = g_string_new(NULL);
    series->points = g_array_new(FALSE, FALSE, (1 + plot->n_y) * (guint)sizeof(double));
    series->overrides = overrides_without(overrides_of(plot, row), plot->options->x, NULL);
    for (guint i = 0; i < plot->n_inputs; i++) {
        series->input[i] = plot->key[i] ? input_of(plot, row, i) : series->overrides;
        g_string_append_printf(key, "%s\x1f", series->input[i]);
    }
    series->key = g_string_free(g_steal_pointer(&key), FALSE);
    Series *old = g_hash_table_lookup(known, series->key);
    if (old) {
        series_free(series);
        return old;
    }
    g_hash_table_insert(known, series->key, series);
    g_ptr_array_add(plot->series, series);
    return series;
}

static int compare_points(gconstpointer a, gconstpointer b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static gboolean read_rows(Plot *plot, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree double *point = g_new(double, 1 + plot->n_y);
    for (guint row = 0; row < plot->csv->n_rows; row++) {
        guint n_values = 0;
        if (!read_x(plot, row, point, error) || !read_y(plot, row, point + 1, &n_values, error))
            return FALSE;
        if (n_values > 0 && !isnan(*point) && !(plot->options->log_x && *point <= 0))
            g_array_append_vals(series_of_row(plot, known, row)->points, point, 1);
    }
    for (guint i = 0; i < plot->series->len; i++)
        g_array_sort(nth_series(plot, i)->points, compare_points);
    return TRUE;
}

static void find_differences(Plot *plot)
{
    for (guint i = 1; i < plot->series->len; i++)
        for (guint k = 0; k < plot->n_inputs; k++)
            plot->differs[k] |= strcmp(nth_series(plot, i)->input[k], nth_series(plot, 0)->input[k]) != 0;
}

/* More can't be told apart, and their names fill the picture. */
#define CURVES_MAX 40

/* "algorithm, partition, dimension". Caller frees. */
static char *differing_columns(const Plot *plot)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot->differs[i])
            g_ptr_array_add(names, (gpointer)input_name(plot, i));
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

/* --- what may be asked for --- */

static gboolean check_columns(Plot *plot, GError **error)
{
    for (const Key *const *key = keys_of_runs(); *key; key++)
        if (!key_is_of_machine(*key))
            plot->key[plot->n_inputs++] = *key;
    plot->n_inputs++;
    g_assert(plot->n_inputs <= INPUTS_MAX);
    for (guint i = 0; i < plot->n_inputs; i++) {
        plot->column[i] = csv_column(plot->csv, input_name(plot, i));
        const Key *key = plot->key[i];
        if (plot->column[i] >= 0 || !key || key->fallback || key->of_algorithm || key->column == 0)
            continue;      /* not every run, or not every file, has it */
        return input_refuse(error, "%s: there is no column '%s': not the CSV of `ecube run` or `ecube sweep`",
                            plot->path, input_name(plot, i));
    }
    return TRUE;
}

/* Whether a column is one of numbers: a result, or, with `inputs`, what runs are given. */
static gboolean may_draw(const char *name, gboolean inputs)
{
    const Key *key = keys_find(name);
    if (strcmp(name, "processors") == 0 || key)
        return inputs && (!key || key->kind == KEY_NUMBER);
    return strcmp(name, "data_ok") != 0 && strcmp(name, OVERRIDES) != 0;
}

/* Columns of numbers among the results, or, with `inputs`, all that x may be. Caller frees the array. */
static const char **choices(const Plot *plot, gboolean inputs)
{
    GPtrArray *names = g_ptr_array_new();
    for (char **name = plot->csv->names; *name; name++)
        if (may_draw(*name, inputs))
            g_ptr_array_add(names, *name);
    for (const MachineKey *key = machine_keys; inputs && key->name; key++)
        if (machine_may_override(key->name) && plot->column[plot->n_inputs - 1] >= 0 &&
            csv_column(plot->csv, key->name) < 0)
            g_ptr_array_add(names, (char *)key->name);
    for (guint i = 0; inputs && i < G_N_ELEMENTS(sides); i++)
        if (plot->csv->n_rows > 0 && *matrix_cell(plot, 0, sides[i].column))
            g_ptr_array_add(names, (char *)sides[i].name);
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

static gboolean check_names(const Plot *plot, GError **error)
{
    g_autofree const char **x_names = choices(plot, TRUE), **y_names = choices(plot, FALSE);
    char **y = plot->options->y;
    guint i;
    if (!input_parse_choice("--x", plot->options->x, x_names, &i, error))
        return FALSE;
    for (i = 0; y[i]; i++) {
        if (!input_parse_choice("--y", y[i], y_names, &(guint){0}, error))
            return FALSE;
        if (i == 0 || strcmp(y[i], y[0]) == 0 || (quantity_of(y[i]).time_us && quantity_of(y[0]).time_us))
            continue;
        return input_refuse(error, "--y: '%s' does not go with '%s' on one axis; allowed: several times in µs, or one "
                            "other column", y[i], y[0]);
    }
    return TRUE;
}

/* There is something to draw, and not too much. */
static gboolean check_series(const Plot *plot, GError **error)
{
    const PlotOptions *options = plot->options;
    if (plot->series->len == 0)
        input_refuse(error, "%s: there is nothing to draw: no row has both %s and %s%s", plot->path, options->x,
                     options->y[0], options->log_x || options->log_y ? " above 0, as --log needs" : "");
    if (plot->series->len > CURVES_MAX) {
        g_autofree char *what = differing_columns(plot);
        input_refuse(error, "%s: makes %u curves, which differ in %s; allowed: at most %d, so leave some of the rows "
                     "out", plot->path, plot->series->len, what, CURVES_MAX);
    }
    return plot->series->len > 0 && plot->series->len <= CURVES_MAX;
}

gboolean curves_read(Plot *plot, GError **error)
{
    plot->n_y = g_strv_length(plot->options->y);
    plot->series = g_ptr_array_new_with_free_func(series_free);
    if (!check_columns(plot, error) || !check_names(plot, error) || !read_rows(plot, error))
        return FALSE;
    find_differences(plot);
    return check_series(plot, error);
}

void curves_clear(Plot *plot)
{
    g_ptr_array_unref(plot->series);
}
