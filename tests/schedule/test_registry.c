/* The registry: every algorithm is there with what belongs to it, and an algorithm or a pattern can be added. */
#include "models/matmul.h"
#include "models/permuting.h"
#include "models/spanning.h"
#include "sim/patterns/theory.h"
#include "sim/patterns/published.h"
#include "sim/run/keys.h"
#include "sim/run/process.h"
#include "sim/run/resolve.h"
#include "sim/sweep/shard.h"
#include "tests/run/options.h"
#include "tests/show/exported.h"

#include <sys/mman.h>

/* Whether models/ has a formula of this name. */
static gboolean has_formula(const Algorithm *algorithm)
{
    static const char *const in_phases[] = {"standard", "direct", "multiphase", NULL};
    const Pattern *pattern = algorithm->pattern;
    Ports ports = algorithm->n_port ? PORTS_ALL : PORTS_ONE;
    if (pattern == &pattern_permutation)
        return permuting_find(algorithm->name, ports) != NULL;
    for (guint i = 0; pattern == &pattern_matmul && i < MATMUL_N_ALGORITHMS; i++)
        if (strcmp(matmul_algorithm_names[i], algorithm->name) == 0)
            return matmul_recipe((MatmulAlgorithm)i) != NULL;
    const char *halves = pattern == &pattern_allreduce ? "all-broadcast" : pattern->name;
    return spanning_find(halves, algorithm->name, ports) ||
           ((pattern == pattern_default() || pattern->family) && g_strv_contains(in_phases, algorithm->name));
}

/* A machine with two start-up times, and one with one, for which most formulas are. */
static const char *const machines[] = {"ipsc860", "bokhari1993"};

/* Every algorithm has a formula, or else says why not. */
TEST_LOOP(registry_is_complete, 0, G_N_ELEMENTS(machines))
{
    g_autoptr(Machine) plain = TEST_MACHINE(machines[_i], "delta=0");
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        Machine machine = test_machine_for(plain, algorithm);
        ck_assert_ptr_eq(algorithm_find("", algorithm->pattern, algorithm->n_port, algorithm->name, NULL),
                         algorithm);
        ck_assert(*algorithm->summary && *algorithm->source);
        ck_assert_msg(has_formula(algorithm) == !algorithm->unpublished, "%s: %s", algorithm->name,
                      algorithm->unpublished ? algorithm->unpublished : "has no formula");
        Run run = {.machine = &machine, .problem = problem_new(algorithm, 4), .element = 1};
        if (run.problem.pattern == &pattern_matmul)
            test_multiply(&run.problem, "16x16x16", 2, MATMUL_CONSECUTIVE);
        if (algorithm->takes & TAKES_PARTITION)
            run.problem.partition = partition_direct(4);
        run.problem.data = division_make(12, 1, problem_n_parts(&run.problem), 0);
        gint64 time;
        const char *reason = NULL;
        gboolean published = published_time(&run, &time, &reason);
        ck_assert_msg(published != (reason != NULL), "%s has neither a published model nor a reason", algorithm->name);
        ck_assert(published || *reason);
        if (algorithm->unpublished)
            ck_assert_str_eq(reason, algorithm->unpublished);
        else
            ck_assert_msg(published || !strstr(reason, "no such row"), "%s: %s", algorithm->name, reason);
    }
}

/* --- one more --- */

/* lambda = 100 µs and tau = 2 µs/byte, in each of three steps. */
#define DOWNWARDS_PS (3 * (100 + 10 * 2) * (gint64)1000000)

/* A message of 10 bytes takes the same, however far it goes: delta is 0. */
#define SHIFT_PS ((100 + 10 * 2) * (gint64)1000000)

static Problem downwards(const Pattern *pattern)
{
    const Algorithm *found = algorithm_find("", pattern, TRUE, "downwards", NULL);
    ck_assert_ptr_eq(found, &algorithm_downwards);
    Problem problem = problem_new(found, 3);
    problem.pattern = pattern;
    problem.source = 2;
    problem.data = division_whole(10);
    return problem;
}

TEST(is_listed)
{
    const Pattern *broadcast = &pattern_broadcast;
    guint n = algorithm_count();
    ck_assert_ptr_null(algorithm_find("", broadcast, FALSE, "downwards", NULL));
    algorithm_add(&algorithm_downwards);
    ck_assert_uint_eq(algorithm_count(), n + 1);
    ck_assert_ptr_eq(algorithm_nth(n), &algorithm_downwards);
    g_autofree const char **names = algorithm_names(&pattern_reduction);
    ck_assert(g_strv_contains(names, "downwards"));
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(algorithm_find("-a", broadcast, FALSE, "donwards", &error));
    ck_assert_ptr_nonnull(strstr(error->message, "did you mean 'downwards'?"));
}

