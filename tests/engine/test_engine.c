/* The engine and the pricer: the whole registry, what each option of a machine does, and runs that can't finish.
 * SimGrid keeps one platform per process, so each test (Check forks one process each) has one dimension. */
#include "models/hull.h"
#include "tests/support/tests.h"

static Problem problem_of(const char *algorithm, guint d, const char *partition_text)
{
    Phases partition = {0};
    ck_assert(!partition_text || partition_parse("", partition_text, d, &partition, NULL));
    return test_exchange(algorithm, d, &partition, 0);
}

static void assert_sound(const EngineResult *result, const Problem *problem)
{
    ck_assert_msg(!result->stuck, "%s: %s", problem->algorithm->name, result->stuck);
    ck_assert_msg(!result->fault, "%s: %s", problem->algorithm->name, result->fault);
}

static Problem with_bytes(Problem problem, gint64 bytes)
{
    problem.data = division_whole(bytes);
    return problem;
}

/* A run with blocks of `bytes`, in which nothing may be wrong. */
static EngineResult simulate(const Problem *problem, const Machine *machine, gint64 bytes)
{
    Problem sized = with_bytes(*problem, bytes);
    return test_simulate(&sized, machine);
}

static Price price_of(const Problem *problem, const Machine *machine, gint64 bytes)
{
    Problem sized = with_bytes(*problem, bytes);
    return test_price(&sized, machine);
}

static EngineResult run_sound(const Problem *problem, const Schedule *schedule, const Machine *machine)
{
    EngineResult result = test_run(schedule, machine, NULL);
    assert_sound(&result, problem);
    return result;
}

/* Whether the times are as the schedule's flags promise: what does not contend takes as long as its price. */
static gboolean is_as_promised(const Schedule *schedule, const Price *priced, const EngineResult *result)
{
    if (schedule_contends(schedule))
        return priced->time_ps <= result->time_ps;
    return priced->time_ps == result->time_ps && result->network.blocked == 0;
}

static void compare(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine ported = test_machine_for(user, problem->algorithm), *machine = &ported;
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA), of_sizes = price(schedule, machine, REPLAY_SIZES);
    EngineResult result = run_sound(problem, schedule, machine);
    g_autofree char *text = test_describe(problem);
    ck_assert_ptr_null(priced.fault);
    ck_assert_ptr_null(priced.stuck);
    ck_assert_uint_eq(priced.messages, result.network.messages);
    ck_assert_msg(is_as_promised(schedule, &priced, &result),
                  "%s, %s: contention-free %" G_GINT64_FORMAT " ps, simulated %" G_GINT64_FORMAT " ps", text,
                  machine->spec, priced.time_ps, result.time_ps);
    ck_assert_int_eq(of_sizes.time_ps, priced.time_ps);
    ck_assert_uint_eq(of_sizes.messages, priced.messages);
}

/* Every algorithm, every composition of d, on every kind of machine; what does not contend costs exactly its price. */
TEST_LOOP(registry, 0, test_upto(4, 7))
{
    static const char *const machines[][5] = {
        {"ipsc860"}, {"ipsc860:unforced"}, {"ncube2"}, {"bokhari1993"},
        {"ipsc2", "long_limit=150", "lambda_long=900", "tau_long=0.1", "delta_hop_long=40"}};
    guint d = (guint)_i;
    for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
        const char *const *options = &machines[m][1];
        g_autoptr(Machine) machine = TEST_MACHINE(machines[m][0], options[0], options[1], options[2], options[3]);
        test_each_schedule(d, compare, machine);
    }
}

/* nESBT as somebody adds it who forgets that its reduction contends. */
static Schedule *make_forgetful(const Problem *problem)
{
    Schedule *schedule = algorithm_find("", problem->pattern, FALSE, "nesbt", NULL)->make(problem);
    schedule->flags &= ~(guint)SCHEDULE_CONTENDS_BACKWARDS;
    return schedule;
}

