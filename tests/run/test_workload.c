/* What there is to do in a run, counted before it runs, and shares of equal weight. */
#include "sim/run/balance.h"
#include "sim/run/resolve.h"
#include "sim/run/workload.h"
#include "tests/support/tests.h"

/* How far a count may be off: it is exact where every processor and step is looked at. Some multiplications, and what
 * uses complete exchanges, have more steps. */
typedef struct {
    guint percent;
} Slack;

#define STEPS_LOOKED_AT 32

static guint percent_off(const Problem *problem, const Schedule *schedule, const Slack *slack)
{
    gboolean sampled = problem->pattern->multiplies && schedule->n_steps > STEPS_LOOKED_AT;
    guint more = sampled ? 25 : problem->pattern->use ? 1 : 0;
    return MAX(more, slack->percent);
}

static void check_messages(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    const Slack *slack = user;
    g_autoptr(Machine) free_of_charge = test_machine("bokhari1993", NULL);
    Machine machine = test_machine_for(free_of_charge, problem->algorithm);
    g_autoptr(GHashTable) workloads = workloads_new();
    g_auto(Price) priced = price(schedule, &machine, REPLAY_DATA);
    Workload work = workloads_count(workloads, problem);
    guint64 off = MAX(priced.messages, work.messages) - MIN(priced.messages, work.messages);
    g_autofree char *what = test_describe(problem);
    guint percent = percent_off(problem, schedule, slack);
    ck_assert_msg(off * 100 <= priced.messages * percent, "%s: %lu messages, counted %lu", what,
                  (gulong)priced.messages, (gulong)work.messages);
}

/* Every algorithm, in both directions. */
START_TEST(messages)
{
    test_each_schedule(0, check_messages, &(Slack){0});
    test_each_schedule(4, check_messages, &(Slack){0});
    test_each_schedule(6, check_messages, &(Slack){25});
}
END_TEST

/* A cube too large to be looked at as a whole: 1024 x 1023 messages over 5 x 1024/1023 channels each. */
START_TEST(large)
{
    g_autoptr(GHashTable) workloads = workloads_new();
    Problem direct = test_exchange("direct", 10, NULL, 0), standard = test_exchange("standard", 10, NULL, 0);
    Workload work = workloads_count(workloads, &direct);
    ck_assert_uint_eq(work.messages, 1024 * 1023);
    ck_assert_uint_eq(work.exchanges, 1024 * 1023);
    ck_assert_uint_eq(work.blocks, 1024 * 1023);
    ck_assert_uint_ge(work.hops, 5 * 1024 * 1024 * 99 / 100);
    ck_assert_uint_le(work.hops, 5 * 1024 * 1024 * 101 / 100);
    work = workloads_count(workloads, &standard);
    ck_assert_uint_eq(work.messages, 1024 * 10);
    ck_assert_uint_eq(work.blocks, 1024 * 10 * 512);
}
END_TEST

/* What has been counted for one product is not remembered for another. */
START_TEST(of_products)
{
    const TestProduct products[] = {
        {.routing = "sbt", .shape = {8, 8, 8}, .grid = {1, 2}},
        {.routing = "sbt", .shape = {1, 8, 8}, .grid = {1, 2}},
        {.routing = "sbt", .shape = {8, 8, 8}, .grid = {2, 1}},
        {.routing = "sbt", .shape = {8, 5, 8}, .grid = {1, 2}},
        {.routing = "sbt", .shape = {8, 5, 8}, .grid = {1, 2}, .layout = MATMUL_CYCLIC},
        {.routing = "cra", .shape = {8, 8, 8}, .grid = {1, 2}},
        {.routing = "nrsbt", .n_port = TRUE, .shape = {8, 8, 8}, .grid = {1, 2}},
        {.routing = "nrsbt", .n_port = TRUE, .shape = {8, 8, 8}, .grid = {1, 2}, .packet = 2},
    };
    g_autoptr(GHashTable) workloads = workloads_new();
    for (guint i = 0; i < 2 * G_N_ELEMENTS(products); i++) {
        TestProduct product = products[i % G_N_ELEMENTS(products)];
        product.algorithm = "a2";
        Problem problem = test_product(&product);
        g_auto(Verdict) verdict = test_verify(&problem, problem.algorithm->n_port ? PORTS_ALL : PORTS_ONE);
        Workload work = workloads_count(workloads, &problem);
        ck_assert_uint_eq(work.messages, verdict.messages);
        ck_assert_uint_eq(work.blocks, verdict.blocks);
    }
    ck_assert_uint_eq(g_hash_table_size(workloads), G_N_ELEMENTS(products));
}
END_TEST

