/* The hull of optimality: Bokhari's and Nicol's published values, and three ways to find it against each other. */
#include "models/hull.h"
#include "tests/support/tests.h"

static void assert_face(const HullFace *face, double from, double to, const char *partition)
{
    g_autofree char *text = partition_format(&face->partition);
    ck_assert_str_eq(text, partition);
    ck_assert_double_eq_tol(face->from_bytes, from, 0.005);
    if (isinf(to))
        ck_assert(isinf(face->to_bytes));
    else
        ck_assert_double_eq_tol(face->to_bytes, to, 0.005);
}

/* Bokhari 1993, figure 1: d = 4 {1111} {22} {4} with vertices at 4.58 and 29.12; d = 6 {111111} {222} {33} {6}. The
 * vertex of {33} and {6}, by hand: 352 m + 1540 = 190 m + 6930, m = 5390/162. */
TEST(textbook)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    g_autoptr(Hull) four = hull_of_machine(machine, 4, EXCHANGE_AVERAGE_DISTANCE, TRUE, HULL_MIXED);
    ck_assert_uint_eq(four->n_faces, 3);
    assert_face(&four->faces[0], 0, 4.58, "1,1,1,1");
    assert_face(&four->faces[1], 4.58, 29.12, "2,2");
    assert_face(&four->faces[2], 29.12, INFINITY, "4");
    g_autoptr(Hull) six = hull_of_machine(machine, 6, EXCHANGE_AVERAGE_DISTANCE, TRUE, HULL_MIXED);
    ck_assert_uint_eq(six->n_faces, 4);
    assert_face(&six->faces[0], 0, 1.146, "1,1,1,1,1,1");
    assert_face(&six->faces[1], 1.146, 4.297, "2,2,2");
    assert_face(&six->faces[2], 4.297, 5390.0 / 162, "3,3");
    assert_face(&six->faces[3], 5390.0 / 162, INFINITY, "6");
}

/* {112} at d = 4 goes through the vertex of {1111} and {22} and is no face. */
TEST(touching_is_no_face)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    HullCosts costs = hull_costs(machine, 4, EXCHANGE_AVERAGE_DISTANCE, TRUE, INFINITY);
    Phases touching = partition_equipartition(4, 3), ones = partition_equipartition(4, 4);
    Phases twos = partition_equipartition(4, 2);
    g_autoptr(Hull) hull = hull_of_machine(machine, 4, EXCHANGE_AVERAGE_DISTANCE, TRUE, HULL_MIXED);
    double vertex = 4.0 * 110 / (16 * (4 * 1 + 2)); /* ibid., proof of Theorem 1: 4(lambda+delta)/(2^d(4rho+tau)) */
    ck_assert_double_eq_tol(exchange_line_at(hull_partition_line(&costs, &touching), vertex),
                            exchange_line_at(hull_partition_line(&costs, &ones), vertex), 1);
    ck_assert_double_eq_tol(exchange_line_at(hull_partition_line(&costs, &touching), vertex),
                            exchange_line_at(hull_partition_line(&costs, &twos), vertex), 1);
    for (guint i = 0; i < hull->n_faces; i++)
        ck_assert(!partition_equal(&hull->faces[i].partition, &touching));
}

static void assert_same(const Hull *a, const Hull *b, const char *what, guint d)
{
    ck_assert_msg(a->n_faces == b->n_faces, "%s, d = %u: %u faces against %u", what, d, a->n_faces, b->n_faces);
    for (guint i = 0; i < a->n_faces; i++) {
        ck_assert_msg(partition_equal(&a->faces[i].partition, &b->faces[i].partition), "%s, d = %u, face %u", what, d,
                      i);
        ck_assert_double_eq_tol(a->faces[i].from_bytes, b->faces[i].from_bytes, 1e-9 * (1 + a->faces[i].from_bytes));
    }
}

/* Whether the next face of a hull may be `line` from `at` on rather than the present `best`: the first to meet the face
 * before it, and the flattest of those that do so there. */
