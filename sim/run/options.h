/* Options of programs: of keys, --set, and their own. Values of keys go into a scenario. */
#pragma once

#include "scenario.h"

/* The options of the keys of [run], of all of them or of those named in `keys`, NULL-terminated, which may be NULL, and
 * --set, which takes keys of [run] if all of them are options; then those of `own`, whose last one has no long_name, or
 * NULL. An option of `own` that has a key's name takes its place: --set reaches the key. The last of the result has no
 * long_name. Caller frees the array. */
GOptionEntry *options_new(gboolean all, const char *const *keys, const GOptionEntry *own);

/* Parses the line; what `options` of keys say goes into `scenario`. Error: ECUBE_ERROR_INPUT. */
gboolean options_parse(GOptionContext *context, GOptionEntry *options, Scenario *scenario, int *argc, char ***argv,
                       GError **error);
