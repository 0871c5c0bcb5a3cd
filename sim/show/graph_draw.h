/* Spanning graphs for people: as text, for Graphviz, and drawn in the manner of figures 2 and 4 of Johnsson & Ho 1987.
 * Nodes have their processors' binary addresses. The children of a node are ordered by dimension: ascending and cyclic,
 * from the dimension after the one by which the tree reached the node. */
#pragma once

#include "sim/cube/graph.h"

/* Largest dimensions of cubes: of a text, with 4096 nodes a tree; of an SVG, which then fits on a poster (dimension 6
 * on a page). */
#define GRAPH_TEXT_DIMENSION_MAX 12
#define GRAPH_SVG_DIMENSION_MAX 7

typedef struct {
    Graph graph;
    guint dimension;            /* dimension of the cube, at least 1; at most GRAPH_TEXT_DIMENSION_MAX, for an SVG
                                 * GRAPH_SVG_DIMENSION_MAX */
    guint source;               /* address of the source, < 2^dimension */
    guint first_tree, n_trees;  /* index of the first tree that is drawn, and number of trees that are drawn; n_trees >=
                                 * 1 */
} GraphView;

/* Returns the graph's numbers, then its trees, indented by level, with the dimension of each edge. Caller frees. */
char *graph_draw_text(const GraphView *view);

/* Returns the trees in Graphviz's language. Each level is a rank; edges are labelled with their dimensions. Caller
 * frees. */
char *graph_draw_dot(const GraphView *view);

/* Returns an SVG: levels as rows, edges in colours by dimension. No nodes overlap, no edges cross. Caller frees. */
char *graph_draw_svg(const GraphView *view);
