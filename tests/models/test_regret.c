/* What it costs to have one radix, or radix 2 and Direct alone. */
#include "models/hull_regret.h"
#include "tests/support/tests.h"

/* lambda = 100 µs, tau = 1 µs per byte, rho as given, hops cost nothing; no shuffle after Direct. */
static Machine *make_machine(const char *rho)
{
    g_autofree char *rho_override = g_strconcat("rho=", rho, NULL);
    return TEST_MACHINE("bokhari1993", "lambda=100", "tau=1", "delta=0", "delta_hop=0", rho_override);
}

static Hull *hull_on(const Machine *machine, guint d, HullChoice choice)
{
    return hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, choice);
}

static HullRegret regret_on(HullChoice choice, guint d, const char *rho)
{
    g_autoptr(Machine) machine = make_machine(rho);
    g_autoptr(Hull) best = hull_on(machine, d, HULL_MIXED), chosen = hull_on(machine, d, choice);
    return hull_regret(chosen, best, 0);
}

/* The rounds that Open MPI's developers list for 1024 processors and radix 2, 4, 8, 16. */
TEST(rounds)
{
    static const guint expected[] = {0, 10, 15, 22, 33};
    static const char *const partitions[] = {NULL, "1,1,1,1,1,1,1,1,1,1", "2,2,2,2,2", "1,3,3,3", "2,4,4"};
    for (guint part = 1; part <= 4; part++) {
        Phases partition = hull_one_radix(10, part);
        g_autofree char *text = partition_format(&partition);
        guint n = 0;
        for (guint i = 0; i < partition.n_parts; i++)
            n += (1u << partition.part[i]) - 1;
        ck_assert_uint_eq(n, expected[part]);
        ck_assert_str_eq(text, partitions[part]);
    }
}

/* d = 4, rho = 0: {1111} takes 400 + 32 m and {4} 1500 + 15 m, which meet at m = 1100/17; {22} takes 600 + 24 m.
 * rho = 1.5: 400 + 128 m, 1500 + 15 m, 600 + 72 m. d = 6, rho = 0: 600 + 192 m, 6300 + 63 m, and {33} 1400 + 112 m. */
TEST(by_hand)
{
    static const struct {
        guint d;
        const char *rho, *best;
        double bytes, chosen_us, best_us;
    } cases[] = {
        {4, "0", "2,2", 1100 / 17.0, 400 + 32 * 1100 / 17.0, 600 + 24 * 1100 / 17.0},
        {4, "1.5", "2,2", 1100 / 113.0, 400 + 128 * 1100 / 113.0, 600 + 72 * 1100 / 113.0},
        {6, "0", "3,3", 5700 / 129.0, 600 + 192 * 5700 / 129.0, 1400 + 112 * 5700 / 129.0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        HullRegret regret = regret_on(HULL_EXTREMES, cases[i].d, cases[i].rho);
        g_autofree char *best = partition_format(&regret.best);
        ck_assert_str_eq(best, cases[i].best);
        ck_assert_double_eq_tol(regret.bytes, cases[i].bytes, 1e-9);
        ck_assert_double_eq_tol(regret.ratio, cases[i].chosen_us / cases[i].best_us - 1, 1e-9);
    }
}

/* Between radix 2 and Direct alone, and with one radix, over rho/tau from 0 to 1.5. */
TEST(ranges)
{
    static const struct {
        guint d;
        double from, to;
    } extremes[] = {{4, 0.1475, 0.2653}, {6, 0.4308, 0.7651}, {12, 1.8330, 3.2384}};
    for (guint i = 0; i < G_N_ELEMENTS(extremes); i++) {
        ck_assert_double_eq_tol(regret_on(HULL_EXTREMES, extremes[i].d, "0").ratio, extremes[i].from, 5e-5);
        ck_assert_double_eq_tol(regret_on(HULL_EXTREMES, extremes[i].d, "1.5").ratio, extremes[i].to, 5e-5);
    }
    double most = 0;
    for (guint d = 3; d <= 12; d++)
        for (guint r = 0; r <= 15; r++) {
            g_autofree char *rho = g_strdup_printf("%u.%u", r / 10, r % 10);
            most = fmax(most, regret_on(HULL_ONE_RADIX, d, rho).ratio);
        }
    ck_assert_double_eq_tol(most, 0.0559, 5e-5);
}

/* The least time of all partitions, one by one, of those that `choice` has. */
static double least_time(const HullCosts *costs, HullChoice choice, double bytes)
{
    double least = INFINITY;
    Phases partition = partition_standard(costs->dimension);
    do {
        Phases one = hull_one_radix(costs->dimension, partition.part[partition.n_parts - 1]);
        gboolean extreme = partition.n_parts == 1 || partition.n_parts == costs->dimension;
        if (choice == HULL_MIXED || (choice == HULL_ONE_RADIX ? partition_equal(&one, &partition) : extreme))
            least = fmin(least, exchange_line_at(hull_partition_line(costs, &partition), bytes));
    } while (partition_next(&partition));
    return least;
}

/* Against sizes one after another, on a machine whose short messages cost less, and the bytes of whose
 * long ones, and whose lines therefore jump: no size
 * is worse than the regret, and some size is nearly as bad. */
TEST(against_sizes)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc2", "long_limit=1600", "lambda_long=900", "tau_long=0.1");
    for (guint choice = HULL_ONE_RADIX; choice <= HULL_EXTREMES; choice++)
        for (guint d = 3; d <= 7; d++) {
            g_autoptr(Hull) best = hull_on(machine, d, HULL_MIXED), chosen = hull_on(machine, d, choice);
            double worst = 0, regret = hull_regret(chosen, best, 1).ratio;
            for (double bytes = 1; bytes < 1000; bytes += 0.25) {
                HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
                worst = fmax(worst, least_time(&costs, choice, bytes) / least_time(&costs, HULL_MIXED, bytes) - 1);
            }
            ck_assert_double_le(worst, regret + 1e-9);
            ck_assert_double_ge(worst, 0.99 * regret);
        }
}

/* In the limit of large blocks only slopes count: on a machine without start-ups {1,1,1} takes 12 m and {3} 7 m. */
TEST(limit)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=0", "tau=1", "delta=0", "delta_hop=0", "rho=0");
    HullCosts costs = hull_costs(machine, 3, EXCHANGE_TRUE_DISTANCE, FALSE, INFINITY);
    g_autoptr(Hull) best = hull_on(machine, 3, HULL_MIXED);
    Phases ones = partition_standard(3);
    HullFace face = {100, INFINITY, hull_partition_line(&costs, &ones), ones, {0}, 0, NULL};
    face.line.intercept_ps = -1e8;      /* so that the ratio still rises */
    HullRegret regret = hull_face_regret(&face, best, 0);
    ck_assert(isinf(regret.bytes));
    ck_assert_double_eq_tol(regret.ratio, 5 / 7.0, 1e-12);
}

TESTS(regret, rounds, by_hand, ranges, against_sizes, limit)
