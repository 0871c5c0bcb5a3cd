/* Which published formula belongs to which algorithm: the one place where schedules and models meet. */
#pragma once

#include "models/permuting.h"
#include "run.h"

/* The published time of the run, rounded to the picosecond. FALSE if no published model applies; `*reason`, if not
 * NULL, then says why (static text). */
gboolean published_time(const Run *run, gint64 *time_ps, const char **reason);

/* B_opt: the packet with which the published time is least, in whole elements and no larger than the machine's; where
 * no table has one, the machine's (0: unlimited). The run's data need not have been divided yet. */
gint64 published_packet(const Run *run);

/* The case of Table 2 that a permutation's run is; the run must outlive it. */
PermutingCase published_permutation_case(const Run *run);

/* Its published time, also where that is not for the machine: `*why`, or NULL (static text). */
gint64 published_permutation_ps(const Run *run, const char **why);
