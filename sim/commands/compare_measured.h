/* ecube compare --measured: the hull's choice against what was measured. */
#pragma once

#include "command.h"

/* With the machine of the scenario, whose dimension, if it has one, is the only one that counts, and the measured file
 * `path`. */
gboolean compare_measured(const CommandLine *line, const char *path, GError **error);
