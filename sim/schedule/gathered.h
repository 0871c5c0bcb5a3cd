/* Messages of more than one stretch of memory: gathered and scattered, or sent in pieces.
 *
 * Johnsson & Ho 1987, sec. 4.5: blocks that travel together need not lie together, and copying them is significant;
 * from some block size B_copy on it is better to save copies than start-ups. */
#pragma once

#include "schedule.h"
#include "sim/cube/topology.h"

typedef enum {
    GATHER_FREE,        /* memory that is not contiguous costs nothing */
    GATHER_COPY,        /* a processor gathers such a message before it starts, and scatters it after its arrival */
    GATHER_PIECES,      /* every stretch is a message of its own */
    GATHER_BEST         /* the larger stretches are messages of their own, the others are gathered: for each message
                         * the number that takes least time, if nothing else waits for it */
} Gather;

/* The time of one packet: its start-up, each channel crossed, each byte. */
typedef struct {
    double start_ps, hop_ps, byte_ps;
} GatherTerms;

/* Packets of at most `limit` bytes that are longer than those of the piece before. */
typedef struct {
    gint64 limit;
    GatherTerms terms;
} GatherPiece;

/* The way of gathering, and the constants by which GATHER_BEST decides; see the keys of the machine. */
typedef struct {
    Gather how;
    double gather_ps_per_byte;
    gint64 packet;              /* bytes; 0: unlimited */
    GatherPiece pieces[3];      /* ascending; the limit of the last in use is G_MAXINT64 */
    Topology topology;          /* without a class: the cube */
} Gathering;

/* Returns the schedule with its messages gathered, in twice as many steps: before each of its steps comes a step
 * that gathers the messages it sends. Bytes that a step copies, Step.copied, take `gather_cost` each. Takes over the
 * schedule; its slots must determine their sizes. `how` is not GATHER_FREE. */
Schedule *schedule_gathered(Schedule *schedule, const Gathering *gathering);
