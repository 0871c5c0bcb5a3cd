/* The program's buffers of an exchange, as their types describe them. */
#pragma once

#include "mpi_table.h"

#include <stddef.h>

/* The program's send or receive buffer: a block for each process, or from each. */
typedef struct {
    char *base;             /* address of the first block */
    int count;              /* elements of a block */
    MPI_Datatype type;      /* type of an element */
    MPI_Aint extent;        /* bytes from one element to the next */
    int plain;              /* whether elements are consecutive bytes, in order, in the memory of the host */
} Side;

/* Makes the key of the types' attribute, and looks for CUDA and HIP. */
void side_begin(void);
void side_end(void);

/* Returns the bytes of an element; -1: the type is invalid. */
MPI_Count side_type_bytes(MPI_Datatype type, MPI_Comm comm);

/* Describes a buffer. Returns nonzero if the MPI library would accept its type. */
int side_read(Side *side, const void *base, int count, MPI_Datatype type, MPI_Comm comm);

/* Copies n blocks of `bytes` bytes to `packed`, or with `back` from there, by messages of this process to itself,
 * `rank` in `comm`. No other message may have `tag`. Returns an MPI error code. */
int side_copy(const Side *side, int n, size_t bytes, char *packed, int back, int rank, int tag, MPI_Comm comm);
