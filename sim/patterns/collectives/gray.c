/* All-broadcast along Gray codes (Johnsson & Ho 1987, sec. 4.2.1), and the hybrid with accumulation (sec. 5.1). Owner r
 * at processor x stands for the data of processor x xor r. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

/* Cyclic Rotation Algorithm: the path as a conveyor belt. In step k a processor passes on what set out k places before
 * it. */
static void cra_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    guint mask = schedule_n_nodes(self) - 1;
    guint position = graph_gray_position(node);
    guint next = graph_gray((position + 1) & mask), origin = graph_gray((position - k) & mask);
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    step_send_slots(out, next, plan_slot(plan, node ^ origin), 1, plan_slot(plan, next ^ origin));
    step_await(out, graph_gray((position - 1) & mask));
}

static Schedule *cra_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = cra_step};
    return plan_make(&class, problem, cube_n_nodes(problem->dimension) - 1, 0);
}

/* Gray Code Exchange Algorithm over the dimensions from `low` on, with blocks of 2^low owners: all exchange across the
 * dimension of the Gray code's transition number k, part j across the dimension j places further. */
static void exchange_by_gray_code(const Plan *plan, guint node, guint low, guint k, Step *out)
{
    guint n = plan->head.dimension - low;
    const Pieces *pieces = plan_pieces(plan);
    for (guint part = 0; part < pieces->n_parts; part++) {
        guint packets = pieces_of_part(pieces, part), piece = pieces_first(pieces, part);
        if (packets == 0)
            continue;
        guint came = cube_rotate_left(graph_gray(k), n, part) << low;
        guint dim = low + ((guint)__builtin_ctz(k + 1) + part) % n;
        step_send_slots(out, node ^ 1u << dim, plan_slot(plan, came) + piece, packets << low,
                        plan_slot(plan, came ^ 1u << dim) + piece);
        step_await(out, node ^ 1u << dim);
    }
}

static void gcea_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    guint low = plan->problem.accumulate;
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    out->exchange = !plan->problem.algorithm->n_port;
    if (k >= low) {
        exchange_by_gray_code(plan, node, low, k - low, out);
        return;
    }
    step_send_slots(out, node ^ 1u << k, 0, 1u << k, 1u << k);      /* as the SBT */
    step_await(out, node ^ 1u << k);
}

static Schedule *gcea_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = gcea_step};
    guint low = problem->accumulate;
    return plan_make(&class, problem, low + cube_n_nodes(problem->dimension - low) - 1, SCHEDULE_UNIFORM);
}

#define ALL_BROADCAST(algorithm, id, ports, parts, given, maker, what, where)                                          \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = &pattern_all_broadcast, ports, parts, .takes = given, .summary = what, .source = where, \
        .make = maker}

ALL_BROADCAST(algorithm_cra_all_broadcast, "cra", ONE_PORT, WHOLE, 0, cra_make,
              "Cyclic Rotation Algorithm: round the ring of the Gray code",
              "Johnsson & Ho 1987, sec. 4.2.1, CRA(1,N)");
ALL_BROADCAST(algorithm_gcea_all_broadcast, "gcea", ONE_PORT, WHOLE, 0, gcea_make,
              "Gray Code Exchange Algorithm: N translated Gray-code paths",
              "Johnsson & Ho 1987, sec. 4.2.1, GCEA(1,N)");
ALL_BROADCAST(algorithm_gcea_all_broadcast_n, "gcea", ALL_PORTS, IN_PARTS, 0, gcea_make,
              "Gray Code Exchange Algorithm: n parts, each on N translated rotated paths",
              "Johnsson & Ho 1987, sec. 4.2.1, GCEA(n,N)");
ALL_BROADCAST(algorithm_hybrid_all_broadcast, "hybrid", ONE_PORT, WHOLE, TAKES_ACCUMULATE, gcea_make,
              "k steps as the SBT, accumulating, then GCEA: for limited buffers", "Johnsson & Ho 1987, sec. 5.1");
