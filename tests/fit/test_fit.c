/* Constants from times: those of every machine file come back, what can't be told apart is named. */
#include "experiments.h"
#include "sim/fit/fit_output.h"
#include "sim/fit/regret.h"
#include "sim/fit/verdict.h"
#include "tests/support/tests.h"

static const FitQuestion everything = {.limits = {FIT_LIMIT_SEEK, FIT_LIMIT_SEEK}};

/* The runs of an experiment; or none. Caller frees. */
static Measured *measured_of(const char *machine, const Experiment *experiment)
{
    Measured *measured = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    if (experiment)
        experiment_add(measured, machine, experiment);
    return measured;
}

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
    double sum = constant_ps(machine, constant);
    for (guint j = 0; j < constants_count(); j++)
        sum += fit->rank.share[j][constant] * constant_ps(machine, j);
    return sum;
}

/* A constant that is not 0 has an effect on some time. */
static void check_constant(const Fit *fit, const Machine *machine, guint i)
{
    double wanted = known_sum(fit, machine, i), found = known_sum(fit, &fit->estimate, i);
    const char *name = constant_key(i)->name;
    gboolean absent = constant_replaced(i) >= 0 && !constant_is_used(machine, i);
    if (fit->fate[i] == FIT_UNSEEN || absent)
        ck_assert_msg(constant_get(machine, i) == 0 || absent || strcmp(name, "lambda_zero") == 0 ||
                      (!machine->phase_barrier && g_str_has_prefix(name, "sync")), "%s %s", machine->spec, name);
    else if (fit->fate[i] != FIT_DEPENDENT)
        ck_assert_msg(fabs(found - wanted) <= fmax(1e-3 * wanted, 0.5), "%s: %s is %g, found %g", machine->spec,
                      name, wanted, found);
}

static void check_constants(const Fit *fit, const Machine *machine)
{
    for (guint i = 0; i < constants_count(); i++)
        check_constant(fit, machine, i);
}

/* A machine of which nothing is known has no times either. */
static gboolean is_free(const Machine *machine)
{
    gint64 sum = 0;
    for (guint i = 0; i < constants_count(); i++)
        sum += constant_get(machine, i);
    return sum == 0;
}

/* The machine file of a fit, read again. Caller frees. */
static Machine *read_back(const Fit *fit, const Measured *measured, const Machine *machine)
{
    const FitSource source = {"measured.csv (7 times)", "2026-11-22", measured};
    g_autofree char *text = fit_output_machine(fit, &source, machine, NULL);
    g_autoptr(GError) error = NULL;
    Machine *read = machine_parse("mine.ini", text, &error);
    ck_assert_msg(read != NULL, "%s\n%s", error ? error->message : "", text);
    return read;
}

/* What is written is read again: every constant to the picosecond, and all options. */
static void check_read_back(const Fit *fit, const Measured *measured, const Machine *machine)
{
    g_autoptr(Machine) read = read_back(fit, measured, machine);
    for (guint i = 0; i < constants_count(); i++)
        if (fit->fate[i] != FIT_UNSEEN && (fit->limits.short_limit > 0 || constant_replaced(i) < 0))
            ck_assert_int_eq(constant_get(read, i), constant_get(&fit->estimate, i));
    ck_assert_int_eq(read->short_limit, fit->limits.short_limit);
    ck_assert(read->ports == machine->ports && read->duplex == machine->duplex &&
              read->switching == machine->switching && read->packet == machine->packet &&
              read->pairwise_sync == machine->pairwise_sync && read->phase_barrier == machine->phase_barrier);
}

/* Every constant of every machine file and profile within 0.1 %, or its sum with those that are like it. */
TEST(machines_come_back)
{
    g_auto(GStrv) names = machine_names(TEST_PLATFORMS, NULL);
    guint n = g_strv_length(names);
    for (guint m = 0; m < n; m += (guint)test_upto(4, 1)) {
        g_autoptr(Machine) machine = test_machine(names[m], NULL);
        if (is_free(machine) || machine_is_mesh(machine))    /* on a mesh exchanges wait, which no fit counts */
            continue;
        g_autoptr(Measured) measured = measured_of(NULL, NULL);
        experiments_add_all(measured, names[m]);
        g_ptr_array_add(measured->hosts, g_strdup("a host\nlambda = 3"));
        g_autoptr(Fit) fit = find(measured, &everything);
        ck_assert(fit->stable);
        ck_assert_int_le(fit->limits.short_limit, machine->short_limit);
        ck_assert(fit->limits.short_limit == machine->short_limit || fit->next.short_limit > machine->short_limit);
        check_constants(fit, machine);
        check_read_back(fit, measured, machine);
    }
}

