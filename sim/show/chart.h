/* Charts of a page, as SVG, which need no script. All text is escaped. */
#pragma once

#include "sim/engine/trace.h"

/* A run in a race. */
typedef struct {
    const char *name;
    guint colour;           /* palette_choose(); from PALETTE_SIZE on the line is dashed */
    const GArray *dates;    /* gint64: sorted dates in ps at which what is counted arrives */
} ChartLine;

/* Returns how much has arrived at which time, of lines[n], on one scale; each line has its name. "" if nothing arrives.
 * Caller frees. */
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
    double y_divisor;       /* how much of y is one `y_unit` */
    double y_most;          /* what lies above is drawn at the upper edge */
    gboolean log_x, log_y;  /* logarithmic axes; on such an x, what is below 1 is drawn at 1 */
} ChartLook;

/* Returns a chart of curves[n], each with its name; "" if no curve has a point. `label` is what a screen reader says of
 * the chart. Caller frees. */
char *chart_curves(const ChartCurve *curves, guint n, const char *label, const ChartLook *look);

#define CHART_BINS 256

/* The time for which packets start up, transmit and wait, by parts of a run. */
typedef struct {
    gint64 ps[CHART_BINS][3];
} ChartBins;

ChartBins chart_bins(const Trace *trace, gint64 time_ps);

/* Returns how many packets start up, transmit and wait at which time of a run. Caller frees. */
char *chart_activity(const Trace *trace, gint64 time_ps, const char *name);
