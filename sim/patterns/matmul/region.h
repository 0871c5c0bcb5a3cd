/* Regions of memory: slots in which parts of matrices lie while an algorithm of several phases goes on.
 *
 * In a ring - the processors that differ in the bits `dims` only - all data has an origin and a destination. What went
 * from processor x to processor z has at both, and on the way, the number z xor x, its bits in `dims` put together. A
 * slot of the region holds a piece: one part of what has a number. Parts have whole elements, and those that are one
 * element longer come first; or the transfer deals the elements out (deal.h).
 *
 * Where few numbers have anything at all, only those have slots. */
#pragma once

#include "deal.h"
#include "placement.h"

/* The numbers that have slots. */
typedef struct {
    guint n;
    guint *numbers;         /* [n], in ascending order */
    guint *ranks;           /* [2^dimensions of the ring]: the place there of those that have one */
} Census;

typedef struct {
    guint slot;             /* the first */
    guint dims;             /* 0: what a processor has itself */
    guint n_parts;
    Placement from, to;     /* what x has, and what z is to have of it */
    gboolean moved;         /* it is at its destinations */
    const Deal *deal;       /* NULL: even parts. Borrowed */
    const Census *census;   /* NULL: all numbers have slots. Borrowed */
} Region;

/* Elements number `first` ... first + count - 1 of a patch. */
typedef struct {
    Patch patch;
    guint first, count;
} Piece;

static inline Piece piece_whole(Patch patch)
{
    return (Piece){patch, 0, (guint)patch_count(&patch)};
}

static inline guint region_n_slots(const Region *region)
{
    return region->n_parts * (region->census ? region->census->n : 1u << __builtin_popcount(region->dims));
}

/* What part `part` of what went from processor x to z consists of. */
Piece region_sent(const Region *region, guint x, guint z, guint part);

/* The address bits in which the origin and the destination of slot number i differ. */
guint region_across(const Region *region, guint i);

/* What slot number i of the region holds at `node`. */
Piece region_piece(const Region *region, guint node, guint i);

/* The numbers of what is not empty at `node`: guint, in ascending order. */
GArray *region_numbers(const Region *region, guint node);

/* The first slot of a number, counted from the region's first. */
static inline guint region_slot_of(const Region *region, guint number)
{
    return (region->census ? region->census->ranks[number] : number) * region->n_parts;
}

/* The numbers of which any of the cube's processors has something. Free with census_free(). */
Census *census_new(const Region *region, guint n_nodes);
void census_free(Census *census);

/* All elements that `node` has in the region, when it is full. */
Patch region_cover(const Region *region, guint node);
