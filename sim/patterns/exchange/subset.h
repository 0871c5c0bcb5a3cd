/* A dense subset of the complete exchange (Bokhari 1993, sec. 1): each block is there with a given probability, the
 * density, drawn as in sim/patterns/README.md. Every processor knows which blocks are there: a message that would carry
 * nothing is neither sent nor awaited. The block of a processor for itself is always there, and never moves. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Indices of Problem.own: 10^6 times the share of absent blocks; the seed; whether absent blocks are left out, which
 * subset_make() sets. */
enum { SUBSET_ABSENT, SUBSET_SEED, SUBSET_LEFT_OUT };
#define SUBSET_MILLION 1000000

/* Whether blocks may be absent. */
gboolean subset_is_proper(const Problem *problem);

/* Whether the block is there. Always TRUE in a schedule that moves all blocks: its absent blocks have stand-ins. */
gboolean subset_has(const Problem *problem, guint from, guint to);

/* Returns the schedule of problem->algorithm. If all its messages go straight to their destinations, the messages of
 * absent blocks are left out. Otherwise it is the full exchange: stand-ins for absent blocks move like blocks. */
Schedule *subset_make(const Problem *problem);
