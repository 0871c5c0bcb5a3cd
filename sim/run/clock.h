/* Whether the clock can count the size of a run. */
#pragma once

#include "sim/patterns/run.h"

/* Refuses a run that it cannot count, with ECUBE_ERROR_INPUT naming the limit and the size; and a multiplication whose
 * schedule does not fit into memory at all, as making it takes long. */
gboolean run_check_clock(const Run *run, GError **error);
