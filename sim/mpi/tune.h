/* `ecube-mpi --tuning`: which list is faster than MPI_Alltoall on these ranks, proven with intervals, as rules. */
#pragma once

#include "world.h"

#include "sim/run/resolve.h"

/* Shows progress on rank 0, as main.c does; `what` NULL clears it. */
typedef void (*TuneProgress)(const World *world, const char *what, guint at, guint n);

/* Measures complete exchanges of `runs`, which have one size each, against lists of offsets, for at most `seconds`.
 * Prints on rank 0 how long it will take. Returns the rules as text; NULL with an error. Caller frees. */
char *tune_rules(const GArray *runs, const World *world, double seconds, TuneProgress progress, GError **error);

/* Confirms afresh the rules of the file `path`, which an earlier launch has written and rank 0 reads. Else it does what
 * tune_rules() does. */
char *tune_again(const char *path, const World *world, double seconds, TuneProgress progress, GError **error);
