/* times BYTES ROUNDS [CALLS]: what a call of an exchange of blocks of so many bytes takes. MPI_Alltoall, PMPI_Alltoall,
 * and PMPI_Alltoall once more take turns with CALLS calls each, 100 if not given; a time is that of the last rank. Rank
 * 0 prints medians, and the paired differences to the first PMPI_Alltoall in µs: their median with its 99 % interval,
 * and two percentiles. The second PMPI_Alltoall shows what the measuring itself can tell. Link with -lm. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*Exchange)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);

enum { LIBRARY, WITH_RULES, LIBRARY_AGAIN, N_EXCHANGES };

static double time_of(Exchange exchange, const char *out, char *in, int bytes, int calls)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double mine = MPI_Wtime(), last;
    for (int i = 0; i < calls; i++)
        exchange(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    mine = (MPI_Wtime() - mine) / calls;
    MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 1e6 * last;
}

static int by_size(const void *first, const void *second)
{
    double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

/* Returns the number at a share of n sorted numbers. */
static double quantile(const double *sorted, int n, double share)
{
    int i = (int)(share * (n - 1) + 0.5);
    return sorted[i < 0 ? 0 : i > n - 1 ? n - 1 : i];
}

/* Sorts and prints n differences. The interval of the median holds with 99 %: its ends are 2.576 standard deviations of
 * the number of times below the median apart from the middle. */
static void print_differences(const char *name, double *differences, int n)
{
    double away = 2.576 * sqrt(n) / 2 / n;
    qsort(differences, (size_t)n, sizeof *differences, by_size);
    printf("  %s: %+.3f (%+.3f to %+.3f), percentiles 1 and 99 %+.3f and %+.3f\n", name, quantile(differences, n, 0.5),
           quantile(differences, n, 0.5 - away), quantile(differences, n, 0.5 + away), quantile(differences, n, 0.01),
           quantile(differences, n, 0.99));
}

int main(int argc, char **argv)
{
    static const Exchange exchanges[N_EXCHANGES] = {PMPI_Alltoall, MPI_Alltoall, PMPI_Alltoall};
    int rank, n, bytes = atoi(argv[1]), rounds = atoi(argv[2]), calls = argc > 3 ? atoi(argv[3]) : 100;
    double *times[N_EXCHANGES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    char *out = calloc((size_t)n, (size_t)bytes), *in = calloc((size_t)n, (size_t)bytes);
    for (int k = 0; k < N_EXCHANGES; k++)
        times[k] = malloc((size_t)rounds * sizeof **times);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < N_EXCHANGES; k++) {
            int turn = (i + k) % N_EXCHANGES;
            times[turn][i] = time_of(exchanges[turn], out, in, bytes, calls);
        }
    for (int i = 0; i < rounds; i++)
        for (int k = 1; k < N_EXCHANGES; k++)
            times[k][i] -= times[LIBRARY][i];
    if (rank == 0) {
        qsort(times[LIBRARY], (size_t)rounds, sizeof **times, by_size);
        printf("%d ranks, %d bytes: PMPI_Alltoall %.3f\n", n, bytes, quantile(times[LIBRARY], rounds, 0.5));
        print_differences("MPI_Alltoall", times[WITH_RULES], rounds);
        print_differences("PMPI_Alltoall again", times[LIBRARY_AGAIN], rounds);
    }
    for (int k = 0; k < N_EXCHANGES; k++)
        free(times[k]);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
