/* MPI's functions and objects, found when the program first calls MPI. A preloaded library that is linked with MPI
 * would pull MPI into every process that inherits LD_PRELOAD. */
#pragma once

#include <mpi.h>

#if MPI_VERSION >= 4
#define MPI_FUNCTIONS_LARGE(F) F(Alltoall_c)
#else
#define MPI_FUNCTIONS_LARGE(F)
#endif
#ifdef OPEN_MPI
#define MPI_FUNCTIONS_FORTRAN(F) F(Comm_c2f) F(Comm_f2c) F(Type_f2c)
#else
#define MPI_FUNCTIONS_FORTRAN(F)
#endif

#define MPI_FUNCTIONS(F) \
    F(Allgather) F(Allreduce) F(Comm_call_errhandler) F(Comm_create_keyval) F(Comm_delete_attr) \
    F(Comm_free) F(Comm_free_keyval) F(Comm_get_attr) F(Comm_group) F(Comm_idup) F(Comm_rank) \
    F(Comm_set_attr) F(Comm_set_errhandler) F(Comm_size) F(Comm_test_inter) F(Group_free) \
    F(Group_translate_ranks) F(Ibcast) F(Igatherv) F(Pack) F(Pack_size) F(Sendrecv) F(Test) \
    F(Type_create_keyval) F(Type_free) F(Type_free_keyval) F(Type_get_attr) F(Type_get_contents) \
    F(Type_get_envelope) F(Type_get_extent) F(Type_set_attr) F(Type_size_x) F(Wtime) MPI_FUNCTIONS_FORTRAN(F)

/* Functions that libecube-mpi replaces. It calls those of the next library, which may be another tool's. */
#define MPI_FUNCTIONS_CAUGHT(F) \
    F(Alltoall) F(Alltoallv) F(Comm_disconnect) F(Comm_free) F(Init) F(Init_thread) MPI_FUNCTIONS_LARGE(F)

/* Type, member of MpiTable, MPI's name, and Open MPI's variable: its address is the object. */
#define MPI_OBJECTS(O) \
    O(MPI_Comm, comm_world, MPI_COMM_WORLD, ompi_mpi_comm_world) \
    O(MPI_Comm, comm_self, MPI_COMM_SELF, ompi_mpi_comm_self) \
    O(MPI_Comm, comm_null, MPI_COMM_NULL, ompi_mpi_comm_null) \
    O(MPI_Datatype, byte, MPI_BYTE, ompi_mpi_byte) \
    O(MPI_Datatype, integer, MPI_INT, ompi_mpi_int) \
    O(MPI_Datatype, datatype_null, MPI_DATATYPE_NULL, ompi_mpi_datatype_null) \
    O(MPI_Op, min, MPI_MIN, ompi_mpi_op_min) \
    O(MPI_Errhandler, errors_return, MPI_ERRORS_RETURN, ompi_mpi_errors_return)

/* PMPI's functions without prefix, the next library's behind `next_`, and MPI's objects. */
typedef struct {
#define F(name) __typeof__(PMPI_##name) *name;
#define N(name) __typeof__(PMPI_##name) *next_##name;
#define O(type, member, value, symbol) type member;
    MPI_FUNCTIONS(F)
    MPI_FUNCTIONS_CAUGHT(N)
    MPI_OBJECTS(O)
#undef F
#undef N
#undef O
} MpiTable;
extern MpiTable mpi;

/* Fills in `mpi` at the first call. Ends the process with exit code 2 and a message if the loaded MPI lacks a function,
 * or is not the MPI (MPICH or Open MPI) that this library was compiled for. */
void mpi_table_fill(void);

/* Returns the address of a symbol of the MPI that the process has loaded, or NULL. */
void *mpi_table_symbol(const char *name);

/* Returns the address of a symbol of the program or its libraries, else of MPI, or NULL. */
void *mpi_table_variable(const char *name);
