#include "attempt.h"
#include "ab.h"
#include "report.h"
#include "models/turns.h"

Attempt attempt_begin(Channel *channel, const RankPlan *plan, size_t bytes)
{
    long turn = plan && channel_is_trial() ? channel_count(channel, bytes) : -1;
    int is_timed = report_is_on() || (turn >= 0 && report_is_first());
    return (Attempt){channel, plan, bytes, turn >= 0,
                     plan && (turn < 0 || turns_take_rule(channel->seed, (unsigned long)turn)), is_timed,
                     is_timed ? mpi.Wtime() : 0};
}

double attempt_end(const Attempt *a, int done_by_rule)
{
    double seconds = a->is_timed ? mpi.Wtime() - a->begun : 0;
    if (a->is_turn && a->is_timed && done_by_rule == a->by_rule)
        ab_add(a->channel->n, a->bytes, a->plan->list, a->by_rule, seconds);
    return seconds;
}
