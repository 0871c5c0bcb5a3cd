/* alltoall BYTES...: which of Open MPI's algorithms its MPI_Alltoall takes for blocks of so many bytes. Rank 0 prints
 * "RANKS BYTES ALGORITHM" for each. Linked with -rdynamic: the functions below stand before those of Open MPI's library
 * that have the same names, which its component calls, and pass the call on. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(OMPI_MAJOR_VERSION)
#error "this needs Open MPI"
#elif OMPI_MAJOR_VERSION >= 6
typedef size_t Count;
#else
typedef int Count;
#endif

static const char *taken;

#define PARAMETERS const void *from, Count n_from, MPI_Datatype from_type, void *to, Count n_to, MPI_Datatype to_type, \
    MPI_Comm comm, void *module
#define ARGUMENTS from, n_from, from_type, to, n_to, to_type, comm, module

#define INTERPOSE(name) \
    int ompi_coll_base_alltoall_intra_##name(PARAMETERS); \
    int ompi_coll_base_alltoall_intra_##name(PARAMETERS) \
    { \
        int (*next)(PARAMETERS); \
        *(void **)&next = dlsym(RTLD_NEXT, __func__); \
        taken = #name; \
        return next(ARGUMENTS); \
    }
INTERPOSE(basic_linear)
INTERPOSE(pairwise)
INTERPOSE(bruck)
INTERPOSE(two_procs)

int ompi_coll_base_alltoall_intra_linear_sync(PARAMETERS, int requests);
int ompi_coll_base_alltoall_intra_linear_sync(PARAMETERS, int requests)
{
    int (*next)(PARAMETERS, int);
    *(void **)&next = dlsym(RTLD_NEXT, __func__);
    taken = "linear_sync";
    return next(ARGUMENTS, requests);
}

/* Byte i of the block from one rank to another. */
static char content(int from, int to, size_t i)
{
    return (char)(from * 31 + to * 7 + (int)(i % 13));
}

/* Exchanges blocks; 0 if every byte has arrived. */
static int exchange(int rank, int ranks, size_t bytes)
{
    char *from = malloc(bytes * (size_t)ranks), *to = malloc(bytes * (size_t)ranks);
    int wrong = 0;
    for (size_t i = 0; i < bytes * (size_t)ranks; i++)
        from[i] = content(rank, (int)(i / bytes), i % bytes);
    MPI_Alltoall(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (size_t i = 0; i < bytes * (size_t)ranks; i++)
        wrong += to[i] != content((int)(i / bytes), rank, i % bytes);
    free(from);
    free(to);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++) {
        taken = "unknown";
        wrong += exchange(rank, ranks, (size_t)atol(argv[i]));
        if (rank == 0)
            printf("%d %s %s\n", ranks, argv[i], taken);
    }
    MPI_Finalize();
    return wrong != 0;
}
