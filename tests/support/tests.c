#include "tests.h"

#include <glib/gstdio.h>

char *test_folder, *test_file;

void test_folder_make(void)
{
    test_folder = g_dir_make_tmp("ecube-test-XXXXXX", NULL);
    test_file = g_build_filename(test_folder, "file", NULL);
}

static void remove_all(const char *path)
{
    gboolean link = g_file_test(path, G_FILE_TEST_IS_SYMLINK);
    g_autoptr(GDir) dir = link ? NULL : g_dir_open(path, 0, NULL);
    for (const char *name = dir ? g_dir_read_name(dir) : NULL; name; name = g_dir_read_name(dir)) {
        g_autofree char *whole = g_build_filename(path, name, NULL);
        remove_all(whole);
    }
    ck_assert_int_eq(g_remove(path), 0);
}

void test_folder_remove(void)
{
    remove_all(test_folder);
    g_clear_pointer(&test_folder, g_free);
    g_clear_pointer(&test_file, g_free);
}

void test_file_write(const char *text, gssize length)
{
    ck_assert(g_file_set_contents(test_file, text, length, NULL));
}

void test_refused(const GError *error, const char *begins, const char *says)
{
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
    ck_assert_msg(g_str_has_prefix(error->message, begins), "'%s' does not begin '%s'", begins, error->message);
    ck_assert_msg(strstr(error->message, says) != NULL, "'%s' is not in '%s'", says, error->message);
    ck_assert_ptr_null(strchr(error->message, '\n'));
}

Machine *test_machine(const char *spec, const char *const *overrides)
{
    const char *texts[MACHINE_KEYS_MAX] = {NULL};
    for (guint i = 0; overrides && overrides[i]; i++) {
        const char *equals = strchr(overrides[i], '=');
        g_autofree char *key = g_strndup(overrides[i], (gsize)(equals - overrides[i]));
        texts[machine_key(key) - machine_keys] = equals + 1;
    }
    g_autoptr(GError) error = NULL;
    Machine *machine = machine_read(TEST_PLATFORMS, "machine", spec, &error);
    Machine file = machine ? *machine : (Machine){0};
    if (!machine || !machine_override(&file, texts, machine, &error))
        g_error("%s", error->message);
    return machine;
}

