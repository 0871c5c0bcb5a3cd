/* Derivatives: with them the constants give the pricer's time, for every schedule there is. */
#include "sim/fit/derivatives.h"
#include "tests/support/tests.h"

static Run run_of(const Problem *problem, const Machine *machine)
{
    return (Run){machine, *problem, 1, NULL};
}

/* One constant after the other is raised, and all are priced again. */
static void check_counts(const Schedule *schedule, const Machine *machine, const char *what)
{
    gint64 counts[MACHINE_KEYS_MAX], time_ps = price_counts(schedule, machine, counts);
    g_auto(Price) plain = price(schedule, machine, REPLAY_SIZES);
    ck_assert_msg(time_ps == plain.time_ps, "%s", what);
    for (guint i = 0; i < constants_count(); i++) {
        Machine raised = *machine;
        constant_set(&raised, i, constant_get(machine, i) + constant_per_ps(i));
        g_auto(Price) more = price(schedule, &raised, REPLAY_SIZES);
        gint64 count = constant_is_used(machine, i) ? more.time_ps - time_ps : 0;
        ck_assert_msg(counts[i] == count, "%s: %s", what, constant_key(i)->name);
    }
}

/* Every schedule that does not contend: at the constants where they were taken, and, with short and long messages, for
 * every limit. */
static void check_schedule(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    g_autoptr(Machine) base = test_machine("johnsson1987", NULL);
    Machine machine = test_machine_for(base, problem->algorithm), at = derivatives_anywhere();
    Run run = run_of(problem, &machine);
    Derivatives *derivatives = derivatives_new(&run, NULL);
    g_autofree char *what = test_describe(problem);
    for (gint64 limit = -1; limit <= 480; limit = limit < 0 ? 1 : 3 * limit) {
        at.short_limit = limit;
        at.long_limit = limit < 10 ? 0 : 2 * limit;
        derivatives_take(derivatives, &at);
        ck_assert_msg(derivatives_hold(derivatives, &at), "%s", what);
    }
    check_counts(schedule, &machine, what);
    derivatives_free(derivatives);
}

/* Derivatives hold for prices of parts of a picosecond, too, which are rounded for each message. */
TEST(fine_prices_hold)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "tau=1.5e-6", "rho=0.0000007");
    Phases partition = partition_equipartition(5, 2);
    Problem problem = test_exchange("multiphase", 5, &partition, 33);
    Run run = run_of(&problem, machine);
    Derivatives *derivatives = derivatives_new(&run, NULL);
    double x[MACHINE_KEYS_MAX];
    derivatives_take(derivatives, machine);
    ck_assert(derivatives_hold(derivatives, machine));
    derivatives_get(derivatives, x);
    ck_assert_double_eq(x[constant_find("tau")], 33 * (3 * 8 + 7 * 4));
    machine->terms.lambda_ps += 1;
    ck_assert(derivatives_hold(derivatives, machine));
    derivatives_free(derivatives);
}

TEST(every_schedule)
{
    for (guint d = 0; d <= (guint)test_upto(2, 4); d++)
        test_each_schedule(d, check_schedule, NULL);
}

/* One processor gone through is as good as all, with every option of a machine. */
static void check_alone(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    static const char *const machines[][3] = {
        {"ipsc860", "phase_barrier=true"}, {"ipsc860", "packet=10", "lambda_packet=40"}, {"johnsson1987"},
        {"johnsson1987", "ports=2", "ports_overlap=20"}, {"johnsson1987", "ports=all", "ports_overlap=20"},
        {"johnsson1987", "pairwise_sync=true", "switching=store-and-forward"}, {"ipsc2", "gap=30", "packet=10"}};
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
        g_autoptr(Machine) base = TEST_MACHINE(machines[i][0], machines[i][1], machines[i][1] ? machines[i][2] : NULL);
        Machine machine = test_machine_for(base, problem->algorithm);
        g_auto(Price) all = price(schedule, &machine, REPLAY_SIZES);
        g_autofree char *what = test_describe(problem);
        ck_assert_msg(price_time(schedule, &machine) == all.time_ps, "%s on machine %u", what, i);
        *(guint *)user += schedule_is_alike(schedule);
    }
}

TEST(alone)
{
    guint n_alike = 0;
    for (guint d = 0; d <= (guint)test_upto(2, 4); d++)
        test_each_schedule(d, check_alone, &n_alike);
    ck_assert_uint_gt(n_alike, 100);
}

/* {1,2} of 100 bytes: 1 exchange of 4 blocks over 1 channel, 3 of 2 blocks over 1, 1 and 2; 8 blocks are moved after
 * each phase; 4 handshakes. */
TEST(worked)
{
    const Phases partition = {2, {1, 2}};
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Problem problem = test_exchange("multiphase", 3, &partition, 100);
    Run run = run_of(&problem, machine);
    Derivatives *derivatives = derivatives_new(&run, NULL);
    Machine at = derivatives_anywhere();
    double x[MACHINE_KEYS_MAX];
    const struct {
        const char *name;
        double count;
        double limited;     /* with short messages up to 200 bytes */
        double twice;       /* with long messages beyond 300 bytes, too */
    } wanted[] = {{"lambda", 4, 1, 0},      {"lambda_short", 0, 3, 3},    {"lambda_long", 0, 0, 1},
                  {"tau", 1000, 400, 0},    {"tau_short", 0, 600, 600},   {"tau_long", 0, 0, 400},
                  {"delta_hop", 10, 1, 0},  {"delta_hop_short", 0, 9, 9}, {"delta_hop_long", 0, 0, 1},
                  {"lambda_zero", 4, 4, 4}, {"delta", 8, 8, 8},           {"rho", 1600, 1600, 1600},
                  {"sync", 2, 2, 2},        {"flop", 0, 0, 0},            {"sync_per_dimension", 6, 6, 6}};
    derivatives_take(derivatives, &at);
    derivatives_take_limits(derivatives, &at);
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        guint constant = (guint)constant_find(wanted[i].name);
        derivatives_get(derivatives, x);
        ck_assert_msg(x[constant] == wanted[i].count, "%s: %g", wanted[i].name, x[constant]);
        derivatives_get_limited(derivatives, 200, -1, x);
        ck_assert_msg(x[constant] == wanted[i].limited, "%s: %g", wanted[i].name, x[constant]);
        derivatives_get_limited(derivatives, 200, 300, x);
        ck_assert_msg(x[constant] == wanted[i].twice, "%s: %g", wanted[i].name, x[constant]);
    }
    derivatives_free(derivatives);
}

