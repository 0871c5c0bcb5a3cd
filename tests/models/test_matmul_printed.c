/* Tables 5-11 of Johnsson & Ho: entries by hand, and which of them a run has. */
#include "models/matmul.h"
#include "products.h"
#include "rows.h"

static const MatmulRow *row_of_table(guint table, const char *name)
{
    for (guint i = 0; i < matmul_n_rows; i++)
        if (matmul_rows[i].table == table && g_str_equal(matmul_rows[i].name, name))
            return &matmul_rows[i];
    g_error("no row %s in Table %u", name, table);
}

typedef struct {
    guint table;
    const char *name, *grid;
    Rational transfers, startups;
    gint64 operations;
} Expected;

/* P, Q, R = 6, 10, 7, B = 4 elements. N = 4: columns of 6 x 3 (C), 10 x 2 (D), 6 x 2 (A); without ceilings PQ/N = 15,
 * QR/N = 17.5, PR/N = 10.5. 2 x 4: C 3 x 3, C^T 5 x 2, D 5 x 2, D^T 4 x 3, A 3 x 2, A^T 4 x 2. */
static const Expected expected[] = {
    {6, "A1^l(1)", "1x4", {54, 1}, {12, 1}, 240},       /* 3 x 18; 3 x 4 */
    {6, "A1(1)", "1x4", {54, 1}, {12, 1}, 240},         /* 4 + 8 */
    {6, "A3(1)", "1x4", {90, 1}, {17, 1}, 280},         /* 18 + 3 x 20 + 12; 2 x 2 + (3 + 6) + 2 x 2 */
    {6, "A4(1)", "1x4", {56, 1}, {15, 1}, 258},         /* 20 + 3 x 12; 2 x 3 + (3 + 6) */
    {6, "A1^l(n)", "1x4", {27, 1}, {6, 1}, 240},
    {6, "A1(n)", "1x4", {27, 1}, {45, 8}, 240},         /* 3 x 15/(2 x 4) */
    {6, "A3(n)", "1x4", {45, 1}, {12, 1}, 280},         /* (1 + 1) x 2 + c(17.5,4) + c(8.75,4) */
    {6, "A4(n)", "1x4", {28, 1}, {9, 1}, 258},          /* 2 x 2 + 3 + 2 */
    {6, "A1^l(1)", "4x1", {63, 1}, {15, 1}, 280},       /* with P and R exchanged: 7 x 3 (D), 10 x 2 (C), 7 x 2 (A) */
    {6, "A1(1)", "4x1", {63, 1}, {14, 1}, 280},
    {6, "A3(1)", "4x1", {95, 1}, {19, 1}, 240},
    {6, "A4(1)", "4x1", {62, 1}, {13, 1}, 259},
    {6, "A1^l(n)", "4x1", {63, 2}, {9, 1}, 280},
    {6, "A1(n)", "4x1", {63, 2}, {105, 16}, 280},
    {6, "A3(n)", "4x1", {95, 2}, {12, 1}, 240},
    {6, "A4(n)", "4x1", {31, 1}, {7, 1}, 259},
    {9, "A1(1)", "2x4", {37, 1}, {11, 1}, 120},         /* 3 x 9 + 10; 3 + 5 + 3 */
    {9, "A2(1)", "2x4", {63, 1}, {19, 1}, 120},         /* 3 x 9 + 3 x 10 + 6; 3 x 3 + 3 + 5 + 2 */
    {9, "A3(1)", "2x4", {89, 1}, {25, 1}, 142},         /* 27 + 30 + 8 + 24; 9 + 8 + 2 + 3 x 2 */
    {9, "A4(1)", "2x4", {60, 1}, {17, 1}, 129},         /* 30 + 12 + 18; 9 + 3 + 2 + 3 */
    {9, "A5(1)", "2x4", {87, 1}, {24, 1}, 148},         /* 30 + 9 + 24 + 24; 9 + 3 + 2 + 4 + 6 */
    {11, "A1(n)", "2x4", {27, 2}, {5, 1}, 120},         /* C: 3 x 9/2; c(9,4) + c(4.5,4). D: 10, 3 */
    {11, "A2(n)", "2x4", {41, 1}, {12, 1}, 120},        /* 5 x 4 + 15 + 6; 5 + (3 + 2) + 2 */
    {11, "A3(n)", "2x4", {59, 1}, {16, 1}, 142},
    {11, "A4(n)", "2x4", {41, 1}, {11, 1}, 129},        /* 5 x 4 + 12 + 9; 5 + 3 + (2 + 1) */
    {11, "A5(n)", "2x4", {57, 1}, {15, 1}, 148},
};

