/* A call of the program. If it has a rule, rule and library take turns in an A/B. */
#pragma once

#include "channel.h"

typedef struct {
    const Channel *channel;
    const RankPlan *plan;       /* the rule's plan; NULL: none */
    size_t bytes;               /* bytes of a block, or PLAN_UNEQUAL */
    int is_turn, by_rule;       /* whether the call counts in an A/B, and whether it follows the rule */
    int is_timed;
    double begun;               /* mpi.Wtime(), if `is_timed` */
} Attempt;

/* Begins a call, and decides whether it follows `plan`. All members of the communicator decide alike. */
Attempt attempt_begin(Channel *channel, const RankPlan *plan, size_t bytes);

/* Ends a call; the A/B counts it if it was done as attempt_begin() decided. Returns its seconds; 0: not timed. */
double attempt_end(const Attempt *attempt, int done_by_rule);
