/* Meshes: against an independent simulation of Direct, and against the cube, which a mesh of twos is. */
#include "sim/show/trace_file.h"
#include "tests/support/tests.h"

#define NODES_MAX 64
#define SIDES_MAX 3

/* --- an independent simulation: coordinates instead of numbers, and all requests looked at for every grant --- */

typedef struct {
    const char *sides;
    TopologyOrder order;
    gboolean by_xor;
} MeshCase;

typedef enum { STARTING, ASKING, CROSSING, SENDING, GONE } OracleState;

typedef struct {
    OracleState state;
    guint to, at;               /* receiver; processor that the header has reached */
    gint64 since, until;        /* when it asked; when its start-up, hop or transmission is over */
    gint64 waited;
    guint held[NODES_MAX], n_held;      /* channels, as from x NODES_MAX + to */
} OracleMessage;

typedef struct {
    guint n, n_sides, side[SIDES_MAX];
    guint at[NODES_MAX][SIDES_MAX];     /* coordinates of each address */
    const Group *group;
    gint64 lambda, hop, transmit, blocked_ps;
    guint blocked, step[NODES_MAX];
    gboolean got[NODES_MAX][NODES_MAX], busy[NODES_MAX * NODES_MAX], receives[NODES_MAX];
    OracleMessage of[NODES_MAX];        /* the present message of each sender */
} Oracle;

/* Lays addresses out: counts up the coordinates, or walks back and forth, or doubles a list of codes by reflection. */
static void oracle_lay_out(Oracle *o, TopologyOrder order)
{
    guint code[NODES_MAX];
    gboolean down[SIDES_MAX] = {FALSE};
    guint here[SIDES_MAX] = {0};
    for (guint x = 0; x < o->n; x++) {
        guint address = 0;
        memcpy(o->at[x], here, sizeof here);
        for (guint i = o->n_sides; i-- > 0;) {
            gboolean ends = down[i] ? here[i] == 0 : here[i] == o->side[i] - 1;
            if (!ends) {
                here[i] = down[i] ? here[i] - 1 : here[i] + 1;
                break;
            }
            if (order == TOPOLOGY_SNAKE)
                down[i] = !down[i];
            else
                here[i] = 0;
        }
        for (guint i = 0; order == TOPOLOGY_GRAY && i < o->n_sides; i++) {
            code[0] = 0;
            for (guint n = 1; n < o->side[i]; n *= 2)
                for (guint k = 0; k < n; k++)
                    code[n + k] = code[n - 1 - k] + n;
            address = address * o->side[i] + code[o->at[x][i]];
        }
        if (order == TOPOLOGY_GRAY) {       /* `x` is a place here; its address is another processor */
            guint of_place[SIDES_MAX];
            memcpy(of_place, o->at[x], sizeof of_place);
            for (guint i = 0; i < o->n_sides; i++)
                o->of[address].held[i] = of_place[i];
        }
    }
    for (guint x = 0; order == TOPOLOGY_GRAY && x < o->n; x++)
        memcpy(o->at[x], o->of[x].held, sizeof o->at[x]);
}

/* Returns the neighbour of `at` that is nearer to `to` in the last coordinate in which they differ. */
static guint oracle_next(const Oracle *o, guint at, guint to)
{
    guint want[SIDES_MAX], i = o->n_sides - 1;
    memcpy(want, o->at[at], sizeof want);
    while (want[i] == o->at[to][i])
        i--;
    want[i] += want[i] < o->at[to][i] ? 1 : -1;
    for (guint x = 0; x < o->n; x++)
        if (memcmp(o->at[x], want, sizeof *want * o->n_sides) == 0)
            return x;
    g_assert_not_reached();
}

static guint channel_wanted(const Oracle *o, const OracleMessage *m)
{
    return m->at * NODES_MAX + oracle_next(o, m->at, m->to);
}

static gboolean *oracle_wanted(Oracle *o, OracleMessage *m)
{
    return m->at == m->to ? &o->receives[m->to] : &o->busy[channel_wanted(o, m)];
}

/* Lets the processors act that are not waiting, until none can. */
static void oracle_issue(Oracle *o, gint64 now)
{
    for (guint x = 0; x < o->n; x++)
        if (o->of[x].state == GONE && o->step[x] < o->n - 1 &&
            (o->step[x] == 0 || o->got[x][group_subtract(o->group, x, o->step[x])])) {
            guint to = group_add(o->group, x, ++o->step[x]);
            o->of[x] = (OracleMessage){STARTING, to, x, 0, now + o->lambda, 0, {0}, 0};
        }
}

