/* A dense subset of the complete exchange (Bokhari 1993, sec. 1): blocks are there with some density, and which ones is
 * drawn, as sim/patterns/README.md says. Every processor knows it: a message that would carry nothing is neither sent
 * nor awaited. One's own blocks are always there, and never move. */
#pragma once

#include "sim/schedule/algorithm.h"

/* Problem.own: 10^6 times the part that is absent; the seed; whether absent blocks are left out, which subset_make()
 * sets. */
enum { SUBSET_ABSENT, SUBSET_SEED, SUBSET_LEFT_OUT };
#define SUBSET_MILLION 1000000

/* Whether blocks may be absent. */
gboolean subset_is_proper(const Problem *problem);

/* Whether the block is there, or what a schedule moves for it if it moves all. */
gboolean subset_has(const Problem *problem, guint from, guint to);

/* The schedule of problem->algorithm. If all messages go straight to their destinations, those of absent blocks are
 * left out; otherwise it is the full exchange: what fills the places of absent blocks is moved like blocks. */
Schedule *subset_make(const Problem *problem);
