/* The test suites, one per module, and what they share. Tests run in the top of the tree. */
#ifndef ECUBE_TESTS_H
#define ECUBE_TESTS_H

#include "../models/machine.h"
#include "../sim/schedule.h"
#include "../sim/trace.h"

#include <check.h>

#define TEST_PLATFORMS "platforms"

Suite *suite_input(void);
Suite *suite_machine(void);
Suite *suite_partition(void);
Suite *suite_exchange(void);
Suite *suite_hull(void);
Suite *suite_spanning(void);
Suite *suite_cube(void);
Suite *suite_schedule(void);
Suite *suite_verify(void);
Suite *suite_events(void);
Suite *suite_network(void);
Suite *suite_engine(void);
Suite *suite_golden(void);
Suite *suite_scenario(void);
Suite *suite_report(void);
Suite *suite_compare(void);
Suite *suite_range(void);
Suite *suite_journal(void);
Suite *suite_sweep(void);
Suite *suite_trace(void);
Suite *suite_explain(void);
Suite *suite_contention(void);
Suite *suite_export(void);
Suite *suite_plot(void);

/* A machine of platforms/; aborts if there is none. `overrides` are "KEY=VALUE", NULL-terminated, or NULL. Caller
 * frees. */
Machine *test_machine(const char *spec, const char *const *overrides);

/* A message to be issued at a date, in µs. */
typedef struct {
    gint64 at;
    guint source, destination;
    gint64 bytes;
} TestShot;

/* The trace, not sorted, of `n` messages on a network without processors, in the order of their dates. Caller frees. */
Trace *test_trace_shots(const Machine *machine, guint dimension, const TestShot *shots, guint n);

/* Calls `check` with every schedule of the registry on a cube of dimension d: every algorithm, and every composition of
 * d with those that take a partition. */
void test_each_schedule(guint d, void (*check)(const Schedule *schedule, gconstpointer data), gconstpointer data);

/* Schedules with one mistake each, NULL-terminated, for dimension 2; `broken_fault(i)` is a part of what must be said
 * about number i. */
extern const Algorithm *const broken_algorithms[];
const char *broken_fault(guint i);

#endif
