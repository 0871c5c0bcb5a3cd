/* Files of measured times, recognized by their content:
 *   - CSV with the columns of `ecube run`. The time is in minimum_us or median_us, as asked for, or, where these
 *     are missing or empty, in simulated_us. Other columns are keys of [run] and make the run. Algorithms that are not
 *     registered are left out. Semicolons or tabs may be between the cells, and decimal commas in the times.
 *   - osu_latency and osu_multi_lat of the OSU micro-benchmarks, np.out of NetPIPE, PingPong of the Intel MPI
 *     Benchmarks: half a round trip is a message over one channel, a broadcast on a cube of dimension 1. All-to-alls
 *     of OSU, IMB and nccl-tests, and broadcasts, scatters and all-gathers of OSU and IMB, are times of the library's
 *     own function. Other benchmarks in the output of these programs are left out: the output does not name their
 *     algorithms. So are lines that are no rows. Prefixes of launchers, byte order marks and UTF-16 are taken off. */
#pragma once

#include "measured.h"

/* The most bytes of a file, and the most lines of all files together. */
#define MEASURED_FILE_MAX ((gsize)64 << 20)
#define MEASURED_LINES_MAX 100000u

/* Adds the times in the file `path`, which is borrowed until `measured` is freed. Error: ECUBE_ERROR_INPUT, naming
 * file, line, value and what is allowed. */
gboolean measured_read(Measured *measured, const char *path, GError **error);

/* Reads all of `paths`, NULL-terminated, with measured_read(). Returns their names, "a.csv, b.csv", or if `counted`
 * "a.csv (154 times), b.csv (21 times)"; NULL with an error. Caller frees. */
char *measured_read_all(Measured *measured, const char *const *paths, gboolean counted, GError **error);
