/* The CSV of runs and sweeps as curves: a script for gnuplot. */
#pragma once

#include "gnuplot.h"
#include "sim/text/csv.h"

typedef struct {
    const char *x;              /* a column of numbers, or a machine key that the rows override */
    char **y;                   /* columns of numbers, times in µs or all the same; NULL-terminated, at least one */
    gboolean log_x, log_y;      /* leaves out what is not above 0, and says so on standard error */
    PlotFormat format;
} PlotOptions;

/* What runs are drawn over by default: "dimension" where only dimensions differ, or runs have no size, else "bytes". */
const char *plot_default_x(const Csv *csv);

/* The script that draws the file `csv`, read from `path`: for each of options->y one curve for all runs that differ in
 * x alone, labelled by what it does not share with the others. Rows without a value of y are left out. Errors,
 * ECUBE_ERROR_INPUT: not the columns of `ecube run`; no such column; a cell that is no number; nothing to draw. Caller
 * frees. */
char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error);

/* Gives patterns that have a new name that one. */
void plot_rename_patterns(Csv *csv);

/* The column of measured times. */
#define PLOT_MEASURED "minimum_us"

/* Adds to the rows of `csv`, the file `path`, of `ecube run` or `ecube sweep`, the column minimum_us of `measured`, the
 * file `measured_path`, where that has the same run; its machine, and what overrides that, may be others. Of several
 * times of a run the least counts. Rows of the baselines of ecube-mpi, which nothing predicts, are added. Errors,
 * ECUBE_ERROR_INPUT: a column that is missing, or there already; no run in common. */
gboolean plot_add_measured(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error);