guint test_count(const char *text, const char *part)
{
    guint n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

static const Algorithm *find_algorithm(const Pattern *pattern, gboolean n_port, const char *name)
{
    g_autoptr(GError) error = NULL;
    const Algorithm *found = algorithm_find("", pattern, n_port, name, &error);
    if (!found)
        g_error("%s", error->message);
    return found;
}

Problem test_exchange(const char *algorithm, guint d, const Phases *partition, gint64 bytes)
{
    const Algorithm *found = find_algorithm(&pattern_complete_exchange, FALSE, algorithm);
    Problem problem = problem_new(found, d);
    if (found->takes & TAKES_PARTITION)
        problem.partition = *partition;
    problem.data = division_whole(bytes);
    return problem;
}

Problem test_product(const TestProduct *product)
{
    const Algorithm *algorithm = find_algorithm(&pattern_matmul, product->n_port, product->algorithm);
    Problem problem = problem_new(algorithm, product->grid.n1 + product->grid.n2 + product->grid.n3);
    gboolean one_ring = g_strcmp0(product->routing, "cra") == 0;    /* a product passes blocks round no other */
    problem.accumulate = product->accumulate;
    problem.matmul = (Multiplication){
        .shape = product->shape, .grid = product->grid, .layout = product->layout, .element = TEST_ELEMENT,
        .packet = product->packet, .repeat = MAX(1, product->repeat), .overlap = product->overlap,
        .routing = find_algorithm(&pattern_all_broadcast, product->n_port && !one_ring, product->routing)};
    return problem;
}

void test_multiply(Problem *problem, const char *shape, guint n1, MatmulLayout layout)
{
    gboolean n_port = problem->algorithm->n_port;
    TestProduct product = {.algorithm = problem->algorithm->name, .routing = n_port ? "nrsbt" : "sbt", .n_port = n_port,
                           .grid = {n1, problem->dimension - n1, 0}, .layout = layout};
    ck_assert(matmul_shape_parse("", shape, &product.shape, NULL));
    problem->matmul = test_product(&product).matmul;
}

const Pattern *test_reverse_of(const Pattern *pattern)
{
    for (guint i = 0; i < pattern_count(); i++)
        if (pattern_nth(i)->reverse == pattern)
            return pattern_nth(i);
    return NULL;
}

#define BYTES 240
#define BYTES_OF_SQUARES 32     /* 2 x 2 elements of an array */
#define PACKET 8

static void check_both_ways(Problem problem, TestCheck *check, gconstpointer user)
{
    guint parts = problem_n_parts(&problem);
    gint64 packet = problem.algorithm->takes & TAKES_PACKETS ? PACKET : 0;
    gboolean in_parts = problem.pattern == &pattern_permutation || problem.pattern == &pattern_allreduce;
    gint64 bytes = in_parts ? parts * PACKET : problem.pattern->family ? BYTES_OF_SQUARES : BYTES;
    problem.data = division_make(bytes, 1, parts, packet);
    problem.source = problem.pattern->rooted ? (1u << problem.dimension) - 1 : 0;
    for (; problem.pattern; problem.pattern = test_reverse_of(problem.pattern)) {
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        check(&problem, schedule, user);
    }
}

Permutation test_permutation(const char *text, guint dimension)
{
    Permutation p;
    g_autoptr(GError) error = NULL;
    if (!permutation_parse("--permutation", text, dimension, &p, &error))
        ck_abort_msg("%s", error->message);
    return p;
}

/* The shuffle, bit reversal, and cycles of different orders: one of 2, and one of the rest. */
static Permutation permutation_of(guint d, guint i)
{
    guint8 to[MACHINE_DIMENSION_MAX];
    for (guint bit = 0; bit < d; bit++)
        to[bit] = (guint8)(bit < 2 ? 1 - bit : bit + 1 < d ? bit + 1 : 2);
    return i == 0 ? test_permutation("shuffle", d) : i == 1 ? test_permutation("bit-reversal", d)
           : d < 2 ? permutation_identity(d) : permutation_from_mapping(d, d, to);
}

#define N_PERMUTATIONS 3

static void check_permutations(Problem problem, TestCheck *check, gconstpointer user)
{
    for (guint i = 0; i < N_PERMUTATIONS; i++) {
        problem.permutation = permutation_of(problem.dimension, i);
        if (!problem.algorithm->refuses || !problem.algorithm->refuses(&problem))
            check_both_ways(problem, check, user);
    }
}

/* What divides, and what does not on fewer rows than columns, and on fewer columns: on one row, and on one column, if
 * the cube is small; and grids of three dimensions. */
static void check_products(const Algorithm *algorithm, guint d, TestCheck *check, gconstpointer user)
{
    gboolean n_port = algorithm->n_port;
    guint most = (d + 1) / 2, side = 1u << most;
    const TestProduct products[] = {
        {.routing = n_port ? "nrsbt" : "sbt", .shape = {side, 2 * side, side}, .grid = {most, d - most, 0},
         .packet = 3},
        {.routing = n_port ? "sbnt" : "gcea", .shape = {5, 3, 7}, .grid = {d / 3, d - d / 3, 0},
         .layout = MATMUL_CYCLIC},
        {.routing = "hybrid", .shape = {3, 7, 4}, .grid = {d - d / 4, d / 4, 0}, .accumulate = d / 2},
        {.routing = n_port ? "nrsbt" : "sbt", .shape = {5, 7, 6}, .grid = {(d + 2) / 3, (d + 1) / 3, d / 3}},
        {.routing = n_port ? "sbnt" : "cra", .shape = {2 * side, side, side}, .grid = {d / 4, d / 3, d - d / 4 - d / 3},
         .layout = MATMUL_CYCLIC, .packet = 2},
    };
    for (guint i = 0; i < G_N_ELEMENTS(products); i++) {
        TestProduct product = products[i];
        product.algorithm = algorithm->name;
        product.n_port = n_port;
        Problem problem = test_product(&product);
        if (problem_refused(&problem))
            continue;
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        check(&problem, schedule, user);
    }
}

gboolean test_next_order(guint8 *order, guint n)
{
    guint i = n;
    while (i > 1 && order[i - 2] > order[i - 1])
        i--;
    if (i < 2)
        return FALSE;
    guint j = n - 1;
    while (order[j] < order[i - 2])
        j--;
    guint8 kept = order[i - 2];
    order[i - 2] = order[j];
    order[j] = kept;
    for (guint a = i - 1, b = n - 1; a < b; a++, b--) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return TRUE;
}

guint test_n_compositions(guint d)
{
    return d ? 1u << (d - 1) : 1;
}

Phases test_composition(guint d, guint i)
{
    Phases partition = {0};
    for (guint k = 0; k < d; k++) {
        partition.n_parts += k == 0 || (i >> (k - 1) & 1);
        partition.part[partition.n_parts - 1]++;
    }
    return partition;
}

/* Of each dimension, NULL-terminated. */
static const char *const lists[][4] = {
    {""}, {"1"}, {"1,2", "1,2,3", "3,1,3"}, {"1,2,4", "1,2,4,7", "7,5,1,6,3"}, {"1,2,4,8,15", "8,1,3,6,12,1"},
    {"1,2,4,8,16,27"}, {"1,2,4,8,16,32,63"}};

guint test_n_variants(const Problem *problem)
{
    guint takes = problem->algorithm->takes, d = problem->dimension;
    if (takes & TAKES_OFFSETS && d < G_N_ELEMENTS(lists))
        return g_strv_length((char **)lists[d]);
    return takes & TAKES_PARTITION ? test_n_compositions(d) : takes & TAKES_ACCUMULATE ? d + 1 : 1;
}

Problem test_variant(const Problem *problem, guint i)
{
    Problem variant = *problem;
    guint takes = problem->algorithm->takes, d = problem->dimension;
    if (takes & TAKES_OFFSETS && d < G_N_ELEMENTS(lists))
        variant.offsets = lists[d][i];
    if (takes & TAKES_PARTITION)
        variant.partition = test_composition(d, i);
    variant.accumulate = takes & TAKES_ACCUMULATE ? i : 0;
    return variant;
}

Permutation test_cycles(const Phases *orders)
{
    guint8 to[PERMUTATION_BITS_MAX];
    guint d = 0;
    for (guint part = 0; part < orders->n_parts; d += orders->part[part++])
        for (guint bit = 0; bit < orders->part[part]; bit++)
            to[d + bit] = (guint8)(d + (bit + 1) % orders->part[part]);
    return permutation_from_mapping(d, d, to);
}

gboolean test_cycle_type(guint d, guint i, Permutation *permutation)
{
    Phases orders = test_composition(d, i);
    for (guint part = 0; part < orders.n_parts; part++)
        if (orders.part[part] < 2)
            return FALSE;
    *permutation = test_cycles(&orders);
    return TRUE;
}

static void check_variants(Problem problem, TestCheck *check, gconstpointer user)
{
    for (guint i = 0; i < test_n_variants(&problem); i++) {
        problem = test_variant(&problem, i);
        check_both_ways(problem, check, user);
    }
}

void test_each_schedule(guint d, TestCheck *check, gconstpointer user)
{
    for (guint a = 0; a < algorithm_count(); a++) {
        Problem problem = problem_new(algorithm_nth(a), d);
        if (problem.pattern == &pattern_permutation)
            check_permutations(problem, check, user);
        else if (problem.pattern == &pattern_matmul)
            check_products(problem.algorithm, d, check, user);
        else
            check_variants(problem, check, user);
    }
}

Verdict test_verify(const Problem *problem, Ports ports)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    return verify(schedule, ports);
}

