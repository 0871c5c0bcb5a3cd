/* The result of some runs in a sentence or two: the fastest, the slowest, and the reasons of the difference. */
#pragma once

#include "roots.h"
#include "sim/run/record.h"

/* Whether a run came to its end with right data. */
gboolean summary_has_result(const Record *record);

/* Return the run without dimension and size, "multiphase 3,3"; its size, "32 bytes", or its shape. Caller frees. */
char *summary_name(const Record *record);
char *summary_size(const Record *record);

gboolean summary_is_same_size(const Record *a, const Record *b);

/* Whether records[i] is the first of its size that has a result. */
gboolean summary_is_first_of_size(const Record *records, guint i);

/* The runs of one size that have results. */
typedef struct {
    const Record *fastest, *slowest;
    guint n, n_fastest;     /* number of runs; number of runs as fast as the fastest, with itself */
} Field;

/* Returns the runs of the size of records[first], which must be the first of its size with a result. */
Field summary_field(const Record *records, guint n, guint first);

/* Returns sentences for below a table: "At 32 bytes direct, the slowest, takes 2.00 times as long as multiphase 3,3,
 * the fastest. The difference, mainly: direct pays 63 handshakes (7175.100 µs); multiphase 3,3 pays 900.000 µs for
 * shuffles." Each of the first sizes has a line, after an empty line. Sizes whose runs all take equally long have none.
 *
 * The parts of a run's time are in breakdown.h. "mainly" means that parts below a tenth of the largest are left out.
 * Time lost to contention comes with its cause, for which the run is run again unless that takes long. Caller frees. */
char *summary_below(const Record *records, guint n_records);

/* Returns sentences for above a table. They say how many runs failed. They compare the fastest and the slowest run at
 * the first and at the last size, as summary_below() does, also if all runs take equally long. A size with one run
 * compares it with its contention-free time. causes[i] (roots.h) is where run i waited. Caller frees. */
char *summary_text(const Record *records, guint n_records, const Cause *causes);

/* Returns "Most waiting is in naive at 200 bytes: 413 of 992 messages wait, 45454.300 µs summed over messages. At the
 * root: receive ports 99.8 %, channels 0.2 %." causes[i] (roots.h) is where run i waited. Caller frees. */
char *summary_waiting(const Record *records, guint n_records, const Cause *causes);
