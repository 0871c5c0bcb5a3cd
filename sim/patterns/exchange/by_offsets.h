/* Complete exchanges by lists of offsets, in any group. The algorithm offsets makes them; in groups that are no cube
 * so do direct and multiphase. */
#pragma once

#include "sim/cube/offset_list.h"
#include "sim/schedule/algorithm.h"

/* Returns the schedule of a complete exchange by `offsets`, which it takes over, and which must reach all processors.
 * Caller frees. */
Schedule *exchange_by_offsets(const Problem *problem, Offsets *offsets);
