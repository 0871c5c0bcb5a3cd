#include "plot.h"
#include "plot_curves.h"
#include "plot_map.h"
#include "plot_rows.h"
#include "bars.h"
#include "palette.h"
#include "sim/run/keys.h"
#include "sim/text/input.h"
#include "sim/machine/machine.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"

#include <math.h>
#include <string.h>

/* --- the script --- */

static const guint points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

#define SHOWN_POINTS 30     /* rough limit of the number of points that are marked on a curve */

/* Appends the value of an input behind `separator`, in the words of key_for_people(); nothing if it is "". `key` NULL:
 * the input is the overrides. */
static void plot_add_input(GString *text, const char *separator, const Key *key, const char *value)
{
    if (!*value)
        return;
    g_autofree char *shown = key ? key_for_people(key, value) : g_strdup(value);
    g_string_append(text, text->len ? separator : "");
    const KeyWords label = key ? key->axis.label : (KeyWords){"", ""};
    if (!label.before)
        g_string_append_printf(text, "%s %s", key->name, shown);
    else
        g_string_append_printf(text, "%s%s%s", label.before, shown, label.after);
}

static guint plot_input(const Plot *plot, KeyKind kind)
{
    guint i = 0;
    while (!plot->key[i] || plot->key[i]->kind != kind)
        i++;
    return i;
}

static gboolean plot_is_overrides(const Plot *plot, guint input)
{
    return strcmp(plot_input_name(plot, input), OVERRIDES) == 0;
}

/* Whether the runs of all curves have the override `pair`, "tau=1". `input` is the index of the overrides. */
static gboolean plot_shares_override(const Plot *plot, guint input, const char *pair)
{
    for (guint s = 0; s < plot->series->len; s++) {
        g_auto(GStrv) pairs = input_split(plot_nth_series(plot, s)->input[input], " ");
        if (!g_strv_contains((const char *const *)pairs, pair))
            return FALSE;
    }
    return TRUE;
}

/* Appends the overrides of a curve: those that all curves share (`shared`), or the others. */
static void plot_add_overrides(GString *text, const Plot *plot, guint input, const Series *series, gboolean shared)
{
    g_auto(GStrv) pairs = input_split(series->input[input], " ");
    g_autoptr(GString) chosen = g_string_new(NULL);
    for (char **pair = pairs; *pair; pair++)
        if (plot_shares_override(plot, input, *pair) == shared)
            g_string_append_printf(chosen, "%s%s", chosen->len ? " " : "", *pair);
    plot_add_input(text, ", ", NULL, chosen->str);
}

/* Returns a curve's label: the algorithm with its parameters, and the inputs in which the curves differ. Caller
 * frees. */
static char *plot_label(const Plot *plot, const Series *series)
{
    guint algorithm = plot_input(plot, KEY_ALGORITHM);
    GString *text = g_string_new(series->input[algorithm]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot_is_with_algorithm(plot->key[i]) && !plot_follows(plot->key[i], series->input[algorithm]))
            plot_add_input(text, " ", plot->key[i], series->input[i]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot->differs[i] && plot_is_overrides(plot, i))
            plot_add_overrides(text, plot, i, series, FALSE);
        else if (plot->differs[i] && i != algorithm && !plot_is_with_algorithm(plot->key[i]))
            plot_add_input(text, ", ", plot->key[i], series->input[i]);
    return g_string_free(text, FALSE);
}

/* Returns the title: the main inputs and overrides that all curves share, and the value of the panel. Caller frees. */
static char *plot_title(const Plot *plot)
{
    static const struct {
        const char *name, *separator;
    } words[] = {{"pattern", ""},     {"shape", " of "}, {"machine", " on "},
                 {"dimension", ", "}, {"processors", ", "}, {"bytes", ", "}};
    const Series *first = plot_nth_series(plot, 0);
    GString *text = g_string_new(NULL);
    for (guint w = 0; w < G_N_ELEMENTS(words); w++)
        for (guint i = 0; i < plot->n_inputs; i++)
            if (!plot->differs[i] && strcmp(plot_input_name(plot, i), words[w].name) == 0)
                plot_add_input(text, words[w].separator, plot->key[i], first->input[i]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot_is_overrides(plot, i))
            plot_add_overrides(text, plot, i, first, TRUE);
    if (plot->panel) {
        const Key *key = keys_find(plot->options->panels);
        g_autofree char *pair = g_strdup_printf("%s = %s", plot->options->panels, plot->panel);
        plot_add_input(text, ", ", key, key ? plot->panel : pair);
    }
    return g_string_free(text, FALSE);
}

