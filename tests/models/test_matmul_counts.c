/* The right counts of matrix multiplication: by hand, and where the print is wrong. */
#include "models/matmul_counts.h"
#include "products.h"
#include "rows.h"

static MatmulCount counted(const char *text, MatmulLayout layout)
{
    MatmulCase c = product(text);
    MatmulExact exact;
    c.layout = layout;
    const char *uncounted = matmul_counts(&c, &textbook, &exact);
    if (uncounted)
        g_error("%s: %s", text, uncounted);
    return matmul_exact_count(&exact, c.element);
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
}

/* P = 1: the transposition of C is a gather, (N-1) c(Q,N), printed (n/2) c(Q,N). */
TEST(gather)
{
    MatmulCase c = product("a3 sbt 1x8x4 1x4 one");
    gint64 messages[2];
    matmul_transposition(&c, &matmul_recipe(MATMUL_A3)->phases[0], messages);
    ck_assert_int_eq(messages[0] + messages[1], 3 * 2);
}

/* On 4 x 2 and 2 x 4 a transposition has three messages, not 2.5, and 2.5 M elements. */
TEST(oblong_transposition)
{
    static const char *const grids[] = {"4x2", "2x4"};
    for (guint i = 0; i < G_N_ELEMENTS(grids); i++) {
        g_autofree char *text = g_strdup_printf("a2 sbt 16x16x16 %s one", grids[i]);
        MatmulCase c = product(text);
        gint64 messages[3];
        matmul_transposition(&c, &matmul_recipe(MATMUL_A2)->phases[0], messages);
        ck_assert_int_eq(messages[0], 32);
        ck_assert_int_eq(messages[1], 32);
        ck_assert_int_eq(messages[2], 16);
    }
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
            MatmulExact exact;
            if (!matmul_row_is_for(row, &c.grid) || (row->table != 6 && !is_square && row->algorithm != MATMUL_A1))
                continue;
            MatmulCount in_print = matmul_printed(row, &c, &textbook);
            ck_assert(!matmul_counts(&c, &textbook, &exact));
            MatmulCount right = matmul_exact_count(&exact, c.element);
            ck_assert_msg(rational_real(in_print.transfers) == rational_real(right.transfers), "Table %u, %s on %s",
                          row->table, row->name, grids[g]);
            ck_assert_int_eq(in_print.operations, right.operations);
            if (row->table != 6 || row->algorithm != MATMUL_A3)
                ck_assert_msg(rational_real(in_print.startups) == rational_real(right.startups), "Table %u, %s on %s",
                              row->table, row->name, grids[g]);
        }
}

static guint padded(guint side, guint multiple)
{
    return (side + multiple - 1) / multiple * multiple;
}

static void check_padded(const char *algorithm, const char *grid, guint p, guint q, guint r)
{
    g_autofree char *small = g_strdup_printf("%s sbt %ux%ux%u %s one 3", algorithm, p, q, r, grid);
    MatmulCase c = product(small);
    guint s = 1u << MAX(c.grid.n1, c.grid.n2);
    g_autofree char *large = g_strdup_printf("%s sbt %ux%ux%u %s one 3", algorithm, padded(p, s), padded(q, s),
                                             padded(r, s), grid);
    MatmulCount bound = counted(large, MATMUL_CONSECUTIVE);
    for (int layout = MATMUL_CONSECUTIVE; layout <= MATMUL_CYCLIC; layout++) {
        MatmulCount count = counted(small, (MatmulLayout)layout);
        ck_assert_double_le(rational_real(count.transfers), rational_real(bound.transfers));
        ck_assert_double_le(rational_real(count.startups), rational_real(bound.startups));
        ck_assert_int_le(count.operations, bound.operations);
    }
}

/* The counts of the shape rounded up to multiples of max(N1,N2) are bounds for the one-port sbt. */
TEST(padding_bounds)
{
    static const char *const grids[] = {"1x4", "4x1", "2x2", "2x4"};
    static const char *const algorithms[] = {"a1", "a2", "a3", "a4", "a5"};
    for (guint g = 0; g < G_N_ELEMENTS(grids); g++)
        for (guint a = 0; a < G_N_ELEMENTS(algorithms); a++)
            for (guint sides = 0; sides < 5 * 5 * 5; sides++)
                check_padded(algorithms[a], grids[g], sides / 25 + 1, sides / 5 % 5 + 1, sides % 5 + 1);
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

/* C of 2 x 4 on 2 x 4 processors, each with an element. Transposed it is on the first two columns, so that messages of
 * 1, 2 and 1 elements go; then 2 and 1 in rows, and 1 in a column. The best packet is one element, as blocks are. */
TEST(messages_that_grow)
{
    MatmulCase c = product("a2 nrsbt 2x4x1 2x4 all");
    MatmulTerms terms = {1000000000, 250000, 0};
    MatmulExact exact;
    c.optimal = TRUE;
    ck_assert(!matmul_counts(&c, &terms, &exact));
    ck_assert_int_eq(exact.moved.startups, 6);
    ck_assert_int_eq(exact.moved.bytes, 8 * 4);
}

TEST(not_counted)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"outer sbt 8x8x8 2x4 one", "outer products need as many rows as columns of processors"},
        {"a3b sbt 8x8x8 2x4 one", "a3b needs at least as many rows as columns of processors"},
        {"a1 nrsbt 9x9x9 1x2048 all", "blocks of several sizes are counted on up to 1024 processors"},
        {"a4 nrsbt 9x9x9 1x2048 all", "blocks of several sizes are counted on up to 1024 processors"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        MatmulCase c = product(cases[i].text);
        MatmulExact exact;
        ck_assert_str_eq(matmul_counts(&c, &textbook, &exact), cases[i].reason);
    }
}

TESTS(matmul_counts, equal_blocks, oblong_torus, blocks_of_several_sizes, wrong_counts, gather, oblong_transposition,
      wrong_arithmetic, columns_or_rows, exact_where_divisible, padding_bounds, pipelines, messages_that_grow,
      not_counted)
