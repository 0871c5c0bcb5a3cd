/* Tables 5 to 12 of Johnsson & Ho 1987 against the schedules of their algorithms, walked through in lock step: worked
 * by hand, where the print is wrong, and where it is right. */
#include "models/matmul_best.h"
#include "multiplying.h"
#include "sim/patterns/matmul/case_run.h"
#include "tests/models/products.h"
#include "tests/models/rows.h"
#include "tests/support/walk.h"

static MatmulCount walked(const MatmulCase *c)
{
    g_autoptr(Machine) machine = multiplying_machine(c->ports == PORTS_ALL, 0);
    Run run = matmul_case_run(c, machine);
    ck_assert_msg(!run.refused, "%s", run.refused);
    g_autoptr(Schedule) schedule = schedule_make(&run.problem);
    Walk sum = walk(schedule, machine);
    return (MatmulCount){{sum.bytes, c->element}, {sum.startups, 1}, sum.by_phase};
}

static MatmulCount counted(const char *text, MatmulLayout layout)
{
    MatmulCase c = product(text);
    c.layout = layout;
    return walked(&c);
}

static MatmulCount printed(const char *text)
{
    MatmulCase c = product(text);
    const char *reason;
    const MatmulRow *row = matmul_row_of(&c, &reason);
    if (!row)
        g_error("%s: %s", text, reason);
    return matmul_printed(row, &c, &textbook);
}

typedef struct {
    const char *text;
    gint64 startups, transfers, operations;
} Counted;

static void check_counted(const Counted *cases, guint n, MatmulLayout layout)
{
    for (guint i = 0; i < n; i++) {
        MatmulCount count = counted(cases[i].text, layout);
        assert_rational(count.startups, cases[i].startups, 1, cases[i].text);
        assert_rational(count.transfers, cases[i].transfers, 1, cases[i].text);
        ck_assert_msg(count.operations == cases[i].operations, "%s: %" G_GINT64_FORMAT " operations", cases[i].text,
                      count.operations);
    }
}

/* Blocks of 16 elements, but on 8 x 2, where those of transposed matrices also are 2 x 8. */
TEST(equal_blocks)
{
    static const Counted cases[] = {
        {"a1 sbt 16x16x16 1x16 one", 4, 240, 512},
        {"a1 gcea 16x16x16 1x16 one", 15, 240, 512},
        {"a1 cra 16x16x16 1x16 one", 15, 240, 512},
        {"a3 sbt 16x16x16 1x16 one", 12, 304, 512},         /* 4 x 8 + 240 + 4 x 8 */
        {"a4 sbt 16x16x16 1x16 one", 8, 272, 512},
        {"a4 nrsbt 16x16x16 1x16 all", 8, 92, 512},         /* 15 x 4; blocks of one element: 4 x 8 */
        {"a4 sbnt 16x16x16 1x16 all", 8, 91, 512},         /* 5 necklaces x 16; 11 on the busiest ports */
        {"a1 sbt 16x16x16 4x4 one", 4, 96, 512},
        {"a2 sbt 16x16x16 4x4 one", 8, 160, 512},
        {"a3 sbt 16x16x16 4x4 one", 12, 224, 512},
        {"a4 sbt 16x16x16 4x4 one", 8, 160, 512},
        {"a5 sbt 16x16x16 4x4 one", 12, 224, 512},
        {"a1 nrsbt 16x16x16 4x4 all", 2, 24, 512},
        {"a2 nrsbt 16x16x16 4x4 all", 8, 112, 512},
        {"a3 nrsbt 16x16x16 4x4 all", 12, 176, 512},
        {"a4 nrsbt 16x16x16 4x4 all", 8, 112, 512},
        {"a5 nrsbt 16x16x16 4x4 all", 12, 176, 512},
        {"cannon sbt 16x16x16 4x4 one", 10, 160, 512},
        {"dekel sbt 16x16x16 4x4 one", 10, 160, 512},
        {"outer sbt 16x16x16 4x4 one", 16, 256, 512},
        {"cannon nrsbt 16x16x16 4x4 all", 5, 80, 512},
        {"dekel nrsbt 16x16x16 4x4 all", 5, 80, 512},
        {"outer nrsbt 16x16x16 4x4 all", 8, 128, 512},
        {"a2 sbt 16x16x16 8x2 one", 8, 176, 512},           /* (2 + 1) 16 + 16 + 7 x 16 */
        {"a3b sbt 16x16x16 8x2 one", 9, 208, 528},          /* 48 + 16; 64, 32, then 32 whole; 16 */
        {"a2 sbt 16x16x16 4x4 one 4", 32 + 8, 160, 512},    /* 4 x 4 and 4 + 8, twice */
        {"outer sbt 8x8x8 1x1 one", 0, 0, 1024},
        {"a3 sbt 8x8x8 1x1 one", 0, 0, 1024},
    };
    check_counted(cases, G_N_ELEMENTS(cases), MATMUL_CONSECUTIVE);
    check_counted(cases, G_N_ELEMENTS(cases), MATMUL_CYCLIC);
}