/* The effort of the only run of a scenario of "KEY=VALUE" texts. */
static guint64 effort(const char *const *pairs)
{
    g_autoptr(Scenario) scenario = scenario_new();
    for (guint i = 0; pairs[i]; i++)
        ck_assert(scenario_set_pair(scenario, pairs[i], TRUE, NULL));
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert_uint_eq(runs->len, 1);
    g_autoptr(GHashTable) workloads = workloads_new();
    return workloads_effort(workloads, &g_array_index(runs, Run, 0));
}
#define EFFORT(...) effort((const char *const[]){__VA_ARGS__, NULL})
#define EXCHANGE "machine=ipsc860", "dimension=6", "algorithm=direct"

/* What makes a run long makes its effort large; the data's size alone does not. */
START_TEST(efforts)
{
    guint64 plain = EFFORT(EXCHANGE, "bytes=1000", "pairwise_sync=false");
    ck_assert_uint_eq(EFFORT(EXCHANGE, "bytes=1", "pairwise_sync=false"), plain);
    ck_assert_uint_gt(EFFORT(EXCHANGE, "bytes=1000"), plain);
    ck_assert_uint_gt(EFFORT(EXCHANGE, "bytes=1000", "pairwise_sync=false", "packet=10"), 2 * plain);
    ck_assert_uint_gt(EFFORT(EXCHANGE, "bytes=1000", "switching=fluid", "duplex=full"), 2 * plain);
    ck_assert_uint_gt(EFFORT("machine=ipsc860", "dimension=8", "algorithm=direct", "bytes=1"), 8 * plain);
    ck_assert_uint_lt(EFFORT("machine=ipsc860", "dimension=6", "algorithm=standard", "bytes=1"), plain);
    ck_assert_uint_gt(EFFORT("machine=ipsc860", "dimension=6", "algorithm=naive", "bytes=1"), plain);
}
END_TEST

/* In pipelines the effort grows with the packets, though no more than eight are looked at. */
START_TEST(many_packets)
{
    guint64 some = EFFORT("machine=johnsson1987", "pattern=broadcast", "dimension=4", "algorithm=gc", "bytes=8000",
                          "packet=1");
    guint64 more = EFFORT("machine=johnsson1987", "pattern=broadcast", "dimension=4", "algorithm=gc", "bytes=8000000",
                          "packet=1");
    ck_assert_uint_gt(more, 900 * some);
    ck_assert_uint_lt(more, 1000 * some);
}
END_TEST

/* Whatever there is to do, a million of them can be added up. */
START_TEST(bounded)
{
    guint64 most = EFFORT("machine=ipsc860", "dimension=16", "algorithm=naive", "bytes=9007199254740992", "packet=1",
                          "switching=store-and-forward", "duplex=full");
    ck_assert_uint_eq(most, WORKLOAD_EFFORT_MAX);
    ck_assert_uint_eq(most * SCENARIO_RUNS_MAX / SCENARIO_RUNS_MAX, most);
}
END_TEST

/* --- shares --- */

/* The heaviest first, each to the lightest heap: 9 | 7 | 6, 5 to 6, 5 to 7, 2 to 9, 1 to 11, 1 to 11. */
START_TEST(by_hand)
{
    static const guint64 weights[] = {5, 9, 1, 2, 7, 1, 5, 6};
    static const guint order[] = {1, 4, 7, 0, 6, 3, 2, 5}, expected[] = {2, 0, 0, 0, 1, 2, 1, 2};
    g_autofree guint *found = balance(weights, 8, 3), *sorted = balance_order(weights, 8);
    for (guint i = 0; i < 8; i++) {
        ck_assert_uint_eq(sorted[i], order[i]);
        ck_assert_uint_eq(found[i], expected[i]);
    }
}
END_TEST

/* Equal weights go round. */
START_TEST(equal_weights)
{
    guint64 weights[20];
    for (guint i = 0; i < 20; i++)
        weights[i] = 3;
    g_autofree guint *found = balance(weights, 20, 6);
    for (guint i = 0; i < 20; i++)
        ck_assert_uint_eq(found[i], i % 6);
}
END_TEST

/* The heap that each thing goes to is the lightest there is: against a search through all heaps. */
START_TEST(lightest)
{
    enum { N = 300, HEAPS = 37 };
    guint64 weights[N], loads[HEAPS] = {0};
    for (guint i = 0; i < N; i++)
        weights[i] = 1 + i * i * 7919 % 1000;
    g_autofree guint *found = balance(weights, N, HEAPS), *order = balance_order(weights, N);
    for (guint i = 0; i < N; i++) {
        guint best = 0;
        for (guint heap = 1; heap < HEAPS; heap++)
            best = loads[heap] < loads[best] ? heap : best;
        ck_assert_uint_eq(found[order[i]], best);
        loads[best] += weights[order[i]];
    }
}
END_TEST

void suite_workload(TCase *tc)
{
    tcase_add_test(tc, messages);
    tcase_add_test(tc, large);
    tcase_add_test(tc, of_products);
    tcase_add_test(tc, efforts);
    tcase_add_test(tc, many_packets);
    tcase_add_test(tc, bounded);
    tcase_add_test(tc, by_hand);
    tcase_add_test(tc, equal_weights);
    tcase_add_test(tc, lightest);
}
