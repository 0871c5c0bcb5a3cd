/* Matrix multiplication: every algorithm gives the product, on every grid, and takes as long as it should. */
#include "multiplying.h"
#include "tests/support/walk.h"

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
    g_auto(Verdict) verdict = verify(schedule, machine->ports);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    ck_assert_msg(verdict.ok, "%s: %s", text, verdict.fault);
    ck_assert_msg(!priced.stuck && !priced.fault, "%s: %s", text, priced.stuck ? priced.stuck : priced.fault);
    ck_assert_msg(!result.stuck && !result.fault, "%s: %s", text, result.stuck ? result.stuck : result.fault);
    ck_assert_int_eq(verdict.operations, priced.operations);
    ck_assert_int_eq(verdict.operations, result.operations);
    ck_assert_uint_eq(verdict.messages, priced.messages);
    check_times(product, schedule, machine, &result, priced.time_ps);
}

/* --- any shape --- */

/* What does not divide takes no longer than what does, and is as large or larger. */
static void check_bound(const TestProduct *product)
{
    guint side = side_of(&product->grid);
    g_autoptr(Machine) machine = multiplying_machine(FALSE, product->packet);
    TestProduct larger = *product;
    larger.shape.p = (product->shape.p - 1) / side * side + side;
    larger.shape.q = (product->shape.q - 1) / side * side + side;
    larger.shape.r = (product->shape.r - 1) / side * side + side;
    Problem problem = test_product(product), bound = test_product(&larger);
    g_auto(Price) priced = test_price(&problem, machine), of_bound = test_price(&bound, machine);
    ck_assert_int_le(priced.time_ps, of_bound.time_ps);
}

static void check_data(const TestProduct *product)
{
    Problem problem = test_product(product);
    g_autofree char *text = test_describe(&problem);
    g_auto(Verdict) verdict = test_verify(&problem, product->n_port ? PORTS_ALL : PORTS_ONE);
    ck_assert_msg(verdict.ok, "%s: %s", text, verdict.fault);
}

typedef struct {
    guint n_shapes;
    guint one_of;           /* is run with clocks */
    guint *n_checked;
} Extent;

/* The clocks only with some. Now and then several products, or with work and messages at a time. */
static void check_shape(const TestProduct *product, const Extent *extent, guint number)
{
    TestProduct one = *product;
    one.shape = small_shape(number);
    one.packet = scattered(number) % 3;
    if (number % extent->one_of == 0)
        check_one(&one);
    if (!one.n_port && strcmp(one.routing, "sbt") == 0 && has_tables(&one))
        check_bound(&one);
    one.repeat = scattered(number) % 5 == 0 ? 2 : 1;
    one.overlap = scattered(number) / 5 % 2;
    check_data(&one);
}

static void check_shapes(const TestProduct *product, gconstpointer user)
{
    const Extent *extent = user;
    for (guint i = 0; i < extent->n_shapes; i++)
        check_shape(product, extent, (*extent->n_checked)++);
}

/* Returns n: one in n products of a cube is checked, as a grid has twelve. */
static guint one_of(guint n)
{
    return n < 5 ? 1 : (guint)test_upto(7, 5);
}

TEST_LOOP(any_shape, 0, test_upto(3, 6) + 1)
{
    guint n_checked = 0;
    each_product((guint)_i, test_upto(0, 1), check_shapes,
                 &(Extent){(guint)test_upto(1, 2), one_of((guint)_i), &n_checked});
    ck_assert_uint_gt(n_checked, 0);
}

static void check_divided(const TestProduct *product, gconstpointer user)
{
    const Extent *extent = user;
    guint number = (*extent->n_checked)++;
    TestProduct one = *product;
    one.shape = divided_shape(&one.grid, number);
    one.packet = 2 * (scattered(number) % 3);
    if (number % extent->one_of == 0)
        check_one(&one);
}

TEST_LOOP(divided, 0, test_upto(3, 6) + 1)
{
    guint n_checked = 0;
    each_product((guint)_i, test_upto(0, 1), check_divided, &(Extent){1, one_of((guint)_i), &n_checked});
    ck_assert_uint_gt(n_checked, 0);
}

/* --- SimGrid's flows --- */

/* As long as circuits where nothing contends, to 1e-9. */
static void check_fluid(const TestProduct *product, gconstpointer user)
{
    guint *n_checked = (guint *)user, number = (*n_checked)++;
    TestProduct one = *product;
    one.shape = scattered(number) % 2 ? small_shape(number) : divided_shape(&one.grid, number);
    if (strcmp(one.routing, one.n_port ? "nrsbt" : "sbt") != 0)
        return;
    Problem problem = test_product(&one);
    g_autofree char *text = test_describe(&problem);
    g_autoptr(Machine) machine = multiplying_machine(one.n_port, 0);
    machine->switching = SWITCHING_FLUID;
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    g_auto(EngineResult) result = test_simulate(&problem, machine);
    ck_assert_msg(!result.fault && !result.stuck, "%s: %s", text, result.fault ? result.fault : result.stuck);
    if (!schedule_contends(schedule))
        ck_assert_int_le(llabs(result.time_ps - priced.time_ps), priced.time_ps / 1000000000);
}

TEST_LOOP(fluid, 0, test_upto(2, 4) + 1)
{
    guint n_checked = 0;
    each_product((guint)_i, FALSE, check_fluid, &n_checked);
    ck_assert_uint_gt(n_checked, 0);
}

TESTS(multiplying, any_shape, divided, fluid)