static void assert_sound(const Problem *problem, const char *stuck, const char *fault)
{
    g_autofree char *what = test_describe(problem);
    ck_assert_msg(!stuck && !fault, "%s: %s", what, stuck ? stuck : fault);
}

Price test_price(const Problem *problem, const Machine *machine)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    Price priced = price(schedule, machine, REPLAY_DATA);
    assert_sound(problem, priced.stuck, priced.fault);
    return priced;
}

static guint longest_strand(const Schedule *schedule)
{
    guint longest = 0;
    for (guint strand = 0; strand < schedule->n_strands; strand++)
        longest = MAX(longest, schedule_n_steps(schedule, strand));
    return longest;
}

EngineResult test_run(const Schedule *schedule, const Machine *machine, Trace *trace)
{
    ck_assert_uint_ge(schedule->n_steps, longest_strand(schedule));
    g_autoptr(GError) error = NULL;
    EngineResult result;
    gboolean ran = engine_run(schedule, machine, NULL, trace, &result, &error);
    ck_assert_msg(ran, "%s", error ? error->message : "");
    return result;
}

EngineResult test_simulate(const Problem *problem, const Machine *machine)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    EngineResult result = test_run(schedule, machine, NULL);
    assert_sound(problem, result.stuck, result.fault);
    return result;
}

