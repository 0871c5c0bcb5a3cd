/* Times of permutations of address bits: the counts of Table 2 worked by hand, and all three times. */
#include "permuting.h"
#include "sim/patterns/published.h"

#define LAMBDA_US 100
#define TAU_US 2

/* lambda = 100 µs, tau = 2 µs/byte and nothing else. Caller frees. */
static Machine *plain_machine(gboolean n_port)
{
    return TEST_MACHINE("bokhari1993", "delta=0", "rho=0", n_port ? "ports=all" : "ports=one");
}

/* The counts of Table 2: transfers in 240ths of K, and start-ups, of unlimited packets. */
typedef struct {
    const char *algorithm;
    gboolean n_port;
    const char *cycles;
    guint transfers, startups;
} Count;

#define WHOLE 240

static const Count counts[] = {
    /* 2 (sigma - beta) K, 2 (sigma - beta) */
    {"a0", FALSE, "0,1", 2 * WHOLE, 2},
    {"a0", FALSE, "0,1,2,3,4,5", 10 * WHOLE, 10},
    {"a0", FALSE, "0,1,2/3,4", 6 * WHOLE, 6},
    /* 2 (sigma - beta) K, sigma */
    {"a1", FALSE, "0,1", 2 * WHOLE, 2},
    {"a1", FALSE, "0,1,2", 4 * WHOLE, 3},
    {"a1", FALSE, "5,1,4,0,2", 8 * WHOLE, 5},
    {"a1", FALSE, "0,1,2/3,4", 6 * WHOLE, 5},
    /* sigma K, sigma; but a cycle of 3 takes 2 K and 2: see a1a_of_three */
    {"a1a", FALSE, "0,1", 2 * WHOLE, 2},
    {"a1a", FALSE, "0,1,2", 2 * WHOLE, 2},
    {"a1a", FALSE, "0,1,2,3", 4 * WHOLE, 4},
    {"a1a", FALSE, "0,1,2,3/4,5", 6 * WHOLE, 6},
    /* (sigma + beta) K / 2, sigma + beta */
    {"a2", FALSE, "0,1", 3 * WHOLE / 2, 3},
    {"a2", FALSE, "0,1,2,3,4,5", 7 * WHOLE / 2, 7},
    {"a2", FALSE, "0,1,2/3,4", 7 * WHOLE / 2, 7},
    /* n K, 2 n, whatever is permuted */
    {"a3", FALSE, "0,1", 6 * WHOLE, 12},
    {"a3", FALSE, "0,1,2,3,4,5", 6 * WHOLE, 12},
    /* as many exchanges as A0; printed is a bound, ceil(log2 sigma_max) sigma (K + 1) */
    {"a4", FALSE, "0,1,2,3,4,5", 10 * WHOLE, 10},
    {"a4", FALSE, "0,1/2,3/4,5", 6 * WHOLE, 6},
    {"spt", FALSE, "0,1/2,3/4,5", 6 * WHOLE, 6},
    /* K, beta sigma_max */
    {"a1a", TRUE, "0,1,2,3,4,5", WHOLE, 6},
    {"a1a", TRUE, "0,1,2,3/4,5", WHOLE, 8},
    {"dpt", TRUE, "0,1/2,3/4,5", WHOLE, 6},
    /* beta max((sigma_i + 1) K / (2 sigma_i beta) + sigma_i + 1) */
    {"a2", TRUE, "0,1,2,3,4,5", 7 * WHOLE / 12, 7},
    {"a2", TRUE, "0,1/2,3/4,5", 3 * WHOLE / 4, 9},
    /* K, 2 n */
    {"a3", TRUE, "0,1,2,3,4,5", WHOLE, 12},
    /* (sigma + beta) K / (sigma + beta + sigma_min - 1), sigma + beta */
    {"a5", TRUE, "0,1,2,3,4", 6 * WHOLE / 10, 6},
    {"a5", TRUE, "0,1/2,3", 6 * WHOLE / 7, 6},
    /* A2's for one cycle, and for cycles of one order */
    {"a6", TRUE, "0,1,2,3,4,5", 7 * WHOLE / 12, 7},
    {"a6-a1a", TRUE, "0,1,2,3,4,5", WHOLE, 6},
    {"a6-a1a", TRUE, "0,1,2,3/4,5", WHOLE, 8},
    {"a6-a1a", TRUE, "0,1/2,3/4,5", WHOLE, 6},
    /* each cycle as if it were alone */
    {"a1a-in-turn", TRUE, "0,1,2,3,4,5", WHOLE, 6},
    {"a1a-in-turn", TRUE, "0,1,2,3/4,5", 2 * WHOLE, 6},
    {"a2-in-turn", TRUE, "0,1,2,3,4,5", 7 * WHOLE / 12, 7},
    {"a2-in-turn", TRUE, "0,1,2,3/4,5", 5 * WHOLE / 8 + 3 * WHOLE / 4, 8},
    {"a2-in-turn", TRUE, "0,1/2,3/4,5", 9 * WHOLE / 4, 9},
    /* one packet: as A1a with one port */
    {"a0", TRUE, "0,1,2,3,4,5", 6 * WHOLE, 6},
    {"a0", TRUE, "0,1,2,3/4,5", 6 * WHOLE, 6},
    {"a6", TRUE, "0,1/2,3/4,5", 3 * WHOLE / 4, 9},
};

