/* The engine over the network of the machine model: circuits, or store-and-forward.
 *
 * SimGrid's second is our picosecond here. The network is one more actor: it owns the calendar (network.h), and sleeps
 * from one instant at which a processor must act to the next. A processor blocks once per step, on a semaphore of its
 * own. At an instant the network wakes whoever is ready and waits until all of them have acted before it grants
 * anything, so the order in which SimGrid wakes them makes no difference. */
#ifndef ECUBE_CIRCUITS_H
#define ECUBE_CIRCUITS_H

#include "simulation.h"
#include "trace.h"

/* Runs the schedule, counts `*delivered` up, adds what happens to `trace` unless that is NULL. FALSE if the clock can't
 * count the run. */
gboolean circuits_run(const Schedule *schedule, const Machine *machine, Division data, volatile guint64 *delivered,
                      Trace *trace, EngineResult *result);

#endif
