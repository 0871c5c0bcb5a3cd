/* ecube tree: prints and draws the spanning graphs of the cube. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/record.h"
#include "sim/show/graph_draw.h"

static const char *const formats[] = {"text", "dot", "svg", NULL};
enum { TREE_TEXT, TREE_DOT, TREE_SVG };

static char *(*const draw[])(const GraphView *view) = {graph_draw_text, graph_draw_dot, graph_draw_svg};

static struct {
    char *dimension, *processors, *source, *tree;
} given;

/* Returns the dimension, 1 to `max`, of the cube that --dimension or --processors asks for. 0 with an error. */
static guint parse_dimension(gboolean svg, guint max, GError **error)
{
    const char *of = svg ? " (of an SVG)" : "";
    gint64 dimension = 0;
    if (given.processors) {
        const Group *group = group_asked(given.dimension, given.processors, NULL, TRUE, 0, error);
        if (!group)
            return 0;
        if (!group->binary || group->dimension < 1 || group->dimension > max)
            return input_refuse(error, "--processors%s: '%s' is not allowed; allowed: powers of two from 2 to %u", of,
                                given.processors, 1u << max), 0;
        return group->dimension;
    }
    if (!given.dimension)
        return input_refuse(error, "--dimension is missing; usage: ecube tree GRAPH --dimension D"), 0;
    g_autofree char *where = g_strconcat("--dimension", of, NULL);
    return input_parse_count(where, given.dimension, 1, max, &dimension, error) ? (guint)dimension : 0;
}

static gboolean parse_view(const CommandLine *line, GraphView *view, GError **error)
{
    gboolean svg = line->format == TREE_SVG;
    gint64 source = 0, tree = 0;
    guint graph, dimension;
    if (!input_parse_choice("graph", line->arguments[0], graph_names, &graph, error))
        return FALSE;
    dimension = parse_dimension(svg, svg ? GRAPH_SVG_DIMENSION_MAX : GRAPH_TEXT_DIMENSION_MAX, error);
    if (dimension == 0 ||
        (given.source && !input_parse_count("--source", given.source, 0, (1 << dimension) - 1, &source, error)))
        return FALSE;
    guint n_trees = graph_n_trees((Graph)graph, dimension);
    if (given.tree && !input_parse_count("--tree", given.tree, 0, n_trees - 1, &tree, error))
        return FALSE;
    *view = (GraphView){.graph = (Graph)graph, .dimension = dimension, .source = (guint)source,
                        .first_tree = (guint)tree, .n_trees = given.tree ? 1 : n_trees};
    return TRUE;
}

static gboolean print_tree(const CommandLine *line, GError **error)
{
    GraphView view;
    if (!parse_view(line, &view, error) || !command_check_outputs(line, error))
        return FALSE;
    g_autofree char *text = draw[line->format](&view);
    return output_write(line->output, text, error);
}

static const GOptionEntry options[] = {
    {"dimension", 'd', 0, G_OPTION_ARG_STRING, &given.dimension, "Cube dimension, 1 to 12, or 7 as SVG", "D"},
    {"processors", 'n', 0, G_OPTION_ARG_STRING, &given.processors, "The cube's processors, 2^D", "P"},
    {"source", 0, 0, G_OPTION_ARG_STRING, &given.source, "The processor at the root; default: 0", "S"},
    {"tree", 0, 0, G_OPTION_ARG_STRING, &given.tree, "One of the graph's trees, counted from 0; default: all", "J"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the graph is written as; default: text", "text|dot|svg"},
    COMMAND_OUTPUT,
    {0},
};

const Command command_tree = {
    .name = "tree", .summary = "print or draw a spanning graph of the cube",
    .usage = "path|sbt|nesbt|nrsbt|sbnt|tcbt|circuits --dimension D",
    .help = "Prints or draws a spanning graph of the cube (Johnsson & Ho 1987, sec. 4.1): the Hamiltonian\n"
            "paths, the Spanning Binomial Tree, the n Edge-disjoint and n Rotated SBTs, the Spanning\n"
            "Balanced n-Tree, the Two-rooted Complete Binary Tree, or paths along edge-disjoint circuits;\n"
            "as text, for Graphviz's dot, or as an SVG picture.\n\n"
            "Example: ecube tree sbnt -d 4\n"
            "         ecube tree nesbt -d 3 --source 5 --format svg --output nesbt.svg",
    .single = "tree takes one graph; usage: ecube tree GRAPH --dimension D",
    .options = options, .formats = formats, .run = print_tree};
