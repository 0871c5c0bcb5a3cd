/* Folders of the data that comes with the program: "platforms", "scenarios" and "models" in one folder, the home. The
 * home is the first of
 *   1. ECUBE_DATA of the environment, unless it is empty;
 *   2. the program's own folder, if it has platforms/: a source tree;
 *   3. the folder of `make install` relative to the program, so that an installation may be moved as a whole;
 *   4. the folder of `make install`. */
#pragma once

#include <glib.h>

/* Return the paths of the folders, whether they exist or not. models/ has the pages on formulas. Borrowed, static. */
const char *data_platforms(void);
const char *data_scenarios(void);
const char *data_models(void);

/* Refuses ECUBE_DATA if it is set and lacks platforms/ or scenarios/. */
gboolean data_check(GError **error);

/* Returns the sorted names of the scenarios in data_scenarios(). Error: the folder cannot be read. Caller frees with
 * g_strfreev(). */
char **data_scenario_names(GError **error);

/* Returns the path of a scenario file. `given` is a path if it has a '/' or ends in ".ini"; else it is a file or,
 * without such a file, the name of a scenario. Errors: an unknown name, with the nearest one; a value of an option; a
 * page; a folder; a missing file whose name a scenario has. Caller frees. */
char *data_find_scenario(const char *given, GError **error);

/* Returns the first sentence of the comment at the beginning of the scenario's file, or "". Caller frees. */
char *data_scenario_title(const char *path);
