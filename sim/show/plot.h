/* Curves from the CSV of runs and sweeps, as a script for gnuplot. */
#ifndef ECUBE_PLOT_H
#define ECUBE_PLOT_H

#include "sim/text/csv.h"

#include <glib.h>

typedef enum { PLOT_SVG, PLOT_PNG } PlotFormat;

typedef struct {
    const char *x;              /* a column of numbers, or a machine key that the rows override */
    char **y;                   /* columns of numbers, times in µs or all the same; NULL-terminated, at least one */
    gboolean log_x, log_y;      /* leaves out what is not above 0 */
    PlotFormat format;
} PlotOptions;

/* The script that draws the file `csv`, read from `path`, on gnuplot's standard output: for each of options->y one
 * curve per machine, dimension, pattern, algorithm, partition, size and overrides, x aside. Rows without a value of y
 * (a formula that does not apply, a run that failed) are left out. The same file gives the same script. Errors,
 * ECUBE_ERROR_INPUT: not the columns of `ecube run`; no such column; a cell that is no number; nothing to draw. Caller
 * frees. */
char *plot_script(const Csv *csv, const char *path, const PlotOptions *options, GError **error);

#endif
