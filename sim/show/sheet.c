#include "sheet.h"
#include "chart.h"
#include "gnuplot.h"
#include "page.h"
#include "palette.h"
#include "plot.h"
#include "plot_curves.h"
#include "plot_rows.h"
#include "sim/run/keys.h"
#include "sim/text/html.h"
#include "sim/text/input.h"
#include "sim/text/table.h"

#include <math.h>
#include <string.h>

/* --- the rows as panels of curves --- */

/* One run of a panel. */
typedef struct {
    double x, us;
    double contention_us;   /* simulated less contention-free time in µs; 0 if that is not known */
} SheetPoint;

/* A curve of a panel: all its runs with one algorithm, and one partition or list of offsets. */
typedef struct {
    char *name;
    const char *algorithm;
    guint colour;           /* as palette_choose() sets it; curves with one name have one colour in the whole sheet */
    GArray *points;         /* SheetPoint, sorted by x, at most one for each x */
} SheetCurve;

typedef struct {
    char *task;             /* plot_task(), which all rows of the panel share */
    guint row;              /* index of the panel's first row */
    GPtrArray *curves;      /* SheetCurve */
} SheetPanel;

typedef struct {
    const Csv *csv;
    const char *path, *y;
    char *x;                /* column or overridden key that is on the x axis */
    GPtrArray *panels;      /* SheetPanel, in the order of the rows */
    guint n_runs, n_failed;
} Sheet;

static void sheet_curve_free(gpointer data)
{
    SheetCurve *curve = data;
    g_free(curve->name);
    g_array_unref(curve->points);
    g_free(curve);
}

static void sheet_panel_free(gpointer data)
{
    SheetPanel *panel = data;
    g_free(panel->task);
    g_ptr_array_unref(panel->curves);
    g_free(panel);
}

