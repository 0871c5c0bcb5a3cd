/* A sheet: the CSV of a sweep as a page without scripts. Its panels have all runs that differ in algorithm and x alone.
 * A panel shows their times, by how many percent each run is above the best, the time lost to contention, and a
 * table. */
#pragma once

#include "sim/text/csv.h"

/* Limit of panels of a sheet; a panel has all runs that differ in algorithm and x alone. */
#define SHEET_PANELS_MAX 100

/* Returns the page of the rows of `csv`, read from file `path`. `made` is HTML on how the page was made. Caller frees.
 * Error: ECUBE_ERROR_INPUT if the columns of `ecube run` are missing, no row has a time, a cell is no number, or there
 * are too many panels. */
char *sheet_text(const Csv *csv, const char *path, const char *made, GError **error);
