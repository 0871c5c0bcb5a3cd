/* Rules for libecube (sim/lib/README.md): for a number of processes, from which block size on which list. */
#pragma once

#include "measured.h"
#include "models/hull.h"

/* Largest cube with rules: libecube's. */
#define RULES_DIMENSION_MAX 16

/* The section of a hull of partitions or, if `by_offsets`, of lists, on 2 to 2^RULES_DIMENSION_MAX processors. A face
 * without whole sizes above 0 has no rule. Caller frees. */
char *rules_of_hull(const Hull *hull, const Group *group, gboolean by_offsets);

/* The sections of all numbers of processes that were measured: at each size that was, what took least, of the MPI
 * library's own function, Direct, partitions, radices and offsets; beyond the largest the library's own. `files` names
 * them, for a comment. Says on standard error of which numbers there are no times of the library's own function.
 * Error: there are no such times at all. Caller frees. */
char *rules_of_measured(const Measured *measured, const char *files, GError **error);
