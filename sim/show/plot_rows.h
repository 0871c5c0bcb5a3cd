/* Which rows of a CSV of runs are drawn. */
#pragma once

#include "sim/text/csv.h"

/* Removes the rows that do not have all values of `where`, "KEY=VALUE,KEY=VALUE". A key is a column, or one that the
 * rows override. Numbers are compared as numbers. Error: ECUBE_ERROR_INPUT if a key is unknown or no row is left. */
gboolean plot_keep_where(Csv *csv, const char *path, const char *where, GError **error);

/* The column that plot_keep_best() adds: by how many percent the next best run takes longer; "" without a next one. */
#define PLOT_MARGIN "margin_percent"

/* Removes the rows that are not the least in column `y` of those that differ in algorithm, partition and offsets alone.
 * Error: ECUBE_ERROR_INPUT if there is no such column, or a cell of it is no number. */
gboolean plot_keep_best(Csv *csv, const char *path, const char *y, GError **error);

/* Returns the value that a row overrides a key by, or NULL. Caller frees. */
char *plot_override(const Csv *csv, guint row, const char *key);

/* Returns the one machine key that differs between the rows' overrides, if all its values are numbers and there are
 * more of them than values of `than`, a column; NULL if there is none. Caller frees. */
char *plot_swept_key(const Csv *csv, const char *than);
