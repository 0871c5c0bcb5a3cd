/* Messages of more than one stretch of memory: gathered and scattered, or sent in pieces.
 *
 * Johnsson & Ho 1987, sec. 4.5: blocks that travel together need not lie together, and copying them is significant;
 * from some block size B_copy on it is better to save copies than start-ups. */
#pragma once

#include "schedule.h"
#include "sim/cube/topology.h"

typedef enum {
    GATHER_FREE,        /* memory that is not contiguous costs nothing */
    GATHER_COPY,        /* a processor gathers such a message before it starts, and scatters it when it has arrived */
    GATHER_PIECES,      /* every stretch is a message of its own */
    GATHER_BEST         /* the larger stretches are messages of their own, the others are gathered; how many is chosen
                         * for each message by what takes least, if nothing else waits for it */
} Gather;

/* What one packet takes: to start, for each channel crossed, for each byte. */
typedef struct {
    gint64 start_ps, hop_ps, byte_ps;
} GatherTerms;

/* How it is done, and by what GATHER_BEST decides; for that see the keys of the machine. */
typedef struct {
    Gather how;
    gint64 copy_ps_per_byte;
    gint64 packet;              /* 0: unlimited */
    gint64 short_limit;         /* up to so many bytes packets have short_terms; -1: none */
    GatherTerms terms, short_terms;
    Topology topology;          /* without a class: the cube */
} Gathering;

/* The schedule with its messages so, in twice as many steps: before every step of it comes one in which what it sends
 * is gathered. What a step copies, Step.copied, takes the machine's `copy` a byte. Takes over the schedule; its slots
 * must determine their sizes. `how` is not GATHER_FREE. */
Schedule *schedule_gathered(Schedule *schedule, const Gathering *gathering);