/* Oblong grids: k = 4, blocks of 16. */
TEST(oblong_torus)
{
    static const Counted cases[] = {
        {"dekel sbt 16x16x16 8x2 one", 12, 176, 512},   /* 16 + 16 + 2 x 8; 16 + 7 x 16 */
        {"dekel sbt 16x16x16 2x8 one", 12, 176, 512},
        {"cannon sbt 16x16x16 8x2 one", 4 + 4 + 14, 4 * 4 + 16 + 12 + 8 + 4 + 7 * 20, 512},
        /* a column turns both ways: of 3 and 4, 2 and 3, 1 and 2, 0 and 1 blocks of 3, n ports the larger at a time */
        {"cannon sbt 8x24x8 8x1 one", 7 + 7, 3 * 16 + 7 * 24, 384},
        {"cannon nrsbt 8x24x8 8x1 all 2", 16 + 7 * 12, 3 * 10 + 7 * 24, 384},
    };
    check_counted(cases, G_N_ELEMENTS(cases), MATMUL_CONSECUTIVE);
}

/* Consecutive; a gather, blocks that are missing, sums without terms. Worked by executing them element by element. */
TEST(blocks_of_several_sizes)
{
    static const Counted cases[] = {
        {"a4 sbt 5x7x3 2x4 one", 6, 23, 39},
        {"a1 sbt 3x1x1 1x2 one 2", 2, 3, 6},
        {"a1 sbt 3x1x1 1x4 one", 2, 6, 6},          /* only one processor has C: 3 + 3 */
        {"a3 sbt 1x2x2 1x2 one", 3, 4, 7},
        {"a4 sbt 1x3x2 1x4 one", 4, 5, 6},
        {"a3 sbt 2x1x1 1x2 one", 3, 3, 3},
        {"a3 sbt 4x8x4 1x4 one 2", 18, 36, 64},
        {"a2 sbt 5x1x1 4x1 one", 4, 6, 7},          /* 2, 2, 1, 0: gathered, 1 + 2; back without additions, 1 + 2 */
    };
    check_counted(cases, G_N_ELEMENTS(cases), MATMUL_CONSECUTIVE);
}

/* --- where the print is wrong (models/README.md) --- */

static void check_both(const char *text, gint64 printed_startups, gint64 startups, gint64 printed_transfers,
                       gint64 transfers)
{
    MatmulCount in_print = printed(text), right = counted(text, MATMUL_CONSECUTIVE);
    assert_rational(in_print.startups, printed_startups, 1, text);
    assert_rational(right.startups, startups, 1, text);
    assert_rational(in_print.transfers, printed_transfers, 1, text);
    assert_rational(right.transfers, transfers, 1, text);
}

TEST(wrong_counts)
{
    /* the broadcast of D with PR for QR */
    check_both("a3 sbt 4x8x4 1x4 one 2", 12, 18, 36, 36);
    /* PQ/N = 3/2 without a ceiling */
    check_both("a1 sbt 3x1x1 1x2 one 2", 1, 2, 3, 3);
    /* Table 9 has n M for a transposition, Table 6 n M/2 */
    check_both("a4 sbt 16x16x16 1x16 one", 8, 8, 272, 272);
    MatmulCase a4 = product("a4 sbt 16x16x16 1x16 one");
    MatmulCount by_grid = matmul_printed(matmul_row_of_grid(MATMUL_A4, PORTS_ONE), &a4, &textbook);
    assert_rational(by_grid.transfers, 304, 1, "Table 9");
    /* a block that only one processor has */
    check_both("a1 sbt 7x1x1 1x4 one", 2, 2, 21, 14);
    /* transpositions with P for N ceil(P/N) */
    check_both("a3 sbt 1x2x2 1x2 one", 3, 3, 3, 4);
    /* with P = 1 that of C is a gather, (N-1) c(Q,N), printed (n/2) c(Q,N) */
    check_both("a3 sbt 1x8x4 1x4 one", 6, 6, 27, 33);
    /* on oblong grids transpositions have (n/2 + min(n1,n2)) M elements in n messages: of 32 here 2.5, printed 3 */
    check_both("a2 sbt 16x16x16 4x2 one", 6, 6, 224, 208);
    check_both("a2 sbt 16x16x16 2x4 one", 6, 6, 224, 208);
}

