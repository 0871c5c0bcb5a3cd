/* Which published formula belongs to which algorithm: the one place where schedules and models meet. */
#ifndef ECUBE_PUBLISHED_H
#define ECUBE_PUBLISHED_H

#include "run.h"

/* The published time of the run, rounded to the picosecond. FALSE if no published model applies; `*reason`, if not
 * NULL, then says why (static text). */
gboolean published_time(const Run *run, gint64 *time_ps, const char **reason);

/* B_opt: the packet with which the published time is least, in whole elements and no larger than the machine's; where
 * no table has one, the machine's (0: unlimited). The run's data need not have been divided yet. */
gint64 published_packet(const Run *run);

#endif
