/* Curves of the CSV of runs and sweeps, as a script for gnuplot. */
#pragma once

#include "plot_options.h"
#include "sim/text/csv.h"

/* Returns the default of x: "bytes", unless only dimensions differ or runs have no size; then "dimension", or
 * "processors" if these differ in the same dimension. */
const char *plot_default_x(const Csv *csv);

/* Returns the script that draws `csv`, read from `path`. For each of options->y, all runs that differ in x alone form
 * a curve, whose label says what it does not share with all others. If each curve is one point, and all have one x,
 * their times are bars. Rows without a value of y are left out. Error: ECUBE_ERROR_INPUT if the columns of `ecube
 * run` or a wanted column are missing, a cell is no number, or nothing can be drawn. Caller frees. */
char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error);

/* Replaces old names of patterns by their present names. */
void plot_rename_patterns(Csv *csv);
