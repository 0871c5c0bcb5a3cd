/* A scenario: what the user wants to be run, from an INI file, from the command line, or both.
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
 * A value on the command line replaces the file's; the command line must not give one key two values. A scenario only
 * keeps the values: resolve.h checks them and makes runs, sweep.h makes the scenarios of a sweep. */
#pragma once

#include "keys.h"

#include <glib.h>

/* Most runs a scenario or a sweep may make. */
#define SCENARIO_RUNS_MAX 1000000

typedef struct Scenario Scenario;

Scenario *scenario_new(void);
void scenario_free(Scenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Scenario, scenario_free)

/* Returns a copy of the values, without the file's path and the kept things. Caller frees. */
Scenario *scenario_copy(const Scenario *scenario);

/* Reads the sections [run] and [machine] of the file. Values of the command line (scenario_set()) stay. Errors:
 * unreadable, not INI, unknown section or key. */
gboolean scenario_load(Scenario *scenario, const char *path, GError **error);

/* Returns the path of the loaded file, or NULL. Borrowed. */
const char *scenario_path(const Scenario *scenario);

/* Sets a key of [run] or [machine] for the command line. `origin` begins error messages about the value ("--bytes").
 * Errors: unknown key; the command line has set the key to another value. */
gboolean scenario_set(Scenario *scenario, const char *key, const char *value, const char *origin, GError **error);

/* Sets a key by "KEY=VALUE", the argument of --set: of [machine], or with `run` of either section. Errors as
 * scenario_set(). */
gboolean scenario_set_pair(Scenario *scenario, const char *pair, gboolean run, GError **error);

/* Replaces the text of a key that has a value. */
void scenario_replace(Scenario *scenario, const char *key, const char *text);

/* Returns the value of a key; NULL: it is not given. Borrowed; scenario_replace() changes its text. */
const Value *scenario_value(const Scenario *scenario, const char *key);

/* Returns the text of a key's value; NULL: it is not given. Borrowed. */
const char *scenario_get(const Scenario *scenario, const char *key);

/* Returns the machine keys that the scenario overrides, "tau=0.2 pairwise_sync=false", in the order of `ecube list
 * keys`, each usable after --set; "" if there are none. Caller frees. */
char *scenario_overrides(const Scenario *scenario);

/* Makes the scenario own `thing`; frees it with `clear`. All calls must pass the same `clear`. */
void scenario_keep(Scenario *scenario, gpointer thing, GDestroyNotify clear);
