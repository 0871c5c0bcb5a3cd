/* Options of a figure of runs: its axes, format and panels. */
#pragma once

#include "gnuplot.h"

typedef struct {
    const char *x;              /* a column of numbers, an overridden machine key, or KeyNumber.name (key.h) */
    char **y;                   /* one column of numbers, or several columns of times in µs; NULL-terminated */
    gboolean log_x, log_y;      /* logarithmic axes; values ≤ 0 are left out, and counted on standard error */
    PlotFormat format;
    gboolean is_map;            /* whether the figure is a map. y[0] is then a key on the upright axis, the colour at x
                                 * and y[0] shows the best algorithm, and y[1] is the margin */
    const char *panels;         /* column or overridden key; each of its values has a panel. NULL: one panel */
    const char *below;          /* column of shares, drawn as points in a second panel; not with is_map or `panels`;
                                 * NULL: none */
    gint64 limits[2];           /* values of x at which an upright line stands; 0: none */
} PlotOptions;
