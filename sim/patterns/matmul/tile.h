/* Tiles: pieces of matrices with their elements, which are 64-bit integers modulo 2^64. Blocks of a matrix content are
 * addresses of tiles. */
#pragma once

#include "region.h"
#include "sim/schedule/content.h"

typedef struct {
    guint matrix;       /* matrix_number() */
    Piece piece;        /* where its elements are in the matrix */
    gboolean is_sum;    /* it may be written */
    guint64 *elements;  /* [piece.count]; NULL: it was added to another */
} Tile;

/* Room for the tiles of one walk through a schedule: Tile *, freed with it. */
GPtrArray *tiles_new(void);

/* A tile among `tiles`, whose elements the caller fills in. */
Tile *tile_new(GPtrArray *tiles, guint matrix, const Piece *piece, gboolean is_sum);

/* Frees its elements. */
void tile_spend(Tile *tile);

static inline Block tile_block(const Tile *tile)
{
    return (Block)(guintptr)tile;
}

static inline Tile *tile_of(Block block)
{
    return (Tile *)(guintptr)block;
}

/* Copies the elements of a piece from or to those of a patch that has them all. */
void tile_put(const Piece *piece, const guint64 *elements, const Patch *patch, guint64 *whole);
void tile_get(const Piece *piece, guint64 *elements, const Patch *patch, const guint64 *whole);

/* --- numbers --- */

/* Fills in elements of C, D or E: each is drawn by its matrix, row and column. */
void tile_generate(Tile *tile);

/* C x D + E of multiplication m, row by row, from the generator alone. Caller frees. */
guint64 *tile_reference(MatmulShape shape, guint m);

/* Adds C x D to sums for a patch of A. FALSE if they do not fit: some column of C's is no row of D's and some row of
 * D's no column of C's, or the patch lacks what is to be added to. */
gboolean tile_multiply(const Tile *c, const Tile *d, const Patch *a, guint64 *sums);

/* Products of two elements that this takes; and those of them that are of column j of C and row j of D. */
gint64 tile_n_products(const Piece *c, const Piece *d);
gint64 tile_n_products_of(const Piece *c, const Piece *d, guint j);

/* --- for people --- */

/* "rows 0 to 3, columns 4 to 7 of C". Caller frees. */
char *tile_describe(const Tile *tile);
