/* Measured times: runs, as ecube would simulate them, and how long they took. */
#pragma once

#include "models/statistics.h"
#include "sim/run/resolve.h"

/* Which time of a run's repetitions is read. */
typedef enum { STATISTIC_MINIMUM, STATISTIC_MEDIAN } Statistic;

/* Names of the statistics: "minimum", "median"; NULL-terminated. */
extern const char *const statistic_names[];

typedef struct {
    Run run;                /* the run that was measured; run.machine points to `machine` below */
    Machine machine;        /* machine with the options of the file and of the row; borrows from the Measured */
    double time_ps;         /* measured time in ps, above 0 */
    StatisticsEstimate log_time;    /* logarithm of time_ps, and its error: 0 for a simulated time, by the distance of
                                     * the quartiles for a median, NAN if not known, as for a minimum or average */
    const char *path;       /* path of the file; borrowed */
    guint line;             /* number of the line in the file, from 1 */
    char *overrides;        /* constants of the machine that the row sets: "tau=0.2"; "" if none */
    const char *left_out;   /* reason why no fit may use the time, static text; NULL: a fit may */
} Observation;

/* Returns the algorithm, which has no schedule, that stands for a baseline of `ecube-mpi --baseline`: "library" or
 * "loop". NULL for other names. */
const Algorithm *measured_baseline(const char *name);

/* Whether the time is that of a message over one channel, as in a ping-pong. */
gboolean observation_is_message(const Observation *observation);

/* Whether the time is that of the MPI library's own function. */
gboolean observation_is_library(const Observation *observation);

/* Where the two processors of a ping-pong are. */
typedef enum {
    MEASURED_ANYWHERE,      /* where the machine of --machine places them */
    MEASURED_BETWEEN,       /* in different nodes */
    MEASURED_WITHIN         /* in one node; CSV files are refused, because their column `node` says where processors
                             * are */
} MeasuredPlace;

/* Number of processors in a node of MEASURED_WITHIN, unless the machine has more. */
#define MEASURED_NODE 2

typedef struct {
    Statistic statistic;
    MeasuredPlace place;        /* where the ping-pongs in the files that are read next are */
    const char *machine;        /* the machine whose options all runs have; NULL: each row names its own. Borrowed */
    GPtrArray *observations;    /* Observation *, in the order of files and lines */
    GPtrArray *skipped;         /* char *: the reason, for each row that is no observation and each file read twice */
    guint n_lines;              /* lines of all files read */
    GPtrArray *libraries, *hosts;   /* char *: the MPI libraries and hosts that files name, each once */
    GPtrArray *texts;           /* char *: checksums of the texts of the files read */
    guint n_averages;           /* number of ping-pong times that are averages, because the benchmark prints no minimum
                                 * or none is asked for */
    gboolean with_libraries;    /* whether to keep the times of a library's functions that benchmarks print, as times of
                                 * `machine` */
    guint n_ranks;              /* number of ranks of collective benchmarks that do not print it; 0: not known */
    Resolver *resolver;         /* resolver that turns rows into runs */
} Measured;

/* Allocates a list without times. Borrows `platforms`, the folder of machine files, and `machine`. Caller frees. */
Measured *measured_new(const char *platforms, const char *machine, Statistic statistic);
void measured_free(Measured *measured);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Measured, measured_free)

/* Refuses observations of several machines, or of one machine with different constants. */
gboolean measured_check_alike(const Measured *measured, GError **error);

/* Returns which of the repetitions' times were read: "minimum", "median", "average", or two of them. Static. */
const char *measured_statistic(const Measured *measured);

/* Returns what was left out, a text for each kind: "12 of runs without a time". Caller frees with g_strfreev(). */
char **measured_left_out(const Measured *measured);

/* Appends a line of hosts and a line of MPI libraries, each with "\n", if the files name several of these. */
void measured_put_origins(const Measured *measured, GString *out);

/* Appends what was left out, if anything, to the message of the error. Returns FALSE. */
gboolean measured_add_left_out(const Measured *measured, GError **error);
