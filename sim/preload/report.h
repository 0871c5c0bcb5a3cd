/* What ECUBE_VERBOSE=1 prints when the program ends: which exchanges there were, and what was used. */
#pragma once

#include <stddef.h>

void report_begin(int rank);

/* Whether this is rank 0 of MPI_COMM_WORLD. */
int report_is_first(void);

/* Whether this rank prints a report. */
int report_is_on(void);

/* Counts a call between so many processes that `list` has done; `bytes` of a block, or PLAN_UNEQUAL. */
void report_count(int processes, size_t bytes, const char *list, double seconds);

/* Prints the report and frees it. */
void report_print(int has_rules);
