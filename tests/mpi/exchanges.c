/* exchanges BYTES...: a program that knows MPI and nothing of ecube. It exchanges blocks of so many bytes by
 * MPI_Alltoall, in every way there is: of bytes, in place, of types with gaps or in another order on one side or both,
 * on all ranks, on every second one, on one, between groups, on two communicators at a time by two threads. Ranks prove
 * every byte, and that nothing is written beside the blocks. Rank 0 prints how many exchanges were right. */
#include "proof.h"

#include <stdlib.h>
#include <string.h>

/* Byte i of the block from one rank to another; never GAP. */
#define GAP ((unsigned char)0xee)
static unsigned char content(int from, int to, size_t i)
{
    return (unsigned char)((unsigned)(from * 31 + to * 7) + i % 13 + i / 256) % 200;
}

/* How a block of `bytes` lies in memory: byte i at place[i], and the next block `stride` further. */
typedef struct {
    const char *name;
    MPI_Datatype type;
    int count;
    size_t stride;
    size_t (*place)(size_t i);
    int made;
} Shape;

static size_t same(size_t i) { return i; }
static size_t gaps(size_t i) { return i / 4 * 12 + i % 4; }
static size_t backwards(size_t i) { return i / 8 * 8 + (i % 8 + 4) % 8; }
static size_t pair(size_t i) { return i / 12 * 16 + i % 12; }

/* The shapes that blocks of so many bytes can have; how many. */
static int make_shapes(size_t bytes, Shape *shapes)
{
    int n = 0, count = (int)bytes;
    MPI_Datatype type, resized;
    shapes[n++] = (Shape){"bytes", MPI_BYTE, count, bytes, same, 0};
    if (bytes % 4 == 0 && bytes > 0) {
        shapes[n++] = (Shape){"integers", MPI_INT, count / 4, bytes, same, 0};
        MPI_Type_contiguous(count / 4, MPI_INT, &type);
        shapes[n++] = (Shape){"contiguous", type, 1, bytes, same, 1};
        MPI_Type_vector(count / 4, 1, 3, MPI_INT, &type);
        MPI_Type_create_resized(type, 0, (MPI_Aint)(bytes * 3), &resized);
        MPI_Type_free(&type);
        shapes[n++] = (Shape){"a vector", resized, 1, bytes * 3, gaps, 1};
        MPI_Type_create_resized(MPI_INT, 0, 12, &resized);
        shapes[n++] = (Shape){"resized", resized, count / 4, bytes * 3, gaps, 1};
    }
    if (bytes % 8 == 0 && bytes > 0) {
        int one[2] = {1, 1}, places[2] = {1, 0};
        MPI_Type_indexed(2, one, places, MPI_INT, &type);
        shapes[n++] = (Shape){"swapped", type, count / 8, bytes, backwards, 1};
    }
    if (bytes % 12 == 0 && bytes > 0)
        shapes[n++] = (Shape){"pairs", MPI_DOUBLE_INT, count / 12, bytes / 12 * 16, pair, 0};
    for (int i = 0; i < n; i++)
        if (shapes[i].made)
            MPI_Type_commit(&shapes[i].type);
    return n;
}

static void free_shapes(Shape *shapes, int n)
{
    for (int i = 0; i < n; i++)
        if (shapes[i].made)
            MPI_Type_free(&shapes[i].type);
}

static void fill(unsigned char *memory, const Shape *shape, size_t bytes, int rank, int n)
{
    for (int p = 0; p < n; p++)
        for (size_t i = 0; i < bytes; i++)
            memory[(size_t)p * shape->stride + shape->place(i)] = content(rank, p, i);
}

/* Whether there is what should be, and nothing else. */
static int is_right(unsigned char *memory, const Shape *shape, size_t bytes, int rank, int n, size_t room)
{
    int right = 1;
    for (int p = 0; p < n; p++)
        for (size_t i = 0; i < bytes; i++) {
            unsigned char *byte = &memory[(size_t)p * shape->stride + shape->place(i)];
            right &= *byte == content(p, rank, i);
            *byte = GAP;
        }
    for (size_t i = 0; i < room; i++)
        right &= memory[i] == GAP;
    return right;
}

/* The types of the two sides have different signatures, but bytes travel between any. */
static int may_meet(const Shape *a, const Shape *b)
{
    int bytes = strcmp(a->name, "bytes") == 0, pairs = strcmp(a->name, "pairs") == 0;
    return bytes == (strcmp(b->name, "bytes") == 0) && pairs == (strcmp(b->name, "pairs") == 0);
}

