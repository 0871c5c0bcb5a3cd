#include "chart.h"
#include "palette.h"
#include "sim/text/html.h"
#include "sim/text/table.h"

#include <math.h>
#include <string.h>

#define POINTS 256          /* number of points of a line behind its first one */
#define ROW 19              /* height of a line of text in px */

/* Begins a chart whose inner part, above the axis of time, is `height` px high. Coordinates in the inner part are
 * thousandths of its width and height. */
static void chart_begin(GString *out, const char *class, guint height, gint64 end_ps, const char *label)
{
    html_put(out, "<svg class=\"chart %s\" height=\"%u\" role=\"img\" aria-label=\"%s\" data-end=\"%"
             G_GINT64_FORMAT "\">\n<svg viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" height=\"%u\">", class,
             height + 20, label, end_ps, height);
}

static double thousandths(gint64 ps, gint64 of_ps)
{
    return of_ps ? 1000.0 * (double)ps / (double)of_ps : 0;
}

/* Appends a number with one decimal, whatever the locale. */
static void put_decimal(GString *out, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, g_ascii_formatd(text, sizeof text, "%.1f", number));
}

/* Returns the distance in ps of tics that divide an axis of time into 2 to 5 parts: 1, 2 or 5 times a power of ten. */
static gint64 tic_distance(gint64 end_ps)
{
    gint64 power = 1;
    while (power <= end_ps / 50)
        power *= 10;
    return power * (end_ps / power < 5 ? 1 : end_ps / power < 10 ? 2 : end_ps / power < 25 ? 5 : 10);
}

/* Ends the inner part of the chart, appends the axis of time and then `texts`, and ends the chart. */
static void chart_end(GString *out, guint height, gint64 end_ps, const char *texts)
{
    gint64 distance = tic_distance(end_ps);
    g_string_append(out, "</svg>\n");
    for (gint64 at = 0; at <= end_ps; at += distance) {
        double percent = thousandths(at, end_ps) / 10;
        g_autofree char *time = table_time_short(at);
        g_string_append_printf(out, "<text class=\"%s\" x=\"", at == 0 ? "first" : percent > 95 ? "last" : "middle");
        put_decimal(out, percent);
        g_string_append_printf(out, "%%\" y=\"%u\">%s µs</text>", height + 15, time);
    }
    g_string_append_printf(out, "%s</svg>\n", texts);
}

static void put_point(GString *out, double x, double y)
{
    put_decimal(out, x);
    g_string_append_c(out, ',');
    put_decimal(out, y);
    g_string_append_c(out, ' ');
}

static gint64 date_of(const ChartLine *line, guint i)
{
    return g_array_index(line->dates, gint64, i);
}

/* Appends a line from the corner of the chart on. Point k is the date at which a share k / POINTS of the arrivals has
 * come. */
static void put_line(GString *out, const ChartLine *line, gint64 end_ps)
{
    g_string_append_printf(out, "<polyline class=\"line%u%s\" points=\"0,1000 ", line->colour % PALETTE_SIZE,
                           line->colour < PALETTE_SIZE ? "" : " dashed");
    guint64 n = line->dates->len;
    for (guint k = 1; k <= POINTS; k++)
        put_point(out, thousandths(date_of(line, (guint)((k * n + POINTS - 1) / POINTS) - 1), end_ps),
                  1000.0 - 1000.0 * k / POINTS);
    g_string_append(out, "\"/>");
}

/* Appends the name of `line` beside the line, `y` px below the top of a chart of `height` px. */
static void chart_put_name(GString *out, const ChartLine *line, guint y, guint height, gint64 end_ps)
{
    guint last = line->dates->len - 1, at = (guint)((guint64)last * (height - y) / height);
    double percent = thousandths(date_of(line, at), end_ps) / 10;
    g_string_append_printf(out, "<text class=\"name %s line%u\" x=\"", percent > 60 ? "last" : "first",
                           line->colour % PALETTE_SIZE);
    put_decimal(out, percent + (percent > 60 ? -0.8 : 0.8));
    html_put(out, "%%\" y=\"%u\">%s</text>", y + 4, line->name);
}

static int chart_by_end(gconstpointer first, gconstpointer second)
{
    const ChartLine *const *a = first, *const *b = second;
    return trace_order(date_of(*a, (*a)->dates->len - 1), date_of(*b, (*b)->dates->len - 1));
}

