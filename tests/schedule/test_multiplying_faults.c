/* The proof is proven: whatever is wrong with a multiplication is found, without a clock and with each. */
#include "multiplying.h"
#include "sim/patterns/matmul/tile.h"
#include "tests/support/disturbed.h"

/* --- schedules with one mistake --- */

/* Blocks of several pieces; transpositions, broadcasts, sums and products of all kinds, and both ports. */
static const TestProduct products[] = {
    {.algorithm = "a1", .routing = "sbt", .shape = {4, 8, 4}, .grid = {1, 2, 0}},
    {.algorithm = "a1", .routing = "nrsbt", .n_port = TRUE, .shape = {4, 8, 4}, .grid = {1, 2, 0}},
    {.algorithm = "a1", .routing = "gcea", .shape = {4, 8, 4}, .grid = {0, 2, 0}},
    {.algorithm = "a1", .routing = "cra", .shape = {4, 8, 4}, .grid = {2, 0, 0}},
    {.algorithm = "a2", .routing = "sbt", .shape = {4, 8, 4}, .grid = {2, 1, 0}},
    {.algorithm = "a3", .routing = "sbt", .shape = {4, 8, 4}, .grid = {1, 2, 0}, .layout = MATMUL_CYCLIC},
    {.algorithm = "a3b", .routing = "sbt", .shape = {4, 8, 4}, .grid = {2, 1, 0}},
    {.algorithm = "a4", .routing = "nrsbt", .n_port = TRUE, .shape = {4, 8, 4}, .grid = {0, 2, 0}},
    {.algorithm = "a4", .routing = "sbt", .shape = {4, 8, 4}, .grid = {1, 2, 0}, .overlap = TRUE},
    {.algorithm = "a5", .routing = "sbnt", .n_port = TRUE, .shape = {4, 8, 4}, .grid = {2, 1, 0}, .repeat = 2},
    {.algorithm = "3d", .routing = "sbt", .shape = {4, 8, 4}, .grid = {1, 1, 1}},
    {.algorithm = "3d-shuffled", .routing = "sbt", .shape = {4, 8, 4}, .grid = {1, 1, 1}},
    {.algorithm = "3d-shuffled", .routing = "nrsbt", .n_port = TRUE, .shape = {4, 8, 4}, .grid = {0, 1, 1}},
    {.algorithm = "cannon", .routing = "sbt", .shape = {4, 8, 4}, .grid = {1, 2, 0}},
    {.algorithm = "cannon", .routing = "sbt", .shape = {4, 8, 4}, .grid = {2, 2, 0}},
    {.algorithm = "cannon-log", .routing = "sbt", .shape = {4, 8, 4}, .grid = {2, 2, 0}},
    {.algorithm = "dekel", .routing = "nrsbt", .n_port = TRUE, .shape = {4, 8, 4}, .grid = {2, 1, 0}},
    {.algorithm = "outer", .routing = "sbt", .shape = {4, 8, 4}, .grid = {2, 2, 0}},
    {.algorithm = "outer", .routing = "sbt", .n_port = TRUE, .shape = {4, 8, 4}, .grid = {2, 2, 0}, .repeat = 2},
};

/* A fault says where it is, and in which matrix, unless nothing is there. */
static void assert_fault(const char *fault, const char *text)
{
    ck_assert_msg(fault != NULL, "%s is not found", text);
    gboolean nothing = strstr(fault, "holds no block") || strstr(fault, "its memory has");
    ck_assert_msg(nothing || g_regex_match_simple(" (A|C|D)\\b", fault, 0, 0), "%s: %s", text, fault);
    ck_assert_msg(g_regex_match_simple("processor [0-9]+\\b", fault, 0, 0), "%s: %s", text, fault);
}

/* What is not found is none: work without arithmetic left out where there is nothing to do, or done once more; a copy
 * left behind that nobody asks for, or not there any more if it has been multiplied meanwhile. */
static gboolean is_harmless(const TestProduct *product, const Schedule *good, const Disturbance *d)
{
    g_auto(Step) step = step_new();
    schedule_strand_step(good, d->node, d->strand, d->k, &step);
    const Operation *work = &step.operation;
    gboolean computes = work->what && good->content->class->operations(good->content, d->node, work) > 0;
    gboolean moves = step.sends->len && step_nth_send(&step, 0)->transfer == TRANSFER_MOVE;
    gboolean of_work = d->mistake == MISTAKE_NO_WORK || d->mistake == MISTAKE_WORKED_TWICE;
    return of_work ? !computes : d->mistake == MISTAKE_TRANSFER && (moves || product->overlap);
}

