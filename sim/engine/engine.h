/* The engine: a schedule on SimGrid, one actor per processor, over the network of the machine model (README.md and
 * network.h), or over SimGrid's own flows (fluid.h), as the machine's switching says. */
#pragma once

#include "simulation.h"
#include "trace.h"

/* Simulates `schedule` on `machine`. All bytes of a processor together are at most INPUT_TIME_MAX_PS. SimGrid keeps
 * one platform per process: all calls in a process must use the dimension of the first, and all or none the
 * switching fluid, else the process aborts. `delivered`, if not NULL, is kept at the number of messages delivered so
 * far, for another process that watches. What happens is appended to `trace`, if not NULL: not with fluid, and only
 * with fewer than 2^32 packets. Errors: ECUBE_ERROR_INPUT if the run would reach INPUT_TIME_MAX_PS. Clear with
 * engine_result_clear(). */
gboolean engine_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                    Trace *trace, EngineResult *result, GError **error);
void engine_result_clear(EngineResult *result);

/* "SimGrid version 3.32": the release this was compiled with */
extern const char engine_simgrid_version[];

/* Loads SimGrid, unless it is loaded, and checks ECUBE_CONTEXTS. engine_run() does so itself; a process that forks
 * others to run in does it before, so that they need not. Errors: ECUBE_ERROR_INPUT, for a library that is missing or
 * of another release than this was compiled with, or a value that is not allowed. */
gboolean engine_load(GError **error);
