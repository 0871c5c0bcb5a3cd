/* Messages of more than one stretch of memory: gathered and scattered, or sent in pieces.
 *
 * Johnsson & Ho 1987, sec. 4.5: blocks that travel together need not lie together, and copying them is significant;
 * from some block size B_copy on it is better to save copies than start-ups. */
#pragma once

#include "schedule.h"
#include "sim/cube/topology.h"

typedef enum {
    GATHER_FREE,        /* memory that is not contiguous costs nothing */
    GATHER_COPY,        /* the sender gathers a message that is not contiguous; the receiver scatters it */
    GATHER_PIECES,      /* every stretch is a message of its own */
    GATHER_BEST         /* the larger stretches of a message are messages of their own, the others are gathered. Where
                         * to divide them is chosen for each message: by the least time, if it were alone. With
                         * SCHEDULE_TRANSLATES all processors divide as processor 0 does, by its distances: on a mesh
                         * the times of others may not be the least */
} Gather;

/* Terms of the time of one packet in ps: for its start-up, for each channel that it crosses, for each byte. */
typedef struct {
    double start_ps, hop_ps, byte_ps;
} GatherTerms;

/* Terms of the packets in a range of sizes: at most `limit` bytes, but more than the limit of the GatherPiece
 * before. */
typedef struct {
    gint64 limit;
    GatherTerms terms;
} GatherPiece;

/* The way of gathering, and the constants by which GATHER_BEST decides; see the keys of the machine. */
typedef struct {
    Gather how;
    double gather_ps_per_byte;
    gint64 packet;              /* largest packet in bytes; 0: unlimited */
    GatherPiece pieces[3];      /* by ascending limits; the limit of the last one in use is G_MAXINT64 */
    Topology topology;          /* network of the machine; without a class it is the cube */
} Gathering;

/* Returns the schedule with its messages gathered, in twice as many steps: before each of its steps comes a step
 * that gathers the messages it sends. Bytes that a step copies, Step.copied, take `gather_cost` each. Takes over the
 * schedule; the bytes of its blocks must follow from the numbers of slots. `how` is not GATHER_FREE. */
Schedule *schedule_gathered(Schedule *schedule, const Gathering *gathering);
