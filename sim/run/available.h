/* The memory that is free, and the refusal of runs that need more. */
#pragma once

#include "sim/patterns/run.h"

/* Returns the bytes that this process may still take: the minimum over the machine, its control groups and its own
 * limit. */
gsize available_bytes(void);

/* Returns the free bytes of the machine and of the control groups, as the files in `root`/proc and `root`/sys give
 * them; G_MAXSIZE: no limit. A file that is missing or not understood limits nothing. */
gsize available_below(const char *root);

/* Returns `bytes` as "35 MB" or "26.4 GB": rounded up if they are needed, else rounded down, so that too little never
 * looks enough. Caller frees. */
char *available_text(gsize bytes, gboolean needed);

/* Refuses a run if `needed` exceeds `room`, both in bytes. Error: ECUBE_ERROR_MEMORY. */
gboolean available_check(const Run *run, gsize needed, gsize room, GError **error);

/* Limits the memory of this process to `room` bytes more than it has now; an allocation beyond this limit fails. */
void available_limit(gsize room);

/* Refuses a run that was found to need more than `room` bytes, whatever the estimate `needed` says. Returns FALSE
 * with an ECUBE_ERROR_MEMORY. */
gboolean available_refuse(const Run *run, gsize needed, gsize room, GError **error);
