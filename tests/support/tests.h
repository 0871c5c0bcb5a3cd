/* The test suites, one per module, and what they share. Tests run in the top of the tree. A file test_x.c has the suite
 * "x", suite_x(): the Makefile finds it and runs a process for it. No test has a time limit, because it would fail on a
 * slow machine; one that hangs is the process that stays. */
#pragma once

#include "sim/cube/cube.h"
#include "sim/engine/engine.h"
#include "sim/replay/price.h"
#include "sim/replay/verify.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/problem.h"
#include "sim/text/input.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Check writes every assertion that holds into a file, to know where a test was when it crashed: half the time of tests
 * that assert in loops. A debugger and the sanitizers know it as well. */
#define _mark_point(file, line) ((void)0)

/* Begins a test; or one that runs for each number _i from `from` on, below `to`, which are found when suites are made.
 * (Check's END_TEST is nothing.) */
#define TEST(name) TEST_LOOP(name, 0, 1)
#define TEST_LOOP(name, from, to)                                                                                      \
    static void name##_fn(int _i);                                                                                     \
    static void name##_range(int range[2]) { range[0] = (int)(from), range[1] = (int)(to); }                           \
    static const TestLoop name##_loop = {{#name, name##_fn, __FILE__, __LINE__}, name##_range};                        \
    static const TTest *const name = &name##_loop.test;                                                                \
    static void name##_fn(int _i)

typedef struct {
    TTest test;
    void (*get_range)(int range[2]);
} TestLoop;

/* Adds tests to a suite; or makes a whole suite of them, if there is nothing else to be said of it. */
#define test_add(tc, ...) test_add_all(tc, (const TTest *const[]){__VA_ARGS__, NULL})
#define TESTS(suite, ...) void suite_##suite(TCase *tc) { test_add(tc, __VA_ARGS__); }
#define TESTS_IN_FOLDER(suite, ...)     /* each with a folder of its own, test_folder */                               \
    void suite_##suite(TCase *tc)                                                                                      \
    {                                                                                                                  \
        tcase_add_checked_fixture(tc, test_folder_make, test_folder_remove);                                           \
        test_add(tc, __VA_ARGS__);                                                                                     \
    }
void test_add_all(TCase *tc, const TTest *const *tests);

/* g_auto(Price) is cleared where its block ends. */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Price, price_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Verdict, verdict_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(EngineResult, engine_result_clear)

#define TEST_PLATFORMS "platforms"

#define US G_GINT64_CONSTANT(1000000)   /* in ps */

/* suite_x() of every file test_x.c, which adds its tests: the Makefile lists them. */
#define SUITE(name) void suite_##name(TCase *tc);
#include "suites.h"
#undef SUITE

/* A machine of platforms/; aborts if there is none. `overrides` are "KEY=VALUE", NULL-terminated, or NULL. Caller
 * frees. */
Machine *test_machine(const char *spec, const char *const *overrides);
#define TEST_MACHINE(spec, ...) test_machine(spec, (const char *const[]){__VA_ARGS__, NULL})

/* How often `part` is in a text. */
guint test_count(const char *text, const char *part);

/* Puts n different numbers into the next order, as words are ordered; FALSE after the last. */
gboolean test_next_order(guint8 *order, guint n);

/* Cycles of consecutive bits, one of each order. */
Permutation test_cycles(const Phases *orders);

/* Number i < test_n_compositions(d) of the permutations of d bits whose cycles have two or more consecutive bits each;
 * FALSE if there is none of this number. */
gboolean test_cycle_type(guint d, guint i, Permutation *permutation);

/* A folder for files of a test, and the path of a file in it, which is not there at first. A checked fixture makes the
 * folder, and removes it with all that is in it. */
extern char *test_folder, *test_file;
void test_folder_make(void);
void test_folder_remove(void);

/* Writes `length` bytes of text, all of it if that is negative, to test_file. */
void test_file_write(const char *text, gssize length);

/* Asserts that the error is one of input, whose message is one line that begins with `begins` and has `says` in it. */
void test_refused(const GError *error, const char *begins, const char *says);

/* A message to be issued at a date, in µs. */
typedef struct {
    gint64 at;
    guint source, destination;
    gint64 bytes;
} TestShot;

/* The trace, sorted, of `n` messages on a network without processors, in the order of their dates and, at one date, of
 * their sources. Caller frees. */
