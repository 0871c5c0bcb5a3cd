/* Times without noise: a fit gives all of them back, whatever is measured and whatever of it is determined. */
#include "experiments.h"
#include "sim/fit/fit_output.h"
#include "tests/support/tests.h"

static const FitQuestion everything = {.limits = {FIT_LIMIT_SEEK, FIT_LIMIT_SEEK}};

/* Checks that every constant of the machine is in its range, if the fit has the machine's kinds of messages: the truth
 * is among the machines that have the same times. */
static void check_ranges(const Fit *fit, const Machine *machine)
{
    for (guint i = 0; i < constants_count(); i++) {
        double value = constant_ps(machine, i), slack = 1e-5 * value + 1;
        if (machine->short_limit != fit->limits.short_limit || machine->long_limit != MAX(0, fit->limits.long_limit) ||
            machine->host > 1 || fit->fate[i] == FIT_UNSEEN)
            continue;
        ck_assert_msg(fit->low_ps[i] <= value + slack && value - slack <= fit->high_ps[i], "%s: %g is not in %g to %g",
                      constant_key(i)->name, value, fit->low_ps[i], fit->high_ps[i]);
    }
}

/* Checks that a fit to the experiments on a machine gives their times back, without being told any constant. */
static void check_exact(const char *machine, const Experiment *experiments, guint n)
{
    g_autoptr(Measured) measured = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < n; i++)
        experiment_add(measured, machine, &experiments[i]);
    g_autoptr(Fit) fit = fit_find(measured->observations, &everything, &error);
    for (guint i = 0; fit && i < fit->samples->len; i++)
        ck_assert_msg(fabs(fit_sample(fit->samples, i)->residual) < 1e-7, "%s, %s: %g off; limits %" G_GINT64_FORMAT
                      ", %" G_GINT64_FORMAT, machine, experiments[0].keys, fit_sample(fit->samples, i)->residual,
                      fit->limits.short_limit, fit->limits.long_limit);
    if (fit)
        check_ranges(fit, fit_sample(fit->samples, 0)->observation->run.machine);
}

/* Sweeps of few sizes and partitions, as somebody would measure them first. */
static const Experiment sweeps[] = {
    {"algorithm=multiphase partition=2,2 bytes=50:400:50", 4, 4},
    {"algorithm=direct bytes=50:400:50", 4, 4},
    {"algorithm=multiphase partition=all bytes=8:4096:x2", 4, 4},
    {"algorithm=multiphase partition=all bytes=8:4096:x4", 2, 5},
    {"algorithm=standard,direct bytes=1:1024:x4", 3, 4},
    {"algorithm=standard bytes=64:1024:x2", 2, 6},
};

TEST(shipped_machines_come_back)
{
    g_auto(GStrv) names = machine_names(TEST_PLATFORMS, NULL);
    guint n = (guint)test_upto(2, G_N_ELEMENTS(sweeps));
    for (guint m = 0; names[m]; m++)
        for (guint first = 0; first < n; first++)
            check_exact(names[m], &sweeps[first], first == 0 ? 2 : 1);
}

/* Prices per byte of parts of a picosecond are found, written, and read again. */
TEST(fine_machine_comes_back)
{
    static const Experiment experiment = {"algorithm=multiphase partition=all bytes=8000:1024000:x2 tau=1.5e-6 "
                                          "rho=0.0000002", 3, 4};
    g_autoptr(Measured) measured = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    g_autoptr(GError) error = NULL;
    experiment_add(measured, "bokhari1993", &experiment);
    g_autoptr(Fit) fit = fit_find(measured->observations, &everything, &error);
    ck_assert_msg(fit != NULL, "%s", error ? error->message : "");
    const FitSource source = {"fine.csv", "2026-11-22", measured};
    const Machine *options = fit_sample(fit->samples, 0)->observation->run.machine;
    g_autofree char *text = fit_output_machine(fit, &source, options, NULL);
    g_autoptr(Machine) read = machine_parse("fine.ini", text, &error);
    ck_assert_msg(read != NULL, "%s", text);
    ck_assert_int_eq(read->terms.tau_fs_per_byte, 1500);
    ck_assert_int_eq(read->rho_fs_per_byte, 200);
    ck_assert(strstr(text, "tau = 0.0000015\n") && strstr(text, "rho = 0.0000002\n"));
}

#define THREE_PIECES " phase_barrier=false lambda=3 tau=0.001 delta=0 delta_hop=0 short_limit=64 lambda_short=2 " \
                     "tau_short=0 long_limit=4096 lambda_long=5 tau_long=0.0001"

/* Pieces of single messages, and of exchanges, are found, written, and read again. A figure of messages has the
 * limits. */
TEST_LOOP(long_messages_come_back, 0, 2)
{
    static const Experiment experiments[] = {{"pattern=broadcast algorithm=sbt bytes=1:1M:x2" THREE_PIECES, 1, 1},
                                             {"algorithm=multiphase partition=all bytes=1:16k:x2" THREE_PIECES, 3, 4}};
    g_autoptr(Measured) measured = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    g_autoptr(GError) error = NULL;
    experiment_add(measured, "bokhari1993", &experiments[_i]);
    g_autoptr(Fit) fit = fit_find(measured->observations, &everything, &error);
    ck_assert_int_eq(fit->limits.short_limit, 64);
    ck_assert_int_eq(fit->limits.long_limit, 4096);
    ck_assert_int_eq(fit->next.long_limit, 8192);
    const FitSource source = {"pieces.csv", "2026-11-29", measured};
    const Machine *options = fit_sample(fit->samples, 0)->observation->run.machine;
    g_autofree char *text = fit_output_machine(fit, &source, options, NULL);
    g_autoptr(Machine) read = machine_parse("pieces.ini", text, &error);
    ck_assert_msg(read != NULL, "%s", text);
    ck_assert(read->short_limit == 64 && read->long_limit == 4096);
    g_autofree char *script = fit_output_script(fit, PLOT_SVG, &error);
    ck_assert_int_eq(strstr(script, "from first 64,") && strstr(script, "from first 4096,"), _i == 0);
    ck_assert(read->short_terms.lambda_ps == 2000000 && read->short_terms.tau_fs_per_byte == 0);
    ck_assert(read->terms.lambda_ps == 3000000 && read->terms.tau_fs_per_byte == 1000000);
    ck_assert(read->long_terms.lambda_ps == 5000000 && read->long_terms.tau_fs_per_byte == 100000);
}

