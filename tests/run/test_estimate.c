/* How much memory a run is expected to need, against what it takes; and how much there is to do. */
#include "sim/run/available.h"
#include "sim/run/estimate.h"
#include "sim/run/process.h"
#include "sim/run/resolve.h"
#include "options.h"

#include <stdio.h>

/* Sanitizers take memory of their own. */
#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_IS_OURS FALSE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEMORY_IS_OURS FALSE
#endif
#endif
#ifndef MEMORY_IS_OURS
#define MEMORY_IS_OURS TRUE
#endif

/* The only run of a scenario of "KEY=VALUE" texts, separated by blanks. */
static GArray *resolve(Scenario *scenario, const char *text)
{
    set_words(scenario, text);
    GArray *runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert_msg(runs && runs->len == 1, "%s", text);
    return runs;
}

static const char *const some[] = {
    "machine=ipsc860 dimension=0 algorithm=direct bytes=100",
    "machine=ipsc860 dimension=8 algorithm=direct bytes=100",
    "machine=ipsc1 dimension=7 algorithm=naive bytes=65536",
    "machine=ipsc1 dimension=7 algorithm=reversed bytes=65536",
    "machine=ipsc1 dimension=5 algorithm=naive bytes=200000 ports=all duplex=full",
    "machine=ipsc860 dimension=8 algorithm=naive bytes=100",
    "machine=ipsc860 dimension=8 algorithm=reversed bytes=100",
    "machine=johnsson1987 dimension=8 algorithm=nrsbt ports=all bytes=8",
    "machine=johnsson1987 dimension=8 algorithm=nrsbt bytes=8",
    "machine=johnsson1987 pattern=all-broadcast dimension=8 algorithm=sbnt ports=all bytes=8",
    "machine=johnsson1987 pattern=scatter dimension=8 algorithm=nrsbt ports=all bytes=8",
    "machine=johnsson1987 pattern=broadcast dimension=1 algorithm=gc bytes=1000000 packet=1",
    "machine=ncube2 pattern=permutation cycles=0,1,2,3/4,5/6,7 dimension=8 algorithm=a3 bytes=20000",
    "machine=ipsc860 dimension=6 algorithm=direct bytes=100 switching=fluid duplex=full",
    "machine=ipsc860 dimension=4 pattern=fft algorithm=standard bytes=131072",
    "machine=ipsc860 dimension=6 pattern=adi algorithm=direct bytes=2048",
};

/* Never less than what is taken, and at most three times as much and 30 MB. */
TEST_LOOP(taken, 0, MEMORY_IS_OURS ? G_N_ELEMENTS(some) : 1)
{
    const gsize slack = 30000000;
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, some[_i]);
    const Run *run = &g_array_index(runs, Run, 0);
    gsize estimate = estimate_run(run);
    RunResult result;
    ck_assert(run_execute(run, &result, NULL, NULL) && result.data_ok);
    if (MEMORY_IS_OURS)
        ck_assert_msg(estimate >= result.peak && estimate <= 3 * result.peak + slack, "%s: %lu expected, %lu taken",
                      some[_i], (gulong)estimate, (gulong)result.peak);
}

/* A run that needs more memory than it is given is refused, whoever of it asked for what it did not get. */
TEST_LOOP(outgrown, 0, MEMORY_IS_OURS ? 3 : 0)
{
    static const gsize rooms[] = {0, 5000000, 12000000};
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, "machine=ipsc860 dimension=10 algorithm=nrsbt bytes=8");
    g_autoptr(GError) error = NULL;
    ck_assert(freopen("/dev/null", "w", stderr) != NULL);     /* SimGrid says what it does not get */
    const Run *run = &g_array_index(runs, Run, 0);
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    RunProcess *process = run_start(run, schedule, rooms[_i], RUN_NO_TRACE, &error);
    ck_assert(process && !run_finish(process, &(RunResult){0}, &error));
    ck_assert_msg(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_MEMORY), "%s", error->message);
    ck_assert(g_str_has_prefix(error->message, "dimension: nrsbt, d = 10, 8 bytes needs about "));
    g_clear_error(&error);
    available_refuse(&g_array_index(runs, Run, 0), 1, 2000000, &error);     /* it was expected to fit */
    ck_assert_str_eq(error->message, "dimension: nrsbt, d = 10, 8 bytes needs more than the 2 MB of memory that are "
                                     "free; about 1 MB were expected");
}

