/* The engine: a schedule on SimGrid, one actor per processor, circuits of the machine model.
 *
 * SimGrid's second is our picosecond here. The network is one more actor: it owns the calendar (network.h), and sleeps
 * from one instant at which a processor must act to the next. A processor blocks once per step, on a semaphore of its
 * own. At an instant the network wakes whoever is ready and waits until all of them have acted before it grants
 * anything, so the order in which SimGrid wakes them makes no difference. */
#ifndef ECUBE_ENGINE_H
#define ECUBE_ENGINE_H

#include "../models/machine.h"
#include "network.h"
#include "schedule.h"

typedef struct {
    gint64 time_ps;         /* when the last processor finished */
    NetworkStats network;
    char *fault;            /* the first thing wrong with the data, or NULL */
    char *stuck;            /* who waits for whom, if the run could not finish, or NULL */
} EngineResult;

/* Simulates `schedule` on `machine` with blocks of `bytes` bytes (bytes x slots <= INPUT_TIME_MAX_PS). SimGrid keeps
 * one platform per process: all calls of a process must use the dimension of the first, else it aborts. `delivered`, if
 * not NULL, is kept at the number of messages delivered so far, for whoever watches. Errors: ECUBE_ERROR_INPUT if the
 * run would pass INPUT_TIME_MAX_PS. Clear with engine_result_clear(). */
gboolean engine_run(const Schedule *schedule, const Machine *machine, gint64 bytes, volatile guint64 *delivered,
                    EngineResult *result, GError **error);

/* The same, and adds what happens to `trace`, unless that is NULL. A run of which a trace is kept has fewer than 2^32
 * packets. */
gboolean engine_run_traced(const Schedule *schedule, const Machine *machine, gint64 bytes,
                           volatile guint64 *delivered, Trace *trace, EngineResult *result, GError **error);
void engine_result_clear(EngineResult *result);

/* Bytes that SimGrid needs for the actors, hosts and links of a cube, as measured. */
gsize engine_estimate(guint dimension);

/* "SimGrid version 3.32". Static. */
const char *engine_simgrid_version(void);

#endif
