#include "plot.h"
#include "models/input.h"
#include "models/machine.h"
#include "sim/run/keys.h"

#include <math.h>
#include <string.h>

/* --- the columns of a run --- */

/* What sets runs apart: the keys that are columns of the record, those of the machine aside, and behind them what is
 * overridden of the machine. */
#define INPUTS_MAX 32
#define OVERRIDES "overrides"

/* A file need not have the columns that not every run has. */
static gboolean is_needed(const Key *key)
{
    return !key->fallback && !key->of_algorithm;
}

/* How a column of numbers is shown. */
typedef struct {
    const char *name, *shown;
    gboolean time_us;
    guint dash;         /* gnuplot's dash type; 0: by its place in the list of y */
} Quantity;

static const Quantity quantities[] = {
    {"simulated_us", "simulated", TRUE, 1},
    {"published_us", "published", TRUE, 2},
    {"contention_free_us", "contention-free", TRUE, 3},
    {"blocked_us", "waiting in all", TRUE, 0},
    {"longest_wait_us", "longest wait", TRUE, 0},
    {"wall_s", "wall-clock time (s)", FALSE, 0},
    {"messages", "messages", FALSE, 0},
    {"blocked_messages", "blocked messages", FALSE, 0},
};

static Quantity quantity_of(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(quantities); i++)
        if (strcmp(quantities[i].name, name) == 0)
            return quantities[i];
    const Key *key = keys_find(name);
    return (Quantity){name, key && key->axis_title ? key->axis_title : name, g_str_has_suffix(name, "_us"), 0};
}

typedef struct {
    double x;
    double *y;          /* [n_y]; NAN where there is none */
} Point;

/* Runs that differ in x alone. */
typedef struct {
    const char *input[INPUTS_MAX];  /* [n_inputs] borrowed from the file; "" if it says nothing about the curve */
    char *overrides;                /* without x; the last of the inputs */
    char *key;                      /* the inputs together */
    GArray *points;                 /* Point, by x */
} Series;

typedef struct {
    const Csv *csv;
    const char *path;
    const PlotOptions *options;
    guint n_y;
    guint n_inputs;
    const Key *key[INPUTS_MAX];     /* [n_inputs]; NULL: the overrides */
    int column[INPUTS_MAX];         /* [n_inputs]; -1 where the file has none */
    GPtrArray *series;              /* Series, in the order of the file */
    gboolean differs[INPUTS_MAX];   /* [n_inputs], between series */
} Plot;

static void point_clear(gpointer data)
{
    g_free(((Point *)data)->y);
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

static const char *input_name(const Plot *plot, guint input)
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

static const char *algorithm_of(const Plot *plot, guint row)
{
    return csv_cell(plot->csv, row, (guint)csv_column(plot->csv, "algorithm"));
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
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: line %u: %s: '%.60s' is not allowed; allowed: a number",
                plot->path, csv_line(plot->csv, row), column, text);
    return FALSE;
}

static gboolean read_x(const Plot *plot, guint row, double *x, GError **error)
{
    const char *name = plot->options->x;
    int column = csv_column(plot->csv, name);
    g_autofree char *value = NULL;
    if (column < 0)
        g_free(overrides_without(overrides_of(plot, row), name, &value));
    else
        value = g_strdup(csv_cell(plot->csv, row, (guint)column));
    return parse_number(plot, row, name, value ? value : "", x, error);
}

static gboolean read_y(const Plot *plot, guint row, double *y, GError **error)
{
    for (guint i = 0; i < plot->n_y; i++) {
        const char *name = plot->options->y[i];
        const char *text = csv_cell(plot->csv, row, (guint)csv_column(plot->csv, name));
        if (!parse_number(plot, row, name, text, &y[i], error))
            return FALSE;
        if (plot->options->log_y && !(y[i] > 0))
            y[i] = NAN;
    }
    return TRUE;
}

static const Algorithm *exchange_algorithm(const char *name)
{
    return algorithm_find("", pattern_of(PATTERN_COMPLETE_EXCHANGE), FALSE, name, NULL);
}

/* Whether what an algorithm takes is known of its name: an exchange that does not take it has it of its dimension. */
static gboolean follows(const Key *key, const char *algorithm)
{
    const Algorithm *found = exchange_algorithm(algorithm);
    return key && key->of_algorithm && found && !key->of_algorithm(found);
}

/* Whether x stands for this input, or settles it. */
static gboolean is_x(const Plot *plot, guint row, guint input)
{
    const char *x = plot->options->x, *name = input_name(plot, input);
    gboolean by_size = strcmp(x, "dimension") == 0 || strcmp(x, "processors") == 0;
    return strcmp(x, name) == 0 ||
           (by_size && (strcmp(name, "dimension") == 0 || follows(plot->key[input], algorithm_of(plot, row))));
}