TEST(printed_by_hand)
{
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const Expected *x = &expected[i];
        const MatmulRow *row = row_of_table(x->table, x->name);
        g_autofree char *text = g_strdup_printf("a1 sbt 6x10x7 %s one 4", x->grid);
        MatmulCase any = product(text), c = matmul_row_case(row, &any);
        MatmulCount count = matmul_printed(row, &c, &textbook);
        assert_rational(count.transfers, (gint64)x->transfers.numerator, x->transfers.denominator, x->name);
        assert_rational(count.startups, (gint64)x->startups.numerator, x->startups.denominator, x->name);
        ck_assert_msg(count.operations == x->operations, "Table %u, %s on %s: %" G_GINT64_FORMAT " operations",
                      x->table, x->name, x->grid, count.operations);
    }
}

/* With unlimited packets all rows have their least start-ups. */
TEST(least_startups)
{
    static const char *const grids[] = {"1x16", "16x1", "4x4", "2x8"};
    for (guint g = 0; g < G_N_ELEMENTS(grids); g++)
        for (guint i = 0; i < matmul_n_rows; i++) {
            const MatmulRow *row = &matmul_rows[i];
            g_autofree char *text = g_strdup_printf("a1 sbt 6x10x7 %s one", grids[g]);
            MatmulCase any = product(text), c = matmul_row_case(row, &any);
            int least = matmul_printed_min_startups(row, &c);
            if (!matmul_row_is_for(row, &c.grid) || row->table == 11)
                continue;
            assert_rational(matmul_printed(row, &c, &textbook).startups, least, 1, row->name);
        }
    MatmulCase c = product("a1 nrsbt 6x10x7 2x8 all");
    ck_assert_int_eq(matmul_printed_min_startups(row_of_table(11, "A1(n)"), &c), -1);
}

TEST(no_processors_to_send_to)
{
    for (guint i = 0; i < matmul_n_rows; i++) {
        MatmulCase any = product("a1 sbt 6x10x7 1x1 one 4"), c = matmul_row_case(&matmul_rows[i], &any);
        MatmulCount count = matmul_printed(&matmul_rows[i], &c, &textbook);
        assert_rational(count.transfers, 0, 1, matmul_rows[i].name);
        assert_rational(count.startups, 0, 1, matmul_rows[i].name);
        ck_assert_int_eq(count.operations, 2 * 6 * 10 * 7);
        ck_assert_int_eq(matmul_printed_least(&matmul_rows[i], &c, &textbook).ps, 840 * (gint64)1000000);
    }
}

/* 16 x 16 x 16, N = 16, M = 16 everywhere. sqrt(2/pi) 256/4^1.5 = 25.53, of 4 x 4 sqrt(2/pi) 4 x 16/2^1.5 = 18.05;
 * sqrt(16 x 1000/3) = 73.03. */