/* Start-ups of packets behind the first are counted by themselves, where a machine has them. */
TEST(packets_start)
{
    const char *const options[] = {"packet=10", "lambda_packet=40", NULL};
    Problem problem = test_exchange("direct", 1, NULL, 25);
    for (guint has = 0; has < 2; has++) {
        g_autoptr(Machine) machine = test_machine("bokhari1993", has ? options : (const char *const[]){*options, NULL});
        gint64 counts[MACHINE_KEYS_MAX];
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        price_counts(schedule, machine, counts);
        ck_assert_int_eq(counts[constant_find("lambda")], has ? 1 : 3);
        ck_assert_int_eq(counts[constant_find("lambda_packet")], has ? 2 : 0);
    }
}

/* 25 bytes in packets of 10 are of two lengths, beside the handshake's 0: only the last packet is short up to 9. */
TEST(packets)
{
    static const gint64 lengths[] = {0, 5, 10};
    g_autoptr(Machine) machine = test_machine("ipsc860", (const char *const[]){"packet=10", NULL});
    Problem problem = test_exchange("direct", 1, NULL, 25);
    Run run = run_of(&problem, machine);
    Derivatives *derivatives = derivatives_new(&run, NULL);
    Machine at = derivatives_anywhere();
    double x[MACHINE_KEYS_MAX];
    ck_assert_uint_eq(derivatives_lengths(derivatives)->len, G_N_ELEMENTS(lengths));
    ck_assert_mem_eq(derivatives_lengths(derivatives)->data, lengths, sizeof lengths);
    derivatives_take(derivatives, &at);
    derivatives_take_limits(derivatives, &at);
    derivatives_get_limited(derivatives, 9, -1, x);
    ck_assert_double_eq(x[constant_find("tau")], 20);
    ck_assert_double_eq(x[constant_find("tau_short")], 5);
    derivatives_free(derivatives);
}

/* An exchange takes a sum: derivatives taken anywhere, for every limit, give the time on any machine. */
TEST(exchanges)
{
    const Phases partition = {3, {1, 2, 2}};
    Machine at = derivatives_anywhere();
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc2", "long_limit=1000", "lambda_long=900", "tau_long=0.25");
    for (gint64 bytes = 1; bytes < 2000; bytes = 3 * bytes + 1) {
        Problem problem = test_exchange("multiphase", 5, &partition, bytes);
        Run run = run_of(&problem, machine);
        Derivatives *derivatives = derivatives_new(&run, NULL);
        derivatives_take(derivatives, &at);
        derivatives_take_limits(derivatives, &at);
        for (gint64 limit = -1; limit < 5000; limit = 3 * limit + 4) {
            double x[MACHINE_KEYS_MAX], sum = 0;
            machine->short_limit = limit;
            machine->long_limit = limit % 5 ? 5 * limit : 0;
            derivatives_get_limited(derivatives, limit, machine->long_limit > 0 ? machine->long_limit : -1, x);
            for (guint i = 0; i < constants_count(); i++)
                sum += x[i] * constant_ps(machine, i);
            ck_assert_double_eq(sum, (double)test_price(&problem, machine).time_ps);
        }
        derivatives_free(derivatives);
    }
}

/* Handshakes go no further than the messages behind them: with store-and-forward nobody forwards for Standard. */
TEST(handshakes)
{
    static const char *const algorithms[] = {"standard", "direct"};
    g_autoptr(Machine) machine = TEST_MACHINE("johnsson1987", "pairwise_sync=true", "switching=store-and-forward",
                                              "duplex=full");
    for (guint i = 0; i < G_N_ELEMENTS(algorithms); i++) {
        Problem problem = test_exchange(algorithms[i], 3, NULL, 100);
        Run run = run_of(&problem, machine);
        Derivatives *derivatives = derivatives_new(&run, NULL);
        ck_assert_int_eq(derivatives_refused(derivatives) == NULL, i == 0);
        derivatives_free(derivatives);
    }
}

/* All keys that are times, but for the skew of the start; the form for long messages of those for short ones. */
TEST(constants)
{
    ck_assert_int_lt(constant_find("start_skew"), 0);
    ck_assert_int_lt(constant_find("packet"), 0);
    ck_assert_int_ge(constant_find("flop"), 0);
    ck_assert_int_eq(constant_replaced((guint)constant_find("tau_short")), constant_find("tau"));
    ck_assert_int_eq(constant_replaced((guint)constant_find("delta_hop_short")), constant_find("delta_hop"));
    ck_assert_int_lt(constant_replaced((guint)constant_find("lambda_zero")), 0);
    ck_assert(constant_is_per_byte((guint)constant_find("rho")));
    ck_assert(!constant_is_per_byte((guint)constant_find("sync")));
}

TESTS(derivatives, fine_prices_hold, every_schedule, alone, worked, packets, packets_start, exchanges, handshakes,
      constants)
