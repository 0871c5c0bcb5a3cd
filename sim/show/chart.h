/* Charts of a page, as SVG, which need no script. All text is escaped. */
#pragma once

#include "sim/engine/trace.h"

/* A run in chart_race(). */
typedef struct {
    const char *name;
    guint colour;           /* from palette_choose(); from PALETTE_SIZE on the line is dashed */
    const GArray *dates;    /* gint64: dates in ps, sorted, at which blocks or messages arrive; NULL: no curve */
} ChartLine;

/* Returns a chart of the share of arrivals that has come at each time. Each of lines[n] is a curve with its name, all
 * on one axis of time. "" if nothing arrives. Caller frees. */
char *chart_race(const ChartLine *lines, guint n);

typedef struct {
    double x, y;
} ChartPoint;

/* A curve of chart_curves(). */
typedef struct {
    const char *name;
    guint colour;           /* as ChartLine.colour */
    GArray *points;         /* ChartPoint, sorted by x */
} ChartCurve;

typedef struct {
    const char *y_unit;
    double y_divisor;       /* the axis shows y / y_divisor, in `y_unit` */
    double y_most;          /* largest y of the axis; points above it are drawn at its end */
    gboolean log_x, log_y;  /* whether the axis is logarithmic; a logarithmic x axis shows values below 1 at 1 */
} ChartLook;

/* Returns a chart of curves[n], each with its name; "" if there is nothing to draw. A screen reader reads `label` out
 * instead of the chart. Caller frees. */
char *chart_curves(const ChartCurve *curves, guint n, const char *label, const ChartLook *look);

#define CHART_BINS 256

/* Times for which packets start up, transmit and wait, summed over packets in each of CHART_BINS equal parts of a
 * run. */
typedef struct {
    gint64 ps[CHART_BINS][3];
} ChartBins;

ChartBins chart_bins(const Trace *trace, gint64 time_ps);

/* Returns a chart of how many packets start up, transmit and wait at each time of the run `name`. Caller frees. */
char *chart_activity(const Trace *trace, gint64 time_ps, const char *name);