char *chart_race(const ChartLine *lines, guint n)
{
    g_autoptr(GPtrArray) shown = g_ptr_array_new();
    for (guint i = 0; i < n; i++)
        if (lines[i].dates && lines[i].dates->len > 0)
            g_ptr_array_add(shown, (gpointer)&lines[i]);
    GString *out = g_string_new(NULL);
    g_autoptr(GString) texts = g_string_new(NULL);
    if (shown->len == 0)
        return g_string_free(out, FALSE);
    g_ptr_array_sort(shown, chart_by_end);
    const ChartLine *slowest = shown->pdata[shown->len - 1];
    gint64 end_ps = date_of(slowest, slowest->dates->len - 1);
    guint height = MAX(170, ROW * shown->len);
    chart_begin(out, "race", height, end_ps, "What has arrived, of all runs, against time");
    for (guint i = 0; i < shown->len; i++) {
        put_line(out, shown->pdata[i], end_ps);
        chart_put_name(texts, shown->pdata[i], (2 * i + 1) * height / (2 * shown->len), height, end_ps);
    }
    /* The page's script moves this clock. Without the script the clock stays outside of the chart. */
    g_string_append_printf(texts, "<rect class=\"clock\" x=\"-1%%\" width=\"1.5\" height=\"%u\"/>\n", height);
    chart_end(out, height, end_ps, texts->str);
    return g_string_free(out, FALSE);
}

/* --- curves --- */

#define HIGH 220            /* height in px of a chart above its axis */
#define LEFT 11.0           /* percent of the chart's width left of the axis, for numbers */
#define WIDE 68.0           /* largest percent of the chart's width for the curves; their names stand behind them */
#define LETTER 1.4          /* percent of a narrow chart's width that a letter of a name takes */

typedef struct {
    double low, high;       /* least and largest value on the axis */
    double wide;            /* x axis: percent of the chart's width from `low` to `high`; y axis: unused */
    gboolean is_log;
} ChartAxis;

/* Returns where a value is between the ends of the axis, from 0 to 1. */
static double chart_share(const ChartAxis *axis, double value)
{
    double at = MIN(MAX(value, axis->low), axis->high), span = axis->high - axis->low;
    if (axis->is_log)
        return axis->high > axis->low ? log(at / axis->low) / log(axis->high / axis->low) : 0;
    return span > 0 ? (at - axis->low) / span : 0;
}

static double x_percent(const ChartAxis *axis, double x)
{
    return LEFT + axis->wide * chart_share(axis, x);
}

static double y_pixel(const ChartAxis *axis, double y)
{
    return 8 + (HIGH - 8) * (1 - chart_share(axis, y));
}

/* Fills in the axes from `look` and the points. The x axis leaves room for the names behind the curves. */
static void find_axes(const ChartCurve *curves, guint n, const ChartLook *look, ChartAxis *x, ChartAxis *y)
{
    *x = (ChartAxis){look->log_x ? INFINITY : 0, 0, WIDE, look->log_x};
    *y = (ChartAxis){look->log_y ? INFINITY : 0, look->y_most, 0, look->log_y};
    for (guint i = 0; i < n; i++) {
        x->wide = MIN(x->wide, MAX(WIDE / 2, 99 - LEFT - LETTER * (double)g_utf8_strlen(curves[i].name, -1)));
        for (guint k = 0; k < curves[i].points->len; k++) {
            const ChartPoint *point = &g_array_index(curves[i].points, ChartPoint, k);
            x->low = look->log_x ? MIN(x->low, MAX(1, point->x)) : x->low;
            x->high = MAX(x->high, point->x);
            y->low = look->log_y && point->y > 0 ? MIN(y->low, point->y) : y->low;
        }
    }
}

/* Returns the round numbers at the tics (GArray of double): values divided by `divisor`. On a linear axis they have
 * equal distances. On a logarithmic axis they are 1, 2, 5, 10, ..., or powers of ten if it is long. Caller unrefs. */
