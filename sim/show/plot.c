#include "plot.h"
#include "plot_rows.h"
#include "sim/run/keys.h"
#include "sim/text/input.h"
#include "sim/machine/machine.h"
#include "sim/patterns/registry.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *name, *shown;
    gboolean time_us;
    guint dash;         /* gnuplot's dash type; 0: by its index in y */
    gboolean measured;  /* drawn as points alone, over lines without points */
} Quantity;

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
    {PLOT_MARGIN, "percent that the next best takes longer", FALSE, 0, FALSE},
    {"peak_elements", "elements of a processor, at most", FALSE, 0, FALSE},
};

static Quantity quantity_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(quantities); i++)
        if (strcmp(quantities[i].name, name) == 0)
            return quantities[i];
    const Key *key = keys_find(name);
    return (Quantity){name, key && key->axis_title ? key->axis_title : name, g_str_has_suffix(name, "_us"), 0, FALSE};
}

/* Most columns that distinguish runs: those of the keys of [run], and overrides. */
#define INPUTS_MAX 32
#define OVERRIDES "overrides"

/* A curve: the runs that differ in x alone. */
typedef struct {
    const char *input[INPUTS_MAX];  /* [n_inputs] borrowed from the file, or interned; "": says nothing */
    GArray *points;                 /* double[1 + n_y], x and the values of y (NAN: none); sorted by x */
} Series;

typedef struct {
    const Csv *csv;
    const char *path;
    const PlotOptions *options;
    const Quantity *y;              /* [n_y] */
    guint n_y;
    gboolean any_dash, any_measured;    /* whether any of y has a dash type, or is measured */
    double largest;                 /* the largest value of y */
    guint n_rows_low, n_values_low; /* left out of logarithmic axes: rows by x, values of y */
    guint n_inputs;
    const Key *key[INPUTS_MAX];     /* [n_inputs]; NULL: the overrides */
    int column[INPUTS_MAX];         /* [n_inputs]; -1: the file has none */
    GPtrArray *series;              /* Series, in the order of the file */
    gboolean differs[INPUTS_MAX];   /* [n_inputs]: whether the series differ in it */
} Plot;

static const Series *nth_series(const Plot *plot, guint i)
{
    return g_ptr_array_index(plot->series, i);
}

static void series_free(gpointer data)
{
    g_array_unref(((Series *)data)->points);
    g_free(data);
}

/* --- reading --- */

static const char *input_name(const Plot *plot, guint input)
{
    return plot->key[input] ? plot->key[input]->name : OVERRIDES;
}

static const char *cell_of(const Plot *plot, guint row, guint input)
{
    return plot->column[input] < 0 ? "" : csv_cell(plot->csv, row, (guint)plot->column[input]);
}

/* Returns "tau=0.2 ports=all" without `key`, whose value goes to `*value` unless that is NULL. Caller frees both. */
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

/* Reads the number in a cell; NAN if the cell is empty. A product of processors such as 4x6 counts as 24. */
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

/* Returns the named number that is a part of a key's values, and sets `*key`; NULL if there is none. */
static const KeyNumber *find_number(const char *name, const Key **key)
{
    for (guint i = 0; i < keys_count(); i++)
        for (const KeyNumber *number = keys_nth(i)->numbers; number && number->name; number++)
            if (strcmp(number->name, name) == 0) {
                *key = keys_nth(i);
                return number;
            }
    return NULL;
}

/* Returns the value of `number` in the row's value of `key`, or NAN if there is none. */
static double plot_number(const Plot *plot, guint row, const Key *key, const KeyNumber *number)
{
    g_auto(GStrv) numbers = g_strsplit(csv_named(plot->csv, row, key->name), "x", -1);
    double processors = g_ascii_strtod(csv_named(plot->csv, row, "processors"), NULL);
    if (g_strv_length(numbers) <= number->at || (number->per_processor && !(processors > 0)))
        return NAN;
    return g_ascii_strtod(numbers[number->at], NULL) / (number->per_processor ? processors : 1);
}

/* Returns the value with "*" in place of the number: "*x8x4". Interned. */
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

