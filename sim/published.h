/* Which published formula belongs to which algorithm: the one place where schedules and models meet. */
#ifndef ECUBE_PUBLISHED_H
#define ECUBE_PUBLISHED_H

#include "../models/machine.h"
#include "schedule.h"

/* The published time of the schedule, rounded to the picosecond. FALSE if no published model applies; `*reason`, if
 * not NULL, then says why (static text). */
gboolean published_time(const Schedule *schedule, const Machine *machine, gint64 bytes, gint64 *time_ps,
                        const char **reason);

#endif