static Series *series_of_row(Plot *plot, GHashTable *known, guint row)
{
    Series *series = g_new0(Series, 1);
    g_autoptr(GString) key = g_string_new(NULL);
    series->points = g_array_new(FALSE, FALSE, sizeof(Point));
    g_array_set_clear_func(series->points, point_clear);
    series->overrides = overrides_without(overrides_of(plot, row), plot->options->x, NULL);
    for (guint i = 0; i < plot->n_inputs; i++) {
        series->input[i] = is_x(plot, row, i) ? "" : plot->key[i] ? cell_of(plot, row, i) : series->overrides;
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
    double first = ((const Point *)a)->x, second = ((const Point *)b)->x;
    return (first > second) - (first < second);
}

static gboolean has_values(const Plot *plot, const double *y)
{
    for (guint i = 0; i < plot->n_y; i++)
        if (!isnan(y[i]))
            return TRUE;
    return FALSE;
}

static gboolean read_rows(Plot *plot, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint row = 0; row < csv_n_rows(plot->csv); row++) {
        g_autofree double *y = g_new(double, plot->n_y);
        Point point;
        if (!read_x(plot, row, &point.x, error) || !read_y(plot, row, y, error))
            return FALSE;
        if (isnan(point.x) || (plot->options->log_x && point.x <= 0) || !has_values(plot, y))
            continue;
        point.y = g_steal_pointer(&y);
        g_array_append_val(series_of_row(plot, known, row)->points, point);
    }
    for (guint i = 0; i < plot->series->len; i++)
        g_array_sort(((Series *)g_ptr_array_index(plot->series, i))->points, compare_points);
    return TRUE;
}

static const Series *nth_series(const Plot *plot, guint i)
{
    return g_ptr_array_index(plot->series, i);
}

static void find_differences(Plot *plot)
{
    for (guint i = 1; i < plot->series->len; i++)
        for (guint k = 0; k < plot->n_inputs; k++)
            plot->differs[k] |= strcmp(nth_series(plot, i)->input[k], nth_series(plot, 0)->input[k]) != 0;
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
        if (plot->column[i] >= 0 || !plot->key[i] || !is_needed(plot->key[i]))
            continue;
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: there is no column '%s': not the CSV of `ecube run` or `ecube sweep`", plot->path,
                    input_name(plot, i));
        return FALSE;
    }
    return TRUE;
}

/* Whether a column is one of numbers: a result, or, with `inputs`, what runs are given. */
static gboolean may_draw(const char *name, gboolean inputs)
{
    const Key *key = keys_find(name);
    gboolean size = strcmp(name, "processors") == 0;
    if (strcmp(name, "data_ok") == 0 || strcmp(name, OVERRIDES) == 0)
        return FALSE;
    return key || size ? inputs && (size || key->kind == KEY_NUMBER) : TRUE;
}

/* Columns of numbers among the results, or, with `inputs`, all that x may be. Caller frees the array. */
static const char **choices(const Plot *plot, gboolean inputs)
{
    GPtrArray *names = g_ptr_array_new();
    for (const char *const *name = csv_names(plot->csv); *name; name++)
        if (may_draw(*name, inputs))
            g_ptr_array_add(names, (char *)*name);
    for (const char *const *key = machine_keys(); inputs && *key; key++)
        if (machine_may_override(*key) && plot->column[plot->n_inputs - 1] >= 0 && csv_column(plot->csv, *key) < 0)
            g_ptr_array_add(names, (char *)*key);
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
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "--y: '%s' does not go with '%s' on one axis; allowed: several times in µs, or one other column",
                    y[i], y[0]);
        return FALSE;
    }
    return TRUE;
}

/* --- the script --- */

/* Okabe & Ito's colours, yellow aside; seven colours and ten points make 70 different curves. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"};
static const guint points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

#define SHOWN_POINTS 30     /* of a longer curve only some points are marked */

typedef struct {
    const char *unit;
    double divisor;         /* from the CSV's unit */
} Scale;

static Scale scale_of_times(const Plot *plot)
{
    double largest = 0;
    for (guint i = 0; i < plot->series->len; i++) {
        const GArray *curve = nth_series(plot, i)->points;
        for (guint k = 0; k < curve->len; k++)
            for (guint j = 0; j < plot->n_y; j++)
                largest = fmax(largest, g_array_index(curve, Point, k).y[j]);   /* fmax() ignores a NAN */
    }
    return largest < 1e4 ? (Scale){"µs", 1} : largest < 1e7 ? (Scale){"ms", 1e3} : (Scale){"s", 1e6};
}

/* `text` between single quotes, in which gnuplot replaces nothing; single quotes, of which it does not take two in a
 * row there, between double ones. */
