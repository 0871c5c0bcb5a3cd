/* The verifier: a schedule's data, step by step, without a clock. */
#pragma once

#include "replay.h"

typedef struct {
    gboolean ok;
    char *fault;            /* the first fault, one line; NULL if ok */
    guint64 messages;       /* data messages sent */
    guint64 blocks;         /* blocks in these messages; a block counts each time it is sent */
    gint64 operations;      /* arithmetic operations of the processor that has the most of them */
    Proof proof;            /* in which way the data was checked */
    gint64 peak_bytes;      /* largest number of bytes that a processor holds at a time (replay_peak_bytes()) */
} Verdict;

/* Replays the schedule and checks three things: every block ends where the content promises, no message is lost or left
 * over, and no step exceeds the ports of a processor. With PORTS_ONE a step may send one message, and receive one
 * that was sent in the same step; PORTS_ALL allows this for each channel, rails for each rail. With SCHEDULE_AT_ONCE
 * ports are not checked. A failed verification is a result, not an error. Clear with verdict_clear(). */
Verdict verify(const Schedule *schedule, Ports ports);

/* Verifies as verify() does, for a `data` of REPLAY_DATA. With REPLAY_BLOCKS proves by blocks alone. */
Verdict verify_by(const Schedule *schedule, Ports ports, ReplayData data);
void verdict_clear(Verdict *verdict);
