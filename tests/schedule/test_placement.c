/* Who has which elements of a matrix, and what lies in which slots: against every element looked at by itself. */
#include "sim/cube/graph.h"
#include "sim/patterns/matmul/region.h"
#include "tests/support/tests.h"

#define EXTENT_MAX 20

static gboolean has(Indices indices, guint i)
{
    for (guint n = 0; n < indices.count; n++)
        if (indices_nth(indices, n) == i)
            return TRUE;
    return FALSE;
}

/* The definition of the layouts. */
static guint owner(guint extent, guint n, guint i, MatmulLayout layout)
{
    return layout == MATMUL_CYCLIC ? i % n : i / ((extent + n - 1) / n);
}

TEST_LOOP(shares, MATMUL_CONSECUTIVE, MATMUL_CYCLIC + 1)
{
    MatmulLayout layout = (MatmulLayout)_i;
    for (guint extent = 1; extent <= EXTENT_MAX; extent++)
        for (guint n = 1; n <= 16; n *= 2)
            for (guint share = 0; share < n; share++) {
                Indices indices = indices_share(extent, n, share, layout);
                for (guint i = 0; i < extent; i++)
                    ck_assert_int_eq(has(indices, i), owner(extent, n, i, layout) == share);
                for (guint place = 0; place < indices.count; place++)
                    ck_assert_uint_eq(indices_place(indices, indices_nth(indices, place)), place);
            }
}

static void check_both(guint extent, Indices a, Indices b)
{
    Indices both = indices_both(a, b), turned = indices_both(b, a);
    guint n = 0;
    for (guint i = 0; i < extent; i++) {
        n += has(both, i);
        ck_assert_int_eq(has(both, i), has(a, i) && has(b, i));
        ck_assert_int_eq(has(both, i), has(turned, i));
    }
    ck_assert_uint_eq(both.count, n);
    ck_assert_uint_eq(turned.count, n);
}

/* What is in two shares, of as many or of more. */
TEST_LOOP(in_both, MATMUL_CONSECUTIVE, MATMUL_CYCLIC + 1)
{
    MatmulLayout layout = (MatmulLayout)_i;
    for (guint extent = 1; extent <= EXTENT_MAX; extent++)
        for (guint n = 1; n <= 8; n *= 2)
            for (guint m = 1; m <= 8; m *= 2)
                for (guint i = 0; i < n * m; i++)
                    check_both(extent, indices_share(extent, n, i % n, layout),
                               indices_share(extent, m, i / n, layout));
}

/* --- processors --- */

#define D 4
#define N (1u << D)
#define HEIGHT 7
#define WIDTH 9

/* Whether the bits `cut` are those of the part of the share that has row or column i. */
static gboolean is_in_cut(const Placement *placement, const Axis *axis, guint node, guint i)
{
    guint place = 0, count = 0, n = 1u << __builtin_popcount(axis->dims[0]);
    for (guint j = 0; j < axis->extent; j++) {
        gboolean same = owner(axis->extent, n, i, placement->layout) == owner(axis->extent, n, j, placement->layout);
        place += same && j < i;
        count += same;
    }
    guint share = owner(count, 1u << __builtin_popcount(axis->cut), place, placement->layout);
    return (node & axis->cut) == cube_spread_bits(share, axis->cut);
}

/* Whether a processor's bits are those of the share that has row or column i. */
static gboolean owns(const Placement *placement, const Axis *axis, guint node, guint i)
{
    gboolean all = is_in_cut(placement, axis, node, i);
    for (guint part = 0; part < 2; part++) {
        guint n = 1u << __builtin_popcount(axis->dims[part]), share = owner(axis->extent, n, i, placement->layout);
        guint code = placement->encoding == MATMUL_GRAY ? graph_gray(share) : share;
        all &= (node & axis->dims[part]) == cube_spread_bits(code, axis->dims[part]);
    }
    return all;
}

static gboolean owns_element(const Placement *placement, guint node, guint row, guint col)
{
    return owns(placement, &placement->rows, node, row) && owns(placement, &placement->cols, node, col);
}

static gboolean in_patch(const Patch *patch, guint row, guint col)
{
    return has(patch->rows, row) && has(patch->cols, col);
}