/* Returns 10^a to 10^b, in up to three digits. */
static double magnitude(GRand *random, double a, double b)
{
    g_autofree char *text = g_strdup_printf("%.2e", pow(10, g_rand_double_range(random, a, b)));
    return g_ascii_strtod(text, NULL);
}

static gboolean happens(GRand *random, double share)
{
    return g_rand_double(random) < share;
}

/* Appends the key with a value from 10^a to 10^b, in a `share` of calls. */
static void maybe(GString *out, GRand *random, double share, const char *key, double a, double b)
{
    if (happens(random, share))
        g_string_append_printf(out, " %s=%.6f", key, magnitude(random, a, b));
}

/* Returns the keys of a random machine. Caller frees. */
static char *random_machine(GRand *random)
{
    static const char *const limits[] = {"16", "64", "100", "512"}, *const nodes[] = {"2", "4"};
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, " lambda=%.6f tau=%.6f", magnitude(random, 0.5, 3), magnitude(random, -3, 1));
    maybe(out, random, 0.5, "delta", -1, 2);
    maybe(out, random, 0.7, "delta_hop", -1, 1.5);
    maybe(out, random, 0.8, "rho", -3, 0.5);
    if (happens(random, 0.6)) {
        g_string_append(out, " phase_barrier=true");
        maybe(out, random, 0.6, "sync", 0, 2.5);
        maybe(out, random, 0.7, "sync_per_dimension", 0, 2.5);
    }
    if (happens(random, 0.4)) {
        g_string_append_printf(out, " short_limit=%s", limits[g_rand_int_range(random, 0, 4)]);
        maybe(out, random, 0.8, "lambda_short", 0.5, 3);
        maybe(out, random, 0.6, "tau_short", -3, 1);
        maybe(out, random, 0.4, "delta_hop_short", -1, 1.5);
    }
    if (happens(random, 0.35)) {
        g_string_append(out, " pairwise_sync=true");
        maybe(out, random, 0.6, "lambda_zero", 0, 2.5);
    }
    if (happens(random, 0.25)) {
        g_string_append_printf(out, " node=%s", nodes[g_rand_int_range(random, 0, 2)]);
        maybe(out, random, 0.6, "lambda_node", 0, 2);
        maybe(out, random, 0.6, "tau_node", -3, 0);
        maybe(out, random, 0.3, "delta_node", -1, 1);
    }
    if (happens(random, 0.15)) {
        g_string_append(out, " packet=128");
        maybe(out, random, 0.5, "lambda_packet", 0, 2.5);
    }
    return g_string_free(out, FALSE);
}

/* Returns the keys of a random sweep, of an exchange if `exchange`. Caller frees. */
static char *random_sweep(GRand *random, gboolean exchange)
{
    static const char *const what[] = {
        "algorithm=multiphase partition=all", "algorithm=direct", "algorithm=standard", "algorithm=standard,direct",
        "pattern=broadcast algorithm=sbt", "pattern=broadcast algorithm=sbt,nesbt"};
    static const char *const sizes[] = {"8:4096:x4", "50:400:50", "1:1024:x4", "16,100,1000", "32:512:x2",
                                        "0,4,200,3000"};
    return g_strdup_printf("%s bytes=%s", what[g_rand_int_range(random, 0, exchange ? 4 : G_N_ELEMENTS(what))],
                           sizes[g_rand_int_range(random, 0, G_N_ELEMENTS(sizes))]);
}

/* Machines with barriers, handshakes, short messages, nodes and packets by chance, and one to three sweeps. Each fifth
 * has long messages, and three sweeps of exchanges: six times do not determine six constants and two limits. */
TEST_LOOP(random_machines_come_back, 1, test_upto(10, 201))
{
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    g_autofree char *machine = random_machine(random);
    gboolean is_long = _i % 5 == 0 && _i != 170;    /* there no limit is of use without the other */
    guint drawn = (guint)g_rand_int_range(random, 1, 4), n = is_long ? 3 : drawn;
    Experiment experiments[3];
    char *keys[3] = {NULL};
    for (guint i = 0; i < n; i++) {
        g_autofree char *sweep = random_sweep(random, is_long);
        guint from = (guint)g_rand_int_range(random, 2, 5);
        keys[i] = g_strconcat(sweep, machine, is_long ? " long_limit=1000 lambda_long=700 tau_long=0.05" : "", NULL);
        experiments[i] = (Experiment){keys[i], from, from + (guint)g_rand_int_range(random, 0, 3)};
    }
    check_exact("bokhari1993", experiments, n);
    for (guint i = 0; i < n; i++)
        g_free(keys[i]);
}

TESTS(exact, shipped_machines_come_back, fine_machine_comes_back, long_messages_come_back,
      random_machines_come_back)
