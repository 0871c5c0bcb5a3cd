/* Which algorithm and grid are best: the maps, boundaries and best grids of Johnsson & Ho 1987. */
#include "models/matmul_best.h"
#include "products.h"
#include "rows.h"

static MatmulQuestion question(MatmulGrids grids, Ports ports, guint n, gint64 lambda)
{
    return (MatmulQuestion){.grids = grids, .dimension = n, .ports = ports, .element = 4, .optimal = TRUE,
                            .terms = {lambda * US, US / 4 * MACHINE_FS_PER_PS, 0}};
}

static MatmulChoice best_of(const MatmulQuestion *q, guint p, guint k, guint r)
{
    MatmulChoice two[2];
    ck_assert(matmul_best_two(q, &(MatmulShape){p, k, r}, two));
    ck_assert_int_le(two[0].ps, two[1].ps);
    return two[0];
}

/* --- times of runs --- */

/* a4 on 1 x 16: 8 start-ups, 272 elements, 512 operations. The iPSC/2 has constants of its own for up to 100 bytes:
 * blocks of 2 x 2 elements have 64 bytes and less, of 4 x 4 elements more. */
TEST(published_times)
{
    g_autoptr(Machine) paper = TEST_MACHINE("johnsson1987", "flop=1");
    g_autoptr(Machine) two_terms = test_machine("ipsc2", NULL);
    MatmulCase c = product("a4 sbt 16x16x16 1x16 one"), cannon = product("cannon sbt 16x16x16 4x4 one");
    MatmulCase small = product("a1 sbt 4x4x4 2x2 one"), mixed = product("a4 sbt 8x8x8 2x2 one");
    gint64 ps;
    const char *reason;
    ck_assert(matmul_published_ps(&c, paper, &ps, &reason));
    ck_assert_int_eq(ps, (8000 + 272 + 512) * US);
    ck_assert(!matmul_published_ps(&cannon, paper, &ps, &reason));
    ck_assert_str_eq(reason, "Johnsson & Ho's tables have a1 to a5");
    ck_assert(matmul_published_ps(&small, two_terms, &ps, &reason));
    ck_assert_int_eq(ps, 2 * two_terms->short_terms.lambda_ps +
                     (gint64)machine_bytes_ps(two_terms->short_terms.tau_fs_per_byte, 8 * 4));
    mixed.packet = 48;
    ck_assert(matmul_published_ps(&mixed, two_terms, &ps, &reason));
    mixed.packet = 0;
    mixed.shape.p = 32;
    ck_assert(!matmul_published_ps(&mixed, two_terms, &ps, &reason));
    ck_assert_str_eq(reason, "Johnsson & Ho's tables have one start-up time; here are short and long packets, which "
                             "differ");
    g_autoptr(Machine) of_long = TEST_MACHINE("johnsson1987", "long_limit=64", "lambda_long=9", "tau_long=3");
    ck_assert(!matmul_published_ps(&mixed, of_long, &ps, &reason));
    ck_assert(matmul_published_ps(&small, of_long, &ps, &reason));
    ck_assert_int_eq(ps, 2 * of_long->terms.lambda_ps + (gint64)machine_bytes_ps(of_long->terms.tau_fs_per_byte, 32));
}

/* On 1 x 8 Table 11 has a pipeline: 10 cycles of 2 elements, as B_opt is sqrt(8); then 7 x 16/3 elements in 3 start-ups
 * more. */
TEST(best_packets_on_columns)
{
    g_autoptr(Machine) machine = TEST_MACHINE("johnsson1987", "lambda=1", "ports=all");
    MatmulCase c = product("a2 nrsbt 16x8x8 1x8 all");
    gint64 ps;
    const char *reason;
    c.optimal = TRUE;
    ck_assert(matmul_published_ps(&c, machine, &ps, &reason));
    ck_assert_int_eq(ps, (10 * 3 + 3) * US + (112 * US + 2) / 3);
}

/* --- maps --- */

