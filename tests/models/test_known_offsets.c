/* The lists known, the bound, and the search. */
#include "models/hull_bound.h"
#include "models/hull_regret.h"
#include "models/offsets.h"
#include "tests/support/tests.h"

/* Repetition codes, Hamming's and Golay's are perfect: they attain the bound. */
TEST(perfect_codes)
{
    static const struct {
        guint d, k;
        guint64 traffic;
    } perfect[] = {{2, 3, 3},     {4, 5, 25},     {6, 7, 154},      {3, 7, 7}, {5, 31, 31},
                   {7, 127, 127}, {11, 23, 5842}, {10, 1023, 1023}, {1, 1, 1}, {0, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(perfect); i++) {
        const OffsetsKnown *known = offsets_known_of(group_of_cube(perfect[i].d), perfect[i].k);
        ck_assert_uint_eq(offsets_bound((1u << perfect[i].d) - 1, perfect[i].k, 1), perfect[i].traffic);
        ck_assert_uint_eq(known->traffic, perfect[i].traffic);
    }
    ck_assert(offsets_bound(15, 3, 1) == G_MAXUINT64);
    ck_assert_uint_eq(offsets_bound(8, 2, 2), 4 + 2 * 4);   /* radices 3,3 */
    ck_assert_uint_eq(offsets_bound(26, 3, 2), 6 + 2 * 12 + 3 * 8);
    ck_assert(offsets_bound(9, 2, 2) == G_MAXUINT64);
    ck_assert(offsets_bound(((guint64)1 << 62) - 1, 62, 1) == (guint64)31 << 62);
}

/* By d, from k = d on; all beyond follow by one block each. */
static const guint64 least[][13] = {
    [3] = {12, 10, 9, 8, 7},
    [4] = {32, 25, 24, 23},
    [5] = {80, 66, 61, 57, 53, 52, 51},
    [6] = {192, 154, 145, 138, 130, 121, 115, 113, 112, 111},
    [7] = {448, 372, 345, 324, 304, 294, 283, 271, 258, 253, 247, 240, 235},
};

TEST_LOOP(traffic, 3, 8)
{
    for (guint i = 0; i < G_N_ELEMENTS(least[0]) && least[_i][i]; i++)
        ck_assert_uint_le(offsets_known_of(group_of_cube((guint)_i), (guint)_i + i)->traffic, least[_i][i]);
}

/* Lists are what the table says of them, no worse than partitions, no better than the bound, and fall. */
TEST_LOOP(tables, 0, 11)
{
    guint n, d = (guint)_i;
    const OffsetsKnown *known = offsets_known(group_of_cube(d), &n);
    ck_assert_uint_eq(known[n - 1].n_steps, (1u << d) - 1);
    for (guint i = 0; i < n; i++) {
        guint k = known[i].n_steps;
        guint64 partition = offsets_partition_traffic(d, k);
        g_autoptr(Offsets) offsets = offsets_best(group_of_cube(d), k);
        ck_assert_uint_eq(offsets->len, k);
        ck_assert_uint_eq(offsets_hops(offsets, group_of_cube(d)), known[i].hops);
        ck_assert(d > 8 || offsets_traffic(offsets, group_of_cube(d)) == known[i].traffic);
        ck_assert_uint_ge(known[i].traffic, offsets_bound((1u << d) - 1, k, 1));
        ck_assert(!partition || known[i].traffic <= partition);
        ck_assert(i == 0 || known[i].traffic < known[i - 1].traffic);
    }
}

/* By the number of processors, from the fewest messages on; the bounds are as worked out by hand where they differ. */
TEST(modulo)
{
    static const struct {
        guint n, k;
        guint64 traffic, bound;
    } reached[] = {{12, 4, 19, 19}, {12, 5, 17, 17}, {12, 6, 16, 16}, {24, 5, 49, 49}, {24, 6, 43, 42}, {24, 7, 39, 39},
                 {48, 6, 121, 120}, {48, 7, 106, 106}, {48, 8, 99, 97}, {48, 9, 93, 87}, {48, 10, 86, 84},
                 {48, 11, 83, 83}, {64, 7, 161, 154}, {64, 8, 145, 145}, {64, 9, 137, 135}, {64, 10, 130, 124},
                 {64, 11, 122, 115}, {64, 12, 116, 114}, {64, 13, 113, 113}};
    for (guint i = 0; i < G_N_ELEMENTS(reached); i++) {
        const Group *group = group_cyclic(reached[i].n);
        ck_assert_uint_le(offsets_known_of(group, reached[i].k)->traffic, reached[i].traffic);
        ck_assert_uint_eq(offsets_bound(reached[i].n - 1, reached[i].k, 1), reached[i].bound);
    }
    for (guint p = 3; p <= OFFSETS_MODULO_MAX; p++) {
        guint n;
        const Group *group = group_cyclic(p);
        const OffsetsKnown *known = offsets_known(group, &n);
        for (guint i = 0; i < n; i += 1 + i) {
            g_autoptr(Offsets) offsets = offsets_best(group, known[i].n_steps);
            ck_assert_uint_eq(offsets->len, known[i].n_steps);
            ck_assert_uint_eq(offsets_traffic(offsets, group), known[i].traffic);
            ck_assert_uint_ge(known[i].traffic, offsets_bound(p - 1, known[i].n_steps, 1));
            ck_assert_uint_le(known[i].traffic, p > 64 || !offsets_radices_traffic(group, known[i].n_steps)
                                                    ? G_MAXUINT64 : offsets_radices_traffic(group, known[i].n_steps));
        }
        ck_assert_uint_eq(known[n - 1].traffic, p - 1);
    }
}

/* Tries all offsets above `last` for those from `i` on. */
static guint64 try_all(Offsets *offsets, guint dimension, guint i, guint32 last)
{
    if (i == offsets->len)
        return offsets_traffic(offsets, group_of_cube(dimension));
    guint64 fewest = G_MAXUINT64;
    for (guint32 s = last + 1; s < cube_n_nodes(dimension); s++) {
        if (!(s & (s - 1)))
            continue;
        g_array_index(offsets, guint32, i) = s;
        fewest = MIN(fewest, try_all(offsets, dimension, i + 1, s));
    }
    return fewest;
}

/* The fewest traffic that any list of n_steps has: every list that spans is a change of basis away from one that begins
 * with the unit vectors. C(2^d - 1 - d, n_steps - d) lists are tried. */
static guint64 least_traffic(guint dimension, guint n_steps)
{
    g_autoptr(Offsets) offsets = offsets_new();
    for (guint i = 0; i < n_steps; i++)
        g_array_append_val(offsets, (guint32){i < dimension ? 1u << i : 0});
    return try_all(offsets, dimension, dimension, 0);
}

/* All lists of a cube are tried: those known are the best there are. At d = 5, k = 7 and 8, and d = 6, k = 9, none
 * attains the bound. */
TEST(exhaustive)
{
    for (guint d = 1; d <= 5; d++)
        for (guint k = d; k <= (d < 5 ? (1u << d) - 1 : 9); k++)
            ck_assert_uint_eq(least_traffic(d, k), offsets_known_of(group_of_cube(d), k)->traffic);
    ck_assert_uint_eq(least_traffic(5, 7), 61);
    ck_assert_uint_eq(least_traffic(5, 8), 57);
    ck_assert_uint_eq(least_traffic(6, 9), 138);
}

/* From a bad list the search comes to a good one; of what is best it says so, and finds fewer hops. */
TEST(search)
{
    const OffsetsKnown bad = {7, 192, 100}, best = {7, 154, 12}, long_way = {7, 154, 13};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    const Group *cube = group_of_cube(6);
    g_autoptr(Offsets) found = offsets_search(cube, 7, &bad, 20, random);
    g_autoptr(Offsets) none = offsets_search(cube, 7, &best, 20, random);
    g_autoptr(Offsets) shorter = offsets_search(cube, 7, &long_way, 20, random);
    ck_assert_uint_eq(offsets_traffic(found, group_of_cube(6)), 154);
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(offsets_hops(shorter, cube), 12);
}

/* --- the hull --- */

static gint64 priced_as(const Machine *machine, const Group *group, const char *algorithm, const Phases *partition,
                        const char *offsets, double bytes)
{
    Problem problem = problem_new(algorithm_find("", pattern_default(), FALSE, algorithm, NULL), group->dimension);
    problem.group = group;
    problem.partition = *partition;
    problem.offsets = offsets;
    problem.data = division_whole((gint64)bytes);
    problem.gathering = (Gathering){.how = machine->gather_fs_per_byte ? GATHER_COPY : GATHER_FREE};
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    return price_time(schedule, machine);
}

static gint64 priced(const Machine *machine, const HullFace *face, const Group *group, double bytes)
{
    g_autoptr(Offsets) offsets = hull_offsets(face, group);
    g_autofree char *text = offsets_format(offsets);
    return priced_as(machine, group, "offsets", &face->partition, text, bytes);
}

/* The lines of faces are the times of their schedules, and nothing falls short of the bound. */
TEST_LOOP(faces, 0, 8)
{
    static const char *const machines[][6] = {{"ipsc860"},
                                              {"ipsc860", "gather_cost=0.4"},
                                              {"bokhari1993", "rho=0"},
                                              {"bokhari1993", "gather_cost=0.5"},
                                              {"ncube2", "delta_hop=3"},
                                              {"ipsc860", "node=4", "lambda_node=20", "tau_node=0.05",
                                               "gather_cost=0.1"},
                                              {"ipsc2", "node=8", "delta_node=3"},
                                              {"ipsc2", "long_limit=256", "lambda_long=300", "tau_long=0.1",
                                               "gather_cost=0.1"}};
    g_autoptr(Machine) machine = test_machine(machines[_i][0], &machines[_i][1]);
    for (guint d = 1; d <= 6; d++) {
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_OFFSETS);
        g_autoptr(Hull) bound = hull_bound(machine, group_of_cube(d));
        for (guint i = 0; i < hull->n_faces; i++) {
            const HullFace *face = &hull->faces[i];
            double bytes = ceil(face->from_bytes) + 1;
            if (bytes > face->to_bytes)
                continue;
            ck_assert_int_eq(llround(exchange_line_at(face->line, bytes)),
                             priced(machine, face, group_of_cube(d), bytes));
            double limit = bound ? exchange_line_at(hull_lookup(bound, bytes)->line, bytes) : 0;
            ck_assert_double_ge(exchange_line_at(face->line, bytes), limit - 1);
            g_autoptr(Hull) at = hull_at(machine, group_of_cube(d), HULL_OFFSETS, bytes);
            ck_assert_double_eq_tol(exchange_line_at(hull_lookup(at, bytes)->line, bytes),
                                    exchange_line_at(face->line, bytes), 0.5);
        }
    }
}

