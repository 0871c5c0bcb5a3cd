/* What processors do to the pieces of matrices in their memories: all that an operation of a matrix content may be. */
#pragma once

#include "product.h"
#include "tile.h"

typedef enum { WORK_RECUT, WORK_MULTIPLY, WORK_ADD, WORK_PRODUCTS } WorkKind;

/* In terms of regions. */
typedef struct {
    WorkKind kind;
    guint matrix;           /* of the sums that a product begins */
    gboolean first;         /* the product begins sums */
    Region regions[3];      /* of products that begin sums, the first is a factor; */
    gboolean by_rows;       /* D, whose rows are multiplied; else C */
    ProductNth *nth;
    gconstpointer user;
} Work;

/* The tile in a slot, if it is that of a piece, as far as sizes tell; else NULL. */
Tile *work_find_tile(const Block *slots, guint slot, const Piece *piece);

/* Does it at `node`; `k` is for the products. The store gets what it makes. NULL, or what is wrong: caller frees. */
char *work_do(const Work *work, guint node, guint k, Block *slots, TileStore *store);

/* Operations of arithmetic that it takes. */
gint64 work_operations(const Work *work, guint node, guint k);

/* Bytes that a store has of pieces with so many elements in so many slots, at most; and of all that it makes on the
 * processors of a cube. */
gsize work_bytes_of(guint64 elements, guint64 n_slots);
gsize work_storage(const Work *work, guint dimension);
