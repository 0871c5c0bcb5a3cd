/* times BYTES ROUNDS: what exchanges of blocks of so many bytes take on all ranks: MPI_Alltoall and PMPI_Alltoall take
 * turns, and each time is that of the last rank. Rank 0 prints the least of both, in µs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*Exchange)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);

static double time_of(Exchange exchange, const char *out, char *in, int bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double mine = MPI_Wtime(), last;
    exchange(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    mine = MPI_Wtime() - mine;
    MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last;
}

int main(int argc, char **argv)
{
    static const Exchange exchanges[] = {MPI_Alltoall, PMPI_Alltoall};
    double least[2] = {1e9, 1e9};
    int rank, n, bytes = atoi(argv[1]), rounds = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    char *out = calloc((size_t)n, (size_t)bytes), *in = calloc((size_t)n, (size_t)bytes);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < 2; k++) {
            double time = time_of(exchanges[(i + k) % 2], out, in, bytes);
            least[(i + k) % 2] = time < least[(i + k) % 2] ? time : least[(i + k) % 2];
        }
    if (rank == 0)
        printf("%d ranks, %d bytes: MPI_Alltoall %.2f, PMPI_Alltoall %.2f, ratio %.3f\n", n, bytes, 1e6 * least[0],
               1e6 * least[1], least[0] / least[1]);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
