/* Spanning graphs for people: as text, for Graphviz, and drawn in the manner of figures 2 and 4 of Johnsson & Ho 1987.
 * Nodes have their processors' binary addresses; the children of a node come in the order in which the tree goes on
 * from there: ascending cyclic order of dimensions after the one by which the node was reached. */
#pragma once

#include "sim/cube/graph.h"

/* Largest cubes: 4096 nodes to a tree as text; as SVG what fits on a poster (6 on a page). */
#define GRAPH_TEXT_DIMENSION_MAX 12
#define GRAPH_SVG_DIMENSION_MAX 7

typedef struct {
    Graph graph;
    guint dimension;            /* 1 ... GRAPH_TEXT_DIMENSION_MAX, or GRAPH_SVG_DIMENSION_MAX for graph_draw_svg() */
    guint source;               /* < 2^dimension */
    guint first_tree, n_trees;  /* the trees that are shown; n_trees >= 1 */
} GraphView;

/* A tree indented by level, the dimension at each branch, and the graph's numbers above it. Caller frees. */
char *graph_draw_text(const GraphView *view);

/* Graphviz's language: one rank per level, edges labelled with their dimensions. Caller frees. */
char *graph_draw_dot(const GraphView *view);

/* Levels as rows, edges in the colours of their dimensions. No two nodes overlap, no edges cross. Caller frees. */
char *graph_draw_svg(const GraphView *view);
