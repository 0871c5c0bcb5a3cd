/* fourier N: FFTW's transform of N x N numbers on all ranks, forwards and backwards, against the serial one. FFTW tries
 * its ways to find the quickest. Those that do not call MPI_Alltoall are slow here. Rank 0 prints whether it is used,
 * and whether both come to the same. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype out_type, int to, int tag, void *in, int n_in,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    usleep(2000);
    return PMPI_Sendrecv(out, n_out, out_type, to, tag, in, n_in, in_type, from, in_tag, comm, status);
}

static void fill(fftw_complex *data, ptrdiff_t first, ptrdiff_t rows, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < rows * n; i++) {
        data[i][0] = sin((double)((first * n + i) * 37 % 1009));
        data[i][1] = cos((double)((first * n + i) * 91 % 1013));
    }
}

int main(int argc, char **argv)
{
    ptrdiff_t n = argc > 1 ? atol(argv[1]) : 48, rows, first;
    int rank;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ptrdiff_t room = fftw_mpi_local_size_2d(n, n, MPI_COMM_WORLD, &rows, &first);
    fftw_complex *mine = fftw_alloc_complex((size_t)room), *theirs = fftw_alloc_complex((size_t)room);
    fftw_complex *all = fftw_alloc_complex((size_t)(n * n));
    unsigned how = FFTW_MEASURE | FFTW_DESTROY_INPUT;
    fftw_plan plan = fftw_mpi_plan_dft_2d(n, n, mine, theirs, MPI_COMM_WORLD, FFTW_FORWARD, how);
    fftw_plan back = fftw_mpi_plan_dft_2d(n, n, theirs, mine, MPI_COMM_WORLD, FFTW_BACKWARD, how);
    fftw_plan alone = fftw_plan_dft_2d((int)n, (int)n, all, all, FFTW_FORWARD, FFTW_ESTIMATE);
    double worst[2] = {0, 0}, largest[2];
    fill(mine, first, rows, n);
    fill(all, 0, n, n);
    fftw_execute(plan);
    fftw_execute(alone);
    for (ptrdiff_t i = 0; i < rows * n; i++)
        worst[0] = fmax(worst[0], hypot(theirs[i][0] - all[first * n + i][0], theirs[i][1] - all[first * n + i][1]));
    fftw_execute(back);
    fill(all, 0, n, n);
    for (ptrdiff_t i = 0; i < rows * n; i++)
        worst[1] = fmax(worst[1], hypot(mine[i][0] / (double)(n * n) - all[first * n + i][0],
                                        mine[i][1] / (double)(n * n) - all[first * n + i][1]));
    MPI_Reduce(worst, largest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%td x %td, %s: %s\n", n, n, strstr(fftw_sprint_plan(plan), "alltoall") ? "MPI_Alltoall" : "others",
               largest[0] < 1e-9 * (double)n && largest[1] < 1e-12 ? "right" : "wrong");
    MPI_Finalize();
    return rank == 0 && !(largest[0] < 1e-9 * (double)n && largest[1] < 1e-12);
}
