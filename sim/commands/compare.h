/* The half of ecube compare that is about measured times, and what the other half, about simulated ones, shares with
 * it. */
#pragma once

#include "query.h"
#include "sim/fit/measured.h"

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

/* Returns the observations of a library's own function for other patterns than complete exchange, on `group` (NULL: on
 * any). They are borrowed. Caller unrefs. */
GPtrArray *compare_list_collectives(const GPtrArray *observations, const Group *group);

/* Returns a row for each of `collectives`: its measured time, the algorithm that `ecube best` predicts to be the
 * fastest on the machine of `asked`, with its constants, and its time. For people it names `files` and says how many
 * lines were left out. NULL with an error. Caller frees. */
char *compare_collectives_text(const GPtrArray *collectives, const Scenario *asked, const char *files,
                               guint n_left_out, Format format, GError **error);
