/* Tiles: pieces of matrices with their elements, which are 64-bit integers modulo 2^64. Blocks of a matrix content are
 * addresses of tiles. */
#pragma once

#include "region.h"
#include "sim/schedule/content.h"

typedef struct {
    guint matrix;       /* index of the matrix: matrix_number() */
    Piece piece;        /* place of the elements in the matrix */
    gboolean is_sum;    /* whether other tiles may be added to this one: TRUE for A, FALSE for C and D */
    guint64 *elements;  /* [piece.count]; NULL: freed by tile_spend(), after they were added or copied to other tiles */
} Tile;

/* Returns an empty list for the tiles (Tile *) of one walk through a schedule. The list owns the tiles. Caller
 * unrefs. */
GPtrArray *tiles_new(void);

/* Allocates a tile in `tiles`. The caller fills in its elements. */
Tile *tile_new(GPtrArray *tiles, guint matrix, const Piece *piece, gboolean is_sum);

/* Frees the elements of a tile. */
void tile_spend(Tile *tile);

static inline Block tile_block(const Tile *tile)
{
    return (Block)(guintptr)tile;
}

static inline Tile *tile_of(Block block)
{
    return (Tile *)(guintptr)block;
}

/* Copies the elements of a piece to their places in `whole`, the elements of `patch` row by row. The patch must
 * contain the piece. */
void tile_put(const Piece *piece, const guint64 *elements, const Patch *patch, guint64 *whole);

/* Copies the elements of a piece from their places in `whole`, the elements of `patch` row by row. The patch must
 * contain the piece. */
void tile_get(const Piece *piece, guint64 *elements, const Patch *patch, const guint64 *whole);

/* --- numbers --- */

/* Fills in the elements of C, D or E. The generator draws each by its matrix, row and column. */
void tile_generate(Tile *tile);

/* Returns the right A = C x D + E of multiplication m, row by row, computed from the generator alone. Caller frees. */
guint64 *tile_reference(MatmulShape shape, guint m);

/* Adds c x d to `sums`, the elements of the patch `a` of A. FALSE if they do not fit: `a` must have all elements of the
 * product, and c must have a column for each row of d, or d a row for each column of c. */
gboolean tile_multiply(const Tile *c, const Tile *d, const Patch *a, guint64 *sums);

/* Returns the number of products of two elements in c x d. */
gint64 tile_n_products(const Piece *c, const Piece *d);

/* Returns the number of products of two elements in c x d whose factors are in column j of C and row j of D. */
gint64 tile_n_products_of(const Piece *c, const Piece *d, guint j);

/* --- for people --- */

/* Returns "rows 0 to 3, columns 4 to 7 of C". Caller frees. */
char *tile_describe(const Tile *tile);
