/* What schedules are compared with: the MPI library's own function for a pattern, and a loop of messages as anybody
 * would write it. Their data is proven as well, at the end. */
#pragma once

#include "contender.h"

typedef enum {
    BASELINE_LIBRARY,       /* MPI_Alltoall, MPI_Bcast, MPI_Reduce, MPI_Allgather, MPI_Reduce_scatter_block,
                             * MPI_Scatter, MPI_Gather */
    BASELINE_LOOP,          /* a complete exchange: in step i with the rank whose number is one's own xor i */
    N_BASELINES
} Baseline;

/* A baseline for the pattern, the size and the source of `run`; its own run names it as an algorithm, "library" or
 * "loop". Errors, ECUBE_ERROR_INPUT: it has none for the pattern; a block has more bytes than MPI can count. Caller
 * frees. */
Contender *baseline_new(Baseline baseline, const Run *run, GError **error);
