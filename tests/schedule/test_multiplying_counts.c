/* What multiplications take in lock step, step by step, is what models/ counts without steps. */
#include "models/matmul_counts.h"
#include "multiplying.h"
#include "tests/walk.h"

#include <stdio.h>
#include <string.h>

static guint place_of(const char *const *names, const char *name)
{
    guint i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    return i;
}

static MatmulCase case_of(const TestProduct *product)
{
    return (MatmulCase){
        .shape = product->shape, .grid = product->grid, .layout = product->layout,
        .algorithm = (MatmulAlgorithm)place_of(matmul_algorithm_names, product->algorithm),
        .routing = (MatmulRouting)place_of(matmul_routing_names, product->routing),
        .accumulate = product->accumulate, .ports = product->n_port ? PORTS_ALL : PORTS_ONE, .element = TEST_ELEMENT,
        .packet = product->packet * TEST_ELEMENT};
}

static gboolean compare(const TestProduct *product)
{
    Problem problem = test_product(product);
    g_autoptr(Machine) machine = multiplying_machine(product->n_port, product->packet);
    MatmulCase c = case_of(product);
    MatmulTerms terms = matmul_terms(machine, TEST_ELEMENT);
    MatmulExact exact;
    const char *reason;
    if (!matmul_counts(&c, &terms, &exact, &reason))
        return FALSE;
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    Walk walked = walk(schedule, machine);
    g_autofree char *text = test_describe(&problem);
    if ((gint64)exact.moved.startups != walked.startups || (gint64)exact.moved.bytes != walked.bytes || exact.operations != walked.by_phase)
        fprintf(stderr, "DIFF %s: walked %ld %ld %ld counted %ld %ld %ld\n", text, walked.startups, walked.bytes / 4, walked.by_phase,
           (gint64)exact.moved.startups, (gint64)exact.moved.bytes / 4, exact.operations);
    return TRUE;
}

#define SHAPES (9 * 9 * 9)

typedef struct {
    guint n_shapes, *n_checked, *n_compared;
} Extent;

static void check_shapes(const TestProduct *product, gconstpointer user)
{
    const Extent *extent = user;
    TestProduct one = *product;
    for (guint i = 0; i < extent->n_shapes; i++, ++*extent->n_checked) {
        guint number = *extent->n_checked, j = number * 370 % SHAPES;
        one.shape = (MatmulShape){1 + j % 9, 1 + j / 9 % 9, 1 + j / 81 % 9};
        one.packet = number % 3;
        *extent->n_compared += compare(&one);
    }
}

START_TEST(any_shape)
{
    guint n_checked = 0, n_compared = 0;
    each_product((guint)_i, FALSE, check_shapes, &(Extent){(guint)test_upto(1, 3, 20), &n_checked, &n_compared});
    fprintf(stderr, "%u of %u\n", n_compared, n_checked);
}
END_TEST

Suite *suite_multiplying_counts(void)
{
    Suite *suite = suite_create("multiplying_counts");
    TCase *tc = tcase_create("multiplying_counts");
    tcase_add_loop_test(tc, any_shape, 0, 6 + 1);
    suite_add_tcase(suite, tc);
    return suite;
}