/* Both ways: the reduction is made of the same steps. */
TEST(is_timed)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "delta=0");
    algorithm_add(&algorithm_downwards);
    for (guint backwards = 0; backwards < 2; backwards++) {
        Problem problem = downwards(backwards ? &pattern_reduction : &pattern_broadcast);
        g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
        ck_assert_msg(verdict.ok, "%s", verdict.fault);
        ck_assert_uint_eq(verdict.messages, 7);
        ck_assert_int_eq(test_price(&problem, machine).time_ps, DOWNWARDS_PS);
        ck_assert_int_eq(test_simulate(&problem, machine).time_ps, DOWNWARDS_PS);
    }
}

TEST(is_exported)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    algorithm_add(&algorithm_downwards);
    Problem problem = downwards(&pattern_broadcast);
    g_autofree char *text = exported_text(&problem, 1), *goal = exported_goal(&problem, 1, machine, NULL);
    ck_assert_ptr_nonnull(strstr(text, "broadcast downwards"));
    ck_assert_ptr_nonnull(strstr(text, "\n  2 copies slot 0 to 6, into slot 0\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n  6 awaits 2\n"));
    ck_assert_ptr_nonnull(strstr(goal, "send 10b to 6 "));
}

TEST(is_run)
{
    algorithm_add(&algorithm_downwards);
    g_autoptr(Scenario) scenario = scenario_new();
    set_words(scenario, "machine=bokhari1993 delta=0 dimension=3 pattern=broadcast algorithm=downwards source=2 "
                        "bytes=10");
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert(runs && runs->len == 1);
    const Run *run = &g_array_index(runs, Run, 0);
    ck_assert_ptr_eq(run->problem.algorithm, &algorithm_downwards);
    RunResult result;
    ck_assert(run_execute(run, &result, NULL, NULL));
    ck_assert(result.finished && result.data_ok);
    ck_assert_int_eq(result.contention_free_ps, DOWNWARDS_PS);
    ck_assert_int_eq(result.simulated_ps, DOWNWARDS_PS);
}

/* --- one more pattern --- */

static Problem shift(guint d, guint steps)
{
    g_autoptr(GError) error = NULL;
    const Pattern *pattern = pattern_find("", "shift", &error);
    ck_assert_ptr_eq(pattern, &pattern_shift);
    Problem problem = problem_new(algorithm_find("", pattern, FALSE, "straight", NULL), d);
    problem.own[0] = steps;
    problem.data = division_whole(10);
    return problem;
}

TEST(pattern_is_listed)
{
    guint n = pattern_count(), n_keys = keys_count();
    ck_assert_ptr_null(pattern_find("", "shift", NULL));
    ck_assert_ptr_null(keys_find("steps"));
    pattern_add(&pattern_shift);
    ck_assert_uint_eq(pattern_count(), n + 1);
    ck_assert_uint_eq(keys_count(), n_keys + 1);
    const Key *key = keys_find("steps");
    ck_assert_ptr_eq(key, pattern_theory(&pattern_shift)->keys);
    g_autofree char *takers = key_takers(key, FALSE);
    ck_assert_str_eq(takers, "the pattern shift");
    ck_assert_ptr_eq(pattern_default(), &pattern_complete_exchange);
}

/* Without contention every distance takes the same time; messages that wait take longer. */
TEST_LOOP(pattern_is_proved, 0, 5)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "delta=0");
    guint d = (guint)_i, n = 1u << d;
    pattern_add(&pattern_shift);
    for (guint steps = 0; steps < n; steps++) {
        Problem problem = shift(d, steps);
        g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
        g_auto(Price) priced = test_price(&problem, machine);
        ck_assert_msg(verdict.ok, "%u of %u: %s", steps, n, verdict.fault);
        ck_assert_uint_eq(verdict.messages, steps ? n : 0);
        ck_assert_int_eq(priced.time_ps, steps ? SHIFT_PS : 0);
        ck_assert_int_ge(test_simulate(&problem, machine).time_ps, priced.time_ps);
    }
}