/* The estimate of the run of `text`. */
static gsize estimate_of(const char *text)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, text);
    return estimate_run(&g_array_index(runs, Run, 0));
}

/* Sizes that do not count: a message waits in one piece over a circuit, and in every packet with store-and-forward. */
TEST(sizes)
{
    const char *circuit = "machine=ipsc860 dimension=6 algorithm=naive bytes=1000000 packet=1";
    const char *stored = "machine=ipsc860 dimension=6 algorithm=naive bytes=1000000 packet=1 "
                         "duplex=full switching=store-and-forward";
    ck_assert_uint_lt(estimate_of(circuit), 30000000);
    ck_assert_uint_gt(estimate_of(stored), G_GUINT64_CONSTANT(10000000000));
}

/* Whatever is asked for, the bytes can be counted, and added to others. */
TEST(absurd)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, "machine=ipsc860 dimension=16 algorithm=naive bytes=100000000000 "
                                               "packet=1 duplex=full switching=store-and-forward lambda=0");
    const Run *run = &g_array_index(runs, Run, 0);
    ck_assert_uint_eq(estimate_run(run), ESTIMATE_MAX);
    ck_assert_uint_eq(estimate_traced(run, 4), ESTIMATE_MAX);
}

/* A trace has its own memory, and a text of it more. */
TEST(traced)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, "machine=ipsc860 dimension=8 algorithm=direct bytes=1");
    const Run *run = &g_array_index(runs, Run, 0);
    const gsize trace = 785664 * sizeof(TraceInterval) + 130560 * sizeof(TraceMessage);     /* as it comes out */
    ck_assert_uint_ge(estimate_traced(run, 0), estimate_run(run) + 2 * trace);
    ck_assert_uint_le(estimate_traced(run, 0), estimate_run(run) + 5 * trace);
    ck_assert_uint_ge(estimate_traced(run, 4), estimate_traced(run, 0) + trace);
}

/* Small amounts in MB. */
TEST(texts)
{
    static const struct {
        gsize bytes;
        const char *text;
    } cases[] = {{0, "0 MB"}, {1, "1 MB"}, {35000000, "35 MB"}, {35000001, "36 MB"}, {1000000000, "1.0 GB"},
                 {1000000001, "1.1 GB"}, {G_GUINT64_CONSTANT(26440000000), "26.5 GB"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = available_text(cases[i].bytes, TRUE);
        ck_assert_str_eq(text, cases[i].text);
    }
}

/* What is free is less than what is needed, however little. */
TEST(differ)
{
    static const gsize amounts[] = {1, 35000000, 999999999, 1000000000, 1040000000, 1100000000};
    for (guint i = 0; i < G_N_ELEMENTS(amounts); i++) {
        g_autofree char *need = available_text(amounts[i], TRUE), *there = available_text(amounts[i] - 1, FALSE);
        ck_assert_str_ne(need, there);
    }
    g_autofree char *there = available_text(1999999999, FALSE);
    ck_assert_str_eq(there, "1.9 GB");
}

/* As much as is free may be taken; a run that asks for more once it is at work needed more than was expected. */
TEST(all_that_is_free)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, "machine=ipsc860 dimension=3 algorithm=direct bytes=1");
    const Run *run = &g_array_index(runs, Run, 0);
    g_autoptr(GError) before = NULL, after = NULL;
    ck_assert(available_check(run, 5000000, 5000000, NULL) && !available_check(run, 5000001, 5000000, &before));
    ck_assert(strstr(before->message, "needs about 6 MB of memory; 5 MB are free"));
    ck_assert(!available_refuse(run, 5000000, 5000000, &after));
    ck_assert(strstr(after->message, "needs more than the 5 MB of memory that are free; about 5 MB were expected"));
}

/* --- time --- */

static guint64 effort_of(const char *text)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, text);
    return estimate_effort(&g_array_index(runs, Run, 0), &(EstimateMemo){0});
}

#define EXCHANGE "machine=ipsc860 dimension=6 algorithm=direct "