/* Returns the label of an axis of "bytes": the pattern's word for the size, if all curves have one pattern. Static. */
static const char *bytes_label(const Plot *plot)
{
    guint i = plot_input(plot, KEY_PATTERN);
    const Pattern *pattern = plot->differs[i] ? NULL : pattern_find("", plot_nth_series(plot, 0)->input[i], NULL);
    if (!pattern)
        return "size (bytes)";
    const char *label = pattern_theory(pattern)->size_label;
    return label ? label : "M (bytes)";
}

/* Returns the label of an axis that shows a column or key. Caller frees. */
static char *axis_label(const Plot *plot, const char *name)
{
    const MachineKey *key = machine_key(name);
    if (key)
        return g_strdup_printf("%s (%s)", name, key->unit);
    if (strcmp(name, "bytes") == 0)
        return g_strdup(bytes_label(plot));
    Quantity quantity = plot_quantity(name);
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

#define PANELS_MAX 12

/* Fills in the least and the largest of the values with indexes `first` to `last` of all points (0: x; from 1: y). Only
 * values above 0 count; INFINITY and 0 if there are none. */
static void plot_extremes(const Plot *plot, guint first, guint last, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (guint s = 0; s < plot->series->len; s++) {
        const GArray *curve = plot_nth_series(plot, s)->points;
        for (guint i = 0; i < curve->len; i++)
            for (guint k = first; k <= last; k++) {
                double value = g_array_index(curve, double, i * (1 + plot->n_y) + k);
                *low = value > 0 ? fmin(*low, value) : *low;
                *high = value > 0 ? fmax(*high, value) : *high;
            }
    }
}

/* Makes axis 'x' or 'y' logarithmic. It has room for the values with indexes `first` to `last` of all points, divided
 * by `divisor`. */
static void plot_put_log_axis(GString *out, const Plot *plot, char axis, guint first, guint last, double divisor)
{
    double low, high;
    plot_extremes(plot, first, last, &low, &high);
    g_string_append_printf(out, "set logscale %c\nset format %c '%%g'\n", axis, axis);
    if (high > 0)
        gnuplot_log_labels(out, axis, low / divisor, high / divisor);
}

#define BELOW_MIN 1     /* least upper end in per cent of the axis of shares: a lower end would enlarge small shares */

/* Appends the range of an axis of shares in per cent, with equal ends below and above 0, and a line at 0. */
static void put_range_below(GString *out, const Plot *plot)
{
    double farthest = BELOW_MIN;
    for (guint s = 0; s < plot->series->len; s++) {
        const GArray *curve = plot_nth_series(plot, s)->points;
        for (guint i = 0; i < curve->len; i++)
            farthest = fmax(farthest, 110 * fabs(g_array_index(curve, double, 2 * i + 1)));
    }
    g_string_append_printf(out, "unset logscale y\nset ytics autofreq\nset format y '%%g'\nset xzeroaxis\n"
                           "set yrange [%g:%g]\n", -farthest, farthest);
}

#define NEAR 0.75       /* if the least time is above this share of the largest, the axis need not begin at 0 */

/* Appends the range of a linear y axis. It begins at 0, unless the least time is above NEAR times the largest. With
 * plot->is_below the values are shares that may be negative, and 0 is in the middle of the axis. */
static void plot_put_range(GString *out, const Plot *plot)
{
    double low, high;
    if (plot->is_below) {
        put_range_below(out, plot);
        return;
    }
    plot_extremes(plot, 1, plot->n_y, &low, &high);
    gboolean is_near = plot->y->time_us && low < high && low > NEAR * high;
    g_string_append(out, is_near ? "set yrange [*:*]\n" : "set yrange [0:*]\n");
}

static void plot_put_axes(GString *out, const Plot *plot, Scale scale)
{
    const PlotOptions *options = plot->options;
    if (options->is_map && !options->log_y)
        g_string_append(out, "set autoscale yfix\n");
    else if (!options->log_y)
        plot_put_range(out, plot);
    if (options->log_x)
        plot_put_log_axis(out, plot, 'x', 0, 0, 1);
    if (options->log_y)
        plot_put_log_axis(out, plot, 'y', 1, options->is_map ? 1 : plot->n_y, scale.divisor);
    g_autofree char *title = plot_title(plot), *x = axis_label(plot, options->x);
    g_autofree char *y = options->is_map ? axis_label(plot, options->y[0]) : y_label(plot, scale);
    gnuplot_set_lines(out, "set title", plot->is_below ? "" : title, plot->panel ? 55 : 75);
    gnuplot_set(out, "set xlabel", x);
    gnuplot_set(out, "set ylabel", y);
    for (guint i = 0; i < G_N_ELEMENTS(options->limits); i++)
        if (options->limits[i] > 0)
            g_string_append_printf(out, "set arrow %u from first %" G_GINT64_FORMAT ", graph 0 rto 0, graph 1 nohead "
                                   "dt 3 back\n", i + 1, options->limits[i]);
}

/* Returns the beginning of the script. Panels have one size, and stand in rows of up to three, or in a column with
 * options->below. Of the keys of all panels, `entries` is the largest number of entries, and `longest` the number of
 * characters of the longest entry. */
static GString *plot_head(const PlotOptions *options, guint n_panels, guint entries, guint longest)
{
    guint across = options->below ? 1 : n_panels <= 3 ? n_panels : n_panels <= 4 ? 2 : 3;
    guint down = (n_panels + across - 1) / across;
    guint width = (n_panels > 1 ? 560 : 800) + 8 * MIN(longest, 80);
    guint height = MAX(n_panels > 1 ? 400 : 540, 120 + 20 * MIN(entries, 1000));
    GString *out = gnuplot_script(options->format, across * width, down * height);
    g_string_append(out, "set termoption noenhanced\nset key outside right top spacing 1.2\n"
                         "set style data linespoints\nset autoscale xfix\n");
    if (n_panels > 1)
        g_string_append_printf(out, "set multiplot layout %u,%u\n", down, across);
    return out;
}

static void plot_put_data(GString *out, const Plot *plot, guint number, double divisor)
{
    const GArray *curve = plot_nth_series(plot, number)->points;
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

/* Appends the curve of series `number` for column `y`, without its title. It has points if the column is measured, a
 * line if only others are measured, else both. */
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
                               1 + plot_nth_series(plot, number)->points->len / SHOWN_POINTS);
    if (!plot->y[y].measured)
        g_string_append_printf(out, " lw 1.5 dt %u", dash_of(plot, y));
    g_string_append_printf(out, " lc rgb '%s' ", plot_nth_series(plot, number)->colour);
}

