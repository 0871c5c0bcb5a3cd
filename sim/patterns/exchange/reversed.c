/* A complete exchange that contends for channels in every step: in step i, processor x sends to bitrev(x) xor i. One
 * phase. What arrives in a step is not for the slot that was emptied in it, so blocks go out of one half of the memory
 * and come into the other. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/cube.h"

static void step(const Schedule *self, guint node, guint strand, guint i, Step *out)
{
    guint d = self->dimension;
    guint destination = cube_reverse_bits(node, d) ^ i;
    guint source = cube_reverse_bits(node ^ i, d);
    out->phase = i == 0;
    if (destination != node)
        step_send_slots(out, destination, plan_of(self)->layout.outgoing + destination, 1, node);
    if (source != node)
        step_await(out, source);
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    guint n = cube_n_nodes(problem->dimension);
    Layout layout = layout_of_problem(problem);
    layout.outgoing = n;
    layout.n_owners = 2 * n;
    Schedule *schedule = &plan_new(sizeof(Plan), &class, problem, &layout)->head;
    schedule->n_steps = problem->dimension ? n : 0;
    schedule->flags = SCHEDULE_CONTENDS;
    return schedule;
}

const Algorithm algorithm_reversed = {
    .name = "reversed",
    .pattern = &pattern_complete_exchange,
    .summary = "in step i, x sends to bit-reversal(x) xor i: contends for channels",
    .source = "the other counter-example; bit reversal over the e-cube",
    .unpublished = "no paper predicts an exchange whose messages contend for channels",
    .make = make,
};
