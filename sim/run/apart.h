/* Work in a process of its own: whatever becomes of that, the caller goes on. */
#pragma once

#include <glib.h>

/* Calls `work` in a new process, adds to `out` what it has added to the text it was given, and sets `*code` to what it
 * returned, 0 to APART_CODE_MAX. Errors: ECUBE_ERROR_RUN if it died, ECUBE_ERROR_SYSTEM if there can be none; then
 * `out` is as it was. */
#define APART_CODE_MAX 100
typedef int ApartWork(gconstpointer data, GString *text);
gboolean apart_do(ApartWork *work, gconstpointer data, GString *out, int *code, GError **error);