TEST(wrong_arithmetic)
{
    static const struct {
        const char *text;
        gint64 printed, right;
    } cases[] = {{"a4 sbt 1x3x2 1x4 one", 5, 6}, {"a3 sbt 2x1x1 1x2 one", 2, 3}, {"a1 sbt 5x7x3 2x4 one", 42, 42}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert_int_eq(printed(cases[i].text).operations, cases[i].printed);
        ck_assert_int_eq(counted(cases[i].text, MATMUL_CONSECUTIVE).operations, cases[i].right);
    }
}

/* "Column partitioning should be used for P <= R": of 2 x 2 x 4 on two processors, elements by columns and by rows. */
TEST(columns_or_rows)
{
    static const struct {
        const char *columns, *rows;
        gint64 by_columns, by_rows;
    } cases[] = {{"a1 sbt 2x2x4 1x2 one", "a1 sbt 2x2x4 2x1 one", 2, 4},
                 {"a3 sbt 2x2x4 1x2 one", "a5 sbt 2x2x4 2x1 one", 7, 6},
                 {"a4 sbt 2x2x4 1x2 one", "a2 sbt 2x2x4 2x1 one", 6, 5}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Rational columns = counted(cases[i].columns, MATMUL_CONSECUTIVE).transfers;
        Rational rows = counted(cases[i].rows, MATMUL_CONSECUTIVE).transfers;
        assert_rational(columns, cases[i].by_columns, 1, cases[i].columns);
        assert_rational(rows, cases[i].by_rows, 1, cases[i].rows);
        assert_rational(printed(cases[i].columns).transfers, cases[i].by_columns, 1, cases[i].columns);
        assert_rational(printed(cases[i].rows).transfers, cases[i].by_rows, 1, cases[i].rows);
    }
}

/* --- where it is right --- */

/* If max(N1,N2) divides P, Q and R, and n ports the blocks, everything in print is exact but A3(1)'s start-ups, A1(n)'s
 * without ceilings, and transpositions in Table 9 on grids that are no squares. */
TEST(exact_where_divisible)
{
    static const char *const grids[] = {"1x4", "4x1", "2x2", "4x4", "2x4", "8x2"};
    for (guint g = 0; g < G_N_ELEMENTS(grids); g++)
        for (guint i = 0; i < matmul_n_rows; i++) {
            const MatmulRow *row = &matmul_rows[i];
            g_autofree char *text = g_strdup_printf("a1 sbt 32x96x64 %s one 8", grids[g]);
            MatmulCase any = product(text), c = matmul_row_case(row, &any);
            gboolean is_square = c.grid.n1 == c.grid.n2;
            if (!matmul_row_is_for(row, &c.grid) || (row->table != 6 && !is_square && row->algorithm != MATMUL_A1))
                continue;
            MatmulCount in_print = matmul_printed(row, &c, &textbook);
            MatmulCount right = walked(&c);
            ck_assert_msg(rational_real(in_print.transfers) == rational_real(right.transfers), "Table %u, %s on %s",
                          row->table, row->name, grids[g]);
            ck_assert_int_eq(in_print.operations, right.operations);
            if (row->table != 6 || row->algorithm != MATMUL_A3)
                ck_assert_msg(rational_real(in_print.startups) == rational_real(right.startups), "Table %u, %s on %s",
                              row->table, row->name, grids[g]);
        }
}

/* Packets of 2. On 4 x 4: 8 + 3 cycles for M = 16, and twice 3 x 16/2 in c(16,2) + c(8,2). On 2 x 4, M = 32, 16 + 2
 * cycles, in the last one half a packet moves; brd C in rows 3 x 32/2, 16 + 8, red A in columns 32, 16. On 8 x 2, M =
 * 4, the last two of 5 cycles have half packets. Packets of 7 and of 1 on 4 x 2, M = 8: 7, 7, 3, 1. */
