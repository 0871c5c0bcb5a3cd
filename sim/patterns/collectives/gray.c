/* All-broadcast along Hamiltonian paths, most of them Gray codes (Johnsson & Ho 1987, sec. 4.2.1), and the algorithm
 * hybrid, which accumulates data first (sec. 5.1). Owner r at processor x stands for the data of processor x xor
 * r. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

/* Returns the node that comes `places` places after `node` on the closed path along which part `part` moves. `places`
 * may be negative. */
static guint gray_further(const Plan *plan, guint part, guint node, gint64 places)
{
    Graph graph = *(const Graph *)plan->problem.algorithm->family;
    guint n = plan->head.dimension, mask = schedule_n_nodes(&plan->head) - 1;
    return graph_path_node(graph, n, part, (graph_path_position(graph, n, part, node) + (guint)places) & mask);
}

/* Adds one message with all parts, from part `first` on, that go from `node` to `next` in step k. Each part has a path
 * of its own. */
static void send_rotated(const Plan *plan, guint node, guint next, guint first, guint k, Step *out)
{
    const Pieces *pieces = plan_pieces(plan);
    step_send(out, next);
    for (guint part = first; part < pieces->n_parts; part++) {
        guint packets = pieces_of_part(pieces, part), piece = pieces_first(pieces, part);
        if (packets == 0 || gray_further(plan, part, node, 1) != next)
            continue;
        guint origin = gray_further(plan, part, node, -(gint64)k);
        step_carry(out, plan_slot(plan, node ^ origin) + piece, packets, plan_slot(plan, next ^ origin) + piece);
    }
}

/* Adds step k of the Cyclic Rotation Algorithm, in which data moves along closed paths, one place in each step. Each
 * part has a path of its own. On it `node` passes on the data of the processor k places before `node`. */
static void cra_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    const Pieces *pieces = plan_pieces(plan);
    guint sent = 0, awaited = 0;    /* masks of the dimensions across which a message is sent and awaited */
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    for (guint part = 0; part < pieces->n_parts && pieces_of_part(pieces, part) > 0; part++) {
        guint next = gray_further(plan, part, node, 1), last = gray_further(plan, part, node, -1);
        if (!(sent & (node ^ next)))
            send_rotated(plan, node, next, part, k, out);
        if (!(awaited & (node ^ last)))
            step_await(out, last);
        sent |= node ^ next;
        awaited |= node ^ last;
    }
}

static Schedule *cra_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = cra_step};
    return plan_make(&class, problem, cube_n_nodes(problem->dimension) - 1, 0);
}

/* Adds step k of the Gray Code Exchange Algorithm over the dimensions from `low` on. The data of 2^low owners travels
 * together. Part 0 crosses the dimension in which Gray codes k and k + 1 differ; part j crosses the jth dimension after
 * that one, cyclically. */
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
    step_send_slots(out, node ^ 1u << k, 0, 1u << k, 1u << k);      /* the first `low` steps are those of the SBT */
    step_await(out, node ^ 1u << k);
}

static Schedule *gcea_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = gcea_step};
    guint low = problem->accumulate;
    return plan_make(&class, problem, low + cube_n_nodes(problem->dimension - low) - 1, SCHEDULE_TRANSLATES);
}

#define ALL_BROADCAST(algorithm, id, ports, parts, given, maker, on, why, what, where)                                \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = &pattern_all_broadcast, ports, parts, .takes = given, .summary = what, .source = where, \
        .make = maker, .family = &(const Graph){on}, .unpublished = why}

ALL_BROADCAST(algorithm_cra_all_broadcast, "cra", ONE_PORT, WHOLE, 0, cra_make, GRAPH_PATH, NULL,
              "Cyclic Rotation Algorithm: round the ring of the Gray code",
              "Johnsson & Ho 1987, sec. 4.2.1, CRA(1,N)");
ALL_BROADCAST(algorithm_cra_all_broadcast_n, "cra", ANY_PORTS, IN_PARTS, 0, cra_make, GRAPH_PATH,
              "Table 2 has no CRA(n,N): the GCEA's load is even",
              "Cyclic Rotation Algorithm: n parts, each round a ring of a rotated Gray code",
              "Johnsson & Ho 1987, sec. 4.2.1, CRA(n,N)");
ALL_BROADCAST(algorithm_circuits_all_broadcast_n, "circuits", ANY_PORTS, .n_parts = plan_parts_by_circuit, 0, cra_make,
              GRAPH_CIRCUITS, "Table 2 has no edge-disjoint circuits",
              "Cyclic Rotation Algorithm on edge-disjoint Hamiltonian circuits",
              "Johnsson & Ho 1987, sec. 4.1.1, on the 4-cube; Ringel 1954");
ALL_BROADCAST(algorithm_gcea_all_broadcast, "gcea", ONE_PORT, WHOLE, 0, gcea_make, GRAPH_PATH, NULL,
              "Gray Code Exchange Algorithm: N translated Gray-code paths",
              "Johnsson & Ho 1987, sec. 4.2.1, GCEA(1,N)");
ALL_BROADCAST(algorithm_gcea_all_broadcast_n, "gcea", ANY_PORTS, IN_PARTS, 0, gcea_make, GRAPH_PATH, NULL,
              "Gray Code Exchange Algorithm: n parts, each on N translated rotated paths",
              "Johnsson & Ho 1987, sec. 4.2.1, GCEA(n,N)");
ALL_BROADCAST(algorithm_hybrid_all_broadcast, "hybrid", ONE_PORT, WHOLE, TAKES_ACCUMULATE, gcea_make, GRAPH_PATH, NULL,
              "k steps as the SBT, accumulating, then GCEA: for limited buffers", "Johnsson & Ho 1987, sec. 5.1");
