/* Complete exchanges by a list of offsets, in any group: what offsets, and off the cube direct and multiphase, are. */
#pragma once

#include "sim/cube/offset_list.h"
#include "sim/schedule/algorithm.h"

/* Takes over the list, which reaches all processors. Caller frees. */
Schedule *exchange_by_offsets(const Problem *problem, Offsets *offsets);
