#include "graph_draw.h"
#include "sim/cube/cube.h"
#include "sim/text/html.h"

#include <math.h>
#include <string.h>

static const char *const titles[] = {
    [GRAPH_PATH] = "Hamiltonian path",
    [GRAPH_SBT] = "Spanning Binomial Tree (SBT)",
    [GRAPH_NESBT] = "Edge-disjoint SBTs (nESBT)",
    [GRAPH_NRSBT] = "Rotated SBTs (nRSBT)",
    [GRAPH_SBNT] = "Spanning Balanced n-Tree (SBnT)",
    [GRAPH_TCBT] = "Two-rooted Complete Binary Tree (TCBT)",
    [GRAPH_CIRCUITS] = "Edge-disjoint Hamiltonian circuits",
};

/* [dimension]: colours of edges. Digits at the edges serve readers who cannot tell colours apart. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#007f5f", "#c8408f",
                                      "#b07d00", "#6b4fbb", "#7a4b2a", "#555555"};

/* --- one tree, flat --- */

typedef struct {
    guint node;   /* address relative to the source */
    guint parent; /* index of the parent's branch; the root has its own index */
    guint dim;    /* dimension of the edge from the parent */
    guint level;
    gboolean last; /* whether it is the last child of its parent */
    guint size;    /* number of nodes of the subtree, this one included */
    double x;      /* column in the drawing: 0, 1, 2, ... for leaves; for a parent the middle of its children */
} Branch;

static const Branch *nth_branch(const GArray *branches, guint i)
{
    return &g_array_index(branches, Branch, i);
}

/* Appends a branch and all branches below it, the children of each node in their order. */
static void append_branch(GArray *branches, const GraphView *view, guint tree, Branch branch, guint *n_leaves)
{
    guint children = graph_children(view->graph, view->dimension, tree, branch.node);
    guint index = branches->len, last = index;
    branch.x = children ? 0 : (*n_leaves)++;
    g_array_append_val(branches, branch);
    for (guint dim = branch.node ? branch.dim + 1 : tree; children; dim++) {
        dim %= view->dimension;
        if (!(children >> dim & 1))
            continue;
        children ^= 1u << dim;
        last = branches->len;
        Branch child = {.node = branch.node ^ 1u << dim, .parent = index, .dim = dim, .level = branch.level + 1,
                        .last = !children};
        append_branch(branches, view, tree, child, n_leaves);
    }
    Branch *self = &g_array_index(branches, Branch, index);
    self->size = branches->len - index;
    if (last > index)
        self->x = (nth_branch(branches, index + 1)->x + nth_branch(branches, last)->x) / 2;
}

/* Returns the branches of a tree (GArray of Branch), each before its children. Caller unrefs. */
static GArray *branches_of(const GraphView *view, guint tree)
{
    GArray *branches = g_array_new(FALSE, FALSE, sizeof(Branch));
    append_branch(branches, view, tree, (Branch){.last = TRUE}, &(guint){0});
    return branches;
}

/* Returns the number of leaves, from the last branch: it is the leaf with the largest x. */
static guint n_leaves(const GArray *branches)
{
    return (guint)nth_branch(branches, branches->len - 1)->x + 1;
}

/* --- sentences about a graph --- */

static const char *graph_word(const GraphView *view)
{
    return graph_is_path(view->graph) ? "path" : "tree";
}

static char *graph_address(const GraphView *view, guint node)
{
    GString *address = g_string_new(NULL);
    for (guint bit = view->dimension; bit-- > 0;)
        g_string_append_c(address, (node ^ view->source) >> bit & 1 ? '1' : '0');
    return g_string_free(address, FALSE);
}

/* Returns the title of a tree, "tree 1: dimensions 1, 2, 0"; NULL if the graph is a single tree. Caller frees. */
static char *tree_title(const GraphView *view, guint tree)
{
    gboolean nesbt = view->graph == GRAPH_NESBT;
    if (graph_n_trees(view->graph, view->dimension) == 1)
        return NULL;
    if (view->graph == GRAPH_CIRCUITS)
        return g_strdup_printf("path %u: circuit %u, %s", tree, tree / 2, tree % 2 ? "back" : "there");
    GString *title = g_string_new(NULL);
    g_string_printf(title, nesbt ? "%s %u: dimension %u, then " : "%s %u: dimensions ", graph_word(view), tree, tree);
    for (guint k = 0; k < view->dimension; k++)
        g_string_append_printf(title, "%s%u", k ? ", " : "", (tree + nesbt + k) % view->dimension);
    return g_string_free(title, FALSE);
}

