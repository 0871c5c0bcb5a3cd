/* How much memory a run is expected to need, against what it takes. */
#include "sim/cube/cube.h"
#include "sim/replay/memory.h"
#include "sim/run/available.h"
#include "sim/run/estimate.h"
#include "sim/run/process.h"
#include "sim/run/resolve.h"
#include "tests/support/tests.h"

#include <string.h>

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
    g_auto(GStrv) pairs = g_strsplit(text, " ", -1);
    for (guint i = 0; pairs[i]; i++)
        ck_assert_msg(scenario_set_pair(scenario, pairs[i], TRUE, NULL), "%s", pairs[i]);
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

/* Never less than what is taken, and at most twice as much and 30 MB. */
START_TEST(taken)
{
    const gsize slack = 30000000;
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, some[_i]);
    const Run *run = &g_array_index(runs, Run, 0);
    gsize estimate = estimate_run(run);
    RunResult result;
    ck_assert(run_execute(run, &result, NULL, NULL) && result.data_ok);
    if (MEMORY_IS_OURS)
        ck_assert_msg(estimate >= result.peak && estimate <= 2 * result.peak + slack, "%s: %lu expected, %lu taken",
                      some[_i], (gulong)estimate, (gulong)result.peak);
}
END_TEST

#define PILED 130   /* bytes of a message that is not awaited before the end */

/* The data alone: the slots and the largest step of all processors fit, and not many times as much. */
static void check_data(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    guint n = cube_n_nodes(schedule->dimension);
    gsize largest = 0, piled = 0, slots = (gsize)n * schedule->n_slots * sizeof(Block);
    const Content *content = schedule->content;
    gsize stored = schedule->stored + (content->class->storage ? content->class->storage(content) : 0);
    gsize fixed = (gsize)n * schedule->n_strands * 2000 + 16000000 + stored;
    guint n_strands = schedule->n_strands;
    Step step;
    step_init(&step);
    for (guint k = 0; k < schedule->n_steps; k++) {
        gsize moved = 0;
        for (guint i = 0; i < n * n_strands; i++) {
            if (k >= schedule_n_steps(schedule, i % n_strands))
                continue;
            schedule_strand_step(schedule, i / n_strands, i % n_strands, k, &step);
            piled += schedule_contends(schedule) ? step.sends->len * PILED : 0;
            moved += step_shares(&step) ? 0 : step.stretches->len * sizeof(Stretch);
            for (guint s = 0; s < step.stretches->len; s++)
                moved += g_array_index(step.stretches, Stretch, s).count * sizeof(Block);
        }
        largest = MAX(largest, moved);
    }
    step_clear(&step);
    gsize estimate = estimate_run(&(Run){.problem = *problem});
    g_autofree char *text = test_describe(problem);
    ck_assert_msg(estimate >= slots + largest + 10000000, "%s", text);
    ck_assert_msg(estimate <= fixed + piled + 6 * (slots + largest), "%s", text);
}

START_TEST(registry)
{
    test_each_schedule((guint)_i, check_data, NULL);
}
END_TEST

/* The estimate of the run of `text`. */
static gsize estimate_of(const char *text)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, text);
    return estimate_run(&g_array_index(runs, Run, 0));
}

/* Sizes that do not count: a message waits in one piece over a circuit, and in every packet with store-and-forward. */
START_TEST(sizes)
{
    const char *circuit = "machine=ipsc860 dimension=6 algorithm=naive bytes=1000000 packet=1";
    const char *stored = "machine=ipsc860 dimension=6 algorithm=naive bytes=1000000 packet=1 "
                         "duplex=full switching=store-and-forward";
    ck_assert_uint_lt(estimate_of(circuit), 30000000);
    ck_assert_uint_gt(estimate_of(stored), G_GUINT64_CONSTANT(10000000000));
}
END_TEST

/* Whatever is asked for, the bytes can be counted, and added to others. */
START_TEST(absurd)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, "machine=ipsc860 dimension=16 algorithm=naive bytes=100000000000 "
                                               "packet=1 duplex=full switching=store-and-forward lambda=0");
    const Run *run = &g_array_index(runs, Run, 0);
    ck_assert_uint_eq(estimate_run(run), ESTIMATE_MAX);
    ck_assert_uint_eq(estimate_traced(run, 4), ESTIMATE_MAX);
}
END_TEST

/* A trace has its own memory, and a text of it more. */
START_TEST(traced)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GArray) runs = resolve(scenario, "machine=ipsc860 dimension=8 algorithm=direct bytes=1");
    const Run *run = &g_array_index(runs, Run, 0);
    const gsize trace = 785664 * sizeof(TraceInterval) + 130560 * sizeof(TraceMessage);     /* as it comes out */
    ck_assert_uint_ge(estimate_traced(run, 0), estimate_run(run) + 2 * trace);
    ck_assert_uint_le(estimate_traced(run, 0), estimate_run(run) + 4 * trace);
    ck_assert_uint_ge(estimate_traced(run, 4), estimate_traced(run, 0) + trace);
}
END_TEST

/* Small amounts in MB. */
START_TEST(texts)
{
    static const struct {
        gsize bytes;
        const char *text;
    } cases[] = {{0, "0 MB"}, {1, "1 MB"}, {35000000, "35 MB"}, {35000001, "36 MB"}, {1000000000, "1.0 GB"},
                 {1000000001, "1.1 GB"}, {G_GUINT64_CONSTANT(26440000000), "26.5 GB"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = available_text(cases[i].bytes);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

/* What is free is less than what is needed, however little. */
START_TEST(differ)
{
    static const gsize amounts[] = {1, 35000000, 999999999, 1000000000, 1040000000, 1100000000};
    for (guint i = 0; i < G_N_ELEMENTS(amounts); i++) {
        g_autofree char *need = available_text(amounts[i]), *there = available_text_free(amounts[i] - 1);
        ck_assert_str_ne(need, there);
    }
    g_autofree char *there = available_text_free(1999999999);
    ck_assert_str_eq(there, "1.9 GB");
}
END_TEST

void suite_estimate(TCase *tc)
{
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, taken, 0, MEMORY_IS_OURS ? G_N_ELEMENTS(some) : 1);
    tcase_add_loop_test(tc, registry, 0, 7);
    tcase_add_test(tc, sizes);
    tcase_add_test(tc, absurd);
    tcase_add_test(tc, traced);
    tcase_add_test(tc, texts);
    tcase_add_test(tc, differ);
}
