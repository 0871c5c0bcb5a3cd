/* Curves of a CSV of runs: the values of x and y in its rows, in series that differ in nothing else. */
#pragma once

#include "plot_options.h"
#include "sim/run/keys.h"
#include "sim/text/csv.h"

/* A column as an axis. */
typedef struct {
    const char *name, *shown;
    gboolean time_us;
    guint dash;         /* gnuplot's dash type; 0: chosen by the column's place in options->y */
    gboolean measured;  /* whether it is drawn as points; other columns are then lines without points */
} Quantity;

/* Limit of columns that distinguish runs: those of the keys of [run], and overrides. */
#define INPUTS_MAX 32
#define OVERRIDES "overrides"

/* Curve: runs that differ in x alone. In a map: runs that differ in x and y alone. */
typedef struct {
    const char *input[INPUTS_MAX];  /* [n_inputs]: values, of the file or interned; "" if the input does not count */
    GArray *points;                 /* double[1 + n_y], x and the values of y (NAN: none); sorted by x */
    guint number;                   /* index in the order of the file */
    char *label;                    /* name of the curve, for people; NULL until plot.c names it */
    const char *colour;             /* "#0072B2", of `palette` */
} Series;

/* Curves of a panel. The caller sets csv, path, options, panel and is_below; plot_curves_read() the rest. */
typedef struct {
    const Csv *csv;
    const char *path;
    const PlotOptions *options;
    const char *panel;              /* value of the column options->panels in the rows to be read; NULL: all rows */
    gboolean is_below;              /* whether it is the panel options->below of another plot */
    Quantity *y;                    /* [n_y] */
    guint n_y;
    gboolean any_dash, any_measured;    /* whether any column of y has a dash type; whether any is measured */
    double largest;                 /* the largest value of y */
    guint n_rows_low, n_values_low; /* rows, and values of y, that a logarithmic axis cannot show */
    guint n_inputs;
    const Key *key[INPUTS_MAX];     /* [n_inputs]; NULL: the column overrides, which is no key */
    int column[INPUTS_MAX];         /* [n_inputs]: column of the file; -1: it has none */
    GPtrArray *series;              /* Series, in the order of the file until somebody sorts them */
    gboolean differs[INPUTS_MAX];   /* [n_inputs]: whether the series differ in it */
} Plot;

static inline Series *plot_nth_series(const Plot *plot, guint i)
{
    return g_ptr_array_index(plot->series, i);
}

/* Compares two doubles, or points by their x. */
int plot_compare_first(gconstpointer a, gconstpointer b);

/* Returns how the column of that name is drawn. */
Quantity plot_quantity(const char *name);

/* Returns the name of an input: that of its key, or "overrides". */
const char *plot_input_name(const Plot *plot, guint input);

/* Whether a key's value stands beside the algorithm's name in every label. */
gboolean plot_is_with_algorithm(const Key *key);

/* Whether the algorithm does not take the key: its name and the dimension settle the key's value. */
gboolean plot_follows(const Key *key, const char *algorithm);

/* Reads the rows of the CSV into series. Errors: see plot_script(). Always needs plot_curves_clear() afterwards. */
gboolean plot_curves_read(Plot *plot, GError **error);
void plot_curves_clear(Plot *plot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plot, plot_curves_clear)

/* Prints how many rows and values a logarithmic axis has left out, on standard error. */
void plot_report_left_out(const Plot *plot);

/* Whether a column suits a logarithmic axis: all values are above 0, and half are below a quarter of the largest. */
gboolean plot_spreads(const Csv *csv, const char *column);
