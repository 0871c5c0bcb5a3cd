/* A pattern as it is added to the program, in a file of its own; this one only the tests know. Ring shift: everybody
 * sends its data to the processor `steps` places further along the ring of node numbers. */
#include "sim/cube/cube.h"
#include "sim/patterns/key.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/text/input.h"
#include "tests.h"

/* --- the key `steps`, kept in own[0] --- */

static gboolean read_steps(const Value *value, Wish *wish, GError **error)
{
    return value_count(value, 0, cube_n_nodes(wish->problem.dimension) - 1, 1, &wish->problem.own[0], error);
}

static void put_steps(const Run *run, GString *out)
{
    input_put_number(out, run->problem.own[0]);
}

static const Key keys[] = {{.name = "steps", .kind = KEY_NUMBER, .argument = "S", .fallback = "1",
                            .help = "how many places data goes along the ring", .allowed = "0 to 2^d - 1",
                            .read = read_steps, .put = put_steps, .heading = "steps", .shown = KEY_IF_TAKEN,
                            .place = 10, .naming = KEY_OF_SUBJECT, .when_told = KEY_IF_TAKEN},
                           {0}};

/* --- what slots hold --- */

static guint further(const Problem *problem, guint node, gint64 places)
{
    return (guint)(node + places) % cube_n_nodes(problem->dimension);
}

static Block at_first(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    return block_make(node, further(problem, node, problem->own[0])) + piece;
}

static Block at_last(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    return block_make(further(problem, node, -problem->own[0]), node) + piece;
}

static const Promise promise = {
    .at_first = at_first, .at_last = at_last,
    .text_at_first = "{own} of processor x holds {piece}the block from x to y, `steps` places further",
    .text_at_last = "{own} of processor y holds {piece}the block from x to y"};

/* --- the algorithm --- */

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Problem *problem = &plan_of(self)->problem;
    guint receiver = further(problem, node, problem->own[0]);
    out->phase = TRUE;
    if (receiver == node)
        return;
    step_send_slots(out, receiver, 0, self->n_slots, 0);
    step_await(out, further(problem, node, -problem->own[0]));
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    return plan_make(&class, problem, 1, problem->own[0] ? SCHEDULE_CONTENDS : 0);
}

static const Algorithm straight = {.name = "straight", .pattern = &pattern_shift, .source = "tests/",
                                   .summary = "everybody sends at once, straight to the destination: may contend",
                                   .unpublished = "it is for the tests", .make = make};
static const Algorithm *const algorithms[] = {&straight, NULL};

const Pattern pattern_shift = {
    .name = "shift", .title = "Ring shift", .summary = "everybody's data goes `steps` places along a ring",
    .transfer = TRANSFER_MOVE, .keys = keys, .algorithms = algorithms, .promise = &promise,
    .layout = layout_of_one_owner};