/* Returns the default that an empty cell stands for, such as a full exchange's density, or NULL. */
static const char *hidden_default(const Plot *plot, guint row, const char *name)
{
    const Key *key = keys_find(name);
    const Pattern *pattern = pattern_find("", csv_named(plot->csv, row, "pattern"), NULL);
    return key && key->shown == KEY_UNLESS_DEFAULT && !key->counts && !key->none && pattern &&
                   key_is_taken(key, pattern, 0) ? key->fallback : NULL;
}

static gboolean read_x(const Plot *plot, guint row, double *x, GError **error)
{
    const char *name = plot->options->x;
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
        const char *name = plot->options->y[i];
        const char *text = csv_cell(plot->csv, row, (guint)csv_column(plot->csv, name));
        if (!plot_parse_number(plot, row, name, text, &y[i], error))
            return FALSE;
        *n_values += !isnan(y[i]);
    }
    return TRUE;
}

/* Whether a key's value stands beside the algorithm's name in every label. */
static gboolean is_with_algorithm(const Key *key)
{
    return key && key->of_algorithm && key->is_list;
}

/* Whether the algorithm's name settles the key: an exchange that does not take it derives it from the dimension. */
static gboolean follows(const Key *key, const char *algorithm)
{
    const Algorithm *found = algorithm_find("", pattern_default(), FALSE, algorithm, NULL);
    return key && key->of_algorithm && found && !(found->takes & key->of_algorithm);
}

static gboolean is_by_size(const char *x)
{
    return strcmp(x, "dimension") == 0 || strcmp(x, "processors") == 0;
}

/* Whether x is this input, or settles it. */
static gboolean is_x(const Plot *plot, guint row, guint input)
{
    const char *x = plot->options->x, *name = input_name(plot, input);
    const char *algorithm = csv_cell(plot->csv, row, (guint)csv_column(plot->csv, "algorithm"));
    return strcmp(x, name) == 0 ||
           (is_by_size(x) && (strcmp(name, "dimension") == 0 || strcmp(name, "processors") == 0 ||
                            follows(plot->key[input], algorithm)));
}

/* Whether the column repeats the dimension: processors of cubes do. */
static gboolean is_given_twice(const Csv *csv, guint row, const char *name)
{
    return strcmp(name, "processors") == 0 && *csv_named(csv, row, "dimension");
}

/* Returns the value by which an input sets the row's curve apart from others, or "". */
static const char *input_of(const Plot *plot, guint row, guint input)
{
    const Key *key = plot->key[input], *key_of_x = NULL;
    const KeyNumber *x = find_number(plot->options->x, &key_of_x);
    const char *cell = cell_of(plot, row, input);
    g_autofree char *overrides = key ? NULL : overrides_without(cell, plot->options->x, NULL);
    if (overrides)
        return g_intern_string(overrides);
    if (x && key == key_of_x)
        return key->curve ? "" : without_number(cell, x);
    if (key->curve && (x || is_by_size(plot->options->x)))
        return key->curve(cell);
    return is_x(plot, row, input) || is_given_twice(plot->csv, row, key->name) ? "" : cell;
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
        memcpy(series->input, input, plot->n_inputs * sizeof *input);
        series->points = g_array_new(FALSE, FALSE, (1 + plot->n_y) * (guint)sizeof(double));
        g_hash_table_insert(known, g_strdup(key->str), series);
        g_ptr_array_add(plot->series, series);
    }
    return series;
}

