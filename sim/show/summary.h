/* What came of some runs, in a sentence or two: which are the fastest, and what made the difference. */
#pragma once

#include "roots.h"
#include "sim/run/record.h"

/* Whether a run came to its end with all data in place. */
gboolean summary_has_result(const Record *record);

/* "multiphase 3,3", the run without dimension and size; "32 bytes", or its shape. Caller frees. */
char *summary_name(const Record *record);
char *summary_size(const Record *record);

gboolean summary_is_same_size(const Record *a, const Record *b);

/* Whether records[i] is the first of its size that has a result. */
gboolean summary_is_first_of_size(const Record *records, guint i);

/* The runs of one size that have results. */
typedef struct {
    const Record *fastest, *slowest;
    guint n, n_fastest;     /* runs, and those that are as fast as the fastest */
} Field;

/* Of the size of records[first], the first that has a result. */
Field summary_field(const Record *records, guint n, guint first);

/* "At 32 bytes direct, the slowest, takes 2.00 times as long as multiphase 3,3, the fastest. The difference, mainly:
 * direct pays 63 handshakes (7175.100 µs); multiphase 3,3 pays 900.000 µs for shuffles.": for the first sizes, each in
 * a line below a table, after an empty line; nothing where no run of a size took longer than another.
 *
 * What a run pays for is in makeup.h. "mainly" where parts are left out, those below a tenth of the largest. What a run
 * loses to contention comes with the cause, for which a run that is not too long is run again. Caller frees. */
char *summary_below(const Record *records, guint n_records);

/* The same above a table, of the first and the last size, also of runs that take equally long; of a run that is alone,
 * how it is to its contention-free time; and how many failed. `causes`[n_records] are those of the runs' traces. Caller
 * frees. */
char *summary_text(const Record *records, guint n_records, const Cause *causes);

/* "Most waiting is in naive at 200 bytes: 413 of 992 messages wait, 45454.300 µs summed over messages. At the root:
 * receive ports 99.8 %, channels 0.2 %." Caller frees. */
char *summary_waiting(const Record *records, guint n_records, const Cause *causes);
