/* Schedules against Tables 1-4 of Johnsson & Ho 1987: published == contention-free == simulated where the printed count
 * is exact, the right count met where it is not, and nothing faster than a lower bound. */
#include "models/spanning.h"
#include "sim/patterns/published.h"
#include "tests/support/tests.h"

/* Start-ups and transmission are all there is. */
static Machine *bare_machine(Ports ports, const char *lambda, const char *tau)
{
    g_autofree char *start = g_strconcat("lambda=", lambda, NULL), *transmission = g_strconcat("tau=", tau, NULL);
    return TEST_MACHINE("bokhari1993", start, transmission, "delta=0", ports == PORTS_ALL ? "ports=all" : "ports=one");
}

typedef struct {
    gint64 published_ps, price_ps, simulated_ps;
    gboolean has_published;
    NetworkStats network;
} Times;

/* What one use of an algorithm is, apart from the machine. */
typedef struct {
    const Algorithm *algorithm;
    guint d, accumulate;
    gint64 bytes, element, packet;
    gboolean reversed;
} Use;

static Problem problem_of(const Use *use)
{
    gboolean in_packets = (use->algorithm->takes & TAKES_PACKETS) != 0;
    Problem problem = problem_new(use->algorithm, use->d);
    if (use->reversed && test_reverse_of(problem.pattern))
        problem.pattern = test_reverse_of(problem.pattern);
    problem.data = division_make(use->bytes, use->element, problem_n_parts(&problem), in_packets ? use->packet : 0);
    if (use->algorithm->takes & TAKES_ACCUMULATE)
        problem.accumulate = MIN(use->accumulate, use->d);
    if (use->algorithm->takes & TAKES_PARTITION)
        problem.partition = partition_direct(use->d);
    if (problem.pattern->rooted)
        problem.source = (1u << use->d) - 1;
    return problem;
}

static Times times_of(const Use *use, const Machine *machine)
{
    Machine packeted = *machine;
    packeted.packet = use->packet;
    Run run = {.machine = &packeted, .element = use->element, .problem = problem_of(use)};
    Times times = {0};
    EngineResult result = test_simulate(&run.problem, &packeted);
    times.has_published = published_time(&run, &times.published_ps, NULL);
    times.price_ps = test_price(&run.problem, &packeted).time_ps;
    times.simulated_ps = result.time_ps;
    times.network = result.network;
    return times;
}

static char *describe(const Use *use)
{
    return g_strdup_printf("%s%s %s, n_port %d, d = %u, k = %u, M = %d in elements of %d, B = %d",
                           use->reversed ? "reversed " : "", use->algorithm->pattern->name,
                           use->algorithm->name, use->algorithm->n_port, use->d, use->accumulate, (int)use->bytes,
                           (int)use->element, (int)use->packet);
}

static void assert_ps(const Use *use, const char *what, gint64 found, gint64 expected)
{
    g_autofree char *text = describe(use);
    ck_assert_msg(found == expected, "%s: %s %" G_GINT64_FORMAT " ps, not %" G_GINT64_FORMAT, text, what, found,
                  expected);
}

static const SpanningRow *row_of(const Algorithm *algorithm)
{
    return spanning_find(algorithm->pattern->name, algorithm->name,
                         algorithm->n_port ? PORTS_ALL : PORTS_ONE);
}

static const Algorithm *algorithm_of(const SpanningRow *row)
{
    return algorithm_find("", pattern_find("", row->pattern, NULL), row->ports == PORTS_ALL, row->algorithm, NULL);
}

/* Rows whose printed count is exact for any M and B (nESBT from n = 2 on), and those that are when n divides M. */
static const char *const exact_rows[] = {
    "GC(1,1)",        "SBT-b(1,1)",  "nESBT-b(1,1)", "SBT-b(n,1)", "CRA(1,N)",   "GCEA(1,N)",
    "SBT-b(1,N)",     "hybrid(1,N)", "SBT-b(n,N)",   "SBT-p(1,1)", "SBT-p(n,1)", "SBT-p(1,N)", NULL,
};
static const char *const exact_if_divided_rows[] = {
    "GC(n,1)",  "nESBT-b(n,1)", "nRSBT-b(1,1)", "nRSBT-b(n,1)", "GCEA(n,N)", "nRSBT-b(n,N)", "nRSBT-p(n,1)",
    "nRSBT-p(n,N)", NULL,
};

static gboolean is_exact(const SpanningRow *row, const Use *use)
{
    const char *name = row->name;
    gboolean nesbt = strcmp(use->algorithm->name, "nesbt") == 0;
    gboolean divided = use->bytes / use->element % use->d == 0;
    return (g_strv_contains(exact_rows, name) || (divided && g_strv_contains(exact_if_divided_rows, name))) &&
           (use->d > 1 || !nesbt);
}

