/* What multiplications take in lock step, walked through step by step, is what is worked by hand. (Where the shape
 * divides, that is what the papers print: test_matmul_walked.c.) */
#include "multiplying.h"
#include "tests/support/walk.h"

/* Both in elements. */
typedef struct {
    gint64 startups, elements;
} Count;

static void assert_walk(const TestProduct *product, Count count, gint64 operations)
{
    Problem problem = test_product(product);
    g_autoptr(Machine) machine = multiplying_machine(product->n_port, product->packet);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    Walk walked = walk(schedule, machine);
    g_autofree char *text = test_describe(&problem);
    ck_assert_msg(walked.startups == count.startups && walked.bytes == count.elements * TEST_ELEMENT &&
                      walked.by_phase == operations,
                  "%s: walked %ld start-ups, %ld elements, %ld operations, counted %ld, %ld, %ld", text,
                  (long)walked.startups, (long)walked.bytes / TEST_ELEMENT, (long)walked.by_phase,
                  (long)count.startups, (long)count.elements, (long)operations);
}

/* --- by hand --- */

#define PRODUCT_IN_THREE(name, by, ports, ...)                                                                         \
    {.algorithm = name, .routing = by, .n_port = ports, .shape = {16, 16, 16}, .grid = {__VA_ARGS__}}

#define PRODUCT(name, by, ports, ...) PRODUCT_IN_THREE(name, by, ports, __VA_ARGS__, 0)

/* 16 x 16 x 16, flop = 1. */
static const struct {
    TestProduct product;
    Count count;
    gint64 operations, us;
} by_hand[] = {
    {PRODUCT("a1", "sbt", FALSE, 0, 4), {4, 240}, 512, 4752},
    {PRODUCT("a1", "gcea", FALSE, 0, 4), {15, 240}, 512, 15752},
    {PRODUCT("a3", "sbt", FALSE, 0, 4), {12, 304}, 512, 12816},
    {PRODUCT("a4", "sbt", FALSE, 0, 4), {8, 272}, 512, 8784},
    {PRODUCT("a4", "nrsbt", TRUE, 0, 4), {8, 92}, 512, 8604},
    {PRODUCT("a1", "sbt", FALSE, 2, 2), {4, 96}, 512, 4608},
    {PRODUCT("a2", "sbt", FALSE, 2, 2), {8, 160}, 512, 8672},
    {PRODUCT("a3", "sbt", FALSE, 2, 2), {12, 224}, 512, 12736},
    {PRODUCT("a4", "sbt", FALSE, 2, 2), {8, 160}, 512, 8672},
    {PRODUCT("a5", "sbt", FALSE, 2, 2), {12, 224}, 512, 12736},
    {PRODUCT("a1", "nrsbt", TRUE, 2, 2), {2, 24}, 512, 2024 + 512},
    {PRODUCT("a2", "nrsbt", TRUE, 2, 2), {8, 112}, 512, 8624},
    {PRODUCT("a3", "nrsbt", TRUE, 2, 2), {12, 176}, 512, 12688},
    {PRODUCT("a4", "nrsbt", TRUE, 2, 2), {8, 112}, 512, 8624},
    {PRODUCT("a5", "nrsbt", TRUE, 2, 2), {12, 176}, 512, 12688},
    {PRODUCT("cannon", "sbt", TRUE, 2, 2), {5, 80}, 512, 5080 + 512},
    {PRODUCT("dekel", "sbt", TRUE, 2, 2), {5, 80}, 512, 5080 + 512},
    {PRODUCT("a2", "sbt", FALSE, 3, 1), {8, 176}, 512, 8688},
    {PRODUCT("a3b", "sbt", FALSE, 3, 1), {9, 208}, 528, 9736},
    {PRODUCT("cannon-log", "sbt", TRUE, 2, 2), {5, 80}, 512, 5080 + 512},       /* 2 to align, 3 turns */
    {PRODUCT_IN_THREE("3d", "sbt", FALSE, 1, 1, 1), {3, 96}, 1024, 3096 + 1024},                /* 32; 32; 32 */
    {PRODUCT_IN_THREE("3d", "nrsbt", TRUE, 1, 1, 1), {2, 64}, 1024, 2064 + 1024},               /* C and D at a time */
    {PRODUCT_IN_THREE("3d", "sbt", FALSE, 2, 1, 1), {4, 80}, 512, 4080 + 512},                  /* 16; 16, 32; 16 */
    {PRODUCT_IN_THREE("3d", "sbt", FALSE, 2, 2, 0), {4, 96}, 512, 4608},                        /* a1 */
    {PRODUCT_IN_THREE("3d-shuffled", "sbt", FALSE, 1, 1, 1), {7, 160}, 1024, 7160 + 1024},      /* 2 16; 2 16; 3d */
    {PRODUCT_IN_THREE("3d-shuffled", "sbt", FALSE, 2, 1, 1), {9, 120}, 512, 9120 + 512},        /* 2 8; 3 8; 3d */
    {PRODUCT_IN_THREE("3d-shuffled", "sbt", FALSE, 2, 0, 2), {8, 128}, 512, 8128 + 512},       /* 4 8; 16 32; 16 32 */
};

