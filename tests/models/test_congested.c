/* Steps that share channels: loads worked by hand, the cube without any, the hull and the bound that follow. */
#include "models/congested.h"
#include "models/hull_bound.h"
#include "tests/support/tests.h"

static const CongestedStep *steps_on(const char *sides, const Group *group)
{
    Topology mesh;
    ck_assert(topology_init(&mesh, &topology_mesh, group->n, group_parse("", sides, NULL), TOPOLOGY_ROW));
    return congested_steps(&mesh, group);
}

static guint sum_of_loads(const CongestedStep *steps, guint n)
{
    guint sum = 0;
    for (guint s = 1; s < n; s++)
        sum += steps[s].load;
    return sum;
}

/* On a line, s messages by addition of s cross the middle one way, and n - s the other: those that wrap. */
TEST(line_by_addition)
{
    for (guint n = 2; n <= 20; n++) {
        g_autofree char *sides = g_strdup_printf("%u", n);
        const CongestedStep *steps = steps_on(sides, group_cyclic(n));
        for (guint s = 1; s < n; s++) {
            ck_assert_uint_eq(steps[s].load, MIN(s, n - s));
            ck_assert_uint_eq(steps[s].hops, MAX(s, n - s));
        }
        ck_assert_uint_eq(sum_of_loads(steps, n), n * n / 4);
    }
}

/* A step of several sides has the load of its worst side: on 4x4, with 0, 1, 2, 1 of a side, one 2 makes 7 of 15 steps
 * a 2, and the other 8 have 1: 22. By xor a side has 0, 1, 2, 2: 12 steps with 2, 3 with 1. */
TEST(meshes)
{
    static const struct {
        const char *sides;
        guint by_addition, by_xor;
    } cases[] = {{"4x4", 22, 27}, {"8x8", 172, 0}, {"4x4x4", 100, 0}, {"4", 4, 5}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Group *group = group_parse("", cases[i].sides, NULL);
        ck_assert_uint_eq(sum_of_loads(steps_on(cases[i].sides, group), group->n), cases[i].by_addition);
        const Group *cube = group_of_cube(group->dimension);
        if (cases[i].by_xor)
            ck_assert_uint_eq(sum_of_loads(steps_on(cases[i].sides, cube), cube->n), cases[i].by_xor);
    }
}

/* E-cube routes share no channel in a step by xor; so the model is the cube's. */
TEST_LOOP(cubes_share_nothing, 1, 7)
{
    const Group *cube = group_of_cube((guint)_i);
    Topology network;
    g_autoptr(GString) twos = g_string_new("2");
    for (int i = 1; i < _i; i++)
        g_string_append(twos, "x2");
    const CongestedStep *on_mesh = steps_on(twos->str, cube);
    ck_assert(topology_init(&network, &topology_cube, cube->n, NULL, TOPOLOGY_ROW));
    const CongestedStep *on_cube = congested_steps(&network, cube);
    for (guint s = 1; s < cube->n; s++) {
        ck_assert_uint_eq(on_cube[s].load, 1);
        ck_assert_uint_eq(on_cube[s].hops, (guint)__builtin_popcount(s));
        ck_assert_int_eq(memcmp(&on_cube[s], &on_mesh[s], sizeof *on_cube), 0);
    }
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    for (guint n_steps = (guint)_i; n_steps < cube->n; n_steps++) {
        if (!offsets_known_of(cube, n_steps))
            continue;
        g_autoptr(Offsets) offsets = offsets_best(cube, n_steps);
        g_autoptr(GArray) alone = loads_of(cube, offsets, NULL), counted = loads_of(cube, offsets, on_mesh);
        ExchangeLine a = loads_line(alone, machine, 0, 0, 100), b = loads_line(counted, machine, 0, 0, 100);
        ck_assert_double_eq(a.intercept_ps, b.intercept_ps);
        ck_assert_double_eq(a.slope_ps_per_byte, b.slope_ps_per_byte);
    }
}

#define BARE "lambda=100", "tau=1", "rho=0", "delta=0", "delta_hop=0"

static void assert_line(const ExchangeLine *line, double us, double us_per_byte)
{
    ck_assert_double_eq_tol(line->intercept_ps / 1e6, us, 1e-9);
    ck_assert_double_eq_tol(line->slope_ps_per_byte / 1e6, us_per_byte, 1e-9);
}

