/* Permutations of address bits by A2, A3, A5 and A6, which exchange dimensions of the processors with a dimension of
 * their memories (Ho & Johnsson 1988, sec. 4).
 *
 * The data, or a part of it, is in halves: the number of the half is a virtual dimension v. To exchange v with
 * dimension i, processors with bit i = 0 send half 1, the others half 0. The half that arrives takes the place of the
 * half that left. Exchanges of v with a0, a1, ..., a_{s-1} and a0 again make the cycle (a0 ... a_{s-1}). */
#include "sim/patterns/registry.h"
#include "sim/cube/sequence.h"
#include "permutation_cycles.h"
#include "sim/cube/cube.h"

/* --- halves that go through a list of dimensions --- */

#define LANE_MAX SEQUENCE_LENGTH_MAX

/* Lane: a part of the data in two halves, and the dimensions with which v, the number of the half, is exchanged. */
typedef struct {
    guint first, count;     /* place of half h: the slots first + h count ... first + (h + 1) count - 1 */
    guint length;           /* number of steps, each with one exchange */
    guint8 dims[LANE_MAX];  /* [length]: the dimension that is exchanged with v in each step */
} DimensionLane;

static void lane_add(DimensionLane *lane, guint dim)
{
    lane->dims[lane->length++] = (guint8)dim;
}

/* Returns the number, 0 or 1, of the half that lies in place h at `node` before step t. This is the number that the
 * half had in the beginning: exchanges move v, the number, from dimension to dimension. */
static guint find_half(const DimensionLane *lane, guint node, guint h, guint t)
{
    guint at = G_MAXUINT;       /* dimension that holds v; G_MAXUINT: none does, v is where it was at first */
    for (guint i = 0; i < t; i++)
        if (at == G_MAXUINT)
            at = lane->dims[i];
        else if (at == lane->dims[i])
            at = G_MAXUINT;
    return at == G_MAXUINT ? h : node >> at & 1;
}

/* Adds the message of `node` across `dim` in step t. Each lane that crosses `dim` in the step sends what lies in one
 * place: that of half 1 if the node's bit is 0, of half 0 if it is 1. At the peer it lands in the place that
 * empties. */
static void lanes_send_across(const Plan *plan, const DimensionLane *lanes, guint n_lanes, guint node, guint dim,
                              guint t, Step *out)
{
    step_send(out, node ^ 1u << dim);
    for (const DimensionLane *lane = lanes; lane < lanes + n_lanes; lane++) {
        guint half = 1 - (node >> dim & 1);
        if (t >= lane->length || lane->dims[t] != dim)
            continue;
        guint leaving = lane->first + find_half(lane, node, half, t) * lane->count;
        guint count = pieces_of_run(plan, leaving, lane->count);
        if (count > 0)
            step_carry(out, lane->first + half * lane->count, count, lane->first + (1 - half) * lane->count);
    }
}

static void lanes_step(const Plan *plan, const DimensionLane *lanes, guint n_lanes, guint node, guint t, Step *out)
{
    for (guint dim = 0; dim < plan->head.dimension; dim++) {
        Step question = step_asked(out, node ^ 1u << dim);
        lanes_send_across(plan, lanes, n_lanes, node, dim, t, out);
        lanes_send_across(plan, lanes, n_lanes, node ^ 1u << dim, dim, t, &question);
    }
}

/* --- A2 with one port: cycle after cycle --- */

static DimensionLane one_port_lane(const Plan *plan)
{
    DimensionLane lane = {.count = plan->layout.n_pieces / 2};
    for (guint c = 0; c < plan->problem.permutation.n_cycles; c++) {
        guint length;
        const guint8 *a = permutation_cycle(&plan->problem.permutation, c, &length);
        for (guint i = 0; i <= length; i++)
            lane_add(&lane, a[i % length]);
    }
    return lane;
}

static void a2_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    DimensionLane lane = one_port_lane(plan_of(self));
    lanes_step(plan_of(self), &lane, 1, node, k, out);
    out->phase = k == 0;
    out->exchange = step_is_exchange(out);
}

static Schedule *a2_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = a2_step};
    Schedule *schedule = plan_make(&class, problem, 0, 0);
    schedule->n_steps = one_port_lane(plan_of(schedule)).length;
    return schedule;
}

