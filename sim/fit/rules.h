/* Rules for libecube (sim/lib/README.md): for a number of processes, lists and the block sizes from which they hold. */
#pragma once

#include "measured.h"
#include "models/hull.h"

/* Dimension of the largest cube with rules: libecube allows 2^18 processes (ECUBE_PROCESSES_MAX). */
#define RULES_DIMENSION_MAX 18

/* Returns the rules of a hull of partitions or, if `by_offsets`, of lists, on 2 to 2^RULES_DIMENSION_MAX processors. A
 * face without whole sizes above 0 has no rule. Caller frees. */
char *rules_of_hull(const Hull *hull, const Group *group, gboolean by_offsets);

/* Returns the rules of libecube for all numbers of processes that were measured. For each measured size they name
 * what had the least median time: the MPI library's own function, Direct, a partition, radices or offsets. The
 * library's function, or Direct where that was not measured, gives way only if the difference is outside of a
 * confidence interval; all intervals of a file together hold at 95 %. Beyond the largest size they name the library's
 * own function. `files` names the files, for a comment. Prints on standard error where the library's function was not
 * measured, and where times do not decide. NULL with an error if no measured time is of something that rules can
 * name. Caller frees. */
char *rules_of_measured(const Measured *measured, const char *files, GError **error);
