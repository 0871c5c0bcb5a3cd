/* Judging scenarios, and the runs they ask for: for every size, every algorithm (every partition or number of
 * accumulation steps, if it takes one), in the order given. */
#pragma once

#include "scenario.h"

/* Reads machine files, each once, and judges one scenario after the other. `platforms`, the folder of machine files, is
 * borrowed. */
typedef struct Judge Judge;
Judge *judge_new(const char *platforms, ScenarioUse use);
void judge_free(Judge *judge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Judge, judge_free)

/* Judges a scenario. The result is the judge's until the next one. NULL with an error, ECUBE_ERROR_INPUT. */
const Wish *judge_scenario(Judge *judge, const Scenario *scenario, GError **error);

/* The machine of a scenario alone, the judge's until the next one. NULL with an error. */
const Machine *judge_machine(Judge *judge, const Scenario *scenario, GError **error);

/* The paths of the machine files read so far, in that order. Caller frees the array. */
GPtrArray *judge_files(const Judge *judge);

/* The number of runs of what has been judged, at most SCENARIO_RUNS_MAX. */
guint wish_n_runs(const Wish *wish);

/* Run number i: makes its schedule, and divides its data. `machine` becomes a copy of its machine, which borrows from
 * the judge, with its own packets if these are optimal; the run has that. Error: more packets than there may be. */
gboolean wish_run(const Wish *wish, guint i, Run *run, Machine *machine, GError **error);

#define RUNS_ARE_MADE_OF "the lists of algorithms, partitions and sizes"

/* Refuses several runs. `where` begins the error message. */
gboolean runs_check_single(const char *where, const GArray *runs, GError **error);

/* All of that for one scenario: Run elements, whose machine belongs to the scenario; the caller unrefs the array before
 * it frees the scenario. */
GArray *scenario_resolve(Scenario *scenario, const char *platforms, ScenarioUse use, GError **error);