/* Returns the number of directed channels that the graph uses. Sets `*most` to the largest number of trees on one
 * channel. */
static guint channels_used(const GraphView *view, guint *most)
{
    guint d = view->dimension, n_used = 0;
    g_autofree guint *n_trees = g_new0(guint, cube_n_nodes(d) * d);
    *most = 0;
    for (guint tree = 0; tree < graph_n_trees(view->graph, d); tree++)
        for (guint r = 1; r < cube_n_nodes(d); r++) {
            guint parent = graph_parent(view->graph, d, tree, r);
            guint channel = cube_channel(d, parent, cube_first_dimension(parent, r));
            n_used += n_trees[channel] == 0;
            n_trees[channel]++;
            *most = MAX(*most, n_trees[channel]);
        }
    return n_used;
}

/* Returns a sentence on the trees, "1 tree of 16 nodes, height 4, with subtrees of 5, 4, 3, 3 nodes below the source."
 * Caller frees. */
static char *describe_trees(const GraphView *view)
{
    guint d = view->dimension, n_trees = graph_n_trees(view->graph, d), n_subtrees = 0;
    g_autoptr(GArray) branches = branches_of(view, view->first_tree);
    g_autoptr(GString) sizes = g_string_new(NULL);
    for (guint i = 1; i < branches->len; i++) {
        const Branch *branch = nth_branch(branches, i);
        if (branch->level == 1)
            g_string_append_printf(sizes, "%s%u", n_subtrees++ ? ", " : "", branch->size);
    }
    return g_strdup_printf("%u %s%s of %u nodes, height %u,%s with %s of %s node%s below the source.", n_trees,
                           graph_word(view), n_trees > 1 ? "s" : "", cube_n_nodes(d), graph_height(view->graph, d),
                           n_trees > 1 ? " each" : "", n_subtrees > 1 ? "subtrees" : "one subtree", sizes->str,
                           d > 1 ? "s" : "");
}

/* Returns a sentence on channels, "Edge-disjoint: 60 of the cube's 64 directed channels are used, once each." Caller
 * frees. */
static char *describe_channels(const GraphView *view)
{
    guint most, n_used = channels_used(view, &most), d = view->dimension, n_channels = cube_n_nodes(d) * d;
    if (graph_n_trees(view->graph, d) == 1)
        return g_strdup_printf("Uses %u of the cube's %u directed channels.", n_used, n_channels);
    if (most > 1)
        return g_strdup_printf("Not edge-disjoint: %u of the cube's %u directed channels are used, by up to %u %ss "
                               "each.", n_used, n_channels, most, graph_word(view));
    return g_strdup_printf("Edge-disjoint: %u of the cube's %u directed channels are used, once each%s.", n_used,
                           n_channels, n_used == n_channels - d ? "; all but those into the source" : "");
}

static char *graph_title(const GraphView *view)
{
    g_autofree char *source = graph_address(view, 0);
    const char *several = view->graph == GRAPH_PATH && view->dimension > 1 ? "s" : "";
    return g_strdup_printf("%s%s of the %u-cube, source %s", titles[view->graph], several, view->dimension, source);
}

/* --- text --- */

/* Appends the lines and the dimension before a node in the text, "│    │    ├─3─ ". Nodes of a path are not
 * indented. */
static void append_stem(GString *out, const GArray *branches, guint index, const GraphView *view)
{
    const Branch *branch = nth_branch(branches, index);
    guint digits = view->dimension > 10 ? 2 : 1;
    const char *fork = graph_is_path(view->graph) ? "─" : branch->last ? "└─" : "├─";
    gsize start = out->len;
    for (guint i = branch->parent; !graph_is_path(view->graph) && i; i = nth_branch(branches, i)->parent) {
        const char *trunk = nth_branch(branches, i)->last ? " " : "│";
        g_autofree char *indent = g_strdup_printf("%s%*s", trunk, (int)digits + 3, "");
        g_string_insert(out, (gssize)start, indent);
    }
    g_string_append_printf(out, "%s%s%u─ ", fork, digits == 2 && branch->dim < 10 ? "─" : "", branch->dim);
}

