/* The map of kept circuits: which number of circuits is best, by block size and time to reconfigure. */
#pragma once

#include "query.h"

/* Returns the map as a table: the faces of the hull for each time to reconfigure, from a tenth of a start-up to 10^4
 * start-ups. Caller frees. */
char *circuits_map_text(const Query *p, Format format);

/* Returns the script that draws the map. Caller frees. */
char *circuits_map_figure(const CommandLine *line, const Query *p);

/* Refuses a map for several `places` (Query), for a machine that cannot keep circuits
 * (machine_check_keys()), and for a hull of partitions. */
gboolean circuits_check_map(const GArray *places, GError **error);
