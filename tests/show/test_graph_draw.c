#include "sim/show/graph_draw.h"
#include "tests/support/tests.h"

#include <stdio.h>

#define N_GRAPHS 7

static GraphView view_of(guint graph, guint d, guint source)
{
    return (GraphView){(Graph)graph, d, source, 0, graph_n_trees((Graph)graph, d)};
}

static guint parse_address(const char *text)
{
    char *end;
    guint address = (guint)strtoul(text, &end, 2);
    ck_assert(end != text);
    return address;
}

/* --- text and DOT: the parents that a reader sees are those of the tree --- */

static void check_edge(const GraphView *view, guint tree, guint parent, guint child, guint dim)
{
    ck_assert_uint_eq(parent ^ child, 1u << dim);
    ck_assert_uint_eq(graph_parent(view->graph, view->dimension, tree, child ^ view->source) ^ view->source, parent);
}

/* The parent of a line is the last one above it with a level less. */
static void check_text(const GraphView *view)
{
    g_autofree char *text = graph_draw_text(view);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint last[64] = {0}, n_roots = 0, n_nodes = 0;
    for (guint i = 5; lines[i]; i++) {
        if (!g_ascii_isspace(lines[i][0]))
            continue;
        guint level = (guint)strtoul(lines[i], NULL, 10), node = parse_address(strrchr(lines[i], ' ') + 1);
        n_nodes++;
        n_roots += level == 0;
        last[level] = node;
        if (level == 0) {
            ck_assert_uint_eq(node, view->source);
            continue;
        }
        const char *dim = g_strrstr(lines[i], "─ ");
        while (g_ascii_isdigit(dim[-1]))
            dim--;
        check_edge(view, view->first_tree + n_roots - 1, last[level - 1], node, (guint)strtoul(dim, NULL, 10));
    }
    ck_assert_uint_eq(n_roots, view->n_trees);
    ck_assert_uint_eq(n_nodes, view->n_trees * cube_n_nodes(view->dimension));
}

static void check_dot(const GraphView *view)
{
    g_autofree char *text = graph_draw_dot(view);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n_edges = 0, n_ranks = 0;
    for (guint i = 0; lines[i]; i++) {
        guint tree, to_tree, dim;
        char from[20], to[20];
        n_ranks += strstr(lines[i], "rank=same") != NULL;
        if (sscanf(lines[i], "t%u_%19[01] -> t%u_%19[01] [label=\"%u\"", &tree, from, &to_tree, to, &dim) != 5)
            continue;
        n_edges++;
        ck_assert_uint_eq(tree, to_tree);
        ck_assert_uint_eq(strlen(to), view->dimension);
        check_edge(view, tree, parse_address(from), parse_address(to), dim);
    }
    ck_assert_uint_eq(n_edges, view->n_trees * (cube_n_nodes(view->dimension) - 1));
    ck_assert_uint_eq(n_ranks, view->n_trees * (graph_height(view->graph, view->dimension) + 1));
}

TEST(text_and_dot)
{
    for (guint graph = 0; graph < N_GRAPHS; graph++)
        for (guint d = 1; d <= 5; d++) {
            GraphView all = view_of(graph, d, 5 % cube_n_nodes(d)), one = all;
            check_text(&all);
            check_dot(&all);
            one.first_tree = one.n_trees - 1;
            one.n_trees = 1;
            check_text(&one);
            check_dot(&one);
        }
    GraphView wide = view_of(GRAPH_SBT, 12, 0);
    check_text(&wide);
}

/* --- SVG: the same, by where nodes and edges are --- */

typedef struct {
    guint node;
    int left, top, width, height;
} Box;

typedef struct {
    int x1, y1, x2, y2;
} Line;

/* The address of a node's label, whose flipped bit is marked up. */
static guint label_address(const char *label, guint dimension)
{
    guint address = 0, n_bits = 0;
    for (const char *c = strchr(label, '>') + 1; strncmp(c, "</text>", 7) != 0; c++) {
        if (*c == '<')
            c = strchr(c, '>');
        else
            address = address << 1 | (*c == '1'), n_bits++;
    }
    ck_assert_uint_eq(n_bits, dimension);
    return address;
}

static void read_svg(const char *svg, guint dimension, GArray *boxes, GArray *edges)
{
    g_auto(GStrv) lines = g_strsplit(svg, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        Box box;
        Line edge;
        if (sscanf(lines[i], "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", &box.left, &box.top,
                   &box.width, &box.height) == 4) {
            box.node = label_address(lines[i + 1], dimension);
            g_array_append_val(boxes, box);
        } else if (sscanf(lines[i], "<line class=\"edge\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"", &edge.x1, &edge.y1,
                          &edge.x2, &edge.y2) == 4) {
            g_array_append_val(edges, edge);
        }
    }
}

/* Apart by 4 pixels at least. */
static gboolean apart(const Box *a, const Box *b)
{
    return a->left + a->width + 4 <= b->left || b->left + b->width + 4 <= a->left || a->top + a->height + 4 <= b->top ||
           b->top + b->height + 4 <= a->top;
}

/* The box whose upper or lower side has its middle at x, y, but for rounding. */
static const Box *box_at(const GArray *boxes, int x, int y, gboolean upper)
{
    for (guint i = 0; i < boxes->len; i++) {
        const Box *box = &g_array_index(boxes, Box, i);
        if (box->top + (upper ? 0 : box->height) == y && abs(box->left + box->width / 2 - x) <= 1)
            return box;
    }
    ck_abort_msg("an edge ends at %d, %d, where no node is", x, y);
    return NULL;
}

