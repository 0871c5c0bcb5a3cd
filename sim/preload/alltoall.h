/* An MPI_Alltoall by rules. The list follows from the number of processes, the bytes of a block, and the rules of rank
 * 0 of MPI_COMM_WORLD: all ranks decide alike. Without a list the MPI library's own function is called. */
#pragma once

#include "mpi_table.h"

#if MPI_VERSION >= 4
typedef MPI_Count Count;
#else
typedef int Count;
#endif

/* Arguments of the program's call. */
typedef struct {
    const void *from;
    Count from_count;
    MPI_Datatype from_type;
    void *to;
    Count to_count;
    MPI_Datatype to_type;
    MPI_Comm comm;
} Call;

/* Reads the rules after MPI_Init; MPI_Finalize frees them. Collective over MPI_COMM_WORLD. */
void alltoall_begin(void);

/* Does the program's MPI_Alltoall. Returns an MPI error code. At an error the communicator's error handler has been
 * called already. */
int alltoall_exchange(const Call *call);
