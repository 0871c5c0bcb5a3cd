/* ecube embed: prints and draws the processors of the cube that are the nodes of an array. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/cube/embedding.h"
#include "sim/run/record.h"

#include <math.h>
#include <string.h>

#define EXPANSION_FORMAT "%.6g"

static const Column columns[] = {
    {.name = "node", .heading = "node", .text = TRUE},
    {.name = "processor", .heading = "processor"},
    {.name = "address", .heading = "address", .text = TRUE},
    {.name = "hops", .heading = "hops to the next", .text = TRUE},
    {.name = "dimension"}, {.name = "expansion"}, {.name = "dilation"},
};

/* Returns the processor of the node `at` in binary. Caller frees. */
static char *embed_address(const Embedding *e, const guint *at)
{
    GString *address = g_string_new(NULL);
    for (guint bit = embedding_dimension(e); bit-- > 0;)
        g_string_append_c(address, embedding_processor(e, at) >> bit & 1 ? '1' : '0');
    return g_string_free(address, FALSE);
}

static void add_node(Table *table, const Embedding *e, const guint *at, guint dilation)
{
    g_autoptr(GString) node = g_string_new(NULL), hops = g_string_new(NULL);
    g_autofree char *address = embed_address(e, at);
    for (guint i = 0; i < e->n_axes; i++) {
        guint to_next = embedding_hops(e, at, i);
        g_string_append_printf(node, "%s%u", i ? "," : "", at[i]);
        g_string_append(hops, i ? "," : "");
        if (to_next)
            g_string_append_printf(hops, "%u", to_next);
        else
            g_string_append_c(hops, '-');
    }
    table_add(table, node->str);
    table_addf(table, "%u", embedding_processor(e, at));
    table_add(table, address);
    table_add(table, hops->str);
    table_addf(table, "%u", embedding_dimension(e));
    table_addf(table, EXPANSION_FORMAT, embedding_expansion(e));
    table_addf(table, "%u", dilation);
}

/* Returns the lines above the table: shape, dimension, expansion, and edges by dilation. Caller frees. */
static char *embed_describe(const Embedding *e, gboolean ring, const EmbeddingEdges *edges)
{
    g_autofree char *shape = embedding_format(e);
    guint dimension = embedding_dimension(e);
    GString *text = g_string_new(ring ? "Ring of " : "Array of ");
    g_string_append_printf(text, "%s node%s%s in the %u-cube, expansion " EXPANSION_FORMAT ", dilation %u", shape,
                           embedding_n_nodes(e) > 1 ? "s" : "", e->wrap && !ring ? " with wrap-around" : "", dimension,
                           embedding_expansion(e), edges->dilation);
    for (guint distance = 1; distance <= edges->dilation; distance++)
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT " edge%s of dilation %u", distance > 1 ? ", " : ":\n",
                               edges->n_edges[distance], edges->n_edges[distance] == 1 ? "" : "s", distance);
    g_string_append(text, ".\n\n");
    return g_string_free(text, FALSE);
}

/* --- the figure ---
 *
 * Nodes with their processors, edges with the dimensions that they cross. A single axis with wrap-around is a circle,
 * one or two axes are a grid, three axes are planes side by side, one for each index of the first axis. An edge between
 * nodes that are not drawn side by side is a stub at either node. */

#define NODES_DRAWN_MAX 1024
#define AXES_DRAWN_MAX 3
#define STUB 0.525      /* length of the stubs that stand for a long edge, in distances of neighbours */
#define STEP 74         /* pixels from node to node */
#define WIDTH_MIN 8.5   /* least width of the drawing, in distances of neighbours: the title needs it */

typedef struct {
    double x, y;
} Position;

typedef struct {
    const Embedding *e;
    gboolean circle;
    double radius;
    Position low, high;
    GString *nodes, *edges;
} Drawing;

/* Returns where the node `at` is drawn, in distances of neighbours. A circle begins at its top. Planes have a free
 * column between them. */