/* Cells of 16^3 by algorithm: of sides that are multiples of `unit`. */
static void count_cells(const MatmulQuestion *q, guint unit, guint cells[MATMUL_N_ALGORITHMS])
{
    for (guint cell = 0; cell < 16 * 16 * 16; cell++)
        cells[best_of(q, (cell / 256 + 1) * unit, (cell / 16 % 16 + 1) * unit, (cell % 16 + 1) * unit).algorithm]++;
}

typedef struct {
    guint figure;
    MatmulGrids grids;
    Ports ports;
    guint n;
    gint64 lambda;
    guint a1, a2, a3, a4;
} Map;

static void check_map(const Map *map)
{
    guint cells[MATMUL_N_ALGORITHMS] = {0};
    MatmulQuestion q = question(map->grids, map->ports, map->n, map->lambda);
    count_cells(&q, 1u << map->n, cells);
    ck_assert_msg(cells[MATMUL_A1] == map->a1 && cells[MATMUL_A2] == map->a2 && cells[MATMUL_A3] == map->a3 &&
                      cells[MATMUL_A4] == map->a4 && cells[MATMUL_A5] == 0,
                  "figure %u: %u, %u, %u, %u, %u", map->figure, cells[MATMUL_A1], cells[MATMUL_A2], cells[MATMUL_A3],
                  cells[MATMUL_A4], cells[MATMUL_A5]);
}

TEST(published_maps)
{
    static const Map maps[] = {
        {11, MATMUL_COLUMN, PORTS_ONE, 4, 1, 2234, 0, 506, 1356},
        {12, MATMUL_COLUMN, PORTS_ONE, 4, 1000, 2953, 0, 27, 1116},
        {13, MATMUL_COLUMN, PORTS_ONE, 10, 1, 1500, 0, 1236, 1360},
        {20, MATMUL_ANY, PORTS_ONE, 4, 1, 3141, 483, 0, 472},
        {21, MATMUL_ANY, PORTS_ONE, 7, 1, 2330, 915, 0, 851},
        {22, MATMUL_ANY, PORTS_ONE, 7, 1000, 2561, 791, 0, 744},
        {23, MATMUL_ANY, PORTS_ONE, 10, 1, 1795, 1193, 0, 1108},
        {23, MATMUL_ANY, PORTS_ONE, 10, 1000, 1805, 1187, 0, 1104},
        {25, MATMUL_ANY, PORTS_ALL, 4, 1, 3902, 98, 0, 96},
        {26, MATMUL_ANY, PORTS_ALL, 10, 1, 3246, 432, 0, 418},
    };
    for (guint i = 0; i < G_N_ELEMENTS(maps); i++)
        check_map(&maps[i]);
}

/* Rows with P x Q x R are columns with R x Q x P, a5 being a3 and a2 a4. */
TEST(rows_mirror_columns)
{
    for (guint ports = PORTS_ONE; ports <= PORTS_ALL; ports++) {
        MatmulQuestion columns = question(MATMUL_COLUMN, (Ports)ports, 4, 1), rows = columns;
        rows.grids = MATMUL_ROW;
        for (guint p = 1; p <= 9; p++)
            for (guint q = 1; q <= 9; q++)
                for (guint r = 1; r <= 9; r++) {
                    MatmulChoice by_columns = best_of(&columns, p, q, r), by_rows = best_of(&rows, r, q, p);
                    ck_assert_int_eq(by_columns.ps, by_rows.ps);
                    ck_assert_uint_eq(by_rows.grid.n1, 4);
                    ck_assert_uint_eq(by_columns.grid.n1, 0);
                    if (by_columns.algorithm == MATMUL_A1)
                        ck_assert_uint_eq(by_rows.algorithm, MATMUL_A1);
                }
    }
}

/* Figure 11 along p: a1 for small P, then a4, then a3. */
TEST(along_p)
{
    static const struct {
        guint q, r;
        const char *best;
    } lines[] = {{4, 4, "1111133333333333"}, {2, 1, "4433333333333333"}, {8, 2, "4444444444444444"}};
    MatmulQuestion q = question(MATMUL_COLUMN, PORTS_ONE, 4, 1);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        for (guint p = 1; p <= 16; p++) {
            MatmulAlgorithm best = best_of(&q, 16 * p, 16 * lines[i].q, 16 * lines[i].r).algorithm;
            ck_assert_int_eq(matmul_algorithm_names[best][1], lines[i].best[p - 1]);
        }
}