static gboolean is_found(const TestProduct *product, Schedule *schedule, const char *text)
{
    g_autoptr(Machine) machine = multiplying_machine(product->n_port, 0);
    g_auto(Verdict) verdict = verify(schedule, machine->ports);
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA), of_sizes = price(schedule, machine, REPLAY_SIZES);
    g_auto(EngineResult) result = test_run(schedule, machine, NULL);
    gboolean found = !verdict.ok;
    ck_assert(found == (priced.fault != NULL) && found == (of_sizes.fault != NULL) && found == (result.fault != NULL));
    ck_assert(!priced.stuck && !result.stuck);
    if (found) {
        assert_fault(verdict.fault, text);
        assert_fault(priced.fault, text);
        assert_fault(result.fault, text);
    }
    return found;
}

static void check_mistake(const TestProduct *product, const Disturbance *d, guint *n_found)
{
    Problem problem = test_product(product);
    g_autoptr(Schedule) good = schedule_make(&problem);
    if (!disturbance_applies(good, d))
        return;
    g_autoptr(Schedule) schedule = disturbed_new(schedule_make(&problem), d);
    g_autofree char *of_product = test_describe(&problem), *of_mistake = disturbance_describe(d);
    g_autofree char *text = g_strdup_printf("%s: %s", of_product, of_mistake);
    gboolean found = is_found(product, schedule, text);
    ck_assert_msg(found || is_harmless(product, good, d), "%s is not found", text);
    n_found[d->mistake] += found;
}

/* Every mistake, in every step of every processor; one in five of them in small tests. */
TEST_LOOP(mistakes, 0, G_N_ELEMENTS(products))
{
    Problem problem = test_product(&products[_i]);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    guint n_found[N_MISTAKES] = {0}, n = cube_n_nodes(schedule->dimension), one_of = (guint)test_upto(5, 1);
    for (guint strand = 0; strand < schedule->n_strands; strand++)
        for (guint i = 0; i < schedule_n_steps(schedule, strand) * n * N_MISTAKES; i += one_of) {
            guint k = i / (n * N_MISTAKES), node = i / N_MISTAKES % n;
            check_mistake(&products[_i], &(Disturbance){(Mistake)(i % N_MISTAKES), strand, k, node}, n_found);
        }
    for (Mistake mistake = 0; mistake < N_MISTAKES; mistake++)
        ck_assert_uint_gt(n_found[mistake], 0);
}

/* Without a mistake nothing is found. */
TEST_LOOP(no_mistake, 0, G_N_ELEMENTS(products))
{
    Problem problem = test_product(&products[_i]);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    ck_assert(!is_found(&products[_i], schedule, ""));
}

/* --- one element is wrong --- */

#define P 3
#define Q 4
#define R 5
#define N_SLOTS 3   /* of C, D, and E or A */

/* The memories of two processors, the grid 1 x 2. The numbers of elements are taken from what is there at first. */
typedef struct {
    Schedule *schedule;
    Block *slots[2];
    guint64 c[P][Q], d[Q][R], e[P][R];
} Two;

static const guint first_of_r[] = {0, 3, R}, first_of_q[] = {0, 2, Q};

static guint64 *elements_in(const Two *two, guint node, MatrixName matrix)
{
    return tile_of(two->slots[node][matrix])->elements;
}

static void read_two(Two *two, guint node)
{
    for (guint i = 0; i < P; i++) {
        guint wide_q = first_of_q[node + 1] - first_of_q[node], wide_r = first_of_r[node + 1] - first_of_r[node];
        memcpy(&two->c[i][first_of_q[node]], elements_in(two, node, MATRIX_C) + i * wide_q, wide_q * sizeof(guint64));
        memcpy(&two->e[i][first_of_r[node]], elements_in(two, node, MATRIX_A) + i * wide_r, wide_r * sizeof(guint64));
    }
    for (guint j = 0; j < Q; j++) {
        guint wide = first_of_r[node + 1] - first_of_r[node];
        memcpy(&two->d[j][first_of_r[node]], elements_in(two, node, MATRIX_D) + j * wide, wide * sizeof(guint64));
    }
}

