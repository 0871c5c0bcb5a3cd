/* The test suites, one per module, and what they share. Tests run in the top of the tree. tests/test_x.c has the suite
 * "x", suite_x(): the Makefile runs a process for each. No test has a time limit, because it would fail on a slow
 * machine; one that hangs is the process that stays. */
#ifndef ECUBE_TESTS_H
#define ECUBE_TESTS_H

#include "sim/engine/engine.h"
#include "sim/replay/price.h"
#include "sim/replay/verify.h"
#include "sim/schedule/algorithms/registry.h"
#include "sim/schedule/make.h"

#include <check.h>

/* Check writes every assertion that holds into a file, to know where a test was when it crashed: half the time of tests
 * that assert in loops. A debugger and the sanitizers know it as well. */
#define _mark_point(file, line) ((void)0)

#define TEST_PLATFORMS "platforms"

Suite *suite_input(void);
Suite *suite_machine(void);
Suite *suite_partition(void);
Suite *suite_permutation(void);
Suite *suite_sequence(void);
Suite *suite_permuting(void);
Suite *suite_permuting_bounds(void);
Suite *suite_permuting_steps(void);
Suite *suite_transfer(void);
Suite *suite_choice(void);
Suite *suite_exchange(void);
Suite *suite_hull(void);
Suite *suite_regret(void);
Suite *suite_lockstep(void);
Suite *suite_spanning(void);
Suite *suite_matmul(void);
Suite *suite_matmul_printed(void);
Suite *suite_matmul_counts(void);
Suite *suite_matmul_uneven(void);
Suite *suite_matmul_best(void);
Suite *suite_cube(void);
Suite *suite_graph(void);
Suite *suite_graph_draw(void);
Suite *suite_embedding(void);
Suite *suite_schedule(void);
Suite *suite_registry(void);
Suite *suite_combinators(void);
Suite *suite_work(void);
Suite *suite_permute(void);
Suite *suite_permute_times(void);
Suite *suite_placement(void);
Suite *suite_rings(void);
Suite *suite_tiles(void);
Suite *suite_multiplying(void);
Suite *suite_multiplying_counts(void);
Suite *suite_multiplying_faults(void);
Suite *suite_arithmetic(void);
Suite *suite_mixed(void);
Suite *suite_array(void);
Suite *suite_uses(void);
Suite *suite_verify(void);
Suite *suite_events(void);
Suite *suite_network(void);
Suite *suite_disciplines(void);
Suite *suite_engine(void);
Suite *suite_overlap(void);
Suite *suite_machine_model(void);
Suite *suite_golden(void);
Suite *suite_scenario(void);
Suite *suite_packets(void);
Suite *suite_report(void);
Suite *suite_compare(void);
Suite *suite_range(void);
Suite *suite_keys(void);
Suite *suite_file(void);
Suite *suite_table(void);
Suite *suite_json(void);
Suite *suite_journal(void);
Suite *suite_workload(void);
Suite *suite_available(void);
Suite *suite_estimate(void);
Suite *suite_sweep(void);
Suite *suite_shard(void);
Suite *suite_trace(void);
Suite *suite_trace_file(void);
Suite *suite_explain(void);
Suite *suite_page(void);
Suite *suite_computing(void);
Suite *suite_contention(void);
Suite *suite_export(void);
Suite *suite_ti(void);
Suite *suite_replayable(void);
Suite *suite_plot(void);
Suite *suite_pattern(void);
Suite *suite_knomial(void);
Suite *suite_published(void);
Suite *suite_multiplications(void);
Suite *suite_regression(void);
Suite *suite_columns(void);
Suite *suite_measured(void);
Suite *suite_fit(void);
Suite *suite_payload(void);
Suite *suite_agenda(void);

/* A machine of platforms/; aborts if there is none. `overrides` are "KEY=VALUE", NULL-terminated, or NULL. Caller
 * frees. */
Machine *test_machine(const char *spec, const char *const *overrides);

/* A folder for files of a test, and what makes it and removes it with all files in it, as a checked fixture. */
extern char *test_folder;
void test_folder_make(void);
void test_folder_remove(void);

/* A message to be issued at a date, in µs. */
typedef struct {
    gint64 at;
    guint source, destination;
    gint64 bytes;
} TestShot;

/* The trace, not sorted, of `n` messages on a network without processors, in the order of their dates. Caller frees. */
Trace *test_trace_shots(const Machine *machine, guint dimension, const TestShot *shots, guint n);

/* Step k of the first strand of `node` (schedule_strand_step()). */
static inline void schedule_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    schedule_strand_step(schedule, node, 0, k, out);
}

/* Where a range of tests ends. ECUBE_TESTS in the environment chooses: at `small` for "small", what `make check` runs
 * under sanitizers, at `all` for "all", what `make check-all` runs without them, else at `usual`. What a small case
 * cannot show is not to be left to the other two. */
int test_upto(int small, int usual, int all);

/* The complete exchange of blocks of `bytes` by an algorithm on a cube of dimension d; `partition` may be NULL if it
 * takes none. */
Problem test_exchange(const char *algorithm, guint d, const Partition *partition, gint64 bytes);

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

/* Composition number i of d, for i < test_n_compositions(d), 2^(d-1) or one of d = 0: bit k of i says that a new part
 * begins after the first k + 1. Every ordered partition of d comes once. */
guint test_n_compositions(guint d);
Partition test_composition(guint d, guint i);

/* Calls `check` with every schedule of the registry on a cube of dimension d: every algorithm in both directions,
 * every composition of d and every number of accumulation steps with those that take one, from the last processor if
 * there is a source; three permutations of address bits; three products of matrices, on grids of several rows and
 * columns, of one row and of one column, of which the first divides, with three routings. Data is 240 bytes, which
 * all n <= 6 divide, in packets of 8 if the algorithm is pipelined; of a permutation, 8 bytes for every part; blocks
 * of 2 x 2 elements of arrays. */
typedef void TestCheck(const Problem *problem, const Schedule *schedule, gconstpointer user);
void test_each_schedule(guint d, TestCheck *check, gconstpointer user);

/* The three ways through a problem's schedule, which is made and freed: without a clock, contention-free with its data,
 * and in the engine, whose clock must not run over. To be cleared as what they return. */
Verdict test_verify(const Problem *problem, Ports ports);
Price test_price(const Problem *problem, const Machine *machine);
EngineResult test_simulate(const Problem *problem, const Machine *machine);

/* `machine` with all ports, and full duplex then, if the algorithm is an n-port one. A plain copy, which borrows. */
Machine test_machine_for(const Machine *machine, const Algorithm *algorithm);

/* "all-broadcast sbnt, n-port, d = 3". Caller frees. */
char *test_describe(const Problem *problem);

/* Schedules with one mistake each, NULL-terminated, for dimension 2; `broken_fault(i)` is a part of what must be said
 * about number i. */
extern const Algorithm *const broken_algorithms[];
const char *broken_fault(guint i);

/* Not in the registry before a test adds it. */
extern const Algorithm algorithm_downwards;

#endif
