#include "mpi_table.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MpiTable mpi;

static void *mpi_handle = RTLD_NEXT;

/* Makes a loaded object `mpi_handle` and returns nonzero if it has MPI. */
static int mpi_table_try(struct dl_phdr_info *object, size_t size, void *unused)
{
    void *handle = object->dlpi_name && *object->dlpi_name ? dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!handle || !dlsym(handle, "PMPI_Init")) {
        if (handle)
            dlclose(handle);
        return 0;
    }
    mpi_handle = handle;
    return 1;
}

void *mpi_table_symbol(const char *name)
{
    return dlsym(mpi_handle, name);
}

void *mpi_table_variable(const char *name)
{
    void *variable = dlsym(RTLD_DEFAULT, name);     /* the program may have a copy, which MPI then uses as well */
    return variable ? variable : mpi_table_symbol(name);
}

/* Returns find(name). Ends the process if this is NULL. */
static void *mpi_table_need(const char *name, void *(*find)(const char *name))
{
    void *symbol = find(name);
    if (!symbol) {
        fprintf(stderr, "ecube: libecube-mpi.so needs %s, which this process's MPI does not have\n", name);
        _Exit(2);
    }
    return symbol;
}

/* Ends the process if this library was compiled for another MPI. */
static void mpi_table_check(void)
{
#ifdef OPEN_MPI
    static const char own[] = "Open MPI";
#else
    static const char own[] = "MPICH";
#endif
    int is_open_mpi = mpi_table_symbol("ompi_mpi_comm_world") != NULL;
    if (is_open_mpi == (strcmp(own, "Open MPI") == 0))
        return;
    fprintf(stderr, "ecube: libecube-mpi.so was made for %s, and the program has another MPI: take one that is made by "
            "make mpi MPICC=..., with the program's mpicc\n", own);
    _Exit(2);
}

static void mpi_table_read(void)
{
    /* an MPI that Python has loaded is no part of the global scope */
    if (!dlsym(RTLD_NEXT, "PMPI_Init"))
        dl_iterate_phdr(mpi_table_try, NULL);
#define F(name) *(void **)&mpi.name = mpi_table_need("PMPI_" #name, mpi_table_symbol);
#define N(name) *(void **)&mpi.next_##name = mpi_table_need("MPI_" #name, mpi_table_symbol);
    mpi_table_check();
    MPI_FUNCTIONS(F)
    MPI_FUNCTIONS_CAUGHT(N)
#undef F
#undef N
#ifdef OPEN_MPI
#define O(type, member, value, symbol) mpi.member = (type)mpi_table_need(#symbol, mpi_table_variable);
#else
#define O(type, member, value, symbol) mpi.member = value;
#endif
    MPI_OBJECTS(O)
#undef O
}

void mpi_table_fill(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, mpi_table_read);
}
