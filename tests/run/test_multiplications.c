/* What scenarios say of matrix multiplications, and the problems that makes. */
#include "options.h"
#include "sim/run/estimate.h"
#include "sim/patterns/published.h"
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/sweep/sweep.h"

#define BASE "pattern=matmul", "dimension=4", "shape=64x32x16"

/* The runs of a scenario, "KEY=VALUE" texts; NULL with an error. They live as long as it. */
static GArray *resolve(Scenario *scenario, ScenarioUse use, const char *const *pairs, GError **error)
{
    set_pairs(scenario, pairs);
    return scenario_resolve(scenario, TEST_PLATFORMS, use, error);
}

/* Of the first run. */
static Multiplication multiplication_of(const char *const *pairs)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) runs = resolve(scenario, SCENARIO_TIMED, pairs, &error);
    ck_assert_msg(runs != NULL, "%s", error ? error->message : "");
    return g_array_index(runs, Run, 0).problem.matmul;
}
#define OF(...) multiplication_of((const char *const[]){BASE, __VA_ARGS__, NULL})

TEST(what_is_given)
{
    Multiplication m = OF("machine=johnsson1987", "algorithm=a1", "grid=2x8", "routing=gcea", "layout=cyclic",
                          "repeat=3", "overlap=true", "element=8", "packet=20");
    ck_assert(m.shape.p == 64 && m.shape.q == 32 && m.shape.r == 16);
    ck_assert(m.grid.n1 == 1 && m.grid.n2 == 3 && m.layout == MATMUL_CYCLIC);
    ck_assert_str_eq(m.routing->name, "gcea");
    ck_assert(m.repeat == 3 && m.overlap && m.element == 8);
    ck_assert_int_eq(m.packet, 2);      /* whole elements of 20 bytes */
}

TEST(what_is_not_given)
{
    Multiplication m = OF("machine=johnsson1987", "algorithm=cannon");
    ck_assert(m.grid.n1 == 2 && m.grid.n2 == 2 && m.layout == MATMUL_CONSECUTIVE && m.element == 4);
    ck_assert(m.repeat == 1 && !m.overlap && m.packet == 0);
    ck_assert(strcmp(m.routing->name, "sbt") == 0 && !m.routing->n_port);
    m = OF("machine=johnsson1987", "algorithm=a1", "ports=all");
    ck_assert(strcmp(m.routing->name, "nrsbt") == 0 && m.routing->n_port);
    m = OF("machine=johnsson1987", "algorithm=a1", "ports=all", "routing=cra");     /* has one form */
    ck_assert(strcmp(m.routing->name, "cra") == 0 && !m.routing->n_port);
    ck_assert_int_eq(OF("machine=johnsson1987", "algorithm=a1", "packet=3").packet, 1);
}

TEST(grids_by_name)
{
    ck_assert_uint_eq(OF("machine=johnsson1987", "algorithm=a1", "grid=column").grid.n1, 0);
    ck_assert_uint_eq(OF("machine=johnsson1987", "algorithm=a1", "grid=row").grid.n1, 4);
    ck_assert_uint_eq(OF("machine=johnsson1987", "algorithm=dekel", "grid=optimal", "shape=64x32x16").grid.n1, 2);
}

/* Table 12: a1 has N1 = sqrt(N P/R), a4 sqrt(N P/Q). */
TEST(best_grids)
{
    static const struct {
        const char *shape, *algorithm;
        guint n1;
    } cases[] = {{"64x64x64", "a1", 2}, {"1024x64x64", "a1", 4}, {"64x64x1024", "a1", 0}, {"256x64x64", "a1", 3},
                 {"64x1024x64", "a4", 0}, {"1024x64x64", "a4", 4}, {"64x64x64", "a3b", 2}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shape = g_strconcat("shape=", cases[i].shape, NULL);
        g_autofree char *algorithm = g_strconcat("algorithm=", cases[i].algorithm, NULL);
        const char *const pairs[] = {"pattern=matmul", "dimension=4", "machine=johnsson1987", shape, algorithm, NULL};
        ck_assert_msg(multiplication_of(pairs).grid.n1 == cases[i].n1, "%s %s", cases[i].algorithm, cases[i].shape);
    }
}

