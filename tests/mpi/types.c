/* types ROUNDS SEED: a program that knows MPI and nothing of ecube. Each round draws a nested type for each rank and
 * side, of up to three of MPI's constructors, with gaps, in any order, and with bounds before or behind the data. It
 * exchanges blocks by MPI_Alltoall, sometimes in place, and by MPI_Alltoallv, and compares the memory, gaps as well,
 * with what the library's own functions leave. Two threads do so at the end. Rank 0 prints how many exchanges were
 * right. */
#include "proof.h"

#include <stdlib.h>
#include <string.h>

/* --- random numbers --- */

static _Thread_local unsigned state;

static void draw_from(unsigned seed, unsigned more, unsigned still_more)
{
    state = seed * 2654435761u ^ more * 2246822519u ^ still_more * 3266489917u;
}

/* Returns a number from `least` to `most`. */
static int draw(int least, int most)
{
    state = state * 1664525u + 1013904223u;
    unsigned x = state ^ state >> 16;
    x *= 2246822519u;
    return least + (int)((x ^ x >> 13) % (unsigned)(most - least + 1));
}

/* --- types --- */

/* A type of integers. Elements one behind another do not overlap. */
typedef struct {
    MPI_Datatype type;
    int integers;               /* number of integers in an element */
    MPI_Aint extent, begin, end;    /* bytes; where the data of an element begins and ends */
} Shape;

static Shape measure(MPI_Datatype type)
{
    Shape s = {.type = type};
    MPI_Aint bound, length;
    MPI_Type_size(type, &s.integers);
    s.integers /= (int)sizeof(int);
    MPI_Type_get_extent(type, &bound, &s.extent);
    MPI_Type_get_true_extent(type, &s.begin, &length);
    s.end = s.begin + length;
    return s;
}

static MPI_Datatype resize(MPI_Datatype type, MPI_Aint bound, MPI_Aint extent)
{
    MPI_Datatype resized;
    MPI_Type_create_resized(type, bound, extent, &resized);
    MPI_Type_free(&type);
    return resized;
}

/* Returns a type that is made of `old` (owned) by one of MPI's constructors. */
static MPI_Datatype construct(const Shape *old)
{
    MPI_Datatype made = MPI_DATATYPE_NULL, olds[2] = {old->type, old->type};
    int n = draw(1, 3), length = draw(1, 2), lengths[3], places[3], swap = draw(0, 1);
    MPI_Aint bytes[3];
    for (int i = 0; i < n; i++) {       /* blocks in slots of 3 elements, in either order */
        lengths[i] = draw(1, 2);
        places[i] = 3 * (swap ? n - 1 - i : i) + draw(0, 1);
        bytes[i] = places[i] * old->extent;
    }
    switch (draw(0, 8)) {
    case 0: MPI_Type_contiguous(n, old->type, &made); break;
    case 1: MPI_Type_vector(n, length, (swap ? -1 : 1) * draw(length, 4), old->type, &made); break;
    case 2: MPI_Type_create_hvector(n, length, (length + draw(0, 1)) * old->extent + 4 * draw(0, 2), old->type, &made);
            break;
    case 3: MPI_Type_indexed(n, lengths, places, old->type, &made); break;
    case 4: MPI_Type_create_indexed_block(n, length, places, old->type, &made); break;
    case 5: MPI_Type_create_hindexed(n, lengths, bytes, old->type, &made); break;
    case 6: MPI_Type_create_struct(n > 2 ? 2 : n, lengths, bytes, olds, &made); break;
    case 7: MPI_Type_create_resized(old->type, 4 * draw(-4, 4), old->end - old->begin + 4 * draw(0, 3), &made); break;
    default: MPI_Type_dup(old->type, &made);
    }
    if (old->type != MPI_INT) {
        MPI_Datatype type = old->type;
        MPI_Type_free(&type);
    }
    Shape shape = measure(made);
    return shape.extent < shape.end - shape.begin ? resize(made, shape.begin, shape.end - shape.begin) : made;
}

/* Draws a committed type whose elements have a number of integers that divides `unit`. */
static Shape draw_type(int unit)
{
    for (;;) {
        Shape shape = measure(MPI_INT);
        for (int depth = draw(0, 3); depth > 0; depth--)
            shape = measure(construct(&shape));
        if (shape.type == MPI_INT)
            return shape;
        MPI_Type_commit(&shape.type);
        if (unit % shape.integers == 0 && shape.extent < 4096)
            return shape;
        MPI_Type_free(&shape.type);
    }
}

static void shape_free(Shape *shape)
{
    if (shape->type != MPI_INT)
        MPI_Type_free(&shape->type);
}

/* --- an exchange --- */

enum { MARGIN = 65536 };        /* bytes before and behind the elements: bounds may lie outside the data */