/* Contention-free and simulated times are those of the counts. K has 240 x 7 bytes for every part. */
TEST(table_2)
{
    const guint d = 6, scale = 7 * 24;
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        const Count *count = &counts[i];
        g_autoptr(Machine) machine = plain_machine(count->n_port);
        const Algorithm *algorithm = permuting_algorithm(count->algorithm, count->n_port);
        Permutation permutation = test_permutation(count->cycles, d);
        gint64 bytes = (gint64)WHOLE * scale;
        guint64 transfers = (guint64)count->transfers * scale;
        if (strcmp(count->cycles, "0,1/2,3") == 0)      /* in sevenths */
            transfers = (guint64)6 * WHOLE * scale / 7;
        Problem problem = with_data(permuting_problem(algorithm, &permutation, 0), bytes, 0);
        ck_assert_msg(problem.data.long_bytes * problem.data.pieces.n_parts == bytes, "%s: not divisible",
                      count->algorithm);
        gint64 expected = ((gint64)transfers * TAU_US + (gint64)count->startups * LAMBDA_US) * US;
        g_autofree char *text = test_describe(&problem);
        g_auto(EngineResult) result = test_simulate(&problem, machine);
        ck_assert_msg(result.time_ps == expected,
                      "%s: simulated %" G_GINT64_FORMAT " ps, worked by hand %" G_GINT64_FORMAT " ps", text,
                      result.time_ps, expected);
        ck_assert_int_eq(test_price(&problem, machine).time_ps, expected);
        ck_assert_uint_eq(result.network.blocked, 0);
    }
}

/* Simulated, contention-free and published times are equal to the picosecond, where the printed counts are exact. */
TEST(three_times)
{
    static const char *const exact[] = {"a0", "a1", "a2", "a3", "a1a"};
    static const char *const texts[] = {"0,1", "0,1,2", "0,1,2,3", "4,2,0,3,1", "0,1,2,3,4,5", "0,1/2,3", "0,1,2/3,4",
                                        "0,3/1,4/2,5", "0,1,2,3/4,5", "0,2,4/1,3,5"};
    const guint d = 6;
    g_autoptr(Machine) machine = plain_machine(FALSE);
    for (guint i = 0; i < G_N_ELEMENTS(exact) * G_N_ELEMENTS(texts); i++) {
        const Algorithm *algorithm = permuting_algorithm(exact[i / G_N_ELEMENTS(texts)], FALSE);
        Permutation permutation = test_permutation(texts[i % G_N_ELEMENTS(texts)], d);
        Run run = {.machine = machine, .element = 1,
                   .problem = with_data(permuting_problem(algorithm, &permutation, 0), 640, 0)};
        const char *why;
        gint64 published = permuting_published(&run, &why);
        ck_assert_ptr_null(why);
        g_auto(EngineResult) result = test_simulate(&run.problem, machine);
        g_autofree char *text = test_describe(&run.problem);
        ck_assert_int_eq(test_price(&run.problem, machine).time_ps, result.time_ps);
        if (beats_print(algorithm, &permutation))
            ck_assert_msg(result.time_ps < published, "%s", text);
        else
            ck_assert_msg(result.time_ps == published, "%s: published %" G_GINT64_FORMAT " ps, simulated %"
                          G_GINT64_FORMAT " ps", text, published, result.time_ps);
    }
}

