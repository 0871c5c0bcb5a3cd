/* Measured times: each is a run, as ecube would do it, and how long it took. Files of several programs make them
 * (measured.h). */
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

/* What `ecube-mpi --baseline` measures beside schedules, by its name, or NULL. It has no schedule of its own. */
const Algorithm *baseline_find(const char *name);

/* Whether a time is one of the MPI library's own function. */
gboolean observation_is_library(const Observation *observation);

/* What of a file is no observation, and how often. */
typedef struct {
    char *what;
    guint n;
} Skipped;

typedef struct {
    Statistic statistic;
    const char *machine;        /* whose options all runs have; NULL: that of each row. Borrowed */
    GPtrArray *observations;    /* Observation *, in the order of files and lines */
    GArray *skipped;            /* Skipped */
    guint n_lines;              /* of the files read */
    GPtrArray *libraries, *hosts;   /* char *, each once: what files say that they were measured with, and on */
    Judge *judge;
} Measured;

/* `platforms`, the folder of machine files, and `machine` are borrowed. Caller frees. */
Measured *measured_new(const char *platforms, const char *machine, Statistic statistic);
void measured_free(Measured *measured);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Measured, measured_free)

/* An error if the observations are of several machines, or of one with other constants. */
gboolean measured_check_alike(const Measured *measured, GError **error);

/* "measured.csv, line 12". Caller frees. */
char *observation_place(const Observation *observation);

/* Adds the run of a scenario; the row it is from is line `line` of `path`. */
gboolean measured_add(Measured *measured, const Scenario *scenario, const char *path, guint line, double time_us,
                      const char *left_out, GError **error);

/* Adds a message of `bytes` over one channel. */
gboolean measured_add_message(Measured *measured, const char *path, guint line, gint64 bytes, double time_us,
                              GError **error);

/* Counts something that is left out. */
void measured_skip(Measured *measured, const char *what);

/* A decimal number of `unit_us`, of at least a picosecond; `where` begins the error message. */
gboolean measured_parse_time(const char *where, const char *text, double unit_us, double *time_us, GError **error);

/* Adds a text to a list in which each is once. */
void measured_note(GPtrArray *texts, const char *text);
