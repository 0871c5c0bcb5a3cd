/* Arrays in Boolean cubes by the binary-reflected Gray code (Johnsson & Ho 1987, sec. 3).
 *
 * An array N_1 x N_2 x ... x N_r gets ceil(log2 N_i) address bits for its axis i, axis 1 the highest ones, and along an
 * axis its nodes follow the Gray code. Without wrap-around all neighbours are neighbours in the cube: dilation one.
 * With it every axis is a ring, which takes the first half of its nodes from the beginning of the code and the others
 * from its end: dilation one if N_i is even, and one edge of dilation two per ring if it is odd, which no embedding
 * avoids. A ring is an array of one axis with wrap-around.
 *
 * Expansion is processors per node, that of the axes multiplied. An axis of N_i >= 2 has at most 2 - 2/N_i, reached by
 * N_i = 2^k + 1; how the paper's bound is to be read is in sim/cube/README.md. */
#pragma once

#include <glib.h>

/* Largest cube, and most axes. */
#define EMBEDDING_DIMENSION_MAX 16
#define EMBEDDING_AXES_MAX 16

typedef struct {
    guint n_axes;                           /* at least 1 */
    guint extent[EMBEDDING_AXES_MAX];       /* [n_axes], each at least 1 */
    gboolean wrap;                          /* all axes are rings */
} Embedding;

/* Edges of the array, by the distance between their processors; the largest is the dilation. */
typedef struct {
    guint64 n_edges[EMBEDDING_DIMENSION_MAX + 1];   /* [distance] */
    guint dilation;                                 /* 0 if there are no edges */
} EmbeddingEdges;

/* Parses "4x8" or "12"; `where` begins the error message. Errors: not whole numbers from 1 on, too many, or a cube of a
 * dimension beyond EMBEDDING_DIMENSION_MAX. */
gboolean embedding_parse(const char *where, const char *text, gboolean wrap, Embedding *embedding, GError **error);

/* "4 x 8". Caller frees. */
char *embedding_format(const Embedding *embedding);

/* Of the cube, and of the array. */
guint embedding_dimension(const Embedding *embedding);
guint embedding_n_nodes(const Embedding *embedding);

/* Processor of the node at[n_axes], at[i] < extent[i]. */
guint embedding_processor(const Embedding *embedding, const guint *at);

/* at[n_axes] becomes the next node in row-major order, the last axis fastest; FALSE, and the first one, after the
 * last. */
gboolean embedding_next(const Embedding *embedding, guint *at);

/* Distance in the cube from node at[] to its successor along `axis`; 0 if it has none: at the end of an axis without
 * wrap-around, or round an axis of one or two nodes, where that edge is none or counted already. */
guint embedding_hops(const Embedding *embedding, const guint *at, guint axis);

EmbeddingEdges embedding_edges(const Embedding *embedding);

/* Processors per node. */
double embedding_expansion(const Embedding *embedding);
