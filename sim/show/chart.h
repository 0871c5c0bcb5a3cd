/* Charts of a page, as SVG, which need no script. All text is escaped. */
#pragma once

#include "sim/engine/trace.h"

/* A run in a race. */
typedef struct {
    const char *name;
    guint colour;           /* palette_choose(); from PALETTE_SIZE on the line is dashed */
    const GArray *dates;    /* gint64: dates in ps, sorted, at which blocks or messages arrive */
} ChartLine;

/* Returns a chart of how much has arrived at each time: a curve for each of lines[n], with its name, all on one
 * scale. "" if nothing arrives. Caller frees. */
char *chart_race(const ChartLine *lines, guint n);

typedef struct {
    double x, y;
} ChartPoint;

/* A curve of chart_curves(). */
typedef struct {
    const char *name;
    guint colour;           /* as in ChartLine */
    GArray *points;         /* ChartPoint, by x */
} ChartCurve;

typedef struct {
    const char *y_unit;
    double y_divisor;       /* the axis shows y / y_divisor, in `y_unit` */
    double y_most;          /* upper end of the axis; points above it are drawn at this end */
    gboolean log_x, log_y;  /* whether the axis is logarithmic; on such an x axis values below 1 are drawn at 1 */
} ChartLook;

/* Returns a chart of curves[n], each with its name; "" if there is nothing to draw. `label` is what a screen reader
 * says of the chart. Caller frees. */
char *chart_curves(const ChartCurve *curves, guint n, const char *label, const ChartLook *look);

#define CHART_BINS 256

/* Time for which packets start up, transmit and wait, in each of CHART_BINS equal parts of a run. */
typedef struct {
    gint64 ps[CHART_BINS][3];
} ChartBins;

ChartBins chart_bins(const Trace *trace, gint64 time_ps);

/* Returns a chart of how many packets start up, transmit and wait at each time of the run `name`. Caller frees. */
char *chart_activity(const Trace *trace, gint64 time_ps, const char *name);
