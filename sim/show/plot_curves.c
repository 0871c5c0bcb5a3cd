#include "plot_curves.h"
#include "plot_rows.h"
#include "sim/machine/machine.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

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
    {"residual", "measured over fitted, less 1 (%)", FALSE, 0, TRUE},
    {"median_us", "median measured", TRUE, 0, TRUE},
    {"fitted_us", "fitted", TRUE, 1, FALSE},
    {PLOT_MARGIN, "percent that the next best takes longer", FALSE, 0, FALSE},
    {"peak_elements", "elements of a processor, at most", FALSE, 0, FALSE},
};

Quantity plot_quantity(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(quantities); i++)
        if (strcmp(quantities[i].name, name) == 0)
            return quantities[i];
    const Key *key = keys_find(name);
    return (Quantity){name, key && key->axis.title ? key->axis.title : name, g_str_has_suffix(name, "_us"), 0, FALSE};
}

static void series_free(gpointer data)
{
    Series *series = data;
    g_array_unref(series->points);
    g_free(series->label);
    g_free(series);
}

/* --- reading --- */

const char *plot_input_name(const Plot *plot, guint input)
{
    return plot->key[input] ? plot->key[input]->name : OVERRIDES;
}

static const char *cell_of(const Plot *plot, guint row, guint input)
{
    return plot->column[input] < 0 ? "" : csv_cell(plot->csv, row, (guint)plot->column[input]);
}

/* Returns overrides such as "tau=0.2 ports=all" without `key`. Sets `*value`, which must be NULL before, to the value
 * of `key` if they have it; `value` may be NULL. Caller frees both. */
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

/* Reads the number in a cell; NAN if the cell is empty. A number of processors may be a product: 4x6 is read as 24. */
static gboolean plot_parse_number(const Plot *plot, guint row, const char *column, const char *text, double *value,
                                  GError **error)
{
    const Group *group = strcmp(column, "processors") == 0 ? group_parse("", text, NULL) : NULL;
    if (group) {
        *value = group->n;
        return TRUE;
    }
    gboolean negative = *text == '-', number = input_parse_decimal(text + negative, value);
    *value = !number ? NAN : negative ? -*value : *value;
    if (!*text || number)
        return TRUE;
    return input_refuse(error, "%s: line %u: %s: '%s' is not allowed; allowed: a number", plot->path,
                        g_array_index(plot->csv->lines, guint, row), column, text);
}

/* Returns the number called `name` within the values of some key, and sets `*key`. NULL: there is none. */
static const KeyNumber *find_number(const char *name, const Key **key)
{
    for (guint i = 0; i < keys_count(); i++)
        for (const KeyNumber *number = keys_nth(i)->axis.numbers; number && number->name; number++)
            if (strcmp(number->name, name) == 0) {
                *key = keys_nth(i);
                return number;
            }
    return NULL;
}

/* Returns `number` from the row's value of `key`, divided by the processors if number->per_processor. NAN if the row
 * lacks it or the processors. */
static double plot_number(const Plot *plot, guint row, const Key *key, const KeyNumber *number)
{
    g_auto(GStrv) numbers = g_strsplit(csv_named(plot->csv, row, key->name), "x", -1);
    double processors = g_ascii_strtod(csv_named(plot->csv, row, "processors"), NULL);
    if (g_strv_length(numbers) <= number->at || (number->per_processor && !(processors > 0)))
        return NAN;
    return g_ascii_strtod(numbers[number->at], NULL) / (number->per_processor ? processors : 1);
}

/* Returns `value` with "*" in place of `number`: "*x8x4". Interned; `value` itself if it lacks the number. */
static const char *without_number(const char *value, const KeyNumber *number)
{
    g_auto(GStrv) numbers = g_strsplit(value, "x", -1);
    if (g_strv_length(numbers) <= number->at)
        return value;
    g_free(numbers[number->at]);
    numbers[number->at] = g_strdup("*");
    g_autofree char *rest = g_strjoinv("x", numbers);
    return g_intern_string(rest);
}

/* Returns the value that an empty cell of the row in column `name` means: the key's default, such as the density of a
 * full exchange. NULL: it means none. */
static const char *hidden_default(const Plot *plot, guint row, const char *name)
{
    const Key *key = keys_find(name);
    const Pattern *pattern = pattern_find("", csv_named(plot->csv, row, "pattern"), NULL);
    return key && key->record.when == KEY_UNLESS_DEFAULT && !key->counts && !key->none && pattern &&
                   key_is_taken(key, pattern, 0) ? key->fallback : NULL;
}

