/* Matrix multiplication: every algorithm gives the product, on every grid, and takes as long as it should. */
#include "multiplying.h"
#include "tests/walk.h"

/* --- one product, in four ways --- */

/* That processors who wait for nobody but those that send to them take no longer than in lock step, and channels and
 * receive ports make nothing faster; where all have as much to do, and the tables' algorithms, all are the same. */
static void check_times(const TestProduct *product, const Schedule *schedule, const Machine *machine,
                        const EngineResult *result, gint64 price_ps)
{
    Walk walked = walk(schedule, machine);
    ck_assert_int_le(price_ps, result->time_ps);
    ck_assert_int_le(price_ps, walk_ps(&walked, machine));
    ck_assert_uint_eq(walked.messages, result->network.messages);
    if (!schedule_contends(schedule)) {
        ck_assert_int_eq(price_ps, result->time_ps);
        ck_assert_uint_eq(result->network.blocked, 0);
    }
    if (has_tables(product) && divides(product)) {
        ck_assert(!schedule_contends(schedule));
        ck_assert_int_eq(walk_ps(&walked, machine), price_ps);
    }
}

static void check_one(const TestProduct *product)
{
    Problem problem = test_product(product);
    g_autofree char *text = test_describe(&problem);
    g_autoptr(Machine) machine = multiplying_machine(product->n_port, product->packet);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    Verdict verdict = verify(schedule, machine->ports);
    Price priced = price(schedule, machine, REPLAY_DATA);
    EngineResult result;
    ck_assert(engine_run(schedule, machine, NULL, NULL, &result, NULL));
    ck_assert_msg(verdict.ok, "%s: %s", text, verdict.fault);
    ck_assert_msg(!priced.stuck && !priced.fault, "%s: %s", text, priced.stuck ? priced.stuck : priced.fault);
    ck_assert_msg(!result.stuck && !result.fault, "%s: %s", text, result.stuck ? result.stuck : result.fault);
    ck_assert_int_eq(verdict.operations, priced.operations);
    ck_assert_int_eq(verdict.operations, result.operations);
    ck_assert_uint_eq(verdict.messages, priced.messages);
    check_times(product, schedule, machine, &result, priced.time_ps);
    verdict_clear(&verdict);
    price_clear(&priced);
    engine_result_clear(&result);
}

#define SHAPES (9 * 9 * 9)

/* P, Q, R from 1 to 9. */
static MatmulShape nth_shape(guint i)
{
    return (MatmulShape){1 + i % 9, 1 + i / 9 % 9, 1 + i / 81 % 9};
}

typedef struct {
    guint n_shapes, *n_checked;
} Extent;

static void check_shapes(const TestProduct *product, gconstpointer user)
{
    const Extent *extent = user;
    TestProduct one = *product;
    for (guint i = 0; i < extent->n_shapes; i++, ++*extent->n_checked) {
        guint number = *extent->n_checked;
        one.shape = nth_shape(number * 370 % SHAPES);
        one.packet = number % 3;
        check_one(&one);
    }
}

START_TEST(any_shape)
{
    guint n_checked = 0;
    each_product((guint)_i, test_upto(0, 0, 1), check_shapes, &(Extent){(guint)test_upto(1, 1, 20), &n_checked});
    ck_assert_uint_gt(n_checked, 0);
}
END_TEST

static void check_divided(const TestProduct *product, gconstpointer user)
{
    guint *n_checked = (guint *)user, number = (*n_checked)++, side = 1u << MAX(product->grid.n1, product->grid.n2);
    TestProduct one = *product;
    one.shape = (MatmulShape){(1 + number % 2) * side, (1 + number / 2 % 2) * side, (1 + number / 4 % 2) * side};
    one.packet = number % 3 ? 2 * (number % 3) : 0;
    check_one(&one);
}

START_TEST(divided)
{
    guint n_checked = 0;
    each_product((guint)_i, test_upto(0, 0, 1), check_divided, &n_checked);
    ck_assert_uint_gt(n_checked, 0);
}
END_TEST

Suite *suite_multiplying(void)
{
    Suite *suite = suite_create("multiplying");
    TCase *tc = tcase_create("multiplying");
    tcase_add_loop_test(tc, any_shape, 0, test_upto(4, 6, 6) + 1);
    tcase_add_loop_test(tc, divided, 0, test_upto(4, 6, 6) + 1);
    suite_add_tcase(suite, tc);
    return suite;
}
