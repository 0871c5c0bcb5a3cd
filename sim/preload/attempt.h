/* A call of the program for which there may be a rule: in an A/B rules and library take turns. */
#pragma once

#include "channel.h"

typedef struct {
    const Channel *channel;
    const RankPlan *plan;       /* the rule's plan; NULL: none */
    size_t bytes;               /* bytes of a block, or PLAN_UNEQUAL */
    int is_turn, by_rule;       /* whether the call counts in an A/B, and whether it follows the rule */
    int is_timed;
    double begun;
} Attempt;

/* Begins a call, and decides whether it follows `plan`: alike at all members of the communicator. */
Attempt attempt_begin(Channel *channel, const RankPlan *plan, size_t bytes);

/* Ends a call, which the rule has done, or the library. Returns its seconds, 0 if nobody asks for them. */
double attempt_end(const Attempt *attempt, int done_by_rule);
