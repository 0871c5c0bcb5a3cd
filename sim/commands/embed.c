/* ecube embed: which processor of the cube stands for which node of an array. */
#include "command.h"
#include "models/input.h"
#include "sim/cube/embedding.h"
#include "sim/run/report.h"

#define EXPANSION_FORMAT "%.6g"

static const Column columns[] = {
    {"node", "node", TRUE, FALSE},       {"processor", "processor", FALSE, FALSE},
    {"address", "address", TRUE, FALSE}, {"hops", "hops to the next", TRUE, FALSE},
    {"dimension", NULL, FALSE, FALSE},   {"expansion", NULL, FALSE, FALSE},
    {"dilation", NULL, FALSE, FALSE},
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

static char *embed_text(const Embedding *e, gboolean ring, Format format)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    EmbeddingEdges edges = embedding_edges(e);
    guint at[EMBEDDING_AXES_MAX] = {0};
    do
        add_node(table, e, at, edges.dilation);
    while (embedding_next(e, at));
    g_autofree char *rows = table_text(table, format);
    g_autofree char *heading = describe(e, ring, &edges);
    return g_strconcat(format == FORMAT_TABLE ? heading : "", rows, NULL);
}

static gboolean parse_shape(const char *array, const char *ring, gboolean wrap, Embedding *e, GError **error)
{
    gint64 length;
    if (!array == !ring)
        return input_refuse(error, "give --array or --ring%s; see `%s --help`", array ? ", not both" : "",
                            g_get_prgname());
    if (ring && wrap)
        return input_refuse(error, "--wrap goes with --array; a ring has it by itself");
    if (array)
        return embedding_parse("--array", array, wrap, e, error);
    if (!input_parse_count("--ring", ring, 1, 1 << EMBEDDING_DIMENSION_MAX, &length, error))
        return FALSE;
    *e = (Embedding){.n_axes = 1, .extent = {(guint)length}, .wrap = TRUE};
    return TRUE;
}

static int cmd_embed(int argc, char **argv, GError **error)
{
    char *array = NULL, *ring = NULL, *format_name = NULL, *output = NULL;
    gboolean wrap = FALSE;
    const GOptionEntry options[] = {
        {"array", 0, 0, G_OPTION_ARG_STRING, &array, "An array of N1 x N2 x ... nodes", "N1xN2x..."},
        {"wrap", 0, 0, G_OPTION_ARG_NONE, &wrap, "The array's axes are rings", NULL},
        {"ring", 0, 0, G_OPTION_ARG_STRING, &ring, "A ring of N nodes", "N"},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "What the result is written as", "table|csv|json"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE, whole or not at all", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    Embedding embedding;
    guint format = FORMAT_TABLE;
    int code = 2;
    if (command_parse(&argc, &argv, "--array N1xN2x... | --ring N",
                      "Embeds an array or a ring in the cube by the binary-reflected Gray code (Johnsson & Ho 1987,\n"
                      "sec. 3), one processor per node: where each node is, and how many channels from the next one\n"
                      "(along each axis of an array; - at its end).\n\n"
                      "Example: ecube embed --array 4x8 --wrap\n"
                      "         ecube embed --ring 12",
                      options, NULL, error) &&
        command_no_arguments(argc, argv, error) && parse_shape(array, ring, wrap, &embedding, error) &&
        (!format_name || input_parse_choice("--format", format_name, table_format_names, &format, error)) &&
        report_check_path(output, error)) {
        g_autofree char *text = embed_text(&embedding, ring != NULL, format);
        code = report_write(output, text, error) ? 0 : 2;
    }
    g_free(array);
    g_free(ring);
    g_free(format_name);
    g_free(output);
    return code;
}

const Command command_embed = {"embed", "place arrays and rings on the cube", cmd_embed};
