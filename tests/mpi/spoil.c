/* A library to be loaded before an MPI's: spoils one message of those that SPOIL="SOURCE DESTINATION BYTES BYTE" names,
 * which is the first of so many bytes from a rank to another, or at SPOIL="SOURCE dies" ends that rank instead of
 * sending its first message. */
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