/* Reads the row's value of `name` into `*x`: a column, an overridden key, or a number in a key's value. NAN: the row
 * has none. */
static gboolean plot_read_axis(const Plot *plot, guint row, const char *name, double *x, GError **error)
{
    int column = csv_column(plot->csv, name);
    const Key *key = NULL;
    const KeyNumber *number = column < 0 ? find_number(name, &key) : NULL;
    if (number) {
        *x = plot_number(plot, row, key, number);
        return TRUE;
    }
    g_autofree char *value = NULL;
    if (column < 0)
        g_free(overrides_without(csv_named(plot->csv, row, OVERRIDES), name, &value));
    else
        value = g_strdup(csv_cell(plot->csv, row, (guint)column));
    const char *fallback = value && *value ? NULL : hidden_default(plot, row, name);
    return plot_parse_number(plot, row, name, fallback ? fallback : value ? value : "", x, error);
}

static gboolean read_y(const Plot *plot, guint row, double *y, guint *n_values, GError **error)
{
    for (guint i = 0; i < plot->n_y; i++) {
        if (!plot_read_axis(plot, row, plot->options->y[i], &y[i], error))
            return FALSE;
        *n_values += !isnan(y[i]);
    }
    return TRUE;
}

gboolean plot_is_with_algorithm(const Key *key)
{
    return key && key->of_algorithm && key->option.is_list;
}

gboolean plot_follows(const Key *key, const char *algorithm)
{
    const Algorithm *found = algorithm_find("", pattern_default(), FALSE, algorithm, NULL);
    return key && key->of_algorithm && found && !(found->takes & key->of_algorithm);
}

static gboolean is_by_size(const char *x)
{
    return strcmp(x, "dimension") == 0 || strcmp(x, "processors") == 0;
}

#define AXES_MAX 3

/* Fills in the names of the values in which runs of one series may differ: x, the y of a map, and the column of panels.
 * Returns the number of names. */
static guint plot_axes(const PlotOptions *options, const char *axes[AXES_MAX])
{
    guint n = 0;
    axes[n++] = options->x;
    if (options->is_map)
        axes[n++] = options->y[0];
    if (options->panels)
        axes[n++] = options->panels;
    return n;
}

/* Whether the input is the axis `x`, or `x` settles the input. An axis of dimensions or processors settles both of
 * them, and keys that the row's algorithm does not take. */
static gboolean is_axis(const Plot *plot, guint row, guint input, const char *x)
{
    const char *name = plot_input_name(plot, input);
    const char *algorithm = csv_cell(plot->csv, row, (guint)csv_column(plot->csv, "algorithm"));
    return strcmp(x, name) == 0 ||
           (is_by_size(x) && (strcmp(name, "dimension") == 0 || strcmp(name, "processors") == 0 ||
                            plot_follows(plot->key[input], algorithm)));
}

/* Returns the row's value of an input without what the axes show or other columns repeat; "": nothing is left. Rows
 * that agree in this for all inputs are one series. */
static const char *input_of(const Plot *plot, guint row, guint input)
{
    const Key *key = plot->key[input], *key_of_x = NULL;
    const KeyNumber *x = find_number(plot->options->x, &key_of_x);
    const char *cell = cell_of(plot, row, input), *axes[AXES_MAX];
    guint n_axes = plot_axes(plot->options, axes);
    for (guint i = 0; i < n_axes && !key; i++) {
        g_autofree char *overrides = overrides_without(cell, axes[i], NULL);
        cell = g_intern_string(overrides);
    }
    if (!key)
        return cell;
    if (x && key == key_of_x)
        return key->axis.curve ? "" : without_number(cell, x);
    if (key->axis.curve && (x || is_by_size(plot->options->x)))
        return key->axis.curve(cell);
    for (guint i = 0; i < n_axes; i++)
        if (is_axis(plot, row, input, axes[i]))
            return "";
    return plot_is_given_twice(plot->csv, row, key->name) ? "" : cell;
}

static Series *series_of_row(Plot *plot, GHashTable *known, guint row)
{
    const char *input[INPUTS_MAX];
    g_autoptr(GString) key = g_string_new(NULL);
    for (guint i = 0; i < plot->n_inputs; i++) {
        input[i] = input_of(plot, row, i);
        g_string_append_printf(key, "%s\x1f", input[i]);
    }
    Series *series = g_hash_table_lookup(known, key->str);
    if (!series) {
        series = g_new0(Series, 1);
        series->number = plot->series->len;
        memcpy(series->input, input, plot->n_inputs * sizeof *input);
        series->points = g_array_new(FALSE, FALSE, (1 + plot->n_y) * (guint)sizeof(double));
        g_hash_table_insert(known, g_strdup(key->str), series);
        g_ptr_array_add(plot->series, series);
    }
    return series;
}