/* Figure 14: 1 to 16 rows and columns on 16 processors; without arithmetic a4 is never best. */
TEST(small_matrices)
{
    for (guint flop = 0; flop < 2; flop++) {
        guint cells[MATMUL_N_ALGORITHMS] = {0};
        MatmulQuestion q = question(MATMUL_COLUMN, PORTS_ONE, 4, 1);
        q.terms.flop_ps = flop * US;
        count_cells(&q, 1, cells);
        ck_assert_uint_eq(cells[MATMUL_A1], flop ? 1708 : 2768);
        ck_assert_uint_eq(cells[MATMUL_A3], flop ? 1589 : 1328);
        ck_assert_uint_eq(cells[MATMUL_A4], flop ? 799 : 0);
    }
}

/* Figure 20: a1 wherever P, R >= Q, a2 only where Q > P <= R, a4 only where Q > R <= P, a3 and a5 nowhere; a2 and a4
 * mirror each other, and tie where P = R. Figure 23 is not quite the same for lambda = t_c and 1000 t_c. */
TEST(grids_by_shape)
{
    MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 4, 1), large = question(MATMUL_ANY, PORTS_ONE, 10, 1);
    MatmulQuestion slow = large;
    slow.terms.lambda_ps = 1000 * US;
    guint differ = 0;
    for (guint cell = 0; cell < 16 * 16 * 16; cell++) {
        guint p = cell / 256 + 1, k = cell / 16 % 16 + 1, r = cell % 16 + 1;
        MatmulAlgorithm best = best_of(&q, 16 * p, 16 * k, 16 * r).algorithm;
        MatmulAlgorithm mirrored = best_of(&q, 16 * r, 16 * k, 16 * p).algorithm;
        ck_assert(best == MATMUL_A1 || !(p >= k && r >= k));
        ck_assert(best != MATMUL_A2 || (k > p && p <= r));
        ck_assert(best != MATMUL_A4 || (k > r && r <= p));
        ck_assert(p == r || (best == MATMUL_A2) == (mirrored == MATMUL_A4));
        ck_assert(p != r || best != MATMUL_A4);
        differ += best_of(&large, 1024 * p, 1024 * k, 1024 * r).algorithm !=
                  best_of(&slow, 1024 * p, 1024 * k, 1024 * r).algorithm;
    }
    ck_assert_uint_eq(differ, 10);
}

/* In transfers a4 beats a1 iff (N-1)P(c(Q,N) - c(R,N)) > (n/2) Q c(R,N), with n ports too. */
TEST(criterion_of_columns)
{
    for (guint ports = PORTS_ONE; ports <= PORTS_ALL; ports++) {
        MatmulQuestion question_of = question(MATMUL_COLUMN, (Ports)ports, 4, 0);
        for (guint p = 1; p <= 40; p += 3)
            for (guint q = 1; q <= 40; q += 3)
                for (guint r = 1; r <= 40; r += 3) {
                    MatmulChoice a1, a4;
                    MatmulShape shape = {p, q, r};
                    matmul_choose(&question_of, &shape, MATMUL_A1, &a1);
                    matmul_choose(&question_of, &shape, MATMUL_A4, &a4);
                    int columns = (int)(q + 15) / 16, of_r = (int)(r + 15) / 16;
                    ck_assert((a4.ps < a1.ps) == (15 * (int)p * (columns - of_r) > 2 * (int)q * of_r));
                }
    }
}

/* --- grids --- */

/* 64 x 1024 x 64 on 16, lambda = 1000 t_c: in print two dimensions are worse than one. */
TEST(two_dimensions)
{
    MatmulQuestion column = question(MATMUL_COLUMN, PORTS_ONE, 4, 1000), any = question(MATMUL_ANY, PORTS_ONE, 4, 1000);
    MatmulChoice a4 = best_of(&column, 64, 1024, 64);
    ck_assert_int_eq(a4.algorithm, MATMUL_A4);
    ck_assert_int_eq(a4.ps, 20032 * US);
    ck_assert_int_eq(best_of(&any, 64, 1024, 64).ps, 28224 * US);
}