TEST(contends_backwards)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Algorithm forgetful = *algorithm_find("", &pattern_broadcast, FALSE, "nesbt", NULL);
    forgetful.make = make_forgetful;
    Problem problem = problem_new(&forgetful, 5);
    problem.data = division_make(240, 1, 1, 8);
    for (guint backwards = 0; backwards < 2; backwards++) {
        problem.pattern = backwards ? &pattern_reduction : &pattern_broadcast;
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
        EngineResult result = run_sound(&problem, schedule, machine);
        ck_assert(!schedule_contends(schedule));
        ck_assert_int_eq(is_as_promised(schedule, &priced, &result), !backwards);
    }
}

/* The two extremes are the algorithms of that name. */
TEST(extremes)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Problem standard = problem_of("standard", 4, NULL), ones = problem_of("multiphase", 4, "1,1,1,1");
    Problem direct = problem_of("direct", 4, NULL), single = problem_of("multiphase", 4, "4");
    ck_assert_int_eq(simulate(&standard, machine, 50).time_ps, simulate(&ones, machine, 50).time_ps);
    ck_assert_int_eq(simulate(&direct, machine, 50).time_ps, simulate(&single, machine, 50).time_ps);
}

/* The same run twice on one platform: the clock has moved on, the result has not. */
TEST(repeatable)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Problem problem = problem_of("reversed", 5, NULL);
    EngineResult first = simulate(&problem, machine, 77), second = simulate(&problem, machine, 77);
    ck_assert_int_eq(first.time_ps, second.time_ps);
    ck_assert_int_eq(first.network.blocked_ps, second.network.blocked_ps);
    ck_assert_uint_eq(first.network.blocked, second.network.blocked);
}

/* A barrier costs Q(d) = sync + d sync_per_dimension once per phase, and pairs synchronise per exchange. */
TEST(protocol)
{
    g_autoptr(Machine) bare = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false");
    g_autoptr(Machine) with_barrier = TEST_MACHINE("ipsc860", "pairwise_sync=false", "sync=7");
    Problem problem = problem_of("multiphase", 3, "1,2");
    gint64 bare_ps = simulate(&problem, bare, 8).time_ps;
    ck_assert_int_eq(simulate(&problem, with_barrier, 8).time_ps - bare_ps, 2 * (7 + 3 * 150) * (gint64)1000000);
}

/* A barrier before each exchange, and clocks, which cost nothing: by the engine, the pricer, and in
 * the hull; every composition. */
TEST_LOOP(meetings, 1, test_upto(4, 6))
{
    static const char *const barriers[] = {"phase_barrier=exchange", "phase_barrier=clock"};
    guint d = (guint)_i;
    for (guint b = 0; b < 2; b++) {
        g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "pairwise_sync=false", barriers[b]);
        g_autoptr(Machine) bare = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false");
        HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, 33);
        for (guint i = 0; i < test_n_compositions(d); i++) {
            Phases partition = test_composition(d, i);
            Problem problem = test_exchange("multiphase", d, &partition, 33);
            g_auto(Price) priced = price_of(&problem, machine, 33);
            g_auto(Price) without = price_of(&problem, bare, 33);
            gint64 exchanges = b ? 0 : (gint64)priced.messages >> d;
            ck_assert_int_eq(priced.time_ps, without.time_ps + exchanges * machine_barrier_ps(machine, d));
            ck_assert_int_eq(simulate(&problem, machine, 33).time_ps, priced.time_ps);
            ck_assert_int_eq(llround(exchange_line_at(hull_partition_line(&costs, &partition), 33)), priced.time_ps);
        }
    }
}

static void assert_close(gint64 a, gint64 b)
{
    ck_assert_msg(fabs((double)(a - b)) <= 1e-9 * (double)MAX(a, b), "%" G_GINT64_FORMAT " against %" G_GINT64_FORMAT,
                  a, b);
}

/* SimGrid's flows take as long as circuits where nothing contends, to 1e-9; every composition, three machines. */
TEST_LOOP(fluid, 0, test_upto(5, 7))
{
    static const char *const machines[] = {"ipsc860", "ipsc2", "ncube2"};
    guint d = (guint)_i;
    for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
        g_autoptr(Machine) machine = TEST_MACHINE(machines[m], "switching=fluid", "duplex=full");
        for (guint i = 0; i < test_n_compositions(d); i++) {
            Phases partition = test_composition(d, i);
            Problem problem = test_exchange("multiphase", d, &partition, 33);
            g_auto(Price) priced = price_of(&problem, machine, 33);
            EngineResult result = simulate(&problem, machine, 33);
            assert_close(result.time_ps, priced.time_ps);
            ck_assert_uint_eq(result.network.messages, priced.messages);
        }
    }
}