TEST(optimal_packets)
{
    static const struct {
        guint table;
        const char *name, *grid;
        guint n;
        double packets[MATMUL_PHASES_MAX];
    } cases[] = {
        {6, "A1^l(1)", "1x16", 1, {16}}, {6, "A1(1)", "1x16", 1, {128}},
        {6, "A3(1)", "1x16", 3, {8, 128, 8}}, {6, "A4(1)", "16x1", 2, {8, 128}},
        {6, "A1^l(n)", "1x16", 1, {4}}, {6, "A1(n)", "1x16", 1, {25.532306}},
        {6, "A3(n)", "1x16", 3, {2, 25.532306, 2}}, {6, "A4(n)", "1x16", 2, {2, 25.532306}},
        {9, "A1(1)", "4x4", 2, {32, 32}}, {9, "A5(1)", "4x4", 4, {16, 32, 32, 16}},
        {11, "A1(n)", "4x4", 2, {18.054067, 18.054067}}, {11, "A2(n)", "4x4", 3, {73.029674, 18.054067, 18.054067}},
        {9, "A2(1)", "16x1", 2, {16, 128}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const MatmulRow *row = row_of_table(cases[i].table, cases[i].name);
        g_autofree char *text = g_strdup_printf("a1 sbt 16x16x16 %s one", cases[i].grid);
        MatmulCase any = product(text), c = matmul_row_case(row, &any);
        double packets[MATMUL_PHASES_MAX];
        ck_assert_uint_eq(matmul_printed_packets(row, &c, &textbook, packets), cases[i].n);
        for (guint j = 0; j < cases[i].n; j++)
            ck_assert_double_eq_tol(packets[j], cases[i].packets[j], 1e-6);
    }
}

/* T_min of A2 on 4 x 4: (sqrt(16) + sqrt(3 x 1000))^2 + 2 (24 + 2000) = 7502.18; with lambda = t_c
 * (4 + sqrt(3))^2 + 2 x 26 = 84.857. A3 has another transposition. It is the time with B_opt packets. */
TEST(least_time)
{
    MatmulCase a2 = product("a2 nrsbt 16x16x16 4x4 all"), a3 = product("a3 nrsbt 16x16x16 4x4 all");
    const MatmulRow *row = row_of_table(11, "A2(n)");
    MatmulTerms no_flop = textbook;
    no_flop.flop_ps = 0;
    ck_assert_int_eq(matmul_printed_least(row, &a2, &no_flop).ps, 7502178047);
    ck_assert_int_eq(matmul_printed_least(row, &a2, &textbook).ps, 7502178047 + 512000000);
    ck_assert_int_eq(matmul_printed_least(row_of_table(11, "A3(n)"), &a3, &no_flop).ps, 10956356093);
    MatmulReal real = matmul_printed_least(row, &a2, &equal_terms);
    ck_assert_int_eq(real.ps, 84856407);
    ck_assert_double_eq_tol(real.transfers + real.startups, 84.856406, 1e-6);
    ck_assert_double_eq_tol(real.transfers, 16 + 3 * sqrt(16.0 / 3) + 48, 1e-9);
}

TEST(communication)
{
    static const struct {
        guint table;
        const char *name, *grid, *text;
    } cases[] = {
        {6, "A1^l(1)", "1x4", "CRA(1,N)[C] or GCEA(1,N)[C]"},
        {6, "A1(1)", "4x1", "SBT-b(1,N)[D]"},
        {6, "A3(1)", "1x4", "SBT-p(1,N)[C] + SBT-b(1,N)[D] + SBT-p(1,N)[A]"},
        {6, "A3(1)", "4x1", "SBT-p(1,N)[D] + SBT-b(1,N)[C] + SBT-p(1,N)[A]"},
        {6, "A4(1)", "1x4", "SBT-p(1,N)[D] + SBT-b(1,N)[A]"},
        {6, "A4(1)", "4x1", "SBT-p(1,N)[C] + SBT-b(1,N)[A]"},
        {6, "A1^l(n)", "1x4", "GCEA(n,N)[C]"},
        {6, "A1(n)", "1x4", "SBnT-b(n,N)[C] or nRSBT-b(n,N)[C]"},
        {6, "A4(n)", "1x4", "SBnT-p(n,N)[D] + SBnT-b(n,N)[A]"},
        {9, "A1(1)", "2x2", "SBT-b(1,N2)[C] + SBT-b(1,N1)[D]"},
        {9, "A5(1)", "2x2", "TXP(1,N)[D] + SBT-b(1,N1)[C] + SBT-b(1,N2)[A] + TXP(1,N)[A]"},
        {11, "A3(n)", "2x2", "TXP(n,N)[C] + SBnT-b(n2,N2)[D] + SBnT-b(n1,N1)[A] + TXP(n,N)[A]"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("a1 sbt 6x10x7 %s one", cases[i].grid);
        MatmulCase c = product(text);
        g_autofree char *shown = matmul_row_communication(row_of_table(cases[i].table, cases[i].name), &c.grid);
        ck_assert_str_eq(shown, cases[i].text);
    }
}

/* Which row a run has. */
TEST(published_of_runs)
{
    static const struct {
        const char *text;
        guint table;
        const char *name;
    } cases[] = {
        {"a1 sbt 6x10x7 1x4 one", 6, "A1(1)"}, {"a1 cra 6x10x7 1x4 one", 6, "A1^l(1)"},
        {"a1 gcea 6x10x7 4x1 one", 6, "A1^l(1)"}, {"a1 gcea 6x10x7 4x1 all", 6, "A1^l(n)"},
        {"a3 sbt 6x10x7 1x4 one", 6, "A3(1)"}, {"a5 sbt 6x10x7 4x1 one", 6, "A3(1)"},
        {"a2 sbt 6x10x7 4x1 one", 6, "A4(1)"}, {"a4 sbnt 6x10x7 1x4 all", 6, "A4(n)"},
        {"a2 sbt 6x10x7 1x4 one", 9, "A2(1)"}, {"a4 sbt 6x10x7 4x1 one", 9, "A4(1)"},
        {"a3 sbt 6x10x7 2x2 one", 9, "A3(1)"}, {"a3 nrsbt 6x10x7 2x2 all", 11, "A3(n)"},
        {"a5 nrsbt 6x10x7 1x4 all", 11, "A5(n)"},
        {"a1 gcea 6x10x7 2x2 one", 0, NULL}, {"a1 hybrid 6x10x7 1x4 one", 0, NULL}, {"a3 cra 6x10x7 1x4 one", 0, NULL},
        {"a1 sbt 6x10x7 1x4 all", 0, NULL}, {"a1 nrsbt 6x10x7 1x4 one", 0, NULL}, {"a3b sbt 6x10x7 2x2 one", 0, NULL},
        {"cannon sbt 6x10x7 2x2 one", 0, NULL}, {"outer nrsbt 6x10x7 2x2 all", 0, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        MatmulCase c = product(cases[i].text);
        const char *reason = NULL;
        const MatmulRow *row = matmul_row_of(&c, &reason);
        ck_assert_msg((row != NULL) == (cases[i].table > 0), "%s", cases[i].text);
        ck_assert((row == NULL) == (reason != NULL));
        if (row) {
            ck_assert_msg(row->table == cases[i].table, "%s: Table %u", cases[i].text, row->table);
            ck_assert_str_eq(row->name, cases[i].name);
        }
    }
}

TESTS(matmul_printed, printed_by_hand, least_startups, no_processors_to_send_to, optimal_packets, least_time,
      communication, published_of_runs)