/* A line of 4, by hand. {1,1}: 2m bytes by xor of 2, twice over the middle, then 2m bytes by xor of 1: 200 + 6m. {2}:
 * 1 + 2 + 2 loads: 300 + 5m. They meet at 100 bytes. By addition 2,2 sends 2m over 1, then 2m over 2: 200 + 6m; Direct
 * loads 1 + 2 + 1: 300 + 4m, better from 50 bytes on. */
TEST(hull_of_a_line)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", BARE, "topology=mesh", "sides=4");
    g_autoptr(Hull) cube = hull_of_machine(machine, 2, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
    ck_assert_uint_eq(cube->n_faces, 2);
    assert_line(&cube->faces[0].line, 200, 6);
    assert_line(&cube->faces[1].line, 300, 5);
    ck_assert_double_eq_tol(cube->faces[1].from_bytes, 100, 1e-9);
    g_autoptr(Hull) ring = hull_of_group(machine, group_cyclic(4), HULL_MIXED);
    ck_assert_uint_eq(ring->n_faces, 2);
    assert_line(&ring->faces[0].line, 200, 6);
    assert_line(&ring->faces[1].line, 300, 4);
    ck_assert_double_eq_tol(ring->faces[1].from_bytes, 50, 1e-9);
}

/* A partition whose phases follow the sides of the mesh is better than one with the same parts across them. */
TEST(order_counts)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=1000", "tau=1", "rho=1", "delta=0", "delta_hop=0",
                                              "topology=mesh", "sides=8x8");
    Phases aligned = {4, {2, 1, 2, 1}}, across = {4, {1, 1, 2, 2}};
    HullCosts costs = hull_costs(machine, 6, EXCHANGE_TRUE_DISTANCE, FALSE, 100);
    /* bits 2 and 5 have load 4, bits 1 and 4 load 2: {2} on the two highest of a side 2 + 4 + 4, of 16 blocks;
     * {1} on the lowest 1, of 32 blocks; and 4 shuffles of 64 blocks */
    ExchangeLine line = hull_partition_line(&costs, &aligned);
    ck_assert_double_eq_tol(line.slope_ps_per_byte / 1e6, 2 * (10 * 16 + 32) + 4 * 64, 1e-9);
    /* bit 5, bit 4, then bits 2 and 3 (4, 1, 4), then bits 0 and 1 (1, 2, 2) */
    line = hull_partition_line(&costs, &across);
    ck_assert_double_eq_tol(line.slope_ps_per_byte / 1e6, (4 + 2) * 32 + (9 + 5) * 16 + 4 * 64, 1e-9);
}

/* The bound of a mesh is that of its processors, or one message and the load of the bisection, if that is more. */
TEST(least_times)
{
    static const struct {
        const char *sides;
        guint load;
    } cases[] = {{"8x8", 128}, {"4x4", 16}, {"4x4x4", 64}, {"3x5", 18}, {"2x2x2", 7}, {"5", 6}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *sides = g_strconcat("sides=", cases[i].sides, NULL);
        g_autoptr(Machine) mesh = TEST_MACHINE("bokhari1993", BARE, "topology=mesh", sides);
        g_autoptr(Machine) crossbar = TEST_MACHINE("bokhari1993", BARE, "topology=crossbar");
        const Group *group = group_parse("", cases[i].sides, NULL);
        g_autoptr(Hull) bound = hull_bound(mesh, group), ports = hull_bound(crossbar, group);
        for (double bytes = 0; bytes < 1e5; bytes = 1.5 * bytes + 1) {
            double least = fmax(exchange_line_at(hull_lookup(ports, bytes)->line, bytes) / 1e6,
                                100 + bytes * cases[i].load);
            ck_assert_double_eq_tol(exchange_line_at(hull_lookup(bound, bytes)->line, bytes) / 1e6, least, 1e-6);
        }
        ck_assert_double_eq(bound->faces[0].from_bytes, 0);
        for (guint f = 1; f < bound->n_faces; f++)
            ck_assert_double_eq(bound->faces[f].from_bytes, bound->faces[f - 1].to_bytes);
        ck_assert(isinf(bound->faces[bound->n_faces - 1].to_bytes));
    }
}

TESTS(congested, line_by_addition, meshes, cubes_share_nothing, hull_of_a_line, order_counts, least_times)
