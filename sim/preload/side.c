#include "side.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_UNKNOWN, TYPE_GAPS, TYPE_PLAIN };

static int type_key;

/* --- memory of devices --- */

/* CUDA's and HIP's functions, if the program has loaded them. */
static int (*cuda_attribute)(void *data, int attribute, uintptr_t pointer);
static int (*hip_attributes)(void *attributes, const void *pointer);

static int is_on_device(const void *base)
{
    enum { CUDA_MEMORY_TYPE = 2, CUDA_DEVICE = 2, HIP_DEVICE = 2, HIP_OLD_DEVICE = 1 };
    unsigned kind = 0;
    int hip[64] = {0};      /* hipPointerAttribute_t begins with the type of the memory */
    if (cuda_attribute && cuda_attribute(&kind, CUDA_MEMORY_TYPE, (uintptr_t)base) == 0 && kind == CUDA_DEVICE)
        return 1;
    return hip_attributes && hip_attributes(hip, base) == 0 && (hip[0] == HIP_DEVICE || hip[0] == HIP_OLD_DEVICE);
}

/* --- types --- */

static int no_type_copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

static int no_type_delete(MPI_Datatype type, int key, void *value, void *extra)
{
    return MPI_SUCCESS;
}

void side_begin(void)
{
    mpi.Type_create_keyval(no_type_copy, no_type_delete, &type_key, NULL);
    *(void **)&cuda_attribute = mpi_table_variable("cuPointerGetAttribute");
    *(void **)&hip_attributes = mpi_table_variable("hipPointerGetAttributes");
}

void side_end(void)
{
    mpi.Type_free_keyval(&type_key);
}

static int type_is_named(MPI_Datatype type)
{
    int integers, addresses, types, combiner;
    mpi.Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

/* Whether a type has no gaps: its size is its extent, which begins at 0. */
static int is_dense(MPI_Datatype type)
{
    MPI_Aint least, extent;
    MPI_Count size;
    mpi.Type_get_extent(type, &least, &extent);
    mpi.Type_size_x(type, &size);
    return least == 0 && size == extent;
}

/* Whether a dense type has its bytes in order if `combiner` makes it of the plain type `old`. */
static int keeps_order(int combiner, const int *integers, const MPI_Aint *addresses, MPI_Datatype old)
{
    MPI_Aint least, extent;
    mpi.Type_get_extent(old, &least, &extent);
    switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS: case MPI_COMBINER_DUP: case MPI_COMBINER_RESIZED: return 1;
    case MPI_COMBINER_VECTOR: return integers[0] == 1 || integers[1] == integers[2];
    case MPI_COMBINER_HVECTOR: return integers[0] == 1 || integers[1] * extent == addresses[0];
    default: return 0;
    }
}

/* Whether a type is dense and its bytes are in order. */
static int is_plain(MPI_Datatype type)
{
    int n_integers, n_addresses, n_types, combiner, integers[3], plain = 0;
    MPI_Aint addresses[2];
    MPI_Datatype old;
    mpi.Type_get_envelope(type, &n_integers, &n_addresses, &n_types, &combiner);
    if (combiner == MPI_COMBINER_NAMED)
        return is_dense(type);
    if (n_integers > 3 || n_addresses > 2 || n_types != 1 || !is_dense(type))
        return 0;
    mpi.Type_get_contents(type, n_integers, n_addresses, 1, integers, addresses, &old);
    plain = is_plain(old) && keeps_order(combiner, integers, addresses, old);
    if (!type_is_named(old))
        mpi.Type_free(&old);
    return plain;
}

/* Whether the library accepts the type in a message. */
static int is_committed(MPI_Datatype type, MPI_Comm comm)
{
    int nothing = 0, at = 0;
    return mpi.Pack(&nothing, 0, type, &nothing, 0, &at, comm) == MPI_SUCCESS;
}

/* Returns the kind of a derived type, which keeps it as an attribute; TYPE_UNKNOWN: not committed. */
static int type_kind(MPI_Datatype type, MPI_Comm comm)
{
    static char gaps, plain;    /* their addresses are values of the attribute */
    void *known;
    int found = 0;
    mpi.Type_get_attr(type, type_key, &known, &found);
    if (found)
        return known == &plain ? TYPE_PLAIN : TYPE_GAPS;
    if (!is_committed(type, comm))
        return TYPE_UNKNOWN;
    known = is_plain(type) ? &plain : &gaps;
    mpi.Type_set_attr(type, type_key, known);
    return known == &plain ? TYPE_PLAIN : TYPE_GAPS;
}

MPI_Count side_type_bytes(MPI_Datatype type, MPI_Comm comm)
{
    MPI_Count size;
#ifndef OPEN_MPI
    int packed, is_predefined = (unsigned)type >> 30 == 1;
    /* at an invalid type Type_size_x would call another error handler than that of `comm` */
    if (!is_predefined && mpi.Pack_size(1, type, comm, &packed) != MPI_SUCCESS)
        return -1;
#endif
    return mpi.Type_size_x(type, &size) == MPI_SUCCESS ? size : -1;
}

int side_read(Side *side, const void *base, int count, MPI_Datatype type, MPI_Comm comm)
{
    MPI_Aint least;
    int kind = type_is_named(type) ? is_dense(type) ? TYPE_PLAIN : TYPE_GAPS : type_kind(type, comm);
    *side = (Side){.base = (char *)base, .count = count, .type = type};
    mpi.Type_get_extent(type, &least, &side->extent);
    side->plain = kind == TYPE_PLAIN && !is_on_device(base);
    return kind != TYPE_UNKNOWN;
}

/* --- copying --- */

int side_copy(const Side *side, int n, size_t bytes, char *packed, int back, int rank, int tag, MPI_Comm comm)
{
    int code = MPI_SUCCESS, most = (int)(INT_MAX / (bytes > (size_t)side->count ? bytes : (size_t)side->count));
    for (int p = 0, some; p < n && code == MPI_SUCCESS; p += some) {
        some = n - p < most ? n - p : most;
        char *block = (char *)((uintptr_t)side->base + (uintptr_t)p * (uintptr_t)side->count * (uintptr_t)side->extent);
        char *there = packed + (size_t)p * bytes;
        int size = some * (int)bytes, count = some * side->count;
        code = back ? mpi.Sendrecv(there, size, mpi.byte, rank, tag, block, count, side->type, rank, tag, comm,
                                   MPI_STATUS_IGNORE)
                    : mpi.Sendrecv(block, count, side->type, rank, tag, there, size, mpi.byte, rank, tag, comm,
                                   MPI_STATUS_IGNORE);
    }
    return code;
}
