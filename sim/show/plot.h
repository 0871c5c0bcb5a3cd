/* Curves of the CSV of runs and sweeps, as a script for gnuplot. */
#pragma once

#include "plot_options.h"
#include "sim/text/csv.h"

/* Returns the default column of x: "bytes" if sizes differ, or if runs have a size and equal dimensions and processors.
 * Else "processors" if these differ and dimensions do not; else "dimension". */
const char *plot_default_x(const Csv *csv);

/* Returns the script that draws `csv`, read from `path`. For each of options->y, all runs that differ in x alone form a
 * curve. A curve's label has the inputs that not all curves share. If all curves are single points at one x, their
 * times are drawn as bars. Rows without a value of y are left out. Error: ECUBE_ERROR_INPUT if the columns of `ecube
 * run` or a wanted column are missing, a cell is no number, nothing can be drawn, or there are too many curves or
 * panels. Caller frees. */
char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error);

/* Replaces former names of patterns by their present names. */
void plot_rename_patterns(Csv *csv);