static gboolean comes_first(double at, ExchangeLine line, const HullFace *best)
{
    gboolean same = isfinite(best->from_bytes) && fabs(at - best->from_bytes) <= 1e-12 * MAX(at, best->from_bytes);
    return same ? line.slope_ps_per_byte < best->line.slope_ps_per_byte : at < best->from_bytes;
}

/* The face after `last`, of all partitions or of equipartitions alone; the first, from its time at 0 on, if there is
 * none. */
static HullFace next_face(const HullCosts *costs, gboolean equal, const HullFace *last)
{
    HullFace best = {.from_bytes = INFINITY};
    Phases partition = partition_standard(costs->dimension);
    do {
        ExchangeLine line = hull_partition_line(costs, &partition);
        double flatter = last ? last->line.slope_ps_per_byte - line.slope_ps_per_byte : 1;
        double at = (line.intercept_ps - (last ? last->line.intercept_ps : 0)) / flatter;
        if (equal && !partition_is_equipartition(&partition))
            continue;
        if ((!last || flatter > 1e-12 * last->line.slope_ps_per_byte) && comes_first(at, line, &best))
            best = (HullFace){at, INFINITY, line, partition, {0}, 0, NULL};
    } while (partition_next(&partition));
    return best;
}

/* The hull by brute force over every partition, or equipartition: the independent check. */
static Hull *find_brute(const HullCosts *costs, gboolean equal)
{
    GArray *faces = g_array_new(FALSE, FALSE, sizeof(HullFace));
    HullFace face = next_face(costs, equal, NULL);
    for (face.from_bytes = 0; isfinite(face.from_bytes); face = next_face(costs, equal, &face))
        g_array_append_val(faces, face);
    Hull *hull = g_new(Hull, 1);
    *hull = (Hull){faces->len, &g_array_index(faces, HullFace, 0)};
    g_array_free(faces, FALSE);
    return hull;
}

/* Equipartitions alone (Bokhari 1993, Theorems 1-3), the shortest path, and all partitions one by one, for every d up
 * to 24. */
TEST_LOOP(three_ways, 0, 3)
{
    static const char *const machines[] = {"bokhari1993", "ipsc860", "ncube2"};
    g_autoptr(Machine) machine = test_machine(machines[_i], NULL);
    for (guint d = 0; d <= 24; d++)
        for (guint shuffle = 0; shuffle < 2; shuffle++) {
            HullCosts published = hull_costs(machine, d, EXCHANGE_AVERAGE_DISTANCE, shuffle, INFINITY);
            g_autoptr(Hull) brute = find_brute(&published, FALSE);
            g_autoptr(Hull) equal = find_brute(&published, TRUE);
            g_autoptr(Hull) any = hull_find(&published);
            assert_same(equal, brute, "equipartitions against brute force", d);
            assert_same(any, brute, "shortest path against brute force", d);
            g_autoptr(Hull) few = d ? hull_find_equal(&published) : NULL;
            if (few)
                assert_same(few, brute, "candidates of sec. 3.5 against brute force", d);
            HullCosts exact = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, shuffle, INFINITY);
            g_autoptr(Hull) exact_brute = find_brute(&exact, FALSE);
            g_autoptr(Hull) exact_any = hull_find(&exact);
            assert_same(exact_any, exact_brute, "true distances", d);
        }
}

/* Where distances cost a lot, a partition whose parts differ by two can be best; the hull must say so. */
TEST(non_equipartition)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=1", "delta=0", "delta_hop=1000", "rho=0");
    guint found = 0;
    for (guint d = 2; d <= 12; d++) {
        HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, INFINITY);
        g_autoptr(Hull) any = hull_find(&costs);
        g_autoptr(Hull) brute = find_brute(&costs, FALSE);
        assert_same(any, brute, "dear hops", d);
        for (guint i = 0; i < any->n_faces; i++)
            found += !partition_is_equipartition(&any->faces[i].partition);
    }
    ck_assert_uint_gt(found, 0);
}

