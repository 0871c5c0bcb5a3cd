/* Parcels, which are blocks on their way, and mailboxes, in which parcels wait. A parcel's blocks lie behind its
 * head, in one allocation, and so do its stretches, unless the parcels of a step share them. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Parcel Parcel;
struct Parcel {
    Parcel *next;           /* next parcel in a list of its present holder */
    guint source, destination;
    guint strand, step;     /* strand and step of the source */
    union {                 /* dates of arrival, for consumers that know dates */
        gint64 arrival_ps;
        gint64 *arrivals_ps;    /* [machine], if there are several */
    };
    guint rank;             /* number among the messages of its step, from 0 */
    gint64 bytes;
    gboolean handshake;     /* whether it is a zero-byte message of a pairwise synchronization */
    guint phase;            /* phase of the source, from 1 */
    gboolean buffered;      /* whether it came before its receive was posted; then a step that takes it copies it */
    Transfer transfer;
    guint count;            /* number of blocks, in the order of the stretches; 0 for a handshake */
    guint n_stretches;
    guint room;             /* capacity of `load`, in blocks */
    guint first;            /* index of its first stretch in `shared` */
    GArray *shared;         /* Stretch: the step's stretches, if parcels share them; else NULL */
    Block load[];           /* [count] blocks, then [n_stretches] stretches that are not shared */
};

/* The source of parcels, in which recycled ones wait to be used again. Small parcels, with one block or none, are
 * made many at a time. A pool full of zeros is empty. It must outlive its parcels. */
typedef struct {
    Parcel *small, *large;
    GSList *chunks;         /* allocations of small parcels */
} ParcelPool;

/* Frees all recycled parcels, and all small parcels, recycled or not. */
void parcel_pool_clear(ParcelPool *pool);

/* Allocates a parcel for `count` blocks of `send`, a message of `step`; `send` NULL is for no blocks. Sets the
 * counts, transfer, room and stretches; the caller sets the rest. Ends with parcel_recycle() or with its mailbox. */
Parcel *parcel_new(ParcelPool *pool, guint count, const Step *step, const Send *send);
void parcel_recycle(ParcelPool *pool, Parcel *parcel);

/* Returns the stretches that its blocks come from and land in: [n_stretches]. Borrowed. */
const Stretch *parcel_stretches(const Parcel *parcel);

/* Returns the bytes of `send`, a message of `step`, for blocks of different sizes: by its load, or by its slots. */
gint64 parcel_weigh(const Content *content, const Step *step, const Send *send, const Parcel *parcel);

/* The parcels that have come to a strand of a processor before it awaits them, found by their source.
 *
 * A mailbox full of zeros is empty. Mostly it holds few parcels or none. But an algorithm that awaits nothing until
 * the end fills it with a parcel from every other processor, so it has a table of its own. */
typedef struct {
    guint count;            /* parcels */
    guint bits;             /* log2 of the table's size; 0: there is no table */
    Parcel **table;         /* [2^bits] lists of parcels, or NULL; parcels of one source are in the order of arrival */
} Mailbox;

void mailbox_put(Mailbox *mailbox, Parcel *parcel);

/* Removes and returns the parcel of `source` that came first, or NULL. Caller owns it. */
Parcel *mailbox_take(Mailbox *mailbox, guint source);

/* Returns the parcel that came first of those with the smallest source, or NULL. Borrowed. */
const Parcel *mailbox_first(const Mailbox *mailbox);

/* Frees its parcels and its table; it is empty then. */
void mailbox_clear(Mailbox *mailbox);
