#include "hull_draw.h"
#include "palette.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

#define LINES_MAX 101       /* largest number of partitions whose lines are all drawn: the number for d = 13 */
#define FACES_MAX 60        /* limit of faces; more names would fill the picture */
#define NAME_MAX_SHOWN 16

/* Ends of the axes, sizes in bytes and times in µs: xmax and ymax of the picture, zoom and yzoom of its enlarged part
 * near the origin. zoom 0: there is no enlarged part. */
typedef struct {
    double xmax, zoom, ymax, yzoom;
} Window;

enum { FROM, TO, SLOPE, INTERCEPT, DIMENSION, N_NUMBERS };
static const char *const columns[] = {"from_bytes", "to_bytes", "slope_us_per_byte", "intercept_us", "dimension"};

gboolean hull_draw_is_hull(const Csv *csv)
{
    return csv_column(csv, columns[FROM]) >= 0 && csv_column(csv, columns[SLOPE]) >= 0;
}

/* --- numbers --- */

static gboolean read_face(const Csv *csv, const char *path, guint row, double numbers[N_NUMBERS], GError **error)
{
    const char *processors = csv_named(csv, row, "processors");
    for (guint i = 0; i < N_NUMBERS; i++) {
        const char *text = csv_named(csv, row, columns[i]);
        gboolean number = input_parse_decimal(text, &numbers[i]);
        if (i == TO && *text == '\0')
            numbers[i] = INFINITY;
        else if (i == DIMENSION && *text == '\0' && *processors)
            numbers[i] = 0;
        else if (!number)
            return input_refuse(error, "%s: line %u: %s: '%s' is not allowed; allowed: a number", path,
                                g_array_index(csv->lines, guint, row), columns[i], text);
    }
    return TRUE;
}

/* Returns the numbers of all rows, [n_rows][N_NUMBERS], or NULL with an error. Caller frees. */
static double *read_faces(const Csv *csv, const char *path, GError **error)
{
    gboolean are_lists = csv_column(csv, "offsets") >= 0 && csv_column(csv, "k") >= 0;
    if (csv->n_rows == 0 || csv->n_rows > FACES_MAX || (csv_column(csv, "partition") < 0 && !are_lists)) {
        input_refuse(error, "%s: %u faces; allowed: 1 to %d, with a column 'partition', or with 'k' and 'offsets'",
                     path, csv->n_rows, FACES_MAX);
        return NULL;
    }
    g_autofree double *faces = g_new(double, csv->n_rows * N_NUMBERS);
    for (guint row = 0; row < csv->n_rows; row++)
        if (!read_face(csv, path, row, &faces[row * N_NUMBERS], error))
            return NULL;
    return g_steal_pointer(&faces);
}

static double face_time(const double *face, double bytes)
{
    return face[SLOPE] * bytes + face[INTERCEPT];
}

/* Returns a window up to twice the last vertex, or 100 bytes if there is none. Its enlarged part goes up to twice the
 * last vertex in the first twelfth of the window; there is none without such a vertex. */
static Window window_of(const double *faces, guint n)
{
    Window w = {0};
    double last = 0, near = 0;
    for (guint i = 0; i < n; i++)
        last = fmax(last, faces[i * N_NUMBERS + FROM]);
    w.xmax = last > 0 ? 2 * last : 100;
    for (guint i = 0; i < n; i++)
        if (faces[i * N_NUMBERS + FROM] <= w.xmax / 12)
            near = fmax(near, faces[i * N_NUMBERS + FROM]);
    w.zoom = 2 * near;
    for (guint i = 0; i < n; i++) {
        const double *face = &faces[i * N_NUMBERS];
        if (isinf(face[TO]) || face[TO] >= w.xmax)
            w.ymax = fmax(w.ymax, 1.6 * face_time(face, w.xmax));
        if (face[FROM] <= w.zoom)
            w.yzoom = fmax(w.yzoom, 1.3 * face_time(face, fmin(face[TO], w.zoom)));
    }
    if (w.ymax == 0)
        w.ymax = w.yzoom = 1;       /* all times are 0 */
    return w;
}

/* --- labels of vertices --- */

