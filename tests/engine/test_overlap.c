/* Overlapped start-ups (sim/engine/README.md): exchanges whose messages are issued at once, by simulation, by the
 * pricer and by the lines of the hull. */
#include "models/hull.h"
#include "tests/support/tests.h"

static const char *const machines[][5] = {
    {"ipsc860", "gap=95"}, {"ipsc860", "gap=40"}, {"ipsc860", "gap=0"}, {"bokhari1993", "gap=60"},
    {"ipsc860:unforced", "gap=25", "long_limit=256", "lambda_long=200", "tau_long=0.1"},
};

static Machine *machine_of(guint i, const char *option)
{
    const char *const *options = &machines[i][1];
    return TEST_MACHINE(machines[i][0], "duplex=full", options[0], option ? option : options[1],
                        option ? options[1] : options[2], option ? options[2] : options[3], option ? options[3] : NULL);
}

/* Blocks around the sizes where start-ups stop to be what takes time, from one phase to d of them. */
static const gint64 sizes[] = {1, 3, 11, 29, 64, 130, 199, 205, 230, 410, 1000, 5000};

static gint64 price_of(const Machine *machine, guint d, const char *algorithm, const Phases *partition, gint64 bytes)
{
    Problem problem = test_exchange(algorithm, d, partition, bytes);
    Price priced = test_price(&problem, machine);
    ck_assert(!priced.fault && !priced.stuck);
    return priced.time_ps;
}

static double line_at(const Machine *machine, guint d, const Phases *partition, gint64 bytes)
{
    HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, (double)bytes);
    return exchange_line_at(hull_partition_line(&costs, partition), (double)bytes);
}

/* --- lines --- */

/* Every partition: the line that holds at a size is the price there. */
static void check_lines(const Machine *machine, const char *algorithm)
{
    for (guint d = 1; d <= 6; d++) {
        Phases partition = partition_standard(d);
        do
            for (guint s = 0; s < G_N_ELEMENTS(sizes); s++)
                ck_assert_double_eq_tol((double)price_of(machine, d, algorithm, &partition, sizes[s]),
                                        line_at(machine, d, &partition, sizes[s]), 1);
        while (partition_next(&partition));
    }
}

/* Over circuits and over flows. */
TEST_LOOP(lines, 0, G_N_ELEMENTS(machines))
{
    for (guint fluid = 0; fluid < 2; fluid++) {
        g_autoptr(Machine) machine = machine_of((guint)_i, fluid ? "switching=fluid" : NULL);
        check_lines(machine, "multiphase-linear");
    }
}

/* Without a gap, one message after another. */
TEST_LOOP(lines_one_by_one, 0, 5)
{
    static const char *const specs[] = {"ipsc860", "ipsc860:unforced", "bokhari1993", "ipsc2", "ncube2"};
    g_autoptr(Machine) machine = test_machine(specs[_i], NULL);
    check_lines(machine, "multiphase");
}

/* Faces follow each other without a step, and each is the best of all prices. */
TEST_LOOP(faces, 0, G_N_ELEMENTS(machines))
{
    g_autoptr(Machine) machine = machine_of((guint)_i, NULL);
    for (guint d = 1; d <= 6; d++) {
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
        for (guint i = 1; i < hull->n_faces && !machine_has_limits(machine); i++) {
            double at = hull->faces[i].from_bytes, right = exchange_line_at(hull->faces[i].line, at);
            ck_assert_double_eq_tol(exchange_line_at(hull->faces[i - 1].line, at), right, 1e-9 * right);
        }
        for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
            gint64 least = G_MAXINT64;
            Phases partition = partition_standard(d);
            do
                least = MIN(least, price_of(machine, d, "multiphase-linear", &partition, sizes[s]));
            while (partition_next(&partition));
            const HullFace *face = hull_lookup(hull, (double)sizes[s]);
            ck_assert_double_eq_tol(exchange_line_at(face->line, (double)sizes[s]), (double)least, 1);
            ck_assert_int_eq(price_of(machine, d, "multiphase-linear", &face->partition, sizes[s]), least);
        }
    }
}

/* By hand, on bokhari1993 with gap = 60, d = 2, messages of the one phase 110 + 2 m: up to m = 25 they take 60 or less
 * behind the start-up, and 120 + 100 + 10 + 2 m = 230 + 2 m; from there on 100 + 3 (10 + 2 m) = 130 + 6 m. Two phases
 * take 2 (110 + 4 m + 4 m) = 220 + 16 m, less up to 10/14. */
