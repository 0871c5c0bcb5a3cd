/* at_once BYTES library | PART...: a complete exchange of blocks of BYTES bytes under SMPI, and the end of it on every
 * rank, in µs: by MPI_Alltoall, or in phases over subcubes of so many dimensions, the highest first, in each of which
 * all messages are issued at once. Only their times are of interest: what they carry is not looked at. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void phase(int part, int stop, int bytes, char *out, char *in)
{
    int rank, n = (1 << part) - 1;
    MPI_Request *requests = malloc(2 * (size_t)n * sizeof *requests);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int j = 1; j <= n; j++)
        MPI_Irecv(in + (size_t)j * (size_t)bytes, bytes, MPI_BYTE, rank ^ j << stop, 0, MPI_COMM_WORLD,
                  &requests[j - 1]);
    for (int j = 1; j <= n; j++)
        MPI_Isend(out + (size_t)j * (size_t)bytes, bytes, MPI_BYTE, rank ^ j << stop, 0, MPI_COMM_WORLD,
                  &requests[n + j - 1]);
    MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
    free(requests);
}

/* The messages of a phase together are no more than all blocks. `envelope` is what the simulator adds to each. */
static void phases(int argc, char **argv, int bytes, int size, int envelope, char *out, char *in)
{
    int stop = 0;
    while (1 << stop < size)
        stop++;
    for (int i = 0, d = stop; i < argc; i++) {
        int part = atoi(argv[i]);
        stop -= part;
        phase(part, stop, (bytes << (d - part)) - envelope, out, in);
    }
}

int main(int argc, char **argv)
{
    int size, bytes = argc > 2 ? atoi(argv[1]) : 0;
    const int envelope = 16;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *out = calloc((size_t)size, (size_t)bytes + 1), *in = calloc((size_t)size, (size_t)bytes + 1);
    if (argc > 2 && strcmp(argv[2], "library") == 0)
        MPI_Alltoall(out, bytes - envelope, MPI_BYTE, in, bytes - envelope, MPI_BYTE, MPI_COMM_WORLD);
    else
        phases(argc - 2, argv + 2, bytes, size, envelope, out, in);
    printf("%.9f\n", MPI_Wtime() * 1e6);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