/* So do the constants of messages within nodes, faster or slower than those between them. */
TEST_LOOP(nodes_come_back, 0, 2)
{
    static const char *const constants[][3] = {{"lambda_node=20", "tau_node=0.05", "delta_node=1"},
                                               {"lambda_node=3", "tau_node=0.3", "delta_node=0"}};
    g_autofree char *keys = g_strdup_printf("algorithm=multiphase partition=all bytes=1,20,100,400,3000 node=4 "
                                            "short_limit=none %s %s %s", constants[_i][0], constants[_i][1],
                                            constants[_i][2]);
    const Experiment exchanges = {keys, 1, 5};
    g_autoptr(Machine) machine = TEST_MACHINE("ncube2", "node=4", constants[_i][0], constants[_i][1],
                                              constants[_i][2]);
    g_autoptr(Measured) measured = measured_of("ncube2", &exchanges);
    g_autoptr(Fit) fit = find(measured, &everything);
    ck_assert_int_eq(fit->estimate.host, 4);
    ck_assert(fit->fate[constant_find("lambda_node")] == FIT_FOUND);
    ck_assert(fit->fate[constant_find("tau_node")] == FIT_FOUND);
    check_constants(fit, machine);
}

/* So does what packets behind the first pay, if the machine has it, also where it is what the first pays. */
TEST_LOOP(packets_come_back, 0, 3)
{
    static const char *const start_ups[] = {"lambda_packet=40", "lambda_packet=95", "pairwise_sync=true"};
    g_autofree char *keys = g_strdup_printf("algorithm=multiphase partition=all bytes=1,20,100,400,3000 packet=100 %s",
                                            start_ups[_i]);
    const Experiment exchanges = {keys, 1, 5};
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "packet=100", start_ups[_i]);
    g_autoptr(Measured) measured = measured_of("ipsc860", &exchanges);
    g_autoptr(Fit) fit = find(measured, &everything);
    ck_assert(fit->fate[constant_find("lambda_packet")] == (_i < 2 ? FIT_FOUND : FIT_UNSEEN));
    check_constants(fit, machine);
}

/* Messages of several packets have no limit of lengths where packets begin to be several. */
TEST(messages_of_packets)
{
    static const Experiment sizes = {"pattern=broadcast algorithm=sbt bytes=1:65536:x2 packet=256 phase_barrier=false "
                                     "short_limit=none", 1, 1};
    g_autoptr(Measured) measured = measured_of("ipsc860", &sizes);
    g_autoptr(Fit) fit = find(measured, &everything);
    ck_assert_int_eq(fit->limits.short_limit, FIT_LIMIT_NONE);
    ck_assert(fit->is_exact);
}

/* So does the gap of one that overlaps start-ups, from messages that are issued at once. No single initial gap finds
 * all three: with gaps of 4 and 2 start-ups the fit misses that of the second case, with 1 and less that of
 * the third. */
static const struct {
    const char *gap;
    Experiment at_once;
} gap_cases[] = {
#define AT_ONCE " duplex=full pairwise_sync=false phase_barrier=false partition=all "
    {"gap=30", {"gap=30" AT_ONCE "algorithm=multiphase-linear bytes=1,4,20,100,400,3000", 2, 5}},
    {"gap=47.5", {"gap=47.5" AT_ONCE "algorithm=multiphase-linear,multiphase bytes=16,64,256,1024", 4, 4}},
    {"gap=90.25", {"gap=90.25" AT_ONCE "algorithm=multiphase-linear,multiphase bytes=1,4,20,100,400,3000", 2, 4}},
};