/* Whether users with n ports get another form of it, whose messages are issued at once too. */
static gboolean has_other_form(const Algorithm *algorithm)
{
    return strcmp(algorithm->name, "linear") == 0 || strcmp(algorithm->name, "multiphase-linear") == 0;
}

Machine test_machine_for(const Machine *machine, const Algorithm *algorithm)
{
    Machine copy = *machine;
    if (algorithm->n_port) {
        copy.ports = PORTS_ALL;
        copy.duplex = DUPLEX_FULL;
    } else if (has_other_form(algorithm)) {
        copy.ports = PORTS_ONE;
    }
    return copy;
}

static char *describe_product(const Problem *problem)
{
    static const char *const layouts[] = {"consecutive", "cyclic"};
    const Multiplication *m = &problem->matmul;
    return problem->pattern == &pattern_matmul
               ? g_strdup_printf(", %ux%ux%u on %ux%u, %s, %s, packet %d%s, repeat %u", m->shape.p, m->shape.q,
                                 m->shape.r, 1u << m->grid.n1, 1u << m->grid.n2, m->routing->name,
                                 layouts[m->layout], (int)m->packet, m->overlap ? ", overlap" : "", m->repeat)
               : g_strdup("");
}

char *test_describe(const Problem *problem)
{
    g_autofree char *product = describe_product(problem);
    g_autofree char *partition = partition_format(&problem->partition);
    g_autofree char *cycles = permutation_format(&problem->permutation);
    return g_strdup_printf("%s %s%s%s%s%s, %s, accumulate %u, d = %u", problem->pattern->name, problem->algorithm->name,
                           problem->algorithm->n_port ? ", n-port" : "", *partition || problem->offsets ? " " : "",
                           problem->offsets ? problem->offsets : partition, product,
                           cycles, problem->accumulate, problem->dimension);
}

int test_upto(int small, int all)
{
    return g_strcmp0(g_getenv("ECUBE_TESTS"), "all") == 0 ? all : small;
}

void test_add_all(TCase *tc, const TTest *const *tests)
{
    for (int range[2]; *tests; tests++) {
        ((const TestLoop *)(gconstpointer)*tests)->get_range(range);
        tcase_add_loop_test(tc, *tests, range[0], range[1]);
    }
}

static void add_suite(SRunner *runner, const char *name, void (*add_tests)(TCase *tc))
{
    Suite *suite = suite_create(name);
    TCase *tc = tcase_create(name);
    add_tests(tc);
    suite_add_tcase(suite, tc);
    srunner_add_suite(runner, suite);
}

/* `tests [SUITE]`: that suite, or all of them. */
int main(int argc, char **argv)
{
    g_log_set_always_fatal(G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
    g_setenv("CK_DEFAULT_TIMEOUT", "0", FALSE);     /* none: no test, however slow the machine, fails for time */
    SRunner *runner = srunner_create(NULL);
    g_autoptr(GError) error = NULL;
    if (srunner_fork_status(runner) == CK_FORK && !engine_load(&error))     /* once, for all processes of tests */
        g_error("%s", error->message);
#define SUITE(name) add_suite(runner, #name, suite_##name);
#include "suites.h"
#undef SUITE
    srunner_run(runner, argc > 1 ? argv[1] : NULL, NULL, CK_ENV);
    gboolean ok = srunner_ntests_run(runner) > 0 && srunner_ntests_failed(runner) == 0;    /* there is such a suite */
    srunner_free(runner);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
