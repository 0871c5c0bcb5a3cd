#include "region.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

/* --- elements --- */

Indices indices_share(guint extent, guint n, guint share, MatmulLayout layout)
{
    if (layout == MATMUL_CYCLIC)
        return (Indices){share, n, share < extent ? (extent - share - 1) / n + 1 : 0};
    guint each = (extent - 1) / n + 1, first = MIN(share * each, extent);
    return (Indices){first, 1, MIN(each, extent - first)};
}

Indices indices_both(Indices a, Indices b)
{
    if (a.stride < b.stride)
        return indices_both(b, a);
    if (a.first % b.stride != b.first % b.stride || a.count == 0 || b.count == 0)
        return (Indices){0, 1, 0};
    guint first = MAX(a.first, b.first), end = MIN(a.first + a.count * a.stride, b.first + b.count * b.stride);
    return a.stride > b.stride ? a : (Indices){first, a.stride, end > first ? (end - first) / a.stride : 0};
}

Patch patch_both(const Patch *a, const Patch *b)
{
    return (Patch){indices_both(a->rows, b->rows), indices_both(a->cols, b->cols)};
}

/* --- placements --- */

static Indices axis_share(const Placement *placement, const Axis *axis, guint i, guint node)
{
    guint n = 1u << __builtin_popcount(axis->dims[i]), bits = cube_gather_bits(node, axis->dims[i]);
    guint share = placement->encoding == MATMUL_GRAY ? graph_gray_position(bits) : bits;
    return indices_share(axis->extent, n, share, placement->layout);
}

static Indices axis_indices(const Placement *placement, const Axis *axis, guint node)
{
    Indices all = axis_share(placement, axis, 0, node);
    if (axis->dims[1])
        all = indices_both(all, axis_share(placement, axis, 1, node));
    if (!axis->cut || all.count == 0)
        return all;
    Indices part = indices_share(all.count, 1u << __builtin_popcount(axis->cut), cube_gather_bits(node, axis->cut),
                                 placement->layout);
    return (Indices){indices_nth(all, part.first), all.stride * part.stride, part.count};
}

Patch placement_patch(const Placement *placement, guint node)
{
    return (Patch){axis_indices(placement, &placement->rows, node), axis_indices(placement, &placement->cols, node)};
}

static Axis axis_joined(const Axis *axis, guint dims)
{
    return (Axis){axis->extent, {axis->dims[0] & ~dims, axis->dims[1] & ~dims}, axis->cut & ~dims};
}

Placement placement_joined(const Placement *placement, guint dims)
{
    return (Placement){axis_joined(&placement->rows, dims), axis_joined(&placement->cols, dims), placement->layout,
                       placement->encoding};
}

/* --- packets that are dealt out --- */

