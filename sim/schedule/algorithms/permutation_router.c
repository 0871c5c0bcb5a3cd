/* A permutation by the machine's router: everybody sends its data straight to where it belongs, over the e-cube. */
#include "schedules.h"

static void step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint destination = permutation_apply(&schedule->permutation, node);
    out->phase = k == 0;
    if (destination == node || pieces_count(&schedule->pieces) == 0)
        return;
    step_send_slots(out, destination, 0, pieces_count(&schedule->pieces), 0);
    step_await(out, schedule_origin(schedule, node));
}

static void init(Schedule *schedule)
{
    schedule->n_steps = schedule->permutation.n_cycles > 0;
}

const Algorithm algorithm_router_permutation = {
    .name = "router",
    .pattern = PATTERN_PERMUTATION,
    .summary = "one message straight to the destination: may contend for channels",
    .source = "Ho & Johnsson 1988, sec. 5, \"the iPSC router\"",
    .contends = TRUE,
    .init = init,
    .step = step,
};
