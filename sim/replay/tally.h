/* The operations of arithmetic that processors do. */
#pragma once

#include "parcel.h"

typedef struct {
    const Content *content;
    guint n_nodes;
    gint64 *operations;     /* [n_nodes]; NULL: the content has no arithmetic */
} Tally;

void tally_init(Tally *tally, const Content *content, guint n_nodes);
void tally_clear(Tally *tally);

/* The additions that a parcel means where it arrives: what lands where nothing is yet is the first term of a sum. */
gint64 tally_additions(const Tally *tally, const Parcel *parcel, gint64 kept_bytes);

/* Counts what a step of `node` takes, its additions and its local work, and tells how much that is. */
gint64 tally_step(Tally *tally, guint node, gint64 additions, const Operation *operation);

/* Of the processor that has most. */
gint64 tally_most(const Tally *tally);
