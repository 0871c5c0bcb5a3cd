#include "region.h"
#include "sim/cube/cube.h"

/* Element number of the first one of a part, of `count` elements. */
static guint even_first(guint count, guint n_parts, guint part)
{
    return part * (count / n_parts) + MIN(part, count % n_parts);
}

Piece region_sent(const Region *region, guint x, guint z, guint part)
{
    Patch has = placement_patch(&region->from, x), wanted = placement_patch(&region->to, z);
    Piece piece = {.patch = patch_both(&has, &wanted)};
    guint count = (guint)patch_count(&piece.patch), end;
    if (region->deal) {
        guint number = cube_gather_bits(x ^ z, region->dims);
        piece.first = deal_before(region->deal, x, number, part);
        end = deal_before(region->deal, x, number, part + 1);
    } else {
        piece.first = even_first(count, region->n_parts, part);
        end = even_first(count, region->n_parts, part + 1);
    }
    piece.count = end - piece.first;
    return piece;
}

Piece region_piece(const Region *region, guint node, guint i)
{
    guint other = node ^ cube_spread_bits(i / region->n_parts, region->dims), part = i % region->n_parts;
    return region->moved ? region_sent(region, other, node, part) : region_sent(region, node, other, part);
}

Patch region_cover(const Region *region, guint node)
{
    Placement joined = placement_joined(region->moved ? &region->from : &region->to, region->dims);
    Patch others = placement_patch(&joined, node);
    Patch own = placement_patch(region->moved ? &region->to : &region->from, node);
    return patch_both(&own, &others);
}
