/* Ping-pongs with made-up noise: how often a fit finds pieces that are none, and what its verdict is. ECUBE_TESTS=all
 * makes 1,000 draws of each kind; ECUBE_SHOW prints the counts. */
#include "experiments.h"
#include "sim/fit/fit.h"
#include "sim/fit/regret.h"
#include "sim/fit/verdict.h"
#include "tests/support/tests.h"

#define SIZES 23

static double normal_of(GRand *random)
{
    return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

/* Fills in factors of the times of all sizes. */
typedef void Disturb(GRand *random, double noise, double *factors);

static void honest(GRand *random, double noise, double *factors)
{
    for (guint i = 0; i < SIZES; i++)
        factors[i] = exp(noise * normal_of(random));
}

/* Each size is off by as much as the one before, and by more. */
static void walk(GRand *random, double noise, double *factors)
{
    honest(random, noise, factors);
    for (guint i = 1; i < SIZES; i++)
        factors[i] *= factors[i - 1];
}

/* Half of the sizes are of a machine that is three times as slow. */
static void mixed(GRand *random, double noise, double *factors)
{
    honest(random, noise, factors);
    for (guint i = 0; i < SIZES; i++)
        factors[i] *= g_rand_boolean(random) ? 3 : 1;
}

/* From some size on, three sizes stall. */
static void stalls(GRand *random, double noise, double *factors)
{
    honest(random, noise, factors);
    guint first = (guint)g_rand_int_range(random, 3, SIZES - 3);
    for (guint i = first; i < first + 3; i++)
        factors[i] *= 20;
}

static void largest_wild(GRand *random, double noise, double *factors)
{
    honest(random, noise, factors);
    factors[SIZES - 1] *= 3;
}

/* What came of a number of draws. */
typedef struct {
    guint may, limits;
} Outcome;

/* Fits ping-pongs of 1 byte to 4 MiB, 2 µs and 10 GB/s, disturbed. */
static Outcome draw(Disturb *disturb, double noise, guint n_draws)
{
    static const Experiment sizes = {"pattern=broadcast algorithm=sbt bytes=1:4M:x2 phase_barrier=false lambda=2 "
                                     "tau=0.0001 delta=0 delta_hop=0", 1, 1};
    static const FitQuestion everything = {.limits = {FIT_LIMIT_SEEK, FIT_LIMIT_SEEK}};
    g_autoptr(Measured) measured = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(Regret));
    double clean[SIZES], factors[SIZES];
    Outcome outcome = {0};
    experiment_add(measured, "bokhari1993", &sizes);
    ck_assert_uint_eq(measured->observations->len, SIZES);
    for (guint i = 0; i < SIZES; i++)
        clean[i] = ((Observation *)g_ptr_array_index(measured->observations, i))->time_ps;
    for (guint seed = 1; seed <= n_draws; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        disturb(random, noise, factors);
        for (guint i = 0; i < SIZES; i++)
            ((Observation *)g_ptr_array_index(measured->observations, i))->time_ps = clean[i] * factors[i];
        g_autoptr(Fit) fit = fit_find(measured->observations, &everything, NULL);
        g_autofree char *verdict = verdict_text(fit, none);
        outcome.may += g_str_has_prefix(verdict, MACHINE_VERDICT_GOOD);
        outcome.limits += fit->limits.short_limit > 0;
    }
    return outcome;
}

/* Most that are allowed of `most_limits` and least of `least_may`, in shares. */
static const struct {
    Disturb *disturb;
    double noise, least_may, most_may, most_limits;
} cases[] = {
    {honest, 0.01, 1, 1, 0.03}, {honest, 0.03, 1, 1, 0.03}, {honest, 0.1, 0, 1, 0.03},
    {walk, 0.3, 0, 0.02, 1}, {mixed, 0.03, 0, 0.02, 1}, {stalls, 0.03, 0, 0.02, 1}, {largest_wild, 0.03, 0, 0.02, 1},
};

TEST_LOOP(verdicts, 0, G_N_ELEMENTS(cases))
{
    guint n = (guint)test_upto(20, 1000);
    Outcome outcome = draw(cases[_i].disturb, cases[_i].noise, n);
    if (g_getenv("ECUBE_SHOW"))
        g_printerr("%u of %u may be used, %u have a limit\n", outcome.may, n, outcome.limits);
    ck_assert_uint_ge(outcome.may, (guint)(cases[_i].least_may * n));
    ck_assert_uint_le(outcome.may, (guint)(cases[_i].most_may * n));
    ck_assert_uint_le(outcome.limits, (guint)(cases[_i].most_limits * n));
}

/* --- intervals --- */

static const struct {
    guint n_sizes, n_repeats;
    double noise, shared;       /* of each time; of all times of a size */
} intervals[] = {{23, 1, 0.1, 0}, {8, 1, 0.03, 0}, {5, 1, 0.1, 0}, {5, 10, 0.03, 0.1}};

/* The 95 % interval of tau, of 2 µs + 0.001 µs a byte at sizes around 2000 bytes, holds in 93 to 98 % of the draws. */
TEST_LOOP(intervals_hold, 0, G_N_ELEMENTS(intervals))
{
    guint n_draws = 1000, n_held = 0, n = intervals[_i].n_sizes * intervals[_i].n_repeats;
    g_autofree double *x = g_new(double, 2 * n), *y = g_new(double, n), *offset = g_new0(double, n);
    for (guint seed = 1; seed <= n_draws; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        double shared = 0;
        for (guint i = 0; i < n; i++) {
            guint size = i / intervals[_i].n_repeats;
            shared = i % intervals[_i].n_repeats == 0 ? intervals[_i].shared * normal_of(random) : shared;
            x[2 * i] = 1;
            x[2 * i + 1] = 250 << (size * 6 / (intervals[_i].n_sizes - 1));
            x[2 * i + 1] += size;
            y[i] = (2 + 0.001 * x[2 * i + 1]) * (1 + shared + intervals[_i].noise * normal_of(random));
        }
        g_autoptr(Regression) found = regression_fit(&(RegressionData){n, 2, x, offset, y});
        n_held += fabs(found->value[1] - 0.001) <= found->error[1];
    }
    if (g_getenv("ECUBE_SHOW"))
        g_printerr("%u of %u intervals hold\n", n_held, n_draws);
    ck_assert_uint_ge(n_held, 930);
    ck_assert_uint_le(n_held, 980);
}

TESTS(noise, verdicts, intervals_hold)