/* Calls `check` with every use of an algorithm of the tables: sizes, elements and packets of many kinds. */
#define ALL_SIZES_UP_TO 5   /* every packet is simulated: small ones on larger cubes take long */
#define SOME_SIZES 3

static guint each_use(guint d, void (*check)(const Use *use, const SpanningRow *row, const Machine *machine))
{
    static const struct {
        gint64 bytes, element, packet;
    } sizes[] = {{840, 4, 420}, {840, 4, 0}, {61, 1, 40}, {840, 4, 24}, {61, 1, 7}, {240, 1, 4}, {7, 1, 2}, {1, 1, 1},
                 {44, 4, 8}, {0, 1, 0},
                 {3360, 4, 4}, {100, 1, 1000}, {20, 4, 6}};
    guint n_uses = 0, n_sizes = d <= ALL_SIZES_UP_TO ? G_N_ELEMENTS(sizes) : SOME_SIZES;
    for (guint a = 0; a < algorithm_count(); a++) {
        const Algorithm *algorithm = algorithm_nth(a);
        const SpanningRow *row = row_of(algorithm);
        guint n_variants = algorithm->takes & TAKES_ACCUMULATE ? d + 1 : 1;
        g_autoptr(Machine) machine = bare_machine(algorithm->n_port ? PORTS_ALL : PORTS_ONE, "100", "2");
        for (guint i = 0; row && i < n_sizes; i++)
            for (guint k = 0; k < n_variants; k++, n_uses++)
                check(&(Use){algorithm, d, k, sizes[i].bytes, sizes[i].element, sizes[i].packet, FALSE}, row, machine);
    }
    return n_uses;
}

/* nESBT's short last packet may meet a receiver that is still busy; then the simulation takes longer, and says so. */
static void check_times(const Use *use, const SpanningRow *row, const Machine *machine)
{
    Times times = times_of(use, machine);
    Machine packeted = *machine;
    packeted.packet = use->packet;
    SpanningCase c = {use->d, use->bytes, use->packet, use->element, use->accumulate};
    gboolean short_last = use->packet && use->bytes % use->packet != 0;
    gboolean may_contend = short_last && !use->algorithm->n_port && strcmp(use->algorithm->name, "nesbt") == 0;
    ck_assert(times.has_published);
    assert_ps(use, "contention-free", times.price_ps, spanning_exact_ps(row, &packeted, &c));
    if (!may_contend)
        assert_ps(use, "simulated", times.simulated_ps, times.price_ps);
    else
        ck_assert(times.simulated_ps == times.price_ps || times.network.blocked > 0);
    if (use->bytes > 0 && is_exact(row, use))
        assert_ps(use, "published", times.published_ps, times.price_ps);
    gint64 bound = spanning_lower_bound_ps(use->algorithm->pattern->name, machine->ports, &packeted, &c);
    ck_assert_int_ge(times.price_ps, bound);
    ck_assert_int_ge(times.simulated_ps, bound);
}

TEST_LOOP(tables, 1, test_upto(5, 9))
{
    ck_assert_uint_ge(each_use((guint)_i, check_times), spanning_n_rows * SOME_SIZES);
}

/* A byte takes 1 ps, a message without bytes 200 ns and any other start-up 200 µs: a time tells how many there are of
 * each. The derived counts are those of the schedules. */
static void check_counts(const Use *use, const SpanningRow *row)
{
    const Machine machine = {.short_limit = -1, .ports = row->ports, .packet = use->packet, .lambda_zero_ps = 200000,
                             .packet_lambda_ps = MACHINE_UNSET, .ports_overlap = 100,
                             .terms = {.lambda_ps = 200 * US, .tau_fs_per_byte = MACHINE_FS_PER_PS}};
    SpanningCase c = {use->d, use->bytes, use->packet, use->element, use->accumulate};
    Problem problem = problem_of(use);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    assert_ps(use, "contention-free", price_time(schedule, &machine), spanning_exact_ps(row, &machine, &c));
}

TEST_LOOP(right_counts, 1, 7)
{
    static const gint64 sizes[] = {0, 1, 2, 5, 7, 12, 30}, packets[] = {0, 1, 2, 3, 7, 12, 100};
    for (guint r = 0; r < spanning_n_rows; r++) {
        const SpanningRow *row = &spanning_rows[r];
        const Algorithm *algorithm = algorithm_of(row);
        for (guint k = 0; k <= (algorithm->takes & TAKES_ACCUMULATE ? (guint)_i : 0); k++)
            for (guint i = 0; i < G_N_ELEMENTS(sizes) * G_N_ELEMENTS(packets); i++)
                for (gint64 element = 1; element <= (_i < 6 ? 4 : 1); element += 3)
                    check_counts(&(Use){algorithm, (guint)_i, k, sizes[i / 7] * element, element,
                                        packets[i % 7] * element, FALSE}, row);
    }
}

