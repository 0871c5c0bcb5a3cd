/* Runs of all algorithms in packets of every kind, made by scenarios. */
#include "options.h"
#include "sim/run/resolve.h"

/* The run of an algorithm at d = 3 in `bytes`, elements and packets of so many bytes. */
static Run run_in_packets(Scenario *scenario, const Algorithm *algorithm, gint64 bytes, gint64 element, gint64 packet)
{
    gboolean permutes = algorithm->pattern == &pattern_permutation;
    const char *cycles = algorithm->refuses ? "0,2" : "0,1,2";      /* an exchange suits all */
    g_autofree char *numbers = g_strdup_printf("bytes=%" G_GINT64_FORMAT " element=%" G_GINT64_FORMAT " packet=%"
                                               G_GINT64_FORMAT, bytes, element, packet);
    g_auto(GStrv) sizes = g_strsplit(numbers, " ", -1);
    g_autofree char *pattern = g_strconcat("pattern=", algorithm->pattern->name, NULL);
    g_autofree char *name = g_strconcat("algorithm=", algorithm->name, NULL);
    g_autofree char *permutation = g_strconcat("cycles=", cycles, NULL);
    OPTIONS(scenario, "machine=bokhari1993", "dimension=3", pattern, name);
    OPTIONS(scenario, algorithm->n_port ? "ports=all" : "ports=one", permutes ? permutation : NULL);
    OPTIONS(scenario, algorithm->takes & TAKES_PARTITION    ? "partition=1,2"
                      : algorithm->takes & TAKES_ACCUMULATE ? "accumulate=1"
                      : algorithm->takes & TAKES_OFFSETS    ? "offsets=k=4"
                                                            : NULL);
    set_options(scenario, (const char *const *)sizes);
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert(runs && runs->len == 1);
    return g_array_index(runs, Run, 0);
}

/* Packets of multiplications are the machine's; see tests/cli/matmul.txt. */
static void check_in_packets(const Algorithm *algorithm, gint64 bytes, gint64 element, gint64 packet)
{
    g_autoptr(Scenario) scenario = scenario_new();
    if (algorithm->pattern == &pattern_matmul)
        return;
    Run run = run_in_packets(scenario, algorithm, bytes, element, packet);
    g_autoptr(Schedule) schedule = schedule_make(&run.problem);
    g_auto(Verdict) verdict = verify(schedule, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
    g_auto(Price) priced = price(schedule, run.machine, REPLAY_DATA);
    g_auto(EngineResult) simulated = test_run(schedule, run.machine, NULL);
    const char *wrong = verdict.fault ? verdict.fault : priced.fault ? priced.fault : simulated.fault;
    g_autoptr(GString) what = g_string_new(NULL);
    run_put_identity(&run, what);
    ck_assert_msg(!wrong, "%s: %s", what->str, wrong);
    gboolean even = bytes / element % run.problem.data.pieces.n_parts == 0;     /* else some wait for longer parts */
    if (even && !schedule_contends(schedule))
        ck_assert_msg(simulated.time_ps == priced.time_ps, "%s: %" G_GINT64_FORMAT " ps, priced %" G_GINT64_FORMAT,
                      what->str, simulated.time_ps, priced.time_ps);
}

/* Packets are cut in bytes, wherever elements end: also below an element, and of nothing. (The elements of arrays have
 * a size of their own.) */
TEST_LOOP(small_packets, 0, (int)algorithm_count())
{
    if (algorithm_nth((guint)_i)->pattern->family)
        return;
    for (gint64 element = 1; element <= 4; element++)
        for (gint64 packet = 1; packet <= 5; packet += 2)
            for (gint64 n_elements = 0; n_elements <= 13; n_elements = 3 * n_elements + 1)
                check_in_packets(algorithm_nth((guint)_i), n_elements * element, element, packet);
}

/* A4 cuts its 4 parts of 24 bytes, three elements each, into as few packets as it can, as equal as can be in bytes. */
TEST(even_packets)
{
    static const struct {
        gint64 bytes, element, packet, each;
    } cases[] = {{96, 8, 24, 0}, {96, 8, 23, 12}, {96, 8, 12, 12}, {96, 8, 11, 8}, {96, 8, 7, 6}, {96, 8, 1, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        const Algorithm *a4 = algorithm_find("", &pattern_permutation, TRUE, "a4", NULL);
        Run run = run_in_packets(scenario, a4, cases[i].bytes, cases[i].element, cases[i].packet);
        gint64 longest = run.problem.data.long_bytes, each = cases[i].each ? cases[i].each : longest;
        ck_assert_int_eq(longest, 24);
        ck_assert_int_eq(run.problem.data.packet, each);
        ck_assert_uint_eq(run.problem.data.pieces.long_packets, (longest + each - 1) / each);
    }
}

TESTS(packets, small_packets, even_packets)