TEST_LOOP(gap_comes_back, 0, G_N_ELEMENTS(gap_cases))
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", gap_cases[_i].gap, "duplex=full", "pairwise_sync=false",
                                              "phase_barrier=false");
    g_autoptr(Measured) measured = measured_of("ipsc860", &gap_cases[_i].at_once);
    g_autoptr(Fit) fit = find(measured, &everything);
    int gap = constant_find("gap");
    ck_assert_int_ge(gap, 0);
    ck_assert(fit->fate[gap] == FIT_FOUND);
    check_constants(fit, machine);
}

/* And from times that are 2 % off: the gap is found within 5 %, and nothing else is made up in its place. */
TEST(gap_survives_noise)
{
    static const Experiment at_once = {"algorithm=multiphase-linear partition=all bytes=1,4,20,100,400,3000 gap=50 "
                                       "duplex=full pairwise_sync=false phase_barrier=false", 2, 5};
    for (guint32 seed = 1; seed <= (guint32)test_upto(1, 3); seed++) {
        g_autoptr(Measured) measured = measured_of("ipsc860", &at_once);
        experiment_disturb(measured, seed, 0.02, 0, 0);
        g_autoptr(Fit) fit = find(measured, &everything);
        ck_assert_double_eq_tol(fit->value_ps[constant_find("gap")], 50e6, 2.5e6);
        ck_assert_int_eq(fit->limits.short_limit, FIT_LIMIT_NONE);
    }
}

/* Fitted to times with 20 % noise, of which one in 20 is ten times too long. */
static Machine noisy_fit(const Measured *measured, guint32 seed)
{
    experiment_disturb(measured, seed, 0.2, 20, 10);
    g_autoptr(Fit) fit = find(measured, &everything);
    return fit->estimate;
}

/* What the fitted hull says costs at most 5 % more than the best at any of 84 sizes, by the times without noise, and
 * next to nothing in the mean. With 25 seeds the largest is 8.2 %, at one size of one machine; 3 of the 125 fits have
 * one above 5 %. */
TEST_LOOP(noise_costs_little, 0, test_upto(2, 5))
{
    static const char *const names[] = {"bokhari1993", "ipsc860", "ipsc860:unforced", "ipsc2", "ncube2"};
    static const Experiment sweep = {"algorithm=multiphase partition=all bytes=8:65536:x2", 2, 7};
    static const Experiment broadcasts = {"pattern=broadcast algorithm=sbt bytes=8:65536:x2", 1, 7};
    g_autoptr(Measured) clean = measured_of(names[_i], &sweep);
    for (guint32 seed = 1; seed <= (guint32)test_upto(1, 8); seed++) {
        g_autoptr(Measured) noisy = measured_of(names[_i], &sweep);
        experiment_add(noisy, names[_i], &broadcasts);
        Machine machine = noisy_fit(noisy, seed);
        g_autoptr(GArray) regrets = regret_list(clean->observations, &machine, FALSE);
        RegretSum sum = regret_sum(regrets);
        ck_assert_uint_eq(sum.n_unknown, 0);
        ck_assert_uint_eq(sum.n, 6 * 14);
        ck_assert_double_le(sum.worst, 0.05);
        ck_assert_double_le(sum.mean, 0.003);
    }
}

/* --- what can't be told apart --- */

/* One message over one channel: 95 + 10.3 µs, and tau. */
TEST(ping_pong)
{
    static const Experiment experiment = {"pattern=broadcast algorithm=sbt bytes=1:4096:x2 phase_barrier=false", 1, 1};
    g_autoptr(Measured) measured = measured_of("ipsc860", &experiment);
    g_autoptr(Fit) fit = find(measured, &everything);
    g_autofree char *confusions = fit_output_confusions(fit);
    ck_assert_str_eq(confusions, "lambda, delta and delta_hop: only lambda + delta + delta_hop = 105.3 µs can be told; "
                     "all of it is called lambda\n");
    ck_assert_int_eq(fit->fate[constant_find("tau")], FIT_FOUND);
    ck_assert_int_eq(fit->fate[constant_find("rho")], FIT_UNSEEN);
    ck_assert_int_eq(fit->fate[constant_find("lambda_zero")], FIT_UNSEEN);
}

