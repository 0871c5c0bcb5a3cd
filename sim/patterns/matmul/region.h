/* Places of matrix elements: which elements a processor has, and in which slots they lie on their way.
 *
 * Indices are some rows or columns. A Patch is the elements in some rows and columns, and a Piece is some consecutive
 * elements of a patch. A Placement says which patch of a matrix every processor has, and a Region which pieces lie in
 * which slots. */
#pragma once

#include "sim/cube/matmul_grid.h"

/* --- matrices --- */

/* The matrices of a multiplication A <- C x D + E. At first the place of A holds E. */
typedef enum { MATRIX_C, MATRIX_D, MATRIX_A, N_MATRICES } MatrixName;

/* Returns the number of rows of a matrix: C is P x Q, D is Q x R, A is P x R. */
static inline guint matrix_height(MatmulShape shape, MatrixName name)
{
    return name == MATRIX_D ? shape.q : shape.p;
}

static inline guint matrix_width(MatmulShape shape, MatrixName name)
{
    return name == MATRIX_C ? shape.q : shape.r;
}

/* Returns the index of matrix `name` of multiplication m among the matrices of all multiplications. */
static inline guint matrix_number(guint m, MatrixName name)
{
    return m * N_MATRICES + name;
}

/* --- elements --- */

/* Indices of `count` rows or columns of a matrix: first, first + stride, ... */
typedef struct {
    guint first, stride, count;
} Indices;

static inline guint indices_nth(Indices indices, guint n)
{
    return indices.first + n * indices.stride;
}

/* Returns the n for which indices_nth(indices, n) is i. `indices` must contain i. */
static inline guint indices_place(Indices indices, guint i)
{
    return (i - indices.first) / indices.stride;
}

/* Returns share number `share` of the indices 0 ... extent - 1, cut into `n` shares. `n` is a power of two. */
Indices indices_share(guint extent, guint n, guint share, MatmulLayout layout);

/* Returns the indices that are in both a and b. Each must be a share (indices_share()), or a share of a share, of one
 * extent in one layout. */
Indices indices_both(Indices a, Indices b);

/* The elements in some rows and some columns, numbered row by row. */
typedef struct {
    Indices rows, cols;
} Patch;

static inline guint64 patch_count(const Patch *patch)
{
    return (guint64)patch->rows.count * patch->cols.count;
}

Patch patch_both(const Patch *a, const Patch *b);

/* Elements first ... first + count - 1 of a patch. */
typedef struct {
    Patch patch;
    guint first, count;
} Piece;

static inline Piece piece_whole(Patch patch)
{
    return (Piece){patch, 0, (guint)patch_count(&patch)};
}

/* --- placements --- */

/* Division of the rows, or of the columns, of a matrix among processors. A processor's address bits in dims[0] number a
 * share of all indices, and so do its bits in dims[1]. The indices in both shares are cut into shares again, numbered
 * by its bits in `cut`. A mask of 0 divides nothing. */
typedef struct {
    guint extent;
    guint dims[2], cut;
} Axis;

typedef struct {
    Axis rows, cols;
    MatmulLayout layout;
    MatmulEncoding encoding;
} Placement;

/* Returns the elements of the matrix that processor `node` has in this placement. */
Patch placement_patch(const Placement *placement, guint node);

/* Returns the placement in which a processor has all elements of the processors of its ring together. A ring is all
 * processors that differ in the address bits `dims` only. */
Placement placement_joined(const Placement *placement, guint dims);

/* --- regions --- */

typedef struct RegionDeal RegionDeal;

/* Slots in which parts of a matrix lie while it moves within rings. A ring is all processors that differ in the bits
 * `dims` only.
 *
 * All data has an origin and a destination in the ring. Data from processor x to processor z has the number x xor z,
 * its bits in `dims` put together, at both and on the way. Each number has n_parts slots, and each slot holds a
 * piece: one part of the data with this number. Parts are as even as whole elements can be, the longer ones first; or
 * the elements are dealt out (region_deal()). */
typedef struct {
    guint slot;             /* first slot of the region at every processor */
    guint dims;             /* dimensions of a ring, as bits; 0: each processor has its own data only */
    guint n_parts;
    Placement from, to;     /* placements of the matrix before and after it moves, at origins and at destinations */
    gboolean moved;         /* whether the data has arrived at its destinations */
    const RegionDeal *deal; /* packets into which region_deal() cuts the data; NULL: even parts. Borrowed */
    const GArray *numbers;  /* guint: the numbers that have slots, ascending; NULL: all numbers have slots.
                             * Borrowed */
} Region;

guint region_n_slots(const Region *region);

/* Returns the first slot of the data with number `number`, counted from region->slot. */
guint region_slot_of(const Region *region, guint number);

/* Returns the elements in part `part` of the data that processor x sends to processor z of its ring. */
Piece region_sent(const Region *region, guint x, guint z, guint part);

/* Returns the number of the data in the n_parts slots from region->slot + i x n_parts on. */
guint region_nth_number(const Region *region, guint i);

/* Returns the piece that slot region->slot + i holds at `node`. */
Piece region_piece(const Region *region, guint node, guint i);

/* Returns all elements that the region has at `node` when all data for its slots is there. */
Patch region_cover(const Region *region, guint node);

/* Returns the numbers of the data that the region has at `node` when all data for its slots is there (GArray of guint,
 * ascending; caller unrefs). */
GArray *region_numbers(const Region *region, guint node);

/* Returns the numbers of the data that any of n_nodes processors has (GArray of guint, ascending; caller unrefs).
 * Region.numbers of a sparse region is such an array. */
GArray *region_numbers_of_all(const Region *region, guint n_nodes);

/* Cuts the data that each processor sends, in a region of one part, into packets of `packet` > 0 elements and a
 * shorter last one. A packet is a part of the region, with elements for many destinations. In each round every
 * destination with elements left gets one, in this order: the first, the last, the second, the last but one, ... With
 * 2^k destinations the first and the last differ in all k bits, as do the second and the last but one, and so on. So in
 * each bit about half of a packet's destinations have a 1. Returns the packets, and makes them region->deal. Sets
 * region->n_parts to the most packets that any of n_nodes processors has. Free with region_deal_free(). */
RegionDeal *region_deal(Region *region, guint n_nodes, guint64 packet);
void region_deal_free(RegionDeal *deal);
