/* Time against block size: the contention-free parts of runs at any size, and their simulated times at some sizes. */
#pragma once

#include "breakdown.h"

/* A block size, and the parts of the contention-free time at this size. */
typedef struct {
    gint64 bytes;
    gint64 ps[N_BREAKDOWN];     /* [part]: times of the parts; contention is 0 */
} SizeKnot;

/* Returns knots of the record's run (GArray of SizeKnot, sizes ascending from 0 to `most`): between two knots every
 * part is linear in the block size, to the ps. NULL if there are too many knots or messages, `most` is below 2, the
 * machine has packets, the run has no result, or it is no complete exchange. Caller unrefs. */
GArray *sizes_knots(const Record *record, gint64 most);

/* Returns the largest size that a chart of the records shows: their largest or, if they have a single size, twice
 * that; at least 1. */
gint64 sizes_most(const Record *records, guint n);

/* Appends the member "sizes" to an object of JSON: "most"; "parts", their names; and "curves". Each name whose first
 * run has knots has a curve, up to CURVES_MAX (sizes.c): name, colour, "knots" (arrays of a size and the parts in ps),
 * and "points" (arrays of a size, the simulated time in ps, and the index of the run). Appends nothing without
 * curves. */
void sizes_add_json(GString *json, const Record *records, guint n);

/* Returns the colours (palette_choose()) of records[n], n > 0. Runs with one name have one colour. Caller frees. */
guint *sizes_colours(const Record *records, guint n);
