/* A complete exchange that contends for channels in every step: in step i, processor x sends to bitrev(x) xor i. One
 * phase. What arrives in a step is not for the slot that was emptied in it, so blocks go out of one half of the memory
 * and come into the other. */
#include "schedules.h"
#include "sim/cube/cube.h"

static void step(const Schedule *schedule, guint node, guint i, Step *out)
{
    guint d = schedule->dimension;
    guint destination = cube_reverse_bits(node, d) ^ i;
    guint source = cube_reverse_bits(node ^ i, d);
    out->phase = i == 0;
    if (destination != node)
        step_send_slots(out, destination, schedule->outgoing + destination, 1, node);
    if (source != node)
        step_await(out, source);
}

static void init(Schedule *schedule)
{
    guint n = cube_n_nodes(schedule->dimension);
    schedule->n_steps = schedule->dimension ? n : 0;
    schedule->outgoing = n;
    schedule->n_owners = 2 * n;
}

const Algorithm algorithm_reversed = {
    .name = "reversed",
    .summary = "in step i, x sends to bit-reversal(x) xor i: contends for channels",
    .source = "the other counter-example; bit reversal over the e-cube",
    .contends = TRUE,
    .init = init,
    .step = step,
};
