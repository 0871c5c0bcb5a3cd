/* The algorithms for permutations of address bits: every permutation of small cubes, every type of cycles, and what the
 * channels carry. */
#include "permuting.h"
#include "sim/patterns/published.h"

static gboolean refuses(const Algorithm *algorithm, const Permutation *permutation)
{
    Problem problem = permuting_problem(algorithm, permutation, 0);
    return algorithm->refuses && algorithm->refuses(&problem);
}

/* --- everything arrives --- */

static void verify_size(const Problem *problem, gint64 bytes)
{
    guint packet = takes_packets(problem->algorithm) ? 1 + (guint)bytes % 2 : 0;
    guint local = problem->algorithm->takes & TAKES_MIXED ? permutation_local_dimensions(&problem->permutation) : 0;
    guint blocks = 1u << local;
    if (local > 0 && (bytes == 0 || bytes % blocks))   /* not allowed; without bytes: tests/cli/permutation.txt */
        return;
    Problem sized = with_data(*problem, bytes, packet);
    g_auto(Verdict) verdict = test_verify(&sized, problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE);
    g_autofree char *text = test_describe(problem);
    ck_assert_msg(verdict.ok, "%s, %" G_GINT64_FORMAT " bytes: %s", text, bytes, verdict.fault);
}

#define BLOCKS_MAX ((guint64)1 << 20)   /* of larger cubes, A3 with n ports is left out */

/* Every algorithm: with as many bytes as parts, and with fewer. */
static void verify_algorithms(const Permutation *permutation)
{
    for (guint i = 0; i < algorithm_count(); i++) {
        const Algorithm *algorithm = algorithm_nth(i);
        if (algorithm->pattern != &pattern_permutation || refuses(algorithm, permutation))
            continue;
        Problem problem = permuting_problem(algorithm, permutation, 0);
        guint parts = problem_n_parts(&problem);
        if ((guint64)parts << permutation->dimension > BLOCKS_MAX)
            continue;
        verify_size(&problem, parts);
        verify_size(&problem, parts / 2);
        verify_size(&problem, 1);
        verify_size(&problem, 0);
        if (takes_packets(algorithm)) {
            verify_size(&problem, 10);
            verify_size(&problem, 47);
        }
    }
}

/* Extended-cube permutations of the lower dimensions: all data in its places, and the times published where all parts
 * have the same size. */
static void check_extended(const Problem *problem, gboolean divisible, gint64 bytes)
{
    const Algorithm *algorithm = problem->algorithm;
    guint idle = problem->idle;
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "delta=0", "rho=0",
                                              algorithm->n_port ? "ports=all" : "ports=one");
    Run run = {.machine = machine, .element = 1, .problem = with_data(*problem, bytes, 0)};
    g_autoptr(Schedule) schedule = schedule_make(&run.problem);
    g_autofree char *text = test_describe(problem);
    g_auto(Verdict) verdict = verify(schedule, machine->ports);
    ck_assert_msg(verdict.ok, "%s, %u idle, %d bytes: %s", text, idle, (int)bytes, verdict.fault);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    ck_assert_ptr_null(result.stuck);
    ck_assert_ptr_null(result.fault);
    const char *why;
    gint64 published = permuting_published(&run, &why);
    gboolean bound = strcmp(algorithm->name, "a4") == 0 || beats_print(algorithm, &problem->permutation);
    if (divisible && !algorithm->n_port && !why && !bound)
        ck_assert_msg(result.time_ps == published, "%s, %u idle: %" G_GINT64_FORMAT " ps, published %" G_GINT64_FORMAT
                      " ps", text, idle, result.time_ps, published);
    if (divisible && !why && !takes_packets(algorithm))    /* A4's paths may have numbers of packets that differ */
        ck_assert_int_le(result.time_ps, published);
    if (divisible && !schedule_contends(schedule))
        ck_assert_int_eq(result.time_ps, priced.time_ps);
    Machine with_barrier = *machine;    /* which only those go to who spread the data */
    with_barrier.phase_barrier = TRUE;
    with_barrier.sync_ps = 7;
    g_auto(EngineResult) later = test_run(schedule, &with_barrier, NULL);
    ck_assert_msg(!later.stuck && !later.fault, "%s, %u idle: %s", text, idle, later.stuck ? later.stuck : later.fault);
}

