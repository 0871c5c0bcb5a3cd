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

/* The grid with which the published time of a multiplication is least (with the best packets, if these are `optimal`
 * or unlimited), of several that with the fewest rows; without a machine (NULL), that with the fewest transfers. Of
 * algorithms that no table has, the one with as many rows as columns, or twice as many. problem->matmul.grid does
 * not matter. */
MatmulGrid published_grid(const Problem *problem, const Machine *machine, gboolean optimal);

/* Gives pipelined transpositions of a multiplication the packets of Table 11, B_opt, in whole elements and no larger
 * than the machine's. */
void published_choose_packets(Problem *problem, const Machine *machine);

/* The case of Table 2 that a permutation's run is; the run must outlive it. */
PermutingCase published_permutation_case(const Run *run);

/* Its published time, also where that is not for the machine: `*why`, or NULL (static text). */
gint64 published_permutation_ps(const Run *run, const char **why);
