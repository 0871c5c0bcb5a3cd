/* Rows of a CSV of runs that are drawn: a choice of them, and measured times beside predicted ones. */
#pragma once

#include "sim/text/csv.h"

/* Removes the rows that do not have all values of `where`, "KEY=VALUE,KEY=VALUE". A key is a column, or one that the
 * rows override. Numbers are compared as numbers. Error: ECUBE_ERROR_INPUT if a key is unknown or no row is left. */
gboolean plot_keep_where(Csv *csv, const char *path, const char *where, GError **error);

/* The column that plot_keep_best() adds: by how many percent the next best run takes longer; "" without a next one. */
#define PLOT_MARGIN "margin_percent"

/* Removes the rows that are not the least in column `y` of those that differ in algorithm, partition and offsets
 * alone. Error: ECUBE_ERROR_INPUT if there is no such column, or a cell of it is no number. */
gboolean plot_keep_best(Csv *csv, const char *path, const char *y, GError **error);

/* Whether the key says by which algorithm a run is done. */
gboolean plot_is_choice(const char *key);

/* Returns all that is asked of the run in a row, without the algorithm and the key `x`; x may be NULL. Caller frees. */
char *plot_task(const Csv *csv, guint row, const char *x);

/* Whether the column repeats the dimension: processors of cubes do. */
gboolean plot_is_given_twice(const Csv *csv, guint row, const char *name);

/* Returns the value that a row overrides a key by, or NULL. Caller frees. */
char *plot_override(const Csv *csv, guint row, const char *key);

/* Returns the row's cell in the column `key` or, if there is no such column, plot_override(). Caller frees. */
char *plot_value_of(const Csv *csv, guint row, const char *key);

/* Returns the one machine key that differs between the rows' overrides, if all its values are numbers and there are
 * more of them than values of `than`, a column; NULL if there is none. Caller frees. */
char *plot_swept_key(const Csv *csv, const char *than);

/* The column of measured times. */
#define PLOT_MEASURED "minimum_us"

/* Adds the column minimum_us of the file `measured_path` to the rows of the same runs in `csv`, the output of `ecube
 * run` or `ecube sweep` in file `path`. Machine and overrides may differ. The least of several times counts. Rows of
 * the baselines of ecube-mpi, which have no prediction, are appended. Error: ECUBE_ERROR_INPUT if `measured` lacks the
 * column or `csv` has it, a time is no number, or no run is in both. */
gboolean plot_add_measured(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error);