static Position position_of(const Drawing *d, const guint *at)
{
    const Embedding *e = d->e;
    guint last = e->n_axes - 1;
    if (d->circle) {
        double angle = 2 * G_PI * at[0] / e->extent[0];
        return (Position){d->radius * sin(angle), -d->radius * cos(angle)};
    }
    if (e->n_axes < 3)
        return (Position){at[last], last ? at[0] : 0};
    return (Position){at[0] * (e->extent[2] + 1) + at[2], at[1]};
}

static void draw_line(Drawing *d, Position from, Position by, guint flips, Position label)
{
    g_autoptr(GString) crossed = g_string_new(NULL);
    for (guint bit = 0; flips >> bit; bit++)
        if (flips >> bit & 1)
            g_string_append_printf(crossed, "%s%u", crossed->len ? "+" : "", bit);
    gboolean single = (flips & (flips - 1)) == 0;
    g_string_append_printf(d->edges, "%.4f %.4f %.4f %.4f %d \"%s\" %.4f %.4f\n", from.x, from.y, by.x, by.y,
                           single ? (int)g_bit_nth_lsf(flips, -1) : -1, crossed->str, label.x, label.y);
}

/* Returns the direction of edges along `axis`; slantwise from plane to plane. */
static Position direction(const Embedding *e, guint axis)
{
    if (e->n_axes == 3 && axis == 0)
        return (Position){0.7, -0.7};
    return axis == e->n_axes - 1 ? (Position){1, 0} : (Position){0, 1};
}

static void draw_edge(Drawing *d, const guint *at, guint axis)
{
    guint next[EMBEDDING_AXES_MAX];
    if (embedding_hops(d->e, at, axis) == 0)
        return;
    memcpy(next, at, sizeof next);
    next[axis] = (at[axis] + 1) % d->e->extent[axis];
    guint flips = embedding_processor(d->e, at) ^ embedding_processor(d->e, next);
    Position from = position_of(d, at), to = position_of(d, next), by = {to.x - from.x, to.y - from.y};
    if (d->circle || fabs(by.x) + fabs(by.y) < 1.5) {
        draw_line(d, from, by, flips, (Position){from.x + by.x / 2, from.y + by.y / 2});
        return;
    }
    Position way = direction(d->e, axis);
    Position out = {STUB * way.x, STUB * way.y}, back = {-out.x, -out.y};
    draw_line(d, from, out, flips, (Position){from.x + out.x, from.y + out.y});
    draw_line(d, to, back, flips, (Position){to.x + back.x, to.y + back.y});
}

static void draw_node(Drawing *d, const guint *at)
{
    Position place = position_of(d, at);
    g_autofree char *address = embed_address(d->e, at);
    d->low = (Position){fmin(d->low.x, place.x), fmin(d->low.y, place.y)};
    d->high = (Position){fmax(d->high.x, place.x), fmax(d->high.y, place.y)};
    g_string_append_printf(d->nodes, "%.4f %.4f %u \"%s\"\n", place.x, place.y, embedding_processor(d->e, at),
                           address);
    for (guint axis = 0; axis < d->e->n_axes; axis++)
        draw_edge(d, at, axis);
}

