/* Options of programs: the options of keys, --set, and the program's own. Values of keys go into a scenario. */
#pragma once

#include "scenario.h"

/* Returns options of keys of [run] (`all` of them or those of `keys`, NULL-terminated or NULL), then --set, then `own`,
 * which ends without a long_name or is NULL. --set takes keys of [run] only with `all`; without `all` and `keys` there
 * is no --set. An option of `own` with the name of a key takes its place: --set reaches the key. The last of the result
 * has no long_name. Caller frees the array. */
GOptionEntry *options_new(gboolean all, const char *const *keys, const GOptionEntry *own);

/* Parses the command line and puts the values of keys into `scenario`. Error: ECUBE_ERROR_INPUT. */
gboolean options_parse(GOptionContext *context, GOptionEntry *options, Scenario *scenario, int *argc, char ***argv,
                       GError **error);