/* Where element (i, k) of A is. */
static guint64 *element_of_a(const Two *two, guint i, guint k)
{
    guint node = k >= first_of_r[1];
    return elements_in(two, node, MATRIX_A) + i * (first_of_r[node + 1] - first_of_r[node]) + k - first_of_r[node];
}

static Two two_new(void)
{
    const TestProduct product = {.algorithm = "a1", .routing = "sbt", .shape = {P, Q, R}, .grid = {0, 1, 0}};
    Problem problem = test_product(&product);
    Two two = {.schedule = schedule_make(&problem)};
    Content *content = two.schedule->content;
    for (guint node = 0; node < 2; node++) {
        two.slots[node] = g_new(Block, two.schedule->n_slots);
        content->class->fill(content, node, two.slots[node]);
        read_two(&two, node);
    }
    for (guint i = 0; i < P; i++)
        for (guint k = 0; k < R; k++)
            for (guint j = 0; j < Q; j++)
                *element_of_a(&two, i, k) += two.c[i][j] * two.d[j][k];
    return two;
}

static void two_clear(Two *two)
{
    two->schedule->content->class->forget(two->schedule->content);
    schedule_free(two->schedule);
    g_free(two->slots[0]);
    g_free(two->slots[1]);
}

/* What is said about processor `node`, whose memory is that of `memory`. Caller frees. */
static char *told(const Two *two, guint node, guint memory)
{
    return two->schedule->content->class->check(two->schedule->content, node, two->slots[memory]);
}

static void assert_wrong(const Two *two, guint i, guint k, guint64 by)
{
    guint node = k >= first_of_r[1];
    g_autofree char *where = g_strdup_printf("of processor %u holds", node);
    g_autofree char *which = g_strdup_printf("for element (%u, %u) of A", i, k);
    *element_of_a(two, i, k) += by;
    g_autofree char *fault = told(two, node, node), *of_other = told(two, !node, !node);
    ck_assert_msg(fault && strstr(fault, where) && strstr(fault, which), "%s", fault);
    ck_assert_ptr_null(of_other);
    *element_of_a(two, i, k) -= by;
}

/* E missing or twice; a term missing, twice, or with a number of another row of D. */
TEST(elements)
{
    Two two = two_new();
    for (guint i = 0; i < P; i++)
        for (guint k = 0; k < R; k++) {
            assert_wrong(&two, i, k, two.e[i][k]);
            assert_wrong(&two, i, k, -two.e[i][k]);
            for (guint j = 0; j < Q; j++) {
                assert_wrong(&two, i, k, two.c[i][j] * two.d[j][k]);
                assert_wrong(&two, i, k, -two.c[i][j] * two.d[j][k]);
                assert_wrong(&two, i, k, two.c[i][j] * (two.d[(j + 1) % Q][k] - two.d[j][k]));
            }
        }
    g_autofree char *first = told(&two, 0, 0), *second = told(&two, 1, 1);
    ck_assert(!first && !second);
    two_clear(&two);
}

static void assert_not_held(const Two *two, guint node, guint memory)
{
    g_autofree char *fault = told(two, node, memory), *where = g_strdup_printf("slot 2 of processor %u", node);
    g_autofree char *expected = g_strdup_printf("%s does not hold its part of A", where);
    ck_assert_str_eq(fault, expected);
}

/* Blocks in each other's places; no block, one of another matrix, one that has been added to another. */
TEST(blocks)
{
    Two two = two_new();
    assert_not_held(&two, 0, 1);
    assert_not_held(&two, 1, 0);
    Block a = two.slots[0][MATRIX_A];
    two.slots[0][MATRIX_A] = BLOCK_NONE;
    assert_not_held(&two, 0, 0);
    two.slots[0][MATRIX_A] = two.slots[0][MATRIX_C];
    assert_not_held(&two, 0, 0);
    two.slots[1][MATRIX_A] = two.slots[1][MATRIX_C];    /* as large */
    assert_not_held(&two, 1, 1);
    two.slots[0][MATRIX_A] = a;
    tile_spend(tile_of(a));
    assert_not_held(&two, 0, 0);
    two_clear(&two);
}

TESTS(multiplying_faults, mistakes, no_mistake, elements, blocks)
