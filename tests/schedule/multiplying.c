#include "multiplying.h"
#include "models/matmul.h"

static void check_layouts(TestProduct product, CheckProduct *check, gconstpointer user)
{
    for (product.layout = MATMUL_CONSECUTIVE; product.layout <= MATMUL_CYCLIC; product.layout++) {
        Problem problem = test_product(&product);
        if (!problem_refused(&problem))
            check(&product, user);
    }
}

static void check_accumulates(TestProduct product, gboolean thorough, CheckProduct *check, gconstpointer user)
{
    guint n = MAX(product.grid.n1, product.grid.n2);
    for (guint k = thorough ? 0 : n / 2; k <= (thorough ? n : n / 2); k++) {
        product.accumulate = k;
        check_layouts(product, check, user);
    }
}

static void check_routings(TestProduct product, gboolean thorough, CheckProduct *check, gconstpointer user)
{
    for (const char *const *name = matmul_routing_names; *name; name++) {
        product.routing = *name;
        if (strcmp(*name, "hybrid") == 0)
            check_accumulates(product, thorough, check, user);
        else
            check_layouts(product, check, user);
    }
}

/* Those without broadcasts have no use for a routing. */
static gboolean has_broadcasts(const Algorithm *algorithm)
{
    return algorithm->takes != 0;
}

/* Grids of two dimensions come first, n + 1 of them. */
static guint n_grids(const Algorithm *algorithm, guint n)
{
    guint n_all = (n + 1) * (n + 2) / 2;
    return algorithm->pattern != &pattern_matmul ? 0 : algorithm->takes & TAKES_DEPTH ? n_all : n + 1;
}

static MatmulGrid nth_grid(guint n, guint i)
{
    guint n3 = 0;
    for (; i > n - n3; n3++)
        i -= n - n3 + 1;
    return (MatmulGrid){i, n - n3 - i, n3};
}

void each_product(guint n, gboolean thorough, CheckProduct *check, gconstpointer user)
{
    for (guint a = 0; a < algorithm_count(); a++) {
        const Algorithm *algorithm = algorithm_nth(a);
        TestProduct product = {.algorithm = algorithm->name, .routing = "sbt", .n_port = algorithm->n_port,
                               .shape = {1, 1, 1}};
        for (guint i = 0; i < n_grids(algorithm, n); i++) {
            product.grid = nth_grid(n, i);
            if (has_broadcasts(algorithm))
                check_routings(product, thorough, check, user);
            else
                check_layouts(product, check, user);
        }
    }
}

gboolean has_tables(const TestProduct *product)
{
    static const char *const names[] = {"a1", "a2", "a3", "a4", "a5", NULL};
    return g_strv_contains(names, product->algorithm);
}

guint side_of(const MatmulGrid *grid)
{
    return grid->n3 > 0 ? 1u << (grid->n1 + grid->n2 + grid->n3) : 1u << MAX(grid->n1, grid->n2);
}

gboolean divides(const TestProduct *product)
{
    guint side = side_of(&product->grid);
    return product->shape.p % side == 0 && product->shape.q % side == 0 && product->shape.r % side == 0;
}

guint scattered(guint number)
{
    return number * 2654435761u >> 16;
}

#define SIDES 9

MatmulShape small_shape(guint number)
{
    guint i = number * 370 % (SIDES * SIDES * SIDES);
    return (MatmulShape){1 + i % SIDES, 1 + i / SIDES % SIDES, 1 + i / (SIDES * SIDES)};
}

MatmulShape divided_shape(const MatmulGrid *grid, guint number)
{
    guint side = side_of(grid), doubled = scattered(number);
    return (MatmulShape){side << doubled % 2, side << doubled / 2 % 2, side << doubled / 4 % 2};
}

Machine *multiplying_machine(gboolean n_port, gint64 packet)
{
    g_autofree char *of_packet = g_strdup_printf("packet=%" G_GINT64_FORMAT, packet * TEST_ELEMENT);
    return TEST_MACHINE(n_port ? "johnsson1987:nport" : "johnsson1987", "flop=1", packet ? of_packet : NULL);
}
