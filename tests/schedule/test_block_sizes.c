/* Complete exchanges of unequal blocks. */
#include "sim/patterns/exchange/block_sizes.h"
#include "sim/patterns/theory.h"
#include "tests/support/tests.h"
#include "tests/support/walk.h"

/* Returns the sizes that `text` gives, or NULL. A path in it is absolute. */
static const BlockSizes *sizes_read(const char *text, guint n, gint64 element, GError **error)
{
    const BlockSizes *sizes;
    const char *path = g_str_has_prefix(text, "file:/") ? text + strlen("file:") : NULL;
    return block_sizes_read("--sizes", text, path, n, element, &sizes, error) ? sizes : NULL;
}

/* Returns the sizes of `table`, which test_file gets. */
static const BlockSizes *sizes_of_file(const char *table, guint n, GError **error)
{
    g_autofree char *text = g_strconcat("file:", test_file, NULL);
    test_file_write(table, -1);
    return sizes_read(text, n, 1, error);
}

static Machine *plain_machine(void)
{
    return TEST_MACHINE("bokhari1993", "lambda=100", "delta=0", "tau=2", "rho=0", "pairwise_sync=false",
                        "phase_barrier=false");
}

static void check_time(const char *algorithm, guint d, const char *parts, const BlockSizes *sizes, gint64 us,
                       gint64 waits)
{
    g_autoptr(Machine) machine = plain_machine();
    Phases partition = {0};
    if (parts)
        ck_assert(partition_parse("", parts, d, &partition, NULL));
    Problem problem = test_exchange(algorithm, d, parts ? &partition : NULL, 1000000);
    problem.sizes = sizes;
    g_auto(EngineResult) result = test_simulate(&problem, machine);
    ck_assert_int_eq(test_price(&problem, machine).time_ps, us * US);
    ck_assert_int_eq(result.time_ps, (us + waits) * US);
}

/* Of 100 µs for a start-up and 2 µs for a byte. Direct: in step 1, 0 and 1 take 100 + 2 x 40, 2 and 3 100 + 2 x 90; in
 * step 2, 0 and 2 end at 280 + 100 + 2 x 70 = 520, 1 and 3 at 280 + 100 + 2 x 25 = 430; in step 3, 1 and 2 end at
 * 520 + 100 + 2 x 80 = 780. Standard: 2 sends 70 + 80 to 0, until 400; 1 sends 50 + 60 to 3, until 320. Then 2 sends
 * 30 + 90 to 3, until 400 + 100 + 2 x 120 = 740; and 0 sends 10 + 80 to 1, until 680. */
TEST(by_hand_of_four)
{
    const BlockSizes *sizes = sizes_of_file("1 10 20 30\n40 2 50 60\n 70\t80 3 90\r\n15 25 35 4\n\n", 4, NULL);
    ck_assert_int_eq(block_sizes_mean(sizes), 525 / 12);
    ck_assert_int_eq(block_sizes_largest(sizes, 7), 90);
    check_time("direct", 2, NULL, sizes, 780, 0);
    check_time("standard", 2, NULL, sizes, 740, 0);
}

/* All blocks have 8 bytes, that from 0 to 7 has 100. Direct: six steps of 100 + 2 x 8, one of 100 + 2 x 100: 996.
 * Standard: three steps of 100 + 2 x 32, with 2 x 92 more in each, as the large block is in all of them: 1044. By
 * (1,2): 100 + 2 x 32 + 2 x 92, two steps of 100 + 2 x 16, and one with 2 x 92 more: 928. In Standard 7 gets ahead:
 * its message of step 3 has the receive port of 6 from 428 to 492; that from 4 to 6, which comes at 448, waits for 44.
 */
TEST(by_hand_of_eight)
{
    g_autoptr(GString) table = g_string_new(NULL);
    for (guint from = 0; from < 8; from++)
        for (guint to = 0; to < 8; to++)
            g_string_append_printf(table, "%u%c", from == 0 && to == 7 ? 100 : 8, to == 7 ? '\n' : ' ');
    const BlockSizes *sizes = sizes_of_file(table->str, 8, NULL);
    check_time("direct", 3, NULL, sizes, 996, 0);
    check_time("standard", 3, NULL, sizes, 1044, 44);
    check_time("multiphase", 3, "1,2", sizes, 928, 0);
}

