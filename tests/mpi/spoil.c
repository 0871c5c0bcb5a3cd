/* A library to be loaded before an MPI's: spoils one message of those that SPOIL="SOURCE DESTINATION BYTES BYTE" names,
 * which is the first of so many bytes from a rank to another, or at SPOIL="SOURCE dies" ends that rank instead of
 * sending its first message. SPOIL="N slow" makes MPI_Alltoall, PMPI_Alltoall and MPI_Alltoallv take N µs longer,
 * SPOIL="N late" MPI_Isend. At SPOIL="SOURCE fails" PMPI_Sendrecv of that rank does what it is to do, and returns an
 * error at the first message to another rank. SPOIL="N share" makes hosts of N ranks each, SPOIL="N apart" N hosts of
 * ranks in turn. At SPOIL="0 asks" each process prints at its end how often PMPI_Type_size_x was called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank_of(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *host)
{
    int n;
    char word[8] = "";
    const char *order = getenv("SPOIL");
    if (order && sscanf(order, "%d %7s", &n, word) == 2 && strcmp(word, "share") == 0)
        return PMPI_Comm_split(comm, rank_of(comm) / n, key, host);
    if (strcmp(word, "apart") == 0)
        return PMPI_Comm_split(comm, rank_of(comm) % n, key, host);
    return PMPI_Comm_split_type(comm, type, key, info, host);
}

/* Waits for the time that "N WHAT" orders. */
static void be_slow(const char *what)
{
    int us;
    char word[8] = "";
    double begun = PMPI_Wtime();
    const char *order = getenv("SPOIL");
    if (order && sscanf(order, "%d %7s", &us, word) == 2 && strcmp(word, what) == 0)
        while (PMPI_Wtime() < begun + us * 1e-6)
            ;
}

int PMPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count,
                  MPI_Datatype to_type, MPI_Comm comm)
{
    static int (*next)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Alltoall");
    be_slow("slow");
    return next(from, from_count, from_type, to, to_count, to_type, comm);
}

int MPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count, MPI_Datatype to_type,
                 MPI_Comm comm)
{
    return PMPI_Alltoall(from, from_count, from_type, to, to_count, to_type, comm);
}

int MPI_Alltoallv(const void *from, const int *from_counts, const int *from_places, MPI_Datatype from_type, void *to,
                  const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm)
{
    be_slow("slow");
    return PMPI_Alltoallv(from, from_counts, from_places, from_type, to, to_counts, to_places, to_type, comm);
}

static unsigned n_asked;

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    static int (*next)(MPI_Datatype, MPI_Count *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Type_size_x");
    n_asked++;
    return next(type, size);
}

__attribute__((destructor)) static void say_asked(void)
{
    const char *order = getenv("SPOIL");
    if (n_asked > 0 && order && strcmp(order, "0 asks") == 0)
        fprintf(stderr, "sizes of types: asked %u times\n", n_asked);
}

int PMPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    static int (*next)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm,
                       MPI_Status *);
    static int done;
    int source;
    char word[8] = "";
    const char *order = getenv("SPOIL");
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Sendrecv");
    int code = next(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
    if (done || to == rank_of(comm) || !order || sscanf(order, "%d %7s", &source, word) != 2 ||
        strcmp(word, "fails") != 0 || source != rank_of(comm))
        return code;
    done = 1;
    return MPI_ERR_OTHER;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request)
{
    static int done;
    int source, destination, bytes, byte;
    const char *order = getenv("SPOIL");
    char word[8] = "";
    be_slow("late");
    if (order && sscanf(order, "%d %7s", &source, word) == 2 && strcmp(word, "dies") == 0 && source == rank_of(comm))
        abort();
    if (!done && order && sscanf(order, "%d %d %d %d", &source, &destination, &bytes, &byte) == 4 &&
        source == rank_of(comm) && destination == peer && bytes == count) {
        char *spoilt = malloc((size_t)count);   /* stays: it is sent later */
        memcpy(spoilt, buffer, (size_t)count);
        spoilt[byte] = (char)(spoilt[byte] ^ 1);
        buffer = spoilt;
        done = 1;
    }
    return PMPI_Isend(buffer, count, type, peer, tag, comm, request);
}