/* The same of other groups on a crossbar, and of cubes there: of radices, and of lists where they are known. Nothing
 * that `run` knows is better. */
TEST_LOOP(faces_of_groups, 0, 10)
{
    static const char *const groups[] = {"3", "5", "7", "12", "13", "24", "33", "3x4", "4x6", "2x2x2x2"};
    static const char *const machines[][4] = {{"ipsc860", "gather_cost=0.4"},
                                              {"bokhari1993", "rho=0"},
                                              {"ipsc860:unforced", "gather_cost=0.1", "long_limit=200", "tau_long=0.1"},
                                              {"ipsc2", "rho=0"},
                                              {"ipsc2", "rho=0", "lambda_node=30", "tau_node=0.1"}};
    const Group *group = group_parse("", groups[_i], NULL);
    g_autofree char *node = g_strdup_printf("node=%" G_GINT64_FORMAT, group_block(group, 4));
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
        const char *const options[] = {machines[i][1], "topology=crossbar", machines[i][2] ? node : NULL,
                                       machines[i][2], machines[i][3], NULL};
        g_autoptr(Machine) machine = test_machine(machines[i][0], options);
        g_autoptr(Hull) bound = hull_bound(machine, group);
        for (guint lists = 0; lists < 2; lists++) {
            HullChoice choice = lists ? HULL_OFFSETS : HULL_MIXED;
            if (lists && !offsets_are_known(group))
                continue;
            g_autoptr(Hull) hull = hull_of_group(machine, group, choice);
            for (guint bytes = 1; bytes < 3000; bytes += 1 + bytes / 5) {
                const HullFace *face = hull_lookup(hull, bytes);
                double promise = exchange_line_at(face->line, bytes);
                ck_assert_int_eq(llround(promise),
                                 lists ? priced(machine, face, group, bytes)
                                       : priced_as(machine, group, "multiphase", &face->partition, NULL, bytes));
                ck_assert_double_ge(promise, exchange_line_at(hull_lookup(bound, bytes)->line, bytes) - 1);
                g_autoptr(Hull) at = hull_at(machine, group, choice, bytes);
                ck_assert_double_eq_tol(exchange_line_at(hull_lookup(at, bytes)->line, bytes), promise, 0.5);
            }
        }
    }
}