static GArray *axis_tics(const ChartAxis *axis, double divisor)
{
    GArray *tics = g_array_new(FALSE, FALSE, sizeof(double));
    double low = axis->low / divisor, high = axis->high / divisor;
    if (!axis->is_log) {
        double power = pow(10, floor(log10(high / 2))), step = power;
        for (guint i = 0; high / step > 5; i++)
            step = power * (i == 0 ? 2 : i == 1 ? 5 : 10);
        for (guint k = 0; k * step <= high * 1.0001; k++)
            g_array_append_val(tics, (double){k * step});
        return tics;
    }
    static const double digits[] = {1, 2, 5};
    guint each = high / low < 1e4 ? G_N_ELEMENTS(digits) : 1;
    for (double power = pow(10, floor(log10(low))); power <= high; power *= 10)
        for (guint i = 0; i < each; i++) {
            double tic = power * digits[i];
            if (tic >= low && tic <= high)
                g_array_append_val(tics, tic);
        }
    return tics;
}

/* Appends an attribute of SVG: " NAME=\"NUMBER%\"" with `unit` "%", " NAME=\"NUMBER\"" with `unit` "". */
static void put_attribute(GString *out, const char *name, double number, const char *unit)
{
    g_string_append_printf(out, " %s=\"", name);
    put_decimal(out, number);
    g_string_append_printf(out, "%s\"", unit);
}

static void put_segment(GString *out, const char *class, double x1, double y1, double x2, double y2)
{
    g_string_append_printf(out, "<line class=\"%s\"", class);
    put_attribute(out, "x1", x1, "%");
    put_attribute(out, "y1", y1, "");
    put_attribute(out, "x2", x2, "%");
    put_attribute(out, "y2", y2, "");
    g_string_append(out, "/>");
}

static void put_label(GString *out, const char *class, double x, double y, const char *text)
{
    g_string_append_printf(out, "<text class=\"%s\"", class);
    put_attribute(out, "x", x, "%");
    put_attribute(out, "y", y, "");
    html_put(out, ">%s</text>", text);
}

/* Appends the tics of both axes, with their numbers. */
static void put_axes(GString *out, const ChartAxis *x, const ChartAxis *y, const ChartLook *look)
{
    g_autoptr(GArray) across = axis_tics(x, 1), up = axis_tics(y, look->y_divisor);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint i = 0; i < up->len; i++) {
        double tic = g_array_index(up, double, i), at = y_pixel(y, tic * look->y_divisor);
        g_ascii_formatd(number, sizeof number, "%.6g", tic);
        g_autofree char *text = g_strconcat(number, " ", look->y_unit, NULL);
        put_segment(out, "grid", LEFT, at, LEFT + x->wide, at);
        put_label(out, "last", LEFT - 0.8, at + 4, text);
    }
    for (guint i = 0; i < across->len; i++) {
        double tic = g_array_index(across, double, i);
        put_label(out, "middle", x_percent(x, tic), HIGH + 15, g_ascii_formatd(number, sizeof number, "%.6g", tic));
    }
}

static void chart_put_curve(GString *out, const ChartCurve *curve, const ChartAxis *x, const ChartAxis *y)
{
    g_autofree char *class = g_strdup_printf("line%u%s", curve->colour % PALETTE_SIZE,
                                             curve->colour < PALETTE_SIZE ? "" : " dashed");
    for (guint k = 0; k < curve->points->len; k++) {
        const ChartPoint *at = &g_array_index(curve->points, ChartPoint, k);
        double across = x_percent(x, at->x), down = y_pixel(y, at->y);
        if (k > 0)
            put_segment(out, class, x_percent(x, at[-1].x), y_pixel(y, at[-1].y), across, down);
        g_string_append_printf(out, "<circle class=\"line%u\" r=\"3\"", curve->colour % PALETTE_SIZE);
        put_attribute(out, "cx", across, "%");
        put_attribute(out, "cy", down, "");
        g_string_append(out, "/>");
    }
}

static double last_y(const ChartCurve *curve)
{
    return g_array_index(curve->points, ChartPoint, curve->points->len - 1).y;
}

static int compare_last(gconstpointer first, gconstpointer second)
{
    const ChartCurve *a = *(const ChartCurve *const *)first, *b = *(const ChartCurve *const *)second;
    return (last_y(a) < last_y(b)) - (last_y(a) > last_y(b));
}

/* Appends the curves' names behind the curves' ends, from top to bottom without overlap. Returns the height in px that
 * they take. */
