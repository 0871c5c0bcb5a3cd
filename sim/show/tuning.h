/* What MPI libraries read to choose the algorithm of MPI_Alltoall: from which block size on which, for communicators of
 * exactly 2^d, or n, processes. All other communicators keep what the library chooses by itself.
 *
 * Libraries have fewer partitions than the hull. Bruck's exchange of radix 2^a, without its last rotation, is
 * Multiphase with parts a, and that of any radix is what hull_of_group() says; Direct is their pairwise exchange, or
 * the linear one. Formats and what sizes mean are from the libraries' sources: MPICH 4.1 to 5.0
 * (src/mpi/coll/src/csel.c), Open MPI 4.1 and main (ompi/mca/coll/tuned), UCC (src/coll_score). */
#pragma once

#include "models/hull.h"

/* Largest d: a communicator's size is an int. */
#define TUNING_DIMENSION_MAX 30

/* One communicator. */
typedef struct {
    guint n;                /* processes, from 2 on */
    gboolean is_cube;       /* 2^d of them, d up to TUNING_DIMENSION_MAX */
    gboolean at_once;       /* Direct issues all messages at once: "linear", "scattered"; else "pairwise" */
    GArray *rules;          /* which radix from which block size on */
} TuningTable;

/* The rules of a hull that has the partitions of a library. With `at_once`, of a cube, for a machine that overlaps
 * start-ups. A face without whole sizes above 0 has no rule, nor has one from 2^31 bytes on, more than a count can say.
 * Free with tuning_table_free(). */
TuningTable *tuning_table_new(const Hull *hull, guint n, gboolean is_cube, gboolean at_once);
void tuning_table_free(TuningTable *table);

typedef struct {
    const char *format, *library;   /* "ompi-json", "Open MPI" */
    HullChoice choice;              /* the partitions that it has */
    const char *has;                /* the same in words */
    gboolean patches;               /* it reads one file for all collectives: `base` must be that file */
    /* The text for `tables`[], of TuningTable, by processes, each once. `base` is a file's path, or NULL. Error: the
     * base is missing, or the library would not take it. Caller frees. */
    char *(*write)(const GPtrArray *tables, const char *base, GError **error);
} TuningLibrary;

/* [TUNING_LIBRARIES] */
#define TUNING_LIBRARIES 4
extern const TuningLibrary tuning_libraries[];
