/* The linear exchange of MPI libraries: a processor issues its messages to all others at once, to x - 1, x - 2, ...,
 * and awaits theirs. It is one phase of one step. (The order of Open MPI's and SimGrid's basic_linear: messages are
 * sent in the reverse of the order in which receives are posted, x + 1, x + 2, ...) */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
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

/* Messages that leave in step, all as far around the ring of processors, do not meet on their ways. But they cross
 * different numbers of channels, so some processors get ahead of others. */
static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    return plan_make(&class, problem, problem->dimension ? 1 : 0, SCHEDULE_AT_ONCE | SCHEDULE_CONTENDS);
}

#define LINEAR(...)                                                                                                    \
    {                                                                                                                  \
        .name = "linear", .pattern = &pattern_complete_exchange, .make = make,                                         \
        .summary = "all messages issued at once, to x-1, x-2, ...",                                                    \
        .source = "Open MPI and SimGrid, alltoall basic_linear",                                                       \
        .unpublished = "no paper predicts an exchange whose messages are all issued at once", __VA_ARGS__              \
    }

const Algorithm algorithm_linear = LINEAR(ONE_PORT);
const Algorithm algorithm_linear_n = LINEAR(ALL_PORTS);
