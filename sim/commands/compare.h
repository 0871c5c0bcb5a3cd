/* Comparison with measured times, and what the comparison with simulated ones (compare.c) needs, too. */
#pragma once

#include "query.h"
#include "sim/fit/measured.h"

/* The format of rules. Its number follows those of the formats of tables. */
#define FORMAT_RULES (FORMAT_JSON + 1)

/* Compares the hull of the scenario's machine with the measured times of `files` (NULL-terminated). If the scenario
 * names processors, only their times count. With FORMAT_RULES writes rules by the times of all processors instead. */
gboolean compare_measured(const CommandLine *line, char **files, GError **error);

/* Returns a table with columns[n], n <= 24. Unless `cubes`, the second one becomes `processors`. Without `cubes` the
 * columns are static, and only one such table may exist at a time. Caller frees. */
Table *compare_table(const Column *columns, guint n, gboolean cubes);

/* Adds the cell of a group: its dimension if `cubes`, else its processors. */
void compare_add_place(Table *table, const Group *group, gboolean cubes);

/* Returns "d = 6" or "12 processors". Caller frees. */
char *compare_place_words(const Group *group);

/* Returns the observations of functions of MPI libraries other than MPI_Alltoall, on `group` (NULL: on any). The
 * observations are borrowed. Caller unrefs the array. */
GPtrArray *compare_list_collectives(const GPtrArray *observations, const Group *group);

/* Returns a table with a row for each of `collectives`: the measured time, and the algorithm that `ecube best` predicts
 * to be the fastest, with its time. Predictions are for the machine and the constants of `asked`. For people a text
 * around the table names `files` and n_left_out, the number of lines left out. NULL with an error. Caller frees. */
char *compare_collectives_text(const GPtrArray *collectives, const Scenario *asked, const char *files,
                               guint n_left_out, Format format, GError **error);