/* The best radices at one size are the best of all that `run` has; and the line of each is its time. */
TEST_LOOP(best_radices, 0, 5)
{
    static const guint processors[] = {6, 9, 12, 17, 20};
    const Group *group = group_cyclic(processors[_i]);
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc2", "gather_cost=0.05", "topology=crossbar", "long_limit=400",
                                              "lambda_long=900", "tau_long=0.1");
    g_autoptr(GArray) all = offsets_all_radices(group);
    for (guint bytes = 8; bytes < 2000; bytes *= 3) {
        gint64 best = G_MAXINT64;
        for (guint i = 0; i < all->len; i++) {
            const Phases *radices = &g_array_index(all, Phases, i);
            gint64 time = priced_as(machine, group, "multiphase", radices, NULL, bytes);
            ck_assert_int_eq(llround(exchange_line_at(hull_line_at(machine, group, radices, bytes), bytes)), time);
            best = MIN(best, time);
        }
        g_autoptr(Hull) hull = hull_of_group(machine, group, HULL_MIXED);
        ck_assert_int_eq(llround(exchange_line_at(hull_lookup(hull, bytes)->line, bytes)), best);
    }
}

/* One radix as libraries have it: the blocks whose digit is j, counted one by one. With a start-up of 1 µs and 1 µs a
 * byte a line is the rounds and the traffic. */
