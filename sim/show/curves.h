/* The rows of a CSV as curves: runs that differ in x alone, and what sets the curves apart. */
#pragma once

#include "gnuplot.h"
#include "sim/run/keys.h"
#include "sim/text/csv.h"

typedef struct {
    const char *x;              /* a column of numbers, or a machine key that the rows override */
    char **y;                   /* columns of numbers, times in µs or all the same; NULL-terminated, at least one */
    gboolean log_x, log_y;      /* leaves out what is not above 0 */
    PlotFormat format;
} PlotOptions;

/* How a column of numbers is shown. */
typedef struct {
    const char *name, *shown;
    gboolean time_us;
    guint dash;         /* gnuplot's dash type; 0: by its place in the list of y */
    gboolean measured;  /* drawn as points alone, over lines without points */
} Quantity;

Quantity quantity_of(const char *name);

/* What sets runs apart: the keys that are columns of the record, those of the machine aside, and behind them what is
 * overridden of the machine. */
#define INPUTS_MAX 32
#define OVERRIDES "overrides"

/* Runs that differ in x alone. */
typedef struct {
    const char *input[INPUTS_MAX];  /* [n_inputs] borrowed from the file; "" if it says nothing about the curve */
    char *overrides;                /* without x; the last of the inputs */
    char *key;                      /* the inputs together */
    GArray *points;                 /* double[1 + n_y], by the first, x; of y NAN where there is none */
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

/* Reads the rows of plot->csv, for plot->options, into curves; the rest of `plot` is 0. Rows without a value of y are
 * left out. Errors: as plot_script(). To be cleared, also after an error. */
gboolean curves_read(Plot *plot, GError **error);
void curves_clear(Plot *plot);

static inline const Series *nth_series(const Plot *plot, guint i)
{
    return g_ptr_array_index(plot->series, i);
}

/* A point of a curve: x, then y. */
static inline const double *nth_point(const Plot *plot, const GArray *curve, guint i)
{
    return &g_array_index(curve, double, i * (1 + plot->n_y));
}

/* The name of an input's column. */
const char *input_name(const Plot *plot, guint input);

/* Whether a key's value stands beside the algorithm's name in every label. */
gboolean curves_is_with_algorithm(const Key *key);

/* Whether what an algorithm takes is known of its name: an exchange that does not take it has it of its dimension. */
gboolean curves_follows(const Key *key, const char *algorithm);
