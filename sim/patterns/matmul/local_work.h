/* What processors do to the pieces of matrices in their memories: all that an operation of a matrix content may be. */
#pragma once

#include "tile.h"

/* A piece of C in one slot times a piece of D in another, added to the patch of A in a third, or to a part of it. One
 * piece at most is less than a patch. The columns of C's are rows of D's, or the rows of D's columns of C's. */
typedef struct {
    guint c_slot, d_slot, a_slot;
    Piece c, d;
    Patch a;
    gboolean c_is_done, d_is_done;  /* it was the piece's last product: it is given up */
} Product;

/* Fills in product number i of a processor in step k; FALSE: there are fewer. */
typedef gboolean ProductNth(gconstpointer user, guint node, guint k, guint i, Product *out);

typedef enum { WORK_RECUT, WORK_MULTIPLY, WORK_ADD, WORK_PRODUCTS } WorkKind;

#define WORK_REGIONS 3

/* In terms of regions. */
typedef struct {
    WorkKind kind;
    guint matrix;           /* of the sums that a product begins */
    gboolean first;         /* the product begins sums */
    Region regions[WORK_REGIONS];      /* of products that begin sums, the first is a factor; */
    gboolean by_rows;       /* D, whose rows are multiplied; else C */
    ProductNth *nth;
    gconstpointer user;
} Work;

/* The tile in a slot, if it has as many elements as the piece; else NULL. */
Tile *work_find_tile(const Block *slots, guint slot, const Piece *piece);

/* Does it at `node`, with new tiles among `tiles`; `k` is for the products. NULL, or what is wrong: caller frees. */
char *work_do(const Work *work, guint node, guint k, Block *slots, GPtrArray *tiles);

/* Operations of arithmetic that it takes. */
gint64 work_operations(const Work *work, guint node, guint k);

/* The whole patches that a multiplication has of the first two regions. */
void work_factors(const Work *work, guint node, Piece *c, Piece *d);

/* A slot that holds what belongs there. */
typedef struct {
    guint slot;
    Piece piece;
} Filled;

/* Those of everything that a processor is to have in a region: Filled, in ascending order. Caller frees. */
GArray *work_filled_slots(guint node, const Region *region);