/* A panel of the picture: its number, and how many bytes (x) and units of time (y) one pixel is. */
typedef struct {
    int number;
    double x_per_px, y_per_px;
} Panel;

/* The box of a label in pixels from the origin. */
typedef struct {
    double left, bottom, right, top;
} Box;

#define CHAR_PX 7.5
#define LINE_PX 17.0

static gboolean box_meets(const GArray *boxes, Box b)
{
    for (guint i = 0; i < boxes->len; i++) {
        const Box *a = &g_array_index(boxes, Box, i);
        if (a->left < b.right && b.left < a->right && a->bottom < b.top && b.bottom < a->top)
            return TRUE;
    }
    return FALSE;
}

/* Returns `bytes` as text: a whole number without decimals, others with two; from 1000 on with one decimal, below 0.01
 * with one significant digit. Caller frees. */
static char *vertex_text(double bytes)
{
    gboolean is_whole = bytes >= 1 && fabs(bytes - round(bytes)) < 0.005;
    return g_strdup_printf(is_whole ? "%.0f" : bytes < 0.01 ? "%.1g" : bytes < 1000 ? "%.2f" : "%.1f", bytes);
}

/* Appends the labels of the vertices between `from` and `to` bytes, as rows of x, y, text and the number of the panel.
 * A label stands below its vertex, to the right. If another label is in the way, it stands above, to the left, and the
 * number is negative. If there is no room either, the label is left out. */
static void put_labels(GString *rows, const double *faces, guint n, double unit, double from, double to,
                       const Panel *panel)
{
    g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box));
    for (guint i = 0; i < n; i++) {
        const double *face = &faces[i * N_NUMBERS];
        double bytes = face[FROM], time = face_time(face, bytes) / unit;
        if (bytes <= from || bytes >= to)
            continue;
        g_autofree char *text = vertex_text(bytes);
        double width = CHAR_PX * (double)strlen(text), x = bytes / panel->x_per_px, y = time / panel->y_per_px;
        for (int side = 1; side >= -1; side -= 2) {
            double left = side > 0 ? x + 4 : x - 4 - width, top = side > 0 ? y - 4 : y + 4 + LINE_PX;
            Box box = {left, top - LINE_PX, left + width, top};
            if (left < 0 || box_meets(boxes, box))
                continue;
            g_array_append_val(boxes, box);
            gnuplot_put_numbers(rows, (double[]){bytes, time}, 2);
            g_string_truncate(rows, rows->len - 1);
            g_string_append_printf(rows, " %s %d\n", text, side * panel->number);
            break;
        }
    }
}

/* --- the script --- */

/* Returns the name of a face: "3,3"; a long partition by partition_format_runs(); a long list of offsets as "k=5".
 * Caller frees. */
static char *face_name(const Csv *csv, guint row, double dimension)
{
    gboolean is_list = csv_column(csv, "partition") < 0;
    const char *cell = csv_named(csv, row, is_list ? "offsets" : "partition");
    Phases partition;
    g_autofree char *number = NULL;
    if (is_list && (*cell == '\0' || strlen(cell) > NAME_MAX_SHOWN))
        cell = number = g_strconcat("k=", csv_named(csv, row, "k"), NULL);
    else if (strlen(cell) > NAME_MAX_SHOWN && dimension <= PARTITION_DIMENSION_MAX &&
             partition_parse("", cell, (guint)fmax(0, dimension), &partition, NULL))
        return partition_format_runs(&partition);
    char *parts = input_printable(cell);
    return g_strdelimit(parts, "' \"\\", '?');
}

/* Returns the place of a face's hull: its cube or its number of processors, "d=6" or "P=12". Caller frees. */
static char *face_place(const Csv *csv, guint row, double dimension)
{
    const char *processors = csv_named(csv, row, "processors");
    g_autofree char *name = input_printable(processors);
    return *csv_named(csv, row, "dimension") ? g_strdup_printf("d=%.0f", dimension)
                                             : g_strconcat("P=", g_strdelimit(name, "' \"\\", '?'), NULL);
}