TEST(pipelines)
{
    static const Counted cases[] = {
        {"a2 nrsbt 16x16x16 4x4 all 2", 11 + 2 * 12, 22 + 2 * 24, 512},
        {"a2 nrsbt 16x16x16 2x4 all 2", 18 + 24 + 16, 35 + 48 + 32, 1024},
        {"a2 nrsbt 8x8x8 8x2 all 2", 5 + 2 + 6, 8 + 4 + 11, 64},
        {"a2 nrsbt 8x8x8 4x2 all 7", 4 + 2 + 3, 18 + 8 + 12, 128},
    };
    check_counted(cases, G_N_ELEMENTS(cases), MATMUL_CONSECUTIVE);
}

/* --- three dimensions --- */

/* The contention-free time on the machine `data`. */
static gboolean price_case(const MatmulCase *c, gpointer data, MatmulReal *real)
{
    Machine machine = *(const Machine *)data;
    Run run = matmul_case_run(c, &machine);
    ck_assert_msg(!run.refused, "%s", run.refused);
    g_autoptr(Schedule) schedule = schedule_make(&run.problem);
    *real = (MatmulReal){.ps = price_time(schedule, &machine)};
    return TRUE;
}

/* The least time on a grid of 2^n3 > 1 layers, of any numbers of rows and columns. */
static gint64 least_in_layers(MatmulQuestion q, const MatmulShape *shape, MatmulAlgorithm algorithm)
{
    gint64 least = INPUT_TIME_MAX_PS;
    q.grids = MATMUL_GIVEN;
    for (guint n1 = 0; n1 < q.dimension; n1++)
        for (guint n2 = 0; n1 + n2 < q.dimension; n2++) {
            MatmulChoice choice;
            q.grid = (MatmulGrid){n1, n2, q.dimension - n1 - n2};
            ck_assert(matmul_choose(&q, shape, algorithm, &choice));
            least = MIN(least, choice.ps);
        }
    return least;
}

/* From the three-dimensional partitioning the product never takes longer than by a1 to a5, if a grid may have sides of
 * 1, and a1 is taken for one layer. Nor does it from the two-dimensional one by a4; by a2 it may. */
static const char *const lambdas[] = {"lambda=0", "lambda=1", "lambda=1000"};

TEST_LOOP(never_slower, 0, G_N_ELEMENTS(lambdas))
{
    g_autoptr(Machine) machine = TEST_MACHINE("johnsson1987", lambdas[_i]);
    for (guint n = 3; n <= (guint)test_upto(3, 5); n++) {
        MatmulQuestion q = {.time = price_case, .data = machine, .grids = MATMUL_ANY, .dimension = n,
                            .ports = PORTS_ONE, .element = TEST_ELEMENT, .optimal = TRUE,
                            .terms = matmul_terms(machine, G_MAXINT64)};
        for (guint i = 0; i < 3 * 3 * 3; i += n < 5 ? 1 : 4) {
            MatmulShape shape = {(5 * (i / 9) + 1) << n, (5 * (i / 3 % 3) + 1) << n, (5 * (i % 3) + 1) << n};
            MatmulChoice two[2], a1, a4;
            ck_assert(matmul_best_two(&q, &shape, two) && matmul_choose(&q, &shape, MATMUL_A1, &a1));
            ck_assert(matmul_choose(&q, &shape, MATMUL_A4, &a4));
            ck_assert_int_le(MIN(a1.ps, least_in_layers(q, &shape, MATMUL_3D)), two[0].ps);
            ck_assert_int_le(MIN(a1.ps, least_in_layers(q, &shape, MATMUL_3D_SHUFFLED)), a4.ps);
        }
    }
}

/* 3d-shuffled on N1 x 1 x N2 is a4 on N1 x N2 with half of D in each step, where a4 sends blocks in pairs of steps. */
TEST(shuffled_for_transposed)
{
    for (guint n1 = 0; n1 < 5; n1++) {
        MatmulCase a4 = product("a4 sbt 64x64x64 1x32 one"), shuffled = product("3d-shuffled sbt 64x64x64 1x32 one");
        a4.grid = (MatmulGrid){n1, 5 - n1, 0};
        shuffled.grid = (MatmulGrid){n1, 0, 5 - n1};
        MatmulCount of_a4 = walked(&a4), of_shuffled = walked(&shuffled);
        assert_rational(of_a4.transfers, (gint64)of_shuffled.transfers.numerator + MIN(n1, 5 - n1) * 128 * 4, 4, "a4");
        assert_rational(of_a4.startups, (gint64)of_shuffled.startups.numerator, 1, "a4");
    }
}

TESTS(matmul_walked, equal_blocks, oblong_torus, blocks_of_several_sizes, wrong_counts, wrong_arithmetic,
      columns_or_rows, exact_where_divisible, pipelines, never_slower, shuffled_for_transposed)
