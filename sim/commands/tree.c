/* ecube tree: the spanning graphs of the cube, printed and drawn. */
#include "command.h"
#include "models/input.h"
#include "sim/run/report.h"
#include "sim/show/graph_draw.h"

static const char *const format_names[] = {"text", "dot", "svg", NULL};
enum { TREE_TEXT, TREE_DOT, TREE_SVG };

typedef struct {
    char *dimension, *source, *tree, *format, *output;
} TreeOptions;

static gboolean parse_dimension(const TreeOptions *o, guint format, guint *dimension, GError **error)
{
    gint64 max = format == TREE_SVG ? GRAPH_SVG_DIMENSION_MAX : GRAPH_TEXT_DIMENSION_MAX, value;
    if (!o->dimension)
        return input_refuse(error, "--dimension is missing; usage: ecube tree GRAPH --dimension D");
    if (!input_parse_count(format == TREE_SVG ? "--dimension (of an SVG)" : "--dimension", o->dimension, 1, max, &value,
                           error))
        return FALSE;
    *dimension = (guint)value;
    return TRUE;
}

static gboolean parse_view(const char *graph, const TreeOptions *o, guint *format, GraphView *view, GError **error)
{
    guint choice;
    gint64 source = 0, tree;
    if (!input_parse_choice("graph", graph, graph_names, &choice, error) ||
        (o->format && !input_parse_choice("--format", o->format, format_names, format, error)) ||
        !parse_dimension(o, *format, &view->dimension, error) ||
        (o->source && !input_parse_count("--source", o->source, 0, (1 << view->dimension) - 1, &source, error)))
        return FALSE;
    view->graph = (Graph)choice;
    view->source = (guint)source;
    view->first_tree = 0;
    view->n_trees = graph_n_trees(view->graph, view->dimension);
    if (!o->tree)
        return TRUE;
    if (!input_parse_count("--tree", o->tree, 0, view->n_trees - 1, &tree, error))
        return FALSE;
    view->first_tree = (guint)tree;
    view->n_trees = 1;
    return TRUE;
}

static gboolean print_tree(const char *graph, const TreeOptions *o, GError **error)
{
    static char *(*const draw[])(const GraphView *view) = {graph_draw_text, graph_draw_dot, graph_draw_svg};
    GraphView view;
    guint format = TREE_TEXT;
    if (!parse_view(graph, o, &format, &view, error) || !report_check_path(o->output, error))
        return FALSE;
    g_autofree char *text = draw[format](&view);
    return report_write(o->output, text, error);
}

static int cmd_tree(int argc, char **argv, GError **error)
{
    TreeOptions o = {0};
    const GOptionEntry options[] = {
        {"dimension", 'd', 0, G_OPTION_ARG_STRING, &o.dimension, "Cube dimension, 1 to 12, or 7 as SVG", "D"},
        {"source", 0, 0, G_OPTION_ARG_STRING, &o.source, "The processor at the root; default: 0", "S"},
        {"tree", 0, 0, G_OPTION_ARG_STRING, &o.tree, "One of the graph's trees, counted from 0; default: all", "J"},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "What the graph is written as; default: text",
         "text|dot|svg"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "Write to FILE, whole or not at all", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    int code = 2;
    if (command_parse(&argc, &argv, "path|sbt|nesbt|nrsbt|sbnt --dimension D",
                      "Prints or draws a spanning graph of the cube (Johnsson & Ho 1987, sec. 4.1): the Hamiltonian\n"
                      "paths, the Spanning Binomial Tree, the n Edge-disjoint and n Rotated SBTs, or the Spanning\n"
                      "Balanced n-Tree; as text, for Graphviz's dot, or as an SVG picture.\n\n"
                      "Example: ecube tree sbnt -d 4\n"
                      "         ecube tree nesbt -d 3 --source 5 --format svg --output nesbt.svg",
                      options, NULL, error)) {
        if (argc != 2)
            input_refuse(error, "tree takes one graph; usage: ecube tree GRAPH --dimension D");
        else
            code = print_tree(argv[1], &o, error) ? 0 : 2;
    }
    g_free(o.dimension);
    g_free(o.source);
    g_free(o.tree);
    g_free(o.format);
    g_free(o.output);
    return code;
}

const Command command_tree = {"tree", "print or draw a spanning graph of the cube", cmd_tree};
