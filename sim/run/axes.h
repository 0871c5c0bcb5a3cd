/* The scenarios of a sweep: every key may have a list of values (key_separators()), those that are numbers also ranges
 * (range.h). In each scenario every key has one value, except those that take lists in every command, which are gone
 * through within it. The keys vary in the order of keys.h, those of the machine after the machine itself.
 *
 * The scenarios are counted and numbered, not kept: scenario number i is made of the base when it is asked for. */
#pragma once

#include "scenario.h"

typedef struct Axes Axes;

/* Reads the lists of `scenario`, which is copied. Errors, ECUBE_ERROR_INPUT: a bad list; more scenarios than
 * SCENARIO_RUNS_MAX. Caller frees. */
Axes *axes_new(const Scenario *scenario, GError **error);
void axes_free(Axes *axes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Axes, axes_free)

guint axes_count(const Axes *axes);

/* Scenario number i. Borrowed, until the next one is asked for. `first`, if not NULL, becomes the number of the first
 * row of the keys (keys.h) whose value may differ from that in the scenario asked for last. */
const Scenario *axes_scenario(Axes *axes, guint i, guint *first);