/* Bokhari 1993, sec. 3.5: between 2√d - 1 and 3√d faces, √d rounded down in both; and faces join without
 * gaps, slopes falling. */
TEST(face_counts)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint d = 0; d <= PARTITION_DIMENSION_MAX; d++) {
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_AVERAGE_DISTANCE, TRUE, HULL_MIXED);
        guint root = (guint)sqrt(d);
        ck_assert_uint_ge(hull->n_faces, d ? 2 * root - 1 : 1);
        ck_assert_uint_le(hull->n_faces, d ? 3 * root : 1);
        for (guint i = 0; i < hull->n_faces; i++) {
            const HullFace *face = &hull->faces[i];
            guint sum = 0;
            for (guint p = 0; p < face->partition.n_parts; p++)
                sum += face->partition.part[p];
            ck_assert_uint_eq(sum, d);
            ck_assert_double_lt(face->from_bytes, face->to_bytes);
            ck_assert_double_eq(face->from_bytes, i ? hull->faces[i - 1].to_bytes : 0);
            if (i)
                ck_assert_double_lt(face->line.slope_ps_per_byte, hull->faces[i - 1].line.slope_ps_per_byte);
        }
    }
}

TEST(lookup)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint d = 1; d <= 20; d++) {
        HullCosts costs = hull_costs(machine, d, EXCHANGE_AVERAGE_DISTANCE, TRUE, INFINITY);
        g_autoptr(Hull) hull = hull_find(&costs);
        ck_assert_ptr_eq(hull_lookup(hull, 0), &hull->faces[0]);
        for (guint i = 0; i < hull->n_faces; i++) {
            ck_assert_ptr_eq(hull_lookup(hull, hull->faces[i].from_bytes), &hull->faces[i]);
            double inside = i + 1 < hull->n_faces ? (hull->faces[i].from_bytes + hull->faces[i].to_bytes) / 2
                                                  : 2 * hull->faces[i].from_bytes + 1;
            ck_assert_ptr_eq(hull_lookup(hull, inside), &hull->faces[i]);
            Phases best = hull_best_at(&costs, inside);
            ck_assert(partition_equal(&best, &hull->faces[i].partition));
        }
    }
}

/* Machines with short messages: at every size the hull's face is the best of all partitions, each phase charged with
 * the constants of its own messages. */
TEST(short_messages)
{
    g_autoptr(Machine) machine = test_machine("ipsc2", NULL);
    for (guint d = 1; d <= 9; d++) {
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
        for (double bytes = 0; bytes < 1000; bytes++) {     /* with every size at which messages become long */
            HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
            const HullFace *face = hull_lookup(hull, bytes);
            double least = INFINITY;
            Phases partition = partition_standard(d);
            do
                least = fmin(least, exchange_line_at(hull_partition_line(&costs, &partition), bytes));
            while (partition_next(&partition));
            ck_assert_double_eq_tol(exchange_line_at(face->line, bytes), least, 1e-9 * least);
            ck_assert_double_eq_tol(exchange_line_at(hull_partition_line(&costs, &face->partition), bytes), least,
                                    1e-9 * least);
        }
    }
}

/* The least time of all compositions of d, in any order of the parts, by the pricer. */
static gint64 least_priced(const Machine *machine, guint d, double bytes, const HullCosts *costs)
{
    gint64 least = G_MAXINT64;
    for (guint cuts = 0; cuts < 1u << (d - 1); cuts++) {
        Problem problem = problem_new(algorithm_find("", pattern_default(), FALSE, "multiphase", NULL), d);
        problem.partition = (Phases){.n_parts = 1, .part = {1}};
        for (guint bit = 0; bit + 1 < d; bit++)
            problem.partition.part[(problem.partition.n_parts += cuts >> bit & 1) - 1]++;
        problem.data = division_whole((gint64)bytes);
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        gint64 time = price_time(schedule, machine);
        ck_assert_int_eq(llround(exchange_line_at(hull_partition_line(costs, &problem.partition), bytes)), time);
        least = MIN(least, time);
    }
    return least;
}

