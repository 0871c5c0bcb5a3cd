#include "embedding_draw.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

#define STUB 0.42       /* of the distance of nodes */
#define STEP 74         /* pixels from node to node */
#define WIDTH_MIN 8.5   /* in steps: the title needs it */

typedef struct {
    double x, y;
} Point;

typedef struct {
    const Embedding *e;
    gboolean circle;
    double radius;
    Point low, high;
    GString *nodes, *edges;
} Drawing;

/* A circle begins at its top; planes have a free column between them. */
static Point place_of(const Drawing *d, const guint *at)
{
    const Embedding *e = d->e;
    guint last = e->n_axes - 1;
    if (d->circle) {
        double angle = 2 * G_PI * at[0] / e->extent[0];
        return (Point){d->radius * sin(angle), -d->radius * cos(angle)};
    }
    if (e->n_axes < 3)
        return (Point){at[last], last ? at[0] : 0};
    return (Point){at[0] * (e->extent[2] + 1) + at[2], at[1]};
}

static void put_line(Drawing *d, Point from, Point by, guint flips, Point label)
{
    g_autoptr(GString) crossed = g_string_new(NULL);
    for (guint bit = 0; flips >> bit; bit++)
        if (flips >> bit & 1)
            g_string_append_printf(crossed, "%s%u", crossed->len ? "+" : "", bit);
    gboolean single = (flips & (flips - 1)) == 0;
    g_string_append_printf(d->edges, "%.4f %.4f %.4f %.4f %d \"%s\" %.4f %.4f\n", from.x, from.y, by.x, by.y,
                           single ? (int)g_bit_nth_lsf(flips, -1) : -1, crossed->str, label.x, label.y);
}

/* Which way edges along an axis leave: planes slantwise. */
static Point direction(const Embedding *e, guint axis)
{
    if (e->n_axes == 3 && axis == 0)
        return (Point){0.7, -0.7};
    return axis == e->n_axes - 1 ? (Point){1, 0} : (Point){0, 1};
}

static void put_edge(Drawing *d, const guint *at, guint axis)
{
    guint next[EMBEDDING_AXES_MAX];
    if (embedding_hops(d->e, at, axis) == 0)
        return;
    memcpy(next, at, sizeof next);
    next[axis] = (at[axis] + 1) % d->e->extent[axis];
    guint flips = embedding_processor(d->e, at) ^ embedding_processor(d->e, next);
    Point from = place_of(d, at), to = place_of(d, next), by = {to.x - from.x, to.y - from.y};
    if (d->circle || fabs(by.x) + fabs(by.y) < 1.5) {
        put_line(d, from, by, flips, (Point){from.x + by.x / 2, from.y + by.y / 2});
        return;
    }
    Point way = direction(d->e, axis);
    Point out = {STUB * 1.25 * way.x, STUB * 1.25 * way.y}, back = {-out.x, -out.y};
    put_line(d, from, out, flips, (Point){from.x + out.x, from.y + out.y});
    put_line(d, to, back, flips, (Point){to.x + back.x, to.y + back.y});
}

static void put_node(Drawing *d, const guint *at)
{
    Point place = place_of(d, at);
    guint processor = embedding_processor(d->e, at);
    d->low = (Point){fmin(d->low.x, place.x), fmin(d->low.y, place.y)};
    d->high = (Point){fmax(d->high.x, place.x), fmax(d->high.y, place.y)};
    g_string_append_printf(d->nodes, "%.4f %.4f %u \"", place.x, place.y, processor);
    for (guint bit = embedding_dimension(d->e); bit-- > 0;)
        g_string_append_c(d->nodes, processor >> bit & 1 ? '1' : '0');
    g_string_append(d->nodes, "\"\n");
    for (guint axis = 0; axis < d->e->n_axes; axis++)
        put_edge(d, at, axis);
}

static gboolean check(const Embedding *e, GError **error)
{
    g_autofree char *shape = embedding_format(e);
    return (e->n_axes <= EMBEDDING_DRAW_AXES_MAX && embedding_n_nodes(e) <= EMBEDDING_DRAW_MAX) ||
           input_refuse(error, "--figure: %s nodes cannot be read in a picture; allowed: up to %d axes and %d nodes",
                        shape, EMBEDDING_DRAW_AXES_MAX, EMBEDDING_DRAW_MAX);
}

char *embedding_draw_script(const Embedding *e, const char *title, PlotFormat format, GError **error)
{
    if (!check(e, error))
        return NULL;
    g_autoptr(GString) nodes = g_string_new(NULL), edges = g_string_new(NULL);
    Drawing d = {.e = e, .circle = e->n_axes == 1 && e->wrap && e->extent[0] > 2, .nodes = nodes, .edges = edges,
                 .radius = e->extent[0] / (2 * G_PI)};
    guint at[EMBEDDING_AXES_MAX] = {0};
    do
        put_node(&d, at);
    while (embedding_next(e, at));
    double width = fmax(d.high.x - d.low.x + 1.6, WIDTH_MIN), height = d.high.y - d.low.y + 1.6;
    double middle = (d.low.x + d.high.x) / 2;
    GString *out = gnuplot_script(format, (guint)(STEP * width), (guint)(60 + STEP * height));
    gnuplot_set(out, "title =", title);
    g_string_append_printf(out, "x_min = %.3f\nx_max = %.3f\ny_min = %.3f\ny_max = %.3f\nbig = %d\nnode_size = 5.2\n",
                           middle - width / 2, middle + width / 2, d.low.y - 0.8, d.high.y + 0.8,
                           embedding_dimension(e) <= 8);
    g_string_append_printf(out, "$nodes << END\n%sEND\n$edges << END\n%sEND\n", nodes->str, edges->str);
    gnuplot_append(out, "embedding");
    return g_string_free(out, FALSE);
}