int plot_compare_first(gconstpointer a, gconstpointer b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Whether the points of `series` belong on the curve of `other` too: the two differ only in inputs that do not count
 * for the runs of `series` (Key.counts), as the seed of a full exchange. */
static gboolean is_on(const Plot *plot, const Series *series, const Series *other)
{
    for (guint i = 0; i < plot->n_inputs; i++)
        if (strcmp(series->input[i], other->input[i]) != 0 &&
            !(*series->input[i] == '\0' && plot->key[i] && plot->key[i]->counts))
            return FALSE;
    return series != other;
}

/* Moves the points of each series to all curves on which they belong (is_on()). So a full exchange is a point on the
 * curve of every seed. */
static void join_series(Plot *plot)
{
    for (guint i = plot->series->len; i-- > 0;) {
        const Series *series = plot_nth_series(plot, i);
        gboolean joined = FALSE;
        for (guint k = 0; k < plot->series->len; k++)
            if (is_on(plot, series, plot_nth_series(plot, k))) {
                g_array_append_vals(plot_nth_series(plot, k)->points, series->points->data, series->points->len);
                joined = TRUE;
            }
        if (joined)
            g_ptr_array_remove_index(plot->series, i);
    }
}

/* Sets the values of y that a logarithmic axis cannot show to NAN, and counts them. Returns whether any value is left.
 * Ignores the margin of a map, which is on no axis. */
static gboolean drop_low(Plot *plot, double *y)
{
    gboolean any = FALSE;
    for (guint k = 0; k < (plot->options->is_map ? 1 : plot->n_y); k++) {
        if (plot->options->log_y && y[k] <= 0) {
            y[k] = NAN;
            plot->n_values_low++;
        }
        any |= !isnan(y[k]);
    }
    return any;
}

/* Whether x and at least one y of the point can be drawn. Counts rows and values that logarithmic axes cannot show. */
static gboolean keep_point(Plot *plot, double *point)
{
    gboolean low = plot->options->log_x && *point <= 0;
    plot->n_rows_low += low;
    return !low && drop_low(plot, point + 1);
}

void plot_report_left_out(const Plot *plot)
{
    if (plot->n_rows_low > 0)
        message_print("%s: %u of %u rows left out: %s is not above 0, as a logarithmic axis needs", plot->path,
                      plot->n_rows_low, plot->csv->n_rows, plot->options->x);
    if (plot->n_values_low > 0)
        message_print("%s: %u of the values of y left out: not above 0, as a logarithmic axis needs", plot->path,
                      plot->n_values_low);
}

static gboolean plot_read_rows(Plot *plot, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree double *point = g_new(double, 1 + plot->n_y);
    for (guint row = 0; row < plot->csv->n_rows; row++) {
        guint n_values = 0;
        g_autofree char *panel = plot->panel ? plot_value_of(plot->csv, row, plot->options->panels) : NULL;
        if (plot->panel && g_strcmp0(panel, plot->panel) != 0)
            continue;
        if (!plot_read_axis(plot, row, plot->options->x, point, error) ||
            !read_y(plot, row, point + 1, &n_values, error))
            return FALSE;
        if (n_values == 0 || isnan(*point) || !keep_point(plot, point))
            continue;
        g_array_append_vals(series_of_row(plot, known, row)->points, point, 1);
        for (guint k = 1; k <= plot->n_y; k++)
            plot->largest = fmax(plot->largest, point[k]);      /* fmax() ignores a NAN */
    }
    if (plot->csv->n_rows > 0 && hidden_default(plot, 0, plot->options->x))
        join_series(plot);
    for (guint i = 0; i < plot->series->len; i++) {
        g_array_sort(plot_nth_series(plot, i)->points, plot_compare_first);
        for (guint k = 0; k < plot->n_inputs; k++)
            plot->differs[k] |= strcmp(plot_nth_series(plot, i)->input[k], plot_nth_series(plot, 0)->input[k]) != 0;
    }
    return TRUE;
}

/* Limit of curves in a panel. More would look alike, and their names would fill the picture. */
#define CURVES_MAX 40

/* --- allowed names --- */

static gboolean plot_check_columns(Plot *plot, GError **error)
{
    for (const Key *const *key = keys_of_runs(); *key; key++)
        if (!key_is_of_machine(*key))
            plot->key[plot->n_inputs++] = *key;
    plot->n_inputs++;
    g_assert(plot->n_inputs <= INPUTS_MAX);
    for (guint i = 0; i < plot->n_inputs; i++) {
        plot->column[i] = csv_column(plot->csv, plot_input_name(plot, i));
        const Key *key = plot->key[i];
        if (plot->column[i] >= 0 || !key || key->fallback || key->of_algorithm || key->record.column == 0)
            continue;      /* not every run or file has this key */
        return input_refuse(error, "%s: there is no column '%s': not the CSV of `ecube run` or `ecube sweep`",
                            plot->path, plot_input_name(plot, i));
    }
    return TRUE;
}

/* Whether the column `name` may have numbers to draw: it is a result or, with `inputs`, a key of kind KEY_NUMBER. */
static gboolean may_draw(const char *name, gboolean inputs)
{
    const Key *key = keys_find(name);
    if (key)
        return inputs && key->kind == KEY_NUMBER;
    return strcmp(name, "data_ok") != 0 && strcmp(name, OVERRIDES) != 0;
}

/* Returns the names that y may have or, with `inputs`, those that x and the y of a map may have (NULL-terminated).
 * Caller frees the array alone. */
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
    for (guint i = 0; inputs && plot->csv->n_rows > 0 && i < keys_count(); i++)
        if (*csv_named(plot->csv, 0, keys_nth(i)->name))
            for (const KeyNumber *number = keys_nth(i)->axis.numbers; number && number->name; number++)
                g_ptr_array_add(names, (char *)number->name);
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

static gboolean plot_check_names(const Plot *plot, GError **error)
{
    g_autofree const char **x_names = choices(plot, TRUE), **y_names = choices(plot, plot->options->is_map);
    char **y = plot->options->y;
    if (!g_strv_contains(x_names, plot->options->x))
        return input_refuse_name("--x", plot->options->x, x_names, "`ecube list keys`", error);
    for (guint i = 0; y[i]; i++) {
        if (plot->options->is_map && i > 0)
            break;      /* y[1] of a map is the margin */
        if (!g_strv_contains(y_names, y[i]))
            return input_refuse_name("--y", y[i], y_names, "columns of the file", error);
        if (i == 0 || strcmp(y[i], y[0]) == 0 || (plot->y[i].time_us && plot->y->time_us))
            continue;
        return input_refuse(error, "--y: '%s' is not allowed with '%s' on one axis; allowed: several times in µs, or "
                            "one other column", y[i], y[0]);
    }
    return TRUE;
}

static gboolean check_series(const Plot *plot, GError **error)
{
    const PlotOptions *options = plot->options;
    if (plot->series->len == 0)
        input_refuse(error, "%s: there is nothing to draw: no row has both %s and %s%s", plot->path, options->x,
                     options->y[0], options->log_x || options->log_y ? " above 0, as --log needs" : "");
    if (plot->series->len > CURVES_MAX) {
        g_autoptr(GString) what = g_string_new(NULL);
        for (guint i = 0; i < plot->n_inputs; i++)
            if (plot->differs[i])
                g_string_append_printf(what, "%s%s", what->len ? ", " : "", plot_input_name(plot, i));
        input_refuse(error, "%s: makes %u curves, which differ in %s; allowed: at most %d, so leave some of the rows "
                     "out", plot->path, plot->series->len, what->str, CURVES_MAX);
    }
    return plot->series->len > 0 && plot->series->len <= CURVES_MAX;
}

gboolean plot_curves_read(Plot *plot, GError **error)
{
    plot->n_y = g_strv_length(plot->options->y);
    plot->series = g_ptr_array_new_with_free_func(series_free);
    plot->y = g_new(Quantity, plot->n_y);
    for (guint k = 0; k < plot->n_y; k++) {
        plot->y[k] = plot_quantity(plot->options->y[k]);
        plot->any_dash |= plot->y[k].dash != 0;
        plot->any_measured |= plot->y[k].measured;
    }
    return plot_check_columns(plot, error) && plot_check_names(plot, error) && plot_read_rows(plot, error) &&
           check_series(plot, error);
}

void plot_curves_clear(Plot *plot)
{
    g_clear_pointer(&plot->series, g_ptr_array_unref);
    g_clear_pointer(&plot->y, g_free);
}

gboolean plot_spreads(const Csv *csv, const char *column)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    double value = 0;
    for (guint row = 0; row < csv->n_rows; row++) {
        if (!input_parse_decimal(csv_named(csv, row, column), &value) || value <= 0)
            return FALSE;
        g_array_append_val(values, value);
    }
    g_array_sort(values, plot_compare_first);
    const double *sorted = (const double *)(gconstpointer)values->data;
    return values->len > 0 && sorted[values->len / 2] < sorted[values->len - 1] / 4;
}
