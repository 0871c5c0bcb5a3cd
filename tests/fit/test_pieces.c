/* Straight pieces of the times of messages. */
#include "sim/fit/pieces.h"
#include "tests/support/tests.h"

/* A line from some length on. */
typedef struct {
    guint first;            /* index of its first length */
    double from, per_byte;  /* in ps */
} Line;

/* Fills in the times of the lengths 1, 2, 4 ... on these lines. */
static void fill_times(PiecesTime *times, guint n, const Line *lines, guint n_lines)
{
    for (guint i = 0, k = 0; i < n; i++) {
        while (k + 1 < n_lines && i >= lines[k + 1].first)
            k++;
        gint64 bytes = (gint64)1 << i;
        times[i] = (PiecesTime){bytes, ceil(lines[k].from + lines[k].per_byte * (double)bytes)};
    }
}

/* Checks that the best way to cut has these limits, 0: none. */
static void check_pieces(PiecesTime *times, guint n, gint64 first, gint64 second)
{
    g_autoptr(GArray) ways = pieces_find(times, n);
    const PiecesWay *best = &g_array_index(ways, PiecesWay, 0);
    ck_assert_uint_eq(best->n, 1 + (first > 0) + (second > 0));
    ck_assert_int_eq(best->limit[0], first);
    ck_assert_int_eq(best->limit[1], second);
    for (guint i = 1; i < ways->len; i++) {
        const PiecesWay *way = &g_array_index(ways, PiecesWay, i);
        ck_assert(way->n == best->n && way->criterion >= best->criterion);
        ck_assert_double_le(way->criterion, best->criterion + PIECES_NEAR);
    }
}

/* 2 µs up to 64 bytes, 3 µs and 1 ns a byte up to 4096, 5 µs and 0.1 ns a byte beyond. Each piece takes six lengths. */
TEST(three_pieces)
{
    static const Line lines[] = {{0, 2e6, 0}, {7, 3e6, 1000}, {13, 5e6, 100}};
    PiecesTime times[18];
    fill_times(times, 18, lines, 3);
    check_pieces(times, 18, 64, 4096);
    fill_times(times, 17, lines, 3);
    g_autoptr(GArray) fewer = pieces_find(times, 17);
    ck_assert_uint_eq(g_array_index(fewer, PiecesWay, 0).n, 2);
    fill_times(times, 11, lines, 3);
    check_pieces(times, 11, 0, 0);
}

/* Of times of one length the median counts: 2 of 5 are ten times too long. Three lengths make no piece each. */
TEST(medians)
{
    static const Line line = {0, 2e6, 1000};
    PiecesTime times[5 * 13];
    for (guint k = 0; k < 5; k++) {
        fill_times(times + k * 13, 13, &line, 1);
        for (guint i = 0; i < 13 && k < 2; i++)
            times[k * 13 + i].ps *= i % 2 ? 10 : 0.1;
    }
    check_pieces(times, G_N_ELEMENTS(times), 0, 0);
    fill_times(times, 13, &line, 1);
    times[0].ps *= 1.5;
    times[1].ps *= 1.5;
    check_pieces(times, 13, 0, 0);
}

/* Slopes may rise if both lines begin at 0 or above: not from 1 to 2 ns a byte at 16 KiB without a jump. */
TEST(rising_slopes)
{
    PiecesTime times[24];
    fill_times(times, 24, (const Line[]){{0, 20e6, 1000}, {15, 3e6, 2000}}, 2);
    check_pieces(times, 24, 16384, 0);
    fill_times(times, 24, (const Line[]){{0, 2e6, 1000}, {15, 2e6 - 16384e3, 2000}}, 2);
    g_autoptr(GArray) ways = pieces_find(times, 24);
    ck_assert_double_gt(g_array_index(ways, PiecesWay, 0).criterion, 2 * 24 * log(1e-3));
}

TEST(too_many_lengths)
{
    PiecesTime times[PIECES_LENGTHS_MAX + 1];
    for (guint i = 0; i <= PIECES_LENGTHS_MAX; i++)
        times[i] = (PiecesTime){i + 1, 1e6 + i};
    ck_assert_ptr_null(pieces_find(times, PIECES_LENGTHS_MAX + 1));
    check_pieces(times, PIECES_LENGTHS_MAX, 0, 0);
}

/* Returns a number whose logarithm is drawn. */
static double any_between(GRand *random, double low, double high)
{
    return exp(g_rand_double_range(random, log(low), log(high)));
}

/* One, two and three pieces without noise come back, whatever they are. */
TEST_LOOP(random_pieces, 1, PIECES_MAX + 1)
{
    guint n_lines = (guint)_i;
    for (guint32 seed = 1; seed <= (guint32)test_upto(3, 100); seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        Line lines[PIECES_MAX];
        PiecesTime times[23];
        for (guint k = 0, first = 0; k < n_lines; k++) {
            gint32 least = (gint32)first + 3, most = 23 - 3 * (gint32)(n_lines - k);
            first = k == 0 ? 0 : (guint)g_rand_int_range(random, least, most + 1);
            lines[k] = (Line){first, any_between(random, 1e5, 1e8), any_between(random, 1, 1e5)};
        }
        fill_times(times, 23, lines, n_lines);
        check_pieces(times, 23, n_lines > 1 ? 1 << (lines[1].first - 1) : 0,
                     n_lines > 2 ? 1 << (lines[2].first - 1) : 0);
    }
}

/* 0.22 µs + 0.125 ns a byte is one piece, also as two decimals are printed: 0.22 seven times first. */
TEST(printed_decimals)
{
    static const Line line = {0, 220000, 125};
    PiecesTime times[23];
    fill_times(times, 23, &line, 1);
    for (guint i = 0; i < 23; i++)
        times[i].ps = 10000 * round(times[i].ps / 10000);
    check_pieces(times, 23, 0, 0);
}

TESTS(pieces, three_pieces, medians, printed_decimals, rising_slopes, too_many_lengths, random_pieces)
