/* Arrays in Boolean cubes by the binary-reflected Gray code (Johnsson & Ho 1987, sec. 3).
 *
 * An array N_1 x N_2 x ... x N_r gets ceil(log2 N_i) address bits for its axis i, axis 1 the highest ones. Along an
 * axis its nodes follow the Gray code. Without wrap-around all neighbours are neighbours in the cube: dilation one.
 * With wrap-around every axis is a ring. Its first half of nodes comes from the beginning of the code, the others from
 * the end. A ring of even N_i has dilation one; of odd N_i one edge has dilation two, which no embedding avoids. A ring
 * is an array of one axis with wrap-around.
 *
 * Expansion is processors per node, the product over the axes. An axis of N_i >= 2 has at most 2 - 2/N_i, reached by
 * N_i = 2^k + 1; sim/cube/README.md explains how to read the paper's bound. */
#pragma once

#include <glib.h>

/* Largest dimension of the cube, and largest number of axes of an array. */
#define EMBEDDING_DIMENSION_MAX 16
#define EMBEDDING_AXES_MAX 16

typedef struct {
    guint n_axes;                           /* at least 1 */
    guint extent[EMBEDDING_AXES_MAX];       /* [n_axes]: nodes along each axis, at least 1 */
    gboolean wrap;                          /* whether all axes are rings */
} Embedding;

/* Edges of an array, counted by the distance in the cube between their two ends. The largest distance is the
 * dilation. */
typedef struct {
    guint64 n_edges[EMBEDDING_DIMENSION_MAX + 1];   /* [distance]: number of edges */
    guint dilation;                                 /* largest distance; 0 if there are no edges */
} EmbeddingEdges;

/* Parses "4x8" or "12". `where` begins the error message. Errors: not whole numbers from 1 on, too many axes, or a cube
 * of a dimension above EMBEDDING_DIMENSION_MAX. */
gboolean embedding_parse(const char *where, const char *text, gboolean wrap, Embedding *embedding, GError **error);

/* Returns "4 x 8". Caller frees. */
char *embedding_format(const Embedding *embedding);

/* Returns the dimension of the cube in which the array lies. */
guint embedding_dimension(const Embedding *embedding);
/* Returns the number of nodes of the array. */
guint embedding_n_nodes(const Embedding *embedding);

/* Returns the processor of the node at[n_axes], at[i] < extent[i]. */
guint embedding_processor(const Embedding *embedding, const guint *at);

/* Moves at[n_axes] to the next node in row-major order, the last axis fastest. Returns FALSE if that led from the
 * last node back to the first. */
gboolean embedding_next(const Embedding *embedding, guint *at);

/* Returns the distance in the cube from node at[] to its successor along `axis`; 0 if it has none. The last node of an
 * axis has a successor only with wrap-around, and only from three nodes on: a ring of two nodes has one edge. */
guint embedding_hops(const Embedding *embedding, const guint *at, guint axis);

EmbeddingEdges embedding_edges(const Embedding *embedding);

/* Returns the expansion: processors of the cube per node of the array. */
double embedding_expansion(const Embedding *embedding);
