/* What came of some runs, in a sentence or two: which are the fastest, and what made the difference. */
#pragma once

#include "sim/run/record.h"

/* "At 32 bytes multiphase 3,3 is the fastest: it takes 50 % of the time of the slowest, direct. The difference, mainly:
 * naive loses 13634.700 µs to contention; direct pays 63 handshakes (7175.100 µs). Nothing blocked.": for the first
 * sizes the fastest run against the slowest; of a single run, how it is to its contention-free time.
 *
 * What a run pays for something is what its contention-free time falls by when that costs nothing, one thing after the
 * other; contention is the rest of its simulated time. So the parts of a run add up to its time. "mainly" where parts
 * are left out, those below a tenth of the largest. Caller frees. */
char *summary_text(const Record *records, guint n_records);

/* The same of the first sizes alone, below a table: an empty line, and a line for each; nothing where no run of a size
 * took longer than another. Caller frees. */
char *summary_below(const Record *records, guint n_records);