/* What splitmix64 draws for 2^63 + 2^32 S + 2^16 x + y, without its 11 lowest bits, was worked out in another
 * language. */
TEST(drawn)
{
    static const struct {
        const char *text;
        gint64 element, seed, bytes[16];
    } cases[] = {
        {"uniform:0:200", 1, 1, {125, 146, 34, 28, 93, 105, 199, 181, 130, 179, 0, 124, 134, 184, 12, 165}},
        {"uniform:50:150", 4, 7, {140, 80, 128, 104, 136, 92, 140, 132, 64, 96, 88, 84, 68, 116, 108, 96}},
        {"power:1.5", 1, 1, {91, 50, 65, 42, 37, 41, 40, 176, 71, 50, 75, 127, 33, 202, 84, 93}}};
    for (guint c = 0; c < G_N_ELEMENTS(cases); c++) {
        const BlockSizes *sizes = sizes_read(cases[c].text, 4, cases[c].element, NULL);
        ck_assert_ptr_eq(sizes, sizes_read(cases[c].text, 4, cases[c].element, NULL));
        for (guint i = 0; i < 16; i++)
            ck_assert_int_eq(block_sizes_of(sizes, 100, cases[c].seed, i / 4, i % 4), cases[c].bytes[i]);
    }
    static const struct {
        guint from, to;
        gint64 bytes, thousands;    /* draw modulo 1001; of that for the density, the thousands below 10^6 */
    } far[] = {{0, 65535, 950, 572}, {0, 65536, 498, 756}, {1, 0, 884, 401}, {65536, 0, 953, 503}, {2, 0, 155, 267},
               {0, 131072, 68, 988}, {262143, 262142, 645, 957}};
    const BlockSizes *wide = sizes_read("uniform:0:1000", 262144, 1, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(far); i++) {
        ck_assert_int_eq(block_sizes_of(wide, 100, 5, far[i].from, far[i].to), far[i].bytes);
        ck_assert_int_eq(block_draw(FALSE, 5, far[i].from, far[i].to) / 1000 % 1000, far[i].thousands);
    }
    ck_assert_int_eq(block_sizes_largest(sizes_read("uniform:50:150", 4, 4, NULL), 100), 148);
    ck_assert_int_eq(block_sizes_largest(sizes_read("power:3", 4, 1, NULL), 100), 1000000);
    ck_assert_int_eq(block_sizes_mean(sizes_read("power:3", 4, 1, NULL)), -1);
    ck_assert_ptr_null(sizes_read("equal", 4, 1, NULL));
}

/* The bytes times the channels that blocks cross, if they make no detour. */
static guint64 least_traffic(const Problem *problem)
{
    guint n = problem_n_nodes(problem);
    guint64 bytes = 0;
    for (guint i = 0; i < n * n; i++)
        bytes += (guint64)block_sizes_of(problem->sizes, problem->data.bytes, 0, i / n, i % n) *
                 (guint)__builtin_popcount(i / n ^ i % n);
    return bytes;
}

/* Every algorithm that does not divide blocks has each block in its place. Blocks that are drawn between 100 and 100
 * per cent are what equal ones are. Exchanges by powers of 2, and sbt, move a block as often as there are channels
 * between its ends. */