/* The model's right counts, of steps that all take together, against schedules that nobody keeps together; and the
 * printed ones. Data of many sizes, with and without packets. */
TEST(right_counts)
{
    static const gint64 sizes[] = {0, 1, 7, 100, 961, 10080};
    static const char *const texts[] = {"0,1", "0,1,2", "0,1,2,3,4", "0,1/2,3", "0,1,2/3,4", "0,1,2,3/4,5"};
    const guint d = 6;
    for (guint i = 0; i < permuting_n_rows * G_N_ELEMENTS(texts) * G_N_ELEMENTS(sizes) * 2; i++) {
        guint nth = i;
        gint64 packet = nth % 2 ? 32 : 0, bytes = sizes[(nth /= 2) % G_N_ELEMENTS(sizes)];
        Permutation permutation = test_permutation(texts[(nth /= G_N_ELEMENTS(sizes)) % G_N_ELEMENTS(texts)], d);
        const PermutingRow *row = &permuting_rows[nth / G_N_ELEMENTS(texts)];
        gboolean n_port = row->ports == PORTS_ALL;
        const Pattern *pattern = &pattern_permutation;
        const Algorithm *algorithm = algorithm_find("", pattern, n_port, row->algorithm, NULL);
        if (takes_packets(algorithm) || algorithm->n_port != n_port || permuting_refuses(row, &permutation))
            continue;
        g_autoptr(Machine) machine = plain_machine(n_port);
        machine->packet = packet;
        Problem problem = permuting_problem(algorithm, &permutation, 0);
        Run run = {.machine = machine, .element = 1, .problem = with_data(problem, bytes, 0)};
        PermutingCase c = permuting_case_of(&run);
        gint64 counted = permuting_counted_ps(row, machine, &c), priced = test_price(&run.problem, machine).time_ps;
        g_autofree char *text = test_describe(&run.problem);
        gboolean may_be_less = strcmp(row->algorithm, "a1a") == 0 && !n_port;
        gboolean ok = may_be_less ? priced <= counted : priced == counted;
        ck_assert_msg(ok, "%s, %d bytes, packet %d: counted %" G_GINT64_FORMAT " ps, contention-free %" G_GINT64_FORMAT
                      " ps", text, (int)bytes, (int)packet, counted, priced);
    }
}

/* A4 with n ports is as fast as printed, (K/2B + 1)(lambda + B tau) a level, where the paths of all processors have the
 * same number of packets: where 1, 2, ... m divide C = K/2B, for m exchanges in a level. */
TEST(multiple_paths)
{
    static const struct {
        const char *cycles;
        gint64 packet;
        guint levels, n;    /* C */
    } cases[] = {
        {"0,1", 60, 1, 8}, {"0,1/2,3/4,5", 40, 1, 12}, {"0,1,2,3,4,5", 60, 3, 8}, {"0,1,2/3,4,5", 60, 2, 8},
    };
    const guint d = 6;
    g_autoptr(Machine) machine = plain_machine(TRUE);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Algorithm *algorithm = permuting_algorithm("a4", TRUE);
        Permutation permutation = test_permutation(cases[i].cycles, d);
        Run run = {.machine = machine, .element = 1,
                   .problem = with_data(permuting_problem(algorithm, &permutation, 0), 960, cases[i].packet)};
        ck_assert_uint_eq(pieces_count(&run.problem.data.pieces), 2 * cases[i].n);
        machine->packet = cases[i].packet;
        gint64 expected = cases[i].levels * (cases[i].n + 1) * (LAMBDA_US + cases[i].packet * TAU_US) * US;
        const char *why;
        ck_assert_int_eq(permuting_published(&run, &why), expected);
        g_auto(EngineResult) result = test_simulate(&run.problem, machine);
        ck_assert_int_eq(result.time_ps, expected);
        ck_assert_uint_eq(result.network.blocked, 0);
        ck_assert_int_eq(test_price(&run.problem, machine).time_ps, expected);
    }
}

