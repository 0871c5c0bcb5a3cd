/* Charts of a page, as SVG, which need no script. All text is escaped. */
#pragma once

#include "sim/engine/trace.h"

/* The number of line colours in the page's style, --line0 and on. */
#define CHART_COLOURS 8

/* A run in a race. */
typedef struct {
    const char *name;
    guint colour;           /* index of the line's colour; from CHART_COLOURS on the line is dashed */
    const GArray *dates;    /* gint64: sorted dates in ps at which what is counted arrives */
} ChartLine;

/* Returns how much has arrived at which time, of lines[n], on one scale; each line has its name. "" if nothing arrives.
 * Caller frees. */
char *chart_race(const ChartLine *lines, guint n);

#define CHART_BINS 256

/* The time for which packets start up, transmit and wait, by parts of a run. */
typedef struct {
    gint64 ps[CHART_BINS][3];
} ChartBins;

ChartBins chart_bins(const Trace *trace, gint64 time_ps);

/* Returns how many packets start up, transmit and wait at which time of a run. Caller frees. */
char *chart_activity(const Trace *trace, gint64 time_ps, const char *name);