/* With every grid the time is no less than with the best one, and less with fewer rows. */
TEST(best_grids_are_best)
{
    static const char *const algorithms[] = {"a1", "a2", "a3", "a4", "a5"};
    for (guint i = 0; i < G_N_ELEMENTS(algorithms) * 2; i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        g_autofree char *algorithm = g_strconcat("algorithm=", algorithms[i / 2], NULL);
        const char *const pairs[] = {BASE, "machine=johnsson1987", algorithm, i % 2 ? "packet=16" : NULL, NULL};
        g_autoptr(GArray) runs = resolve(scenario, SCENARIO_TIMED, pairs, NULL);
        Run run = g_array_index(runs, Run, 0);
        guint best = run.problem.matmul.grid.n1;
        gint64 best_ps, time_ps;
        ck_assert(published_time(&run, &best_ps, NULL));
        for (guint n1 = 1; n1 < 4; n1++) {      /* columns and rows have another table */
            run.problem.matmul.grid = (MatmulGrid){n1, 4 - n1, 0};
            ck_assert(published_time(&run, &time_ps, NULL));
            ck_assert_msg(best == 0 || best == 4 || (n1 < best ? time_ps > best_ps : time_ps >= best_ps),
                          "%s on %u rows", algorithm, 1u << n1);
        }
    }
}

/* Without a machine, that with the fewest transfers. */
TEST(grid_without_a_machine)
{
    g_autoptr(Scenario) scenario = scenario_new();
    const char *const pairs[] = {"pattern=matmul", "dimension=4", "shape=1024x64x64", "algorithm=a1", NULL};
    g_autoptr(GArray) runs = resolve(scenario, SCENARIO_DATA, pairs, NULL);
    ck_assert_uint_eq(g_array_index(runs, Run, 0).problem.matmul.grid.n1, 4);
}

/* sqrt(M lambda/((n-1) t_c)): 64 x 32/16 = 128 elements of C, 64 x 16/16 = 64 of A, lambda = t_c, n = 4. 6.5 and 4.6
 * elements; with 6 elements C takes 25 cycles of 7 µs, with 7 22 of 8; A with 4 19 of 5, with 5 16 of 6. */
TEST(best_packets)
{
    Multiplication m = OF("machine=johnsson1987:equal", "algorithm=a3", "grid=4x4", "ports=all", "packet=optimal");
    ck_assert(m.best_packets);
    ck_assert_int_eq(m.packet, 6);
    ck_assert_int_eq(m.packet_of_a, 4);
    m = OF("machine=johnsson1987:equal", "algorithm=a3", "grid=4x4", "packet=optimal");
    ck_assert(m.packet == 0 && m.packet_of_a == 0);     /* one port: whole messages */
}

/* In a sweep over patterns nothing of one is left for the other. */
TEST(beside_other_patterns)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) error = NULL;
    OPTIONS(scenario, BASE, "machine=johnsson1987", "algorithm=a1");
    scenario_replace(scenario, "pattern", "matmul,broadcast");
    g_autoptr(Sweep) sweep = sweep_new(scenario, TEST_PLATFORMS, &error);
    ck_assert_ptr_null(sweep);
    ck_assert_str_eq(error->message, "--shape: '64x32x16' is given, but broadcast does not take it; allowed: with the "
                                     "pattern matmul");
}

/* The limits themselves are allowed. */
TEST(limits)
{
    static const struct {
        const char *shape, *element, *refused;
    } cases[] = {{"shape=10000x10000x10000", "element=4", NULL},
                 {"shape=10000x10000x10001", "element=4", "shape: '10000x10000x10001'"},
                 {"shape=100000x1x100000", "element=450270", NULL},
                 {"shape=100000x1x100000", "element=450360", "element: '450360'"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        g_autoptr(GError) error = NULL;
        const char *const pairs[] = {"pattern=matmul", "dimension=4", "machine=johnsson1987", cases[i].shape,
                                     cases[i].element, "algorithm=a1", NULL};
        g_autoptr(GArray) runs = resolve(scenario, SCENARIO_TIMED, pairs, NULL);
        ck_assert_int_eq(run_check_clock(&g_array_index(runs, Run, 0), &error), cases[i].refused == NULL);
        ck_assert(!error || g_str_has_prefix(error->message, cases[i].refused));
    }
}

/* Repeated or overlapped multiplications are in no table. */
TEST(unpublished)
{
    static const char *const pairs[][2] = {{"repeat=2", "one multiplication"}, {"overlap=true", "nothing overlaps"},
                                           {"routing=gcea", "do not have this routing"}, {"grid=4x4", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autoptr(Scenario) scenario = scenario_new();
        const char *const all[] = {BASE, "machine=johnsson1987", "algorithm=a2", pairs[i][0], NULL};
        g_autoptr(GArray) runs = resolve(scenario, SCENARIO_TIMED, all, NULL);
        const char *reason;
        gint64 time_ps;
        gboolean published = published_time(&g_array_index(runs, Run, 0), &time_ps, &reason);
        ck_assert(published == !pairs[i][1] && (published || strstr(reason, pairs[i][1])));
    }
}

TESTS(multiplications, what_is_given, what_is_not_given, grids_by_name, best_grids, best_grids_are_best,
      grid_without_a_machine, best_packets, beside_other_patterns, limits, unpublished)
