/* communicators N [RANK]: makes and frees N communicators one after the other, exchanges blocks on each, and then twice
 * on all ranks. Rank 0 prints whether the process has grown since a tenth of them, and, if mallocs.c is loaded, whether
 * the first and the second exchange have allocated memory. If RANK is given it dies on its way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of mallocs.c, if that is loaded. */
__attribute__((weak)) void mallocs_begin(void);
__attribute__((weak)) int mallocs_end(void);

static long resident_kib(void)
{
    long kib = 0;
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = atol(line + 6);
    if (file)
        fclose(file);
    return kib;
}

#define RANKS_MAX 64

static int exchange(MPI_Comm comm, int rank, int n, int count)
{
    int out[RANKS_MAX * 3], in[RANKS_MAX * 3], wrong = 0;
    for (int i = 0; i < RANKS_MAX * 3; i++) {
        out[i] = rank * 1000 + i;
        in[i] = -1;
    }
    MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, comm);
    for (int i = 0; i < n * count; i++)
        wrong += in[i] != i / count * 1000 + rank * count + i % count;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, comm);
    for (int i = 0; i < n * count; i++)
        wrong += in[i] != rank * 1000 + i;
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, n, wrong = 0, many = argc > 1 ? atoi(argv[1]) : 100;
    long before = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < many; i++) {
        if (argc > 2 && atoi(argv[2]) == rank && i == many / 2)
            abort();
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        wrong += exchange(comm, rank, n, 1 + i % 3);
        if (i == many / 10)
            before = resident_kib();
        MPI_Comm_free(&comm);
    }
    long grown = resident_kib() - before;
    for (int i = 0; i < 2; i++) {
        if (mallocs_begin)
            mallocs_begin();
        wrong += exchange(MPI_COMM_WORLD, rank, n, 2);
        if (mallocs_end && rank == 0)
            printf("call %d: %s\n", i + 1, mallocs_end() ? "allocates" : "allocates nothing");
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d communicators, %d wrong, grown by %s\n", many, wrong, grown < 2048 ? "less than 2 MiB" : "too much");
    if (rank == 0 && grown >= 2048)
        printf("%ld KiB\n", grown);
    MPI_Finalize();
    return wrong > 0;
}
