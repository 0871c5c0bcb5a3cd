/* Contention without a clock, against every pair of routes compared, and against the engine. */
#include "sim/show/contention.h"
#include "tests/support/tests.h"

/* Whether the route from a to b crosses the channel from `from` to `to`. */
static gboolean crosses(guint a, guint b, guint from, guint to)
{
    guint at = a;
    while (at != b) {
        guint next = at ^ 1u << cube_first_dimension(at, b);
        if (at == from && next == to)
            return TRUE;
        at = next;
    }
    return FALSE;
}

static gboolean share(guint a, guint to_a, guint b, guint to_b)
{
    for (guint at = a; at != to_a;) {
        guint next = at ^ 1u << cube_first_dimension(at, to_a);
        if (crosses(b, to_b, at, next))
            return TRUE;
        at = next;
    }
    return FALSE;
}

typedef struct {
    guint source, destination;
    guint round;            /* of one port's messages that are issued at once: they leave one after another */
} Route;

/* Messages of a step that go out before number i through the same port. */
static guint before(const Step *step, guint node, Ports ports, guint i)
{
    guint first = cube_first_dimension(node, step_nth_send(step, i)->peer), n = 0;
    for (guint j = 0; j < i; j++)
        n += ports == PORTS_ONE || cube_first_dimension(node, step_nth_send(step, j)->peer) == first;
    return n;
}

static void add_routes(const Schedule *schedule, Ports ports, guint node, guint strand, guint k, GArray *routes)
{
    g_auto(Step) step = step_new();
    schedule_strand_step(schedule, node, strand, k, &step);
    for (guint i = 0; i < step.sends->len; i++) {
        gboolean at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0;
        Route route = {node, step_nth_send(&step, i)->peer, at_once ? before(&step, node, ports, i) : 0};
        g_array_append_val(routes, route);
    }
}

/* Route elements: every message of step k of all strands. Caller unrefs. */
static GArray *routes_of(const Schedule *schedule, Ports ports, guint k)
{
    GArray *routes = g_array_new(FALSE, FALSE, sizeof(Route));
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++)
        for (guint strand = 0; strand < schedule->n_strands; strand++)
            if (k < schedule_n_steps(schedule, strand))
                add_routes(schedule, ports, node, strand, k, routes);
    return routes;
}

static void check_pair(const ContentionPair *pair)
{
    if (pair->from == pair->to) {
        ck_assert(pair->a_destination == pair->from && pair->b_destination == pair->from);
    } else {
        ck_assert(crosses(pair->a, pair->a_destination, pair->from, pair->to));
        ck_assert(crosses(pair->b, pair->b_destination, pair->from, pair->to));
    }
    ck_assert_uint_lt(pair->a, pair->b);
}

static void check_step(const Schedule *schedule, Ports ports, guint k)
{
    guint channel_pairs = 0, receiver_pairs = 0;
    g_autoptr(GArray) routes = routes_of(schedule, ports, k);
    for (guint i = 0; i < routes->len; i++)
        for (guint j = i + 1; j < routes->len; j++) {
            Route a = g_array_index(routes, Route, i), b = g_array_index(routes, Route, j);
            if (a.round != b.round || a.source == b.source)
                continue;
            channel_pairs += share(a.source, a.destination, b.source, b.destination);
            receiver_pairs += ports == PORTS_ONE && a.destination == b.destination;
        }
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(ContentionPair));
    Contention contention = contention_step(schedule, NULL, ports, k, pairs, G_MAXUINT);
    ck_assert_uint_eq(contention.channel_pairs, channel_pairs);
    ck_assert_uint_eq(contention.receiver_pairs, receiver_pairs);
    ck_assert_uint_eq(pairs->len, channel_pairs + receiver_pairs);
    for (guint i = 0; i < pairs->len; i++)
        check_pair(&g_array_index(pairs, ContentionPair, i));
    if (!schedule_contends(schedule))
        ck_assert_uint_eq(pairs->len, 0);
}

static Ports ports_of(const Problem *problem)
{
    return problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE;
}

static void check_steps(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    for (guint k = 0; k < schedule->n_steps; k++)
        check_step(schedule, ports_of(problem), k);
}