/* Figure 19: N = Q = 32, PR = 32768, on the iPSC/1: N1/N2 is about P/R with any constants. Two grids are as good on
 * boundaries: the one with fewer rows is taken. */
TEST(grids_of_a1)
{
    static const guint n1[] = {3, 4, 5};
    for (gint64 lambda = 0; lambda <= 1000; lambda += 500)
        for (guint i = 0; i < G_N_ELEMENTS(n1); i++) {
            MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 5, lambda);
            MatmulChoice choice;
            ck_assert(matmul_choose(&q, &(MatmulShape){256u << i, 32, 128u >> i}, MATMUL_A1, &choice));
            ck_assert_uint_eq(choice.grid.n1, n1[i]);
        }
}

/* Figure 18: N = 16: N1 gives way to 2 N1 at P/R = 1/8, 1/2, 2, 8; on the boundaries both are best. */
TEST(boundaries_one_port)
{
    static const double until[] = {0.125, 0.5, 2, 8};
    MatmulQuestion given = question(MATMUL_GIVEN, PORTS_ONE, 4, 1);
    for (guint i = 0; i < 4; i++) {
        MatmulShape shape = {(guint)(until[i] * 128), 16, 128};
        MatmulChoice below, above;
        given.grid = (MatmulGrid){i, 4 - i, 0};
        ck_assert(matmul_choose(&given, &shape, MATMUL_A1, &below));
        given.grid = (MatmulGrid){i + 1, 3 - i, 0};
        ck_assert(matmul_choose(&given, &shape, MATMUL_A1, &above));
        ck_assert_int_eq(below.ps, above.ps);
    }
}

/* Figure 24: N1 minimises R f(n1) + Q f(n2), f(m) = (2^m - 1)/m, f(0) = 0. It is 2^n1 up to Q/R. */
typedef struct {
    guint n1, q, r;
} Boundary;

static void check_boundaries(guint dimension, const Boundary *boundaries, guint n)
{
    MatmulQuestion any = question(MATMUL_ANY, PORTS_ALL, dimension, 0);
    for (guint i = 0; i + 1 < n; i++)
        for (guint above = 0; above < 2; above++) {
            MatmulShape shape = {1u << dimension, (10 * boundaries[i].q - 1 + 2 * above) << dimension,
                                 10 * boundaries[i].r << dimension};
            MatmulChoice choice;
            ck_assert(matmul_choose(&any, &shape, MATMUL_A2, &choice));
            ck_assert_uint_eq(choice.grid.n1, boundaries[i + above].n1);
        }
}

/* N = 16: 2 and 8 are never best; N = 1024: never 2, 512. */
TEST(boundaries_n_port)
{
    static const Boundary small[] = {{0, 2, 3}, {2, 3, 2}, {4, 1, 0}};
    static const Boundary large[] = {{0, 20, 939}, {2, 140, 2307}, {3, 119, 642}, {4, 49, 86}, {5, 86, 49},
                                     {6, 642, 119}, {7, 2307, 140}, {8, 939, 20}, {10, 1, 0}};
    check_boundaries(4, small, G_N_ELEMENTS(small));
    check_boundaries(10, large, G_N_ELEMENTS(large));
}

/* a2 with n ports has the grids of figure 24: by transfers alone, Q/R = 1/2, 1 and 2 on 16 processors. */
TEST(grids_of_a2)
{
    static const guint n1[] = {0, 2, 4};
    for (guint i = 0; i < G_N_ELEMENTS(n1); i++) {
        MatmulQuestion q = question(MATMUL_ANY, PORTS_ALL, 4, 0);
        MatmulChoice choice;
        ck_assert(matmul_choose(&q, &(MatmulShape){64, 64u << i, 128}, MATMUL_A2, &choice));
        ck_assert_uint_eq(choice.grid.n1, n1[i]);
    }
}