TEST(one_radix)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=1", "tau=1", "delta=0", "delta_hop=0", "rho=0",
                                              "topology=crossbar");
    for (guint n = 4; n < 70; n += 1 + n / 6) {
        g_autoptr(GArray) members = members_of_one_radix(group_cyclic(n), 1);
        ck_assert_uint_eq(members->len, n - 2);     /* a radix of n - 1 is Direct, as n is */
        for (guint i = 0; i < members->len; i++) {
            guint radix = i + 1 < members->len ? i + 2 : n, rounds = 0, moved = 0;
            for (guint64 stride = 1; stride < n; stride *= radix)
                for (guint j = 1; j < radix; j++) {
                    rounds += j * stride < n;
                    for (guint g = 0; g < n; g++)
                        moved += g / stride % radix == j;
                }
            ExchangeLine line = loads_line(g_array_index(members, Member, i).loads, machine, 0, 0, 1);
            ck_assert_double_eq(line.intercept_ps, 1e6 * rounds);
            ck_assert_double_eq(line.slope_ps_per_byte, 1e6 * moved);
        }
    }
}

/* A cube on a crossbar: every message has one hop. */
TEST_LOOP(cubes_on_crossbars, 0, 3)
{
    static const char *const machines[][4] = {{"bokhari1993", "delta_hop=3", "gap=40"}, {"ipsc860"}, {"ipsc2"}};
    g_autoptr(Machine) machine = test_machine(
        machines[_i][0], (const char *[]){"topology=crossbar", machines[_i][1], machines[_i][2], NULL});
    for (guint d = 1; d <= 4; d++)
        for (guint bytes = 1; bytes < 2000; bytes *= 3) {
            Phases partition = partition_standard(d);
            do {
                ExchangeLine line = hull_line_at(machine, group_of_cube(d), &partition, bytes);
                const char *algorithm = machine->overlaps ? "multiphase-linear" : "multiphase";
                ck_assert_int_eq(llround(exchange_line_at(line, bytes)),
                                 priced_as(machine, group_of_cube(d), algorithm, &partition, NULL, bytes));
            } while (partition_next(&partition));
        }
}