static void append_tree(GString *out, const GraphView *view, guint tree)
{
    g_autofree char *title = tree_title(view, tree);
    g_autoptr(GArray) branches = branches_of(view, tree);
    g_string_append_printf(out, "\n%s%slevel  node\n", title ? title : "", title ? "\n" : "");
    for (guint i = 0; i < branches->len; i++) {
        const Branch *branch = nth_branch(branches, i);
        g_string_append_printf(out, "%5u  ", branch->level);
        if (i)
            append_stem(out, branches, i, view);
        g_autofree char *address = graph_address(view, branch->node);
        g_string_append_printf(out, "%s\n", address);
    }
}

char *graph_draw_text(const GraphView *view)
{
    g_autofree char *title = graph_title(view), *trees = describe_trees(view), *channels = describe_channels(view);
    GString *out = g_string_new(NULL);
    g_string_printf(out, "%s\n%s\n%s\nAddresses are binary; ─k─ crosses dimension k, which flips bit k, counted from 0 "
                    "at the right.\n", title, trees, channels);
    for (guint i = 0; i < view->n_trees; i++)
        append_tree(out, view, view->first_tree + i);
    return g_string_free(out, FALSE);
}

/* --- Graphviz --- */

static void append_dot_tree(GString *out, const GraphView *view, guint tree)
{
    g_autofree char *title = tree_title(view, tree);
    g_autoptr(GArray) branches = branches_of(view, tree);
    if (title)
        g_string_append_printf(out, "subgraph cluster_%u {\nlabel=\"%s\";\n", tree, title);
    for (guint level = 0; level <= graph_height(view->graph, view->dimension); level++) {
        g_string_append(out, "{ rank=same;");
        for (guint i = 0; i < branches->len; i++) {
            const Branch *branch = nth_branch(branches, i);
            if (branch->level != level)
                continue;
            g_autofree char *address = graph_address(view, branch->node);
            g_string_append_printf(out, " t%u_%s [label=\"%s\"];", tree, address, address);
        }
        g_string_append(out, " }\n");
    }
    for (guint i = 1; i < branches->len; i++) {
        const Branch *branch = nth_branch(branches, i);
        g_autofree char *to = graph_address(view, branch->node);
        g_autofree char *from = graph_address(view, branch->node ^ 1u << branch->dim);
        g_string_append_printf(out, "t%u_%s -> t%u_%s [label=\"%u\", color=\"%s\"];\n", tree, from, tree, to,
                               branch->dim, colours[branch->dim % G_N_ELEMENTS(colours)]);
    }
    g_string_append(out, title ? "}\n" : "");
}

char *graph_draw_dot(const GraphView *view)
{
    g_autofree char *title = graph_title(view);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "digraph %s {\nlabel=\"%s\"; labelloc=t; ordering=out;\n"
                           "node [shape=box, style=rounded, fontname=monospace, height=0.3];\nedge [arrowsize=0.6];\n",
                           graph_names[view->graph], title);
    for (guint i = 0; i < view->n_trees; i++)
        append_dot_tree(out, view, view->first_tree + i);
    g_string_append(out, "}\n");
    return g_string_free(out, FALSE);
}

/* --- SVG; lengths in pixels --- */

enum {
    MARGIN = 24,
    HEAD = 118,                             /* height of the head: the title, two lines of text, and the colours of the
                                             * dimensions */
    LEVELS = 76,                            /* width of the strip left of the trees with the levels' numbers */
    TREE_TITLE = 34, TITLE_LETTER = 8,
    TREE_GAP = 44,                          /* gap between two trees side by side */
    NODE_HEIGHT = 22, NODE_GAP = 10,        /* height of a node; least gap between neighbours on a level */
    SHEET = 1500,                           /* largest width of trees side by side; a wider tree stands alone */
    WIDTH_MIN = 740,                        /* least width of the picture: the head needs it */
    ROWS_TO_WIDTH = 24,                     /* levels are at least tree_width / 24 apart, so that edges are steep */
};

typedef struct {
    guint node_width, slot, row;    /* width of a node; width of a node with its gap; distance between levels */
    guint tree_width, tree_height;  /* width of a tree; height of a tree with its title. All trees have one size */
    guint columns, rows;            /* number of trees side by side; number of such rows of trees */
    guint width, height, left;      /* size of the picture; x of the left edge of the leftmost tree */
} GraphLayout;