static void sheet_forget(Sheet *sheet)
{
    g_free(sheet->x);
    if (sheet->panels)
        g_ptr_array_unref(sheet->panels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sheet, sheet_forget)

static const SheetCurve *sheet_curve(const SheetPanel *panel, guint i)
{
    return panel->curves->pdata[i];
}

/* Returns the name of a row's curve: the algorithm, with the partition or offsets if it needs them. Caller frees. */
static char *sheet_name(const Csv *csv, guint row)
{
    const char *algorithm = csv_named(csv, row, "algorithm"), *offsets = csv_named(csv, row, "offsets");
    const char *partition = csv_named(csv, row, "partition");
    gboolean is_needed = strcmp(algorithm, "standard") != 0 && strcmp(algorithm, "direct") != 0;
    const char *more = *offsets ? offsets : is_needed ? partition : "";
    return g_strconcat(algorithm, *more ? " " : "", more, NULL);
}

static SheetPanel *sheet_find_panel(Sheet *sheet, guint row)
{
    g_autofree char *task = plot_task(sheet->csv, row, sheet->x);
    for (guint i = 0; i < sheet->panels->len; i++)
        if (strcmp(((SheetPanel *)sheet->panels->pdata[i])->task, task) == 0)
            return sheet->panels->pdata[i];
    SheetPanel *panel = g_new0(SheetPanel, 1);
    *panel = (SheetPanel){g_steal_pointer(&task), row, g_ptr_array_new_with_free_func(sheet_curve_free)};
    g_ptr_array_add(sheet->panels, panel);
    return panel;
}

/* Adds a point to the panel's curve of that name. Of several points at one x, the curve keeps the one with the least
 * time. */
static void panel_add(SheetPanel *panel, const char *name, const char *algorithm, const SheetPoint *point)
{
    SheetCurve *curve = NULL;
    for (guint i = 0; i < panel->curves->len; i++)
        if (strcmp(sheet_curve(panel, i)->name, name) == 0)
            curve = panel->curves->pdata[i];
    if (!curve) {
        curve = g_new0(SheetCurve, 1);
        *curve = (SheetCurve){g_strdup(name), algorithm, 0, g_array_new(FALSE, FALSE, sizeof(SheetPoint))};
        g_ptr_array_add(panel->curves, curve);
    }
    guint at = curve->points->len;
    while (at > 0 && g_array_index(curve->points, SheetPoint, at - 1).x >= point->x)
        at--;
    SheetPoint *there = at < curve->points->len ? &g_array_index(curve->points, SheetPoint, at) : NULL;
    if (!there || there->x > point->x)
        g_array_insert_vals(curve->points, at, point, 1);
    else if (point->us < there->us)
        *there = *point;
}

/* Reads the row's number in column (or overridden key) `name`; an empty cell is NAN. FALSE with an error if it is no
 * number. */
static gboolean sheet_number(const Sheet *sheet, guint row, const char *name, double *number, GError **error)
{
    g_autofree char *cell = plot_value_of(sheet->csv, row, name);
    *number = NAN;
    return !cell || !*cell || input_parse_decimal(cell, number) ||
           input_refuse(error, "%s: line %u: %s: '%s' is not allowed; allowed: a number", sheet->path,
                        g_array_index(sheet->csv->lines, guint, row), name, cell);
}

static gboolean sheet_add(Sheet *sheet, guint row, GError **error)
{
    SheetPoint point = {0};
    double free_us;
    if (!sheet_number(sheet, row, sheet->x, &point.x, error) || !sheet_number(sheet, row, sheet->y, &point.us, error) ||
        !sheet_number(sheet, row, "contention_free_us", &free_us, error))
        return FALSE;
    sheet->n_runs++;
    if (isnan(point.x) || isnan(point.us)) {
        sheet->n_failed++;
        return TRUE;
    }
    point.contention_us = isnan(free_us) ? 0 : MAX(0, point.us - free_us);
    g_autofree char *name = sheet_name(sheet->csv, row);
    panel_add(sheet_find_panel(sheet, row), name, csv_named(sheet->csv, row, "algorithm"), &point);
    return sheet->panels->len <= SHEET_PANELS_MAX ||
           input_refuse(error, "%s: more than %u panels, one for each of what differs beside algorithm and %s; draw "
                        "some of it by `ecube plot --where`", sheet->path, SHEET_PANELS_MAX, sheet->x);
}

/* Sets the colours of all curves of the sheet. */
static void sheet_choose_colours(const Sheet *sheet)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new(), names = g_ptr_array_new(), algorithms = g_ptr_array_new();
    for (guint p = 0; p < sheet->panels->len; p++) {
        const SheetPanel *panel = sheet->panels->pdata[p];
        for (guint i = 0; i < panel->curves->len; i++) {
            g_ptr_array_add(all, panel->curves->pdata[i]);
            g_ptr_array_add(names, sheet_curve(panel, i)->name);
            g_ptr_array_add(algorithms, (gpointer)sheet_curve(panel, i)->algorithm);
        }
    }
    g_autofree guint *colours = g_new(guint, all->len);
    palette_choose(csv_named(sheet->csv, 0, "pattern"), (const char *const *)names->pdata,
                   (const char *const *)algorithms->pdata, all->len, colours);
    for (guint i = 0; i < all->len; i++)
        ((SheetCurve *)all->pdata[i])->colour = colours[i];
}

static gboolean sheet_read(Sheet *sheet, GError **error)
{
    const Csv *csv = sheet->csv;
    if (csv_column(csv, "algorithm") < 0 || csv_column(csv, sheet->y) < 0)
        return input_refuse(error, "%s: there is no column '%s'; allowed: the CSV of `ecube run`, `ecube sweep` or "
                            "ecube-mpi", sheet->path, csv_column(csv, "algorithm") < 0 ? "algorithm" : sheet->y);
    for (guint row = 0; row < csv->n_rows; row++)
        if (!sheet_add(sheet, row, error))
            return FALSE;
    return sheet->panels->len > 0 || input_refuse(error, "%s: no row has a time", sheet->path);
}

/* --- sentences --- */

static char *sheet_time(double us)
{
    return table_time_shown((gint64)llround(1e6 * us));
}