const Algorithm algorithm_a2_permutation = {
    .name = "a2",
    .pattern = &pattern_permutation,
    .summary = "halves of the data: a virtual dimension, exchanged with one dimension after another",
    .source = "Swarztrauber; Ho & Johnsson 1988, sec. 4.2.1, Algorithm A2",
    .takes = TAKES_LOCAL,
    .make = a2_make,
};

/* --- n ports: A2 and A6, which differ in how the cycles share the data --- */

/* Returns the lane of part i of a passage's data. The part crosses the dimensions of the cycle from a_i on, cyclically,
 * up to a_i again. */
static DimensionLane find_sequence(const Passage *passage, guint i)
{
    DimensionLane lane = {0};
    guint length;
    const guint8 *a = permutation_cycle(&passage->plan.problem.permutation, passage->cycle, &length);
    lane.count = passage->count / (2 * length);
    lane.first = passage->first + i * 2 * lane.count;
    for (guint j = 0; j <= length; j++)
        lane_add(&lane, a[(i + j) % length]);
    return lane;
}

static void sequences_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    DimensionLane lanes[CYCLE_MAX];
    guint length = self->n_steps - 1;
    for (guint i = 0; i < length; i++)
        lanes[i] = find_sequence(passage_of(self), i);
    lanes_step(plan_of(self), lanes, length, node, k, out);
    out->phase = k == 0;
}

static const ScheduleClass sequences = {.step = sequences_step};

static Schedule *sequences_make(const Problem *problem)
{
    Layout layout = layout_of_problem(problem);
    return cycles_make(problem, &layout, *(GroupCycles *const *)problem->algorithm->family, &sequences, 1);
}

#define SEQUENCES(algorithm, id, group, what, where)                                                                   \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = &pattern_permutation, .n_port = TRUE, .summary = what, .source = where,                 \
        .make = sequences_make, .family = &(GroupCycles *const){group}}

SEQUENCES(algorithm_a2_permutation_n, "a2", cycles_alone,
          "all cycles at a time, each part of the data through one after another; s sequences in a cycle of s",
          "Ho & Johnsson 1988, sec. 4.2.2 and Lemma 6");
SEQUENCES(algorithm_a2_in_turn_permutation, "a2-in-turn", cycles_in_turn,
          "cycle after cycle, all of the data at a time; s sequences in a cycle of s",
          "Ho & Johnsson 1988, sec. 4.2.2 and Lemma 6");
SEQUENCES(algorithm_a6_permutation, "a6", cycles_hierarchical,
          "A2 on all cycles at a time, which share the data in groups, hierarchically",
          "Ho & Johnsson 1988, sec. 4.4.3, Algorithm A6");

/* --- A5: parts that go through rotations of one long sequence --- */

static void a5_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    const Permutation *permutation = &plan->problem.permutation;
    DimensionLane lanes[2 * SEQUENCE_LENGTH_MAX];
    guint n = sequence_count(permutation), count = plan->layout.n_pieces / (2 * n);
    for (guint i = 0; i < n; i++) {
        lanes[i] = (DimensionLane){.first = 2 * i * count, .count = count, .length = sequence_length(permutation)};
        sequence_fill(permutation, i, lanes[i].dims);
    }
    lanes_step(plan, lanes, n, node, k, out);
    out->phase = k == 0;
}

static Schedule *a5_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = a5_step};
    return plan_make(&class, problem, sequence_length(&problem->permutation), 0);
}

const Algorithm algorithm_a5_permutation = {
    .name = "a5",
    .pattern = &pattern_permutation,
    .n_port = TRUE,
    .summary = "all parts of the data through rotations of one sequence of all cycles, as A2",
    .source = "Ho & Johnsson 1988, sec. 4.4.3, Algorithm A5",
    .make = a5_make,
};

/* --- A3: two complete exchanges, over all dimensions --- */

/* Returns the number of the piece in slot s of processor y before step k. `crossed` is the mask of the dimensions that
 * its part has crossed in the present exchange. In the first exchange (k < dimension) the number has the bits of y in
 * `crossed`, and the bits of s elsewhere; in the second, the bits of s in `crossed`, and those of y elsewhere. */
static guint piece_in(const Plan *plan, guint y, guint s, guint k, guint crossed)
{
    return k < plan->head.dimension ? (s & ~crossed) | (y & crossed) : (y & ~crossed) | (s & crossed);
}