static GraphLayout layout_of(const GraphView *view)
{
    g_autoptr(GArray) branches = branches_of(view, view->first_tree);
    g_autofree char *title = tree_title(view, view->first_tree);
    GraphLayout l = {0};
    guint d = view->dimension;
    l.node_width = 7 * d + 16;
    l.slot = l.node_width + NODE_GAP;
    l.tree_width = MAX(n_leaves(branches) * l.slot, title ? TITLE_LETTER * (guint)strlen(title) : 0);
    l.row = graph_is_path(view->graph) ? 44 : MAX(52 + 9 * d, l.tree_width / ROWS_TO_WIDTH);
    l.tree_height = TREE_TITLE + graph_height(view->graph, d) * l.row + NODE_HEIGHT + MARGIN;
    l.columns = CLAMP(SHEET / (l.tree_width + TREE_GAP), 1, view->n_trees);
    l.rows = (view->n_trees + l.columns - 1) / l.columns;
    l.columns = (view->n_trees + l.rows - 1) / l.rows;
    guint all = l.columns * l.tree_width + (l.columns - 1) * TREE_GAP;
    l.width = MAX(WIDTH_MIN, 2 * MARGIN + LEVELS + all);
    l.left = MARGIN + LEVELS + (l.width - 2 * MARGIN - LEVELS - all) / 2;
    l.height = HEAD + l.rows * l.tree_height + MARGIN;
    return l;
}

static void append_label(GString *out, guint x, guint y, const char *class, const char *text)
{
    html_put(out, "<text class=\"%s\" x=\"%u\" y=\"%u\">%s</text>\n", class, x, y, text);
}

static const char style[] =
    "<style>\n"
    "text { font-family: Helvetica, Arial, \"DejaVu Sans\", sans-serif; font-size: 12px; fill: #333; }\n"
    ".title { font-size: 17px; font-weight: bold; fill: #000; }\n"
    ".tree { font-size: 13px; font-weight: bold; text-anchor: middle; }\n"
    ".small { font-size: 10px; fill: #777; }\n"
    ".node { font-family: \"DejaVu Sans Mono\", Menlo, Consolas, monospace; font-size: 11.5px;\n"
    "  text-anchor: middle; }\n"
    ".dim { font-size: 10px; font-weight: bold; text-anchor: middle; }\n"
    "line { stroke-width: 1.8; }\n"
    ".level { stroke: #e4e4e4; stroke-width: 1; }\n"
    "</style>\n";

static void append_head(GString *out, const GraphView *view, const GraphLayout *l)
{
    g_autofree char *title = graph_title(view), *trees = describe_trees(view), *channels = describe_channels(view);
    g_string_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
                    "<title>%s</title>\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                    l->width, l->height, l->width, l->height, title, style);
    append_label(out, MARGIN, MARGIN + 14, "title", title);
    append_label(out, MARGIN, MARGIN + 34, "text", trees);
    append_label(out, MARGIN, MARGIN + 50, "text", channels);
    append_label(out, MARGIN, MARGIN + 76, "text", "Edges cross dimension");
    for (guint k = 0; k < view->dimension; k++) {
        guint x = MARGIN + 144 + 48 * k;
        g_string_append_printf(out, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" stroke=\"%s\"/>\n"
                               "<text x=\"%u\" y=\"%u\">%u</text>\n", x, MARGIN + 72, x + 20, MARGIN + 72, colours[k],
                               x + 25, MARGIN + 76, k);
    }
}

/* Appends a node's box and address. The bit that differs from the parent has its dimension's colour. */
static void append_node(GString *out, const GraphView *view, const GraphLayout *l, const Branch *branch, guint x,
                        guint y)
{
    const char *colour = branch->level ? colours[branch->dim] : "#000";
    g_autofree char *address = graph_address(view, branch->node);
    g_string_append_printf(out, "<rect class=\"box\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"%u\" "
                           "fill=\"%s\" stroke=\"%s\"/>\n<text class=\"node\" x=\"%u\" y=\"%u\"",
                           x - l->node_width / 2, y - NODE_HEIGHT / 2, l->node_width, NODE_HEIGHT, NODE_HEIGHT / 2,
                           branch->level ? "#fff" : "#000", colour, x, y + 4);
    if (!branch->level) {
        g_string_append_printf(out, " style=\"fill: #fff\">%s</text>\n", address);
        return;
    }
    guint flipped = view->dimension - 1 - branch->dim;
    g_string_append_printf(out, ">%.*s<tspan fill=\"%s\" font-weight=\"bold\">%c</tspan>%s</text>\n", (int)flipped,
                           address, colour, address[flipped], address + flipped + 1);
}

