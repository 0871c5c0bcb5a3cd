/* What came of some runs, in a sentence or two. */
#pragma once

#include "sim/run/report.h"

/* "At 32 bytes multiphase 3,3 is the fastest: it takes 50 % of the time of the slowest, direct. Nothing blocked.": for
 * the first sizes the fastest run against the slowest; of a single run, how it is to its contention-free time. Caller
 * frees. */
char *page_words(const Record *records, guint n_records);
