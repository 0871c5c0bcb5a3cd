/* Permutations in two complete exchanges, and permutations of processors from files. */
#include "permuting.h"
#include "tests/support/tests.h"

static Problem exchanging(guint d, const PermutationMap *map, const Phases *partition, gint64 bytes)
{
    Permutation identity = permutation_identity(d);
    Problem problem = permuting_problem(permuting_algorithm("two-exchanges", FALSE), &identity, 0);
    problem.map = map;
    problem.partition = *partition;
    gint64 packet;
    ck_assert(problem_divide(&problem, bytes, 1, 0, &packet));
    return problem;
}

/* Writes a file of n lines and reads it. */
static const PermutationMap *map_of(const guint *to, guint n)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint x = 0; x < n; x++)
        g_string_append_printf(text, "%u\n", to[x]);
    g_autofree char *path = g_build_filename(test_folder, "map", NULL);
    ck_assert(g_file_set_contents(path, text->str, -1, NULL));
    return permutation_map_read("", "file:map", path, n, NULL);
}

/* Returns a permutation of n processors, the same for the same seed. */
static const PermutationMap *random_map(guint n, guint32 seed)
{
    g_autofree guint *to = g_new(guint, n);
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    for (guint x = 0; x < n; x++) {
        guint at = (guint)g_rand_int_range(random, 0, (gint32)x + 1);
        to[x] = to[at];
        to[at] = x;
    }
    return map_of(to, n);
}

static gint64 exchange_ps(guint d, const Phases *partition, gint64 bytes, const Machine *machine)
{
    Problem problem = problem_new(algorithm_find("", &pattern_complete_exchange, FALSE, "multiphase", NULL), d);
    problem.partition = *partition;
    problem.data = division_whole(bytes);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    return priced.time_ps;
}

/* Checks the data, and the time: twice that of the complete exchange. */
static void check_exchanges(guint d, const PermutationMap *map, gint64 piece, const Machine *machine)
{
    Phases partition = partition_standard(d);
    do {
        Problem problem = exchanging(d, map, &partition, piece << d);
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
        ck_assert_msg(verdict.ok, "d = %u: %s", d, verdict.fault);
        g_auto(Price) priced = price(schedule, machine, REPLAY_DATA), sizes = price_sizes(schedule, machine);
        ck_assert_int_eq(priced.time_ps, map->moves ? 2 * exchange_ps(d, &partition, piece, machine) : 0);
        ck_assert_int_eq(sizes.time_ps, priced.time_ps);
        g_auto(EngineResult) result = test_run(schedule, machine, NULL);
        ck_assert_ptr_null(result.fault);
        ck_assert_int_eq(result.time_ps, priced.time_ps);
    } while (partition_next(&partition));
}

TEST_LOOP(twice_the_exchange, 0, test_upto(5, 7))
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    guint d = (guint)_i, n = 1u << d;
    for (guint32 seed = 0; seed < 3; seed++)
        check_exchanges(d, random_map(n, seed), 5, machine);
}

/* Pieces differ, and some have no bytes. What a processor holds depends on the pieces that it gets. */
TEST_LOOP(pieces_that_differ, 1, 5)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    guint d = (guint)_i, n = 1u << d;
    const PermutationMap *map = random_map(n, 7);
    Phases partition = partition_standard(d);
    do
        for (gint64 bytes = 0; bytes <= 2 * n + 1; bytes += n / 2 + 1) {
            Problem problem = exchanging(d, map, &partition, bytes);
            g_autoptr(Schedule) schedule = schedule_make(&problem);
            g_auto(Price) priced = price(schedule, machine, REPLAY_DATA), sizes = price_sizes(schedule, machine);
            ck_assert_ptr_null(priced.fault);
            ck_assert_int_eq(sizes.time_ps, priced.time_ps);
            gint64 least = exchange_ps(d, &partition, bytes / n, machine);
            gint64 most = exchange_ps(d, &partition, (bytes + n - 1) / n, machine);
            ck_assert_int_ge(priced.time_ps, map->moves ? 2 * least : 0);
            ck_assert_int_le(priced.time_ps, 2 * most);
        }
    while (partition_next(&partition));
}

/* A permutation of address bits takes the same messages from its dimensions as from a file. */
TEST(bits_from_a_file)
{
    guint to[16];
    Permutation reversal = test_permutation("bit-reversal", 4);
    for (guint x = 0; x < 16; x++)
        to[x] = permutation_apply(&reversal, x);
    const PermutationMap *map = map_of(to, 16);
    ck_assert_ptr_eq(map, map_of(to, 16));
    g_auto(Step) a = step_new(), b = step_new();
    Problem bits = with_data(permuting_problem(permuting_algorithm("router", FALSE), &reversal, 0), 1, 0), file = bits;
    file.map = map;
    file.permutation = permutation_identity(4);
    g_autoptr(Schedule) by_bits = schedule_make(&bits), by_file = schedule_make(&file);
    g_auto(Verdict) verdict = verify(by_file, PORTS_ONE);
    ck_assert(verdict.ok);
    for (guint x = 0; x < 16; x++) {
        ck_assert_uint_eq(map->from[map->to[x]], x);
        schedule_strand_step(by_bits, x, 0, 0, &a);
        schedule_strand_step(by_file, x, 0, 0, &b);
        ck_assert_uint_eq(a.sends->len, b.sends->len);
        if (a.sends->len)
            ck_assert_uint_eq(step_nth_send(&a, 0)->peer, step_nth_send(&b, 0)->peer);
    }
}

TEST(other_algorithms_refuse)
{
    const PermutationMap *map = random_map(8, 1);
    Permutation identity = permutation_identity(3);
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        if (algorithm->pattern != &pattern_permutation)
            continue;
        Problem problem = permuting_problem(algorithm, &identity, 0);
        problem.map = map;
        gboolean any = strcmp(algorithm->name, "router") == 0 || strcmp(algorithm->name, "two-exchanges") == 0;
        ck_assert_msg(any == !problem_refused(&problem), "%s", algorithm->name);
    }
}

TESTS_IN_FOLDER(two_exchanges, twice_the_exchange, pieces_that_differ, bits_from_a_file, other_algorithms_refuse)