static guint put_names(GString *out, GPtrArray *shown, const ChartAxis *x, const ChartAxis *y)
{
    double below = 0;
    g_ptr_array_sort(shown, compare_last);
    for (guint i = 0; i < shown->len; i++) {
        const ChartCurve *curve = shown->pdata[i];
        g_autofree char *class = g_strdup_printf("name first line%u", curve->colour % PALETTE_SIZE);
        below = MAX(below + 15, y_pixel(y, last_y(curve)) + 4);
        put_label(out, class, LEFT + x->wide + 1, below, curve->name);
    }
    return (guint)below + 6;
}

char *chart_curves(const ChartCurve *curves, guint n, const char *label, const ChartLook *look)
{
    ChartAxis x, y;
    g_autoptr(GPtrArray) shown = g_ptr_array_new();
    g_autoptr(GString) inner = g_string_new(NULL);
    g_autofree char *text = g_markup_escape_text(label, -1);
    find_axes(curves, n, look, &x, &y);
    for (guint i = 0; i < n; i++)
        if (curves[i].points->len > 0)
            g_ptr_array_add(shown, (gpointer)&curves[i]);
    if (shown->len == 0 || !(y.high > 0) || !(x.high > 0))
        return g_strdup("");
    put_axes(inner, &x, &y, look);
    for (guint i = 0; i < shown->len; i++)
        chart_put_curve(inner, shown->pdata[i], &x, &y);
    guint high = put_names(inner, shown, &x, &y);
    return g_strdup_printf("<svg class=\"chart curves\" height=\"%u\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n",
                           MAX(high, HIGH + 20), text, inner->str);
}

/* --- activity --- */

static const struct {
    TraceKind kind;
    const char *class;
} layers[] = {{TRACE_STARTUP, "startup"}, {TRACE_TRANSMIT, "transmit"}, {TRACE_WAIT, "wait"}};

/* Adds to layer `layer` (an index of `layers`) of each bin the part of the interval in it. The run takes `time_ps`. */
static void bins_add(ChartBins *bins, guint layer, gint64 start_ps, gint64 end_ps, gint64 time_ps)
{
    for (gint64 k = start_ps / (time_ps / CHART_BINS + 1); k < CHART_BINS; k++) {
        gint64 width = time_ps / CHART_BINS + 1, from_ps = MAX(start_ps, k * width);
        gint64 part_ps = MIN(end_ps, (k + 1) * width) - from_ps;
        if (part_ps <= 0)
            return;
        bins->ps[k][layer] += part_ps;
    }
}

ChartBins chart_bins(const Trace *trace, gint64 time_ps)
{
    ChartBins bins = {0};
    for (guint i = 0; i < trace->intervals->len; i++)
        for (guint layer = 0; layer < G_N_ELEMENTS(layers); layer++)
            if (trace_nth(trace, i)->kind == layers[layer].kind)
                bins_add(&bins, layer, trace_nth(trace, i)->start_ps, trace_nth(trace, i)->end_ps, time_ps);
    return bins;
}

char *chart_activity(const Trace *trace, gint64 time_ps, const char *name)
{
    const ChartBins bins = chart_bins(trace, time_ps);
    gint64 width = time_ps / CHART_BINS + 1, below[CHART_BINS + 1] = {0}, most = 1;
    for (guint k = 0; k < CHART_BINS; k++)
        most = MAX(most, bins.ps[k][0] + bins.ps[k][1] + bins.ps[k][2]);
    GString *out = g_string_new(NULL);
    g_autofree char *label = g_strdup_printf("%s: packets that start up, transmit and wait; at most %.0f at once", name,
                                             (double)most / (double)width);
    html_put(out, "<p>%s</p>\n", label);
    chart_begin(out, "activity", 170, time_ps, label);
    for (guint layer = 0; layer < G_N_ELEMENTS(layers); layer++) {
        g_string_append_printf(out, "<polygon class=\"%s\" points=\"", layers[layer].class);
        for (guint k = CHART_BINS; k-- > 0;)
            put_point(out, 1000.0 * k / CHART_BINS, 1000 - thousandths(below[k], most));
        for (guint k = 0; k < CHART_BINS; k++) {
            below[k] += bins.ps[k][layer];
            put_point(out, 1000.0 * k / CHART_BINS, 1000 - thousandths(below[k], most));
        }
        g_string_append(out, "\"/>");
    }
    chart_end(out, 170, time_ps, "");
    return g_string_free(out, FALSE);
}