/* Whether the first rows of all panels have the same value of a key. */
static gboolean sheet_is_shared(const Sheet *sheet, const char *key)
{
    g_autofree char *first = plot_value_of(sheet->csv, 0, key);
    for (guint i = 0; i < sheet->panels->len; i++) {
        g_autofree char *value = plot_value_of(sheet->csv, ((SheetPanel *)sheet->panels->pdata[i])->row, key);
        if (g_strcmp0(first, value) != 0)
            return FALSE;
    }
    return TRUE;
}

/* Returns "machine ipsc860, dimension 6": the row's values of the keys that all panels share (`shared`), or of the
 * others. Leaves out x, the keys that choose the schedule, and processors if there is a dimension. Caller frees. */
static char *sheet_values(const Sheet *sheet, guint row, gboolean shared)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    for (const Key *const *key = keys_of_runs(); *key; key++) {
        const char *name = (*key)->name, *value = csv_named(sheet->csv, row, name);
        if (*value && !plot_is_choice(name) && strcmp(name, sheet->x) != 0 && sheet_is_shared(sheet, name) == shared &&
            !plot_is_given_twice(sheet->csv, row, name))
            g_ptr_array_add(parts, g_strdup_printf("%s %s", name, value));
    }
    g_auto(GStrv) pairs = input_split(csv_named(sheet->csv, row, "overrides"), " ");
    for (guint i = 0; pairs[i]; i++) {
        *strchr(pairs[i], '=') = ' ';
        g_autofree char *name = g_strndup(pairs[i], strcspn(pairs[i], " "));
        if (strcmp(name, sheet->x) != 0 && sheet_is_shared(sheet, name) == shared)
            g_ptr_array_add(parts, g_strdup(pairs[i]));
    }
    g_ptr_array_add(parts, NULL);
    return g_strjoinv(", ", (char **)parts->pdata);
}

/* --- the best at each x --- */

/* Returns the x of all points of a panel, sorted, each once (GArray of double). Caller unrefs. */
static GArray *panel_xs(const SheetPanel *panel)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < panel->curves->len; i++)
        for (guint k = 0; k < sheet_curve(panel, i)->points->len; k++)
            g_array_append_val(all, g_array_index(sheet_curve(panel, i)->points, SheetPoint, k).x);
    g_array_sort(all, plot_compare_first);
    guint n = 0;
    for (guint k = 0; k < all->len; k++)
        if (k == 0 || g_array_index(all, double, k) > g_array_index(all, double, n - 1))
            g_array_index(all, double, n++) = g_array_index(all, double, k);
    g_array_set_size(all, n);
    return all;
}

/* Returns the curve's point at x, or NULL. */
static const SheetPoint *sheet_point_at(const SheetCurve *curve, double x)
{
    guint low = 0, high = curve->points->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        const SheetPoint *point = &g_array_index(curve->points, SheetPoint, middle);
        if (point->x == x)
            return point;
        *(point->x < x ? &low : &high) = point->x < x ? middle + 1 : middle;
    }
    return NULL;
}

static double panel_least(const SheetPanel *panel, double x)
{
    double least = INFINITY;
    for (guint i = 0; i < panel->curves->len; i++) {
        const SheetPoint *point = sheet_point_at(sheet_curve(panel, i), x);
        least = point ? MIN(least, point->us) : least;
    }
    return least;
}

/* Returns how often each curve is the best, the six most frequent first: "direct is the fastest at 5 of 8 points, naive
 * at 3." Of equal curves the first counts. Caller frees. */