/* With nodes the order of the parts matters. */
TEST_LOOP(nodes, 0, 4)
{
    static const char *const machines[][6] = {
        {"bokhari1993", "rho=0", "node=8", "lambda_node=10", "tau_node=0.2", "delta_node=0"},
        {"ipsc860", "node=4", "lambda_node=20"},
        {"ipsc2", "node=2", "tau_node=0.05", "topology=crossbar"},
        {"ncube2", "node=16", "delta_node=7"}};
    const char *options[6] = {NULL};
    for (guint i = 0; i < 5; i++)
        options[i] = machines[_i][i + 1];
    g_autoptr(Machine) machine = test_machine(machines[_i][0], options);
    for (guint d = 1; d <= 6; d++) {
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
        for (double bytes = 1; bytes < 4000; bytes = 3 * bytes + 1) {
            const HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
            gint64 least = least_priced(machine, d, bytes, &costs);
            const HullFace *face = hull_lookup(hull, bytes);
            ck_assert_int_eq(llround(exchange_line_at(face->line, bytes)), least);
            ck_assert_int_eq(llround(exchange_line_at(hull_partition_line(&costs, &face->partition), bytes)), least);
        }
    }
}

/* Appends an option of a machine, with a value of 10^low to 10^high in thousandths. */
static void add_random(GPtrArray *options, GRand *random, const char *key, double low, double high)
{
    double value = floor(1000 * pow(10, g_rand_double_range(random, low, high))) / 1000;
    g_ptr_array_add(options, g_strdup_printf("%s=%.3f", key, value));
}

/* Returns a machine of that kind whose three pieces, constants and limits, are drawn at random. */
static Machine *three_pieces(GRand *random, const char *kind)
{
    static const char *const drawn[] = {"lambda_short", "lambda_long", "tau_short", "tau_long", "lambda", "tau", "rho"};
    g_autoptr(GPtrArray) options = g_ptr_array_new_with_free_func(g_free);
    gint32 limit = g_rand_int_range(random, 1, 300);
    g_ptr_array_add(options, g_strdup(kind));
    g_ptr_array_add(options, g_strdup_printf("short_limit=%d", limit));
    g_ptr_array_add(options, g_strdup_printf("long_limit=%d", limit + g_rand_int_range(random, 0, 1000)));
    for (guint i = 0; i < G_N_ELEMENTS(drawn); i++)
        add_random(options, random, drawn[i], drawn[i][0] == 'l' ? 1 : -2, drawn[i][0] == 'l' ? 3 : 0.5);
    add_random(options, random, "delta_hop_long", 0, 2);
    g_ptr_array_add(options, NULL);
    return test_machine("bokhari1993", (const char *const *)options->pdata);
}

/* Three pieces: at every size the hull is the least price of all partitions, in any order. Sizes are drawn at random,
 * and around each at which messages of a phase reach a limit. */