/* Table 12: at the best of the n + 1 grids Table 9 has at most 1.09 times its elements, and no less. */
TEST(ideal_grids)
{
    static const MatmulShape shapes[] = {{64, 64, 64}, {256, 64, 128}, {128, 1024, 64}, {512, 192, 320},
                                         {64, 576, 832}};
    const MatmulTerms transfers = {0, US / 4 * MACHINE_FS_PER_PS, 0};
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        for (MatmulAlgorithm a = MATMUL_A1; a <= MATMUL_A5; a++) {
            if (!matmul_recipe(a))
                continue;
            MatmulIdeal ideal = matmul_ideal(a, &shapes[i], 6, 4, &transfers);
            MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 6, 0);
            MatmulChoice choice;
            ck_assert(matmul_choose(&q, &shapes[i], a, &choice));
            ck_assert_double_eq_tol(ideal.n1 * ideal.n2, 64, 1e-9);
            if (ideal.n1 < 1 || ideal.n2 < 1)
                continue;
            ck_assert_double_ge(choice.transfers * (1 + 1e-12), ideal.transfers);
            ck_assert_double_le(choice.transfers, 1.09 * ideal.transfers);
            if (ideal.n1 == 1u << choice.grid.n1)
                ck_assert_double_eq_tol(choice.transfers, ideal.transfers, 1e-6);
        }
}

/* 16 x 16 x 64 on 16: a1 on N1 = sqrt(16 x 16/64) = 2, N2 = 8: 4 (2 sqrt(1024) - 80/4) = 176 elements, 4 start-ups,
 * 2048 operations. a3: N1 = N2 = 4: 16 (2 x 16 + (4 x 16 (1 + 1/4) - 32)/4) = 704; 12. */
TEST(ideal_by_hand)
{
    MatmulIdeal a1 = matmul_ideal(MATMUL_A1, &(MatmulShape){16, 16, 64}, 4, 4, &textbook);
    MatmulIdeal a3 = matmul_ideal(MATMUL_A3, &(MatmulShape){16, 16, 64}, 4, 4, &textbook);
    ck_assert_double_eq(a1.n1, 2);
    ck_assert_double_eq(a1.n2, 8);
    ck_assert_double_eq(a1.transfers, 176);
    ck_assert_double_eq(a1.us, 4000 + 176 + 2048);
    ck_assert_double_eq(a3.n1, 4);
    ck_assert_double_eq(a3.transfers, 704);
    ck_assert_double_eq(a3.us, 12000 + 704 + 2048);
}

/* --- rankings --- */

TEST(rankings)
{
    MatmulChoice choices[MATMUL_N_ALGORITHMS];
    MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 4, 1000);
    guint n = matmul_ranking(&q, &(MatmulShape){16, 16, 16}, choices);
    static const char *const order[] = {"a1", "a2", "a4", "a3", "a5"};
    ck_assert_uint_eq(n, G_N_ELEMENTS(order));
    for (guint i = 0; i < n; i++)
        ck_assert_str_eq(matmul_algorithm_names[choices[i].algorithm], order[i]);
    ck_assert_int_eq(choices[0].ps, 4096 * US);
    ck_assert_uint_eq(choices[0].grid.n1, 2);
    ck_assert_double_eq(choices[0].transfers, 96);
    ck_assert_double_eq(choices[0].startups, 4);
    ck_assert_int_eq(choices[0].operations, 512);
    q.grids = MATMUL_ROW;
    ck_assert_uint_eq(matmul_ranking(&q, &(MatmulShape){16, 16, 16}, choices), 3);
    ck_assert(!matmul_choose(&q, &(MatmulShape){16, 16, 16}, MATMUL_CANNON, choices));
}

/* --- other times --- */

/* The algorithm's number; the more rows the less, and 3d has none on 2 x 2 x 4. */
static gboolean by_number(const MatmulCase *c, gpointer data, MatmulReal *real)
{
    guint *n_asked = data;
    ++*n_asked;
    *real = (MatmulReal){.ps = 10 * (gint64)c->algorithm + 9 - c->grid.n1};
    return c->algorithm != MATMUL_3D || c->grid.n3 != 2;
}

