/* Matrices on a grid of the cube's processors (Johnsson & Ho 1987, sec. 5): their sizes, and which rows and columns a
 * processor has.
 *
 * In A <- C x D + E, A and E have P x R elements, C has P x Q and D Q x R. The N = 2^n processors are a grid of
 * N1 = 2^n1 rows and N2 = 2^n2 columns, n1 + n2 = n; a partitioning by columns is the grid 1 x N, one by rows N x 1.
 * Grids of three dimensions have N3 = 2^n3 such layers, n1 + n2 + n3 = n. */
#pragma once

#include <glib.h>

/* The largest of P, Q and R. */
#define MATMUL_SIDE_MAX (1u << 20)

/* The largest element in bytes. */
#define MATMUL_ELEMENT_MAX (1u << 20)

/* Bytes of an element by default: single precision (sec. 2). */
#define MATMUL_ELEMENT 4

/* P, Q, R: 1 ... MATMUL_SIDE_MAX. */
typedef struct {
    guint p, q, r;
} MatmulShape;

typedef struct {
    guint n1, n2, n3;           /* n3 = 0: two dimensions */
} MatmulGrid;

/* Of h rows, row i is in processor row i div ceil(h / N1) (consecutive), or i mod N1 (cyclic); columns likewise with
 * N2. */
typedef enum { MATMUL_CONSECUTIVE, MATMUL_CYCLIC } MatmulLayout;

/* By the numbers of the enumeration, NULL-terminated. Static. */
extern const char *const matmul_layout_names[];

/* Sides of the matrices. */
typedef enum { MATMUL_P, MATMUL_Q, MATMUL_R } MatmulSide;
guint matmul_side(const MatmulShape *shape, MatmulSide side);

/* --- as users write them; `where` begins the error message --- */

/* "5x7x3": P, Q and R. */
gboolean matmul_shape_parse(const char *where, const char *text, MatmulShape *shape, GError **error);

/* "4x2" or "4x2x2", powers of two with the product 2^dimension; "column" is 1 x N, "row" is N x 1. `others`: what the
 * caller allows beside these, for the error message. */
gboolean matmul_grid_parse(const char *where, const char *text, guint dimension, const char *others, MatmulGrid *grid,
                           GError **error);

/* The same backwards, a grid always as "4x2", or "4x2x2". Caller frees. */
char *matmul_shape_format(const MatmulShape *shape);
char *matmul_grid_format(const MatmulGrid *grid);

/* --- how 2^m processors share a side of `size` rows or columns --- */

/* ceil(size/2^m): the most that a processor has. */
guint matmul_share(guint size, guint m);

/* What the first `count` <= 2^m processors have together; these are never less than any others as many, and of 2^i
 * neighbours from a multiple of 2^i on no others have more. */
guint matmul_share_of_first(guint size, guint m, MatmulLayout layout, guint count);

/* The processor that has row or column `i` < size; how many have any, which are the first. */
guint matmul_owner(guint size, guint m, MatmulLayout layout, guint i);
guint matmul_owners(guint size, guint m, MatmulLayout layout);
