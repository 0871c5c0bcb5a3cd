/* Complete exchanges whose messages may wait for each other: naive, rotated, reversed, linear. Each has one phase. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/cube.h"

/* --- naive and rotated: one message after another, all awaited at the end --- */

/* Sends the block for `peer`; nothing if `peer` is `node` itself. */
static void send_block(Step *out, guint node, guint peer)
{
    if (peer != node)
        step_send_slots(out, peer, peer, 1, node);
}

/* Awaits a block from each of the n - 1 other processors. */
static void await_all(Step *out, guint node, guint n)
{
    for (guint source = 0; source < n; source++)
        if (source != node)
            step_await(out, source);
}

/* Sends to processor k in step k: all processors aim at the same receiver at the same time. The last step awaits the
 * blocks. */
static void naive_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = schedule_n_nodes(self);
    out->phase = k == 0;
    if (k < n)
        send_block(out, node, k);
    else
        await_all(out, node, n);
}

static Schedule *naive_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = naive_step};
    guint n_steps = problem->dimension ? problem_n_nodes(problem) + 1 : 0;
    return plan_make(&class, problem, n_steps, SCHEDULE_CONTENDS | SCHEDULE_STRAIGHT);
}

const Algorithm algorithm_naive = {
    .name = "naive",
    .any_group = TRUE,
    .pattern = &pattern_complete_exchange,
    .summary = "everybody sends to 0, 1, ..., N-1 in that order: contends for receivers",
    .source = "the counter-example; Bokhari 1993, sec. 2.2, on scheduling",
    .unpublished = "no paper predicts an exchange whose messages contend for receivers",
    .make = naive_make,
};

/* Sends to processor node + k + 1 modulo N in step k: in a step all processors have different receivers. The last
 * step awaits the blocks. */
static void rotated_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = schedule_n_nodes(self);
    out->phase = k == 0;
    if (k < n - 1)
        send_block(out, node, (node + k + 1) % n);
    else
        await_all(out, node, n);
}

/* Makes the schedule of rotated. On a cube the messages of one step do not meet. But they cross different numbers of
 * channels, so that some processors get ahead, and messages of different steps meet. */
static Schedule *rotated_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = rotated_step};
    guint n_steps = problem->dimension ? problem_n_nodes(problem) : 0;
    return plan_make(&class, problem, n_steps, SCHEDULE_CONTENDS | SCHEDULE_STRAIGHT);
}

const Algorithm algorithm_rotated = {
    .name = "rotated",
    .any_group = TRUE,
    .pattern = &pattern_complete_exchange,
    .summary = "x sends to x+1, x+2, ...: naive in an order in which no two have the same receiver",
    .source = "the order of the pairwise exchange of MPI libraries, without waiting for a partner",
    .unpublished = "no paper predicts an exchange whose processors may get ahead of each other",
    .make = rotated_make,
};

/* --- reversed: contends for channels in every step --- */

/* Sends in step i from processor x to bitrev(x) xor i. The block that arrives belongs into another slot than the one
 * that leaves. So blocks leave one half of the memory and arrive in the other. */
static void reversed_step(const Schedule *self, guint node, guint strand, guint i, Step *out)
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

static Schedule *reversed_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = reversed_step};
    guint n = cube_n_nodes(problem->dimension);
    Layout layout = layout_of_problem(problem);
    layout.outgoing = n;
    layout.n_owners = 2 * n;
    Schedule *schedule = &plan_new(sizeof(Plan), &class, problem, &layout)->head;
    schedule->n_steps = problem->dimension ? n : 0;
    schedule->flags = SCHEDULE_CONTENDS | SCHEDULE_STRAIGHT;
    return schedule;
}

const Algorithm algorithm_reversed = {
    .name = "reversed",
    .pattern = &pattern_complete_exchange,
    .summary = "in step i, x sends to bit-reversal(x) xor i: contends for channels",
    .source = "the other counter-example; bit reversal over the e-cube",
    .unpublished = "no paper predicts an exchange whose messages contend for channels",
    .make = reversed_make,
};

/* --- linear: the linear exchange of MPI libraries --- */

/* Fills in the only step: issues the messages of processor x to x - 1, x - 2, ... at once, and awaits one message from
 * each other processor. basic_linear in Open MPI and SimGrid has this order: receives in the order x + 1, x + 2, ...,
 * sends in the reverse. */
static void linear_exchange_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = schedule_n_nodes(self);
    out->phase = TRUE;
    for (guint i = 1; i < n; i++) {
        guint peer = (node + n - i) % n;
        step_send_slots(out, peer, peer, 1, node);
        step_await(out, peer);
    }
}

/* Makes the schedule of linear. Messages that leave at the same time go equally far around the ring of processor
 * numbers, and do not meet. But they cross different numbers of channels, so some processors get ahead of others. */
static Schedule *linear_exchange_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = linear_exchange_step};
    return plan_make(&class, problem, problem->dimension ? 1 : 0,
                     SCHEDULE_AT_ONCE | SCHEDULE_CONTENDS | SCHEDULE_STRAIGHT);
}

#define LINEAR(...)                                                                                                    \
    {                                                                                                                  \
        .name = "linear", .any_group = TRUE, .pattern = &pattern_complete_exchange, .make = linear_exchange_make,      \
        .summary = "all messages issued at once, to x-1, x-2, ...",                                                    \
        .source = "Open MPI and SimGrid, alltoall basic_linear",                                                       \
        .unpublished = "no paper predicts an exchange whose messages are all issued at once", __VA_ARGS__              \
    }

const Algorithm algorithm_linear = LINEAR(ONE_PORT);
const Algorithm algorithm_linear_n = LINEAR(ALL_PORTS);