/* Grids of 4 x 4, 8 x 2, 2 x 8 and 1 x 16, a matrix of which is by rows and columns, turned, and twice divided; and cut
 * again, rows by the fifth number, columns by the sixth. */
static const guint dims[][6] = {
    {0xc, 0, 0x3, 0}, {0x3, 0, 0xc, 0}, {0xe, 0, 0x1, 0}, {0x1, 0, 0xe, 0}, {0, 0, 0xf, 0}, {0xf, 0, 0, 0},
    {0x3, 0xc, 0, 0}, {0x1, 0xc, 0x2, 0}, {0x8, 0, 0x4, 0, 0x3, 0}, {0x1, 0, 0x2, 0, 0, 0xc},
    {0x4, 0, 0x8, 0, 0x1, 0x2},
};

/* `way`: layout in the lowest bit, encoding in the next. */
static Placement nth_placement(guint i, int way)
{
    return (Placement){{HEIGHT, {dims[i][0], dims[i][1]}, dims[i][4]}, {WIDTH, {dims[i][2], dims[i][3]}, dims[i][5]},
                       (MatmulLayout)(way & 1), (MatmulEncoding)(way >> 1)};
}

static void check_placement(const Placement *placement)
{
    for (guint node = 0; node < N; node++) {
        Patch patch = placement_patch(placement, node);
        for (guint e = 0; e < HEIGHT * WIDTH; e++)
            ck_assert_int_eq(in_patch(&patch, e / WIDTH, e % WIDTH),
                             owns_element(placement, node, e / WIDTH, e % WIDTH));
    }
}

TEST_LOOP(patches, 0, 4)
{
    for (guint i = 0; i < G_N_ELEMENTS(dims); i++) {
        Placement placement = nth_placement(i, _i);
        check_placement(&placement);
    }
}

/* What processors that differ in some bits have together; of bits in the middle of an axis nobody asks. */
TEST_LOOP(joined, 0, 4)
{
    for (guint i = 0; i < G_N_ELEMENTS(dims); i++)
        for (guint part = 0; part < 6; part++) {
            if (part < 4 && dims[i][4 + part / 2])
                continue;
            Placement placement = nth_placement(i, _i);
            Placement together = placement_joined(&placement, dims[i][part]);
            for (guint e = 0; e < HEIGHT * WIDTH * N; e++) {
                guint node = e % N, row = e / N / WIDTH, col = e / N % WIDTH;
                gboolean any = FALSE;
                for (guint other = 0; other < N; other++)
                    any |= ((other ^ node) & ~dims[i][part]) == 0 && owns_element(&placement, other, row, col);
                Patch patch = placement_patch(&together, node);
                ck_assert_int_eq(in_patch(&patch, row, col), any);
            }
        }
}

/* --- regions --- */

/* How often each element of the matrix is in the pieces of all processors: counts[HEIGHT][WIDTH]. */
static void count_piece(const Piece *piece, guint *counts)
{
    for (guint e = piece->first; e < piece->first + piece->count; e++) {
        guint width = piece->patch.cols.count;
        guint row = indices_nth(piece->patch.rows, e / width), col = indices_nth(piece->patch.cols, e % width);
        counts[row * WIDTH + col]++;
    }
}

/* Whether a part may follow another: it begins where that ends, and is as long or an element shorter. */
static gboolean is_even(const Piece *last, const Piece *piece)
{
    return piece->first == last->first + last->count && last->count - piece->count <= 1;
}

/* All pieces of a processor are together what is said to be in the region, each element once, and elsewhere there is
 * nothing. */
static void check_node(const Region *region, guint node, guint *counts)
{
    guint own[HEIGHT * WIDTH] = {0};
    g_autoptr(GArray) numbers = region_numbers(region, node);
    Patch cover = region_cover(region, node);
    for (guint number = 0, next = 0; number < 1u << __builtin_popcount(region->dims); number++) {
        gboolean listed = next < numbers->len && g_array_index(numbers, guint, next) == number;
        next += listed;
        if (region->numbers && !listed)
            continue;
        Piece last;
        for (guint part = 0; part < region->n_parts; part++) {
            Piece piece = region_piece(region, node, region_slot_of(region, number) + part);
            count_piece(&piece, own);
            ck_assert(listed || piece.count == 0);
            ck_assert(part == 0 || region->deal || is_even(&last, &piece));
            last = piece;
        }
    }
    for (guint e = 0; e < HEIGHT * WIDTH; e++) {
        ck_assert_uint_eq(own[e], in_patch(&cover, e / WIDTH, e % WIDTH));
        counts[e] += own[e];
    }
}