/* Appends the curves of series `number`, one for each column of y, and the entry of the figure's key with its label. */
static void put_curves(GString *out, const Plot *plot, guint number)
{
    for (guint k = 0; k < plot->n_y; k++) {
        g_string_append(out, number + k ? ", \\\n    " : "plot ");
        put_curve(out, plot, number, k);
        g_string_append(out, plot->n_y == 1 ? "title " : "notitle");
    }
    if (plot->n_y > 1)
        g_string_append_printf(out, ", \\\n    NaN with linespoints pt %u ps 0.8 lw 1.5 dt 1 lc rgb '%s' title ",
                               points[number % G_N_ELEMENTS(points)], plot_nth_series(plot, number)->colour);
    gnuplot_quote(out, plot_nth_series(plot, number)->label);
}

/* Returns the last value of a series in the first column of y; 0 if that is NAN. */
static double series_last(const Series *series, guint n_y)
{
    const double *last = &g_array_index(series->points, double, (series->points->len - 1) * (1 + n_y));
    return isnan(last[1]) ? 0 : last[1];
}

/* Compares series by series_last(), the largest first, so that names stand in the order of the curves' right ends. */
static int compare_ends(gconstpointer a, gconstpointer b, gpointer n_y)
{
    const Series *x = *(Series *const *)a, *y = *(Series *const *)b;
    double first = series_last(x, *(guint *)n_y), second = series_last(y, *(guint *)n_y);
    return first == second ? (int)x->number - (int)y->number : (first < second) - (first > second);
}

/* Returns the index in `series` of the Series with this number, or series->len if there is none. */
static guint place_of_number(const GPtrArray *series, guint number)
{
    guint i = 0;
    while (i < series->len && ((const Series *)series->pdata[i])->number != number)
        i++;
    return i;
}

