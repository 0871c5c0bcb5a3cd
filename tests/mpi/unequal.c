/* unequal ROUNDS SEED: a program that knows MPI and nothing of ecube. It exchanges blocks of random sizes by
 * MPI_Alltoallv and PMPI_Alltoallv, and compares the memory, gaps as well. Each rank and side has a type of its own,
 * with gaps or in another order. Displacements have any order; blocks that are sent may overlap; ranks and pairs may
 * have none. It does so on all ranks, on every second one in the opposite order, and by two threads, and makes
 * mistakes. Rank 0 prints how many exchanges were right. `unequal BYTES` makes one exchange of equal blocks, in which
 * spoil.c lets a message fail. */
#include "proof.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static unsigned mix(unsigned a, unsigned b, unsigned c)
{
    unsigned x = a * 2654435761u ^ b * 2246822519u ^ c * 3266489917u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

/* Types of pairs of integers, with their extents in integers. */
enum { N_TYPES = 5 };
static MPI_Datatype types[N_TYPES];
static const int extents[N_TYPES] = {2, 2, 4, 2, 3};

static void make_types(void)
{
    int one[2] = {1, 1}, places[2] = {1, 0};
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &types[0]);
    MPI_Type_indexed(2, one, places, MPI_INT, &types[1]);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, 16, &types[2]);
    MPI_Type_free(&type);
    types[3] = MPI_2INT;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_create_resized(type, 0, 12, &types[4]);
    MPI_Type_free(&type);
    for (int i = 0; i < N_TYPES; i++)
        if (i != 3)
            MPI_Type_commit(&types[i]);
}

/* Number of pairs in the block from one rank to another: often none, seldom many. */
static int pairs(unsigned seed, int from, int to)
{
    unsigned x = mix(seed, (unsigned)from + 1, (unsigned)to + 101), kind = x >> 8 & 15;
    if (seed % 5 == 0 && (from == 0 || to == 1))
        return 0;
    return kind < 4 ? 0 : kind < 13 ? (int)(x % 40) : kind < 15 ? (int)(x % 900) : seed % 7 == 0 ? (int)(x % 20000) : 3;
}

/* A side of an exchange at a rank. */
typedef struct {
    int type, elements;         /* elements: of the whole memory */
    int *counts, *places;       /* [n] */
} Layout;

/* Lays the blocks out in a random order, with gaps between them, or all of them at the same place. */
static Layout lay_out(unsigned seed, int rank, int n, int is_in)
{
    unsigned x = mix(seed, (unsigned)rank + 77, (unsigned)is_in + 5), first = x % (unsigned)n, down = x >> 9 & 1;
    int overlap = !is_in && x % 4 == 0;
    Layout l = {(int)(x >> 4) % N_TYPES, 0, malloc((size_t)n * sizeof(int)), malloc((size_t)n * sizeof(int))};
    for (int i = 0; i < n; i++) {
        int p = (int)((first + (unsigned)(down ? n - i : i)) % (unsigned)n);
        l.counts[p] = is_in ? pairs(seed, p, rank) : pairs(seed, rank, p);
        l.places[p] = overlap ? 0 : l.elements + (int)(mix(x, (unsigned)p, 9) % 3);
        l.elements = l.places[p] + l.counts[p] > l.elements ? l.places[p] + l.counts[p] : l.elements;
    }
    return l;
}

static void judge(MPI_Comm comm, int right, const char *what, unsigned seed)
{
    if (proof_judge(comm, right))
        printf("%s, seed %u: wrong\n", what, seed);
}

static void exchange(MPI_Comm comm, const char *what, unsigned seed)
{
    int rank, n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    Layout from = lay_out(seed, rank, n, 0), to = lay_out(seed, rank, n, 1);
    size_t out_ints = (size_t)from.elements * (size_t)extents[from.type], in_bytes = 64 +
           (size_t)to.elements * (size_t)extents[to.type] * sizeof(int);
    int *out = malloc((out_ints + 1) * sizeof *out);
    char *in = malloc(in_bytes), *should = malloc(in_bytes);
    for (size_t i = 0; i < out_ints; i++)
        out[i] = (int)mix(seed, (unsigned)rank, (unsigned)i);
    memset(in, 0xee, in_bytes);
    memset(should, 0xee, in_bytes);
    int code = MPI_Alltoallv(out, from.counts, from.places, types[from.type], in, to.counts, to.places, types[to.type],
                             comm);
    PMPI_Alltoallv(out, from.counts, from.places, types[from.type], should, to.counts, to.places, types[to.type], comm);
    judge(comm, code == MPI_SUCCESS && memcmp(in, should, in_bytes) == 0, what, seed);
    free(out);
    free(in);
    free(should);
    free(from.counts);
    free(from.places);
    free(to.counts);
    free(to.places);
}

static void exchange_in_place(MPI_Comm comm)
{
    int rank, n, right = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    int *counts = malloc(2 * (size_t)n * sizeof *counts), *places = counts + n;
    int *data = malloc(3 * (size_t)n * sizeof *data);
    for (int i = 0; i < n; i++) {
        counts[i] = 2;
        places[i] = 3 * i;
        data[3 * i] = data[3 * i + 1] = 100 * rank + i;
        data[3 * i + 2] = -1;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts, places, MPI_INT, comm);
    for (int i = 0; i < n; i++)
        right &= data[3 * i] == 100 * i + rank && data[3 * i + 1] == 100 * i + rank && data[3 * i + 2] == -1;
    judge(comm, right, "in place", 0);
    free(counts);
    free(data);
}

