/* Tiles: pieces of matrices with their elements. Blocks of a matrix content are addresses of tiles. */
#pragma once

#include "matrix.h"
#include "region.h"
#include "sim/schedule/content.h"

typedef struct {
    guint matrix;       /* matrix_number() */
    Piece piece;        /* where its elements came from, or belong; for people */
    gboolean is_sum;    /* it may be written */
    guint64 *elements;  /* [piece.count]; NULL: it was added to another */
} Tile;

/* All tiles of one walk through a schedule. */
typedef struct {
    GPtrArray *tiles;
} TileStore;

TileStore tile_store_new(void);
void tile_store_clear(TileStore *store);
void tile_store_free(TileStore *store);

/* A tile whose elements are to be filled in. */
Tile *tile_new(TileStore *store, guint matrix, const Piece *piece, gboolean is_sum);

/* Its elements go; it stays, without any. */
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

/* "rows 0 to 3, columns 4 to 7 of C". Caller frees. */
char *tile_describe(const Tile *tile);