/* Standard sends 2^(d-1) blocks and moves 2^d in each step: rho takes another algorithm. */
TEST(one_algorithm)
{
    static const Experiment experiment = {"algorithm=standard bytes=1:4096:x2", 4, 4};
    g_autoptr(Measured) measured = measured_of("bokhari1993", &experiment);
    g_autoptr(Fit) fit = find(measured, &everything);
    g_autofree char *confusions = fit_output_confusions(fit);
    ck_assert_ptr_nonnull(strstr(confusions, "tau and rho: only tau + 2 rho = 4 µs/byte can be told"));
}

/* With rho known, which is 1, tau is 2. */
TEST(one_is_known)
{
    static const Experiment experiment = {"algorithm=standard bytes=1:4096:x2", 4, 4};
    FitQuestion question = everything;
    question.is_known[constant_find("rho")] = TRUE;
    question.known_ps[constant_find("rho")] = 1000000;
    g_autoptr(Measured) measured = measured_of("bokhari1993", &experiment);
    g_autoptr(Fit) fit = find(measured, &question);
    ck_assert_double_eq_tol(fit->value_ps[constant_find("tau")], 2e6, 1);
    ck_assert_int_eq(fit->fate[constant_find("rho")], FIT_KNOWN);
    ck_assert_int_eq(fit->estimate.rho_fs_per_byte, 1000000 * MACHINE_FS_PER_PS);
}

/* Which packets are waited for depends on the constants: derivatives are taken again until they are right. */
TEST(paths_change)
{
    static const Experiment all[] = {
        {"pattern=broadcast algorithm=sbt,gc,nesbt,nrsbt,sbnt ports=all packet=64 bytes=16:4096:x2", 2, 5},
        {"pattern=all-broadcast algorithm=nrsbt,sbnt ports=all bytes=16:4096:x2", 2, 5}};
    g_autoptr(Machine) machine = test_machine("ncube2", NULL);
    g_autoptr(Measured) measured = measured_of("ncube2", &all[0]);
    experiment_add(measured, "ncube2", &all[1]);
    g_autoptr(Fit) fit = find(measured, &everything);
    ck_assert(fit->stable);
    ck_assert_int_eq(fit->limits.short_limit, FIT_LIMIT_NONE);
    for (guint i = 0; i < constants_count(); i++)
        if (fit->fate[i] == FIT_FOUND || fit->fate[i] == FIT_ZERO)
            ck_assert_double_eq_tol(fit->value_ps[i], known_sum(fit, machine, i), 1);
}

/* Nobody needs a second set of constants for what noise has done to one. */
TEST(no_limit_without_need)
{
    static const Experiment sweep = {"algorithm=multiphase partition=all bytes=8:65536:x2", 4, 4};
    for (guint32 seed = 1; seed <= (guint32)test_upto(2, 10); seed++) {
        g_autoptr(Measured) measured = measured_of("ipsc860", &sweep);
        experiment_disturb(measured, seed, 0.1, 20, 10);
        g_autoptr(Fit) fit = find(measured, &everything);
        ck_assert_int_eq(fit->limits.short_limit, FIT_LIMIT_NONE);
    }
}

/* All but those of an algorithm. */
static void check_left_out(const Measured *measured, const char *algorithm)
{
    for (guint i = 0; i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        ck_assert_int_eq(o->left_out == NULL, strcmp(o->run.problem.algorithm->name, algorithm) == 0);
    }
}

/* What can contend is left out, and says so. */
TEST(contention_is_left_out)
{
    static const Experiment experiment = {"algorithm=direct,naive,reversed bytes=8,64", 3, 3};
    g_autoptr(Measured) measured = measured_of("ipsc860", &experiment);
    g_autoptr(Fit) fit = find(measured, &everything);
    ck_assert_uint_eq(fit->samples->len, 2);
    check_left_out(measured, "direct");
}

/* Flows that are under way side by side share channels, whatever the schedule says of circuits. */
TEST(flows_share)
{
    static const Experiment experiment = {"algorithm=multiphase,multiphase-linear partition=3 bytes=8,64 gap=30 "
                                          "switching=fluid", 3, 3};
    g_autoptr(Measured) measured = measured_of("bokhari1993", &experiment);
    g_autoptr(Fit) fit = find(measured, &everything);
    ck_assert_uint_eq(measured->observations->len, 4);
    ck_assert_uint_eq(fit->samples->len, 2);
    check_left_out(measured, "multiphase");
}

