/* Curves from the CSV of runs and sweeps, as a script for gnuplot. */
#pragma once

#include "curves.h"

#include <glib.h>

/* What runs are drawn over if nobody says it: "dimension" where only dimensions differ, or runs have
 * no size, else "bytes". */
const char *plot_default_x(const Csv *csv);

/* The script that draws the file `csv`, read from `path`, on gnuplot's standard output: for each of options->y one
 * curve for all runs that differ in x alone (curves.h), labelled by what it does not share with the others. Rows
 * without a value of y (a formula that does not apply, a run that failed) are left out. The same file gives the same
 * script. Errors, ECUBE_ERROR_INPUT: not the columns of `ecube run`; no such column; a cell that is no number; nothing
 * to draw. Caller frees. */
char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error);
