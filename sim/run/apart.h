/* Work in a process of its own: whatever becomes of that, the caller goes on. */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* fork(), for a process that dies with its parent: its number, 0 in the new one, or -1 with an ECUBE_ERROR_SYSTEM. */
pid_t apart_fork(GError **error);

/* Calls `work` in a new process, adds to `out` what it has added to the text it was given, and sets `*ok` to what it
 * returned. Errors: ECUBE_ERROR_RUN if it died, ECUBE_ERROR_SYSTEM if there can be none; then `out` is as it was. */
typedef gboolean ApartWork(gconstpointer data, GString *text);
gboolean apart_do(ApartWork *work, gconstpointer data, GString *out, gboolean *ok, GError **error);