/* Returns the colour of a face. Caller frees. */
static char *face_colour(const Csv *csv, guint row, double dimension)
{
    Phases partition;
    gboolean is_partition = dimension >= 1 && dimension <= PARTITION_DIMENSION_MAX &&
                            partition_parse("", csv_named(csv, row, "partition"), (guint)dimension, &partition, NULL);
    return is_partition ? g_strdup(palette_of_parts(partition.n_parts, (guint)dimension))
                        : palette_shade(row, csv->n_rows);
}

/* Whether the rows belong to several hulls: their faces differ in face_place(). */
static gboolean are_several(const Csv *csv, const double *faces)
{
    gboolean several = FALSE;
    g_autofree char *first = face_place(csv, 0, faces[DIMENSION]);
    for (guint i = 0; i < csv->n_rows; i++) {
        g_autofree char *place = face_place(csv, i, faces[i * N_NUMBERS + DIMENSION]);
        several |= strcmp(place, first) != 0;
    }
    return several;
}

/* Appends the face_place() of each hull as a label, in a row like those of put_labels(). The label stands above the
 * right end of the hull's last face. Appends nothing for a single hull. */
static void put_places(GString *rows, const Csv *csv, const double *faces, double xmax, double unit)
{
    gboolean several = are_several(csv, faces);
    for (guint i = 0; several && i < csv->n_rows; i++) {
        const double *face = &faces[i * N_NUMBERS];
        g_autofree char *place = face_place(csv, i, face[DIMENSION]);
        if (face[FROM] >= xmax || face[TO] < xmax)
            continue;
        gnuplot_put_numbers(rows, (double[]){xmax, face_time(face, xmax) / unit}, 2);
        g_string_truncate(rows, rows->len - 1);
        g_string_append_printf(rows, " %s -1\n", place);
    }
}

static void put_faces(GString *rows, GString *names, const Csv *csv, const double *faces, double xmax, double unit)
{
    gboolean several = are_several(csv, faces);
    for (guint i = 0; i < csv->n_rows; i++) {
        const double *face = &faces[i * N_NUMBERS];
        g_autofree char *parts = face_name(csv, i, face[DIMENSION]), *place = face_place(csv, i, face[DIMENSION]);
        gnuplot_put_numbers(rows, (double[]){face[FROM], fmin(face[TO], xmax), face[SLOPE] / unit,
                                             face[INTERCEPT] / unit}, 4);
        if (several)
            g_string_append_printf(names, "%s:", place);
        g_string_append_printf(names, "{%s} ", parts);
    }
}

static gboolean is_face(const Csv *csv, const Phases *partition)
{
    g_autofree char *text = partition_format(partition);
    for (guint i = 0; i < csv->n_rows; i++)
        if (strcmp(csv_named(csv, i, "partition"), text) == 0)
            return TRUE;
    return FALSE;
}

/* Appends slope and intercept of each face, then of each other partition if there are at most LINES_MAX partitions.
 * Returns the number of these rows. */
static guint put_lines(GString *rows, const Csv *csv, const double *faces, const HullCosts *costs, double unit)
{
    guint n = 0, n_lines = csv->n_rows;
    for (Phases p = partition_standard(costs->dimension); n <= LINES_MAX; n++)
        if (!partition_next(&p))
            break;
    for (guint i = 0; i < csv->n_rows; i++)
        gnuplot_put_numbers(rows, (double[]){faces[i * N_NUMBERS + SLOPE] / unit,
                                             faces[i * N_NUMBERS + INTERCEPT] / unit}, 2);
    Phases p = partition_standard(costs->dimension);
    do
        if (n < LINES_MAX && !is_face(csv, &p)) {
            ExchangeLine line = hull_partition_line(costs, &p);
            gnuplot_put_numbers(rows, (double[]){line.slope_ps_per_byte / 1e6 / unit, line.intercept_ps / 1e6 / unit},
                                2);
            n_lines++;
        }
    while (n < LINES_MAX && partition_next(&p));
    return n_lines;
}

/* Returns the size in bytes at which all partitions of two parts take the same time, and sets `*time_us` to this time.
 * 0: there is no such size. */