TEST_LOOP(extended, 1, test_upto(2, 4))
{
    static const char *const texts[] = {"shuffle", "bit-reversal", "0,1/2,3", "1,3", "identity"};
    const guint d = 6, idle = (guint)_i;
    for (guint a = 0; a < algorithm_count(); a++)
        for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
            Permutation permutation = test_permutation(texts[i], d - idle);
            const Algorithm *algorithm = algorithm_nth(a);
            if (algorithm->pattern != &pattern_permutation || refuses(algorithm, &permutation) ||
                permutation_virtual_order(&permutation) > 0)
                continue;
            permutation.dimension = permutation.n_bits = d;
            Problem problem = permuting_problem(algorithm, &permutation, idle);
            if (problem_refused(&problem))
                continue;
            guint parts = problem_n_parts(&problem);
            check_extended(&problem, TRUE, parts * 16);
            check_extended(&problem, FALSE, parts / 2 + 1);
            check_extended(&problem, FALSE, 1);
            check_extended(&problem, FALSE, 0);
        }
}

TEST_LOOP(every_permutation, 0, 5)
{
    guint d = (guint)_i, n = 0, factorial = 1;
    guint8 to[4] = {0, 1, 2, 3};
    do {
        Permutation permutation = permutation_from_mapping(d, d, to);
        verify_algorithms(&permutation);
        n++;
    } while (test_next_order(to, d));
    for (guint i = 2; i <= d; i++)
        factorial *= i;
    ck_assert_uint_eq(n, factorial);
}

/* Cycles of the orders in `partition` over dimensions that are neither in order nor adjacent. */
static Permutation permutation_of_type(guint d, const Phases *partition)
{
    guint8 to[MACHINE_DIMENSION_MAX], bits[MACHINE_DIMENSION_MAX];
    for (guint i = 0; i < d; i++)
        bits[i] = (guint8)((3 * i + 1) % d);
    if (d % 3 == 0)
        for (guint i = 0; i < d; i++)
            bits[i] = (guint8)(d - 1 - i);
    for (guint part = 0, first = 0; part < partition->n_parts; first += partition->part[part++])
        for (guint i = 0; i < partition->part[part]; i++)
            to[bits[first + i]] = bits[first + (i + 1) % partition->part[part]];
    return permutation_from_mapping(d, d, to);
}

TEST_LOOP(every_cycle_type, 1, test_upto(6, 8))
{
    guint d = (guint)_i;
    Phases partition = partition_standard(d);
    do {
        Permutation permutation = permutation_of_type(d, &partition);
        verify_algorithms(&permutation);
    } while (partition_next(&partition));
}

TEST_LOOP(named, 6, test_upto(7, 11))
{
    static const char *const names[] = {"shuffle", "unshuffle", "shuffle:2", "bit-reversal", "transpose",
                                        "exchange:0,7", "identity"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        Permutation permutation = test_permutation(names[i], (guint)_i);
        verify_algorithms(&permutation);
    }
}

/* --- what the channels carry --- */

/* The most bytes that a channel carries in step k of a strand; all pieces are of one size. */
static gint64 most_carried(const Schedule *schedule, guint strand, guint k, const Division *data)
{
    guint n = cube_n_nodes(schedule->dimension);
    g_autofree gint64 *carried = g_new0(gint64, n * schedule->dimension);
    gint64 most = 0;
    g_auto(Step) step = step_new();
    for (guint node = 0; node < n; node++) {
        schedule_strand_step(schedule, node, strand, k, &step);
        for (guint i = 0; i < step.sends->len; i++) {
            const Send *send = step_nth_send(&step, i);
            ck_assert_uint_eq(cube_distance(node, send->peer), 1);
            gint64 *channel = &carried[cube_channel(schedule->dimension, node, cube_first_dimension(node, send->peer))];
            for (guint s = 0; s < send->n_stretches; s++)
                *channel += division_bytes(data, 0, 1) * step_stretch(&step, send, s)->count;
            most = MAX(most, *channel);
        }
    }
    return most;
}

/* A byte for every part. */
static Problem with_a_byte_each(Problem problem)
{
    return with_data(problem, problem_n_parts(&problem), 0);
}

/* With n ports no channel carries more than K/sigma (A1a) or K/(2 sigma) (A2) in a step; of beta cycles each has K/beta
 * at a time. Some channel carries as much, or K could be more. */
TEST(channel_loads)
{
    static const char *const texts[] = {"0,1", "0,1,2", "3,0,2,1", "4,3,2,1,0", "0,1,2,3,4,5", "0,1,2/3,4", "0,1/4,5"};
    const guint d = 6;
    for (guint i = 0; i < 2 * G_N_ELEMENTS(texts); i++) {
        const Algorithm *algorithm = permuting_algorithm(i % 2 ? "a2" : "a1a", TRUE);
        Permutation permutation = test_permutation(texts[i / 2], d);
        Problem problem = with_a_byte_each(permuting_problem(algorithm, &permutation, 0));
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        for (guint strand = 0; strand < schedule->n_strands; strand++) {
            guint sigma = permutation_cycle_length(&permutation, strand);
            gint64 share = problem.data.bytes / (permutation.n_cycles * sigma * (i % 2 ? 2 : 1)), most = 0;
            for (guint k = 0; k < schedule_n_steps(schedule, strand); k++)
                most = MAX(most, most_carried(schedule, strand, k, &problem.data));
            ck_assert_int_eq(most, share);
        }
    }
}

