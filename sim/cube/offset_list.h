/* Lists of offsets: exchanges in which, in step i, every processor x exchanges with x xor s_i.
 *
 * The block from x to x xor g goes along in the steps of g's cover: a smallest set of steps whose offsets have the xor
 * g. All processors use the same covers. The traffic of a list is the blocks that a processor sends in all, the sum of
 * the sizes of all covers (models/OFFSETS.md). In words of coding theory offsets are the columns of a parity-check
 * matrix, the g are syndromes, and covers are coset leaders. */
#pragma once

#include <glib.h>

/* Largest d of a list; its covers take d 2^d numbers. */
#define OFFSETS_DIMENSION_MAX 16

/* Offsets as numbers, guint32, in the order of the steps. */
typedef GArray Offsets;

static inline guint32 offsets_nth(const Offsets *offsets, guint i)
{
    return g_array_index(offsets, guint32, i);
}

/* An empty list. Caller frees with offsets_free(). */
Offsets *offsets_new(void);
void offsets_free(Offsets *offsets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Offsets, offsets_free)

/* Reads "1,2,4,8,15": numbers from 1 to 2^d - 1 that span all d bits; "" only for d = 0. `where` begins the error
 * message. NULL with an error. Caller frees. */
Offsets *offsets_parse(const char *where, const char *text, guint dimension, GError **error);

/* "1,2,4,8,15". Caller frees. */
char *offsets_format(const Offsets *offsets);

/* Channels that a processor's messages cross in all, where every step has one: the sum of |s_i|. */
guint64 offsets_hops(const Offsets *offsets);

/* weight[2^d]: the sizes of the covers. The list spans; d <= OFFSETS_DIMENSION_MAX. k 2^d operations. */
void offsets_weigh(const Offsets *offsets, guint dimension, guint8 *weight);

/* The traffic of the list, W: the sum of all weights. */
guint64 offsets_traffic(const Offsets *offsets, guint dimension);

/* The covers. Between sets of equal size the one is taken that a walk through the steps finds first: a step shortens
 * the cover of g only if it makes it strictly shorter. */
typedef struct {
    guint n_steps;
    guint *first;       /* [n_steps + 1]: the blocks of step i are carried[first[i]] to carried[first[i + 1] - 1] */
    guint *carried;     /* [traffic]: numbers g, ascending within a step */
} Covers;

void covers_init(Covers *covers, const Offsets *offsets, guint dimension);
void covers_clear(Covers *covers);