/* A gap is no longer than any start-up, also that of short messages: no machine has that. */
TEST(gap_fits_in)
{
    static const Experiment at_once = {"algorithm=multiphase-linear partition=all bytes=1,4,20,100,400,3000 gap=50 "
                                       "duplex=full pairwise_sync=false phase_barrier=false short_limit=200 "
                                       "lambda_short=65", 2, 5};
    guint of_short = (guint)constant_find("lambda_short"), gap = (guint)constant_find("gap");
    FitQuestion question = everything;
    question.limits.short_limit = 200;
    question.is_known[of_short] = question.is_known[gap] = TRUE;
    question.known_ps[of_short] = 40000000;
    question.known_ps[gap] = 50000000;
    g_autoptr(Measured) measured = measured_of("ipsc860", &at_once);
    g_autoptr(Fit) fit = find(measured, &question);
    g_autoptr(Machine) read = read_back(fit, measured, &fit->estimate);
    ck_assert_int_eq(read->gap_ps, 40000000);
}

/* --- digits --- */

/* Constants of noisy times have no digits beyond their errors, and residuals are those of the file that is written. */
TEST(digits_of_noise)
{
    static const Experiment sweep = {"algorithm=multiphase partition=all bytes=8:4096:x2", 4, 4};
    g_autoptr(Measured) measured = measured_of("ipsc860", &sweep);
    experiment_disturb(measured, 1, 0.03, 0, 0);
    g_autoptr(Fit) fit = find(measured, &everything);
    const Machine *options = fit_sample(fit->samples, 0)->observation->run.machine;
    g_autoptr(Machine) read = read_back(fit, measured, options);
    for (guint i = 0; i < constants_count(); i++) {
        double digit = pow(10, floor(log10(fmax(fit->error_ps[i], 1))) - 3), places = fit->value_ps[i] / digit;
        if (fit->fate[i] == FIT_FOUND)
            ck_assert_msg(fabs(places - round(places)) < 1e-3, "%s: %.9g", constant_key(i)->name, fit->value_ps[i]);
    }
    for (guint i = 0; i < fit->samples->len; i++) {
        const Sample *sample = fit_sample(fit->samples, i);
        double fitted = derivatives_price(sample->derivatives, read);
        ck_assert_double_eq_tol(sample->residual, (sample->observation->time_ps - fitted) / fitted, 1e-12);
    }
}

/* Files have whole picoseconds where a double has no whole femtoseconds: above 9007 µs a byte. */
TEST(slow_bytes)
{
    static const Experiment sizes = {"pattern=broadcast algorithm=sbt bytes=1:128:x2 phase_barrier=false "
                                     "tau=9500.1", 1, 1};
    g_autoptr(Measured) measured = measured_of("bokhari1993", &sizes);
    experiment_disturb(measured, 1, 1e-6, 0, 0);
    g_autoptr(Fit) fit = find(measured, &everything);
    g_autoptr(Machine) read = read_back(fit, measured, fit_sample(fit->samples, 0)->observation->run.machine);
    ck_assert_double_eq_tol(fit->value_ps[constant_find("tau")], 9500.1e6, 1e5);
    ck_assert_int_eq(read->terms.tau_fs_per_byte, fit->estimate.terms.tau_fs_per_byte);
}

/* --- regret --- */

static void set_times(const Measured *measured, const double *times_ps, guint n)
{
    for (guint i = 0; i < n; i++)
        ((Observation *)g_ptr_array_index(measured->observations, i))->time_ps = times_ps[i];
}

/* Where {2,3} is best by the machine, and was measured at 10 % above {5}. */
TEST(regret_worked)
{
    static const Experiment experiment = {"algorithm=multiphase partition=5;3,2;1,4 bytes=64", 5, 5};
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    g_autoptr(Measured) measured = measured_of("ipsc860", &experiment);
    set_times(measured, (const double[]){100e6, 110e6, 400e6}, 3);
    g_autoptr(GArray) regrets = regret_list(measured->observations, machine, FALSE);
    ck_assert_uint_eq(regrets->len, 1);
    const Regret *regret = &g_array_index(regrets, Regret, 0);
    g_autofree char *hull = partition_format(&regret->hull), *best = regret_name(regret->best);
    ck_assert_str_eq(hull, "2,3");
    ck_assert_str_eq(best, "multiphase 5");
    ck_assert_double_eq_tol(regret->regret, 0.1, 1e-12);
    g_ptr_array_remove_index(measured->observations, 1);
    g_autoptr(GArray) unknown = regret_list(measured->observations, machine, FALSE);
    ck_assert_uint_eq(regret_sum(unknown).n_unknown, 1);
    ck_assert_uint_eq(regret_sum(unknown).n, 0);
}