/* Every row has an algorithm that runs it, and every row's exactness is claimed or denied by its note. */
TEST(all_rows_run)
{
    for (guint i = 0; i < spanning_n_rows; i++) {
        const SpanningRow *row = &spanning_rows[i];
        const Algorithm *algorithm = algorithm_of(row);
        ck_assert_msg(algorithm && !!algorithm->n_port == (row->ports == PORTS_ALL), "%s", row->name);
        ck_assert_msg(strstr(algorithm->source, row->name) || strcmp(row->algorithm, "hybrid") == 0,
                      "%s is the source of %s", algorithm->source, row->name);
        gboolean exact = g_strv_contains(exact_rows, row->name) ||
                         g_strv_contains(exact_if_divided_rows, row->name);
        ck_assert_msg(exact == g_str_has_prefix(row->note, "exact"), "%s: %s", row->name, row->note);
    }
}

/* On spanning graphs, forwards and backwards, with and without a row: no simulation is faster than the paper's bound.
 * (A price may be: backwards, it does not count the receive port of the destination. And the complete exchanges over
 * circuits of several channels are not bound: their blocks are not sent on at every node.) */
static void check_bound(const Algorithm *algorithm, guint d, gboolean reversed)
{
    static const gint64 packets[] = {0, 16};
    for (guint p = 0; p < G_N_ELEMENTS(packets); p++) {
        g_autoptr(Machine) machine = bare_machine(algorithm->n_port ? PORTS_ALL : PORTS_ONE, "1", "3");
        Use use = {algorithm, d, 1, 240, 1, packets[p], reversed};
        SpanningCase c = {d, use.bytes, use.packet, 1, 1};
        gint64 bytes_bound_ps = spanning_lower_bound_ps(algorithm->pattern->name, machine->ports, machine,
                                                        &c);
        g_autofree char *text = describe(&use);
        ck_assert_msg(times_of(&use, machine).simulated_ps >= bytes_bound_ps, "%s", text);
    }
}

/* Whether an algorithm is one of the tables': on spanning graphs, the same from every processor. */
static gboolean is_on_graphs(const Algorithm *algorithm, guint d)
{
    Problem problem = problem_new(algorithm, d);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    return (schedule->flags & SCHEDULE_TRANSLATES) != 0;
}

TEST_LOOP(lower_bounds, 1, test_upto(5, 7))
{
    for (guint a = 0; a < algorithm_count(); a++) {
        const Algorithm *algorithm = algorithm_nth(a);
        const Pattern *pattern = algorithm->pattern;
        gboolean exchanges = algorithm->pattern == &pattern_complete_exchange || pattern->family;
        if (pattern == &pattern_matmul || (exchanges && !is_on_graphs(algorithm, (guint)_i)))
            continue;
        check_bound(algorithm, (guint)_i, FALSE);
        if (!exchanges)
            check_bound(algorithm, (guint)_i, TRUE);
    }
}

/* B = optimal is better than half and twice as much, in simulation, where the printed count is exact: GC, nESBT and the
 * n-port SBT, with the data of the paper's figure 3. */
TEST(optimal_packets)
{
    static const char *const algorithms[] = {"gc", "nesbt", "sbt"};
    for (guint i = 0; i < G_N_ELEMENTS(algorithms); i++) {
        gboolean n_port = i == 2;
        const Algorithm *algorithm = algorithm_find("", &pattern_broadcast, n_port, algorithms[i], NULL);
        g_autoptr(Machine) machine = bare_machine(n_port ? PORTS_ALL : PORTS_ONE, "1000", "1");
        SpanningCase c = {5, 61440, 0, 4, 0};
        gint64 best = spanning_optimal_packet(row_of(algorithm), machine, &c);
        gint64 others[] = {best / 2, 2 * best};
        Use use = {algorithm, 5, 0, c.bytes, c.element, best, FALSE};
        gint64 time_ps = times_of(&use, machine).simulated_ps;
        for (guint k = 0; k < G_N_ELEMENTS(others); k++) {
            use.packet = others[k];
            ck_assert_int_le(time_ps, times_of(&use, machine).simulated_ps);
        }
    }
}

TESTS(published, tables, right_counts, all_rows_run, lower_bounds, optimal_packets)