static Machine *machine_with(const TestProduct *product, const char *flop)
{
    return TEST_MACHINE(product->n_port ? "johnsson1987:nport" : "johnsson1987", flop);
}

static void assert_price(const TestProduct *product, const char *flop, gint64 us)
{
    g_autoptr(Machine) machine = machine_with(product, flop);
    Problem problem = test_product(product);
    ck_assert_int_eq(test_price(&problem, machine).time_ps, us * 1000000);
}

static void assert_times(const TestProduct *product, const char *flop, gint64 price_us, gint64 simulated_us,
                         guint64 blocked)
{
    g_autoptr(Machine) machine = machine_with(product, flop);
    Problem problem = test_product(product);
    g_auto(EngineResult) result = test_simulate(&problem, machine);
    assert_price(product, flop, price_us);
    ck_assert_int_eq(result.time_ps, simulated_us * 1000000);
    ck_assert_uint_eq(result.network.blocked, blocked);
}

TEST_LOOP(reference_values, 0, G_N_ELEMENTS(by_hand))
{
    assert_walk(&by_hand[_i].product, by_hand[_i].count, by_hand[_i].operations);
    assert_times(&by_hand[_i].product, "flop=1", by_hand[_i].us, by_hand[_i].us, 0);
}

/* Without arithmetic. Seven of Cannon's messages find the only receive port taken. */
TEST(cannon)
{
    const TestProduct one_port = PRODUCT("cannon", "sbt", FALSE, 2, 2);
    assert_walk(&one_port, (Count){10, 160}, 512);
    assert_times(&one_port, "flop=0", 10160, 10176, 7);
}

/* In the 16 half steps, C and D by turns, somebody has a message; but no chain of messages that wait for each other
 * goes through all of them. With n ports one of 8 steps does, and with arithmetic one of 9 products of 128
 * operations. */
TEST(outer)
{
    const TestProduct one_port = PRODUCT("outer", "sbt", FALSE, 2, 2), n_port = PRODUCT("outer", "sbt", TRUE, 2, 2);
    assert_walk(&one_port, (Count){16, 256}, 512);
    assert_price(&one_port, "flop=0", 15 * 1016);
    assert_walk(&n_port, (Count){8, 128}, 512);
    assert_times(&n_port, "flop=0", 8128, 8128, 0);
    assert_times(&n_port, "flop=1", 8128 + 9 * 128, 8128 + 9 * 128, 0);
}

/* Products go on while messages are under way. With flop = 1 only what comes last is multiplied after them; with
 * flop = 100 products take longer, and of the messages only those before the first one and after the last count. */
static const struct {
    TestProduct product;
    gint64 us, us_of_100;
} of_overlap[] = {
    {PRODUCT("a1", "gcea", FALSE, 0, 4), 15 * 1016 + 32, 512 * 100},
    {PRODUCT("a1", "cra", FALSE, 4, 0), 15 * 1016 + 32, 512 * 100},
    {PRODUCT("a1", "sbt", FALSE, 2, 2), 2 * (1016 + 1032) + 256, 1016 + 1032 + 512 * 100},
    {PRODUCT("a4", "sbt", FALSE, 2, 2), 8160 + 224 + 64, 8160 - (1016 + 1032) + 512 * 100},
    {PRODUCT("cannon", "sbt", TRUE, 2, 2), 5 * 1016 + 128, 2 * 1016 + 512 * 100},
};

TEST_LOOP(overlapped, 0, G_N_ELEMENTS(of_overlap))
{
    TestProduct product = of_overlap[_i].product;
    product.overlap = TRUE;
    assert_times(&product, "flop=1", of_overlap[_i].us, of_overlap[_i].us, 0);
    assert_times(&product, "flop=100", of_overlap[_i].us_of_100, of_overlap[_i].us_of_100, 0);
}