/* Returns the number of consecutive slots that A3 always moves together. */
static guint unit_of(const Plan *plan)
{
    guint parts = plan->problem.algorithm->n_port ? plan->head.dimension : 1;
    return plan->layout.n_pieces / (parts * cube_n_nodes(plan->head.dimension));
}

/* Returns the mask of the dimensions that part r has crossed before step k in the present exchange. Sets `*dim` to the
 * dimension that part r crosses in step k. */
static guint a3_crossed_before(const Plan *plan, guint r, guint k, guint *dim)
{
    guint n = plan->head.dimension;
    *dim = (r + k % n) % n;
    return cube_rotate_left((1u << k % n) - 1, n, r);
}

/* Sends those slots of part r whose number differs from the node's in bit `dim`. Requires that every slot has a
 * piece. */
static void a3_send_all(const Plan *plan, guint node, guint r, guint dim, Step *out)
{
    guint n = cube_n_nodes(plan->head.dimension), unit = unit_of(plan), run = 1u << dim;
    for (guint s = ~node & run; s < n; s += 2 * run)
        if (!step_carry(out, (r * n + s) * unit, run * unit, (r * n + (s ^ run)) * unit))
            return;
}

static void a3_send(const Plan *plan, guint node, guint r, guint k, Step *out)
{
    guint dim, crossed = a3_crossed_before(plan, r, k, &dim), n = cube_n_nodes(plan->head.dimension);
    guint unit = unit_of(plan);
    step_send(out, node ^ 1u << dim);
    if (pieces_count(plan_pieces(plan)) == plan->layout.n_pieces) {
        a3_send_all(plan, node, r, dim, out);
        return;
    }
    for (guint s = 0; s < n; s++) {
        if ((s >> dim & 1) == (node >> dim & 1))
            continue;
        guint piece = piece_in(plan, node, s, k, crossed), count = pieces_of_run(plan, (r * n + piece) * unit, unit);
        if (count && !step_carry(out, (r * n + s) * unit, count, (r * n + (s ^ 1u << dim)) * unit))
            return;
    }
}

/* Fills in step k of A3. In step j bit j of the slots is exchanged with dimension j, so that piece p of every
 * processor goes to processor p. Slots, now in the order of origins, are then renumbered in the order of
 * destinations, and the second exchange repeats the steps. With n ports, part r begins at dimension r. */
static void a3_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    guint n = self->dimension;
    gboolean n_port = plan->problem.algorithm->n_port;
    for (guint r = 0; r < (n_port ? n : 1); r++) {
        Step question = step_asked(out, node ^ 1u << (r + k) % n);
        a3_send(plan, node, r, k, out);
        a3_send(plan, node ^ 1u << (r + k) % n, r, k, &question);
    }
    out->renumber = k + 1 == n;
    out->phase = k % n == 0;
    out->exchange = !n_port && step_is_exchange(out);
}

static guint a3_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Plan *plan = plan_of(self);
    guint n = schedule_n_nodes(self), unit = unit_of(plan), s = slot / unit, local = slot % unit * n;
    guint to = permutation_apply(&plan->problem.permutation, local | s % n);    /* local blocks, if any, move as well */
    return (s / n * n + to % n) * unit + to / n;
}

static Schedule *a3_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = a3_step, .renumber = a3_renumber};
    Schedule *schedule = plan_make(&class, problem, problem->permutation.n_cycles ? 2 * problem->dimension : 0, 0);
    schedule->n_phases = 2;
    return schedule;
}

#define A3(algorithm, n_ports, what, where)                                                                            \
    const Algorithm algorithm = {                                                                                      \
        .name = "a3", .pattern = &pattern_permutation, .n_port = n_ports, .summary = what, .source = where,            \
        .takes = TAKES_MIXED, .make = a3_make}

A3(algorithm_a3_permutation, FALSE,
   "two complete exchanges: piece p to processor p, and then to where it belongs",
   "Ho & Johnsson 1988, sec. 4.4.2, Algorithm A3");
A3(algorithm_a3_permutation_n, TRUE, "the same in n parts, part r beginning at dimension r",
   "Ho & Johnsson 1988, sec. 4.4.2, Algorithm A3");
