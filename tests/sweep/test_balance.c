/* Shares of equal weight. */
#include "sim/sweep/sweep.h"
#include "tests/support/tests.h"

/* The heaviest first, each to the lightest heap: 9 | 7 | 6, 5 to 6, 5 to 7, 2 to 9, 1 to 11, 1 to 11. */
TEST(by_hand)
{
    static const guint64 weights[] = {5, 9, 1, 2, 7, 1, 5, 6};
    static const guint order[] = {1, 4, 7, 0, 6, 3, 2, 5}, expected[] = {2, 0, 0, 0, 1, 2, 1, 2};
    g_autofree guint *found = sweep_deal(weights, 8, 3), *sorted = sweep_order(weights, 8);
    for (guint i = 0; i < 8; i++) {
        ck_assert_uint_eq(sorted[i], order[i]);
        ck_assert_uint_eq(found[i], expected[i]);
    }
}

/* Equal weights go round. */
TEST(equal_weights)
{
    guint64 weights[20];
    for (guint i = 0; i < 20; i++)
        weights[i] = 3;
    g_autofree guint *found = sweep_deal(weights, 20, 6);
    for (guint i = 0; i < 20; i++)
        ck_assert_uint_eq(found[i], i % 6);
}

/* The heap that each thing goes to is the lightest there is: against a search through all heaps. */
TEST(lightest)
{
    enum { N = 300, HEAPS = 37 };
    guint64 weights[N], loads[HEAPS] = {0};
    for (guint i = 0; i < N; i++)
        weights[i] = 1 + i * i * 7919 % 1000;
    g_autofree guint *found = sweep_deal(weights, N, HEAPS), *order = sweep_order(weights, N);
    for (guint i = 0; i < N; i++) {
        guint best = 0;
        for (guint heap = 1; heap < HEAPS; heap++)
            best = loads[heap] < loads[best] ? heap : best;
        ck_assert_uint_eq(found[order[i]], best);
        loads[best] += weights[order[i]];
    }
}

TESTS(balance, by_hand, equal_weights, lightest)
