/* Files of MPI libraries that choose the algorithm of MPI_Alltoall, made of hulls.
 *
 * Libraries choose by these files and the block size, for communicators of 2^d or n processes exactly. For all other
 * communicators the library keeps its own choice.
 *
 * Libraries have fewer partitions than the hull. Bruck's exchange of radix 2^a, without its last rotation, is
 * Multiphase with parts a; hull_of_group() describes exchanges of any radix. Direct is the libraries' pairwise
 * exchange, or the linear one. Formats and what sizes mean are from the libraries' sources: MPICH 4.1 to 5.0
 * (src/mpi/coll/src/csel.c), Open MPI 4.1 and main (ompi/mca/coll/tuned), UCC (src/coll_score). */
#pragma once

#include "models/hull.h"

#define LIBRARY_DIMENSION_MAX 30    /* largest dimension of a cube of processes: their number is an int */

/* A rule: the radix for blocks of at least `from_bytes` bytes, up to the next rule. */
typedef struct {
    gint64 from_bytes;      /* size in bytes of the smallest block; 0 in the first rule */
    guint radix;            /* radix of the exchange; the number of processes stands for Direct */
} LibraryRule;

/* Rules for communicators of one size. */
typedef struct {
    guint n;                /* number of processes, at least 2 */
    gboolean is_cube;       /* whether the processes form a cube, n = 2^d, d up to LIBRARY_DIMENSION_MAX; FALSE: another
                             * group, even if n is a power of two */
    gboolean at_once;       /* whether Direct issues all messages at once: "linear", "scattered"; else "pairwise" */
    GArray *rules;          /* LibraryRule, ascending by size */
} LibraryTable;

/* Returns the rules of a hull over the partitions of a library. A face has no rule if it contains no whole size above
 * 0, or begins at 2^31 bytes or more, which no count reaches. Caller frees. */
LibraryTable *library_table_new(const Hull *hull, guint n, gboolean is_cube, gboolean at_once);
void library_table_free(gpointer table);

/* A format of the files by which a library chooses. */
typedef struct {
    const char *format, *library;   /* names of the format and of the library: "ompi-json", "Open MPI" */
    HullChoice choice;              /* partitions that the library implements */
    const char *has;                /* partitions of `choice`, in words for people */
    gboolean patches;               /* whether the library reads one file for all collectives: `base` is needed */

    /* Returns the file for `tables` (LibraryTable, sorted by processes, each number once). `base` is the path of the
     * file to patch, or NULL. NULL with an error if `base` is needed, and NULL or no file of the library. Caller
     * frees. */
    char *(*write)(const GPtrArray *tables, const char *base, GError **error);
} Library;

#define N_LIBRARIES 4
extern const Library libraries[N_LIBRARIES];
