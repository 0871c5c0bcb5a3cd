#include "placement.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

Indices indices_share(guint extent, guint n, guint share, MatmulLayout layout)
{
    if (layout == MATMUL_CYCLIC)
        return (Indices){share, n, share < extent ? (extent - share - 1) / n + 1 : 0};
    guint each = (extent - 1) / n + 1, first = MIN(share * each, extent);
    return (Indices){first, 1, MIN(each, extent - first)};
}

/* Of equal strides, the part that is in both. */
static Indices overlap(Indices a, Indices b)
{
    guint first = MAX(a.first, b.first);
    guint end = MIN(a.first + a.count * a.stride, b.first + b.count * b.stride);
    return (Indices){first, a.stride, end > first ? (end - first) / a.stride : 0};
}

Indices indices_both(Indices a, Indices b)
{
    if (a.stride < b.stride)
        return indices_both(b, a);
    if (a.first % b.stride != b.first % b.stride || a.count == 0 || b.count == 0)
        return (Indices){0, 1, 0};
    return a.stride == b.stride ? overlap(a, b) : a;
}

Patch patch_both(const Patch *a, const Patch *b)
{
    return (Patch){indices_both(a->rows, b->rows), indices_both(a->cols, b->cols)};
}

static Indices axis_share(const Placement *placement, const Axis *axis, guint i, guint node)
{
    guint bits = cube_gather_bits(node, axis->dims[i]), n = 1u << __builtin_popcount(axis->dims[i]);
    return indices_share(axis->extent, n, placement->gray ? graph_gray_position(bits) : bits, placement->layout);
}

Indices placement_indices(const Placement *placement, const Axis *axis, guint node)
{
    Indices one = axis_share(placement, axis, 0, node);
    return axis->dims[1] ? indices_both(one, axis_share(placement, axis, 1, node)) : one;
}

Patch placement_patch(const Placement *placement, guint node)
{
    return (Patch){placement_indices(placement, &placement->rows, node),
                   placement_indices(placement, &placement->cols, node)};
}

static Axis axis_joined(const Axis *axis, guint dims)
{
    Axis joined = *axis;
    for (guint i = 0; i < G_N_ELEMENTS(joined.dims); i++)
        joined.dims[i] &= ~dims;
    return joined;
}

Placement placement_joined(const Placement *placement, guint dims)
{
    Placement joined = *placement;
    joined.rows = axis_joined(&placement->rows, dims);
    joined.cols = axis_joined(&placement->cols, dims);
    return joined;
}