/* With a gap the hull has all messages of a phase at once: multiphase of the same parts is another choice. */
TEST(regret_of_what_is_at_once)
{
    static const Experiment experiment = {"algorithm=multiphase,multiphase-linear partition=3 bytes=64 gap=30 "
                                          "duplex=full pairwise_sync=false", 3, 3};
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "gap=30", "duplex=full", "pairwise_sync=false");
    g_autoptr(Measured) measured = measured_of("ipsc860", &experiment);
    set_times(measured, (const double[]){100e6, 120e6}, 2);
    g_autoptr(GArray) regrets = regret_list(measured->observations, machine, FALSE);
    const Regret *regret = &g_array_index(regrets, Regret, 0);
    ck_assert_str_eq(regret->chosen->run.problem.algorithm->name, "multiphase-linear");
    ck_assert_double_eq_tol(regret->regret, 0.2, 1e-12);
}

/* Without a size the fit is the same, if the times are: and a size alone that is out of line is not followed. */
TEST(left_out_sizes)
{
    static const Experiment sweep = {"algorithm=multiphase partition=all bytes=8:1024:x2", 4, 5};
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    g_autoptr(Measured) measured = measured_of("ipsc860", &sweep);
    g_autoptr(Fit) fit = find(measured, &everything);
    g_autoptr(GArray) regrets = regret_list_left_out(fit, measured->observations, machine);
    RegretSum sum = regret_sum(regrets);
    ck_assert_uint_eq(sum.n, 2 * 8);
    ck_assert_double_le(sum.worst, 1e-9);
}

/* A constant that only times of one size have stays what it was without this size: start-ups of short messages are not
 * free. */
TEST(left_out_alone)
{
    static const Experiment sweep = {"algorithm=multiphase partition=all bytes=1,256,512,1024 pairwise_sync=false "
                                     "phase_barrier=false", 4, 4};
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc2", "pairwise_sync=false", "phase_barrier=false");
    g_autoptr(Measured) measured = measured_of("ipsc2", &sweep);
    const FitQuestion question = {.limits = {machine->short_limit, FIT_LIMIT_NONE}};
    g_autoptr(Fit) fit = find(measured, &question);
    g_autoptr(GArray) regrets = regret_list(measured->observations, machine, FALSE);
    g_autoptr(GArray) without = regret_list_left_out(fit, measured->observations, machine);
    const Regret *shortest = &g_array_index(regrets, Regret, 0), *alone = &g_array_index(without, Regret, 0);
    ck_assert_int_eq(alone->first->run.problem.data.bytes, 1);
    ck_assert_double_eq_tol(alone->promise_ps, shortest->promise_ps, 1e-6 * shortest->promise_ps);
}

/* --- verdict --- */

/* Checks the sentence of the verdict on a fit without regrets and short messages: exact but for outliers, of which the
 * farthest is off by `all`, nine in ten times by `most`. And the reason behind it. */
static void check_verdict(const Measured *measured, const char *sentence, const char *all, const char *most,
                          const char *reason)
{
    const FitQuestion question = {.limits = {FIT_LIMIT_NONE, FIT_LIMIT_NONE}};
    g_autoptr(Fit) fit = find(measured, &question);
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(Regret));
    g_autofree char *verdict = verdict_text(fit, none);
    g_autofree char *wanted = g_strdup_printf(
        "%s: times are up to %s %% off (nine in ten up to %s %%, outliers aside up to 0.0 %%),\n"
        "and no choice of the hull was measured.\n%srho was not measured: copying is taken as free.\n", sentence, all,
        most, reason);
    ck_assert_str_eq(verdict, wanted);
}

