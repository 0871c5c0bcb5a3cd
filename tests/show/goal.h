/* A GOAL file is read back and executed: every receive finds its send, and nobody waits for ever. */
#pragma once

#include "rehearsal.h"

/* The time is without contention. Of messages, by what they are: data, handshakes, barriers. */
typedef struct {
    gint64 time_ps;
    guint64 data_bytes, calculated_ns, n_sends[3];
} GoalSum;

GoalSum goal_execute(const char *text, guint n_ranks, const Machine *machine);
