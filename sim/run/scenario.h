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
 * What the command line says replaces what the file says; it must not say two things about one key. The values are only
 * kept here: resolve.h judges them, sweep.h makes the scenarios of a sweep. */
#pragma once

#include "keys.h"

#include <glib.h>

/* Most runs a scenario or a sweep may make. */
#define SCENARIO_RUNS_MAX 1000000

typedef struct Scenario Scenario;

Scenario *scenario_new(void);
void scenario_free(Scenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Scenario, scenario_free)

/* The same values. Caller frees. */
Scenario *scenario_copy(const Scenario *scenario);

/* Reads the sections [run] and [machine] of the file. Errors: unreadable, not INI, unknown section or key. */
gboolean scenario_load(Scenario *scenario, const char *path, GError **error);

/* The file that was loaded, or NULL. Borrowed. */
const char *scenario_path(const Scenario *scenario);

/* Sets one key of either section, as the command line does. `origin` begins error messages about it ("--bytes").
 * Errors: unknown key; the command line has set it to something else. */
gboolean scenario_set(Scenario *scenario, const char *key, const char *value, const char *origin, GError **error);

/* "KEY=VALUE", as after --set; with `run` of any key, else of those of [machine]. */
gboolean scenario_set_pair(Scenario *scenario, const char *pair, gboolean run, GError **error);

/* Gives a key that has a value another text. */
void scenario_replace(Scenario *scenario, const char *key, const char *text);

/* The value of a key, or NULL if it was not given. Borrowed; another text may be put into it. */
const Value *scenario_value(const Scenario *scenario, const char *key);

/* Its text, or NULL. Borrowed. */
const char *scenario_get(const Scenario *scenario, const char *key);

/* "tau=0.2 pairwise_sync=false": the machine keys this scenario overrides, in the order of `ecube list keys`, each
 * usable after --set; "" if there are none. Caller frees. */
char *scenario_overrides(const Scenario *scenario);

/* Keeps something as long as the scenario is there; it is freed with `clear`, the same for
 * all. */
void scenario_keep(Scenario *scenario, gpointer thing, GDestroyNotify clear);