static gint compare(gconstpointer a, gconstpointer b)
{
    guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

/* Elements that a processor sends to one destination: the data with number `number` (Region). places[i] is the index of
 * element i in the order in which the processor sends all its elements. */
typedef struct {
    guint number, count;
    guint *places;              /* [count]: place of each element, ascending */
} Share;

struct RegionDeal {
    guint n_nodes;
    guint64 packet;
    GArray **hands;             /* [n_nodes]: the Shares of each sender, ascending by their numbers */
};

static void share_clear(gpointer share)
{
    g_free(((Share *)share)->places);
}

static GArray *hand_new(const Region *region, guint x)
{
    GArray *hand = g_array_new(FALSE, FALSE, sizeof(Share));
    g_array_set_clear_func(hand, share_clear);
    g_autoptr(GArray) numbers = region_numbers(region, x);
    for (guint i = 0; i < numbers->len; i++) {
        guint number = g_array_index(numbers, guint, i);
        guint count = region_sent(region, x, x ^ cube_spread_bits(number, region->dims), 0).count;
        Share share = {number, count, g_new(guint, count)};
        if (count > 0)
            g_array_append_val(hand, share);
    }
    return hand;
}

/* Fills in the places of the elements of all shares in `hand`. In each round every share with elements left takes one
 * place, in this order: the first share, the last, the second, ... Returns the number of elements. */
static guint deal_out(GArray *hand)
{
    guint dealt = 0, before = 0, n = hand->len;
    for (guint round = 0; round == 0 || dealt > before; round++) {
        before = dealt;
        for (guint turn = 0; turn < n; turn++) {
            Share *share = &g_array_index(hand, Share, turn % 2 ? n - 1 - turn / 2 : turn / 2);
            if (round < share->count)
                share->places[round] = dealt++;
        }
    }
    return dealt;
}

RegionDeal *region_deal(Region *region, guint n_nodes, guint64 packet)
{
    RegionDeal *deal = g_new0(RegionDeal, 1);
    *deal = (RegionDeal){n_nodes, packet, g_new(GArray *, n_nodes)};
    guint64 n_packets = 1;
    for (guint x = 0; x < n_nodes; x++) {
        deal->hands[x] = hand_new(region, x);
        n_packets = MAX(n_packets, (deal_out(deal->hands[x]) + packet - 1) / packet);
    }
    region->deal = deal;
    region->n_parts = (guint)n_packets;
    return deal;
}

void region_deal_free(RegionDeal *deal)
{
    for (guint x = 0; x < deal->n_nodes; x++)
        g_array_unref(deal->hands[x]);
    g_free(deal->hands);
    g_free(deal);
}

/* Returns the number of elements of `share` that are in the packets before packet `part`. */
static guint dealt_before(const RegionDeal *deal, const Share *share, guint part)
{
    guint low = 0, high = share->count;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (share->places[middle] < part * deal->packet)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- regions --- */

guint region_n_slots(const Region *region)
{
    guint n_numbers = region->numbers ? region->numbers->len : 1u << __builtin_popcount(region->dims);
    return region->n_parts * n_numbers;
}

guint region_slot_of(const Region *region, guint number)
{
    guint rank = number;
    if (region->numbers && !g_array_binary_search((GArray *)region->numbers, &number, compare, &rank))
        g_assert_not_reached();
    return rank * region->n_parts;
}

/* Returns the number of elements in the parts before `part` of data number `number`, of which x sends `count`
 * elements. */
static guint count_before(const Region *region, guint x, guint number, guint count, guint part)
{
    guint at;
    if (!region->deal)
        return part * (count / region->n_parts) + MIN(part, count % region->n_parts);
    const GArray *hand = region->deal->hands[x];
    gboolean any = g_array_binary_search((GArray *)hand, &number, compare, &at);
    return any ? dealt_before(region->deal, &g_array_index(hand, Share, at), part) : 0;
}

Piece region_sent(const Region *region, guint x, guint z, guint part)
{
    Patch has = placement_patch(&region->from, x), wanted = placement_patch(&region->to, z);
    Piece piece = {.patch = patch_both(&has, &wanted)};
    guint count = (guint)patch_count(&piece.patch), number = cube_gather_bits(x ^ z, region->dims);
    piece.first = count_before(region, x, number, count, part);
    piece.count = count_before(region, x, number, count, part + 1) - piece.first;
    return piece;
}

guint region_nth_number(const Region *region, guint i)
{
    return region->numbers ? g_array_index(region->numbers, guint, i) : i;
}

Piece region_piece(const Region *region, guint node, guint i)
{
    guint number = region_nth_number(region, i / region->n_parts), part = i % region->n_parts;
    guint other = node ^ cube_spread_bits(number, region->dims);
    return region->moved ? region_sent(region, other, node, part) : region_sent(region, node, other, part);
}

Patch region_cover(const Region *region, guint node)
{
    Placement joined = placement_joined(region->moved ? &region->from : &region->to, region->dims);
    Patch others = placement_patch(&joined, node);
    Patch own = placement_patch(region->moved ? &region->to : &region->from, node);
    return patch_both(&own, &others);
}

/* Returns the address bits in `dims` of each processor that has any of the indices `own` along `axis` (GArray of guint;
 * caller unrefs). Only processors whose other address bits are those of `node` count. */
static GArray *addresses_that_meet(const Placement *placement, const Axis *axis, guint node, guint dims, Indices own)
{
    GArray *addresses = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < 1u << __builtin_popcount(dims); i++) {
        guint address = cube_spread_bits(i, dims);
        if (indices_both(own, axis_indices(placement, axis, (node & ~dims) | address)).count > 0)
            g_array_append_val(addresses, address);
    }
    return addresses;
}

GArray *region_numbers(const Region *region, guint node)
{
    const Placement *other = region->moved ? &region->from : &region->to;
    Patch own = placement_patch(region->moved ? &region->to : &region->from, node);
    const Axis *of_rows = &other->rows;
    guint by_row = (of_rows->dims[0] | of_rows->dims[1] | of_rows->cut) & region->dims;
    guint by_col = region->dims & ~by_row;
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

GArray *region_numbers_of_all(const Region *region, guint n_nodes)
{
    guint n = 1u << __builtin_popcount(region->dims);
    g_autofree gboolean *occurs = g_new0(gboolean, n);
    for (guint node = 0; node < n_nodes; node++) {
        g_autoptr(GArray) numbers = region_numbers(region, node);
        for (guint i = 0; i < numbers->len; i++)
            occurs[g_array_index(numbers, guint, i)] = TRUE;
    }
    GArray *all = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint number = 0; number < n; number++)
        if (occurs[number])
            g_array_append_val(all, number);
    return all;
}