/* The run that these words ask for; `steps` may be NULL. */
static Run run_of_shift(const char *dimension, const char *steps, Scenario *scenario, GArray **runs)
{
    set_words(scenario, "machine=bokhari1993 pattern=shift algorithm=straight bytes=10");
    set_pairs(scenario, (const char *const[]){dimension, steps, NULL});
    *runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert(*runs && (*runs)->len == 1);
    return g_array_index(*runs, Run, 0);
}

TEST(pattern_is_run)
{
    static const struct {
        const char *dimension, *steps;
        gint64 found;
    } cases[] = {{"dimension=3", NULL, 1}, {"dimension=3", "steps=7", 7}, {"dimension=0", NULL, 1}};
    pattern_add(&pattern_shift);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        g_autoptr(GArray) runs = NULL;
        Run run = run_of_shift(cases[i].dimension, cases[i].steps, scenario, &runs);
        RunResult result;
        const char *why = NULL;
        ck_assert_int_eq(run.problem.own[0], cases[i].found);
        ck_assert(run_execute(&run, &result, NULL, NULL));
        ck_assert(result.finished && result.data_ok);
        ck_assert(!published_time(&run, &(gint64){0}, &why));
        ck_assert_str_eq(why, "no paper has it");
        ck_assert_int_eq(published_packet(&run), run.machine->packet);
    }
}

TEST(pattern_is_exported)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    pattern_add(&pattern_shift);
    Problem problem = shift(2, 3);
    g_autofree char *text = exported_text(&problem, 1), *goal = exported_goal(&problem, 1, machine, NULL);
    ck_assert_ptr_nonnull(strstr(text, "shift straight"));
    ck_assert_ptr_nonnull(strstr(text, "\n  1 sends slot 0 to 0, into slot 0; awaits 2\n"));
    ck_assert_ptr_nonnull(strstr(goal, "send 10b to 3 "));
}

/* --- how often a schedule is made --- */

static guint *n_made;   /* schedules of counted_straight, in all processes */

static Schedule *counted_make(const Problem *problem)
{
    __atomic_add_fetch(n_made, 1, __ATOMIC_SEQ_CST);
    return pattern_shift.algorithms[0]->make(problem);
}

/* A sweep makes a schedule to plan all sizes of a problem, and one for every run: in the process that starts it. */
TEST(made_once)
{
    Algorithm straight = *pattern_shift.algorithms[0];
    const Algorithm *const algorithms[] = {&straight, NULL};
    Pattern pattern = pattern_shift;
    straight.make = counted_make;
    pattern.algorithms = algorithms;
    pattern_add(&pattern);
    n_made = mmap(NULL, sizeof *n_made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(n_made != MAP_FAILED);
    g_autoptr(Scenario) scenario = scenario_new();
    set_words(scenario, "machine=bokhari1993 pattern=shift algorithm=straight dimension=2:4:1 bytes=1:5:1");
    g_autoptr(Sweep) sweep = sweep_new(scenario, TEST_PLATFORMS, NULL);
    ck_assert_uint_eq(sweep_n_points(sweep), 3 * 5);
    ck_assert_uint_eq(*n_made, 3);
    g_autoptr(GArray) points = shard_points((Shard){1, 1}, sweep);
    JournalEntry *entries = g_new0(JournalEntry, 3 * 5);
    ck_assert(sweep_execute(sweep, &(SweepPlan){.jobs = 2, .points = points}, NULL, entries, NULL));
    ck_assert_uint_eq(*n_made, 3 + 3 * 5);
    for (guint i = 0; i < 3 * 5; i++)
        ck_assert(!entries[i].failed);
    journal_entries_free(entries, 3 * 5);
    munmap(n_made, sizeof *n_made);
}

static void note_added(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    guint *n = (guint *)user;
    n[0] += problem->algorithm == &algorithm_downwards;
    n[1] += problem->pattern == &pattern_shift;
}

/* Whatever the tests do with every algorithm and pattern, they do with them. */
TEST(are_tested)
{
    guint n[] = {0, 0};
    algorithm_add(&algorithm_downwards);
    pattern_add(&pattern_shift);
    test_each_schedule(3, note_added, n);
    ck_assert_uint_eq(n[0], 2);
    ck_assert_uint_eq(n[1], 1);
}

TESTS(registry, registry_is_complete, is_listed, is_timed, is_exported, is_run, pattern_is_listed, pattern_is_proved,
      pattern_is_run, pattern_is_exported, made_once, are_tested)