/* Grants free places one after another: the earliest request first, then the lowest sender. */
static void oracle_grant(Oracle *o, gint64 now)
{
    for (;;) {
        OracleMessage *first = NULL;
        for (guint x = 0; x < o->n; x++) {
            OracleMessage *m = &o->of[x];
            if (m->state == ASKING && !*oracle_wanted(o, m) && (!first || m->since < first->since))
                first = m;
        }
        if (!first)
            return;
        *oracle_wanted(o, first) = TRUE;
        first->waited += now - first->since;
        if (first->at == first->to) {
            first->state = SENDING;
            first->until = now + o->transmit;
            continue;
        }
        first->held[first->n_held++] = channel_wanted(o, first);
        first->at = oracle_next(o, first->at, first->to);
        first->state = CROSSING;
        first->until = now + o->hop;
    }
}

static gint64 oracle_run(Oracle *o)
{
    gint64 now = 0;
    for (;;) {
        gint64 next = G_MAXINT64;
        oracle_issue(o, now);
        oracle_grant(o, now);
        for (guint x = 0; x < o->n; x++)
            if (o->of[x].state != GONE && o->of[x].state != ASKING)
                next = MIN(next, o->of[x].until);
        if (next == G_MAXINT64)
            return now;
        now = next;
        for (guint x = 0; x < o->n; x++) {
            OracleMessage *m = &o->of[x];
            if (m->state == GONE || m->state == ASKING || m->until > now)
                continue;
            if (m->state == SENDING) {
                o->receives[m->to] = FALSE;
                for (guint i = 0; i < m->n_held; i++)
                    o->busy[m->held[i]] = FALSE;
                o->got[m->to][x] = TRUE;
                o->blocked += m->waited > 0;
                o->blocked_ps += m->waited;
                m->state = GONE;
            } else {
                m->state = ASKING;
                m->since = now;
            }
        }
    }
}

static const MeshCase mesh_cases[] = {
    {"3x5", TOPOLOGY_ROW, FALSE},   {"3x5", TOPOLOGY_SNAKE, FALSE},   {"2x3x4", TOPOLOGY_ROW, FALSE},
    {"2x3x4", TOPOLOGY_SNAKE, FALSE}, {"7", TOPOLOGY_ROW, FALSE},     {"4x8", TOPOLOGY_ROW, TRUE},
    {"4x8", TOPOLOGY_GRAY, TRUE},   {"8x2", TOPOLOGY_SNAKE, TRUE},    {"4x4x4", TOPOLOGY_GRAY, TRUE},
};

static Problem direct_on(const Group *group, gint64 bytes)
{
    Problem problem = problem_new(algorithm_find("", pattern_default(), FALSE, "direct", NULL), group->dimension);
    problem.group = group->binary ? NULL : group;
    if (group->binary)
        problem.partition = partition_direct(group->dimension);
    problem.data = division_whole(bytes);
    return problem;
}

TEST_LOOP(direct_as_the_oracle_has_it, 0, G_N_ELEMENTS(mesh_cases))
{
    static const gint64 sizes[] = {1, 8, 64, 1000};
    static const char *const orders[] = {"order=row", "order=gray", "order=snake"};
    const MeshCase *c = &mesh_cases[_i];
    g_autofree char *key = g_strconcat("sides=", c->sides, NULL);
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=95", "delta=0", "tau=0.394", "delta_hop=10.3",
                                              "rho=0", "topology=mesh", key, orders[c->order]);
    const Group *sides = machine->sides;
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Oracle o = {.n = sides->n, .n_sides = sides->n_factors, .lambda = machine->terms.lambda_ps,
                    .hop = machine->terms.delta_hop_ps,
                    .transmit = (gint64)machine_bytes_ps(machine->terms.tau_fs_per_byte, sizes[i]),
                    .group = c->by_xor ? group_of_cube(sides->dimension) : sides};
        memcpy(o.side, sides->factor, sides->n_factors * sizeof *o.side);
        oracle_lay_out(&o, c->order);
        for (guint x = 0; x < o.n; x++)
            o.of[x].state = GONE;
        gint64 time = oracle_run(&o);
        Problem problem = direct_on(o.group, sizes[i]);
        EngineResult result = test_simulate(&problem, machine);
        ck_assert_int_eq(result.time_ps, time);
        ck_assert_uint_eq(result.network.blocked, o.blocked);
        ck_assert_int_eq(result.network.blocked_ps, o.blocked_ps);
        ck_assert_uint_gt(o.blocked, 0);
    }
}

/* --- routes --- */

