/* Curves of the CSV of runs and sweeps, as a script for gnuplot. */
#pragma once

#include "gnuplot.h"
#include "sim/text/csv.h"

typedef struct {
    const char *x;              /* a column of numbers, or a machine key that the rows override */
    char **y;                   /* columns of numbers, at least one, NULL-terminated: times in µs, or one column */
    gboolean log_x, log_y;      /* leave out values that are not above 0, and say so on standard error */
    PlotFormat format;
} PlotOptions;

/* Returns the default of x: "bytes", unless only dimensions differ or runs have no size; then "dimension", or
 * "processors" if these differ in the same dimension. */
const char *plot_default_x(const Csv *csv);

/* Returns the script that draws `csv`, read from `path`. For each of options->y, all runs that differ in x alone form a
 * curve, labelled by its differences to others. Rows without a value of y are left out. Error: ECUBE_ERROR_INPUT if the
 * columns of `ecube run` or a wanted column are missing, a cell is no number, or nothing can be drawn. Caller frees. */
char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error);

/* Replaces old names of patterns by their present names. */
void plot_rename_patterns(Csv *csv);

/* The column of measured times. */
#define PLOT_MEASURED "minimum_us"

/* Adds the column minimum_us of the file `measured_path` to the rows of the same runs in `csv`, the output of `ecube
 * run` or `ecube sweep` in file `path`. Machine and overrides may differ. The least of several times counts. Rows of
 * the baselines of ecube-mpi, which have no prediction, are appended. Error: ECUBE_ERROR_INPUT if `measured` lacks the
 * column or `csv` has it, a time is no number, or no run is in both. */
gboolean plot_add_measured(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error);
