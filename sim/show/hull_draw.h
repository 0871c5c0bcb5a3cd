/* The hull of optimality as a picture, in the manner of Bokhari 1993, figure 1. */
#pragma once

#include "gnuplot.h"
#include "models/hull.h"
#include "sim/text/csv.h"

/* What is drawn beside the faces, which are straight lines at all sizes. */
typedef struct {
    const HullCosts *costs;     /* lines of all partitions */
    gboolean two_meet;          /* a circle where all partitions of two parts take the same time */
} HullLines;

/* Whether a CSV is what `ecube hull` writes. */
gboolean hull_draw_is_hull(const Csv *csv);

/* The script for the CSV of `ecube hull`, read from `path`, of one dimension or more. `lines` may be NULL, and counts
 * with one dimension alone. Errors: ECUBE_ERROR_INPUT, a cell is no number, or no row. Caller frees. */
char *hull_draw_script(const Csv *csv, const char *path, const char *title, const HullLines *lines, PlotFormat format,
                       GError **error);
