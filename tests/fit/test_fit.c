/* Constants from times: those of every machine file come back, what can't be told apart is named. */
#include "experiments.h"
#include "sim/fit/regret.h"
#include "tests/tests.h"

#include <math.h>
#include <string.h>

static const FitQuestion everything = {.short_limit = FIT_LIMIT_SEEK};

static Fit *find(const Measured *measured, const FitQuestion *question)
{
    g_autoptr(GError) error = NULL;
    Fit *fit = fit_find(measured->observations, question, &error);
    ck_assert_msg(fit != NULL, "%s", error ? error->message : "");
    return fit;
}

/* What the constant has taken over from those that can't be told from it, with it. */
static double known_sum(const Fit *fit, const Machine *machine, guint constant)
{
    double sum = (double)constant_get(machine, constant);
    for (guint j = 0; j < constants_count(); j++)
        sum += fit->rank.share[j][constant] * (double)constant_get(machine, j);
    return sum;
}

/* A constant that is not 0 has an effect on some time. */
static void check_constant(const Fit *fit, const Machine *machine, guint i)
{
    double wanted = known_sum(fit, machine, i), found = fit->value_ps[i];
    const char *name = constant_key(i)->name;
    gboolean absent = constant_long_form(i) >= 0 && machine->short_limit < 0;
    if (fit->fate[i] == FIT_UNSEEN || absent)
        ck_assert_msg(constant_get(machine, i) == 0 || absent || strcmp(name, "lambda_zero") == 0 ||
                      (!machine->phase_barrier && g_str_has_prefix(name, "sync")), "%s %s", machine->spec, name);
    else if (fit->fate[i] != FIT_DEPENDENT)
        ck_assert_msg(fabs(found - wanted) <= fmax(1e-3 * wanted, 0.5), "%s: %s is %g, found %g", machine->spec, name, wanted,
                      found);
}

/* Every constant of every machine file and profile within 0.1 %, or its sum with those that are like it. */
START_TEST(machines_come_back)
{
    g_auto(GStrv) names = machine_names(TEST_PLATFORMS, NULL);
    for (guint m = 0; names[m]; m++) {
        g_autoptr(Machine) machine = test_machine(names[m], NULL);
        g_autoptr(Measured) measured = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
        experiments_add_all(measured, names[m]);
        g_autoptr(Fit) fit = find(measured, &everything);
        ck_assert(fit->stable);
        ck_assert_int_le(fit->short_limit, machine->short_limit);
        ck_assert(fit->short_limit == machine->short_limit || fit->next_length > machine->short_limit);
        for (guint i = 0; i < constants_count(); i++)
            check_constant(fit, machine, i);
    }
}
END_TEST

/* Fitted to times with 20 % noise, of which one in 20 is ten times too long. */
static Machine noisy_fit(const char *machine, const Measured *measured, guint32 seed)
{
    experiment_disturb(measured, seed, 0.2, 20, 10);
    g_autoptr(Fit) fit = find(measured, &everything);
    return fit->estimate;
}

/* What the fitted hull says costs at most 5 % more than the best, by the times without noise. */
START_TEST(noise_costs_little)
{
    static const char *const names[] = {"bokhari1993", "ipsc860", "ipsc860:unforced", "ipsc2", "ncube2"};
    static const Experiment sweep = {"algorithm=multiphase partition=all bytes=8:65536:x1.5", 3, 6};
    g_autoptr(Measured) clean = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    g_autoptr(Measured) noisy = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    experiment_add(clean, names[_i], &sweep);
    experiment_add(noisy, names[_i], &sweep);
    for (guint32 seed = 1; seed <= (guint32)test_upto(1, 3, 20); seed++) {
        for (guint i = 0; i < clean->observations->len; i++)
            ((Observation *)g_ptr_array_index(noisy->observations, i))->time_ps =
                ((Observation *)g_ptr_array_index(clean->observations, i))->time_ps;
        Machine machine = noisy_fit(names[_i], noisy, seed);
        g_autoptr(GArray) regrets = regret_list(clean->observations, &machine);
        RegretSum sum = regret_sum(regrets);
        ck_assert_uint_eq(sum.n_unknown, 0);
        ck_assert_uint_eq(sum.n, 4 * 23);
        ck_assert_double_le(sum.worst, 0.05);
    }
}
END_TEST

Suite *suite_fit(void)
{
    Suite *suite = suite_create("fit");
    TCase *tc = tcase_create("fit");
    tcase_add_test(tc, machines_come_back);
    tcase_add_loop_test(tc, noise_costs_little, 0, 5);
    suite_add_tcase(suite, tc);
    return suite;
}
