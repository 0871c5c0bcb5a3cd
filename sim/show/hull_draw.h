/* The hull of optimality as a picture, in the manner of Bokhari 1993, figure 1. */
#pragma once

#include "gnuplot.h"
#include "models/hull.h"
#include "sim/text/csv.h"

/* Lines to draw beside the faces. */
typedef struct {
    const HullCosts *costs;     /* costs by which lines of all partitions are drawn: their times are straight lines over
                                 * the size */
    gboolean two_meet;          /* whether to draw a circle where all partitions of two parts take the same time */
} HullLines;

/* Whether a CSV has columns from_bytes and slope_us_per_byte, as that of `ecube hull`. */
gboolean hull_draw_is_hull(const Csv *csv);

/* Returns the gnuplot script for the CSV of `ecube hull`, read from `path`. `lines` must be NULL if the CSV has several
 * dimensions. Error: ECUBE_ERROR_INPUT if a cell is no number, a column is missing, or there are no or too many rows.
 * Caller frees. */
char *hull_draw_script(const Csv *csv, const char *path, const char *title, const HullLines *lines, PlotFormat format,
                       GError **error);
