/* Curves of a CSV of runs: the values of x and y in its rows, in series that differ in nothing else. */
#pragma once

#include "plot_options.h"
#include "sim/run/keys.h"
#include "sim/text/csv.h"

/* A column as an axis. */
typedef struct {
    const char *name, *shown;
    gboolean time_us;
    guint dash;         /* gnuplot's dash type; 0: by its index in y */
    gboolean measured;  /* drawn as points alone, over lines without points */
} Quantity;

/* Most columns that distinguish runs: those of the keys of [run], and overrides. */
#define INPUTS_MAX 32
#define OVERRIDES "overrides"

/* A curve: the runs that differ in x alone; of a map, in x and y. */
typedef struct {
    const char *input[INPUTS_MAX];  /* [n_inputs] borrowed from the file, or interned; "": says nothing */
    GArray *points;                 /* double[1 + n_y], x and the values of y (NAN: none); sorted by x */
    guint number;                   /* index in the order of the file */
    char *label;                    /* name of the curve, for people; NULL until plot.c names it */
    const char *colour;             /* "#0072B2", of `palette` */
} Series;

/* The caller sets csv, path, options, panel and is_below. */
typedef struct {
    const Csv *csv;
    const char *path;
    const PlotOptions *options;
    const char *panel;              /* value of the column options->panels in the rows to be read; NULL: all rows */
    gboolean is_below;              /* whether it is the panel options->below of another plot */
    Quantity *y;                    /* [n_y] */
    guint n_y;
    gboolean any_dash, any_measured;    /* whether any of y has a dash type, or is measured */
    double largest;                 /* the largest value of y */
    guint n_rows_low, n_values_low; /* left out of logarithmic axes: rows by x, values of y */
    guint n_inputs;
    const Key *key[INPUTS_MAX];     /* [n_inputs]; NULL: the column overrides, which is no key */
    int column[INPUTS_MAX];         /* [n_inputs]; -1: the file has none */
    GPtrArray *series;              /* Series, until sorted in the order of the file */
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

/* Whether the algorithm's name settles the key: an exchange that does not take it derives it from the dimension. */
gboolean plot_follows(const Key *key, const char *algorithm);

/* Reads the rows of the CSV into series. Errors as of plot_script(). plot_curves_clear() frees, after an error, too. */
gboolean plot_curves_read(Plot *plot, GError **error);
void plot_curves_clear(Plot *plot);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plot, plot_curves_clear)

/* Prints how many rows and values a logarithmic axis has left out, on standard error. */
void plot_report_left_out(const Plot *plot);

/* Whether a logarithmic axis shows a column better: all values are above 0, and half are below a fourth of the
 * largest. */
gboolean plot_spreads(const Csv *csv, const char *column);