/* 5 x 7 x 3 on 2 x 4: free-running processors are 2 µs faster than in lock step. */
TEST(not_divided)
{
    TestProduct a4 = PRODUCT("a4", "sbt", FALSE, 1, 2);
    a4.shape = (MatmulShape){5, 7, 3};
    assert_walk(&a4, (Count){6, 23}, 39);
    assert_times(&a4, "flop=1", 6060, 6060, 0);
}

/* --- constant storage, and others --- */

static void assert_peak(const TestProduct *product, gint64 elements)
{
    Problem problem = test_product(product);
    g_auto(Verdict) verdict = test_verify(&problem, PORTS_ONE);
    ck_assert_int_eq(verdict.peak_bytes, elements * TEST_ELEMENT);
}

static void assert_torus(const char *algorithm, guint n1, guint n2, Count count, gint64 peak)
{
    guint s = 1u << MAX(n1, n2), n = n1 + n2;
    TestProduct p = {.algorithm = algorithm, .routing = "sbt", .shape = {s, 2 * s, 4 * s}, .grid = {n1, n2, 0}};
    assert_walk(&p, count, 2 * (gint64)p.shape.p * p.shape.q * p.shape.r >> n);
    assert_peak(&p, peak);
}

/* Squares; blocks of 2, 8 and 4 elements of C, D and A. */
TEST_LOOP(squares, 0, 3 + 1)
{
    guint m = (guint)_i, s = 1u << m, n = 2 * m;
    gint64 both = 2 + 8;
    assert_torus("cannon", m, m, (Count){2 * (s / 2) + 2 * (s - 1), (s / 2 + s - 1) * both}, both + 4);
    assert_torus("dekel", m, m, (Count){n + 2 * (s - 1), (n / 2 + s - 1) * both}, both + 4);
    if (s >= 4)
        assert_torus("outer", m, m, (Count){4 * s, 2 * s * both}, 2 * both + 4);
}

/* log s moves of each matrix in place of s/2. */
TEST_LOOP(jumps, 0, 3 + 1)
{
    guint m = (guint)_i, s = 1u << m;
    assert_torus("cannon-log", m, m, (Count){2 * m + 2 * (s - 1), (m + s - 1) * (2 + 8)}, 2 + 8 + 4);
}

/* 16 x 2 x 2 on 1 x 16: two processors have a column of C, and exchange them; a1 goes on with both. */
TEST(few_steps)
{
    TestProduct a1 = PRODUCT("a1", "sbt", FALSE, 0, 4), fewer = PRODUCT("a1-short", "sbt", FALSE, 0, 4);
    a1.shape = fewer.shape = (MatmulShape){16, 2, 2};
    assert_walk(&a1, (Count){4, 16 + 3 * 32}, 64);
    assert_walk(&fewer, (Count){1, 16}, 64);
    fewer.shape = (MatmulShape){16, 5, 3};
    assert_walk(&fewer, (Count){3, 16 + 32 + 64}, 160);
}

/* n2 M_C + n2 M_D + (n1 - n2) M_D/2 to align, (N2 - 1) M_C + (N1 - 1) M_D in turns; for N1 < N2 transposed. */
TEST_LOOP(oblong_dekel, 0, test_upto(4, 6) + 1)
{
    for (guint n1 = 0; n1 <= (guint)_i; n1++) {
        guint n = (guint)_i, n2 = n - n1, least = MIN(n1, n2), most = MAX(n1, n2);
        gint64 c = (gint64)2 << (2 * most - n), d = 4 * c;
        gint64 aligned = least * (c + d) + (most - least) * (n1 > n2 ? d : c) / 2;
        gint64 turned = ((1 << n2) - 1) * c + ((1 << n1) - 1) * d;
        assert_torus("dekel", n1, n2, (Count){n + (1 << n1) + (1 << n2) - 2, aligned + turned}, c + d + 2 * c);
    }
}

/* All of a row of C and of a column of D lie there beside A, with a1 but for linear arrays; these have 2^k blocks of
 * C. */
TEST(buffers)
{
    TestProduct a1 = PRODUCT("a1", "sbt", FALSE, 2, 2);
    assert_peak(&a1, 16 * (4 + 4) + 16);
    for (guint k = 0; k <= 5; k++) {
        TestProduct hybrid = PRODUCT("a1", "hybrid", FALSE, 0, 5);
        hybrid.shape = (MatmulShape){32, 32, 32};
        hybrid.accumulate = k;
        assert_peak(&hybrid, 32 * ((1 << k) + 2));
    }
}

TESTS(multiplying_counts, reference_values, cannon, outer, overlapped, not_divided, squares, jumps, few_steps,
      oblong_dekel, buffers)
