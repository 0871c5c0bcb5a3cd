/* Spanning graphs for people: as text, for Graphviz, and drawn in the manner of figures 2 and 4 of Johnsson & Ho 1987.
 * Nodes have their processors' binary addresses. The children of a node are ordered by dimension: ascending and cyclic,
 * from the dimension after the one by which the tree reached the node. */
#pragma once

#include "sim/cube/graph.h"

/* Largest dimensions of a cube as text and as SVG. Trees have up to 4096 nodes in a text. SVGs of dimension 7 fit on a
 * poster, those of dimension 6 on a page. */
#define GRAPH_TEXT_DIMENSION_MAX 12
#define GRAPH_SVG_DIMENSION_MAX 7

typedef struct {
    Graph graph;
    guint dimension;            /* dimension of the cube: 1 to GRAPH_TEXT_DIMENSION_MAX, in graph_draw_svg() to
                                 * GRAPH_SVG_DIMENSION_MAX */
    guint source;               /* address of the source, < 2^dimension */
    guint first_tree, n_trees;  /* index of the first tree to draw; number of trees to draw, at least 1 */
} GraphView;

/* Returns the graph's numbers, then its trees, indented by level, with the dimension of each edge. Caller frees. */
char *graph_draw_text(const GraphView *view);

/* Returns the trees in Graphviz's language. Each level is a rank; edges are labelled with their dimensions. Caller
 * frees. */
char *graph_draw_dot(const GraphView *view);

/* Returns an SVG: levels as rows, edges in colours by dimension. No nodes overlap, no edges cross. Caller frees. */
char *graph_draw_svg(const GraphView *view);