/* Returns the script that draws `e` under the first line of `heading`. NULL with an error. Caller frees. */
static char *embed_figure(const CommandLine *line, const Embedding *e, const char *heading, GError **error)
{
    g_autofree char *title = g_strndup(heading, strcspn(heading, ":\n")), *shape = embedding_format(e);
    if (e->n_axes > AXES_DRAWN_MAX || embedding_n_nodes(e) > NODES_DRAWN_MAX)
        return input_refuse(error, "--figure: %s nodes cannot be read in a picture; allowed: up to %d axes and %d "
                            "nodes", shape, AXES_DRAWN_MAX, NODES_DRAWN_MAX), NULL;
    g_autoptr(GString) nodes = g_string_new(NULL), edges = g_string_new(NULL);
    Drawing d = {.e = e, .circle = e->n_axes == 1 && e->wrap && e->extent[0] > 2, .nodes = nodes, .edges = edges,
                 .radius = e->extent[0] / (2 * G_PI)};
    guint at[EMBEDDING_AXES_MAX] = {0};
    do
        draw_node(&d, at);
    while (embedding_next(e, at));
    double width = fmax(d.high.x - d.low.x + 1.6, WIDTH_MIN), height = d.high.y - d.low.y + 1.6;
    double middle = (d.low.x + d.high.x) / 2;
    GString *out = gnuplot_script(line->figure_format, (guint)(STEP * width), (guint)(60 + STEP * height));
    gnuplot_set(out, "title =", title);
    g_string_append_printf(out, "x_min = %.3f\nx_max = %.3f\ny_min = %.3f\ny_max = %.3f\nbig = %d\nnode_size = 5.2\n",
                           middle - width / 2, middle + width / 2, d.low.y - 0.8, d.high.y + 0.8,
                           embedding_dimension(e) <= 8);
    gnuplot_data(out, "nodes", nodes->str);
    gnuplot_data(out, "edges", edges->str);
    gnuplot_append(out, "embedding");
    return g_string_free(out, FALSE);
}

/* --- the command --- */

static struct {
    char *array, *ring;
    gboolean wrap;
} given;

static gboolean parse_shape(Embedding *e, GError **error)
{
    gint64 length;
    if (!given.array == !given.ring)
        return input_refuse(error, "give --array or --ring%s; see `%s --help`", given.array ? ", not both" : "",
                            g_get_prgname());
    if (given.ring && given.wrap)
        return input_refuse(error, "--wrap requires --array; a ring has it by itself");
    if (given.array)
        return embedding_parse("--array", given.array, given.wrap, e, error);
    if (!input_parse_count("--ring", given.ring, 1, 1 << EMBEDDING_DIMENSION_MAX, &length, error))
        return FALSE;
    *e = (Embedding){.n_axes = 1, .extent = {(guint)length}, .wrap = TRUE};
    return TRUE;
}

static gboolean embed(const CommandLine *line, GError **error)
{
    Embedding e;
    if (!parse_shape(&e, error) || !command_check_outputs(line, error))
        return FALSE;
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    EmbeddingEdges edges = embedding_edges(&e);
    guint at[EMBEDDING_AXES_MAX] = {0};
    do
        add_node(table, &e, at, edges.dilation);
    while (embedding_next(&e, at));
    g_autofree char *rows = table_text(table, line->format), *heading = embed_describe(&e, given.ring != NULL, &edges);
    if (!command_draw(line, line->figure ? embed_figure(line, &e, heading, error) : NULL, error))
        return FALSE;
    g_autofree char *text = g_strconcat(line->format == FORMAT_TABLE ? heading : "", rows, NULL);
    return output_write(line->output, text, error);
}

static const GOptionEntry options[] = {
    {"array", 0, 0, G_OPTION_ARG_STRING, &given.array, "An array of N1 x N2 x ... nodes", "N1xN2x..."},
    {"wrap", 0, 0, G_OPTION_ARG_NONE, &given.wrap, "The array's axes are rings", NULL},
    {"ring", 0, 0, G_OPTION_ARG_STRING, &given.ring, "A ring of N nodes", "N"},
    COMMAND_FORMAT,
    COMMAND_OUTPUT,
    COMMAND_FIGURE("nodes with their processors, edges with the dimensions that they cross"),
    {0},
};

const Command command_embed = {
    .name = "embed", .summary = "place arrays and rings on the cube", .usage = "--array N1xN2x... | --ring N",
    .help = "Embeds an array or a ring in the cube by the binary-reflected Gray code (Johnsson & Ho 1987,\n"
            "sec. 3), one processor per node: where each node is, and how many channels from the next one\n"
            "(along each axis of an array; - at its end).\n\n"
            "Example: ecube embed --array 4x8 --wrap --figure torus.svg\n"
            "         ecube embed --ring 12",
    .options = options, .run = embed};
