/* What came of some runs, in a sentence or two. */
#pragma once

#include "sim/run/record.h"

/* "At 32 bytes multiphase 3,3 is the fastest: it takes 50 % of the time of the slowest, direct. The difference, mainly:
 * ... Nothing blocked.": for the first sizes the fastest run against the slowest, and why (difference.h); of a single
 * run, how it is to its contention-free time. Caller frees. */
char *page_words(const Record *records, guint n_records);

/* The same of the first sizes alone, below a table: an empty line, and a line for each; nothing where no run of a size
 * took longer than another. Caller frees. */
char *page_words_below(const Record *records, guint n_records);
