/* The half of ecube compare that is about measured times, and what the other half, about simulated ones, shares with
 * it. */
#pragma once

#include "query.h"

/* The format of rules, behind those of tables. */
#define FORMAT_RULES (FORMAT_JSON + 1)

/* Compares the hull of the scenario's machine with the measured times of `files` (NULL-terminated), on the scenario's
 * processors only, if it names some; with FORMAT_RULES writes rules by these times. */
gboolean compare_measured(const CommandLine *line, char **files, GError **error);

/* Returns a table of `columns`, whose second column, the dimension, becomes the number of processors unless `cubes`.
 * Only one such table may exist at a time. Caller frees. */
Table *compare_table(const Column *columns, guint n, gboolean cubes);

/* Adds the cell of a group's dimension or processors. */
void compare_add_place(Table *table, const Group *group, gboolean cubes);

/* Returns "d = 6" or "12 processors". Caller frees. */
char *compare_place_words(const Group *group);
