/* A scenario: what the user wants to be run, from an INI file, from options, or both. In a sweep every key may have
 * several values (scenario_expand()); otherwise only algorithm, partition and bytes may.
 *
 *     [run]
 *     machine = ipsc860
 *     dimension = 6
 *     algorithm = standard, multiphase, direct
 *     partition = 3,3 ; 2,2,2
 *     bytes = 16, 32, 64:256:64
 *
 *     [machine]
 *     tau = 0.2
 *
 * A key given later replaces the same key given earlier. Nothing is judged before scenario_resolve(). */
#ifndef ECUBE_SCENARIO_H
#define ECUBE_SCENARIO_H

#include "run.h"

#include <glib.h>

/* Most runs a scenario or a sweep may make. */
#define SCENARIO_RUNS_MAX 1000000

typedef struct Scenario Scenario;

Scenario *scenario_new(void);
void scenario_free(Scenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Scenario, scenario_free)

/* Reads the sections [run] and [machine] of the file. Errors: unreadable, not INI, unknown section or key. */
gboolean scenario_load(Scenario *scenario, const char *path, GError **error);

/* The file that was loaded, or NULL. Borrowed. */
const char *scenario_path(const Scenario *scenario);

/* Sets one key of either section. `origin` begins error messages about it ("--bytes"). Error: unknown key. */
gboolean scenario_set(Scenario *scenario, const char *key, const char *value, const char *origin, GError **error);

/* "KEY=VALUE", as after --set. */
gboolean scenario_set_pair(Scenario *scenario, const char *pair, GError **error);

/* The text of a key, or NULL if it was not given. Borrowed until the key is set again. */
const char *scenario_get(const Scenario *scenario, const char *key);

typedef enum {
    SCENARIO_TIMED,     /* machine and bytes are needed */
    SCENARIO_SWEEP,     /* the same; a size that the clock cannot count is left for run_check() to refuse */
    SCENARIO_DATA       /* data only: neither is needed; runs have no machine and 0 bytes */
} ScenarioUse;

/* Judges the scenario and makes its runs: for every size, every algorithm (every partition, if it takes one), in the
 * order given. `platforms` is the folder of machine files. Returns Run elements, whose machine belongs to the scenario;
 * the caller unrefs the array before it frees the scenario. To be called once. */
GArray *scenario_resolve(Scenario *scenario, const char *platforms, ScenarioUse use, GError **error);

/* The scenarios of a sweep: every key may have a list of values (commas; partitions by semicolons), those that are
 * numbers also ranges (range.h). In the result, elements of type Scenario *, every key has one value, except bytes,
 * algorithm and partition, whose lists scenario_resolve() goes through. Order: the machine varies slowest, then the
 * keys of [machine] in the order of `ecube list keys`, then pattern, dimension, element, source and permutation.
 * `scenario` was not resolved. Caller unrefs, which frees the elements. */
GPtrArray *scenario_expand(const Scenario *scenario, GError **error);

/* "tau=0.2 pairwise_sync=false": the machine keys this scenario overrides, in the order of `ecube list keys`, each
 * usable after --set; "" if there are none. Caller frees. */
char *scenario_overrides(const Scenario *scenario);

/* The keys of [run], for `ecube list keys`: name, what is allowed, meaning; NULL name ends the table. */
typedef struct {
    const char *name, *allowed, *help;
} RunKey;
const RunKey *scenario_run_keys(void);
gboolean scenario_is_run_key(const char *key);

#endif
