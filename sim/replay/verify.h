/* The verifier: a schedule's data, step by step, without any clock. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/schedule.h"

typedef struct {
    gboolean ok;
    char *fault;            /* the first thing wrong, one line; NULL if ok */
    guint64 messages;       /* data messages sent */
    guint64 blocks;         /* blocks moved by them, a block counted each time it is sent */
    gint64 operations;      /* of arithmetic, at the processor that has most */
    gint64 peak_bytes;      /* that a processor holds at a time, at most (replay_peak_bytes()) */
} Verdict;

/* Replays the schedule and checks that every block ends where the content promises, that no message is lost or left
 * over, and that no step asks more of a processor than its ports can do: with PORTS_ONE at most one send, and at most
 * one of the awaited messages sent in the same step; with PORTS_ALL the same per channel; unless the schedule says
 * SCHEDULE_AT_ONCE. A failed verification is a result, not an error. Clear with verdict_clear(). */
Verdict verify(const Schedule *schedule, Ports ports);
void verdict_clear(Verdict *verdict);
