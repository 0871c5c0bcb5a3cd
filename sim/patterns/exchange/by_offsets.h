/* Complete exchanges by lists of offsets in any group: the algorithm offsets; off the cube, direct and multiphase. */
#pragma once

#include "sim/cube/offset_list.h"
#include "sim/schedule/algorithm.h"

/* Returns the schedule of an exchange by `offsets` (owned), which must reach all processors. Caller frees. */
Schedule *exchange_by_offsets(const Problem *problem, Offsets *offsets);
