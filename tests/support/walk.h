/* A walk through a schedule in lock step: all processors do a step, then all of them the next one. It is written apart
 * from sim/replay, and shares the content with it, nothing else. */
#pragma once

#include "tests.h"

/* What a step takes is what the port that has most to send takes - a processor has one, or one for each dimension -,
 * and the operations of the processor that has most; all steps take this together. Of strands side by side that counts
 * which takes longer. What arrives where nothing is, is no addition. */
typedef struct {
    gint64 startups, bytes;
    gint64 operations;
    gint64 by_phase;                /* operations, if local work of one kind is but one step, however many it is in */
    guint64 messages, all_bytes;    /* of all processors */
} Walk;

/* Packets, ports and constants are those of the machine; distances, barriers and handshakes count nothing. What is sent
 * in a step is awaited in the step of that number, and all is well in the end, or the test fails. */
Walk walk(const Schedule *schedule, const Machine *machine);

/* What the machine needs for it, in ps. */
gint64 walk_ps(const Walk *walk, const Machine *machine);