static void put_quoted(GString *out, const char *text)
{
    g_autofree char *line = input_printable(text);
    g_auto(GStrv) parts = g_strsplit(line, "'", -1);
    g_autofree char *joined = g_strjoinv("'.\"'\".'", parts);
    g_string_append_printf(out, "'%s'", joined);
}

static void put_setting(GString *out, const char *setting, const char *text)
{
    g_string_append_printf(out, "set %s ", setting);
    put_quoted(out, text);
    g_string_append_c(out, '\n');
}

static void add_word(GString *text, const char *separator, KeyWords around, const char *word)
{
    if (*word)
        g_string_append_printf(text, "%s%s%s%s", text->len ? separator : "", around.before, word, around.after);
}

/* What stands around an input in a label. */
static KeyWords label_words(const Key *key)
{
    static const KeyWords none = {"", ""};
    return !key || key->label.before ? key ? key->label : none : (KeyWords){key->name, ""};
}

/* What sets the curve apart; at least the algorithm, with what it takes. Caller frees. */
static char *label_of(const Plot *plot, const Series *series)
{
    guint algorithm = 0;
    while (plot->key[algorithm]->kind != KEY_ALGORITHM)
        algorithm++;
    GString *text = g_string_new(series->input[algorithm]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot->key[i] && plot->key[i]->of_algorithm && !follows(plot->key[i], series->input[algorithm]))
            add_word(text, " ", label_words(plot->key[i]), series->input[i]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot->differs[i] && i != algorithm && !(plot->key[i] && plot->key[i]->of_algorithm))
            add_word(text, ", ", label_words(plot->key[i]), series->input[i]);
    return g_string_free(text, FALSE);
}

/* What all curves have in common, of what is worth a title. Caller frees. */
static char *title_of(const Plot *plot)
{
    static const struct {
        const char *name, *separator;
    } words[] = {{"pattern", ""}, {"machine", " on "}, {"dimension", ", "}, {"bytes", ", "}, {OVERRIDES, ", "}};
    const Series *first = nth_series(plot, 0);
    GString *text = g_string_new(NULL);
    for (guint w = 0; w < G_N_ELEMENTS(words); w++)
        for (guint i = 0; i < plot->n_inputs; i++)
            if (!plot->differs[i] && strcmp(input_name(plot, i), words[w].name) == 0)
                add_word(text, words[w].separator, label_words(plot->key[i]), first->input[i]);
    return g_string_free(text, FALSE);
}

static char *x_label(const char *x)
{
    for (guint i = 0; machine_keys()[i]; i++)
        if (strcmp(machine_keys()[i], x) == 0)
            return g_strdup_printf("%s (%s)", x, machine_key_help(i).unit);
    Quantity quantity = quantity_of(x);
    return g_strdup_printf("%s%s", quantity.shown, quantity.time_us ? " (µs)" : "");
}

static char *y_label(const Plot *plot, Scale scale)
{
    Quantity quantity = quantity_of(plot->options->y[0]);
    if (!quantity.time_us)
        return g_strdup(quantity.shown);
    const char *what = plot->n_y > 1 ? "" : quantity.shown;
    const char *time = strstr(what, "wait") ? "" : "time ";
    return g_strdup_printf("%s%s%s(%s)", what, *what ? " " : "", time, scale.unit);
}

static void put_head(GString *out, const Plot *plot, Scale scale, const GPtrArray *labels)
{
    gboolean svg = plot->options->format == PLOT_SVG;
    guint entries = labels->len + (plot->n_y > 1 ? plot->n_y : 0), longest = 0;
    for (guint i = 0; i < labels->len; i++)
        longest = MAX(longest, (guint)g_utf8_strlen(g_ptr_array_index(labels, i), -1));
    guint width = 800 + 8 * MIN(longest, 80), height = MAX(540, 120 + 20 * MIN(entries, 1000));
    if (svg)
        g_string_append_printf(out, "set terminal svg size %u, %u font 'DejaVu Sans,sans-serif,12'", width, height);
    else
        g_string_append_printf(out, "set terminal pngcairo size %u, %u font 'DejaVu Sans,12' fontscale 1.75 "
                                    "linewidth 2 pointscale 2", 2 * width, 2 * height);
    g_string_append(out, " background '#ffffff'\nset encoding utf8\nset termoption noenhanced\n"
                         "set border 3 lw 0.8\nset tics out nomirror scale 0.6\n"
                         "set grid lt 1 lc rgb '#e4e4e4' lw 0.6\n"
                         "set key outside right top Left reverse samplen 3 spacing 1.2\nset style data linespoints\n"
                         "set autoscale xfix\n");
    if (!plot->options->log_y)
        g_string_append(out, "set yrange [0:*]\n");
    if (plot->options->log_x || plot->options->log_y)
        g_string_append_printf(out, "set logscale %s%s\nset format %s '%%g'\n", plot->options->log_x ? "x" : "",
                               plot->options->log_y ? "y" : "", plot->options->log_y ? "y" : "x");
    g_autofree char *title = title_of(plot), *x = x_label(plot->options->x), *y = y_label(plot, scale);
    put_setting(out, "title", title);
    put_setting(out, "xlabel", x);
    put_setting(out, "ylabel", y);
}

