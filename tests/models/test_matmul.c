/* Matrix multiplication: shapes and grids as users write them, who has how much, and what phases there are. */
#include "products.h"

const MatmulTerms textbook = {1000000000, 250000 * MACHINE_FS_PER_PS, 1000000},
                  equal_terms = {1000000, 250000 * MACHINE_FS_PER_PS, 0};

MatmulCase product(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    MatmulCase c = {.element = 4};
    guint algorithm, routing, n = 0;
    gint64 packet = 0;
    g_autoptr(GError) error = NULL;
    for (const char *x = strchr(words[3], 'x'); n < MACHINE_DIMENSION_MAX && atoi(words[3]) * atoi(x + 1) != 1 << n;)
        n++;
    if (!input_parse_choice("", words[0], matmul_algorithm_names, &algorithm, &error) ||
        !input_parse_choice("", words[1], matmul_routing_names, &routing, &error) ||
        !matmul_shape_parse("", words[2], &c.shape, &error) ||
        !matmul_grid_parse("", words[3], n, "any", &c.grid, &error) ||
        (words[5] && !input_parse_count("", words[5], 0, 1000, &packet, &error)))
        g_error("%s: %s", text, error->message);
    c.algorithm = (MatmulAlgorithm)algorithm;
    c.routing = (MatmulRouting)routing;
    c.ports = strcmp(words[4], "all") == 0 ? PORTS_ALL : PORTS_ONE;
    c.packet = packet * c.element;
    return c;
}

TEST(shapes)
{
    MatmulShape shape;
    ck_assert(matmul_shape_parse("--shape", "5x7x1048576", &shape, NULL));
    ck_assert_uint_eq(shape.p, 5);
    ck_assert_uint_eq(shape.q, 7);
    ck_assert_uint_eq(shape.r, MATMUL_SIDE_MAX);
    g_autofree char *text = matmul_shape_format(&shape);
    ck_assert_str_eq(text, "5x7x1048576");
    static const char *const bad[] = {"", "5", "5x7", "5x7x3x2", "0x7x3", "5x7x1048577", "5x-7x3", "5x7x", "axbxc",
                                      "5X7X3"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message = g_strdup_printf("--shape: '%s' is not allowed; allowed: PxQxR, each from 1 to "
                                                   "1048576", bad[i]);
        ck_assert(!matmul_shape_parse("--shape", bad[i], &shape, &error));
        ck_assert_str_eq(error->message, message);
    }
}

TEST(grids)
{
    static const struct {
        const char *text;
        guint dimension, n1, n2, n3;
    } cases[] = {{"4x2", 3, 2, 1, 0}, {"1x8", 3, 0, 3, 0}, {"column", 3, 0, 3, 0}, {"row", 3, 3, 0, 0},
                 {"1x1", 0, 0, 0, 0}, {"row", 0, 0, 0, 0}, {"256x256", 16, 8, 8, 0}, {"4x2x1", 3, 2, 1, 0},
                 {"1x2x4", 3, 0, 1, 2}, {"1x1x1", 0, 0, 0, 0}, {"1x1x65536", 16, 0, 0, 16}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        MatmulGrid grid;
        ck_assert(matmul_grid_parse("--grid", cases[i].text, cases[i].dimension, "any", &grid, NULL));
        ck_assert_uint_eq(grid.n1, cases[i].n1);
        ck_assert_uint_eq(grid.n2, cases[i].n2);
        ck_assert_uint_eq(grid.n3, cases[i].n3);
    }
    g_autofree char *text = matmul_grid_format(&(MatmulGrid){2, 1, 0});
    g_autofree char *deep = matmul_grid_format(&(MatmulGrid){2, 0, 3});
    ck_assert_str_eq(text, "4x2");
    ck_assert_str_eq(deep, "4x1x8");
    static const char *const bad[] = {"", "4", "4x4", "3x3", "0x8", "8x0", "columns", "2x2x3", "2x2x4",
                                      "2x2x2x1", "16x1"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        MatmulGrid grid;
        g_autofree char *message = g_strdup_printf("--grid: '%s' is not allowed; allowed: any, column, row, or N1xN2 "
                                                   "or N1xN2xN3 with the product 2^3 = 8", bad[i]);
        ck_assert(!matmul_grid_parse("--grid", bad[i], 3, "any", &grid, &error));
        ck_assert_str_eq(error->message, message);
    }
}