/* Two flows over one channel share it: on a 2-cube without start-ups 0 to 3 and 1 to 3 over (1,1) take twice as long as
 * one, and a schedule that can't finish says so with flows, too. */
TEST(fluid_contends)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "switching=fluid");
    Problem naive = problem_of("naive", 2, NULL);
    g_auto(Price) priced = price_of(&naive, machine, 1000);
    ck_assert_int_gt(simulate(&naive, machine, 1000).time_ps, priced.time_ps);
    Problem never_sent = broken_named("never_sent");
    g_autoptr(Schedule) schedule = schedule_make(&never_sent);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    ck_assert_ptr_nonnull(result.stuck);
}

/* A skewed start delays the last processor by start_skew; Direct on a 1-cube ends when both have exchanged. With
 * duplex = synchronized, the later message waits for the earlier: 95 + 10.3 + 394 = 499.3 alone, 1 starts 7 later and
 * transmits after 0's is through: 499.3 + 394. */
TEST(skew)
{
    const char *synchronized[] = {"pairwise_sync=false", "phase_barrier=false", "start_skew=7", "duplex=synchronized",
                                  NULL};
    g_autoptr(Machine) duplex = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false", "start_skew=7",
                                             "duplex=full");
    g_autoptr(Machine) half = test_machine("ipsc860", synchronized);
    Problem problem = problem_of("direct", 1, NULL);
    ck_assert_int_eq(simulate(&problem, duplex, 1000).time_ps, 506300000);
    ck_assert_int_eq(simulate(&problem, half, 1000).time_ps, 893300000);
    g_auto(Price) priced = price_of(&problem, half, 1000);
    ck_assert_int_eq(priced.time_ps, 506300000);
    ck_assert_int_eq(machine_start_ps(duplex, 8, 7), 7000000);
    ck_assert_int_eq(machine_start_ps(duplex, 8, 1), 1000000);
    ck_assert_int_eq(machine_start_ps(duplex, 1, 0), 0);
}

/* Exchanges among pairs: under half duplex a processor sends, then receives, so they take exactly twice the
 * contention-free price; over circuits, and for neighbours with store-and-forward. Without half duplex, the price. */
static void exchange_at(const char *const *overrides, const char *partition, guint d, gint64 bytes, gint64 factor)
{
    g_autoptr(Machine) machine = test_machine("johnsson1987", overrides);
    Problem problem = problem_of("multiphase", d, partition);
    EngineResult result = simulate(&problem, machine, bytes);
    g_auto(Price) priced = price_of(&problem, machine, bytes);
    ck_assert_int_eq(result.time_ps, factor * priced.time_ps);
    ck_assert_int_eq(result.network.blocked > 0, factor > 1);
}

TEST(half_duplex)
{
    static const char *const circuit[] = {"duplex=half", "delta_hop=3", NULL};
    static const char *const packets[] = {"duplex=half", "packet=100", NULL};
    static const char *const handshake[] = {"duplex=half", "pairwise_sync=true", NULL};
    static const char *const hops[] = {"duplex=half", "switching=store-and-forward", "packet=100", NULL};
    static const char *const partitions[] = {"1,1,1,1", "2,2", "1,3", "4"};
    for (guint i = 0; i < G_N_ELEMENTS(partitions); i++) {
        exchange_at(circuit, partitions[i], 4, 70, 2);
        exchange_at(packets, partitions[i], 4, 70, 2);
        exchange_at(handshake, partitions[i], 4, 70, 2);
    }
    exchange_at(hops, "1,1,1,1", 4, 70, 2);
}

TEST(store_and_forward)
{
    static const char *const whole[] = {"switching=store-and-forward", NULL};
    static const char *const packets[] = {"switching=store-and-forward", "packet=100", NULL};
    static const char *const all[] = {"switching=store-and-forward", "packet=100", "ports=all", NULL};
    static const char *const *const kinds[] = {whole, packets, all};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        exchange_at(kinds[i], "1,1,1", 3, 70, 1);
    /* three exchanges of four blocks of 64 bytes */
    g_autoptr(Machine) ipsc1 = test_machine("ipsc1", (const char *const[]){"duplex=full", NULL});
    Problem standard = problem_of("standard", 3, NULL);
    ck_assert_int_eq(simulate(&standard, ipsc1, 64).time_ps, 3 * (1500 + 4 * 64) * (gint64)1000000);
}