static void judge(int right, MPI_Comm comm, const char *what, const Shape *from, const Shape *to, size_t bytes)
{
    if (proof_judge(comm, right))
        printf("%s of %zu bytes, %s to %s: wrong\n", what, bytes, from->name, to->name);
}

static void exchange(MPI_Comm comm, const char *what, const Shape *from, const Shape *to, size_t bytes, int in_place)
{
    int rank, n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    size_t room = (size_t)n * to->stride + 64;
    unsigned char *out = malloc((size_t)n * from->stride + 1), *in = malloc(room);
    memset(in, GAP, room);
    fill(in_place ? in : out, in_place ? to : from, bytes, rank, n);
    if (in_place)
        MPI_Alltoall(MPI_IN_PLACE, -5, MPI_DATATYPE_NULL, in, to->count, to->type, comm);
    else
        MPI_Alltoall(out, from->count, from->type, in, to->count, to->type, comm);
    judge(is_right(in, to, bytes, rank, n, room), comm, what, from, to, bytes);
    free(out);
    free(in);
}

static void exchange_all(MPI_Comm comm, const char *what, size_t bytes)
{
    Shape shapes[8];
    int n = make_shapes(bytes, shapes);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (may_meet(&shapes[i], &shapes[j]))
                for (int again = 0; again < 2; again++)
                    exchange(comm, what, &shapes[i], &shapes[j], bytes, 0);
    for (int i = 0; i < n; i++)
        exchange(comm, what, &shapes[i], &shapes[i], bytes, 1);
    free_shapes(shapes, n);
}

/* Two groups, each of which sends to the other. */
static void exchange_between(size_t bytes)
{
    MPI_Comm half, between;
    int world, n, rank, others;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (n < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, world % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world % 2, 0, &between);
    MPI_Comm_rank(between, &rank);
    MPI_Comm_remote_size(between, &others);
    Shape shape = {"bytes", MPI_BYTE, (int)bytes, bytes, same, 0};
    size_t room = (size_t)others * bytes + 64;
    unsigned char *out = malloc((size_t)others * bytes + 1), *in = malloc(room);
    memset(in, GAP, room);
    fill(out, &shape, bytes, rank, others);
    MPI_Alltoall(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, between);
    judge(is_right(in, &shape, bytes, rank, others, room), half, "between groups", &shape, &shape, bytes);
    free(out);
    free(in);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

/* Exchanges again and again in a thread. */
static void repeat(MPI_Comm comm, size_t bytes)
{
    for (int i = 0; i < 20; i++)
        exchange_all(comm, "two threads", bytes);
}

/* A message of the program's, with any tag and from anybody, is under way at the same time. */
static void exchange_beside_messages(size_t bytes)
{
    int rank, n, got = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    exchange_all(MPI_COMM_WORLD, "beside messages", bytes);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % n, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    proof_count(got == (rank + n - 1) % n && status.MPI_TAG == 7);
}

/* A mistake is an error of the communicator's handler, and the next exchange is right. */
static void exchange_wrongly(size_t bytes)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Datatype type;
    int n, class, count = (int)bytes;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(proof_handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_size(comm, &n);
    MPI_Type_vector(count, 1, 2, MPI_BYTE, &type);  /* not committed */
    char *out = calloc((size_t)n, bytes), *in = calloc((size_t)n, 2 * bytes);
    n_handled = 0;
    MPI_Error_class(MPI_Alltoall(out, count, MPI_BYTE, in, 1, type, comm), &class);
    proof_count(class == MPI_ERR_TYPE && n_handled == 1);
    free(out);
    free(in);
    MPI_Type_free(&type);
    MPI_Errhandler_free(&handler);
    exchange_all(comm, "after a mistake", bytes);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int rank, level;
    MPI_Comm second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &second);
    for (int i = 1; i < argc; i++) {
        size_t bytes = (size_t)atol(argv[i]);
        exchange_all(MPI_COMM_WORLD, "all ranks", bytes);
        exchange_all(second, "every second rank", bytes);
        exchange_all(MPI_COMM_SELF, "one rank", bytes);
        exchange_between(bytes);
        exchange_beside_messages(bytes);
        if (bytes > 0)
            exchange_wrongly(bytes);
    }
    if (level == MPI_THREAD_MULTIPLE && argc > 1)
        proof_by_threads(repeat, (size_t)atol(argv[1]), (size_t)atol(argv[1]) + 24);
    MPI_Comm_free(&second);
    return proof_end();
}
