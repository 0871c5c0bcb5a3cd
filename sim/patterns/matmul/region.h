/* Where the elements of matrices are: which of them a processor has, and in which slots they lie on their way.
 *
 * Indices are some rows or columns, a Patch is the elements in some rows and columns, and a Piece is some elements of a
 * patch that follow each other. A Placement says which patch of a matrix every processor has, and a Region which pieces
 * lie in which slots. */
#pragma once

#include "sim/cube/matmul_grid.h"

/* --- matrices --- */

/* Of a multiplication A <- C x D + E. A is E at first. */
typedef enum { MATRIX_C, MATRIX_D, MATRIX_A, N_MATRICES } MatrixName;

/* Rows and columns: C is P x Q, D is Q x R, A is P x R. */
static inline guint matrix_height(MatmulShape shape, MatrixName name)
{
    return name == MATRIX_D ? shape.q : shape.p;
}

static inline guint matrix_width(MatmulShape shape, MatrixName name)
{
    return name == MATRIX_C ? shape.q : shape.r;
}

/* The number of a matrix of multiplication m, of several. */
static inline guint matrix_number(guint m, MatrixName name)
{
    return m * N_MATRICES + name;
}

/* --- elements --- */

/* Indices first, first + stride, ...: `count` of them. */
typedef struct {
    guint first, stride, count;
} Indices;

static inline guint indices_nth(Indices indices, guint n)
{
    return indices.first + n * indices.stride;
}

/* The place of index i, which is one of them. */
static inline guint indices_place(Indices indices, guint i)
{
    return (i - indices.first) / indices.stride;
}

/* Of 0 ... extent - 1, share number `share` out of `n`, a power of two. */
Indices indices_share(guint extent, guint n, guint share, MatmulLayout layout);

/* The indices in both, which are shares of one extent in one layout. */
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

/* Elements number `first` ... first + count - 1 of a patch. */
typedef struct {
    Patch patch;
    guint first, count;
} Piece;

static inline Piece piece_whole(Patch patch)
{
    return (Piece){patch, 0, (guint)patch_count(&patch)};
}

/* --- placements --- */

/* The rows, or the columns, of a matrix: `extent` of them. The bits dims[i] of a processor's address say which share it
 * has; it has what is in both shares. dims[i] = 0: everything. Of that the bits `cut` say which share it has. */
typedef struct {
    guint extent;
    guint dims[2], cut;
} Axis;

typedef struct {
    Axis rows, cols;
    MatmulLayout layout;
} Placement;

/* What a processor has. */
Patch placement_patch(const Placement *placement, guint node);

/* What all processors that differ in the bits `dims` have together. */
Placement placement_joined(const Placement *placement, guint dims);

/* --- regions --- */

typedef struct RegionDeal RegionDeal;

/* Slots in which parts of a matrix lie while it moves within rings: processors that differ in the bits `dims` only.
 *
 * All data has an origin and a destination in the ring. What goes from processor x to processor z has the number
 * x xor z, its bits in `dims` put together, at both and on the way. Each number has n_parts slots, and a slot holds a
 * piece: one part of what has the number. Parts are as even as whole elements can be, the longer ones first; or the
 * elements are dealt out (region_deal()). */
typedef struct {
    guint slot;             /* the first */
    guint dims;             /* 0: what a processor has itself */
    guint n_parts;
    Placement from, to;     /* what x has, and what z is to have of it */
    gboolean moved;         /* it is at its destinations */
    const RegionDeal *deal; /* NULL: even parts. Borrowed */
    const GArray *numbers;  /* guint: the numbers that have slots, in ascending order; NULL: all. Borrowed */
} Region;

guint region_n_slots(const Region *region);

/* The first slot of a number, counted from the region's first. */
guint region_slot_of(const Region *region, guint number);

/* What part `part` of what goes from processor x to z consists of. */
Piece region_sent(const Region *region, guint x, guint z, guint part);

/* The number that has slots i n_parts ... (i + 1) n_parts - 1. */
guint region_nth_number(const Region *region, guint i);

/* What slot number i of the region holds at `node`. */
Piece region_piece(const Region *region, guint node, guint i);

/* All elements that `node` has in the region, when it is full. */
Patch region_cover(const Region *region, guint node);

/* The numbers of what `node` has, and of what any of n_nodes processors has: guint, in ascending order. The latter may
 * become region->numbers, where few numbers have anything. Caller unrefs. */
GArray *region_numbers(const Region *region, guint node);
GArray *region_numbers_of_all(const Region *region, guint n_nodes);

/* Cuts what each processor sends, in a region of one part, into packets of `packet` > 0 elements and a last one of the
 * rest. A packet is a part of the region, with something for many destinations. Elements are dealt out in rounds,
 * with one for each destination that still gets any: first to the first and the last, then to the second and the last
 * but one, ... Such pairs of 2^k numbers differ in all bits, so half of the destinations of a packet have a 1 in each
 * bit. Sets deal, and n_parts to the most packets that any of n_nodes processors has. Free with region_deal_free(). */
RegionDeal *region_deal(Region *region, guint n_nodes, guint64 packet);
void region_deal_free(RegionDeal *deal);
