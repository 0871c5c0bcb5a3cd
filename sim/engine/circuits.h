/* The engine over the network of the machine model: circuits, or store-and-forward.
 *
 * SimGrid's second is our picosecond here. The network's calendar (network.h) is walked by the program itself, outside
 * of all actors; it brings SimGrid's clock to each instant at which a processor must act. A processor's actor is
 * suspended while its step is under way: it blocks once per step. At an instant whoever is ready is resumed, and all of
 * them act before the network grants anything, so the order in which SimGrid runs them makes no difference. Resuming
 * from outside of actors, and all who are ready at once, is what makes this fast: it takes neither a simcall nor a
 * change of context per processor woken. */
#pragma once

#include "simulation.h"
#include "trace.h"

/* Runs the schedule, counts `*delivered` up, adds what happens to `trace` unless that is NULL. FALSE if the clock can't
 * count the run. */
gboolean circuits_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                      Trace *trace, EngineResult *result);
