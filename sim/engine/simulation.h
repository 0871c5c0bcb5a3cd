/* The result of a simulation, whatever the switching. */
#pragma once

#include "sim/machine/machine.h"
#include "network.h"
#include "sim/replay/replay.h"

typedef struct {
    gint64 time_ps;         /* when the last processor finished */
    NetworkStats network;
    gint64 operations;      /* of arithmetic, at the processor that has most */
    gint64 peak_bytes;      /* that a processor holds at a time, at most (replay_peak_bytes()) */
    char *fault;            /* the first thing wrong with the data, or NULL */
    char *stuck;            /* who waits for whom, if the run could not finish, or NULL */
} EngineResult;

/* Nothing more can happen: what the replay says of that. Frees it. */
static inline void engine_judge(Replay *replay, EngineResult *result)
{
    result->stuck = replay_stuck(replay);
    if (!result->stuck)
        replay_check(replay);
    result->fault = g_strdup(replay_fault(replay));
    result->operations = replay_operations(replay);
    result->peak_bytes = replay_peak_bytes(replay);
    replay_free(replay);
}
