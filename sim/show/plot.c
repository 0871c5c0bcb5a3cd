#include "plot.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* Okabe & Ito's colours, yellow aside; seven colours and ten points make 70 different curves. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"};
static const guint points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

#define SHOWN_POINTS 30     /* of a longer curve only some points are marked */

static Scale scale_of_times(const Plot *plot)
{
    double largest = 0;
    for (guint i = 0; i < plot->series->len; i++) {
        const GArray *curve = nth_series(plot, i)->points;
        for (guint k = 0; k < curve->len; k++)
            for (guint j = 0; j < plot->n_y; j++)
                largest = fmax(largest, nth_point(plot, curve, k)[1 + j]);     /* fmax() ignores a NAN */
    }
    return scale_of_time(largest);
}

/* Adds the value of an input, with what stands around it in labels; a key of NULL is the overrides. */
static void add_input(GString *text, const char *separator, const Key *key, const char *value)
{
    if (!*value)
        return;
    g_string_append(text, text->len ? separator : "");
    if (key && !key->label.before)
        g_string_append_printf(text, "%s %s", key->name, value);
    else
        g_string_append_printf(text, "%s%s%s", key ? key->label.before : "", value, key ? key->label.after : "");
}

/* What sets the curve apart; at least the algorithm, with what it takes. Caller frees. */
static char *label_of(const Plot *plot, const Series *series)
{
    guint algorithm = 0;
    while (plot->key[algorithm]->kind != KEY_ALGORITHM)
        algorithm++;
    GString *text = g_string_new(series->input[algorithm]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (curves_is_with_algorithm(plot->key[i]) && !curves_follows(plot->key[i], series->input[algorithm]))
            add_input(text, " ", plot->key[i], series->input[i]);
    for (guint i = 0; i < plot->n_inputs; i++)
        if (plot->differs[i] && i != algorithm && !curves_is_with_algorithm(plot->key[i]))
            add_input(text, ", ", plot->key[i], series->input[i]);
    return g_string_free(text, FALSE);
}

/* What all curves have in common, of what is worth a title. Caller frees. */
static char *title_of(const Plot *plot)
{
    static const struct {
        const char *name, *separator;
    } words[] = {{"pattern", ""},     {"shape", " of "}, {"machine", " on "},
                 {"dimension", ", "}, {"bytes", ", "},   {OVERRIDES, ", "}};
    const Series *first = nth_series(plot, 0);
    GString *text = g_string_new(NULL);
    for (guint w = 0; w < G_N_ELEMENTS(words); w++)
        for (guint i = 0; i < plot->n_inputs; i++)
            if (!plot->differs[i] && strcmp(input_name(plot, i), words[w].name) == 0)
                add_input(text, words[w].separator, plot->key[i], first->input[i]);
    return g_string_free(text, FALSE);
}

/* What a size is of: a block in a complete exchange, else all that a processor has (permutations), or its data for each
 * destination. */
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
    Quantity quantity = quantity_of(plot->options->y[0]);
    if (!quantity.time_us)
        return g_strdup(quantity.shown);
    const char *what = plot->n_y > 1 ? "" : quantity.shown;
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
    g_autofree char *title = title_of(plot), *x = x_label(plot), *y = y_label(plot, scale);
    gnuplot_set(out, "set title", title);
    gnuplot_set(out, "set xlabel", x);
    gnuplot_set(out, "set ylabel", y);
    return out;
}

static void put_number(GString *out, double value, char end)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, isnan(value) ? "NaN" : g_ascii_formatd(text, sizeof text, "%.15g", value));
    g_string_append_c(out, end);
}

