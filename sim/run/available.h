/* How much memory there is. */
#pragma once

#include "sim/patterns/run.h"

/* Bytes that this process may still take: of the machine, of its control groups, of its own limit. */
gsize available_bytes(void);

/* The same, its own limit aside, by what the files in `root`/proc and `root`/sys say; G_MAXSIZE: no limit. A file that
 * is missing, or not understood, limits nothing. */
gsize available_below(const char *root);

/* "35 MB", "26.4 GB": what is needed, rounded up, or what is free, rounded down, so that what is too little looks so.
 * Caller frees. */
char *available_text(gsize bytes, gboolean needed);

/* Refuses a run that needs `needed` bytes, if that is more than `room`. Error: ECUBE_ERROR_MEMORY. */
gboolean available_check(const Run *run, gsize needed, gsize room, GError **error);

/* Sets the limit of this process, so that it takes at most `room` bytes more; allocating more than that fails. */
void available_limit(gsize room);

/* Refuses a run that needs more than the `room` bytes that it was given, also if only `needed` were expected: FALSE. */
gboolean available_refuse(const Run *run, gsize needed, gsize room, GError **error);
