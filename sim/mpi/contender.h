/* Contenders: ways to solve a problem on the ranks of an MPI, measured in turns in one memory. A contender is a
 * schedule or a baseline: the MPI library's own function for the pattern, or a plain loop of messages. */
#pragma once

#include "sim/run/record.h"
#include "world.h"

typedef struct Contender Contender;

typedef struct {
    /* Gives the contender memory of at least `bytes` bytes, in place of any that it had. `fill` must follow. */
    void (*place)(Contender *self, const World *world, char *memory);

    /* Fills in the data of the beginning. */
    void (*fill)(Contender *self);

    /* Solves the problem. If `fault` is not NULL, a schedule checks each message that arrives, and sets `*fault` to the
     * first fault unless it is set already; caller frees. Baselines check none. */
    void (*run)(Contender *self, char **fault);

    /* Returns the first fault in the memory after a run on filled memory, or NULL. Caller frees. */
    char *(*check)(const Contender *self);

    void (*destroy)(Contender *self);
} ContenderClass;

/* The common head of contenders; each kind has members of its own behind it. */
struct Contender {
    const ContenderClass *class;
    Record record;          /* the run, and its results that are known before the measurement */
    gsize bytes;            /* bytes of memory */
    gboolean consumes;      /* the memory must be filled before every run */
    gboolean scheduled;     /* the contender is a schedule, which has messages and a price */
    double *seconds;        /* seconds of each repetition at this rank; NULL in tune.c */
    char *fault;            /* first fault at this rank, or NULL */
};

/* Makes a contender of the run's schedule. With `early` it posts all receives before its first step, unless it has
 * several strands. Errors: ECUBE_ERROR_RUN, its data would not be in place; ECUBE_ERROR_INPUT, a message has more bytes
 * than MPI can count. Caller frees with `destroy`. */
Contender *contender_new(const Run *run, const World *world, gboolean early, GError **error);

/* Returns an estimate of the bytes that contender_new() takes. */
gsize contender_making(const Run *run);

typedef enum {
    BASELINE_LIBRARY,       /* MPI_Alltoall, MPI_Bcast, and so on */
    BASELINE_LOOP,          /* a complete exchange: in step i, rank r sends to r + i and receives from r - i, in the
                             * group */
    N_BASELINES,
    BASELINE_BELOW = N_BASELINES    /* PMPI_Alltoall, which libecube-mpi does not replace where it is loaded; for
                                     * --tuning */
} Baseline;

/* Makes a baseline for the problem of `run`; its record has the algorithm "library" or "loop". Errors,
 * ECUBE_ERROR_INPUT: the pattern has no such baseline; MPI cannot count the bytes of a block, or of n_ranks blocks as
 * large as the largest of unequal ones. Caller frees with `destroy`. */
Contender *baseline_new(Baseline baseline, const Run *run, GError **error);