/* A0 on one path: a packet every other cycle, 2 K/B + sigma - 2 of them. */
TEST(one_path)
{
    static const struct {
        const char *cycles;
        gint64 packet;
        guint cycles_taken;
    } cases[] = {
        {"0,1,2,3,4,5", 60, 2 * 16 + 4}, {"5,3,1,0", 240, 2 * 4 + 2}, {"0,1/2,3/4,5", 96, 2 * 10 + 4}, {"0,1", 960, 2},
    };
    g_autoptr(Machine) machine = plain_machine(TRUE);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation permutation = test_permutation(cases[i].cycles, 6);
        const Algorithm *algorithm = permuting_algorithm("a0", TRUE);
        Run run = {.machine = machine, .element = 1,
                   .problem = with_data(permuting_problem(algorithm, &permutation, 0), 960, cases[i].packet)};
        gint64 expected = cases[i].cycles_taken * (LAMBDA_US + cases[i].packet * TAU_US) * US;
        const char *why;
        machine->packet = cases[i].packet;
        ck_assert_int_eq(permuting_published(&run, &why), expected);
        ck_assert_int_eq(test_price(&run.problem, machine).time_ps, expected);
        g_auto(EngineResult) result = test_simulate(&run.problem, machine);
        ck_assert_int_eq(result.time_ps, expected);
        ck_assert_uint_eq(result.network.blocked, 0);
    }
}

/* Packets: a message pays one start-up for each. A1's in the middle have 2 K. */
TEST(packets)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "delta=0", "rho=0", "packet=100");
    Permutation permutation = test_permutation("0,1,2,3", 6);
    Problem problem = with_data(permuting_problem(permuting_algorithm("a1", FALSE), &permutation, 0), 240, 0);
    ck_assert_uint_eq(problem.data.pieces.n_parts, 1);
    /* 6 K of transfers; ceil(240/100) twice, ceil(480/100) twice */
    ck_assert_int_eq(test_price(&problem, machine).time_ps,
                     (gint64)(6 * 240 * TAU_US + (2 * 3 + 2 * 5) * LAMBDA_US) * US);
}

/* What messages of a permutation cost is what their pieces have, wherever these lie: of 3 bytes, A2's halves have 2 and
 * 1. With bits (x1 x0) = 01, processor 1 sends half 0. */
TEST(uneven_halves)
{
    g_autoptr(Machine) machine = plain_machine(FALSE);
    Permutation permutation = test_permutation("0,1", 2);
    Problem problem = with_data(permuting_problem(permuting_algorithm("a2", FALSE), &permutation, 0), 3, 0);
    ck_assert_uint_eq(problem.data.pieces.n_parts, 2);
    /* step 0: half 0 of 2 bytes from processors 1 and 3. Then 0 and 2 hold nothing but halves 0, 1 and 3 halves 1; in
     * step 1 processors 0 and 2 exchange 2 bytes; step 2 is like step 0. Everybody waits for its own messages only:
     * 1 and 3 are a byte ahead of nobody, as 2 bytes arrive in every step. */
    ck_assert_int_eq(test_price(&problem, machine).time_ps, (gint64)(3 * LAMBDA_US + 3 * 2 * TAU_US) * US);
}

/* Figure 8: a transposition on a 6-cube takes A2 1.5 to 3 times as long as A1 where a send and a receive exclude each
 * other, as on the iPSC/1; with full duplex 0.75 to 1.5 times. Small data is nearly start-ups alone, large data nearly
 * transmission. */
TEST_LOOP(figure_8, 0, 2)
{
    static const gint64 sizes[] = {8, 64, 512, 1024, 4096, 16384};
    const guint d = 6;
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc1", _i ? "duplex=full" : "duplex=half");
    Permutation transpose = test_permutation("transpose", d);
    double first = 0, last = 0;
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        gint64 time[2];
        for (guint a = 0; a < 2; a++) {
            const Algorithm *algorithm = permuting_algorithm(a ? "a2" : "a1", FALSE);
            Problem problem = with_data(permuting_problem(algorithm, &transpose, 0), sizes[i], 0);
            time[a] = test_simulate(&problem, machine).time_ps;
        }
        last = (double)time[1] / (double)time[0];
        first = i ? first : last;
        ck_assert_double_ge(last, _i ? 0.75 : 1.5);
        ck_assert_double_le(last, _i ? 1.5 : 3.0);
    }
    ck_assert_double_ge(first, _i ? 1.49 : 2.98);
    ck_assert_double_le(last, _i ? 0.76 : 1.51);
}

TESTS(permute_times, table_2, three_times, right_counts, multiple_paths, one_path, packets, uneven_halves, figure_8)
