/* Measured times beside predicted ones. */
#pragma once

#include "sim/text/csv.h"

/* The name of the column that is added. */
#define BESIDE_COLUMN "minimum_us"

/* The rows of `csv`, the file `path`, of `ecube run` or `ecube sweep`, with the column minimum_us of `measured`, the
 * file `measured_path`, where that has the same run; its machine, and what overrides that, may be others. Of several
 * times of a run the least counts. Errors, ECUBE_ERROR_INPUT: a column that is missing, or there already; no run in
 * common. Caller frees with csv_free(). */
Csv *beside_join(const Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error);
