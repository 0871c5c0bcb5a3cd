/* Agendas of all processors of a cube carried out in one process, without an MPI. */
#pragma once

#include "sim/agenda/agenda.h"
#include "sim/patterns/problem.h"

/* Spoils a message before it arrives. */
typedef void Spoil(guint source, guint destination, guint step, char *bytes, gsize n);

/* Goes through all agendas of a problem; every message is checked when it arrives, and every memory at the end. NULL,
 * or what is wrong first. `spoil` may be NULL; `backwards` takes processors and strands in the opposite order. Caller
 * frees. */
char *cubicle_run(const Problem *problem, gboolean pairwise_sync, Spoil *spoil, gboolean backwards);
