/* What is measured: a way to solve a problem on the ranks of an MPI. Several take turns in one memory. They are
 * schedules, and what schedules are compared with: the MPI library's own function for a pattern, and a loop of messages
 * as anybody would write it, whose data is proven as well, at the end. */
#pragma once

#include "sim/run/record.h"
#include "world.h"

typedef struct Contender Contender;

typedef struct {
    /* Takes the memory, of `bytes` bytes; nothing is in it yet. */
    void (*place)(Contender *self, const World *world, char *memory);

    /* Puts into the memory what is there at the beginning. */
    void (*fill)(Contender *self);

    /* Solves the problem. If `fault` is not NULL all that arrives is checked, and `*fault` becomes what is wrong first,
     * unless it is set already; caller frees. */
    void (*run)(Contender *self, char **fault);

    /* NULL, or what is wrong in the memory after a run that began with what belongs there. Caller frees. */
    char *(*check)(const Contender *self);

    void (*destroy)(Contender *self);
} ContenderClass;

/* The head; each kind has fields of its own behind it. */
struct Contender {
    const ContenderClass *class;
    Record record;          /* its run, and what is known of its result before it is measured */
    gsize bytes;            /* of memory */
    gboolean consumes;      /* it must be filled before every run */
    gboolean scheduled;     /* by a schedule, which has messages and a price */
    double *seconds;        /* of each repetition at this rank; NULL before it has a place */
    char *fault;            /* what was wrong first at this rank, or NULL */
};

/* A run's own schedule; if `early`, all receives are posted before it begins. Error, ECUBE_ERROR_RUN: its data would
 * not be in place; ECUBE_ERROR_INPUT: a message has more bytes than MPI can count. Caller frees. */
Contender *contender_new(const Run *run, const World *world, gboolean early, GError **error);

/* About how many bytes it takes to make it. */
gsize contender_making(const Run *run);

typedef enum {
    BASELINE_LIBRARY,       /* MPI_Alltoall, MPI_Bcast, and so on */
    BASELINE_LOOP,          /* a complete exchange: in step i with the rank whose number is one's own xor i */
    N_BASELINES
} Baseline;

/* A baseline for the problem of `run`; its own run names it as an algorithm, "library" or "loop". Caller frees. Errors,
 * ECUBE_ERROR_INPUT: it has none for the pattern; a block has more bytes than MPI can count. */
Contender *baseline_new(Baseline baseline, const Run *run, GError **error);