/* Every algorithm brings its data in place whatever the switching and the duplex; if nothing waits, at its price. */
static void run_through(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine ported = test_machine_for(user, problem->algorithm), *machine = &ported;
    EngineResult result = run_sound(problem, schedule, machine);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    ck_assert_uint_eq(result.network.messages, priced.messages);
    if (result.network.blocked == 0)
        ck_assert_int_eq(result.time_ps, priced.time_ps);
}

TEST_LOOP(all_through, 0, test_upto(3, 6))
{
    static const char *const kinds[][6] = {
        {"duplex=synchronized", NULL},
        {"packet=33", "lambda_packet=20", NULL},
        {"packet=33", "lambda_packet=200", "switching=store-and-forward", "duplex=full", NULL},
        {"ports=all", "duplex=full", "pairwise_sync=false", "ports_overlap=20", NULL},
        {"ports=all", "duplex=full", "switching=store-and-forward", "ports_overlap=0", NULL},
        {"duplex=half", NULL},
        {"duplex=half", "packet=33", "short_limit=5", "long_limit=20", "lambda_long=7", NULL},
        {"switching=store-and-forward", "duplex=full", "packet=33", NULL},
        {"switching=store-and-forward", "duplex=half", "packet=33", NULL},
        {"switching=store-and-forward", "duplex=full", "ports=all", NULL},
    };
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
        g_autoptr(Machine) machine = test_machine("ipsc860:unforced", kinds[k]);
        test_each_schedule((guint)_i, run_through, machine);
    }
}

/* Broken schedules end with who waits for whom, or with the fault; never with a success, and the process goes on. */
TEST_LOOP(broken, 0, N_BROKEN)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Problem problem = broken_problem((guint)_i);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    g_autofree char *said = g_strconcat(result.fault ? result.fault : "", "; ", result.stuck, NULL);
    ck_assert_msg(broken_runs((guint)_i) || strstr(said, broken_fault((guint)_i)), "%s: %s",
                  problem.algorithm->name, said);
    Problem sound = problem_of("direct", 2, NULL);
    simulate(&sound, machine, 10);
}

TEST(clock_runs_over)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Problem problem = test_exchange("direct", 2, NULL, (gint64)1 << 45);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    EngineResult result;
    g_autoptr(GError) error = NULL;
    ck_assert(!engine_run(schedule, machine, NULL, NULL, &result, &error));
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
    ck_assert(!result.fault && !result.stuck);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    ck_assert_int_eq(priced.time_ps, INPUT_TIME_MAX_PS);
}

/* Direct at d = 2, 25 bytes in packets of 10: each of the 4 processors sends 3 packets over one channel, twice, and 3
 * over two. Over circuits each has a start-up, its channels and a transmission, with store-and-forward all three at
 * every hop. */
TEST(events)
{
    const char *const circuits[] = {"packet=10", NULL};
    const char *const hops[] = {"packet=10", "switching=store-and-forward", NULL};
    const char *const whole[] = {"pairwise_sync=true", NULL};
    const struct {
        const char *const *options;
        gint64 bytes;
        guint64 events;
    } cases[] = {{circuits, 25, 4 * (2 * 9 + 12)}, {hops, 25, 4 * (2 * 9 + 18)}, {circuits, 0, 4 * (2 * 3 + 4)},
                 {whole, 25, 2 * 4 * (2 * 3 + 4)}};
    Problem problem = problem_of("direct", 2, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Machine) machine = test_machine("bokhari1993", cases[i].options);
        g_auto(Price) priced = price_of(&problem, machine, cases[i].bytes);
        ck_assert_uint_eq(priced.events, cases[i].events);
    }
}

TESTS(engine, registry, contends_backwards, extremes, repeatable, protocol, meetings, fluid, fluid_contends, skew,
      half_duplex, store_and_forward, all_through, broken, clock_runs_over, events)
