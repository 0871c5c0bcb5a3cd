/* Rows of a CSV of runs that are drawn: a choice of them, and measured times beside predicted ones. */
#pragma once

#include "sim/text/csv.h"

/* Removes the rows that do not have all values of `where`, "KEY=VALUE,KEY=VALUE". A key is a column, or one that the
 * rows override. Numbers are compared as numbers. Error: ECUBE_ERROR_INPUT if `where` has another form, a key is
 * unknown, or no row is left. */
gboolean plot_keep_where(Csv *csv, const char *path, const char *where, GError **error);

/* Column that plot_keep_best() adds: by how many percent the second best run takes longer; "" if there is none,
 * or if the best takes no time. */
#define PLOT_MARGIN "margin_percent"

/* Groups rows that differ in algorithm, partition and offsets alone. Keeps of each group the row with the least value
 * of column `y`. Adds the column PLOT_MARGIN. Error: ECUBE_ERROR_INPUT if there is no column `y`, or a cell of it is no
 * number. */
gboolean plot_keep_best(Csv *csv, const char *path, const char *y, GError **error);

/* Whether the key chooses the schedule of a run: algorithm, partition or offsets. */
gboolean plot_is_choice(const char *key);

/* Returns a text that rows with the same keys and overrides share. Leaves out `x` (may be NULL), and keys for which
 * plot_is_choice() holds. Caller frees. */
char *plot_task(const Csv *csv, guint row, const char *x);

/* Whether the column `name` only repeats the row's dimension: it is "processors", and the row has a dimension. */
gboolean plot_is_given_twice(const Csv *csv, guint row, const char *name);

/* Returns the value by which the row overrides a key, or NULL. Caller frees. */
char *plot_override(const Csv *csv, guint row, const char *key);

/* Returns the row's cell in the column `key` or, if there is no such column, plot_override(). Caller frees. */
char *plot_value_of(const Csv *csv, guint row, const char *key);

/* Returns the only overridden machine key whose number of different values in the rows is larger than that of column
 * `than`, and than 1. All its values must be numbers. NULL if there is no such key, or more than one. Caller frees. */
char *plot_swept_key(const Csv *csv, const char *than);

/* Column of measured times, in files of ecube-mpi. */
#define PLOT_MEASURED "minimum_us"

/* Adds the column minimum_us to `csv`, the output of `ecube run` or `ecube sweep` in file `path`. It has the least time
 * of each run in `measured`, whatever the machine and overrides there. Appends rows of the baselines of ecube-mpi,
 * which have no prediction. Error: ECUBE_ERROR_INPUT if `measured` lacks the column or `csv` has it, a time is no
 * number, or no run is in both. */
gboolean plot_add_measured(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error);
