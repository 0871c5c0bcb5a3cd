/* The fluid network: the same schedules over SimGrid's own flows, to compare with circuits (README.md, "Switching").
 * Where nothing contends, times equal those of circuits to 1e-9. */
#pragma once

#include "simulation.h"

/* Simulates `schedule` and adds 1 to `*delivered` with each message delivered. `result` counts no message as blocked.
 * Returns FALSE if the clock cannot count the run. */
gboolean fluid_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                   EngineResult *result);
