/* Constants from times: those of every machine file come back, what can't be told apart is named. */
#include "experiments.h"
#include "sim/fit/fit.h"
#include "tests/tests.h"

#include <math.h>
#include <string.h>
#include <stdio.h>

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
        ck_assert_msg(fabs(found - wanted) <= 1e-3 * wanted, "%s: %s is %g, found %g", machine->spec, name, wanted,
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
        printf("%s: n=%u limit %d gain %g stable %d scale %g\n", names[m], fit->samples->len, (int)fit->short_limit, fit->gain, fit->stable, fit->scale);
        for (guint i = 0; i < constants_count(); i++)
            printf("   %s %d %g +- %g\n", constant_key(i)->name, fit->fate[i], fit->value_ps[i], fit->error_ps[i]);
        printf("%s", fit_confusions(fit));
        ck_assert(fit->stable);
        ck_assert_int_le(fit->short_limit, machine->short_limit);
        ck_assert(fit->short_limit == machine->short_limit || fit->next_length > machine->short_limit);
        for (guint i = 0; i < constants_count(); i++)
            check_constant(fit, machine, i);
    }
}
END_TEST

Suite *suite_fit(void)
{
    Suite *suite = suite_create("fit");
    TCase *tc = tcase_create("fit");
    tcase_add_test(tc, machines_come_back);
    tcase_set_timeout(tc, 0);
    suite_add_tcase(suite, tc);
    return suite;
}