TEST_LOOP(all_algorithms, 0, 5)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "topology=crossbar");
    Phases two = _i > 1 ? partition_standard(2) : partition_standard((guint)_i);
    if (_i > 1)
        two.part[1] = (guint8)(_i - 1);
    guint n_refused = 0;
    for (const Algorithm *const *a = pattern_complete_exchange.algorithms; *a; a++) {
        Problem problem = problem_new(*a, (guint)_i), equal;
        problem.data = division_whole(100);
        if ((*a)->takes & TAKES_PARTITION)
            problem.partition = two;
        equal = problem;
        problem.sizes = sizes_read("uniform:20:180", 1u << _i, 1, NULL);
        if (problem_refused(&problem)) {
            n_refused++;
            ck_assert(problem_n_parts(&problem) > 1 || (*a)->on_mesh || _i < 2);
            continue;
        }
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        g_auto(Verdict) verdict = verify(schedule, (*a)->n_port ? PORTS_ALL : PORTS_ONE);
        ck_assert_msg(verdict.ok, "%s: %s", (*a)->name, verdict.fault);
        ck_assert(schedule_contends(schedule));
        if (!(*a)->n_port && (problem.offsets || strcmp((*a)->name, "sbt") == 0))
            ck_assert_uint_eq(walk(schedule, machine).all_bytes, least_traffic(&problem));
        problem.sizes = sizes_read("uniform:100:100", 1u << _i, 1, NULL);
        if (!(*a)->n_port)
            ck_assert_int_eq(test_price(&problem, machine).time_ps, test_price(&equal, machine).time_ps);
    }
    ck_assert_uint_ge(n_refused, 2);
}

/* Neither the hull's times nor a rule of a library is for unequal blocks; there is no formula. */
TEST(no_formulas)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "packet=64");
    Run run = {.problem = test_exchange("direct", 3, NULL, 100), .machine = machine, .element = 1};
    const PatternTheory *theory = pattern_theory(run.problem.pattern);
    g_autofree char *rule = theory->rule(&run.problem);
    ck_assert_ptr_nonnull(rule);
    ck_assert(problem_has_hull(&run.problem));
    run.problem.sizes = sizes_read("power:2", 8, 1, NULL);
    const char *why = NULL;
    theory->published_ps(&run, &why);
    ck_assert_ptr_nonnull(why);
    ck_assert_ptr_null(theory->rule(&run.problem));
    ck_assert(!problem_has_hull(&run.problem));
    ck_assert_int_eq(theory->best_packet(&run), 64);
}

TEST(bad_files)
{
    static const struct {
        const char *table, *says;
    } cases[] = {
        {"1 2\n", "has 1 lines; allowed: 2, one for each processor"},
        {"1 2\n3 4\n5 6\n", "has 3 lines; allowed: 2"},
        {"1 2\n3\n", "line 2 has 1 numbers; allowed: 2, the bytes of the blocks from processor 1 to each"},
        {"1 2 3\n4 5\n", "line 1 has 3 numbers"},
        {"1 2\n\n3 4\n", "line 2 has 0 numbers"},
        {"1 2\n3 -4\n", "line 2, column 2: '-4' is not allowed; allowed: multiples of 1 from 0 to 4503599627370496"},
        {"1 2.5\n3 4\n", "line 1, column 2: '2.5' is not allowed"},
        {"1 4503599627370497\n3 4\n", "line 1, column 2: '4503599627370497' is not allowed"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(sizes_of_file(cases[i].table, 2, &error));
        test_refused(error, "--sizes: 'file:", cases[i].says);
    }
    g_autofree char *text = g_strconcat("file:", test_file, NULL);
    g_autoptr(GError) error = NULL;
    test_file_write("8 16\n12 0\n", -1);
    ck_assert_ptr_nonnull(sizes_read(text, 2, 4, NULL));
    ck_assert_ptr_null(sizes_read(text, 2, 8, &error));
    test_refused(error, "--sizes: 'file:", "line 2, column 1: '12' is not allowed; allowed: multiples of 8");
}

TEST(bad_values)
{
    static const char *const texts[] = {"", "uniform", "uniform:", "uniform:1", "uniform:2:1", "uniform:0:10001",
                                        "uniform:1:2:3", "uniform:-1:2", "power", "power:", "power:1", "power:100.1",
                                        "power:2:3", "file", "file:", "equal:", "equally"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(sizes_read(texts[i], 4, 1, &error));
        test_refused(error, "--sizes: '", "is not allowed; allowed: equal, uniform:A:B");
    }
}

TESTS_IN_FOLDER(block_sizes, by_hand_of_four, by_hand_of_eight, drawn, all_algorithms, no_formulas, bad_files,
                bad_values)
