/* The fluid network: the same schedules over SimGrid's own flows, for comparison with circuits.
 *
 * A message pays its start-up, delta and delta_hop per channel, then flows at 1/tau over the channels of its e-cube
 * route; flows that share a channel share its bandwidth, nothing holds a channel while it waits, and there is no
 * receive port. Send ports are as in the circuit network. Where nothing contends, times are those of circuits, to 1e-9.
 */
#pragma once

#include "simulation.h"

/* Runs the schedule and counts `*delivered` up; nothing is ever blocked. FALSE if the clock can't count the run. */
gboolean fluid_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                   EngineResult *result);
