/* Where the machines and scenarios lie that come with the program: the folders "platforms" and "scenarios" of one home,
 * which is the first of
 *   1. what ECUBE_DATA says in the environment, unless it is empty;
 *   2. the program's own folder, if it has platforms/: a source tree;
 *   3. where `make install` puts them, as seen from the program, so that an installation may be moved as a whole;
 *   4. where `make install` puts them. */
#pragma once

#include <glib.h>

/* The folders, whether they exist or not, and models/ with the pages of claims. Borrowed, static. */
const char *data_platforms(void);
const char *data_scenarios(void);
const char *data_models(void);

/* FALSE with an error if ECUBE_DATA is set and lacks one of the folders. */
gboolean data_check(GError **error);

/* The names of the scenarios, sorted. Error: the folder cannot be read. Caller frees with g_strfreev(). */
char **data_scenario_names(GError **error);

/* The file of a scenario given as a path, or by its name where there is no such file; a path has a '/' or ends in
 * ".ini". Errors: no such name, with the nearest one; no such file, though a scenario has its name. Caller frees. */
char *data_find_scenario(const char *given, GError **error);

/* What a scenario shows: the first sentence of the comment its file begins with, or "". Caller frees. */
char *data_scenario_title(const char *name);