/* Compares series by their indexes in `above`, the series of the panel above. */
static int compare_places(gconstpointer a, gconstpointer b, gpointer above)
{
    const Series *x = *(Series *const *)a, *y = *(Series *const *)b;
    return (int)place_of_number(above, x->number) - (int)place_of_number(above, y->number);
}

/* Whether bars show the plot better than curves: all series have a single point, at one x, and y is a time. */
static gboolean plot_is_of_one_size(const Plot *plot)
{
    for (guint i = 0; i < plot->series->len; i++) {
        const GArray *curve = plot_nth_series(plot, i)->points;
        const GArray *first = plot_nth_series(plot, 0)->points;
        if (curve->len != 1 || g_array_index(curve, double, 0) != g_array_index(first, double, 0))
            return FALSE;
    }
    return plot->y->time_us && !plot->options->log_y;
}

/* Returns the script that draws the times as bars, in the order of the file. Caller frees. */
static char *plot_bars(const Plot *plot)
{
    g_autoptr(GArray) bars = g_array_new(FALSE, FALSE, sizeof(Bar));
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *shared = plot_title(plot);
    g_autoptr(GString) title = g_string_new(shared);
    double at = g_array_index(plot_nth_series(plot, 0)->points, double, 0);
    for (guint i = 0; i < plot->series->len; i++)
        for (guint k = 0; k < plot->n_y; k++) {
            double us = g_array_index(plot_nth_series(plot, i)->points, double, 1 + k);
            const char *label = plot_nth_series(plot, i)->label;
            if (isnan(us))
                continue;
            g_ptr_array_add(names, plot->n_y == 1 ? g_strdup(label)
                                                  : g_strdup_printf("%s, %s", label, plot->y[k].shown));
            Bar bar = {g_ptr_array_index(names, names->len - 1), us, 0, plot_nth_series(plot, i)->colour};
            g_array_append_val(bars, bar);
        }
    const Key *key = keys_find(plot->options->x);
    g_autofree char *value = g_strdup_printf("%.15g", at), *pair = g_strdup_printf("%s = %s", plot->options->x, value);
    plot_add_input(title, ", ", key, key ? value : pair);
    return bars_script(title->str, bars, "", plot->options->format);
}

/* Appends an entry to the figure's key for each column of y, if there are several columns. */
static void put_quantities(GString *out, const Plot *plot)
{
    for (guint k = 0; plot->n_y > 1 && k < plot->n_y; k++) {
        if (plot->y[k].measured)
            g_string_append(out, ", \\\n    NaN with points pt 7 ps 0.8 lc rgb '#707070' title ");
        else
            g_string_append_printf(out, ", \\\n    NaN with lines lw 1.5 dt %u lc rgb '#707070' title ",
                                   dash_of(plot, k));
        gnuplot_quote(out, plot->y[k].shown);
    }
}

/* Appends a panel with the curves of `plot`, or its map. */
static void plot_put_panel(GString *out, const Plot *plot)
{
    Scale scale = plot->is_below     ? (Scale){"%", 0.01}
                  : plot->y->time_us ? scale_of_time(plot->largest)
                                     : (Scale){"", 1};
    plot_put_axes(out, plot, scale);
    if (plot->options->is_map) {
        plot_map_put(out, plot);
        return;
    }
    for (guint i = 0; i < plot->series->len; i++)
        plot_put_data(out, plot, i, scale.divisor);
    for (guint i = 0; i < plot->series->len; i++)
        put_curves(out, plot, i);
    put_quantities(out, plot);
    g_string_append_c(out, '\n');
}

/* --- panels --- */

/* Gives the series of all plots their names and colours; series with one name have one colour. */
static void plot_name_series(Plot *plots, guint n)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new(), names = g_ptr_array_new(), algorithms = g_ptr_array_new();
    for (guint p = 0; p < n; p++)
        for (guint i = 0; i < plots[p].series->len; i++) {
            Series *series = plot_nth_series(&plots[p], i);
            g_autofree char *label = plot_label(&plots[p], series);
            series->label = input_printable(label);
            g_ptr_array_add(all, series);
            g_ptr_array_add(names, series->label);
            g_ptr_array_add(algorithms, (gpointer)series->input[plot_input(&plots[p], KEY_ALGORITHM)]);
        }
    g_autofree guint *colours = g_new(guint, all->len);
    palette_choose(plot_nth_series(plots, 0)->input[plot_input(plots, KEY_PATTERN)],
                   (const char *const *)names->pdata, (const char *const *)algorithms->pdata, all->len, colours);
    for (guint i = 0; i < all->len; i++)
        ((Series *)all->pdata[i])->colour = palette[colours[i] % PALETTE_SIZE];
}

