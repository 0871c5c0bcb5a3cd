/* A library to be loaded before an MPI's: spoils one message of those that SPOIL="SOURCE DESTINATION BYTES BYTE" names,
 * which is the first of so many bytes from a rank to another, or at SPOIL="SOURCE dies" ends that rank instead of
 * sending its first message. SPOIL="N slow" makes MPI_Alltoall and MPI_Alltoallv take N µs longer. SPOIL="N share"
 * makes hosts of N ranks each, SPOIL="N apart" N hosts of ranks in turn. */
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

/* Waits for the time that "N slow" orders. */
static void be_slow(void)
{
    int us;
    char word[8] = "";
    double begun = PMPI_Wtime();
    const char *order = getenv("SPOIL");
    if (order && sscanf(order, "%d %7s", &us, word) == 2 && strcmp(word, "slow") == 0)
        while (PMPI_Wtime() < begun + us * 1e-6)
            ;
}

int MPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count, MPI_Datatype to_type,
                 MPI_Comm comm)
{
    be_slow();
    return PMPI_Alltoall(from, from_count, from_type, to, to_count, to_type, comm);
}

int MPI_Alltoallv(const void *from, const int *from_counts, const int *from_places, MPI_Datatype from_type, void *to,
                  const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm)
{
    be_slow();
    return PMPI_Alltoallv(from, from_counts, from_places, from_type, to, to_counts, to_places, to_type, comm);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request)
{
    static int done;
    int source, destination, bytes, byte;
    const char *order = getenv("SPOIL");
    char word[8] = "";
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
