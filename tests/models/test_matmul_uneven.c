/* All-to-all communication of blocks of several sizes: of one size it is what lockstep.h counts. */
#include "models/matmul_uneven.h"
#include "models/spanning.h"
#include "products.h"
#include "rows.h"

#include <string.h>

static void assert_equal(const LockstepCount *a, const LockstepCount *b, const char *what)
{
    ck_assert_msg(a->bytes == b->bytes && a->startups == b->startups, "%s: %.0f bytes, %.0f start-ups, not %.0f, %.0f",
                  what, (double)a->bytes, (double)a->startups, (double)b->bytes, (double)b->startups);
}

/* The sum of sums: 2^n - 1 additions for each element. */
static void check_blocks(const UnevenCase *u, const SpanningRow *row, gint64 elements)
{
    gint64 blocks[32], additions = -1;
    guint nodes = 1u << u->c.dimension;
    for (guint i = 0; i < nodes; i++)
        blocks[i] = elements;
    LockstepCount expected = row->exact(&u->c), broadcast = uneven_broadcast(u, blocks);
    LockstepCount reduction = uneven_reduction(u, blocks, nodes, &additions);
    assert_equal(&broadcast, &expected, row->name);
    assert_equal(&reduction, &expected, row->name);
    /* nRSBTs and SBnTs have busier ports than others, but no busier processors */
    ck_assert_msg(additions == (gint64)(nodes - 1) * elements, "%s", row->name);
}

START_TEST(blocks_of_one_size)
{
    for (guint i = 0; i < spanning_n_rows; i++) {
        const SpanningRow *row = &spanning_rows[i];
        guint routing = 0;
        if (strcmp(row->pattern, "all-broadcast") != 0)
            continue;
        while (strcmp(matmul_routing_names[routing], row->algorithm) != 0)
            routing++;
        for (guint n = 1; n <= 5; n++)
            for (gint64 elements = 1; elements <= 7; elements++)
                for (gint64 packet = 0; packet <= 9; packet += 3) {
                    UnevenCase u = {(MatmulRouting)routing, row->ports, {n, 2 * elements, packet, 2, n / 2}};
                    check_blocks(&u, row, elements);
                }
    }
}
END_TEST

START_TEST(exchanges_of_one_size)
{
    static const struct {
        MatmulRouting routing;
        LockstepFunction *exact;
    } cases[] = {{MATMUL_NRSBT, lockstep_nrsbt_exchange}, {MATMUL_SBNT, lockstep_sbnt_exchange}};
    gint64 twos[32], threes[32];
    for (guint i = 0; i < 32; i++)
        twos[i] = 2, threes[i] = 3;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint n = 1; n <= 5; n++) {
            UnevenCase u = {cases[i].routing, PORTS_ALL, {n, 6, 4, 1, 0}};
            LockstepCount count = uneven_exchange(&u, twos, threes), expected = cases[i].exact(&u.c);
            assert_equal(&count, &expected, matmul_routing_names[cases[i].routing]);
        }
}
END_TEST

/* Four processors, blocks of 3, 0, 1 and 0 elements. */
START_TEST(blocks_by_hand)
{
    static const gint64 blocks[] = {3, 0, 1, 0};
    static const struct {
        MatmulRouting routing;
        Ports ports;
        gint64 startups, elements;
    } cases[] = {
        {MATMUL_SBT, PORTS_ONE, 2, 3 + 3},          /* 0-1: 3; 0-2: 3 */
        {MATMUL_CRA, PORTS_ONE, 3, 9},
        {MATMUL_GCEA, PORTS_ONE, 3, 9},
        {MATMUL_HYBRID, PORTS_ONE, 2, 3 + 3},
        {MATMUL_NRSBT, PORTS_ALL, 2, 3 + 2},        /* all to neighbours; part 0 of 2 elements and part 1 of 1 */
        {MATMUL_SBNT, PORTS_ALL, 2, 3 + 3},
        {MATMUL_GCEA, PORTS_ALL, 3, 6},             /* parts of 2 and 1, each hop after the other */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        UnevenCase u = {cases[i].routing, cases[i].ports, {2, 0, 0, 1, 1}};
        LockstepCount count = uneven_broadcast(&u, blocks);
        ck_assert_msg(count.startups == cases[i].startups && count.bytes == cases[i].elements, "%s: %d, %d",
                      matmul_routing_names[cases[i].routing], (int)count.startups, (int)count.bytes);
    }
}
END_TEST

/* Only processor 0 has terms: it scatters them, and nothing is added. Two have terms: 1 sends 0 its block, or 0 sends 1
 * its, and each adds. */
START_TEST(sums_without_terms)
{
    static const gint64 blocks[] = {2, 2, 2, 2};
    UnevenCase u = {MATMUL_SBT, PORTS_ONE, {2, 2, 0, 1, 0}};
    gint64 additions;
    LockstepCount count = uneven_reduction(&u, blocks, 1, &additions);
    ck_assert_int_eq((gint64)count.bytes, 4 + 2);
    ck_assert_int_eq(additions, 0);
    count = uneven_reduction(&u, blocks, 2, &additions);
    ck_assert_int_eq((gint64)count.bytes, 4 + 2);
    ck_assert_int_eq(additions, 2);
    u.routing = MATMUL_CRA;         /* block i begins at i - 1, and needs not move before it meets a term */
    count = uneven_reduction(&u, blocks, 1, &additions);
    ck_assert_int_eq((gint64)count.startups, 3);
    ck_assert_int_eq(additions, 0);
}
END_TEST

/* From one processor to four blocks of 1, 2, 3, 4 elements by nRSBTs: halves (the larger first) of 2 and 4 over
 * dimension 1 and of 1 x 2 and 3 + 4 ... */
START_TEST(exchange_by_hand)
{
    static const gint64 from[] = {1, 0, 0, 0}, to[] = {1, 2, 3, 4};
    UnevenCase u = {MATMUL_NRSBT, PORTS_ALL, {2, 0, 0, 1, 0}};
    /* part 0: 1, 1, 2, 2 over dimension 0, then 1: 1 -> 1, 3: 3; 2: 2 and 3: 2. Part 1: 0, 1, 1, 2 over 1, then 0:
     * 2, 3: 3; then 3: 2, 1: 1 */
    LockstepCount count = uneven_exchange(&u, from, to);
    ck_assert_int_eq((gint64)count.bytes, 3 + 2);
    ck_assert_int_eq((gint64)count.startups, 2);
    u.routing = MATMUL_SBNT;        /* 1 and 3 over dimension 0: 6; then 3 over 1: 4 */
    count = uneven_exchange(&u, from, to);
    ck_assert_int_eq((gint64)count.bytes, 6 + 4);
}
END_TEST

void suite_matmul_uneven(TCase *tc)
{
    tcase_add_test(tc, blocks_of_one_size);
    tcase_add_test(tc, exchanges_of_one_size);
    tcase_add_test(tc, blocks_by_hand);
    tcase_add_test(tc, sums_without_terms);
    tcase_add_test(tc, exchange_by_hand);
}