/* Returns the script that draws n >= 1 plots as panels, or a single plot as bars if these show it better. Caller
 * frees. */
static char *plot_all(Plot *plots, guint n)
{
    const PlotOptions *options = plots->options;
    guint entries = 0, longest = 0, n_y = plots->n_y;
    plot_name_series(plots, n);
    if (n == 1 && !options->is_map && plot_is_of_one_size(plots))
        return plot_bars(plots);
    for (guint p = 0; p < n; p++) {
        if (plots[p].is_below)
            g_ptr_array_sort_with_data(plots[p].series, compare_places, plots[p - 1].series);
        else if (!options->is_map)
            g_ptr_array_sort_with_data(plots[p].series, compare_ends, &n_y);
        entries = MAX(entries, plots[p].series->len + (n_y > 1 ? n_y : 0));
        for (guint i = 0; i < plots[p].series->len; i++)
            longest = MAX(longest, (guint)g_utf8_strlen(plot_nth_series(&plots[p], i)->label, -1));
    }
    GString *out = plot_head(options, n, entries, longest);
    for (guint p = 0; p < n; p++)
        plot_put_panel(out, &plots[p]);
    return g_string_free(out, FALSE);
}

/* Returns the different values of the column `panels` (char *), in the order of the file. NULL with an error. Caller
 * unrefs. */
static GPtrArray *plot_panel_values(const Csv *csv, const char *path, const char *panels, GError **error)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    for (guint row = 0; row < csv->n_rows; row++) {
        char *value = plot_value_of(csv, row, panels);
        if (value && *value && !g_ptr_array_find_with_equal_func(values, value, g_str_equal, NULL))
            g_ptr_array_add(values, value);
        else
            g_free(value);
    }
    if (values->len > 0 && values->len <= PANELS_MAX)
        return g_steal_pointer(&values);
    if (values->len == 0)
        input_refuse(error, "--panels: '%s' is not allowed; allowed: a column of %s, or a key that it overrides",
                     panels, path);
    else
        input_refuse(error, "--panels: '%s' has %u values in %s; allowed: at most %d", panels, values->len, path,
                     PANELS_MAX);
    return NULL;
}

char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error)
{
    Plot plots[PANELS_MAX] = {{0}};
    char *shares[] = {(char *)options->below, NULL};
    PlotOptions below = {.x = options->x, .y = shares, .log_x = options->log_x, .format = options->format};
    memcpy(below.limits, options->limits, sizeof below.limits);
    guint n = 0;
    g_autoptr(GPtrArray) values = options->panels ? plot_panel_values(csv, path, options->panels, error) : NULL;
    gboolean ok = !options->panels || values;
    for (; ok && n < (values ? values->len : 1); n++) {
        const char *panel = values ? g_ptr_array_index(values, n) : NULL;
        plots[n] = (Plot){.csv = csv, .path = path, .options = options, .panel = panel};
        ok = plot_curves_read(&plots[n], error);
        if (ok)
            plot_report_left_out(&plots[n]);
    }
    if (ok && options->below) {
        plots[n] = (Plot){.csv = csv, .path = path, .options = &below, .is_below = TRUE};
        ok = plot_curves_read(&plots[n++], error);
    }
    char *script = ok ? plot_all(plots, n) : NULL;
    for (guint i = 0; i < n; i++)
        plot_curves_clear(&plots[i]);
    return script;
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

void plot_rename_patterns(Csv *csv)
{
    int column = csv_column(csv, "pattern");
    for (guint row = 0; column >= 0 && row < csv->n_rows; row++) {
        const Pattern *pattern = pattern_find("", csv_cell(csv, row, (guint)column), NULL);
        if (pattern)
            g_ptr_array_index(csv->cells, row * csv->n_columns + (guint)column) = (gpointer)pattern->name;
    }
}