/* Every step of every algorithm and composition, all pairs of routes compared. */
TEST_LOOP(registry, 0, test_upto(6, 7))
{
    test_each_schedule((guint)_i, check_steps, NULL);
}

typedef struct {
    const Machine *machine;
    guint *n_waits;
} Forecast;

static void check_waits(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    const Forecast *f = user;
    Machine machine = test_machine_for(f->machine, problem->algorithm);
    g_autoptr(Trace) trace = trace_new();
    g_auto(EngineResult) result = test_run(schedule, &machine, trace);
    trace_sort(trace);
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *wait = trace_nth(trace, i);
        if (wait->kind != TRACE_WAIT)
            continue;
        ck_assert(schedule_contends(schedule));
        const TraceMessage *x = trace_message(trace, wait->message), *y = trace_message(trace, wait->blocker);
        if (x->step > 0 || y->step > 0)
            continue;
        ++*f->n_waits;
        ck_assert(share(x->source, x->destination, y->source, y->destination) || x->destination == y->destination);
    }
    guint64 foretold = 0;
    for (guint k = 0; k < schedule->n_steps; k++) {
        Contention contention = contention_step(schedule, NULL, ports_of(problem), k, NULL, 0);
        foretold += contention.channel_pairs + contention.receiver_pairs;
    }
    ck_assert(foretold == 0 || result.network.blocked > 0);     /* steps that drift apart may wait all the same */
}

/* What the engine blocks in step 0, in which all begin together, was foretold; and what was foretold comes about. */
TEST_LOOP(engine, 2, test_upto(5, 6))
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false", "duplex=full");
    guint n_waits = 0;
    test_each_schedule((guint)_i, check_waits, &(Forecast){machine, &n_waits});
    ck_assert_uint_gt(n_waits, 0);
}

/* Step 0 of naive on four processors. */
TEST(by_hand)
{
    Problem naive = test_exchange("naive", 2, NULL, 0);
    g_autoptr(Schedule) schedule = schedule_make(&naive);
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(ContentionPair));
    Contention contention = contention_step(schedule, NULL, PORTS_ONE, 0, pairs, 2);
    /* 1, 2 and 3 send to 0: 2 and 3 share 2->0, all three the receiver */
    ck_assert_uint_eq(contention.channel_pairs, 1);
    ck_assert_uint_eq(contention.most_on_channel, 2);
    ck_assert_uint_eq(contention.receiver_pairs, 3);
    ck_assert_uint_eq(contention.most_on_receiver, 3);
    ck_assert_uint_eq(pairs->len, 2);
    const ContentionPair *first = &g_array_index(pairs, ContentionPair, 0);
    ck_assert(first->a == 2 && first->b == 3 && first->from == 2 && first->to == 0);
    const ContentionPair *second = &g_array_index(pairs, ContentionPair, 1);
    ck_assert(second->a == 1 && second->b == 2 && second->from == 0 && second->to == 0);
}

/* Whether the route passes through `node`, at which it neither begins nor ends. */
static gboolean passes(Route route, guint node)
{
    guint at = route.source;
    while (at != route.destination) {
        at ^= 1u << cube_first_dimension(at, route.destination);
        if (at == node)
            return at != route.destination;
    }
    return FALSE;
}

/* What scenarios/README.md says of the shuffle on the 7-cube: routes that share processors and no channel. */
TEST(shared_processors)
{
    Problem problem = problem_new(algorithm_find("", &pattern_permutation, FALSE, "router", NULL), 7);
    problem.permutation = test_permutation("shuffle", 7);
    problem.data = division_make(8, 1, problem_n_parts(&problem), 0);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_autoptr(GArray) routes = routes_of(schedule, PORTS_ONE, 0);
    guint most = 0;
    for (guint node = 0; node < cube_n_nodes(7); node++) {
        guint n = 0;
        for (guint i = 0; i < routes->len; i++)
            n += passes(g_array_index(routes, Route, i), node);
        most = MAX(most, n);
    }
    ck_assert_uint_eq(most, 6);
    ck_assert_uint_eq(contention_step(schedule, NULL, PORTS_ONE, 0, NULL, 0).most_on_channel, 1);
}

TESTS(contention, registry, engine, by_hand, shared_processors)