/* Mistakes that all ranks make are the error of the library's own function, told once; the next exchange is right. */
static void exchange_wrongly(unsigned seed)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Datatype loose;
    int n, all[2][64], bad[64], class, classes[2];
    char out[256] = "", in[256];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(proof_handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_size(comm, &n);
    MPI_Type_vector(2, 1, 2, MPI_BYTE, &loose);     /* not committed */
    for (int i = 0; i < n; i++) {
        all[0][i] = 1;
        all[1][i] = 2 * i;
        bad[i] = i == n - 1 ? -1 : 1;
    }
    struct {
        const int *counts, *places;
        MPI_Datatype type;
        void *in;
    } wrong[] = {{bad, all[1], MPI_BYTE, in}, {all[0], all[1], MPI_DATATYPE_NULL, in}, {all[0], all[1], loose, in},
                 {all[0], all[1], MPI_BYTE, MPI_IN_PLACE}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (int own = 0; own < 2; own++) {
            n_handled = 0;
            class = (own ? PMPI_Alltoallv : MPI_Alltoallv)(out, wrong[i].counts, wrong[i].places, wrong[i].type,
                                                           wrong[i].in, all[0], all[1], MPI_BYTE, comm);
            MPI_Error_class(class, &class);
            classes[own] = class + 1000 * n_handled;
        }
        judge(comm, classes[0] == classes[1] && classes[0] > 1000, "a mistake", (unsigned)i);
    }
    MPI_Type_free(&loose);
    MPI_Errhandler_free(&handler);
    exchange(comm, "after mistakes", seed);
    MPI_Comm_free(&comm);
}

/* A block that is longer than its room is an error of its destination alone, and nobody waits. */
static void exchange_too_much(void)
{
    MPI_Comm comm;
    int rank, n, counts[64], places[64], lengths[64];
    char out[256] = "", in[256];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < n; i++) {
        counts[i] = lengths[i] = 3;
        places[i] = 3 * i;
    }
    if (rank == n - 1 && n > 1)
        lengths[0] = 2;
    int code = MPI_Alltoallv(out, counts, places, MPI_BYTE, in, lengths, places, MPI_BYTE, comm), class;
    MPI_Error_class(code, &class);
    judge(comm, class == (rank == n - 1 && n > 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "too much", 0);
    MPI_Comm_free(&comm);
}

/* An error of a message is reported by its rank, behind the last step: all blocks are there, and nobody waits. */
static void exchange_with_error(int bytes)
{
    int rank, n, counts[64], places[64], right = 1, class;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    char *out = malloc((size_t)n * (size_t)bytes), *in = calloc((size_t)n, (size_t)bytes);
    for (int i = 0; i < n; i++) {
        counts[i] = bytes;
        places[i] = i * bytes;
        memset(out + places[i], 16 * rank + i + 1, (size_t)bytes);
    }
    MPI_Error_class(MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD), &class);
    for (int i = 0; i < n * bytes; i++)
        right &= in[i] == (char)(16 * (i / bytes) + rank + 1);
    judge(MPI_COMM_WORLD, right && class == (rank == 1 ? MPI_ERR_OTHER : MPI_SUCCESS), "with an error",
          (unsigned)bytes);
    free(out);
    free(in);
}

#ifdef OPEN_MPI     /* MPICH refuses MPI_BOTTOM here */
/* Places that are addresses, from MPI_BOTTOM on, at all ranks but 0, which has a buffer as usual. */
static void exchange_from_bottom(void)
{
    enum { BYTES = 65536 };
    int rank, n, counts[64], places[64], usual[64], right = 1;
    MPI_Datatype page;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Type_contiguous(BYTES, MPI_BYTE, &page);
    MPI_Type_commit(&page);
    char *out = aligned_alloc(BYTES, (size_t)n * BYTES), *in = calloc((size_t)n, BYTES);
    for (int i = 0; i < n; i++) {
        memset(out + (size_t)i * BYTES, 16 * rank + i + 1, BYTES);
        counts[i] = 1;
        usual[i] = i;
        places[i] = (int)((uintptr_t)out / BYTES) + i;
    }
    MPI_Alltoallv(rank ? MPI_BOTTOM : out, counts, rank ? places : usual, page, in, counts, usual, page,
                  MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        for (size_t at = 0; at < BYTES; at++)
            right &= in[(size_t)i * BYTES + at] == (char)(16 * i + rank + 1);
    judge(MPI_COMM_WORLD, right, "from MPI_BOTTOM on", 0);
    free(out);
    free(in);
    MPI_Type_free(&page);
}
#endif

/* Exchanges again and again in a thread. */
static void repeat(MPI_Comm comm, size_t seed)
{
    for (unsigned i = 0; i < 20; i++)
        exchange(comm, "two threads", (unsigned)seed + i);
}

int main(int argc, char **argv)
{
    int rank, level, rounds = atoi(argv[1]);
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    MPI_Comm second;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (argc == 2) {
        exchange_with_error(rounds);
        return proof_end();
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &second);
    make_types();
    for (int i = 0; i < rounds; i++) {
        exchange(MPI_COMM_WORLD, "all ranks", seed + (unsigned)i);
        exchange(second, "every second rank", seed + (unsigned)i);
    }
    exchange_in_place(MPI_COMM_WORLD);
    exchange_wrongly(seed);
    exchange_too_much();
#ifdef OPEN_MPI
    exchange_from_bottom();
#endif
    if (level == MPI_THREAD_MULTIPLE)
        proof_by_threads(repeat, seed, seed + 1000);
    MPI_Comm_free(&second);
    for (int i = 0; i < N_TYPES; i++)
        if (i != 3)
            MPI_Type_free(&types[i]);
    return proof_end();
}