static void put_data(GString *out, const Plot *plot, guint number, double divisor)
{
    const GArray *curve = nth_series(plot, number)->points;
    g_string_append_printf(out, "$c%u << END\n", number);
    for (guint i = 0; i < curve->len; i++) {
        const double *point = nth_point(plot, curve, i);
        put_number(out, point[0], ' ');
        for (guint k = 1; k <= plot->n_y; k++)
            put_number(out, point[k] / divisor, k < plot->n_y ? ' ' : '\n');
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

static gboolean is_measured(const Plot *plot, guint y)
{
    return quantity_of(plot->options->y[y]).measured;
}

static gboolean is_any_measured(const Plot *plot)
{
    for (guint k = 0; k < plot->n_y; k++)
        if (is_measured(plot, k))
            return TRUE;
    return FALSE;
}

/* What was measured are points, what is beside it are lines; else all are both. */
static const char *style_of(const Plot *plot, guint y)
{
    return is_measured(plot, y) ? " with points" : is_any_measured(plot) ? " with lines" : "";
}

/* One y of a series, without its title. */
static void put_curve(GString *out, const Plot *plot, guint number, guint y)
{
    guint every = 1 + nth_series(plot, number)->points->len / SHOWN_POINTS;
    const char *colour = colours[number % G_N_ELEMENTS(colours)], *style = style_of(plot, y);
    g_string_append_printf(out, "$c%u using 1:%u%s", number, y + 2, style);
    if (!g_str_has_suffix(style, "lines"))
        g_string_append_printf(out, " pt %u ps 0.8", points[number % G_N_ELEMENTS(points)]);
    if (*style == '\0')
        g_string_append_printf(out, " pi %u", every);
    if (is_measured(plot, y))
        g_string_append_printf(out, " lc rgb '%s' ", colour);
    else
        g_string_append_printf(out, " lw 1.5 dt %u lc rgb '%s' ", dash_of(plot, y), colour);
}

/* The curves of one series: one for each y, told apart by their dashes, or as points and lines. */
static void put_curves(GString *out, const Plot *plot, guint number, const char *label)
{
    const char *colour = colours[number % G_N_ELEMENTS(colours)];
    guint shape = points[number % G_N_ELEMENTS(points)];
    for (guint k = 0; k < plot->n_y; k++) {
        g_string_append(out, number + k ? ", \\\n    " : "plot ");
        put_curve(out, plot, number, k);
        g_string_append(out, plot->n_y == 1 ? "title " : "notitle");
    }
    if (plot->n_y > 1)
        g_string_append_printf(out, ", \\\n    NaN with linespoints pt %u ps 0.8 lw 1.5 dt 1 lc rgb '%s' title ", shape,
                               colour);
    gnuplot_quote(out, label);
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
    GString *out = head_of(plot, scale, labels);
    for (guint i = 0; i < plot->series->len; i++)
        put_data(out, plot, i, scale.divisor);
    for (guint i = 0; i < plot->series->len; i++)
        put_curves(out, plot, i, g_ptr_array_index(labels, i));
    for (guint k = 0; plot->n_y > 1 && k < plot->n_y; k++) {
        if (is_measured(plot, k))
            g_string_append(out, ", \\\n    NaN with points pt 7 ps 0.8 lc rgb '#707070' title ");
        else
            g_string_append_printf(out, ", \\\n    NaN with lines lw 1.5 dt %u lc rgb '#707070' title ",
                                   dash_of(plot, k));
        gnuplot_quote(out, quantity_of(plot->options->y[k]).shown);
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

static gboolean varies(const Csv *csv, const char *name)
{
    int column = csv_column(csv, name);
    for (guint row = 1; column >= 0 && row < csv->n_rows; row++)
        if (strcmp(csv_cell(csv, row, (guint)column), csv_cell(csv, 0, (guint)column)) != 0)
            return TRUE;
    return FALSE;
}

const char *plot_default_x(const Csv *csv)
{
    int bytes = csv_column(csv, "bytes");
    gboolean sized = bytes >= 0 && csv->n_rows > 0 && *csv_cell(csv, 0, (guint)bytes);
    return varies(csv, "bytes") || (sized && !varies(csv, "dimension")) ? "bytes" : "dimension";
}

char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error)
{
    Plot plot = {.csv = csv, .path = path, .options = options};
    char *script = curves_read(&plot, error) ? script_text(&plot) : NULL;
    curves_clear(&plot);
    return script;
}
