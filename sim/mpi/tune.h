/* `ecube-mpi --tuning`: rules for lists that are faster than MPI_Alltoall on these ranks, proven with intervals. */
#pragma once

#include "world.h"

#include "sim/run/resolve.h"

/* Shows "`what`: `at` of `n`" on rank 0; `what` NULL clears it. */
typedef void (*TuneProgress)(const World *world, const char *what, guint at, guint n);

/* Measures lists of offsets against MPI_Alltoall at the block sizes of `runs`, for at most `seconds`. Prints on rank 0
 * how long it will take, and advice. Returns the rules as text; NULL with an error. Caller frees. */
char *tune_rules(const GArray *runs, const World *world, double seconds, TuneProgress progress, GError **error);

/* Measures the rules of the file `path` again; rank 0 reads it. Drops the rules that this launch does not confirm.
 * Time, output and result are as in tune_rules(). */
char *tune_again(const char *path, const World *world, double seconds, TuneProgress progress, GError **error);
