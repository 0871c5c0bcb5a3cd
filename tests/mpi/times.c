/* times BYTES ROUNDS [CALLS]: what a call of MPI_Alltoall, and of MPI_Alltoallv, takes with blocks of so many bytes.
 * The library's own function under its PMPI name, the function under its MPI name, a bare pass-through that calls the
 * PMPI name, and the PMPI name once more take turns with CALLS calls each, 100 if not given; a time is that of the last
 * rank. Rank 0 prints medians, and paired differences in µs: their median with its 99 % interval, and two percentiles.
 * The second run of the PMPI name shows what the measuring itself can tell. Link with -lm. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIBRARY, CAUGHT, BARE, LIBRARY_AGAIN, N_CALLEES };

/* Buffers of an exchange, and the counts and displacements that all blocks have. */
typedef struct {
    char *out, *in;
    int bytes, *counts, *places;    /* [ranks] */
} Blocks;

typedef int (*Exchange)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
typedef int (*UnequalExchange)(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
                               MPI_Datatype, MPI_Comm);

__attribute__((noinline)) static int bare_alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                                   int to_count, MPI_Datatype to_type, MPI_Comm comm)
{
    int code = PMPI_Alltoall(from, from_count, from_type, to, to_count, to_type, comm);
    __asm__ volatile("");       /* behind it: a call, no jump */
    return code;
}

__attribute__((noinline)) static int bare_alltoallv(const void *from, const int *from_counts, const int *from_places,
                                                    MPI_Datatype from_type, void *to, const int *to_counts,
                                                    const int *to_places, MPI_Datatype to_type, MPI_Comm comm)
{
    int code = PMPI_Alltoallv(from, from_counts, from_places, from_type, to, to_counts, to_places, to_type, comm);
    __asm__ volatile("");
    return code;
}

static const Exchange exchanges[N_CALLEES] = {PMPI_Alltoall, MPI_Alltoall, bare_alltoall, PMPI_Alltoall};
static const UnequalExchange unequal_exchanges[N_CALLEES] = {PMPI_Alltoallv, MPI_Alltoallv, bare_alltoallv,
                                                             PMPI_Alltoallv};

/* Returns the µs of a call at the last rank. */
static double time_of(int callee, int is_unequal, const Blocks *b, int calls)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double mine = MPI_Wtime(), last;
    if (is_unequal)
        for (int i = 0; i < calls; i++)
            unequal_exchanges[callee](b->out, b->counts, b->places, MPI_BYTE, b->in, b->counts, b->places, MPI_BYTE,
                                      MPI_COMM_WORLD);
    else
        for (int i = 0; i < calls; i++)
            exchanges[callee](b->out, b->bytes, MPI_BYTE, b->in, b->bytes, MPI_BYTE, MPI_COMM_WORLD);
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

/* Prints n differences of times. The interval of the median holds with 99 %: its ends are 2.576 standard deviations of
 * the number of times below the median apart from the middle. */
static void print_differences(const char *what, const double *times, const double *other, int n)
{
    double away = 2.576 * sqrt(n) / 2 / n, *differences = malloc((size_t)n * sizeof *differences);
    for (int i = 0; i < n; i++)
        differences[i] = times[i] - other[i];
    qsort(differences, (size_t)n, sizeof *differences, by_size);
    printf("  %s: %+.3f (%+.3f to %+.3f), percentiles 1 and 99 %+.3f and %+.3f\n", what,
           quantile(differences, n, 0.5), quantile(differences, n, 0.5 - away), quantile(differences, n, 0.5 + away),
           quantile(differences, n, 0.01), quantile(differences, n, 0.99));
    free(differences);
}

/* Measures a function in `rounds` rounds of turns and prints what they say. */
static void measure(const char *name, int is_unequal, const Blocks *b, int rounds, int calls)
{
    int rank, n;
    double *times[N_CALLEES];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int k = 0; k < N_CALLEES; k++)
        times[k] = malloc((size_t)rounds * sizeof **times);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < N_CALLEES; k++) {
            int turn = (i + k) % N_CALLEES;
            times[turn][i] = time_of(turn, is_unequal, b, calls);
        }
    if (rank == 0) {
        double *sorted = malloc((size_t)rounds * sizeof *sorted);
        for (int i = 0; i < rounds; i++)
            sorted[i] = times[LIBRARY][i];
        qsort(sorted, (size_t)rounds, sizeof *sorted, by_size);
        printf("%d ranks, %d bytes: P%s %.3f\n", n, b->bytes, name, quantile(sorted, rounds, 0.5));
        print_differences("called by its MPI name", times[CAUGHT], times[LIBRARY], rounds);
        print_differences("by a bare pass-through", times[BARE], times[LIBRARY], rounds);
        print_differences("once more", times[LIBRARY_AGAIN], times[LIBRARY], rounds);
        print_differences("MPI name - pass-through", times[CAUGHT], times[BARE], rounds);
        free(sorted);
    }
    for (int k = 0; k < N_CALLEES; k++)
        free(times[k]);
}

int main(int argc, char **argv)
{
    int n, rounds = atoi(argv[2]), calls = argc > 3 ? atoi(argv[3]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    Blocks b = {.bytes = atoi(argv[1]), .counts = malloc(2 * (size_t)n * sizeof(int))};
    b.out = calloc((size_t)n, (size_t)b.bytes + 1);
    b.in = calloc((size_t)n, (size_t)b.bytes + 1);
    b.places = b.counts + n;
    for (int i = 0; i < n; i++) {
        b.counts[i] = b.bytes;
        b.places[i] = i * b.bytes;
    }
    measure("MPI_Alltoall", 0, &b, rounds, calls);
    measure("MPI_Alltoallv", 1, &b, rounds, calls);
    free(b.out);
    free(b.in);
    free(b.counts);
    MPI_Finalize();
    return 0;
}
