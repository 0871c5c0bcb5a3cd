/* Options of programs: the options of keys, --set, and the program's own. Values of keys go into a scenario. */
#pragma once

#include "scenario.h"

/* Returns the options of a command in this order: one for each key of [run] (all keys with `all`, else the names in
 * `keys`, NULL-terminated or NULL); --set; and `own`, which ends with a row without a long_name, or is NULL. --set
 * takes keys of [run] only with `all`, and is missing without `all` and `keys`. An option of `own` replaces the
 * option of a key with the same name; --set still takes the key. The result ends with a row without a long_name.
 * Caller frees the array. */
GOptionEntry *options_new(gboolean all, const char *const *keys, const GOptionEntry *own);

/* Parses the command line and puts the values of keys into `scenario`. Error: ECUBE_ERROR_INPUT. */
gboolean options_parse(GOptionContext *context, GOptionEntry *options, Scenario *scenario, int *argc, char ***argv,
                       GError **error);