TEST_LOOP(pieces, 0, 4)
{
    static const char *const kinds[] = {"delta=3", "node=4", "topology=crossbar", "pairwise_sync=true"};
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    for (guint n = 0; n < 12; n++) {
        g_autoptr(Machine) machine = three_pieces(random, kinds[_i]);
        guint d = 1 + n % 5;
        g_autoptr(Hull) hull = hull_of_machine(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
        for (guint i = 0; i < 4 * d + 8; i++) {
            gint64 limit = (i & 1 ? machine->long_limit : machine->short_limit) >> i / 4;
            gint64 bytes = i < 4 * d ? limit + (i >> 1 & 1) : (gint64)pow(10, g_rand_double_range(random, 0, 4));
            const HullCosts costs = hull_costs(machine, d, EXCHANGE_TRUE_DISTANCE, FALSE, (double)bytes);
            const HullFace *face = hull_lookup(hull, (double)bytes);
            gint64 least = bytes ? least_priced(machine, d, (double)bytes, &costs) : 0;
            ck_assert_msg(bytes == 0 || llround(exchange_line_at(face->line, (double)bytes)) == least,
                          "%s, machine %u, d = %u, %d bytes", kinds[_i], n, d, (int)bytes);
        }
    }
}

/* Nodes whose messages are like others change nothing. */
TEST(nodes_like_others)
{
    g_autoptr(Machine) flat = TEST_MACHINE("ipsc860", "topology=crossbar", "delta_hop=0", "delta_hop_short=0");
    g_autoptr(Machine) shared = TEST_MACHINE("ipsc860", "topology=crossbar", "delta_hop=0", "delta_hop_short=0",
                                             "node=4");
    for (HullChoice choice = HULL_MIXED; choice <= HULL_OFFSETS; choice++)
        for (guint d = 1; d <= 8; d++) {
            g_autoptr(Hull) a = hull_of_machine(flat, d, EXCHANGE_TRUE_DISTANCE, FALSE, choice);
            g_autoptr(Hull) b = hull_of_machine(shared, d, EXCHANGE_TRUE_DISTANCE, FALSE, choice);
            ck_assert_uint_eq(a->n_faces, b->n_faces);
            ck_assert_mem_eq(a->faces, b->faces, a->n_faces * sizeof *a->faces);
        }
}

/* iPSC/860: the crossovers of the machine model (sim/engine/README.md). */
TEST(ipsc860_crossovers)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    g_autoptr(Hull) exact = hull_of_machine(machine, 6, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
    ck_assert_uint_eq(exact->n_faces, 3);
    assert_face(&exact->faces[0], 0, 4.976, "2,2,2");
    assert_face(&exact->faces[1], 4.976, 127.319, "3,3");
    /* and published: 14 (177.5 + 61.8) + 1800 + 113.248 m = 63 (177.5 + 61.8) + 900 + 24.822 m */
    g_autoptr(Hull) published = hull_of_machine(machine, 6, EXCHANGE_AVERAGE_DISTANCE, FALSE, HULL_MIXED);
    assert_face(&published->faces[2], (49 * 239.3 - 900) / 88.426, INFINITY, "6");
    g_autoptr(Hull) five = hull_of_machine(machine, 5, EXCHANGE_TRUE_DISTANCE, FALSE, HULL_MIXED);
    assert_face(&five->faces[0], 0, 100.292, "2,3");
}

/* The theory against the best partition found by brute force, with barrier (iPSC/860) and without. */
TEST_LOOP(nicol, 0, 3)
{
    static const char *const machines[] = {"bokhari1993", "ipsc860", "ncube2"};
    g_autoptr(Machine) machine = test_machine(machines[_i], NULL);
    guint seen[3] = {0};
    for (guint d = 1; d <= 20; d++) {
        HullCosts costs = hull_costs(machine, d, EXCHANGE_AVERAGE_DISTANCE, TRUE, INFINITY);
        for (double bytes = 1e-3; bytes < 1e5; bytes *= 1.21) {
            NicolBounds n = hull_nicol(machine, d, bytes);
            Phases best = hull_best_at(&costs, bytes);
            guint largest = best.part[best.n_parts - 1];
            seen[n.verdict]++;
            ck_assert_msg(largest >= n.d_max_min && largest <= n.d_max_max && best.n_parts >= n.phases_min &&
                              best.n_parts <= n.phases_max,
                          "%s, d = %u, m = %g: %u parts, the largest %u", machines[_i], d, bytes, best.n_parts,
                          largest);
            if (n.verdict == NICOL_MULTIPHASE) {
                ck_assert_double_ge(n.ratio, n.lower * (1 - 1e-9));
                ck_assert_double_le(n.ratio, n.upper * (1 + 1e-9));
            }
        }
    }
    ck_assert(seen[NICOL_DIRECT] && seen[NICOL_MULTIPHASE]);
    ck_assert(machine->phase_barrier || seen[NICOL_STANDARD]);  /* a dear barrier per phase leaves none to Standard */
}

TESTS(hull, textbook, touching_is_no_face, three_ways, non_equipartition, face_counts, lookup, short_messages, nodes,
      pieces, nodes_like_others, ipsc860_crossovers, nicol)
