/* The linear exchange of MPI libraries: a processor issues its messages to all others at once, to x - 1, x - 2, ..., and
 * awaits theirs. It is one phase of one step. (The order of Open MPI's and SimGrid's basic_linear: messages are sent in
 * the reverse of the order in which receives are posted, x + 1, x + 2, ...) */
#include "plan.h"
#include "sim/cube/cube.h"

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = cube_n_nodes(self->dimension);
    out->phase = TRUE;
    for (guint i = 1; i < n; i++) {
        guint peer = (node + n - i) % n;
        step_send_slots(out, peer, peer, 1, node);
        step_await(out, peer);
    }
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    return plan_make(&class, problem, problem->dimension ? 1 : 0, SCHEDULE_CONTENDS);
}

const Algorithm algorithm_linear = {
    .name = "linear",
    .summary = "all messages at once, to x-1, x-2, ...: MPI's basic linear",
    .source = "Open MPI, coll/basic_linear; SimGrid, SMPI",
    .unpublished = "no paper predicts an exchange whose messages are all issued at once",
    .make = make,
};