static char *sheet_verdict(const Sheet *sheet)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new(), parts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) wins = g_array_new(FALSE, TRUE, sizeof(guint));
    guint n = 0;
    for (guint p = 0; p < sheet->panels->len; p++) {
        const SheetPanel *panel = sheet->panels->pdata[p];
        g_autoptr(GArray) xs = panel_xs(panel);
        for (guint k = 0; k < xs->len; k++, n++)
            for (guint i = 0, found = 0; i < panel->curves->len && !found; i++) {
                const SheetPoint *point = sheet_point_at(sheet_curve(panel, i), g_array_index(xs, double, k));
                found = point && point->us <= panel_least(panel, point->x);
                guint at = 0;
                while (found && at < names->len && strcmp(names->pdata[at], sheet_curve(panel, i)->name) != 0)
                    at++;
                if (found && at == names->len) {
                    g_ptr_array_add(names, sheet_curve(panel, i)->name);
                    g_array_set_size(wins, at + 1);
                }
                if (found)
                    g_array_index(wins, guint, at)++;
            }
    }
    for (guint shown = 0; shown < MIN(6, names->len); shown++) {
        guint most = 0;
        for (guint i = 0; i < names->len; i++)
            most = g_array_index(wins, guint, i) > g_array_index(wins, guint, most) ? i : most;
        g_ptr_array_add(parts, g_strdup_printf(shown ? "%s at %u" : "%s is the fastest at %u of %u points",
                                               (char *)names->pdata[most], g_array_index(wins, guint, most), n));
        g_array_index(wins, guint, most) = 0;
    }
    g_ptr_array_add(parts, NULL);
    g_autofree char *text = g_strjoinv(", ", (char **)parts->pdata);
    return g_strconcat(text, names->len > 6 ? ", others elsewhere." : ".", NULL);
}

/* --- the charts and the table of a panel --- */

typedef enum { SHEET_TIME, SHEET_ABOVE, SHEET_CONTENTION } SheetKind;

static double point_value(const SheetPanel *panel, const SheetPoint *point, SheetKind kind)
{
    double least = panel_least(panel, point->x);
    return kind == SHEET_TIME    ? point->us
           : kind == SHEET_ABOVE ? (least > 0 ? 100 * (point->us / least - 1) : 0)
                                 : (point->us > 0 ? 100 * point->contention_us / point->us : 0);
}

/* Appends a chart of the panel's curves under a heading; nothing if all its values are 0. `x` is the name of the x
 * axis. */
static void put_chart(GString *out, const SheetPanel *panel, SheetKind kind, const char *x)
{
    static const char *const headings[] = {"Time", "Percent above the best (at most 100)",
                                           "Percent of the time lost to contention"};
    g_autofree char *heading = g_strconcat(headings[kind], " against ", x, NULL);
    g_autofree ChartCurve *curves = g_new0(ChartCurve, panel->curves->len);
    double most = 0, largest_x = 0, least_x = INFINITY;
    for (guint i = 0; i < panel->curves->len; i++) {
        const SheetCurve *curve = sheet_curve(panel, i);
        curves[i] = (ChartCurve){curve->name, curve->colour, g_array_new(FALSE, FALSE, sizeof(ChartPoint))};
        for (guint k = 0; k < curve->points->len; k++) {
            const SheetPoint *point = &g_array_index(curve->points, SheetPoint, k);
            ChartPoint at = {point->x, point_value(panel, point, kind)};
            g_array_append_val(curves[i].points, at);
            most = MAX(most, at.y);
            largest_x = MAX(largest_x, at.x);
            least_x = at.x > 0 ? MIN(least_x, at.x) : least_x;
        }
    }
    Scale scale = scale_of_time(most);
    ChartLook look = {.y_unit = kind == SHEET_TIME ? scale.unit : "%",
                      .y_divisor = kind == SHEET_TIME ? scale.divisor : 1, .log_x = largest_x > 64 * least_x,
                      .log_y = kind == SHEET_TIME && largest_x > 64 * least_x,
                      .y_most = kind == SHEET_TIME ? most : MIN(most, 100)};
    g_autofree char *chart = chart_curves(curves, panel->curves->len, heading, &look);
    if (most > 0) {
        html_put(out, "<figure><h3>%s</h3>\n<div class=\"scroll\" tabindex=\"0\">", heading);
        g_string_append_printf(out, "%s</div></figure>\n", chart);
    }
    for (guint i = 0; i < panel->curves->len; i++)
        g_array_unref(curves[i].points);
}

/* Appends a cell of the table: the time, and by how many percent it is above the best, or "best". `point` NULL: there
 * is none. */
