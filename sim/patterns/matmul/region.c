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

guint region_across(const Region *region, guint i)
{
    guint at = i / region->n_parts, number = region->census ? region->census->numbers[at] : at;
    return cube_spread_bits(number, region->dims);
}

Piece region_piece(const Region *region, guint node, guint i)
{
    guint other = node ^ region_across(region, i), part = i % region->n_parts;
    return region->moved ? region_sent(region, other, node, part) : region_sent(region, node, other, part);
}

Patch region_cover(const Region *region, guint node)
{
    Placement joined = placement_joined(region->moved ? &region->from : &region->to, region->dims);
    Patch others = placement_patch(&joined, node);
    Patch own = placement_patch(region->moved ? &region->to : &region->from, node);
    return patch_both(&own, &others);
}

/* Addresses, with bits in `dims` only, whose rows (or columns) in a placement are not all outside `own`. */
static GArray *addresses_that_meet(const Placement *placement, const Axis *axis, guint node, guint dims, Indices own)
{
    GArray *addresses = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < 1u << __builtin_popcount(dims); i++) {
        guint address = cube_spread_bits(i, dims);
        if (indices_both(own, placement_indices(placement, axis, (node & ~dims) | address)).count > 0)
            g_array_append_val(addresses, address);
    }
    return addresses;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

GArray *region_numbers(const Region *region, guint node)
{
    const Placement *other = region->moved ? &region->from : &region->to;
    Patch own = placement_patch(region->moved ? &region->to : &region->from, node);
    guint by_row = axis_dims(&other->rows) & region->dims, by_col = region->dims & ~by_row;
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    if (patch_count(&own) == 0)
        return numbers;
    g_autoptr(GArray) rows = addresses_that_meet(other, &other->rows, node, by_row, own.rows);
    g_autoptr(GArray) cols = addresses_that_meet(other, &other->cols, node, by_col, own.cols);
    for (guint i = 0; i < rows->len; i++)
        for (guint j = 0; j < cols->len; j++) {
            guint address = g_array_index(rows, guint, i) | g_array_index(cols, guint, j);
            guint number = cube_gather_bits(node ^ address, region->dims);
            g_array_append_val(numbers, number);
        }
    g_array_sort(numbers, compare);
    return numbers;
}

Census *census_new(const Region *region, guint n_nodes)
{
    guint all = 1u << __builtin_popcount(region->dims);
    Census *census = g_new(Census, 1);
    *census = (Census){0, g_new(guint, all), g_new0(guint, all)};
    for (guint node = 0; node < n_nodes; node++) {
        g_autoptr(GArray) numbers = region_numbers(region, node);
        for (guint i = 0; i < numbers->len; i++)
            census->ranks[g_array_index(numbers, guint, i)] = 1;
    }
    for (guint number = 0; number < all; number++)
        if (census->ranks[number]) {
            census->ranks[number] = census->n;
            census->numbers[census->n++] = number;
        }
    return census;
}

void census_free(Census *census)
{
    g_free(census->numbers);
    g_free(census->ranks);
    g_free(census);
}
