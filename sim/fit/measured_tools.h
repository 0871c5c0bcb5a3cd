/* What benchmarks of others print. Half of a round trip is one message over one channel. */
#pragma once

#include "observation.h"

/* Each adds what is in `text`, the file `path` (measured.h). */
gboolean measured_read_osu(Measured *measured, const char *path, const char *text, GError **error);
gboolean measured_read_netpipe(Measured *measured, const char *path, const char *text, GError **error);
gboolean measured_read_imb(Measured *measured, const char *path, const char *text, GError **error);
