/* An algorithm as it is added to the program, in a file of its own; this one only the tests know: broadcast down a
 * spanning binomial tree, the highest dimension first. Nodes are relative to the source. */
#include "sim/schedule/plan.h"
#include "tests.h"

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint bit = 1u << (self->dimension - 1 - k), q = node ^ self->root;
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    if (q % (2 * bit) == 0)
        step_send_slots(out, node ^ bit, 0, self->n_slots, 0);
    else if (q % bit == 0)
        step_await(out, node ^ bit);
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    return plan_make(&class, problem, problem->dimension, 0);
}

const Algorithm algorithm_downwards = {
    .name = "downwards",
    .pattern = &pattern_broadcast,
    .summary = "Spanning Binomial Tree, the highest dimension first",
    .source = "tests/",
    .unpublished = "it is for the tests",
    .make = make,
};