/* The bound is about one message of a processor at a time. */
TEST(several_at_a_time)
{
    g_autoptr(Machine) all = TEST_MACHINE("ncube2", "duplex=full"), one = TEST_MACHINE("ncube2", "ports=one");
    g_autoptr(Machine) gap = TEST_MACHINE("bokhari1993", "gap=40");
    ck_assert_ptr_null(hull_bound(all, group_of_cube(4)));
    ck_assert_ptr_null(hull_bound(gap, group_of_cube(4)));
    g_autoptr(Hull) bound = hull_bound(one, group_of_cube(4));
    ck_assert_ptr_nonnull(bound);
}

/* No list of the table is better than the hull, also where hops make others best than start-ups and bytes do. */
TEST_LOOP(none_is_better, 0, 4)
{
    static const char *const machines[][4] = {{"ipsc860"}, {"bokhari1993", "rho=0", "delta_hop=40"},
                                              {"ipsc860:unforced", "long_limit=200", "tau_long=0.1"},
                                              {"ipsc2", "gather_cost=0.05"}};
    g_autoptr(Machine) machine = test_machine(machines[_i][0], &machines[_i][1]);
    for (guint d = 1; d <= 6; d++) {
        guint n;
        const OffsetsKnown *known = offsets_known(group_of_cube(d), &n);
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_OFFSETS);
        for (guint bytes = 1; bytes < 600; bytes += 1 + bytes / 8) {
            double best = exchange_line_at(hull_lookup(hull, bytes)->line, bytes);
            for (guint i = 0; i < n; i++) {
                HullFace list = {.partition = {1, {d}}, .n_steps = {known[i].n_steps}};
                ck_assert_double_le(best, (double)priced(machine, &list, group_of_cube(d), bytes) + 1);
            }
        }
    }
}

/* What Multiphase loses at worst where nothing but start-ups and bytes takes time, and how far lists are from the
 * bound, in per mille. */
TEST(worth)
{
    static const int partitions[] = {67, 53, 83, 79}, lists[] = {0, 35, 33, 42};
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "rho=0");
    for (guint i = 0; i < 4; i++) {
        g_autoptr(Hull) all = hull_of_machine(machine, 4 + i, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_OFFSETS);
        g_autoptr(Hull) phases = hull_of_machine(machine, 4 + i, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
        g_autoptr(Hull) bound = hull_bound(machine, group_of_cube(4 + i));
        ck_assert_int_eq(lround(1000 * hull_regret(phases, all, 0).ratio), partitions[i]);
        ck_assert_int_eq(lround(1000 * hull_regret(all, bound, 0).ratio), lists[i]);
    }
}

/* On two rails four rounds reach 3^4 = 81 processors: 8 of 63 blocks are sent once, 24 twice and 31 three times. In 32
 * rounds each is sent once. */
TEST(bound_on_rails)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "ports=2", "pairwise_sync=false", "duplex=full",
                                                "topology=crossbar");
    g_autoptr(Hull) bound = hull_bound(machine, group_of_cube(6));
    const HullFace *first = &bound->faces[0], *last = &bound->faces[bound->n_faces - 1];
    double byte_ps = machine_byte_ps(machine->terms.tau_fs_per_byte);
    ck_assert_uint_eq(first->n_steps[0], 4);
    ck_assert_double_eq_tol(first->line.slope_ps_per_byte, 149 * byte_ps / 2, 1e-6);
    ck_assert_uint_eq(last->n_steps[0], 32);
    ck_assert_double_eq_tol(last->line.slope_ps_per_byte, 63 * byte_ps / 2, 1e-6);
}

TESTS(known_offsets, perfect_codes, modulo, traffic, tables, exhaustive, search, faces, faces_of_groups, best_radices,
      one_radix, cubes_on_crossbars, several_at_a_time, none_is_better, worth,
      bound_on_rails)
