/* Parcels, which are blocks on their way, and mailboxes, in which parcels wait. A parcel's blocks lie behind its
 * head, in one allocation, and so do its stretches, unless the parcels of a step share them. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Parcel Parcel;
struct Parcel {
    Parcel *next;           /* next parcel in the list in which this one is: of a mailbox, a pool or a consumer */
    guint source, destination;
    guint strand, step;     /* strand and step of the source */
    union {                 /* dates that the hooks of a replay may keep here */
        gint64 arrival_ps;      /* date of arrival (price.c), or date of its turn to be sent (fluid.c) */
        gint64 *arrivals_ps;    /* [machine]: dates of arrival, if several machines are priced together (price.c) */
    };
    guint rank;             /* number among the messages of its step, from 0 */
    gint64 bytes;
    gboolean handshake;     /* whether it is a zero-byte message of a pairwise synchronization */
    guint phase;            /* number of phases that the source had begun when it sent the parcel */
    gboolean buffered;      /* whether it waits in a buffer, as its receive was not posted; a step that takes it copies
                             * it */
    Transfer transfer;
    guint count;            /* number of blocks, in the order of the stretches; 0 for a handshake */
    guint n_stretches;
    guint room;             /* capacity of `load`, in blocks */
    guint first;            /* index of its first stretch in `shared` */
    GArray *shared;         /* Stretch: the step's stretches, if parcels share them; else NULL */
    Block load[];           /* [count] blocks, then [n_stretches] stretches that are not shared */
};

/* An allocator of parcels, in which recycled parcels wait to be used again. Small parcels, with room for a block and a
 * stretch, are allocated many at a time. A pool full of zeros is empty. It must outlive its parcels. */
typedef struct {
    Parcel *small, *large;
    GSList *chunks;         /* allocations of small parcels */
} ParcelPool;

/* Frees all recycled parcels, and all small parcels, recycled or not. */
void parcel_pool_clear(ParcelPool *pool);

/* Allocates a parcel for `count` blocks of `send`, a message of `step`; `send` NULL: a parcel without blocks. Sets the
 * counts, transfer, room and stretches; the caller sets the rest. Free it with parcel_recycle(); mailbox_clear() frees
 * a parcel that is still in a mailbox. */
Parcel *parcel_new(ParcelPool *pool, guint count, const Step *step, const Send *send);
void parcel_recycle(ParcelPool *pool, Parcel *parcel);

/* Returns the stretches of slots that the parcel's blocks come from and land in: [n_stretches]. Borrowed. */
const Stretch *parcel_stretches(const Parcel *parcel);

/* Returns the bytes of `send`, a message of `step`, where blocks differ in size: the bytes of the blocks loaded in
 * `parcel` if content_sizes_move(), else the bytes of the slots sent. */
gint64 parcel_weigh(const Content *content, const Step *step, const Send *send, const Parcel *parcel);

/* The parcels that have come to a strand of a processor before it awaits them, found by their source.
 *
 * A mailbox full of zeros is empty. Mostly it holds few parcels or none. But an algorithm that awaits nothing until
 * the end fills it with a parcel from every other processor, so it has a table of its own. */
typedef struct {
    guint count;            /* number of parcels */
    guint bits;             /* log2 of the table's size; 0: there is no table */
    Parcel **table;         /* [2^bits] lists of parcels, or NULL; parcels of one source are in the order of arrival */
} Mailbox;

void mailbox_put(Mailbox *mailbox, Parcel *parcel);

/* Removes and returns the parcel of `source` that came first, or NULL. Caller owns it. */
Parcel *mailbox_take(Mailbox *mailbox, guint source);

/* Returns the parcel that came first of those with the smallest source, or NULL. Borrowed. */
const Parcel *mailbox_first(const Mailbox *mailbox);

/* Frees the mailbox's parcels and its table, and leaves the mailbox empty. */
void mailbox_clear(Mailbox *mailbox);
