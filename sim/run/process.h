/* A run in a process of its own, so that runs do not disturb each other: SimGrid keeps one platform per process. */
#pragma once

#include "estimate.h"
#include "sim/engine/network.h"
#include "sim/replay/replay.h"
#include "sim/engine/trace.h"

#define RUN_FAULT_MAX 1024

typedef struct {
    gint64 contention_free_ps;
    gint64 simulated_ps;
    NetworkStats network;
    gint64 operations;          /* arithmetic operations of the processor that has the most of them */
    Proof proof;                /* in which way the data was checked */
    gint64 peak_bytes;          /* the most bytes that a simulated processor holds at a time (replay_peak_bytes()) */
    gint64 largest;             /* bytes of the largest message */
    gboolean finished;          /* FALSE: the run got stuck before its end, and the simulated time is meaningless */
    gboolean data_ok;
    double wall_s;
    gsize peak;                 /* measured peak memory of the run's process, in bytes; estimate: estimate.h */
    char fault[RUN_FAULT_MAX];  /* one line: what is wrong with the data, or why the run got stuck; "" if data_ok */
} RunResult;

/* Executes the run. Shows progress on stderr if that is a terminal and the run takes long. `*trace`, unless `trace` is
 * NULL, becomes a sorted trace of the run; caller frees. A run with wrong data and a run that gets stuck are results.
 * ECUBE_ERROR_INPUT: the clock cannot count the run, it has over RUN_EVENTS_MAX events, its schedule cannot meet
 * phase_barrier, or engine_load() refuses. ECUBE_ERROR_MEMORY: it needs more memory than is free. ECUBE_ERROR_RUN: the
 * process died. ECUBE_ERROR_SYSTEM: a system call failed. */
gboolean run_execute(const Run *run, RunResult *result, Trace **trace, GError **error);

/* Prints the fault on stderr if the result is bad: wrong data, or a run that got stuck. Returns FALSE then. */
gboolean run_report_failure(const Run *run, const RunResult *result);

/* A run among several side by side, without progress. run_start() starts it; the trace goes into the open file
 * `trace_fd`, unless that is RUN_NO_TRACE. `schedule` is the run's, borrowed for the call; run->machine must live until
 * run_finish(). The run is over when poll() reports any event on run_pipe(), as POLLHUP. run_finish() waits for the
 * end, fills in the result and frees the process; run_abandon() kills the process and frees it. The process dies with
 * its parent. The run is refused if it takes more than `room` bytes of memory. Errors as run_execute(). */
typedef struct RunProcess RunProcess;
#define RUN_NO_TRACE (-1)
RunProcess *run_start(const Run *run, const Schedule *schedule, gsize room, int trace_fd, GError **error);
int run_pipe(const RunProcess *process);
gboolean run_finish(RunProcess *process, RunResult *result, GError **error);
void run_abandon(RunProcess *process);

/* Calls `work` in a process of its own, so that the caller survives if `work` dies. Appends to `out` the text that
 * `work` put into `text`, and sets `*ok` to the result of `work`. Errors: ECUBE_ERROR_RUN if the process died or its
 * text was lost, ECUBE_ERROR_SYSTEM if a system call failed; then `out` is unchanged. */
typedef gboolean ApartWork(gconstpointer data, GString *text);
gboolean apart_do(ApartWork *work, gconstpointer data, GString *out, gboolean *ok, GError **error);
