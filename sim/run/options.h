/* Options of programs: the options of keys, --set, and the program's own. Values of keys go into a scenario. */
#pragma once

#include "scenario.h"

/* Returns the options of a command: those of keys of [run] (all keys with `all`, else those of `keys`, NULL-terminated
 * or NULL), then --set, then `own`, which ends with a row without a long_name or is NULL. --set takes keys of [run]
 * only with `all`, and is missing without `all` and `keys`. An option of `own` replaces that of a key with its name;
 * --set still reaches the key. The result ends with a row without a long_name. Caller frees the array. */
GOptionEntry *options_new(gboolean all, const char *const *keys, const GOptionEntry *own);

/* Parses the command line and puts the values of keys into `scenario`. Error: ECUBE_ERROR_INPUT. */
gboolean options_parse(GOptionContext *context, GOptionEntry *options, Scenario *scenario, int *argc, char ***argv,
                       GError **error);
