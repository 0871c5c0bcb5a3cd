#include "plot_map.h"
#include "gnuplot.h"

#include <math.h>

#define TICS_MAX 10         /* largest number of values of an axis that have a tic each */
#define NUMBERED_MAX 120    /* largest number of points of a map that have their margins as numbers; more numbers would
                             * touch */

enum { MAP_X, MAP_Y, MAP_MARGIN, N_MAP };

static const double *map_point(const Series *series, guint i)
{
    return &g_array_index(series->points, double, i * N_MAP);
}

/* Returns the different values that the points have on an axis, MAP_X or MAP_Y (double, ascending). Caller unrefs. */
static GArray *map_values(const Plot *plot, guint axis)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    guint n = 0;
    for (guint s = 0; s < plot->series->len; s++)
        for (guint i = 0; i < plot_nth_series(plot, s)->points->len; i++)
            g_array_append_val(values, map_point(plot_nth_series(plot, s), i)[axis]);
    g_array_sort(values, plot_compare_first);
    double *sorted = (double *)(gpointer)values->data;
    for (guint i = 0; i < values->len; i++)
        if (n == 0 || sorted[i] > sorted[n - 1])
            sorted[n++] = sorted[i];
    g_array_set_size(values, n);
    return values;
}

/* Fills in the ends of the rectangle around `value` on one axis: halfway to the neighbours among `values`, by
 * logarithms if `is_log`. */
static void map_ends(const GArray *values, double value, gboolean is_log, double ends[2])
{
    const double *sorted = (const double *)(gconstpointer)values->data;
    guint i = 0;
    while (sorted[i] < value)
        i++;
    double left = i > 0 ? sorted[i - 1] : NAN, right = i + 1 < values->len ? sorted[i + 1] : NAN;
    if (isnan(left))
        left = isnan(right) ? is_log ? value / 2 : value - 1 : is_log ? value * value / right : 2 * value - right;
    if (isnan(right))
        right = is_log ? value * value / left : 2 * value - left;
    ends[0] = is_log ? sqrt(left * value) : (left + value) / 2;
    ends[1] = is_log ? sqrt(value * right) : (value + right) / 2;
}

/* Appends tics at all values of axis 'x' or 'y', if it is linear and they are at most TICS_MAX. */
static void map_put_tics(GString *out, char axis, const GArray *values, gboolean is_log)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (is_log || values->len > TICS_MAX)
        return;
    g_string_append_printf(out, "set %ctics (", axis);
    for (guint i = 0; i < values->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               g_ascii_formatd(text, sizeof text, "%.15g", g_array_index(values, double, i)));
    g_string_append(out, ")\n");
}

void plot_map_put(GString *out, const Plot *plot)
{
    g_autoptr(GArray) across = map_values(plot, MAP_X), up = map_values(plot, MAP_Y);
    g_autoptr(GString) numbers = g_string_new(NULL);
    guint n_points = 0;
    map_put_tics(out, 'x', across, plot->options->log_x);
    map_put_tics(out, 'y', up, plot->options->log_y);
    for (guint s = 0; s < plot->series->len; s++) {
        const Series *series = plot_nth_series(plot, s);
        g_autoptr(GString) rows = g_string_new(NULL);
        g_autofree char *name = g_strdup_printf("m%u", s);
        for (guint i = 0; i < series->points->len; i++, n_points++) {
            const double *at = map_point(series, i);
            double x[2], y[2];
            map_ends(across, at[MAP_X], plot->options->log_x, x);
            map_ends(up, at[MAP_Y], plot->options->log_y, y);
            gnuplot_put_numbers(rows, (double[]){at[MAP_X], at[MAP_Y], x[0], x[1], y[0], y[1]}, 6);
            if (!isnan(at[MAP_MARGIN]))
                gnuplot_put_numbers(numbers, (double[]){at[MAP_X], at[MAP_Y], at[MAP_MARGIN]}, 3);
        }
        gnuplot_data(out, name, rows->str);
    }
    gnuplot_data(out, "margins", numbers->str);
    g_string_append(out, "set style fill solid 0.5 noborder\nset border 15\nunset grid\n");
    for (guint s = 0; s < plot->series->len; s++) {
        g_string_append_printf(out, "%s$m%u using 1:2:3:4:5:6 with boxxyerror lc rgb '%s' title ",
                               s ? ", \\\n    " : "plot ", s, plot_nth_series(plot, s)->colour);
        gnuplot_quote(out, plot_nth_series(plot, s)->label);
    }
    if (numbers->len > 0 && n_points <= NUMBERED_MAX)
        g_string_append(out, ", \\\n    $margins using 1:2:(sprintf('%.0f', $3)) with labels font ',9' notitle");
    g_string_append_c(out, '\n');
}
