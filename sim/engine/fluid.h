/* The fluid network: the same schedules over SimGrid's own flows, to compare with circuits (README.md, "Switching").
 * Where nothing contends, times differ from those of circuits by at most a part in 10^9. */
#pragma once

#include "simulation.h"

/* Simulates `schedule` and adds 1 to `*delivered` with each message delivered. `result` counts no message as blocked.
 * Returns FALSE if the run takes INPUT_TIME_MAX_PS or longer. */
gboolean fluid_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                   EngineResult *result);
