/* The parcels that have come to one strand of a processor before it awaits them, found by their source.
 *
 * A mailbox full of zeros is empty. Mostly it holds no parcel or a few, but an algorithm that awaits nothing until the
 * end makes it hold one of every other processor; so it has a table of its own. Parcels are entered there when somebody
 * asks for one. */
#pragma once

#include "parcel.h"

typedef struct {
    guint count;            /* parcels */
    guint bits;             /* of the table's size, if there is a table */
    Parcel *recent;         /* not in the table yet; the one that came last is first */
    Parcel **table;         /* [2^bits] lists of parcels, or NULL; those of one source in the order of their arrival */
} Mailbox;

void mailbox_put(Mailbox *mailbox, Parcel *parcel);

/* The parcel of `source` that came first, which the caller owns from now on, or NULL. */
Parcel *mailbox_take(Mailbox *mailbox, guint source);

/* The parcel that came first of the source with the smallest number, or NULL. Borrowed. */
const Parcel *mailbox_first(Mailbox *mailbox);

/* Frees what is in it. */
void mailbox_clear(Mailbox *mailbox);