/* Appends an edge, with its dimension near the child, where edges are farthest from each other. */
static void append_edge(GString *out, const Branch *branch, guint x1, guint y1, guint x2, guint y2)
{
    const guint above = 13;
    gint x = (gint)x2 + ((gint)x1 - (gint)x2) * (gint)above / (gint)(y2 - y1);
    guint y = y2 - above;
    const char *colour = colours[branch->dim];
    g_string_append_printf(out, "<line class=\"edge\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" stroke=\"%s\"/>\n"
                           "<circle cx=\"%d\" cy=\"%u\" r=\"6\" fill=\"#fff\"/>\n"
                           "<text class=\"dim\" x=\"%d\" y=\"%u\" style=\"fill: %s\">%u</text>\n",
                           x1, y1, x2, y2, colour, x, y, x, y + 4, colour, branch->dim);
}

static void append_svg_tree(GString *out, const GraphView *view, const GraphLayout *l, guint tree, guint left,
                            guint top)
{
    g_autoptr(GArray) branches = branches_of(view, tree);
    g_autofree char *title = tree_title(view, tree);
    guint used = n_leaves(branches) * l->slot, middle = left + l->tree_width / 2;
    double first = left + (l->tree_width - used) / 2. + l->slot / 2.;
    guint y0 = top + TREE_TITLE + NODE_HEIGHT / 2;
    if (title)
        append_label(out, middle, top + 14, "tree", title);
    for (guint i = 1; i < branches->len; i++) {
        const Branch *branch = nth_branch(branches, i);
        const Branch *parent = nth_branch(branches, branch->parent);
        guint y = y0 + branch->level * l->row;
        append_edge(out, branch, (guint)lround(first + parent->x * l->slot), y - l->row + NODE_HEIGHT / 2,
                    (guint)lround(first + branch->x * l->slot), y - NODE_HEIGHT / 2);
    }
    for (guint i = 0; i < branches->len; i++) {
        const Branch *branch = nth_branch(branches, i);
        append_node(out, view, l, branch, (guint)lround(first + branch->x * l->slot), y0 + branch->level * l->row);
    }
}

/* Appends a line per level with its number and, except for paths, the number of nodes that a tree has on it. */
static void append_levels(GString *out, const GraphView *view, const GraphLayout *l, guint top)
{
    g_autoptr(GArray) branches = branches_of(view, view->first_tree);
    for (guint level = 0; level <= graph_height(view->graph, view->dimension); level++) {
        guint y = top + TREE_TITLE + NODE_HEIGHT / 2 + level * l->row, n_nodes = 0;
        for (guint i = 0; i < branches->len; i++)
            n_nodes += nth_branch(branches, i)->level == level;
        g_string_append_printf(out, "<line class=\"level\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", MARGIN + 52, y,
                               l->width - MARGIN, y);
        g_autofree char *label = g_strdup_printf("level %u", level);
        g_autofree char *count = g_strdup_printf("%u node%s", n_nodes, n_nodes > 1 ? "s" : "");
        append_label(out, MARGIN, y + 4, "text", label);
        if (!graph_is_path(view->graph))
            append_label(out, MARGIN, y + 17, "small", count);
    }
}

char *graph_draw_svg(const GraphView *view)
{
    g_assert(view->dimension <= MIN(GRAPH_SVG_DIMENSION_MAX, G_N_ELEMENTS(colours)));
    GraphLayout l = layout_of(view);
    GString *out = g_string_new(NULL);
    append_head(out, view, &l);
    for (guint i = 0; i < view->n_trees; i++) {
        guint row = i / l.columns, column = i % l.columns, top = HEAD + row * l.tree_height;
        if (column == 0)
            append_levels(out, view, &l, top);
        append_svg_tree(out, view, &l, view->first_tree + i, l.left + column * (l.tree_width + TREE_GAP), top);
    }
    g_string_append(out, "</svg>\n");
    return g_string_free(out, FALSE);
}