/* Follows every route: each hop is the oracle's, over a way that leads there, and there are as many as the distance. */
TEST_LOOP(routes, 0, G_N_ELEMENTS(mesh_cases))
{
    const MeshCase *c = &mesh_cases[_i];
    const Group *sides = group_parse("", c->sides, NULL);
    Topology mesh;
    Oracle o = {.n = sides->n, .n_sides = sides->n_factors};
    memcpy(o.side, sides->factor, sides->n_factors * sizeof *o.side);
    oracle_lay_out(&o, c->order);
    ck_assert(topology_init(&mesh, &topology_mesh, sides->n, sides, c->order));
    for (guint from = 0; from < o.n; from++) {
        ck_assert_uint_eq(topology_address(&mesh, topology_place(&mesh, from)), from);
        for (guint to = 0; to < o.n; to++) {
            guint hops = 0;
            for (guint at = from; at != to; hops++) {
                guint way = topology_way(&mesh, at, to), next = topology_next(&mesh, at, way);
                ck_assert_uint_lt(way, mesh.n_ways);
                ck_assert_uint_eq(next, oracle_next(&o, at, to));
                ck_assert_uint_eq(topology_way(&mesh, at, next), way);
                at = next;
            }
            ck_assert_uint_eq(hops, topology_distance(&mesh, from, to));
        }
    }
}

/* The sides that follow from the number of processors; 2 x 3^10 has the most ways but one. */
TEST(usual_sides)
{
    static const struct {
        guint n;
        const char *sides;
        guint n_ways;
    } cases[] = {{1, "1", 0}, {2, "2", 1}, {7, "7", 2}, {12, "3x4", 4}, {64, "8x8", 4}, {6, "2x3", 3}};
    Topology mesh;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert(topology_init(&mesh, &topology_mesh, cases[i].n, NULL, TOPOLOGY_ROW));
        ck_assert_str_eq(mesh.sides->name, cases[i].sides);
        ck_assert_uint_eq(mesh.n_ways, cases[i].n_ways);
    }
    const Group *threes = group_parse("", "3x3x3x3x3x3x3x3x3x3x3", NULL);
    ck_assert(topology_init(&mesh, &topology_mesh, threes->n, threes, TOPOLOGY_ROW));
    ck_assert_uint_eq(mesh.n_ways, TOPOLOGY_WAYS_MAX);
    ck_assert(!topology_init(&mesh, &topology_mesh, threes->n, threes, TOPOLOGY_GRAY));
    ck_assert(!topology_init(&mesh, &topology_mesh, 8, threes, TOPOLOGY_ROW));
}

/* --- a mesh of twos is the cube --- */

static void as_on_cube(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    const Machine *const *machines = user;
    char *texts[2];
    EngineResult results[2];
    gint64 prices[2];
    for (guint i = 0; i < 2; i++) {
        Machine ported = test_machine_for(machines[i], problem->algorithm);
        g_autoptr(Trace) trace = trace_new();
        results[i] = test_run(schedule, &ported, trace);
        trace_sort(trace);
        const Topology topology = machine_topology(machines[i], schedule_n_nodes(schedule));
        texts[i] = trace_file_text(trace, &topology, TRACE_CSV);
        prices[i] = price_time(schedule, &ported);
    }
    g_autofree char *text = test_describe(problem);
    ck_assert_msg(results[0].time_ps == results[1].time_ps, "%s", text);
    ck_assert_int_eq(prices[0], prices[1]);
    ck_assert_int_eq(memcmp(&results[0].network, &results[1].network, sizeof results[0].network), 0);
    ck_assert_str_eq(texts[0], texts[1]);
    for (guint i = 0; i < 2; i++) {
        engine_result_clear(&results[i]);
        g_free(texts[i]);
    }
}

TEST_LOOP(twos_are_the_cube, 1, test_upto(3, 5))
{
    static const char *const names[] = {"ipsc860", "ipsc860:unforced", "ipsc2", "ncube2", "bokhari1993"};
    g_autoptr(GString) sides = g_string_new("sides=2");
    for (int i = 1; i < _i; i++)
        g_string_append(sides, "x2");
    for (guint m = 0; m < G_N_ELEMENTS(names); m++) {
        g_autoptr(Machine) cube = test_machine(names[m], NULL);
        gboolean all = cube->ports == PORTS_ALL;      /* which machine files do not give a mesh */
        g_autoptr(Machine) mesh = TEST_MACHINE(names[m], "topology=mesh", sides->str, all ? "ports=one" : NULL);
        mesh->ports = cube->ports;
        const Machine *const machines[] = {cube, mesh};
        test_each_schedule((guint)_i, as_on_cube, machines);
    }
}

TESTS(mesh, direct_as_the_oracle_has_it, routes, usual_sides, twos_are_the_cube)