static int compare_points(gconstpointer a, gconstpointer b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Whether a series differs from another only in inputs for which it has no value, as a full exchange has no seed. */
static gboolean is_on(const Plot *plot, const Series *series, const Series *other)
{
    for (guint i = 0; i < plot->n_inputs; i++)
        if (strcmp(series->input[i], other->input[i]) != 0 &&
            !(*series->input[i] == '\0' && plot->key[i] && plot->key[i]->counts))
            return FALSE;
    return series != other;
}

/* Adds the points of each series that is on others (is_on()) to these, and removes it. */
static void join_series(Plot *plot)
{
    for (guint i = plot->series->len; i-- > 0;) {
        const Series *series = nth_series(plot, i);
        gboolean joined = FALSE;
        for (guint k = 0; k < plot->series->len; k++)
            if (is_on(plot, series, nth_series(plot, k))) {
                g_array_append_vals(nth_series(plot, k)->points, series->points->data, series->points->len);
                joined = TRUE;
            }
        if (joined)
            g_ptr_array_remove_index(plot->series, i);
    }
}

/* Sets values of y that a logarithmic axis cannot show to NAN. Returns whether other values are left. */
static gboolean drop_low(Plot *plot, double *y)
{
    gboolean any = FALSE;
    for (guint k = 0; k < plot->n_y; k++) {
        if (plot->options->log_y && y[k] <= 0) {
            y[k] = NAN;
            plot->n_values_low++;
        }
        any |= !isnan(y[k]);
    }
    return any;
}

/* Whether x and a value of y of the row can be drawn. Counts those that logarithmic axes cannot show. */
static gboolean keep_point(Plot *plot, double *point)
{
    gboolean low = plot->options->log_x && *point <= 0;
    plot->n_rows_low += low;
    return !low && drop_low(plot, point + 1);
}

static void plot_report_left_out(const Plot *plot)
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
        if (!read_x(plot, row, point, error) || !read_y(plot, row, point + 1, &n_values, error))
            return FALSE;
        if (n_values == 0 || isnan(*point) || !keep_point(plot, point))
            continue;
        g_array_append_vals(series_of_row(plot, known, row)->points, point, 1);
        for (guint k = 1; k <= plot->n_y; k++)
            plot->largest = fmax(plot->largest, point[k]);      /* ignores NAN */
    }
    if (plot->csv->n_rows > 0 && hidden_default(plot, 0, plot->options->x))
        join_series(plot);
    for (guint i = 0; i < plot->series->len; i++) {
        g_array_sort(nth_series(plot, i)->points, compare_points);
        for (guint k = 0; k < plot->n_inputs; k++)
            plot->differs[k] |= strcmp(nth_series(plot, i)->input[k], nth_series(plot, 0)->input[k]) != 0;
    }
    return TRUE;
}

/* More curves would look alike, and their names would fill the picture. */
#define CURVES_MAX 40

/* --- what may be asked for --- */

static gboolean plot_check_columns(Plot *plot, GError **error)
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

/* Whether a column may have numbers: a result or, with `inputs`, a key. */
static gboolean may_draw(const char *name, gboolean inputs)
{
    const Key *key = keys_find(name);
    if (key)
        return inputs && key->kind == KEY_NUMBER;
    return strcmp(name, "data_ok") != 0 && strcmp(name, OVERRIDES) != 0;
}

/* Returns the columns of results or, with `inputs`, the choices of x (NULL-terminated). Caller frees the array. */
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
            for (const KeyNumber *number = keys_nth(i)->numbers; number && number->name; number++)
                g_ptr_array_add(names, (char *)number->name);
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

static gboolean plot_check_names(const Plot *plot, GError **error)
{
    g_autofree const char **x_names = choices(plot, TRUE), **y_names = choices(plot, FALSE);
    char **y = plot->options->y;
    if (!g_strv_contains(x_names, plot->options->x))
        return input_refuse_name("--x", plot->options->x, x_names, "`ecube list keys`", error);
    for (guint i = 0; y[i]; i++) {
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
                g_string_append_printf(what, "%s%s", what->len ? ", " : "", input_name(plot, i));
        input_refuse(error, "%s: makes %u curves, which differ in %s; allowed: at most %d, so leave some of the rows "
                     "out", plot->path, plot->series->len, what->str, CURVES_MAX);
    }
    return plot->series->len > 0 && plot->series->len <= CURVES_MAX;
}

/* --- the script --- */

/* Okabe & Ito's colours, yellow aside; seven colours and ten points make 70 different curves. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"};
static const guint points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

#define SHOWN_POINTS 30     /* points that are marked on a curve, about: longer curves have more */

