/* From a schedule to the agenda of one processor: the whole cube is walked once, and what the processor does is kept. */
#pragma once

#include "agenda.h"
#include "sim/schedule/schedule.h"

/* The agenda of processor `node`; `pairwise_sync` and `phase_barrier` as in the machine model. If `early`, it is for
 * receives that are posted at first; those of several strands never are. `schedule` must outlive it. NULL and `*fault`, which the caller frees, if the data would not be in place at the end: see verify.h. */
Agenda *agenda_compile(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                       gboolean early, char **fault);