/* 10 on 4 processors: 3, 3, 3, 1 and 3, 3, 2, 2; 5 on 4: 2, 2, 1 and 2, 1, 1, 1; 2 on 4: only two have any. */
TEST(shares)
{
    static const struct {
        guint size, consecutive[4], cyclic[4];
    } cases[] = {{10, {3, 3, 3, 1}, {3, 3, 2, 2}}, {5, {2, 2, 1, 0}, {2, 1, 1, 1}}, {2, {1, 1, 0, 0}, {1, 1, 0, 0}}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        for (int layout = MATMUL_CONSECUTIVE; layout <= MATMUL_CYCLIC; layout++) {
            const guint *expected = layout == MATMUL_CYCLIC ? cases[i].cyclic : cases[i].consecutive;
            guint counted[4] = {0}, size = cases[i].size, owners = 0;
            for (guint j = 0; j < size; j++)
                counted[matmul_owner(size, 2, (MatmulLayout)layout, j)]++;
            for (guint k = 0; k < 4; k++) {
                ck_assert_uint_eq(counted[k], expected[k]);
                owners += expected[k] > 0;
            }
            ck_assert_uint_eq(matmul_share(size, 2), expected[0]);
            ck_assert_uint_eq(matmul_owners(size, 2, (MatmulLayout)layout), owners);
        }
}

/* Figure 15: what follows from a recipe must fit together. A transposition turns a matrix round, a broadcast makes one
 * side of it whole, a reduction needs sums over a cut Q. */
TEST(recipes)
{
    for (MatmulAlgorithm a = MATMUL_A1; a <= MATMUL_OUTER; a++) {
        const MatmulRecipe *recipe = matmul_recipe(a);
        gboolean has_one = a <= MATMUL_A5 && a != MATMUL_A3B;
        ck_assert(has_one == (recipe != NULL));
        guint reductions = 0;
        for (guint i = 0; has_one && i < recipe->n_phases; i++) {
            const MatmulPhase *phase = &recipe->phases[i];
            MatmulSide shared = phase->within_rows ? phase->by_columns : phase->by_rows;
            reductions += phase->kind == MATMUL_REDUCE;
            if (phase->kind == MATMUL_BROADCAST)
                ck_assert_uint_eq(recipe->cut[shared], MATMUL_WHOLE);
            if (phase->kind == MATMUL_REDUCE)
                ck_assert_uint_eq(recipe->cut[MATMUL_Q], phase->within_rows ? MATMUL_BY_COLUMNS : MATMUL_BY_ROWS);
        }
        ck_assert_uint_eq(reductions, has_one && a != MATMUL_A1);
    }
}

/* M = 16 on 4 x 4, lambda = t_c: (c(16,B) + 3)(B + 1) is 38, 33, 36 for B = 1, 2, 3; B_opt = sqrt(16/3). With
 * lambda = 1000 t_c B_opt is larger than M. */
TEST(optimal_packets)
{
    MatmulCase c = product("a2 nrsbt 16x16x16 4x4 all");
    const MatmulPhase *txp = &matmul_recipe(MATMUL_A2)->phases[0], *brd = txp + 1;
    c.optimal = TRUE;
    ck_assert_int_eq(matmul_packet(&c, txp, &equal_terms), 2 * 4);
    ck_assert_int_eq(matmul_packet(&c, txp, &textbook), 16 * 4);
    ck_assert_int_eq(matmul_packet(&c, brd, &equal_terms), 0);
    c.packet = 4;
    ck_assert_int_eq(matmul_packet(&c, txp, &equal_terms), 4);
    c.packet = 3;
    ck_assert_int_eq(matmul_packet(&c, txp, &equal_terms), 3);
    c.optimal = FALSE;
    ck_assert_int_eq(matmul_packet(&c, txp, &equal_terms), 3);
    c = product("a2 sbt 16x16x16 4x4 one");
    c.optimal = TRUE;
    ck_assert_int_eq(matmul_packet(&c, txp, &equal_terms), 0);
}

/* 7/3 elements of 4 bytes at 0.25 us, 5/2 start-ups of 1 us, 3 operations of 10 ps: 4833333.33 + 30 ps. */
TEST(times)
{
    MatmulCount count = {{7, 3}, {5, 2}, 3};
    MatmulTerms terms = {1000000, 250000 * MACHINE_FS_PER_PS, 10};
    ck_assert_int_eq(matmul_ps(&count, 4, &terms), 4833364);
    count.operations = G_MAXINT64;
    ck_assert_int_eq(matmul_ps(&count, 4, &terms), INPUT_TIME_MAX_PS);
}

TESTS(matmul, shapes, grids, shares, recipes, optimal_packets, times)
