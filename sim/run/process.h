/* One run in a process of its own, so that it can neither disturb nor be disturbed by another (SimGrid keeps one
 * platform per process): two times and a proof. */
#pragma once

#include "sim/patterns/run.h"
#include "sim/engine/network.h"
#include "sim/engine/trace.h"

#define RUN_FAULT_MAX 1024

/* Most events (price.h) that a run may take: hours. Without a cost, the clock does not bound the packets of a run. */
#define RUN_EVENTS_MAX G_GUINT64_CONSTANT(100000000000)

typedef struct {
    gint64 contention_free_ps;
    gint64 simulated_ps;
    NetworkStats network;
    gint64 operations;          /* of arithmetic, at the processor that has most */
    gint64 peak_bytes;          /* that a simulated processor holds at a time, at most (replay_peak_bytes()) */
    gboolean finished;          /* FALSE: nobody could go on; the simulated time means nothing */
    gboolean data_ok;
    double wall_s;
    gsize peak;                 /* bytes of memory that its process had at most, measured; see limits.h */
    char fault[RUN_FAULT_MAX];  /* what is wrong, one line; "" if nothing is */
} RunResult;

/* Executes the run. Shows progress on stderr if that is a terminal and the run takes long. `*trace`, unless it is NULL,
 * becomes a trace of the run, sorted; caller frees. A run whose data is wrong or that gets stuck is a result. Errors:
 * ECUBE_ERROR_INPUT if the clock can't count the run, or if it takes more than RUN_EVENTS_MAX, ECUBE_ERROR_MEMORY if
 * more memory than is free, ECUBE_ERROR_RUN if the process died, ECUBE_ERROR_SYSTEM if there can be none. */
gboolean run_execute(const Run *run, RunResult *result, Trace **trace, GError **error);

/* Says on stderr what is wrong with a run whose result is bad; FALSE if `result` is. */
gboolean run_tell_failure(const Run *run, const RunResult *result);

/* The same in pieces, for several runs side by side, without progress. The trace goes into the open file `trace_fd`,
 * unless that is RUN_NO_TRACE. A run that has been started is over when its pipe polls as readable; run_finish() waits
 * for it, fills in the result and frees the process, run_abandon() kills it. It dies with the process that started it,
 * and is refused if it takes more than `room` bytes of memory. */
typedef struct RunProcess RunProcess;
#define RUN_NO_TRACE (-1)
RunProcess *run_start(const Run *run, gsize room, int trace_fd, GError **error);
int run_pipe(const RunProcess *process);
gboolean run_finish(RunProcess *process, RunResult *result, GError **error);
void run_abandon(RunProcess *process);

/* Any other work in a process of its own: whatever becomes of that, the caller goes on. Adds to `out` what `work` has
 * added to the text it was given, and sets `*ok` to what it returned. Errors: ECUBE_ERROR_RUN if it died,
 * ECUBE_ERROR_SYSTEM if there can be none; then `out` is as it was. */
typedef gboolean ApartWork(gconstpointer data, GString *text);
gboolean apart_do(ApartWork *work, gconstpointer data, GString *out, gboolean *ok, GError **error);
