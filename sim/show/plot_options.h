/* What a figure of runs shows. */
#pragma once

#include "gnuplot.h"

typedef struct {
    const char *x;              /* a column of numbers, or a machine key that the rows override */
    char **y;                   /* columns of numbers, at least one, NULL-terminated: times in µs, or one column */
    gboolean log_x, log_y;      /* leave out values that are not above 0, and say so on standard error */
    PlotFormat format;
    gboolean is_map;            /* y[0] is a key, and each place in x and y has the colour of its curve; y[1] is the
                                 * margin */
    const char *panels;         /* column with a panel for each of its values, or an overridden key; NULL: one panel */
    const char *below;          /* column of shares, drawn as points in a panel below, from 0 up and down; NULL: none.
                                 * Not with a map or panels */
    gint64 limits[2];           /* values of x at which a line stands; 0: none */
} PlotOptions;
