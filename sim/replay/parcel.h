/* Parcels: blocks on their way, and mailboxes, where they wait. What a parcel carries lies behind its head, in one
 * allocation; where it lands too, unless many parcels share that. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Parcel Parcel;
struct Parcel {
    Parcel *next;           /* for whoever holds it */
    guint source, destination;
    guint strand, step;     /* of the source */
    union {                 /* for consumers that know dates: */
        gint64 arrival_ps;
        gint64 *arrivals_ps;    /* on several machines */
    };
    gint64 bytes;
    gboolean handshake;     /* a zero-byte message of a pairwise synchronisation */
    guint phase;            /* of the source, from 1 */
    gboolean buffered;      /* it came before its receive was posted, and is to be copied */
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
 * set, the rest is for the caller. Ends with parcel_recycle(), or with the mailbox that it is in. */
Parcel *parcel_new(ParcelPool *pool, guint count, const Step *step, const Send *send);
void parcel_recycle(ParcelPool *pool, Parcel *parcel);

/* Where what it carries comes from and lands, [n_stretches]. Borrowed. */
const Stretch *parcel_stretches(const Parcel *parcel);

/* Bytes of what `send`, of `step`, carries, if they differ; the load says so where slots do not determine them. */
gint64 parcel_weigh(const Content *content, const Step *step, const Send *send, const Parcel *parcel);

/* The parcels that have come to one strand of a processor before it awaits them, found by their source.
 *
 * A mailbox full of zeros is empty. Mostly it holds no parcel or a few, but an algorithm that awaits nothing until the
 * end makes it hold one of every other processor; so it has a table of its own. Parcels are entered there when somebody
 * asks for one. */
typedef struct {
    guint count;            /* parcels */
    guint bits;             /* of the table's size; 0: there is no table */
    Parcel **table;         /* [2^bits] lists of parcels, or NULL; of one source in the order of their arrival */
} Mailbox;

void mailbox_put(Mailbox *mailbox, Parcel *parcel);

/* The parcel of `source` that came first, which the caller owns from now on, or NULL. */
Parcel *mailbox_take(Mailbox *mailbox, guint source);

/* The parcel that came first of the source with the smallest number, or NULL. Borrowed. */
const Parcel *mailbox_first(const Mailbox *mailbox);

/* Frees what is in it. */
void mailbox_clear(Mailbox *mailbox);
