/* Exchanges by offsets as schedules; messages that are gathered, or sent in pieces. */
#include "sim/patterns/published.h"
#include "tests/support/tests.h"

static Problem exchange(const char *algorithm, guint d, const char *offsets, gint64 bytes)
{
    Problem problem = test_exchange(algorithm, d, &(Phases){0}, bytes);
    problem.offsets = offsets;
    return problem;
}

/* The simulated time in ns, which is the contention-free one. */
static gint64 time_of(const Problem *problem, const Machine *machine)
{
    g_auto(Price) priced = test_price(problem, machine);
    g_auto(EngineResult) result = test_simulate(problem, machine);
    g_autoptr(Schedule) schedule = schedule_make(problem);
    ck_assert_int_eq(price_time(schedule, machine), priced.time_ps);
    ck_assert(machine->duplex == DUPLEX_HALF || priced.time_ps == result.time_ps); /* half duplex is contention */
    return result.time_ps / 1000;
}

TEST_LOOP(worked_times, 0, 2)
{
    const gint64 ns[] = {1250000, 2875108}, stored[] = {2 * 5 + 25, 2 * 7 + 154};  /* offsets twice, and their blocks */
    g_autoptr(Machine) machine = _i ? test_machine("ipsc860", NULL) : TEST_MACHINE("bokhari1993", "rho=0");
    Problem problem = _i ? exchange("offsets", 6, "1,2,4,8,16,32,63", 8) : exchange("offsets", 4, "1,2,4,8,15", 14);
    ck_assert_int_eq(time_of(&problem, machine), ns[_i]);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    ck_assert_uint_eq(schedule->stored, stored[_i] * sizeof(guint));
    ck_assert(!published_time(&(Run){.machine = machine, .problem = problem, .element = 1}, &(gint64){0}, NULL));
}

/* The list that does as a partition does: for each part all non-zero values of its bits. */
static char *list_of(const Phases *partition, guint d)
{
    GString *text = g_string_new(NULL);
    guint stop = d;
    for (guint i = 0; i < partition->n_parts; i++) {
        stop -= partition->part[i];
        for (guint s = 1; s < 1u << partition->part[i]; s++)
            g_string_append_printf(text, "%s%u", text->len ? "," : "", s << stop);
    }
    return g_string_free(text, FALSE);
}

/* Standard, Direct and Multiphase are lists: without shuffles they take as long, on all kinds of networks. */
TEST_LOOP(partitions_are_lists, 0, 4 * 6)
{
    static const char *const machines[][6] = {{"ipsc860", "rho=0", "phase_barrier=false"},
                                              {"ncube2", "rho=0", "phase_barrier=false", "ports=one", "duplex=half"},
                                              {"bokhari1993", "rho=0", "switching=store-and-forward"},
                                              {"bokhari1993", "rho=0", "packet=24"}};
    g_autoptr(Machine) machine = test_machine(machines[_i % 4][0], &machines[_i % 4][1]);
    guint d = 1 + (guint)_i / 4;
    Phases partition = partition_standard(d);
    do {
        g_autofree char *text = list_of(&partition, d);
        Problem phases = test_exchange("multiphase", d, &partition, 24), list = exchange("offsets", d, text, 24);
        ck_assert_int_eq(time_of(&phases, machine), time_of(&list, machine));
    } while (partition_next(&partition));
}

static GatherTerms terms_of(const Machine *machine, const MachineTerms *terms)
{
    return (GatherTerms){(double)(terms->lambda_ps + machine->delta_ps), (double)terms->delta_hop_ps,
                         machine_byte_ps(terms->tau_fs_per_byte)};
}

static Gathering gathering_on(const Machine *machine, Gather how)
{
    gint64 limit = machine->long_limit ? machine->long_limit : G_MAXINT64;
    return (Gathering){.how = how, .gather_ps_per_byte = machine_byte_ps(machine->gather_fs_per_byte),
                       .packet = machine->packet,
                       .pieces = {{machine->short_limit, terms_of(machine, &machine->short_terms)},
                                  {limit, terms_of(machine, &machine->terms)},
                                  {G_MAXINT64, terms_of(machine, &machine->long_terms)}}};
}

/* Johnsson & Ho's SBT exchange: of three messages of 32 bytes the last is contiguous; in pieces there are 1 + 2 + 4. */
TEST(copies)
{
    static const struct {
        Gather how;
        gint64 bytes, ns;
    } cases[] = {{GATHER_FREE, 8, 522000},      {GATHER_COPY, 8, 586000},       {GATHER_PIECES, 8, 962000},
                 {GATHER_BEST, 8, 586000},      {GATHER_COPY, 8000, 256330000}, {GATHER_PIECES, 8000, 192770000},
                 {GATHER_BEST, 8000, 192770000}};
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "gather_cost=0.5");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Problem problem = exchange("sbt", 3, NULL, cases[i].bytes);
        problem.gathering = gathering_on(machine, cases[i].how);
        ck_assert_int_eq(time_of(&problem, machine), cases[i].ns);
    }
}

/* Never slower than either, and sometimes faster than both. To judge each stretch by itself is not enough: where each
 * of two takes less than a start-up to copy, but both take longer; where gathering saves no packets, or makes short
 * messages long ones. */
TEST_LOOP(best_of_both, 0, 5)
{
    static const char *const machines[][6] = {
        {"bokhari1993", "gather_cost=0.5"}, {"bokhari1993", "gather_cost=0.5", "packet=96"},
        {"ipsc860", "gather_cost=0.4"},
        {"bokhari1993", "gather_cost=2", "short_limit=100", "lambda_short=20", "tau_short=1"},
        {"bokhari1993", "gather_cost=0.5", "long_limit=100", "lambda_long=900", "tau_long=1"}};
    g_autoptr(Machine) machine = test_machine(machines[_i][0], &machines[_i][1]);
    guint n_faster = 0;
    for (gint64 bytes = 0; bytes < 300; bytes += 4) {
        gint64 ns[3];
        for (guint i = 0; i < 3; i++) {
            Problem problem = exchange("offsets", 4, "1,2,4,8,15", bytes);
            problem.gathering = gathering_on(machine, (Gather)(GATHER_COPY + i));
            ns[i] = time_of(&problem, machine);
        }
        ck_assert_msg(ns[2] <= MIN(ns[0], ns[1]), "%s, %d bytes", machines[_i][0], (int)bytes);
        n_faster += ns[2] < MIN(ns[0], ns[1]);
    }
    ck_assert_uint_gt(n_faster, 0);
}

/* What is not known before it moves is refused (sim/run/estimate.h); the rest delivers its data either way, with any
 * number of ports. */
static void deliver(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Problem gathered = *problem;
    if (content_sizes_move(schedule->content))
        return;
    for (guint how = GATHER_COPY; how <= GATHER_BEST; how++) {
        gathered.gathering = (Gathering){.how = (Gather)how, .gather_ps_per_byte = 1,
                                         .pieces = {{G_MAXINT64, {100, 0, 1}}}};
        g_auto(Verdict) verdict = test_verify(&gathered, problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE);
        ck_assert_msg(verdict.ok, "%s: %s", test_describe(problem), verdict.fault);
    }
    ++*(guint *)user;
}

TEST_LOOP(delivers, 0, 5)
{
    guint n = 0;
    test_each_schedule((guint)_i, deliver, &n);
    ck_assert_uint_gt(n, 50);
}

TESTS(gathered, worked_times, partitions_are_lists, copies, best_of_both, delivers)
