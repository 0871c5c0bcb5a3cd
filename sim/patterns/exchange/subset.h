/* Dense subset of the complete exchange (Bokhari 1993, sec. 1): the density is the probability with which each block
 * is there; blocks are drawn as in sim/patterns/README.md. Every processor knows which blocks are there: a message
 * that would carry nothing is neither sent nor awaited. A processor's block for itself is always there, and never
 * moves. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Indices of Problem.own. ABSENT: 10^6 times the probability with which a block is absent. SEED: the seed. LEFT_OUT:
 * whether absent blocks are left out of the schedule, which only subset_make() sets. */
enum { SUBSET_ABSENT, SUBSET_SEED, SUBSET_LEFT_OUT };
#define SUBSET_MILLION 1000000

/* Whether the density is below 1, so that blocks may be absent. */
gboolean subset_is_proper(const Problem *problem);

/* Whether the block from one processor to another is there. Always TRUE unless problem->own[SUBSET_LEFT_OUT]: a
 * schedule that moves all blocks has stand-ins for absent ones. */
gboolean subset_has(const Problem *problem, guint from, guint to);

/* Returns the schedule of problem->algorithm without the messages of absent blocks, if it sends every block straight
 * to its destination. Otherwise returns the full exchange, which moves stand-ins for absent blocks. Caller frees. */
Schedule *subset_make(const Problem *problem);
