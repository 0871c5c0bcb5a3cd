/* From a schedule to the agenda of one processor: the whole cube is walked once, and what that one does is kept. */
#pragma once

#include "agenda.h"
#include "sim/schedule/schedule.h"

/* The agenda of processor `node`; `pairwise_sync` and `phase_barrier` as in the machine model. `schedule` must outlive
 * it. NULL and `*fault`, which the caller frees, if the data would not be in place at the end: see verify.h. */
Agenda *agenda_compile(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                       char **fault);

/* The same for receives that are all posted before the first step. Those of several strands never are. */
Agenda *agenda_compile_early(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                             char **fault);
