/* What benchmarks of others print: OSU, IMB, nccl-tests and NetPIPE. */
#pragma once

#include "measured.h"

/* Whether the text is output of a benchmark. */
gboolean benchmarks_print(const char *text);

/* Adds the times in the text of the file `path`, output of a benchmark. Errors: ECUBE_ERROR_INPUT. */
gboolean benchmarks_read(Measured *measured, const char *path, const char *text, GError **error);
