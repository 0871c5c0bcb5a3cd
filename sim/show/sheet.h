/* A sheet: the CSV of a sweep as a page without scripts. For all runs that differ in algorithm and size alone it has
 * the time against the size, by how many percent each run is above the best, what contention did, and all times. */
#pragma once

#include "sim/text/csv.h"

/* Limit of panels of a sheet; a panel has all runs that differ in algorithm and x alone. */
#define SHEET_PANELS_MAX 100

/* Returns the page of the rows of `csv`, the file `path`. `made` is HTML that says how the page was made. Caller
 * frees. Error: ECUBE_ERROR_INPUT if the columns of `ecube run` are missing, no row has a time, a cell is no number,
 * or there are too many panels. */
char *sheet_text(const Csv *csv, const char *path, const char *made, GError **error);