/* What makes a run long makes its effort large; the data's size alone does not. */
TEST(efforts)
{
    guint64 plain = effort_of(EXCHANGE "bytes=1000 pairwise_sync=false");
    ck_assert_uint_eq(effort_of(EXCHANGE "bytes=1 pairwise_sync=false"), plain);
    ck_assert_uint_gt(effort_of(EXCHANGE "bytes=1000"), plain);
    ck_assert_uint_gt(effort_of(EXCHANGE "bytes=1000 pairwise_sync=false packet=10"), 2 * plain);
    ck_assert_uint_gt(effort_of("machine=ipsc860 dimension=8 algorithm=direct bytes=1"), 8 * plain);
    ck_assert_uint_lt(effort_of("machine=ipsc860 dimension=6 algorithm=standard bytes=1"), plain);
}

/* In pipelines the effort grows with the packets. */
TEST(many_packets)
{
    guint64 few = effort_of("machine=johnsson1987 pattern=broadcast dimension=4 algorithm=gc bytes=8000 packet=1");
    guint64 more = effort_of("machine=johnsson1987 pattern=broadcast dimension=4 algorithm=gc bytes=8000000 packet=1");
    ck_assert_uint_gt(more, 900 * few);
    ck_assert_uint_lt(more, 1100 * few);
}

/* Products: what is larger takes longer. */
TEST(products)
{
    static const char *const shapes[] = {"64x64x64", "256x256x256", "512x512x512"};
    guint64 before = 0;
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++) {
        g_autofree char *text = g_strconcat("pattern=matmul dimension=4 machine=johnsson1987 packet=64 algorithm=a4 "
                                            "shape=", shapes[i], NULL);
        guint64 effort = effort_of(text);
        ck_assert_uint_gt(effort, before);
        before = effort;
    }
}

/* Whatever there is to do, a million of them can be added up. */
TEST(bounded)
{
    guint64 most = effort_of("machine=ipsc860 dimension=16 algorithm=naive bytes=9007199254740992 packet=1 "
                             "switching=store-and-forward duplex=full");
    ck_assert_uint_eq(most, ESTIMATE_EFFORT_MAX);
    ck_assert_uint_eq(most * SCENARIO_RUNS_MAX / SCENARIO_RUNS_MAX, most);
}

/* What is counted of a schedule is exact where all of it is looked at, and else about right. */
static void check_traffic(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Machine free_of_charge = test_machine_for(machine, problem->algorithm);
    EstimateMemo memo = {0};
    g_auto(Price) priced = price(schedule, &free_of_charge, REPLAY_DATA);
    estimate_effort(&(Run){.machine = &free_of_charge, .problem = *problem}, &memo);
    gboolean sampled = schedule->n_steps > 64 || schedule->dimension > 5;
    guint64 counted = memo.traffic.messages, slack = sampled ? priced.messages : 0;
    g_autofree char *what = test_describe(problem);
    ck_assert_msg(2 * counted >= 2 * priced.messages - slack && counted <= priced.messages + slack,
                  "%s: %lu messages, counted %lu", what, (gulong)priced.messages, (gulong)counted);
}

TEST_LOOP(traffic, 0, 7)
{
    test_each_schedule((guint)_i, check_traffic, NULL);
}

/* A cube too large to be looked at as a whole: 1024 x 1023 messages over 5 x 1024/1023 channels each. */
TEST(large)
{
    EstimateMemo memo = {0};
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    estimate_effort(&(Run){.machine = machine, .problem = test_exchange("direct", 10, NULL, 0)}, &memo);
    ck_assert_uint_eq(memo.traffic.messages, 1024 * 1023);
    ck_assert_uint_eq(memo.traffic.blocks, 1024 * 1023);
    ck_assert_uint_ge(memo.traffic.hops, 5 * 1024 * 1024 * 9 / 10);
    ck_assert_uint_le(memo.traffic.hops, 5 * 1024 * 1024 * 11 / 10);
    estimate_effort(&(Run){.machine = machine, .problem = test_exchange("standard", 10, NULL, 0)}, &memo);
    ck_assert_uint_eq(memo.traffic.messages, 1024 * 10);
    ck_assert_uint_eq(memo.traffic.blocks, 1024 * 10 * 512);
}

void suite_estimate(TCase *tc)
{
    tcase_set_timeout(tc, 300);
    test_add(tc, taken, outgrown, sizes, absurd, traced, texts, differ, all_that_is_free, efforts, many_packets,
             products, bounded, traffic, large);
}