/* A side of an exchange at a rank: its memory, and the counts and displacements of blocks. */
typedef struct {
    Shape shape;
    int *counts, *places, elements; /* [n] twice; elements of all blocks with gaps */
    size_t bytes;
    char *memory;
} Layout;

/* Returns the units that a block has: any number in an exchange of unequal blocks. */
static int units(unsigned seed, int from, int to, int is_unequal)
{
    draw_from(seed, is_unequal ? (unsigned)from * 64 + (unsigned)to + 1 : 0, 7);
    return !is_unequal ? draw(1, 20) : draw(0, 3) == 0 ? 0 : draw(0, 9) == 0 ? draw(40, 90) : draw(1, 12);
}

static Layout lay_out(unsigned seed, int rank, int n, int is_in, int is_unequal, int unit)
{
    Layout l = {.counts = malloc(2 * (size_t)n * sizeof(int))};
    l.places = l.counts + n;
    for (int i = 0; i < n; i++)
        l.counts[i] = is_in ? units(seed, i, rank, is_unequal) : units(seed, rank, i, is_unequal);
    draw_from(seed, (unsigned)rank + 1, (unsigned)(2 * is_unequal + is_in));
    l.shape = draw_type(unit);
    int down = is_unequal && draw(0, 1), first = is_unequal ? draw(0, n - 1) : 0;
    for (int i = 0; i < n; i++) {
        int p = (first + (down ? n - i : i)) % n;
        l.counts[p] *= unit / l.shape.integers;
        l.places[p] = l.elements + (is_unequal ? draw(0, 2) : 0);
        l.elements = l.places[p] + l.counts[p];
    }
    l.bytes = 2 * MARGIN + (size_t)l.elements * (size_t)l.shape.extent;
    l.memory = malloc(l.bytes);
    for (size_t i = 0; i < l.bytes; i++)
        l.memory[i] = (char)(is_in ? 0xee : i * 7 + i / 251 + (size_t)rank * 29);
    return l;
}

static void layout_free(Layout *l)
{
    shape_free(&l->shape);
    free(l->memory);
    free(l->counts);
}

/* Exchanges blocks; `should` is what the library leaves. */
static void exchange(MPI_Comm comm, unsigned seed, int is_unequal, int unit)
{
    int rank, n, in_place, code;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    draw_from(seed, 0, 99);
    in_place = draw(0, 7) == 0;
    Layout from = lay_out(seed, rank, n, 0, is_unequal, unit), to = lay_out(seed, rank, n, 1, is_unequal, unit);
    char *should = malloc(to.bytes), *in = to.memory + MARGIN;
    const char *out = in_place && !is_unequal ? MPI_IN_PLACE : from.memory + MARGIN;
    if (in_place && !is_unequal)
        for (size_t i = 0; i < to.bytes; i++)
            to.memory[i] = (char)(i * 5 + (size_t)rank * 31);
    memcpy(should, to.memory, to.bytes);
    if (is_unequal) {
        code = MPI_Alltoallv(out, from.counts, from.places, from.shape.type, in, to.counts, to.places, to.shape.type,
                             comm);
        PMPI_Alltoallv(out, from.counts, from.places, from.shape.type, should + MARGIN, to.counts, to.places,
                       to.shape.type, comm);
    } else {
        code = MPI_Alltoall(out, from.counts[0], from.shape.type, in, to.counts[0], to.shape.type, comm);
        PMPI_Alltoall(out, from.counts[0], from.shape.type, should + MARGIN, to.counts[0], to.shape.type,
                      comm);
    }
    if (proof_judge(comm, code == MPI_SUCCESS && memcmp(to.memory, should, to.bytes) == 0))
        printf("%s, seed %u: wrong\n", is_unequal ? "MPI_Alltoallv" : "MPI_Alltoall", seed);
    free(should);
    layout_free(&from);
    layout_free(&to);
}

/* Exchanges both ways with types that the seed draws. */
static void exchange_both(MPI_Comm comm, unsigned seed)
{
    static const int each[] = {2, 6, 24};
    exchange(comm, seed, 0, each[seed % 3]);
    exchange(comm, seed, 1, each[seed % 3]);
}

/* Exchanges again and again in a thread. */
static void repeat(MPI_Comm comm, size_t seed)
{
    for (unsigned i = 0; i < 20; i++)
        exchange_both(comm, (unsigned)seed + i);
}

int main(int argc, char **argv)
{
    int level, rounds = atoi(argv[1]);
    unsigned seed = (unsigned)atoi(argv[2]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (int i = 0; i < rounds; i++)
        exchange_both(MPI_COMM_WORLD, seed + (unsigned)i);
    if (level == MPI_THREAD_MULTIPLE)
        proof_by_threads(repeat, seed, seed + 100000);
    return proof_end();
}
