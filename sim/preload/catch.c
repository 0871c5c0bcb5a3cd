/* The functions that libecube-mpi.so has in place of MPI's: LD_PRELOAD=libecube-mpi.so. */
#include "alltoall.h"
#include "alltoallv.h"
#include "channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_begun;        /* whether MPI_Init of this library has succeeded */

#define ALLTOALL(name, Number) \
    int name(const void *from, Number from_count, MPI_Datatype from_type, void *to, Number to_count, \
             MPI_Datatype to_type, MPI_Comm comm) \
    { \
        mpi_table_fill(); \
        return alltoall_exchange(&(Call){from, from_count, from_type, to, to_count, to_type, comm}); \
    }
ALLTOALL(MPI_Alltoall, int)
#if MPI_VERSION >= 4
ALLTOALL(MPI_Alltoall_c, MPI_Count)
#endif

int MPI_Alltoallv(const void *from, const int *from_counts, const int *from_places, MPI_Datatype from_type, void *to,
                  const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm)
{
    mpi_table_fill();
    return alltoallv_exchange(&(UnequalCall){from, from_counts, from_places, from_type, to, to_counts, to_places,
                                             to_type, comm});
}

/* Calls alltoall_begin() if MPI_Init has succeeded with `code`. Returns `code`. */
static int catch_begin(int code)
{
    if (code == MPI_SUCCESS && !is_begun) {
        is_begun = 1;
        alltoall_begin();
    }
    return code;
}

int MPI_Init(int *argc, char ***argv)
{
    mpi_table_fill();
    return catch_begin(mpi.next_Init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    mpi_table_fill();
    return catch_begin(mpi.next_Init_thread(argc, argv, required, provided));
}

int MPI_Comm_free(MPI_Comm *comm)
{
    mpi_table_fill();
    return channel_close(comm, mpi.next_Comm_free);
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
    mpi_table_fill();
    return channel_close(comm, mpi.next_Comm_disconnect);
}

/* --- Fortran ---
 *
 * MPICH's functions for Fortran call MPI_Alltoall() and its like. Open MPI's call PMPI_Alltoall(), so they are
 * replaced: mpi_alltoall_ of mpif.h and `use mpi`, ompi_alltoall_f of `use mpi_f08`. */

#ifdef OPEN_MPI
/* Returns MPI_IN_PLACE or MPI_BOTTOM if `buffer` is Fortran's variable for it, else `buffer`. */
static void *fortran_address(char *buffer)
{
    static char *in_place, *bottom;
    if (!in_place) {
        bottom = mpi_table_variable("mpi_fortran_bottom_");
        in_place = mpi_table_variable("mpi_fortran_in_place_");
    }
    return buffer == in_place ? MPI_IN_PLACE : buffer == bottom ? MPI_BOTTOM : buffer;
}

static void fortran_set(MPI_Fint *code, int said)
{
    if (code)
        *code = said;
}

static void fortran_alltoall(char *from, MPI_Fint *from_count, MPI_Fint *from_type, char *to, MPI_Fint *to_count,
                             MPI_Fint *to_type, MPI_Fint *comm, MPI_Fint *code)
{
    mpi_table_fill();
    fortran_set(code, alltoall_exchange(&(Call){fortran_address(from), *from_count, mpi.Type_f2c(*from_type),
                                                fortran_address(to), *to_count, mpi.Type_f2c(*to_type),
                                                mpi.Comm_f2c(*comm)}));
}

static void fortran_alltoallv(char *from, MPI_Fint *from_counts, MPI_Fint *from_places, MPI_Fint *from_type, char *to,
                              MPI_Fint *to_counts, MPI_Fint *to_places, MPI_Fint *to_type, MPI_Fint *comm,
                              MPI_Fint *code)
{
    _Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of INTEGER are arrays of int");
    mpi_table_fill();
    fortran_set(code, alltoallv_exchange(&(UnequalCall){fortran_address(from), (int *)from_counts, (int *)from_places,
                                                        mpi.Type_f2c(*from_type), fortran_address(to),
                                                        (int *)to_counts, (int *)to_places, mpi.Type_f2c(*to_type),
                                                        mpi.Comm_f2c(*comm)}));
}

static void fortran_init(MPI_Fint *code)
{
    fortran_set(code, MPI_Init(NULL, NULL));
}

static void fortran_init_thread(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *code)
{
    int level = *required;
    fortran_set(code, MPI_Init_thread(NULL, NULL, *required, &level));
    *provided = level;
}

static void fortran_close(MPI_Fint *comm, int (*close)(MPI_Comm *comm), MPI_Fint *code)
{
    mpi_table_fill();
    MPI_Comm c = mpi.Comm_f2c(*comm);
    int said = close(&c);
    if (said == MPI_SUCCESS)
        *comm = mpi.Comm_c2f(c);
    fortran_set(code, said);
}

static void fortran_comm_free(MPI_Fint *comm, MPI_Fint *code)
{
    fortran_close(comm, MPI_Comm_free, code);
}

static void fortran_comm_disconnect(MPI_Fint *comm, MPI_Fint *code)
{
    fortran_close(comm, MPI_Comm_disconnect, code);
}

#define FORTRAN(name) \
    extern __typeof__(fortran_##name) ompi_##name##_f __attribute__((alias("fortran_" #name))); \
    extern __typeof__(fortran_##name) mpi_##name##_ __attribute__((alias("fortran_" #name))); \
    extern __typeof__(fortran_##name) mpi_##name##__ __attribute__((alias("fortran_" #name)));
FORTRAN(alltoall)
FORTRAN(alltoallv)
FORTRAN(init)
FORTRAN(init_thread)
FORTRAN(comm_free)
FORTRAN(comm_disconnect)
#endif

/* --- a library that is loaded and not used --- */

/* Whether the launcher numbers this process 0, or not at all. */
static int is_first(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return !rank || strcmp(rank, "0") == 0;
}

__attribute__((destructor)) static void say_unused(void)
{
    const char *verbose = getenv("ECUBE_VERBOSE");
    int (*initialized)(int *);
    int was_initialized = 0;
    if (is_begun || !verbose || !*verbose || strcmp(verbose, "0") == 0 || !is_first())
        return;
    *(void **)&initialized = mpi_table_symbol("PMPI_Initialized");
    if (initialized && initialized(&was_initialized) == MPI_SUCCESS && was_initialized)
        fprintf(stderr, "ecube: the program has not called MPI_Init of libecube-mpi.so, which is not used: it has only "
                "sessions, or another tool comes first\n");
}
