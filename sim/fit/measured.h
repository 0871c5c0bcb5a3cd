/* Measured times (observation.h) from files. A file is told by its content:
 *   - CSV with the columns of `ecube run`. The time is in minimum_us or median_us, as asked for, or, where these
 *     are missing or empty, in simulated_us. Other columns are keys of [run] and make the run. Algorithms that are not
 *     registered are left out.
 *   - osu_latency of the OSU micro-benchmarks, np.out of NetPIPE, PingPong of the Intel MPI Benchmarks: half a round
 *     trip is a message over one channel, a broadcast on a cube of dimension 1. What else is in the output of these
 *     programs is left out; collective operations ran an algorithm that nobody names.
 * Errors, ECUBE_ERROR_INPUT: one line with file, line, value and what is allowed. */
#pragma once

#include "observation.h"

/* Bytes of a file, and lines of all files together. */
#define MEASURED_FILE_MAX ((gsize)64 << 20)
#define MEASURED_LINES_MAX 100000u

/* Adds what is in the file `path`, which is borrowed as long as `measured` is there. */
gboolean measured_read(Measured *measured, const char *path, GError **error);
