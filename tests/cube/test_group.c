/* Groups and networks. */
#include "sim/cube/group.h"
#include "sim/cube/topology.h"
#include "sim/show/waits.h"
#include "tests/support/tests.h"

/* x + 0, x + y - y, and one sum for each y; the cube's addition is xor. */
TEST_LOOP(adds, 0, 7)
{
    static const char *const names[] = {"1", "2", "5", "12", "4x6", "3x2x2", "2x2x2"};
    const Group *group = group_parse("", names[_i], NULL);
    ck_assert_str_eq(group->name, names[_i]);
    for (guint x = 0; x < group->n; x++) {
        g_autofree gboolean *seen = g_new0(gboolean, group->n);
        for (guint y = 0; y < group->n; y++) {
            guint sum = group_add(group, x, y);
            ck_assert(sum < group->n && !seen[sum]);
            seen[sum] = TRUE;
            ck_assert_uint_eq(group_subtract(group, sum, y), x);
            ck_assert_uint_eq(sum, group_add(group, y, x));
        }
        ck_assert_uint_eq(group_add(group, x, 0), x);
    }
    ck_assert(group_parse("", "2x2x2", NULL) == group_of_cube(3));
    ck_assert_uint_eq(group_add(group_parse("", "4x6", NULL), 11, 14), 19);    /* (1,5) + (2,2) = (3,1) */
}

/* What is made of `given` with a word, and without one; "": refused. */
TEST_LOOP(decides, 0, 9)
{
    static const struct {
        const char *given, *on_cube, *elsewhere, *by_xor, *by_addition;
    } cases[] = {
        {"1", "1", "1", "1", "1"},           {"2", "2", "2", "2", "2"},           {"12", "12", "12", "", "12"},
        {"16", "2x2x2x2", "16", "2x2x2x2", "16"}, {"4x4", "4x4", "4x4", "", "4x4"},    {"4x6", "4x6", "4x6", "", "4x6"},
        {"2x2x2", "2x2x2", "2x2x2", "2x2x2", ""}, {"2x2", "2x2", "2x2", "2x2", ""},    {"3", "3", "3", "", "3"}};
    const Group *given = group_parse("", cases[_i].given, NULL);
    const Group *of[] = {group_decide(given, "", NULL, TRUE, NULL), group_decide(given, "", NULL, FALSE, NULL),
                         group_decide(given, "", "xor", _i % 2, NULL),
                         group_decide(given, "", "addition", _i % 2, NULL)};
    const char *const names[] = {cases[_i].on_cube, cases[_i].elsewhere, cases[_i].by_xor, cases[_i].by_addition};
    for (guint i = 0; i < G_N_ELEMENTS(of); i++)
        ck_assert_str_eq(of[i] ? of[i]->name : "", names[i]);
}

/* A network that is not in the program, as a new one is: a line of nodes. */
static gboolean init_line(Topology *topology)
{
    topology->n_ways = 2;
    return TRUE;
}

static guint way_on_line(const Topology *topology, guint at, guint to)
{
    return to > at;
}

static guint next_on_line(const Topology *topology, guint at, guint way)
{
    return way ? at + 1 : at - 1;
}

static guint distance_on_line(const Topology *topology, guint from, guint to)
{
    return from < to ? to - from : from - to;
}

static gboolean is_never(const Topology *topology, const Group *group)
{
    return FALSE;
}

/* Simulates Direct with 10 bytes a block, by addition modulo n, on the machine with a network of this class. Sets the
 * schedule, which the caller frees. */
static EngineResult direct_on(const TopologyClass *class, guint n, Machine *machine, Schedule **schedule, Trace *trace)
{
    machine->topology = topology_add(class);
    Problem problem = problem_new(algorithm_find("", pattern_default(), FALSE, "direct", NULL), 2);
    problem.group = group_cyclic(n);
    problem.data = division_whole(10);
    *schedule = schedule_make(&problem);
    return test_run(*schedule, machine, trace);
}

/* In step i of Direct on a line of three, by addition modulo 3, the message to x + i that does not go one way goes the
 * other, over two channels: of 0 -> 1, 1 -> 2, 2 -> 0 none meet; of 0 -> 2, 1 -> 0, 2 -> 1 neither. */
TEST(network_of_its_own)
{
    static const TopologyClass line = {.name = "line", .init = init_line, .way = way_on_line, .next = next_on_line,
                                       .is_alike = is_never, .distance = distance_on_line};
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    g_autoptr(Schedule) schedule = NULL;
    g_autoptr(Trace) trace = trace_new();
    g_auto(EngineResult) result = direct_on(&line, 3, machine, &schedule, trace);
    gint64 hop = machine->terms.delta_hop_ps;
    gint64 message = machine->delta_ps + machine->terms.lambda_ps +
                     (gint64)machine_bytes_ps(machine->terms.tau_fs_per_byte, 10);
    ck_assert(!result.fault && !result.stuck);
    ck_assert_int_eq(price_time(schedule, machine), 2 * message + 4 * hop);
    ck_assert_int_eq(result.time_ps, price_time(schedule, machine));
    trace_sort(trace);
    g_autoptr(GArray) used = waits_use(trace, machine, 3);
    ck_assert_uint_eq(used->len, 4 + 3);    /* all channels, and the receive ports */
}

static guint way_on_ring(const Topology *topology, guint at, guint to)
{
    return 0;
}

static guint next_on_ring(const Topology *topology, guint at, guint way)
{
    return way ? (at + 3) % 4 : (at + 1) % 4;
}

static guint distance_on_ring(const Topology *topology, guint from, guint to)
{
    return (to + 4 - from) % 4;
}

/* On a ring of four messages go one way. Those from 3 to 2 and from 1 to 0 cross three channels each: 3->0, 0->1, 1->2
 * and 1->2, 2->3, 3->0. Each has the other's last one, for ever. */
TEST(messages_in_a_circle)
{
    static const TopologyClass ring = {.name = "ring", .init = init_line, .way = way_on_ring, .next = next_on_ring,
                                       .is_alike = is_never, .distance = distance_on_ring};
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    g_autoptr(Schedule) schedule = NULL;
    g_auto(EngineResult) result = direct_on(&ring, 4, machine, &schedule, NULL);
    static const char expected[] =
        "messages wait in a circle: that from 3 to 2 waits for channel 1->2, which that from 1 to 0 holds; that from 1 "
        "to 0 waits for channel 3->0, which that from 3 to 2 holds";
    ck_assert_str_eq(result.stuck, expected);
}

TESTS(group, adds, decides, network_of_its_own, messages_in_a_circle)