/* Appends the value of an input, with the words around it in labels. `key` NULL: the overrides. */
static void plot_add_input(GString *text, const char *separator, const Key *key, const char *value)
{
    if (!*value)
        return;
    g_autofree char *shown = key ? key_for_people(key, value) : g_strdup(value);
    g_string_append(text, text->len ? separator : "");
    if (key && !key->label.before)
        g_string_append_printf(text, "%s %s", key->name, shown);
    else
        g_string_append_printf(text, "%s%s%s", key ? key->label.before : "", shown, key ? key->label.after : "");
}

/* Returns a curve's label: the algorithm with its parameters, and inputs in which curves differ. Caller frees. */
static char *plot_label(const Plot *plot, const Series *series)
{
    guint algorithm = 0;
    while (plot->key[algorithm]->kind != KEY_ALGORITHM)
        algorithm++;
    GString *text = g_string_new(series->input[algorithm]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (is_with_algorithm(plot->key[i]) && !follows(plot->key[i], series->input[algorithm]))
            plot_add_input(text, " ", plot->key[i], series->input[i]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot->differs[i] && i != algorithm && !is_with_algorithm(plot->key[i]))
            plot_add_input(text, ", ", plot->key[i], series->input[i]);
    return g_string_free(text, FALSE);
}

/* Returns the title: the main inputs that all curves share. Caller frees. */
static char *plot_title(const Plot *plot)
{
    static const struct {
        const char *name, *separator;
    } words[] = {{"pattern", ""},     {"shape", " of "}, {"machine", " on "},
                 {"dimension", ", "}, {"processors", ", "}, {"bytes", ", "}, {OVERRIDES, ", "}};
    const Series *first = nth_series(plot, 0);
    GString *text = g_string_new(NULL);
    for (guint w = 0; w < G_N_ELEMENTS(words); w++)
        for (guint i = 0; i < plot->n_inputs; i++)
            if (!plot->differs[i] && strcmp(input_name(plot, i), words[w].name) == 0)
                plot_add_input(text, words[w].separator, plot->key[i], first->input[i]);
    return g_string_free(text, FALSE);
}

/* Returns the meaning of "bytes" in the words of the pattern. */
static const char *bytes_label(const Plot *plot)
{
    guint i = 0;
    while (!plot->key[i] || plot->key[i]->kind != KEY_PATTERN)
        i++;
    const Pattern *pattern = plot->differs[i] ? NULL : pattern_find("", nth_series(plot, 0)->input[i], NULL);
    if (!pattern)
        return "size (bytes)";
    return pattern->size_label ? pattern->size_label : "M (bytes)";
}

static char *x_label(const Plot *plot)
{
    const char *x = plot->options->x;
    const MachineKey *key = machine_key(x);
    if (key)
        return g_strdup_printf("%s (%s)", x, key->unit);
    if (strcmp(x, "bytes") == 0)
        return g_strdup(bytes_label(plot));
    Quantity quantity = quantity_of(x);
    return g_strdup_printf("%s%s", quantity.shown, quantity.time_us ? " (µs)" : "");
}

static char *y_label(const Plot *plot, Scale scale)
{
    if (!plot->y->time_us)
        return g_strdup(plot->y->shown);
    const char *what = plot->n_y > 1 ? "" : plot->y->shown;
    const char *time = strstr(what, "wait") ? "" : "time ";
    return g_strdup_printf("%s%s%s(%s)", what, *what ? " " : "", time, scale.unit);
}

static GString *head_of(const Plot *plot, Scale scale, const GPtrArray *labels)
{
    guint entries = labels->len + (plot->n_y > 1 ? plot->n_y : 0), longest = 0;
    for (guint i = 0; i < labels->len; i++)
        longest = MAX(longest, (guint)g_utf8_strlen(g_ptr_array_index(labels, i), -1));
    GString *out = gnuplot_script(plot->options->format, 800 + 8 * MIN(longest, 80),
                                  MAX(540, 120 + 20 * MIN(entries, 1000)));
    g_string_append(out, "set termoption noenhanced\nset key outside right top spacing 1.2\n"
                         "set style data linespoints\nset autoscale xfix\n");
    if (!plot->options->log_y)
        g_string_append(out, "set yrange [0:*]\n");
    if (plot->options->log_x || plot->options->log_y)
        g_string_append_printf(out, "set logscale %s%s\nset format %s '%%g'\n", plot->options->log_x ? "x" : "",
                               plot->options->log_y ? "y" : "", plot->options->log_y ? "y" : "x");
    g_autofree char *title = plot_title(plot), *x = x_label(plot), *y = y_label(plot, scale);
    gnuplot_set(out, "set title", title);
    gnuplot_set(out, "set xlabel", x);
    gnuplot_set(out, "set ylabel", y);
    return out;
}

static void plot_put_data(GString *out, const Plot *plot, guint number, double divisor)
{
    const GArray *curve = nth_series(plot, number)->points;
    g_autoptr(GString) rows = g_string_new(NULL);
    g_autofree double *numbers = g_new(double, 1 + plot->n_y);
    g_autofree char *name = g_strdup_printf("c%u", number);
    for (guint i = 0; i < curve->len; i++) {
        const double *point = &g_array_index(curve, double, i * (1 + plot->n_y));
        for (guint k = 0; k <= plot->n_y; k++)
            numbers[k] = k ? point[k] / divisor : point[k];
        gnuplot_put_numbers(rows, numbers, 1 + plot->n_y);
    }
    gnuplot_data(out, name, rows->str);
}

static guint dash_of(const Plot *plot, guint y)
{
    return plot->y[y].dash ? plot->y[y].dash : !plot->any_dash && y == 0 ? 1 : 4 + y % 2;
}

/* Appends a curve without its title. Measured values are points, and curves beside them lines; otherwise both. */
static void put_curve(GString *out, const Plot *plot, guint number, guint y)
{
    guint shape = points[number % G_N_ELEMENTS(points)];
    g_string_append_printf(out, "$c%u using 1:%u", number, y + 2);
    if (plot->y[y].measured)
        g_string_append_printf(out, " with points pt %u ps 0.8", shape);
    else if (plot->any_measured)
        g_string_append(out, " with lines");
    else
        g_string_append_printf(out, " pt %u ps 0.8 pi %u", shape,
                               1 + nth_series(plot, number)->points->len / SHOWN_POINTS);
    if (!plot->y[y].measured)
        g_string_append_printf(out, " lw 1.5 dt %u", dash_of(plot, y));
    g_string_append_printf(out, " lc rgb '%s' ", colours[number % G_N_ELEMENTS(colours)]);
}

/* Appends the curves of a series, one for each y, and the entry of the key with the series' label. */
static void put_curves(GString *out, const Plot *plot, guint number, const char *label)
{
    for (guint k = 0; k < plot->n_y; k++) {
        g_string_append(out, number + k ? ", \\\n    " : "plot ");
        put_curve(out, plot, number, k);
        g_string_append(out, plot->n_y == 1 ? "title " : "notitle");
    }
    if (plot->n_y > 1)
        g_string_append_printf(out, ", \\\n    NaN with linespoints pt %u ps 0.8 lw 1.5 dt 1 lc rgb '%s' title ",
                               points[number % G_N_ELEMENTS(points)], colours[number % G_N_ELEMENTS(colours)]);
    gnuplot_quote(out, label);
}

static char *script_text(const Plot *plot)
{
    g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
    Scale scale = plot->y->time_us ? scale_of_time(plot->largest) : (Scale){"", 1};
    for (guint i = 0; i < plot->series->len; i++) {
        g_autofree char *label = plot_label(plot, nth_series(plot, i));
        g_ptr_array_add(labels, input_printable(label));
    }
    GString *out = head_of(plot, scale, labels);
    for (guint i = 0; i < plot->series->len; i++)
        plot_put_data(out, plot, i, scale.divisor);
    for (guint i = 0; i < plot->series->len; i++)
        put_curves(out, plot, i, g_ptr_array_index(labels, i));
    for (guint k = 0; plot->n_y > 1 && k < plot->n_y; k++) {
        if (plot->y[k].measured)
            g_string_append(out, ", \\\n    NaN with points pt 7 ps 0.8 lc rgb '#707070' title ");
        else
            g_string_append_printf(out, ", \\\n    NaN with lines lw 1.5 dt %u lc rgb '#707070' title ",
                                   dash_of(plot, k));
        gnuplot_quote(out, plot->y[k].shown);
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

static gboolean varies(const Csv *csv, const char *name)
{
    for (guint row = 1; row < csv->n_rows; row++)
        if (strcmp(csv_named(csv, row, name), csv_named(csv, 0, name)) != 0)
            return TRUE;
    return FALSE;
}

const char *plot_default_x(const Csv *csv)
{
    gboolean sized = csv->n_rows > 0 && *csv_named(csv, 0, "bytes");
    const char *by_size = varies(csv, "processors") && !varies(csv, "dimension") ? "processors" : "dimension";
    return varies(csv, "bytes") || (sized && !varies(csv, by_size)) ? "bytes" : by_size;
}

char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error)
{
    guint n_y = g_strv_length(options->y);
    g_autoptr(GPtrArray) series = g_ptr_array_new_with_free_func(series_free);
    g_autofree Quantity *y = g_new(Quantity, n_y);
    Plot plot = {.csv = csv, .path = path, .options = options, .y = y, .n_y = n_y, .series = series};
    for (guint k = 0; k < n_y; k++) {
        y[k] = quantity_of(options->y[k]);
        plot.any_dash |= y[k].dash != 0;
        plot.any_measured |= y[k].measured;
    }
    if (!plot_check_columns(&plot, error) || !plot_check_names(&plot, error) || !plot_read_rows(&plot, error) ||
        !check_series(&plot, error))
        return NULL;
    plot_report_left_out(&plot);
    return script_text(&plot);
}

void plot_rename_patterns(Csv *csv)
{
    int column = csv_column(csv, "pattern");
    for (guint row = 0; column >= 0 && row < csv->n_rows; row++) {
        const Pattern *pattern = pattern_find("", csv_cell(csv, row, (guint)column), NULL);
        if (pattern)
            g_ptr_array_index(csv->cells, row * csv->n_columns + (guint)column) = (gpointer)pattern->name;
    }
}

/* --- measured times beside predicted ones --- */

/* Returns a text that identifies the run: its cells in all columns of keys except the machine's. Caller frees. */
static char *identity_of(const Csv *csv, guint row)
{
    GString *out = g_string_new(NULL);
    for (const Key *const *key = keys_of_runs(); *key; key++) {
        gboolean counts = (*key)->kind != KEY_MACHINE && !key_is_of_machine(*key) &&
                          !is_given_twice(csv, row, (*key)->name);
        g_string_append_printf(out, "%s\x1f", counts ? csv_named(csv, row, (*key)->name) : "");
    }
    return g_string_free(out, FALSE);
}

/* Returns the least time of each run by identity_of() (texts borrowed from `measured`), or NULL. Caller unrefs. */
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

/* Returns the row's pattern and size of machine, without its algorithm. Caller frees. */
static char *subject_of(const Csv *csv, guint row)
{
    return g_strdup_printf("%s %s %s", csv_named(csv, row, "pattern"), csv_named(csv, row, "dimension"),
                           is_given_twice(csv, row, "processors") ? "" : csv_named(csv, row, "processors"));
}

/* Returns the cell of a row of `measured` for column `name` of `csv`, with the machine of `csv`. It is no text of
 * `csv`, because these will move. */
static const char *cell_beside(const Csv *csv, const Csv *measured, guint row, const char *name)
{
    const Key *key = keys_find(name);
    if (strcmp(name, "overrides") == 0 || (key && (key->kind == KEY_MACHINE || key_is_of_machine(key))))
        return g_intern_string(csv_named(csv, 0, name));
    return key || strcmp(name, PLOT_MEASURED) == 0 ? csv_named(measured, row, name) : "";
}

/* Appends the rows of `measured` without a schedule or prediction, if `csv` has their pattern and dimension. */
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

