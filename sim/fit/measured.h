/* Measured times: each is a run, as ecube would do it, and how long it took. A file is recognized by its content:
 *   - CSV with the columns of `ecube run`. The time is in minimum_us or median_us, as asked for, or, where these
 *     are missing or empty, in simulated_us. Other columns are keys of [run] and make the run. Algorithms that are not
 *     registered are left out.
 *   - osu_latency of the OSU micro-benchmarks, np.out of NetPIPE, PingPong of the Intel MPI Benchmarks: half a round
 *     trip is a message over one channel, a broadcast on a cube of dimension 1. What else is in the output of these
 *     programs is left out; collective operations ran an algorithm that nobody names. */
#pragma once

#include "sim/run/resolve.h"

typedef enum { STATISTIC_MINIMUM, STATISTIC_MEDIAN } Statistic;

/* "minimum", "median"; NULL-terminated. */
extern const char *const statistic_names[];

typedef struct {
    Run run;                /* its machine is `machine` */
    Machine machine;        /* as measured: the options of its file and row; borrows from the Measured */
    double time_ps;         /* above 0 */
    const char *path;       /* borrowed */
    guint line;
    char *overrides;        /* constants of the machine that the row sets: "tau=0.2"; "" if none */
    const char *left_out;   /* why no fit may use it, static text; NULL: nothing is against it */
} Observation;

/* Whether a time is one of the MPI library's own function. */
gboolean observation_is_library(const Observation *observation);

typedef struct {
    Statistic statistic;
    const char *machine;        /* whose options all runs have; NULL: that of each row. Borrowed */
    GPtrArray *observations;    /* Observation *, in the order of files and lines */
    GPtrArray *skipped;         /* char *: what of the files is no observation, a text each time */
    guint n_lines;              /* of the files read */
    GPtrArray *libraries, *hosts;   /* char *, each once: what files say that they were measured with, and on */
    Judge *judge;
} Measured;

/* `platforms`, the folder of machine files, and `machine` are borrowed. Caller frees. */
Measured *measured_new(const char *platforms, const char *machine, Statistic statistic);
void measured_free(Measured *measured);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Measured, measured_free)

/* Bytes of a file, and lines of all files together. */
#define MEASURED_FILE_MAX ((gsize)64 << 20)
#define MEASURED_LINES_MAX 100000u

/* Adds what is in the file `path`, which is borrowed as long as `measured` is there. Errors, ECUBE_ERROR_INPUT: one
 * line with file, line, value and what is allowed. */
gboolean measured_read(Measured *measured, const char *path, GError **error);

/* Reads all of `paths`, NULL-terminated, with measured_read(). The names, "a.csv, b.csv", or with `counted`
 * "a.csv (154 times), b.csv (21 times)"; NULL with an error. Caller frees. */
char *measured_read_all(Measured *measured, const char *const *paths, gboolean counted, GError **error);

/* An error if the observations are of several machines, or of one with other constants. */
gboolean measured_check_alike(const Measured *measured, GError **error);

/* "12 of algorithm xyz, which is not registered": what was left out, each kind once. Caller frees with g_strfreev(). */
char **measured_left_out(const Measured *measured);
