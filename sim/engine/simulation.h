/* The result of a simulation, for any switching. */
#pragma once

#include "sim/machine/machine.h"
#include "network.h"
#include "sim/replay/replay.h"

typedef struct {
    gint64 time_ps;         /* date at which the last processor finished */
    NetworkStats network;
    gint64 operations;      /* operations of arithmetic of the processor with the most */
    Proof proof;            /* how the data was proved */
    gint64 peak_bytes;      /* largest number of bytes that a processor held at a time (replay_peak_bytes()) */
    gint64 largest;         /* bytes of the largest message */
    char *fault;            /* the first thing wrong with the data, or NULL */
    char *stuck;            /* if the run could not finish: which processors wait, and for which others; else NULL */
} EngineResult;

/* Completes the result (all but time_ps and network) from a replay that cannot go on, and frees the replay. */
static inline void engine_judge(Replay *replay, EngineResult *result)
{
    result->stuck = replay_stuck(replay);
    if (!result->stuck)
        replay_check(replay);
    result->fault = g_strdup(replay_fault(replay));
    result->operations = replay_operations(replay);
    result->proof = replay_proof(replay);
    result->peak_bytes = replay_peak_bytes(replay);
    result->largest = replay_largest_message(replay);
    replay_free(replay);
}
