/* The engine: a schedule on SimGrid, one actor per processor, over the network of the machine model (README.md and
 * network.h), or over SimGrid's own flows (fluid.h), as the machine's switching says. Actors are coroutines of one
 * thread, unless ECUBE_CONTEXTS=thread. */
#pragma once

#include "simulation.h"
#include "trace.h"

/* Simulates `schedule` on `machine`. A processor must have at most 2^53 (INPUT_TIME_MAX_PS) bytes of data. A process
 * that uses the switching fluid must use it in all calls, with one number of processors. Otherwise it aborts, because
 * SimGrid keeps one platform per process. Adds 1 to `*delivered`, if not NULL, with each message delivered, for another
 * process that watches. Appends messages and intervals to `trace`, if not NULL; this requires another switching than
 * fluid, and fewer than 2^32 packets. Errors: the errors of engine_load(); ECUBE_ERROR_INPUT if the run would reach
 * INPUT_TIME_MAX_PS. Clear the result with engine_result_clear(); after an error there is nothing to clear. */
gboolean engine_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                    Trace *trace, EngineResult *result, GError **error);
void engine_result_clear(EngineResult *result);

/* "SimGrid version 3.32": the release this was compiled with */
extern const char engine_simgrid_version[];

/* Loads SimGrid, unless it is loaded, and checks ECUBE_CONTEXTS. engine_run() calls this itself; a process that forks
 * children to simulate calls it first, so that the children need not load SimGrid. Errors: ECUBE_ERROR_INPUT if the
 * library is missing or of another release than this was compiled with, or if ECUBE_CONTEXTS is not allowed. */
gboolean engine_load(GError **error);
