/* CSV with the columns of `ecube run`: of ecube-mpi, ecube run, ecube sweep. */
#pragma once

#include "observation.h"

/* Adds the rows of `text`, the file `path` (measured.h). */
gboolean measured_read_csv(Measured *measured, const char *path, const char *text, GError **error);