static void put_cell(GString *out, const SheetPanel *panel, const SheetPoint *point)
{
    if (!point) {
        g_string_append(out, "<td>-</td>");
        return;
    }
    g_autofree char *time = sheet_time(point->us);
    char share[G_ASCII_DTOSTR_BUF_SIZE];
    double above = point_value(panel, point, SHEET_ABOVE);
    g_ascii_formatd(share, sizeof share, "%.1f", above);
    if (above > 0)
        html_put(out, "<td>%s <small>+%s %%</small></td>", time, share);
    else
        html_put(out, "<td><b>%s <small>best</small></b></td>", time);
}

static void put_table(GString *out, const SheetPanel *panel, const char *x)
{
    g_autoptr(GArray) xs = panel_xs(panel);
    html_put(out, "<details%s><summary>All times, in µs</summary>\n"
             "<div class=\"scroll\" tabindex=\"0\"><table><tr><th>%s</th>",
             xs->len <= 16 ? " open=\"\"" : "", x);
    for (guint i = 0; i < panel->curves->len; i++)
        html_put(out, "<th>%s</th>", sheet_curve(panel, i)->name);
    g_string_append(out, "</tr>\n");
    for (guint k = 0; k < xs->len; k++) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        double at = g_array_index(xs, double, k);
        html_put(out, "<tr><td>%s</td>", g_ascii_formatd(text, sizeof text, "%.12g", at));
        for (guint i = 0; i < panel->curves->len; i++)
            put_cell(out, panel, sheet_point_at(sheet_curve(panel, i), at));
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</table></div></details>\n");
}

static void put_panel(GString *out, const Sheet *sheet, const SheetPanel *panel)
{
    g_autofree char *values = sheet_values(sheet, panel->row, FALSE);
    html_put(out, "<section class=\"facts\"><h2>%s</h2>\n<div class=\"sheet\">\n", *values ? values : "All runs");
    for (guint kind = SHEET_TIME; kind <= SHEET_CONTENTION; kind++)
        put_chart(out, panel, (SheetKind)kind, sheet->x);
    g_string_append(out, "</div>\n");
    put_table(out, panel, sheet->x);
    g_string_append(out, "</section>\n");
}

char *sheet_text(const Csv *csv, const char *path, const char *made, GError **error)
{
    g_auto(Sheet) sheet = {.csv = csv, .path = path, .panels = g_ptr_array_new_with_free_func(sheet_panel_free)};
    char *swept = plot_swept_key(csv, plot_default_x(csv));
    sheet.x = swept ? swept : g_strdup(plot_default_x(csv));
    sheet.y = csv_column(csv, "simulated_us") >= 0 ? "simulated_us" : PLOT_MEASURED;
    if (!sheet_read(&sheet, error))
        return NULL;
    sheet_choose_colours(&sheet);
    g_autofree char *verdict = sheet_verdict(&sheet), *shared = sheet_values(&sheet, 0, TRUE);
    g_autofree char *style = page_style();
    GString *out = g_string_new("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                "<link rel=\"icon\" href=\"data:,\">\n");
    html_put(out, "<title>%s</title>\n<style>", path);
    g_string_append_printf(out, "%s</style>\n</head>\n<body>\n<header>", style);
    html_put(out, "<h1>%s: %u runs</h1>\n<p id=\"settings\">%s</p>\n<p id=\"verdict\">%s</p>\n", path, sheet.n_runs,
             shared, verdict);
    if (sheet.n_failed > 0)
        html_put(out, "<p class=\"fault\">%u of these have no time.</p>\n", sheet.n_failed);
    g_string_append(out, "</header>\n<main>\n");
    for (guint i = 0; i < sheet.panels->len; i++)
        put_panel(out, &sheet, sheet.panels->pdata[i]);
    g_string_append_printf(out, "</main>\n<footer><p>%s</p></footer>\n</body>\n</html>\n", made);
    g_autofree char *text = g_string_free(out, FALSE);
    return g_utf8_make_valid(text, -1);
}
