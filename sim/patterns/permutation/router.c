/* Algorithm router: every processor sends its data straight to its destination, over the e-cube. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

static void router_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Problem *problem = &plan_of(self)->problem;
    guint destination = problem_destination(problem, node), n = pieces_count(&problem->data.pieces);
    out->phase = k == 0;
    if (destination == node || n == 0)
        return;
    step_send_slots(out, destination, 0, n, 0);
    step_await(out, problem_origin(problem, node));
}

static Schedule *router_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = router_step};
    return plan_make(&class, problem, problem_permutes(problem), SCHEDULE_CONTENDS);
}

const Algorithm algorithm_router_permutation = {
    .name = "router",
    .pattern = &pattern_permutation,
    .summary = "one message straight to the destination: may contend for channels",
    .source = "Ho & Johnsson 1988, sec. 5, \"the iPSC router\"",
    .unpublished = "no paper predicts messages that contend for channels",
    .takes = TAKES_MAP,
    .make = router_make,
};
