/* Parcels: blocks on their way. What a parcel carries lies behind its head, in one allocation; where it lands too,
 * unless many parcels share that. */
#pragma once

#include "memory.h"

typedef struct Parcel Parcel;
struct Parcel {
    Parcel *next;           /* for whoever holds it */
    guint source, destination;
    guint strand, step;     /* of the source */
    gint64 arrival_ps;      /* for consumers that know dates */
    gint64 bytes;
    gboolean handshake;     /* a zero-byte message of a pairwise synchronisation */
    Transfer transfer;
    guint count;            /* blocks, in the order of the stretches; 0 of a handshake */
    guint n_stretches;
    guint room;             /* of the load, in blocks */
    guint first;            /* of the stretches in `shared` */
    GArray *shared;         /* where the stretches are, if the step shares them; else NULL */
    Block load[];           /* [count] blocks, then [n_stretches] stretches that are not shared */
};

/* Where parcels come from, and wait to be used again: small ones, that carry a block or nothing, are made many at a
 * time. A pool full of zeros is empty. It must outlive its parcels. */
typedef struct {
    Parcel *small, *large;
    GSList *chunks;         /* of small parcels */
} ParcelPool;

/* Frees what has been recycled, and all small parcels, recycled or not. */
void parcel_pool_clear(ParcelPool *pool);

/* A parcel for `count` blocks of what `send`, of `step`, carries; with `send` NULL for no blocks. Counts and room are
 * set, the rest is for the caller. Ends with parcel_recycle(), or with parcels_free() of the list it is in. */
Parcel *parcel_new(ParcelPool *pool, guint count, const Step *step, const Send *send);
void parcel_recycle(ParcelPool *pool, Parcel *parcel);

/* Where what it carries comes from and lands, [n_stretches]. Borrowed. */
const Stretch *parcel_stretches(const Parcel *parcel);

/* Frees a list of parcels linked by `next`; small ones stay their pool's. */
void parcels_free(Parcel *parcel);

/* Bytes of what `send`, of `step`, carries, if they differ; the load says so where the slots do not tell. */
gint64 parcel_weigh(const Content *content, const Step *step, const Send *send, const Parcel *parcel);

/* Takes the blocks out of the source's memory. */
void parcel_take(Parcel *parcel, Memory *memory);

/* Puts them into the destination's memory. */
void parcel_land(Parcel *parcel, Memory *memory);

/* After they have been taken, and before they are put there: counts their bytes (memory_count_landing()). */
void parcel_count_taken(Parcel *parcel, Memory *memory);
gint64 parcel_count_landing(Parcel *parcel, Memory *memory);
