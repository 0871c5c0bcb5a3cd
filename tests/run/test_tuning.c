/* The tuning procedure on made-up times: how often noise makes a rule, and how often a gain is found. */
#include "sim/run/tuning.h"
#include "tests/support/tests.h"

#define SIZES 15
#define CANDIDATES 5

/* A machine whose times are made up. */
typedef struct {
    GRand *random;
    double (*noise)(guint algorithm);   /* logarithm of a factor */
    double gain;            /* logarithm of the gain of candidate 3 */
    double seconds;         /* time that has passed */
} MadeUp;

static MadeUp *machine;
static guint n_calls;
static double factor_of[CANDIDATES + 1];    /* of a round, or of some calls, by algorithm */

static double normal(void)
{
    double u = 1 - g_rand_double(machine->random), v = g_rand_double(machine->random);
    return sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

static double is_normal(guint algorithm)
{
    return 0.1 * normal();
}

/* Student's t with 3 degrees of freedom; a factor of 100 at most, so that no call takes hours. */
static double is_heavy(guint algorithm)
{
    double sum = 0;
    for (guint i = 0; i < 3; i++)
        sum += pow(normal(), 2);
    return fmax(-log(100), fmin(log(100), 0.06 * normal() / sqrt(sum / 3)));
}

static double is_drifting(guint algorithm)
{
    return 0.1 * normal() + 0.3 * sin(machine->seconds / 7) + machine->seconds / 400;
}

static double changes_halfway(guint algorithm)
{
    return 0.1 * normal() + (machine->seconds > 20 ? log(1.6) : 0);
}

static double has_spikes(guint algorithm)
{
    return 0.05 * normal() + (g_rand_double(machine->random) < 0.01 ? log(10) : 0);
}

/* A factor that all algorithms share for 50 calls. */
static double is_correlated(guint algorithm)
{
    if (n_calls % 50 == 0)
        factor_of[0] = 0.1 * normal();
    return factor_of[0] + 0.03 * normal();
}

/* Two levels, by the buffers, which are new in each round. */
static double is_bimodal(guint algorithm)
{
    return factor_of[algorithm] + 0.05 * normal();
}

static void made_up_measure(void *data, guint size, const guint *order, guint n, double *seconds)
{
    double call = 1e-5 * pow(1.64, size);       /* 10 µs to 10 ms */
    for (guint i = 0; i <= CANDIDATES && machine->noise == is_bimodal; i++)
        factor_of[i] = g_rand_boolean(machine->random) ? log(1.1) : 0;
    machine->seconds += 2 * call;               /* about what is outside the clock */
    for (guint i = 0; i < n; i++, n_calls++) {
        seconds[i] = call * exp(machine->noise(order[i]) - (order[i] == 3 ? machine->gain : 0));
        machine->seconds += seconds[i];
    }
}

static double made_up_clock(void *data)
{
    return machine->seconds;
}

/* Tunes a machine without gains, or with one. Returns the number of rules; `wrong` counts those for another candidate
 * than 3. */
static guint tune(double (*noise)(guint algorithm), double gain, guint32 seed, guint *wrong)
{
    guint n_candidates[SIZES], rules = 0;
    TuningChoice choices[SIZES];
    MadeUp made = {g_rand_new_with_seed(seed), noise, gain, 0};
    machine = &made;
    n_calls = 0;
    for (guint i = 0; i < SIZES; i++)
        n_candidates[i] = CANDIDATES;
    Tuning tuning = {SIZES, n_candidates, 120, seed + 1, made_up_measure, made_up_clock, NULL, NULL};
    double estimate = tuning_estimate(&tuning, choices);
    ck_assert(estimate < 120);
    tuning_run(&tuning, choices);
    for (guint i = 0; i < SIZES; i++) {
        gboolean is_rule = choices[i].verdict == TUNING_RULE;
        rules += is_rule;
        *wrong += is_rule && choices[i].winner != 3;
        ck_assert(!is_rule || choices[i].low > TUNING_MARGIN);
    }
    ck_assert(made.seconds < 122);
    g_rand_free(made.random);
    return rules;
}

static const struct {
    const char *name;
    double (*noise)(guint algorithm);
    double found;           /* share of the sizes in which a gain of 5 % must be found */
} families[] = {
    {"normal", is_normal, 0.95}, {"heavy", is_heavy, 0.95}, {"drift", is_drifting, 0.95},
    {"halfway", changes_halfway, 0.95}, {"spikes", has_spikes, 0.95}, {"correlated", is_correlated, 0.95},
    {"bimodal", is_bimodal, 0.9},
};

/* Equal candidates: at most 1 % of the tunings make a rule. */
TEST_LOOP(noise_makes_no_rules, 0, G_N_ELEMENTS(families))
{
    guint n = (guint)test_upto(2, 400), with_rules = 0, wrong = 0;
    for (guint i = 0; i < n; i++)
        with_rules += tune(families[_i].noise, 0, 1000 + i, &wrong) > 0;
    ck_assert_msg(with_rules <= n / 100, "%s: %u of %u", families[_i].name, with_rules, n);
}

/* A candidate that is 5 % faster is found, and no other. */
TEST_LOOP(gains_are_found, 0, G_N_ELEMENTS(families))
{
    guint n = (guint)test_upto(1, 100), rules = 0, wrong = 0;
    for (guint i = 0; i < n; i++)
        rules += tune(families[_i].noise, log(1.05), 5000 + i, &wrong);
    ck_assert_msg(rules >= families[_i].found * SIZES * n, "%s: %u of %u", families[_i].name, rules, SIZES * n);
    ck_assert_uint_eq(wrong, 0);
}

/* Two tunings do not name two winners, whatever they say of the library. */
TEST(tunings_agree)
{
    guint wrong = 0;
    for (guint i = 0; i < (guint)test_upto(1, 100); i++)
        tune(is_normal, log(1.04), 9000 + i, &wrong);
    ck_assert_uint_eq(wrong, 0);
}

/* A budget that is too small leaves out the largest sizes; one that ends early leaves all to the library. */
TEST(budgets)
{
    guint n_candidates[SIZES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, left_out = 0;
    TuningChoice choices[SIZES];
    MadeUp made = {g_rand_new_with_seed(3), is_normal, 0.5, 0};
    machine = &made;
    Tuning tuning = {SIZES, n_candidates, 10, 4, made_up_measure, made_up_clock, NULL, NULL};
    ck_assert(tuning_estimate(&tuning, choices) <= 10);
    for (guint i = 0; i < SIZES; i++)
        left_out += choices[i].verdict == TUNING_LEFT_OUT;
    ck_assert_uint_gt(left_out, 2);
    ck_assert_int_eq(choices[SIZES - left_out].verdict, TUNING_LEFT_OUT);
    ck_assert_int_eq(choices[SIZES - left_out - 1].verdict, TUNING_UNDECIDED);
    made.seconds = 9.99;
    tuning_run(&tuning, choices);
    for (guint i = 0; i < SIZES; i++)
        ck_assert_int_ne(choices[i].verdict, TUNING_RULE);
    g_rand_free(made.random);
}

TESTS(tuning, noise_makes_no_rules, gains_are_found, tunings_agree, budgets)
