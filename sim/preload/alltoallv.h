/* An MPI_Alltoallv by the list that rules name for the number of processes: [alltoallv P], list = LIST. Counts differ
 * from rank to rank, so they decide nothing, and all ranks decide alike. */
#pragma once

#include "mpi_table.h"

/* Arguments of the program's call. Arrays have an element for each process. */
typedef struct {
    const void *from;
    const int *from_counts, *from_places;   /* elements of each block; its distance from `from` in elements */
    MPI_Datatype from_type;
    void *to;
    const int *to_counts, *to_places;
    MPI_Datatype to_type;
    MPI_Comm comm;
} UnequalCall;

/* Does the program's MPI_Alltoallv. Result and error handler are as in alltoall_exchange(). */
int alltoallv_exchange(const UnequalCall *call);