TEST(times_of_the_caller)
{
    guint n_asked = 0;
    MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 4, 1000);
    MatmulChoice choices[MATMUL_N_ALGORITHMS];
    q.time = by_number;
    q.data = &n_asked;
    ck_assert_uint_eq(matmul_ranking(&q, &(MatmulShape){16, 16, 16}, choices), MATMUL_N_ALGORITHMS);
    ck_assert_uint_eq(n_asked, 11 * 5 + 2 * 3);
    for (guint i = 0; i < MATMUL_N_ALGORITHMS; i++) {
        ck_assert_uint_eq(choices[i].algorithm, i);
        ck_assert_uint_eq(choices[i].grid.n1, matmul_is_deep((MatmulAlgorithm)i) ? 2 : 4);
    }
    q.grids = MATMUL_GIVEN;
    q.grid = (MatmulGrid){1, 1, 2};
    ck_assert(!matmul_choose(&q, &(MatmulShape){16, 16, 16}, MATMUL_3D, choices));
    ck_assert_uint_eq(matmul_ranking(&q, &(MatmulShape){16, 16, 16}, choices), 1);
}

/* On 64 processors, lambda = 1000 t_c, 3d-shuffled saves a start-up on 4 x 8 x 2. 24 is no multiple of N1 N2 >= 16. */
TEST(deep_grids)
{
    static const struct {
        MatmulAlgorithm algorithm;
        MatmulShape shape;
        MatmulGrid grid;
        gboolean there_is_one;
    } cases[] = {
        {MATMUL_3D, {64, 64, 64}, {2, 2, 2}, TRUE},
        {MATMUL_3D_SHUFFLED, {64, 64, 64}, {2, 3, 1}, TRUE},
        {MATMUL_3D, {64, 1024, 64}, {1, 1, 4}, TRUE},
        {MATMUL_3D, {24, 64, 64}, {1, 2, 3}, TRUE},
        {MATMUL_3D, {2, 64, 64}, {0, 0, 0}, FALSE},
    };
    const MatmulTerms terms = {1000 * US, US / 4 * MACHINE_FS_PER_PS, 0};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        MatmulGrid grid = {0, 0, 0};
        ck_assert(matmul_best_deep_grid(cases[i].algorithm, &cases[i].shape, 6, 4, &terms, &grid) ==
                  cases[i].there_is_one);
        ck_assert(memcmp(&grid, &cases[i].grid, sizeof grid) == 0);
    }
    ck_assert(!matmul_best_deep_grid(MATMUL_3D, &cases[0].shape, 2, 4, &terms, &(MatmulGrid){0, 0, 0}));
}

/* --- limits --- */

/* Beyond the clock on both grids: 40000 elements of D on 2 x 1, and 1048576 x 10000 of C on 1 x 2. */
TEST(times_too_long)
{
    MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 1, 1000);
    MatmulChoice choice;
    q.terms.flop_ps = US;
    ck_assert(matmul_choose(&q, &(MatmulShape){1048576, 20000, 4}, MATMUL_A1, &choice));
    ck_assert_uint_eq(choice.grid.n1, 1);
    ck_assert_int_eq(choice.ps, INPUT_TIME_MAX_PS);
}

/* With a limited packet Tables 9 and 11 have start-ups for it; the largest number of packets is A1(1)'s. */
TEST(limited_packets)
{
    MatmulQuestion q = question(MATMUL_ANY, PORTS_ONE, 4, 1000);
    MatmulChoice choice;
    q.packet = 16;
    ck_assert(matmul_choose(&q, &(MatmulShape){16, 16, 16}, MATMUL_A1, &choice));
    ck_assert_double_eq(choice.startups, 24);       /* 4 x 4: (4 + 8) twice */
    q = question(MATMUL_ANY, PORTS_ALL, 4, 1000);
    q.optimal = FALSE;
    ck_assert(matmul_choose(&q, &(MatmulShape){16, 16, 16}, MATMUL_A2, &choice));
    ck_assert_int_eq(choice.ps, 8112 * US);
}

TESTS(matmul_best, published_times, best_packets_on_columns, published_maps, rows_mirror_columns, along_p,
      small_matrices, grids_by_shape, criterion_of_columns, two_dimensions, grids_of_a1, boundaries_one_port,
      boundaries_n_port, grids_of_a2, ideal_grids, ideal_by_hand, rankings, times_of_the_caller, deep_grids,
      times_too_long, limited_packets)