/* All processors together have every element once, before it moves and when it has moved. */
static void check_region(Region region)
{
    for (region.moved = FALSE; region.moved <= TRUE; region.moved++) {
        guint counts[HEIGHT * WIDTH] = {0};
        for (guint node = 0; node < N; node++)
            check_node(&region, node, counts);
        for (guint e = 0; e < HEIGHT * WIDTH; e++)
            ck_assert_uint_eq(counts[e], 1);
    }
}

/* What x has for a destination, and how much of it is in the packets before one. */
static guint count_for(const Region *region, guint x, guint number)
{
    Patch has = placement_patch(&region->from, x), wanted = placement_patch(&region->to, x ^ number);
    Patch both = patch_both(&has, &wanted);
    return (guint)patch_count(&both);
}

/* Of so many packets of a processor. */
typedef struct {
    guint dealt, all, fewest, most;     /* the fewest for a destination that still gets some */
} Dealt;

static Dealt dealt_before(const Region *region, guint x, guint packet)
{
    Dealt sum = {.fewest = G_MAXUINT};
    for (guint number = 0; number < N; number++) {
        guint before = region_sent(region, x, x ^ number, packet).first, count = count_for(region, x, number);
        ck_assert_uint_le(before, count);
        sum.dealt += before;
        sum.all += count;
        sum.most = MAX(sum.most, before);
        sum.fewest = before < count ? MIN(sum.fewest, before) : sum.fewest;
    }
    return sum;
}

/* All packets but the last are full, nothing is left, and no destination is ahead of another that still gets one by
 * more than an element. */
static void check_deal(const Region *region, guint packet)
{
    guint n_packets = 1;
    for (guint x = 0; x < N; x++)
        for (guint p = 0; p <= region->n_parts; p++) {
            Dealt sum = dealt_before(region, x, p);
            ck_assert_uint_eq(sum.dealt, MIN(p * packet, sum.all));
            ck_assert(sum.fewest == G_MAXUINT || sum.most <= sum.fewest + 1);
            n_packets = MAX(n_packets, (sum.all + packet - 1) / packet);
        }
    ck_assert_uint_eq(region->n_parts, n_packets);
}

/* From each placement to each: in even parts, dealt out to packets, and with slots for what occurs only. */
TEST_LOOP(regions, MATMUL_CONSECUTIVE, MATMUL_CYCLIC + 1)
{
    for (guint i = 0; i < G_N_ELEMENTS(dims) * G_N_ELEMENTS(dims); i++)
        for (guint n = 1; n <= 3; n++) {
            Placement from = nth_placement(i % G_N_ELEMENTS(dims), (MatmulLayout)_i);
            Placement to = nth_placement(i / G_N_ELEMENTS(dims), (MatmulLayout)_i);
            Region region = {.dims = N - 1, .n_parts = n, .from = from, .to = to}, packets = region;
            check_region(region);
            packets.n_parts = 1;
            RegionDeal *deal = region_deal(&packets, N, n);
            check_deal(&packets, n);
            check_region(packets);
            g_autoptr(GArray) numbers = region_numbers_of_all(&packets, N);
            packets.numbers = numbers;
            ck_assert_uint_eq(region_n_slots(&packets), numbers->len * packets.n_parts);
            check_region(packets);
            region_deal_free(deal);
        }
}

/* A column of 8 elements, two of which go to each of four processors: every packet of a round has the same for each. */
TEST(even_deal)
{
    Region region = {.dims = 3, .n_parts = 1, .from = {.rows = {8, {0, 0}}, .cols = {1, {0, 0}}},
                     .to = {.rows = {8, {3, 0}}, .cols = {1, {0, 0}}}};
    RegionDeal *deal = region_deal(&region, 4, 4);
    ck_assert_uint_eq(region.n_parts, 2);
    for (guint number = 0; number < 4; number++)
        for (guint packet = 0; packet < 2; packet++)
            ck_assert_uint_eq(region_sent(&region, 0, number, packet).count, 1);
    region_deal_free(deal);
}

TESTS(placement, shares, in_both, patches, joined, regions, even_deal)
