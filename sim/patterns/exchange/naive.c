/* The complete exchange everybody writes first: send to 0, 1, ..., N - 1 in that order. All processors aim at the same
 * receiver at the same time. It is one phase. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/cube.h"

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = cube_n_nodes(self->dimension);
    out->phase = k == 0;
    if (k < n && k != node)
        step_send_slots(out, k, k, 1, node);
    if (k == n)
        for (guint source = 0; source < n; source++)
            if (source != node)
                step_await(out, source);
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    guint n_steps = problem->dimension ? cube_n_nodes(problem->dimension) + 1 : 0;
    return plan_make(&class, problem, n_steps, SCHEDULE_CONTENDS);
}

const Algorithm algorithm_naive = {
    .name = "naive",
    .pattern = &pattern_complete_exchange,
    .summary = "everybody sends to 0, 1, ..., N-1 in that order: contends for receivers",
    .source = "the counter-example; Bokhari 1993, sec. 2.2, on scheduling",
    .unpublished = "no paper predicts an exchange whose messages contend for receivers",
    .make = make,
};
