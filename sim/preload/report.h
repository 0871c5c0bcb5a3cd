/* The report of ECUBE_VERBOSE=1 at the end of the program: its exchanges, and the lists that did them. */
#pragma once

#include <stddef.h>

void report_begin(int rank);

/* Whether this is rank 0 of MPI_COMM_WORLD. */
int report_is_first(void);

/* Whether this rank prints a report. */
int report_is_on(void);

/* Counts a call that `list`, or "library", has done; `bytes` is the size of a block, or PLAN_UNEQUAL. */
void report_count(int processes, size_t bytes, const char *list, double seconds);

/* Prints the report and frees it. */
void report_print(int has_rules);