/* A1a on the 2n paths as printed (Ho & Johnsson 1988, sec. 4.2.2): path i crosses i, i - 1, ..., path n + i crosses i,
 * i + 1, ... The most pieces, of K/2n each, that a channel carries in a cycle. */
static guint most_pieces(guint n)
{
    guint most = 0;
    for (guint cycle = 0; cycle < n; cycle++) {
        g_autofree guint *carried = g_new0(guint, n << n);
        for (guint x = 0; x < 1u << n; x++)
            for (guint path = 0; path < 2 * n; path++) {
                guint to = (x << 1 | x >> (n - 1)) & ((1u << n) - 1), at = x, bit = path % n;
                for (guint k = 0; k < cycle; k++, bit = (bit + (path < n ? n - 1 : 1)) % n)
                    at ^= (x ^ to) & 1u << bit;
                guint *channel = &carried[at * n + bit];
                *channel += (x ^ to) >> bit & 1;
                most = MAX(most, *channel);
            }
    }
    return most;
}

/* Printed is K/n: two pieces. */
TEST(printed_paths)
{
    for (guint n = 2; n <= 8; n++)
        ck_assert_uint_eq(most_pieces(n), n < 4 ? 2 : 3);
}

/* Lemma 7: A5's parts are K/(sigma + beta + min - 1), and at most two use a dimension at a time, each with a half. */
TEST_LOOP(lemma_7, 0, 4)
{
    static const char *const texts[] = {"0,1,2,3/4,5,6/7,8", "0,1/2,3/4,5", "0,1,2", "0,1,2,3,4,5,6/7,8"};
    const guint d = 9;
    Permutation permutation = test_permutation(texts[_i], d);
    Problem problem = with_a_byte_each(permuting_problem(permuting_algorithm("a5", TRUE), &permutation, 0));
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    gint64 most = 0;
    for (guint k = 0; k < schedule->n_steps; k++)
        most = MAX(most, most_carried(schedule, 0, k, &problem.data));
    ck_assert_int_eq(most, 2);
}

/* --- what does not apply --- */

TEST(refusals)
{
    Permutation shuffle = test_permutation("shuffle", 4), transpose = test_permutation("transpose", 4);
    const Algorithm *spt = permuting_algorithm("spt", FALSE), *dpt = permuting_algorithm("dpt", TRUE);
    Problem exchanges = permuting_problem(spt, &transpose, 0), one_port = permuting_problem(spt, &shuffle, 0);
    Problem n_port = permuting_problem(dpt, &shuffle, 0);
    ck_assert_ptr_null(spt->refuses(&exchanges));
    ck_assert_ptr_nonnull(strstr(spt->refuses(&one_port), "longer cycle"));
    ck_assert_ptr_nonnull(strstr(dpt->refuses(&n_port), "longer cycle"));
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(algorithm_find("--algorithm", &pattern_permutation, FALSE, "a5", &error));
    ck_assert_str_eq(error->message,
                     "--algorithm: 'a5' uses all ports of a processor at a time; allowed with --ports all");
}

/* Where A6's groups are not A2's: cycles of 4, 2 and 2 dimensions, K = 6720 bytes, lambda 160, tau 0.45. A2 has three
 * rounds of the longest cycle, each 5 x 160 + 5/8 K/3 x 0.45 = 1430. A6 has two rounds of the groups (4) and (2, 2), in
 * the second of which two rounds of K/4 follow each other: 2 x (3 x 160 + 3/4 K/4 x 0.45) = 2094, more than the other's
 * 5 x 160 + 5/8 K/2 x 0.45. */
TEST(hierarchy)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ncube2", "delta_hop=0");
    Permutation permutation = test_permutation("0,1,2,3/4,5/6,7", 8);
    const char *names[] = {"a6", "a2"};
    gint64 times[2];
    for (guint i = 0; i < 2; i++) {
        const Algorithm *algorithm = algorithm_find("", &pattern_permutation, TRUE, names[i], NULL);
        Problem problem = with_data(permuting_problem(algorithm, &permutation, 0), 6720, 0);
        times[i] = test_price(&problem, machine).time_ps;
    }
    ck_assert_int_eq(times[0], 2 * (gint64)2094000000);
    ck_assert_int_eq(times[1], 3 * (gint64)1430000000);
}

TESTS(permute, every_permutation, every_cycle_type, named, extended, channel_loads, printed_paths, lemma_7,
      hierarchy, refusals)
