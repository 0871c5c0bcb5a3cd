/* Curves of a CSV of runs. A series has the values of x and y in rows that differ in nothing else. */
#pragma once

#include "plot_options.h"
#include "sim/run/keys.h"
#include "sim/text/csv.h"

/* A column that is drawn along an axis. */
typedef struct {
    const char *name, *shown;
    gboolean time_us;
    guint dash;         /* gnuplot's dash type; 0: the column's place in options->y chooses it */
    gboolean measured;  /* whether it is drawn as points; the other columns of the figure are then lines without
                         * points */
} Quantity;

/* Limit of the number of inputs, the columns by which runs differ: those of the keys of [run], and overrides. */
#define INPUTS_MAX 32
#define OVERRIDES "overrides"

/* A curve: runs that differ in x alone. In a map: runs that differ in x and y alone. */
typedef struct {
    const char *input[INPUTS_MAX];  /* [n_inputs]: values of the inputs, texts of the file or interned; "" if the input
                                     * does not count */
    GArray *points;                 /* double[1 + n_y]: x, and the values of y (NAN: none); sorted by x */
    guint number;                   /* index of the series in the order of the file */
    char *label;                    /* name of the curve, for people; NULL until plot.c names it */
    const char *colour;             /* "#0072B2", a colour of `palette` */
} Series;

/* Curves of a panel. The caller sets csv, path, options, panel and is_below; plot_curves_read() the rest. */
typedef struct {
    const Csv *csv;
    const char *path;
    const PlotOptions *options;
    const char *panel;              /* value of options->panels in the rows of the plot; NULL: all rows */
    gboolean is_below;              /* whether the plot is the panel of options->below under another plot */
    Quantity *y;                    /* [n_y]: the columns of y */
    guint n_y;
    gboolean any_dash, any_measured;    /* whether any column of y has a dash type; whether any is drawn as points */
    double largest;                 /* the largest value of y */
    guint n_rows_low, n_values_low; /* number of rows, and of values of y, that a logarithmic axis cannot show */
    guint n_inputs;
    const Key *key[INPUTS_MAX];     /* [n_inputs]: keys of the inputs; NULL: the column `overrides`, which is no key */
    int column[INPUTS_MAX];         /* [n_inputs]: index of the input's column in the file; -1: there is none */
    GPtrArray *series;              /* Series *, in the order of the file; plot.c sorts them later */
    gboolean differs[INPUTS_MAX];   /* [n_inputs]: whether the series differ in the input */
} Plot;

static inline Series *plot_nth_series(const Plot *plot, guint i)
{
    return g_ptr_array_index(plot->series, i);
}

/* Compares two doubles. Points are compared by their x, which comes first. */
int plot_compare_first(gconstpointer a, gconstpointer b);

/* Returns how the column of that name is drawn. */
Quantity plot_quantity(const char *name);

/* Returns the name of an input: that of its key, or "overrides". */
const char *plot_input_name(const Plot *plot, guint input);

/* Whether the labels of curves have the key's value beside the algorithm's name, if the algorithm takes the key. */
gboolean plot_is_with_algorithm(const Key *key);

/* Whether the algorithm does not take the key: the algorithm's name and the dimension settle the key's value. */
gboolean plot_follows(const Key *key, const char *algorithm);

/* Reads the rows of the CSV into series. Errors: see plot_script(). Always needs
 * plot_curves_clear() afterwards. */
gboolean plot_curves_read(Plot *plot, GError **error);
void plot_curves_clear(Plot *plot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plot, plot_curves_clear)

/* Prints on standard error how many rows and values a logarithmic axis has left out. */
void plot_report_left_out(const Plot *plot);

/* Whether a column suits a logarithmic axis: all values are above 0, and half are below a quarter of the largest. */
gboolean plot_spreads(const Csv *csv, const char *column);