TEST(bend)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "gap=60");
    g_autoptr(Hull) hull = hull_of_machine(machine, 2, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
    ck_assert_uint_eq(hull->n_faces, 3);
    const double from[] = {0, 10.0 / 14, 25}, slope[] = {16, 2, 6}, intercept[] = {220, 230, 130};
    for (guint i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(hull->faces[i].from_bytes, from[i], 1e-9);
        ck_assert_double_eq_tol(hull->faces[i].line.slope_ps_per_byte, slope[i] * 1e6, 1e-3);
        ck_assert_double_eq_tol(hull->faces[i].line.intercept_ps, intercept[i] * 1e6, 1e-3);
    }
}

/* --- simulation --- */

/* With one port nothing contends, whatever the phases: the simulated time is the price, on a machine of each kind. */
TEST_LOOP(simulated, 1, test_upto(5, 7)) /* one platform per process: one d per test */
{
    static const char *const kinds[] = {NULL, "packet=48", "phase_barrier=true", "delta=7", "delta_hop=0"};
    guint d = (guint)_i;
    for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
        g_autoptr(Machine) machine = machine_of(m, kinds[m]);
        Phases partition = partition_standard(d);
        do
            for (guint s = m % 2; s < G_N_ELEMENTS(sizes); s += d > 4 ? 4 : 2) {
                Problem problem = test_exchange("multiphase-linear", d, &partition, sizes[s]);
                EngineResult result = test_simulate(&problem, machine);
                ck_assert(!result.fault && !result.stuck && result.network.blocked == 0);
                ck_assert_int_eq(result.time_ps,
                                 price_of(machine, d, "multiphase-linear", &partition, sizes[s]));
            }
        while (partition_next(&partition));
    }
}

/* What is issued at once is never slower than one message after another, and these notice a gap only if they are cut
 * into packets. */
TEST(never_slower)
{
    for (guint m = 0; m < 2 * G_N_ELEMENTS(machines); m++)
        for (guint d = 1; d <= 5; d++) {
            const char *packet = m % 2 ? "packet=100" : NULL;
            g_autoptr(Machine) machine = machine_of(m / 2, packet), plain = machine_of(m / 2, packet);
            plain->overlaps = FALSE;
            Phases partition = partition_standard(d);
            do
                for (guint s = 0; s < G_N_ELEMENTS(sizes); s += 2) {
                    gint64 at_once = price_of(machine, d, "multiphase-linear", &partition, sizes[s]);
                    gint64 waiting = price_of(machine, d, "multiphase", &partition, sizes[s]);
                    ck_assert_int_le(at_once, waiting);
                    gint64 without = price_of(plain, d, "multiphase", &partition, sizes[s]);
                    ck_assert(packet ? waiting <= without : waiting == without);
                }
            while (partition_next(&partition));
        }
}

/* In the other order processors get ahead of each other, so messages meet; but the data arrives. */
TEST(linear)
{
    guint64 blocked = 0;
    for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
        g_autoptr(Machine) machine = machine_of(m, "start_skew=11");
        for (guint s = 0; s < G_N_ELEMENTS(sizes); s += 3) {
            Problem problem = test_exchange("linear", 4, NULL, sizes[s]);
            EngineResult result = test_simulate(&problem, machine);
            ck_assert(!result.fault && !result.stuck);
            ck_assert_int_ge(result.time_ps, price_of(machine, 4, "linear", NULL, sizes[s]));
            blocked += result.network.blocked;
        }
    }
    ck_assert_uint_gt(blocked, 0);
}

/* Flows leave side by side. Where messages are shorter than gaps that makes no difference; else, without hops, the
 * first channel of processor 0 carries half of the messages and is never idle. */
TEST(flows)
{
    const char *bare[] = {"duplex=full", "pairwise_sync=false", "phase_barrier=false", "delta_hop=0", "gap=95",
                          "switching=fluid",
                          NULL};
    g_autoptr(Machine) machine = test_machine("ipsc860", bare);
    Problem small = test_exchange("linear", 2, NULL, 116), large = test_exchange("linear", 2, NULL, 1016);
    ck_assert_int_eq(test_simulate(&small, machine).time_ps, 330704000);    /* 3 x 95 + 45.704 */
    ck_assert_int_eq(test_simulate(&large, machine).time_ps, 990608000);    /* 190 + 2 x 400.304 */
}

/* A message that is over before its port is free again: nothing takes time. */
TEST(flows_at_once)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "pairwise_sync=false", "phase_barrier=false", "lambda=0",
                                              "tau=0", "delta=0", "rho=0", "gap=0", "switching=fluid");
    Problem problem = test_exchange("linear", 2, NULL, 8);
    EngineResult result = test_simulate(&problem, machine);
    ck_assert(!result.fault && !result.stuck);
    ck_assert_uint_eq(result.network.messages, 12);
    ck_assert_int_eq(result.time_ps, 0);
}

TESTS(overlap, lines, lines_one_by_one, faces, bend, simulated, never_slower, linear, flows, flows_at_once)