static double hull_meeting(const HullCosts *costs, double *time_us)
{
    double at = 0;
    for (guint a = 2; a <= costs->dimension / 2; a++) {
        ExchangeLine first = hull_partition_line(costs, &(Phases){2, {1, costs->dimension - 1}});
        ExchangeLine line = hull_partition_line(costs, &(Phases){2, {a, costs->dimension - a}});
        double bytes = (line.intercept_ps - first.intercept_ps) / (first.slope_ps_per_byte - line.slope_ps_per_byte);
        if (!(bytes > 0) || (at > 0 && fabs(bytes - at) > 1e-9 * at))
            return 0;
        at = bytes;
        *time_us = exchange_line_at(first, bytes) / 1e6;
    }
    return at;
}

static void put_numbers(GString *out, const Window *w, double divisor, double meet, double meet_time_us)
{
    static const char *const names[] = {"xmax", "zoom", "ymax", "yzoom", "meet", "meet_time"};
    const double numbers[] = {w->xmax, w->zoom, w->ymax / divisor, w->yzoom / divisor, meet, meet_time_us / divisor};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_string_append_printf(out, "%s = 1.0 * ", names[i]);
        gnuplot_put_numbers(out, &numbers[i], 1);
    }
}

/* Appends the data block $labels for the panels of figures/hull.gp. The first panel is 432 px high and 675 px wide, or
 * 515 px wide beside the second panel, which is 394 px high and 330 px wide. A panel has no labels in its first
 * twelfth. */
static void put_panel_labels(GString *out, const Window *w, const Csv *csv, const double *faces, double unit)
{
    guint n = csv->n_rows;
    g_autoptr(GString) rows = g_string_new("-1 0 - 1\n-1 0 - -1\n");      /* gnuplot needs at least one row of either
                                                                           * sign */
    const Panel all = {1, w->xmax / (w->zoom > 0 ? 515 : 675), w->ymax / unit / 432};
    const Panel near = {2, w->zoom / 330, w->yzoom / unit / 394};
    put_labels(rows, faces, n, unit, w->xmax / 12, 0.97 * w->xmax, &all);
    if (w->zoom > 0)
        put_labels(rows, faces, n, unit, w->zoom / 12, 0.97 * w->zoom, &near);
    put_places(rows, csv, faces, w->xmax, unit);
    gnuplot_data(out, "labels", rows->str);
}

char *hull_draw_script(const Csv *csv, const char *path, const char *title, const HullLines *lines, PlotFormat format,
                       GError **error)
{
    g_autofree double *faces = read_faces(csv, path, error);
    if (!faces)
        return NULL;
    g_autoptr(GString) rows = g_string_new(NULL), more = g_string_new(NULL), names = g_string_new(NULL);
    g_autoptr(GString) colours = g_string_new(NULL);
    const Window w = window_of(faces, csv->n_rows);
    Scale scale = scale_of_time(w.ymax);
    double time_us = 0, meet = lines && lines->two_meet ? hull_meeting(lines->costs, &time_us) : 0;
    put_faces(rows, names, csv, faces, w.xmax, scale.divisor);
    guint n_lines = lines ? put_lines(more, csv, faces, lines->costs, scale.divisor) : 0;
    GString *out = gnuplot_script(format, w.zoom > 0 ? 1220 : 980, 540);
    gnuplot_data(out, "faces", rows->str);
    gnuplot_data(out, "lines", more->str);
    gnuplot_set(out, "title =", title);
    gnuplot_set(out, "names =", names->str);
    g_string_append_printf(out, "y_title = 'time (%s)'\nn_faces = %u\nn = %u\nn_lines = %u\n", scale.unit, csv->n_rows,
                           lines ? csv->n_rows : 0, n_lines);
    for (guint i = 0; i < csv->n_rows; i++) {
        g_autofree char *colour = face_colour(csv, i, faces[i * N_NUMBERS + DIMENSION]);
        g_string_append_printf(colours, "%s ", colour);
    }
    gnuplot_set(out, "colours =", colours->str);
    put_panel_labels(out, &w, csv, faces, scale.divisor);
    put_numbers(out, &w, scale.divisor, meet < w.xmax && time_us < w.ymax ? meet : 0, time_us);
    gnuplot_append(out, "hull");
    return g_string_free(out, FALSE);
}