/* Two edges of the same row that meet anywhere but in a common parent. */
static gboolean cross(const Line *a, const Line *b)
{
    return a->y1 == b->y1 && (a->x2 == b->x2 || (a->x1 < b->x1 && a->x2 > b->x2) || (a->x1 > b->x1 && a->x2 < b->x2));
}

static void check_boxes(const GArray *boxes, const char *svg)
{
    int width, height;
    ck_assert_int_eq(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %d %d\"", &width, &height), 2);
    for (guint i = 0; i < boxes->len; i++) {
        const Box *box = &g_array_index(boxes, Box, i);
        gboolean inside =
            box->left >= 0 && box->top >= 0 && box->left + box->width <= width && box->top + box->height <= height;
        ck_assert_msg(inside, "node %u is outside", box->node);
        for (guint j = 0; j < i; j++)
            if (!apart(box, &g_array_index(boxes, Box, j)))
                ck_abort_msg("nodes %u and %u overlap", box->node, g_array_index(boxes, Box, j).node);
    }
}

static void check_svg(const GraphView *view)
{
    g_autofree char *svg = graph_draw_svg(view);
    g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box)), edges = g_array_new(FALSE, FALSE, sizeof(Line));
    guint n_nodes = cube_n_nodes(view->dimension);
    read_svg(svg, view->dimension, boxes, edges);
    ck_assert_uint_eq(boxes->len, view->n_trees * n_nodes);
    ck_assert_uint_eq(edges->len, view->n_trees * (n_nodes - 1));
    check_boxes(boxes, svg);
    for (guint i = 0; i < edges->len; i++) {
        const Line *edge = &g_array_index(edges, Line, i);
        guint parent = box_at(boxes, edge->x1, edge->y1, FALSE)->node;
        guint child = box_at(boxes, edge->x2, edge->y2, TRUE)->node, tree = view->first_tree + i / (n_nodes - 1);
        check_edge(view, tree, parent, child, (guint)__builtin_ctz(parent ^ child));
        for (guint j = 0; j < i; j++)
            if (cross(edge, &g_array_index(edges, Line, j)))
                ck_abort_msg("edges %u and %u cross", i, j);
    }
}

TEST_LOOP(svg, 0, N_GRAPHS)
{
    for (guint d = 1; d <= 6; d++) {
        GraphView all = view_of((guint)_i, d, 6 % cube_n_nodes(d)), one = all;
        check_svg(&all);
        one.first_tree = one.n_trees - 1;
        one.n_trees = 1;
        check_svg(&one);
    }
    GraphView largest = view_of((guint)_i, GRAPH_SVG_DIMENSION_MAX, 0);
    largest.n_trees = 1;
    check_svg(&largest);
}

/* Figures 2 and 4: how many nodes stand on each level. */
TEST(figures)
{
    const guint expected[6] = {1, 5, 10, 10, 5, 1};
    const Graph figure[] = {GRAPH_SBT, GRAPH_SBNT};
    for (guint f = 0; f < 2; f++) {
        GraphView view = view_of(figure[f], 5, 0);
        g_autofree char *text = graph_draw_svg(&view);
        g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box)),
                          edges = g_array_new(FALSE, FALSE, sizeof(Line));
        read_svg(text, 5, boxes, edges);
        guint levels[6] = {0};
        int top = g_array_index(boxes, Box, 0).top;
        int row = g_array_index(boxes, Box, 1).top - top;
        for (guint i = 0; i < boxes->len; i++) {
            const Box *box = &g_array_index(boxes, Box, i);
            ck_assert_int_eq((box->top - top) % row, 0);
            levels[(box->top - top) / row]++;
            ck_assert_int_eq((box->top - top) / row, __builtin_popcount(box->node));
        }
        ck_assert_mem_eq(levels, expected, sizeof expected);
    }
}

/* What is said above a graph: literal values for the 5-cube. */
TEST(summaries)
{
    const char *const expected[N_GRAPHS][2] = {
        {"5 paths of 32 nodes, height 31, each with one subtree of 31 nodes below the source.\n",
         "Not edge-disjoint: "},
        {"1 tree of 32 nodes, height 5, with subtrees of 16, 8, 4, 2, 1 nodes below the source.\n",
         "Uses 31 of the cube's 160 directed channels.\n"},
        {"5 trees of 32 nodes, height 6, each with one subtree of 31 nodes below the source.\n",
         "Edge-disjoint: 155 of the cube's 160 directed channels are used, once each; all but those into the "
         "source.\n"},
        {"5 trees of 32 nodes, height 5, each with subtrees of 16, 8, 4, 2, 1 nodes below the source.\n",
         "Not edge-disjoint: 80 of the cube's 160 directed channels are used, by up to 5 trees each.\n"},
        {"1 tree of 32 nodes, height 5, with subtrees of 7, 6, 6, 6, 6 nodes below the source.\n",
         "Uses 31 of the cube's 160 directed channels.\n"},
        {"1 tree of 32 nodes, height 5, with subtrees of 15, 16 nodes below the source.\n",
         "Uses 31 of the cube's 160 directed channels.\n"},
        {"2 paths of 32 nodes, height 31, each with one subtree of 31 nodes below the source.\n",
         "Edge-disjoint: 62 of the cube's 160 directed channels are used, once each.\n"},
    };
    for (guint graph = 0; graph < N_GRAPHS; graph++) {
        GraphView view = view_of(graph, 5, 0);
        g_autofree char *text = graph_draw_text(&view);
        for (guint i = 0; i < 2; i++)
            ck_assert_msg(strstr(text, expected[graph][i]) != NULL, "%s is not in %s", expected[graph][i], text);
    }
}

TESTS(graph_draw, text_and_dot, svg, figures, summaries)