Trace *test_trace_shots(const Machine *machine, guint dimension, const TestShot *shots, guint n);

/* Step k of the first strand of `node` (schedule_strand_step()). */
static inline void schedule_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    schedule_strand_step(schedule, node, 0, k, out);
}

/* Where a range of tests ends: at `all` if ECUBE_TESTS in the environment is "all", as in `make check-all`, else at
 * `small`, as in `make check` and under sanitizers. What a small case shows as well is not to be left to large ones. */
int test_upto(int small, int all);

/* The complete exchange of blocks of `bytes` by an algorithm on a cube of dimension d; `partition` may be NULL if it
 * takes none. */
Problem test_exchange(const char *algorithm, guint d, const Phases *partition, gint64 bytes);

/* A multiplication of matrices of elements of 4 bytes, or `repeat` of them, if that is not 0; `routing` is an algorithm
 * of all-broadcast, `packet` in elements (0: unlimited), `accumulate` the hybrid's. */
typedef struct {
    const char *algorithm, *routing;
    gboolean n_port;
    MatmulShape shape;
    MatmulGrid grid;
    MatmulLayout layout;
    gint64 packet;
    guint accumulate, repeat;
    gboolean overlap;
} TestProduct;

#define TEST_ELEMENT 4

/* Its problem; aborts if an algorithm is not there. */
Problem test_product(const TestProduct *product);

/* Makes it the multiplication of matrices of a shape, "5x7x3", with the usual routing, on 2^n1 rows of processors. */
void test_multiply(Problem *problem, const char *shape, guint n1, MatmulLayout layout);

/* The pattern that is the reverse of `pattern`, whose algorithms run it backwards; or NULL. */
const Pattern *test_reverse_of(const Pattern *pattern);

/* What permutation_parse() reads. */
Permutation test_permutation(const char *text, guint dimension);

/* Composition number i of d, for i < test_n_compositions(d), 2^(d-1) or one of d = 0: bit k of i says that a new part
 * begins after the first k + 1. Every ordered partition of d comes once. */
guint test_n_compositions(guint d);
Phases test_composition(guint d, guint i);

/* The problem with one of the partitions, lists of offsets or accumulation steps that its algorithm takes. */
guint test_n_variants(const Problem *problem);
Problem test_variant(const Problem *problem, guint i);

/* Calls `check` with every schedule of the registry on a cube of dimension d: every algorithm in both directions,
 * every composition of d and every number of accumulation steps with those that take one, from the last processor if
 * there is a source; three permutations of address bits; three products of matrices, on grids of several rows and
 * columns, of one row and of one column, of which the first divides, with three routings. Data is 240 bytes, which
 * all n <= 6 divide, in packets of 8 if the algorithm is pipelined; of a permutation, 8 bytes for every part; blocks
 * of 2 x 2 elements of arrays. */
typedef void TestCheck(const Problem *problem, const Schedule *schedule, gconstpointer user);
void test_each_schedule(guint d, TestCheck *check, gconstpointer user);

/* The three ways through a problem's schedule, which is made and freed: without a clock, contention-free with its data,
 * and in the engine. The last two abort unless all comes to its end, with the right data. */
Verdict test_verify(const Problem *problem, Ports ports);
Price test_price(const Problem *problem, const Machine *machine);
EngineResult test_simulate(const Problem *problem, const Machine *machine);

/* Simulates a schedule, right or wrong, which must not run the clock over; `trace` may be NULL. */
EngineResult test_run(const Schedule *schedule, const Machine *machine, Trace *trace);

/* `machine` with all ports, and full duplex then, if the algorithm is an n-port one. A plain copy, which borrows. */
Machine test_machine_for(const Machine *machine, const Algorithm *algorithm);

/* "all-broadcast sbnt, n-port, d = 3". Caller frees. */
char *test_describe(const Problem *problem);

/* N_BROKEN exchanges of 10 bytes on 4 processors, whose schedules have one mistake each. broken_fault(i) is a part of
 * what must be said about number i; broken_runs(i): by the verifier alone, as it is about ports. */
#define N_BROKEN 12
Problem broken_problem(guint i);
Problem broken_named(const char *name);
const char *broken_fault(guint i);
gboolean broken_runs(guint i);

/* What sim/README.md adds to the program; not in the registry before a test adds it. */
extern const Algorithm algorithm_downwards;
extern const Pattern pattern_shift;