/* Seven sizes of two constants are too few, however often they are measured; eight will do. */
TEST(verdict_counts_runs)
{
    static const Experiment seven = {"pattern=broadcast algorithm=sbt bytes=8,80,800,8000,80000,20,200", 1, 1};
    static const Experiment eighth = {"pattern=broadcast algorithm=sbt bytes=4000", 1, 1};
    static const char too_few[] = "Too few different runs: 7 that count for 2 constants; at least 8 are required.\n";
    g_autoptr(Measured) measured = measured_of("bokhari1993", &seven);
    check_verdict(measured, "Use these constants with care", "0.0", "0.0", too_few);
    experiment_add(measured, "bokhari1993", &seven);
    check_verdict(measured, "Use these constants with care", "0.0", "0.0", too_few);
    experiment_add(measured, "bokhari1993", &eighth);
    check_verdict(measured, "These constants may be used", "0.0", "0.0", "");
}

static void multiply(const Measured *measured, guint i, double factor)
{
    ((Observation *)g_ptr_array_index(measured->observations, i))->time_ps *= factor;
}

/* Of 24 sizes one in the middle may be an outlier, if nearly all times are near all the same; its neighbour may not,
 * nor the largest. Six are too many, however often others are measured. */
TEST(verdict_counts_outliers)
{
    static const Experiment sweep = {"pattern=broadcast algorithm=sbt bytes=8:192:8", 1, 1};
    static const Experiment again = {"pattern=broadcast algorithm=sbt bytes=112:192:8", 1, 1};
    static const char regime[] = "What was left out is no single size: neighbouring sizes, or one at an end or in "
                                 "a short piece.\n";
    static const char two[] = "Too many outliers: 8 % of the runs; at most 5 % may be left out.\n";
    static const char six[] = "Too many outliers: 25 % of the runs; at most 20 % may be left out.\n";
    g_autoptr(Measured) measured = measured_of("bokhari1993", &sweep);
    static const char follow[] = "Residuals follow the sizes: their neighbours' correlation is 0.50.\n";
    g_autofree char *end = g_strconcat(two, regime, NULL), *all = g_strconcat(six, regime, NULL);
    g_autofree char *neighbours = g_strconcat(two, regime, follow, NULL);
    ck_assert_uint_eq(measured->observations->len, 24);
    multiply(measured, 3, 1.3);
    check_verdict(measured, "These constants may be used", "30.0", "0.0", "");
    multiply(measured, 23, 1.3);
    check_verdict(measured, "Use these constants with care", "30.0", "0.0", end);
    multiply(measured, 23, 1 / 1.3);
    multiply(measured, 4, 1.3);
    check_verdict(measured, "Use these constants with care", "30.0", "0.0", neighbours);
    for (guint i = 6; i <= 12; i += 2)
        multiply(measured, i, 1.3);
    check_verdict(measured, "Do not rely on these constants", "30.0", "30.0", all);
    experiment_add(measured, "bokhari1993", &again);
    check_verdict(measured, "Do not rely on these constants", "30.0", "30.0", all);
}

/* A machine whose verdict is not good, and one that has none. */
TEST(verdict_is_read_back)
{
    g_autoptr(Machine) doubtful = machine_parse("m.ini", "[machine]\nlambda = 1\ntau = 1\nverdict = Bad: why", NULL);
    g_autoptr(Machine) good = machine_parse("m.ini", "[machine]\nlambda = 1\ntau = 1\n"
                                            "verdict = These constants may be used: why", NULL);
    g_autoptr(Machine) silent = machine_parse("m.ini", "[machine]\nlambda = 1\ntau = 1", NULL);
    g_autofree char *first = machine_canonical(doubtful), *second = machine_canonical(silent);
    ck_assert_str_eq(machine_doubt(doubtful), "Bad: why");
    ck_assert_ptr_null(machine_doubt(good));
    ck_assert_ptr_null(machine_doubt(silent));
    ck_assert_str_eq(first, second);
}

TESTS(fit, machines_come_back, nodes_come_back, packets_come_back, messages_of_packets, gap_comes_back,
      gap_survives_noise,
      noise_costs_little, ping_pong, one_algorithm, one_is_known, paths_change, no_limit_without_need,
      contention_is_left_out, flows_share, gap_fits_in, digits_of_noise,
      slow_bytes, regret_worked, regret_of_what_is_at_once, left_out_sizes, left_out_alone,
      verdict_counts_runs, verdict_counts_outliers, verdict_is_read_back)
