/* ecube embed: which processor of the cube stands for which node of an array. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/cube/embedding.h"
#include "sim/run/record.h"
#include "sim/show/embedding_draw.h"

#include <string.h>

#define EXPANSION_FORMAT "%.6g"

static const Column columns[] = {
    {.name = "node", .heading = "node", .text = TRUE},
    {.name = "processor", .heading = "processor"},
    {.name = "address", .heading = "address", .text = TRUE},
    {.name = "hops", .heading = "hops to the next", .text = TRUE},
    {.name = "dimension"}, {.name = "expansion"}, {.name = "dilation"},
};

static void add_node(Table *table, const Embedding *e, const guint *at, guint dilation)
{
    g_autoptr(GString) node = g_string_new(NULL), address = g_string_new(NULL), hops = g_string_new(NULL);
    guint processor = embedding_processor(e, at);
    for (guint i = 0; i < e->n_axes; i++) {
        guint to_next = embedding_hops(e, at, i);
        g_string_append_printf(node, "%s%u", i ? "," : "", at[i]);
        g_string_append(hops, i ? "," : "");
        if (to_next)
            g_string_append_printf(hops, "%u", to_next);
        else
            g_string_append_c(hops, '-');
    }
    for (guint bit = embedding_dimension(e); bit-- > 0;)
        g_string_append_c(address, processor >> bit & 1 ? '1' : '0');
    table_add(table, node->str);
    table_addf(table, "%u", processor);
    table_add(table, address->str);
    table_add(table, hops->str);
    table_addf(table, "%u", embedding_dimension(e));
    table_addf(table, EXPANSION_FORMAT, embedding_expansion(e));
    table_addf(table, "%u", dilation);
}

/* The first lines, for people. */
static char *describe(const Embedding *e, gboolean ring, const EmbeddingEdges *edges)
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

/* The first line as a title. */
static char *figure_of(const CommandLine *line, const Embedding *e, const char *heading, GError **error)
{
    g_autofree char *title = g_strndup(heading, strcspn(heading, ":\n"));
    return embedding_draw_script(e, title, line->figure_format, error);
}

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
        return input_refuse(error, "--wrap goes with --array; a ring has it by itself");
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
    if (!parse_shape(&e, error) || !output_check_path(line->output, error) ||
        !command_check_figure(line, NULL, error))
        return FALSE;
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    EmbeddingEdges edges = embedding_edges(&e);
    guint at[EMBEDDING_AXES_MAX] = {0};
    do
        add_node(table, &e, at, edges.dilation);
    while (embedding_next(&e, at));
    g_autofree char *rows = table_text(table, line->format), *heading = describe(&e, given.ring != NULL, &edges);
    if (!command_draw(line, line->figure ? figure_of(line, &e, heading, error) : NULL, error))
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
