/* Matrices on a grid of the cube's processors (Johnsson & Ho 1987, sec. 5): their sizes, and which rows and columns a
 * processor has.
 *
 * In A <- C x D + E, A and E have P x R elements, C has P x Q and D Q x R. The N = 2^n processors are a grid of
 * N1 = 2^n1 rows and N2 = 2^n2 columns, n1 + n2 = n; a partitioning by columns is the grid 1 x N, one by rows N x 1.
 * Grids of three dimensions have N3 = 2^n3 such layers, n1 + n2 + n3 = n. */
#pragma once

#include <glib.h>

/* Largest value of P, Q and R. */
#define MATMUL_SIDE_MAX (1u << 20)

/* Largest element in bytes. */
#define MATMUL_ELEMENT_MAX (1u << 20)

/* Bytes of an element by default: single precision (sec. 2). */
#define MATMUL_ELEMENT 4

/* Sides of the matrices: P, Q and R, 1 ... MATMUL_SIDE_MAX each. */
typedef struct {
    guint p, q, r;
} MatmulShape;

typedef struct {
    guint n1, n2, n3;           /* log2 of N1, N2 and N3; n3 = 0: the grid has two dimensions */
} MatmulGrid;

/* Layout of h rows on N1 processor rows: row i is on processor row i div ceil(h / N1) if consecutive, i mod N1 if
 * cyclic. Columns lie on N2 processor columns in the same way. */
typedef enum { MATMUL_CONSECUTIVE, MATMUL_CYCLIC } MatmulLayout;

/* Names of layouts in the order of MatmulLayout, NULL-terminated. Static. */
extern const char *const matmul_layout_names[];

/* How the numbers of processor rows and columns are written in the bits of addresses: in binary, or by the Gray code,
 * so that neighbours in a row or column are neighbours in the cube. */
typedef enum { MATMUL_BINARY, MATMUL_GRAY } MatmulEncoding;

/* Names of encodings in the order of MatmulEncoding, NULL-terminated. Static. */
extern const char *const matmul_encoding_names[];

typedef enum { MATMUL_P, MATMUL_Q, MATMUL_R } MatmulSide;
guint matmul_side(const MatmulShape *shape, MatmulSide side);

/* --- as users write them; `where` begins the error message --- */

/* Parses "5x7x3": P, Q and R. */
gboolean matmul_shape_parse(const char *where, const char *text, MatmulShape *shape, GError **error);

/* Parses "4x2" or "4x2x2", powers of two with the product 2^dimension; "column" is 1 x N, "row" is N x 1. The error
 * lists `others`, words that the caller allows besides. */
gboolean matmul_grid_parse(const char *where, const char *text, guint dimension, const char *others, MatmulGrid *grid,
                           GError **error);

/* Returns "5x7x3". Caller frees. */
char *matmul_shape_format(const MatmulShape *shape);
/* Returns "4x2", or "4x2x2" with layers. A grid of one row is "1x8". Caller frees. */
char *matmul_grid_format(const MatmulGrid *grid);

/* --- how 2^m processors share a side of `size` rows or columns --- */

/* Returns ceil(size/2^m), the largest number of rows or columns of a processor. */
guint matmul_share(guint size, guint m);

/* Returns the processor that has row or column `i` < size. */
guint matmul_owner(guint size, guint m, MatmulLayout layout, guint i);
/* Returns the number of processors that have at least one row or column; they are the first ones: 0, 1, ... */
guint matmul_owners(guint size, guint m, MatmulLayout layout);
