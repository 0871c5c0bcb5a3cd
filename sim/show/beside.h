/* Measured times beside predicted ones. */
#pragma once

#include "sim/text/csv.h"

/* The name of the column that is added. */
#define BESIDE_COLUMN "minimum_us"

/* Adds to the rows of `csv`, the file `path`, of `ecube run` or `ecube sweep`, the column minimum_us of `measured`, the
 * file `measured_path`, where that has the same run; its machine, and what overrides that, may be others. Of several
 * times of a run the least counts. Rows of the baselines of ecube-mpi, which nothing predicts, are added. Errors,
 * ECUBE_ERROR_INPUT: a column that is missing, or there already; no run in common. */
gboolean beside_join(Csv *csv, const char *path, const Csv *measured, const char *measured_path, GError **error);
