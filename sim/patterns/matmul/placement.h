/* Where the elements of matrices are: which rows and columns of a matrix a processor has. */
#pragma once

#include "sim/cube/matmul_grid.h"

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

/* Of 0 ... extent - 1, those of share number `share` out of `n`, a power of two. */
Indices indices_share(guint extent, guint n, guint share, MatmulLayout layout);

/* Those that are in both, which are shares of one extent in one layout. */
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

/* The rows, or the columns, of a matrix: `extent` of them. Bits of a processor's address in dims[i] say which share it
 * has; it has what is in both. dims[i] = 0: everything. */
typedef struct {
    guint extent;
    guint dims[2];
} Axis;

typedef struct {
    Axis rows, cols;
    MatmulLayout layout;
    gboolean gray;      /* the bits are those of the share's Gray code */
} Placement;

/* What a processor has. */
Patch placement_patch(const Placement *placement, guint node);

/* Its rows, or its columns. */
Indices placement_indices(const Placement *placement, const Axis *axis, guint node);

static inline guint axis_dims(const Axis *axis)
{
    return axis->dims[0] | axis->dims[1];
}

/* The same, but for the bits in `dims`, which say nothing any more: what all processors that differ in them have
 * together. */
Placement placement_joined(const Placement *placement, guint dims);
