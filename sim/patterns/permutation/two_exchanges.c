/* Algorithm two-exchanges: a permutation in two complete exchanges (Ho & Johnsson 1988, sec. 4.4.2). The data of each
 * processor is in N pieces. The first exchange brings piece k of everybody's data to processor k. The second brings
 * each piece from there to its destination. So messages never contend, whatever the permutation is. Both exchanges
 * are Multiphase with the same partition. */
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

typedef struct {
    Plan plan;
    Schedule *exchange;     /* schedule of one complete exchange: slot j holds the block for processor j before it,
                             * and the block from j after it */
} TwoExchanges;

static const TwoExchanges *two_exchanges_of(const Schedule *schedule)
{
    return (const TwoExchanges *)schedule;
}

static void two_exchanges_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Schedule *exchange = two_exchanges_of(self)->exchange;
    exchange->class->step(exchange, node, strand, k % exchange->n_steps, out);
    out->renumber = k + 1 == exchange->n_steps;
}

/* Returns the new number of a slot after the first exchange. Slot j holds a piece of processor j's data; its new number
 * is the processor to which the permutation takes this data. */
static guint two_exchanges_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    return problem_destination(&plan_of(self)->problem, slot);
}

static void two_exchanges_free(Schedule *self)
{
    schedule_free(((TwoExchanges *)self)->exchange);
}

static Schedule *two_exchanges_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = two_exchanges_step, .renumber = two_exchanges_renumber,
                                        .free = two_exchanges_free};
    TwoExchanges *t = (TwoExchanges *)plan_new(sizeof *t, &class, problem, NULL);
    Problem inner = problem_new(algorithm_find("", &pattern_complete_exchange, FALSE, "multiphase", NULL),
                                problem->dimension);
    inner.partition = problem->partition;
    t->exchange = schedule_make(&inner);
    Schedule *schedule = &t->plan.head;
    schedule->n_steps = problem_permutes(problem) ? 2 * t->exchange->n_steps : 0;
    schedule->n_phases = 2 * t->exchange->n_phases;
    schedule->flags |= t->exchange->flags & SCHEDULE_SAME_WORK;
    return schedule;
}

static const char *two_exchanges_refuses(const Problem *problem)
{
    return problem->idle ? "it needs the data of all processors, and here some are idle" : NULL;
}

const Algorithm algorithm_two_exchanges_permutation = {
    .name = "two-exchanges",
    .pattern = &pattern_permutation,
    .summary = "two complete exchanges, each Multiphase: N pieces to N processors, and to where they belong",
    .source = "Ho & Johnsson 1988, sec. 4.4.2, \"arbitrary permutations\"",
    .unpublished = "no paper gives the time of two Multiphase exchanges as a permutation",
    .takes = TAKES_MAP | TAKES_PARTITION,
    .phases = partition_direct,
    .n_parts = problem_n_nodes,
    .refuses = two_exchanges_refuses,
    .make = two_exchanges_make,
};
