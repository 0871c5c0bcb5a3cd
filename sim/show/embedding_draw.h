/* Arrays and rings on the cube as pictures: nodes with their processors, edges with the dimensions that they cross. */
#pragma once

#include "gnuplot.h"
#include "sim/cube/embedding.h"

/* What still can be read. */
#define EMBEDDING_DRAW_MAX 1024
#define EMBEDDING_DRAW_AXES_MAX 3

/* The script: a single axis with wrap-around as a circle, one or two axes as a grid, of three the planes of the first
 * one beside each other. Edges to nodes that are not beside a node are stubs at both. Error: ECUBE_ERROR_INPUT, too
 * large. Caller frees. */
char *embedding_draw_script(const Embedding *embedding, const char *title, PlotFormat format, GError **error);