static void put_number(GString *out, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, isnan(value) ? "NaN" : g_ascii_formatd(text, sizeof text, "%.15g", value));
}

static void put_data(GString *out, const Plot *plot, guint number, double divisor)
{
    const GArray *curve = nth_series(plot, number)->points;
    g_string_append_printf(out, "$c%u << END\n", number);
    for (guint i = 0; i < curve->len; i++) {
        const Point *point = &g_array_index(curve, Point, i);
        put_number(out, point->x);
        for (guint k = 0; k < plot->n_y; k++) {
            g_string_append_c(out, ' ');
            put_number(out, point->y[k] / divisor);
        }
        g_string_append_c(out, '\n');
    }
    g_string_append(out, "END\n");
}

static guint dash_of(const Plot *plot, guint y)
{
    guint named = 0;
    for (guint k = 0; k < plot->n_y; k++)
        named += quantity_of(plot->options->y[k]).dash != 0;
    guint dash = quantity_of(plot->options->y[y]).dash;
    return dash ? dash : named == 0 && y == 0 ? 1 : 4 + y % 2;
}

/* The curves of one series: one for each y, told apart by their dashes. */
static void put_curves(GString *out, const Plot *plot, guint number, const char *label)
{
    guint every = 1 + nth_series(plot, number)->points->len / SHOWN_POINTS;
    for (guint k = 0; k < plot->n_y; k++) {
        g_string_append_printf(out, "%s$c%u using 1:%u pt %u ps 0.8 pi %u lw 1.5 dt %u lc rgb '%s' ",
                               number + k ? ", \\\n    " : "plot ", number, k + 2,
                               points[number % G_N_ELEMENTS(points)], every, dash_of(plot, k),
                               colours[number % G_N_ELEMENTS(colours)]);
        g_string_append(out, k == 0 && plot->n_y == 1 ? "title " : "notitle");
        if (plot->n_y == 1)
            put_quoted(out, label);
    }
    if (plot->n_y == 1)
        return;
    g_string_append_printf(out, ", \\\n    NaN with linespoints pt %u ps 0.8 lw 1.5 dt 1 lc rgb '%s' title ",
                           points[number % G_N_ELEMENTS(points)], colours[number % G_N_ELEMENTS(colours)]);
    put_quoted(out, label);
}

static char *script_text(const Plot *plot)
{
    g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
    gboolean time = quantity_of(plot->options->y[0]).time_us;
    Scale scale = time ? scale_of_times(plot) : (Scale){"", 1};
    for (guint i = 0; i < plot->series->len; i++) {
        g_autofree char *label = label_of(plot, nth_series(plot, i));
        g_ptr_array_add(labels, input_printable(label));
    }
    GString *out = g_string_new(NULL);
    put_head(out, plot, scale, labels);
    for (guint i = 0; i < plot->series->len; i++)
        put_data(out, plot, i, scale.divisor);
    for (guint i = 0; i < plot->series->len; i++)
        put_curves(out, plot, i, g_ptr_array_index(labels, i));
    for (guint k = 0; plot->n_y > 1 && k < plot->n_y; k++) {
        g_string_append_printf(out, ", \\\n    NaN with lines lw 1.5 dt %u lc rgb '#707070' title ",
                               dash_of(plot, k));
        put_quoted(out, quantity_of(plot->options->y[k]).shown);
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
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

char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error)
{
    g_autoptr(GPtrArray) series = g_ptr_array_new_with_free_func(series_free);
    Plot plot = {.csv = csv, .path = path, .options = options, .n_y = g_strv_length(options->y), .series = series};
    if (!check_columns(&plot, error) || !check_names(&plot, error) || !read_rows(&plot, error))
        return NULL;
    if (series->len == 0) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: there is nothing to draw: no row has both %s and %s%s",
                    path, options->x, options->y[0],
                    options->log_x || options->log_y ? " above 0, as --log needs" : "");
        return NULL;
    }
    find_differences(&plot);
    if (series->len > CURVES_MAX) {
        g_autofree char *what = differing_columns(&plot);
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: makes %u curves, which differ in %s; allowed: at most %d, so leave some of the rows out", path,
                    series->len, what, CURVES_MAX);
        return NULL;
    }
    return script_text(&plot);
}
