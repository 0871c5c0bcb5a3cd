/* Neighbour exchange: everybody exchanges data with each of its d neighbours, as programs on grids with halos do. */
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/schedule/plan.h"

/* Returns a layout with an owner for each neighbour: owner i for the neighbour across dimension i. At first its slots
 * hold the data for the neighbour, at the end the data from the neighbour. */
static Layout neighbours_layout(const Problem *problem)
{
    return (Layout){.n_owners = problem->dimension, .n_pieces = pieces_count(&problem->data.pieces)};
}

static Block neighbours_at_first(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    return block_make(node, node ^ 1u << owner) + piece;
}

static Block neighbours_at_last(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    return block_make(node ^ 1u << owner, node) + piece;
}

static const Contract contract = {
    .at_first = neighbours_at_first, .at_last = neighbours_at_last, .carries = CARRY_STAYS,
    .text_at_first = "{slot} of processor x holds {piece}the block from x to x xor 2^i",
    .text_at_last = "{slot} of processor x holds {piece}the block from x xor 2^i to x"};

static void neighbours_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint slots = self->n_slots / self->dimension, neighbour = node ^ 1u << k;
    out->phase = k == 0;
    out->exchange = TRUE;
    step_send_slots(out, neighbour, k * slots, slots, k * slots);
    step_await(out, neighbour);
}

static Schedule *neighbours_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = neighbours_step};
    return plan_make(&class, problem, problem->dimension, SCHEDULE_TRANSLATES | SCHEDULE_SAME_WORK);
}

static const Algorithm by_dimensions = {.name = "by-dimensions", .pattern = &pattern_neighbour_exchange,
                                        .source = "textbook",
                                        .summary = "one dimension after another, both ends of a channel at a time",
                                        .unpublished = "no paper of the five has it", .make = neighbours_make};
static const Algorithm *const algorithms[] = {&by_dimensions, NULL};

const Pattern pattern_neighbour_exchange = {
    .name = "neighbour-exchange", .aliases = {"halo"}, .transfer = TRANSFER_MOVE, .algorithms = algorithms,
    .contract = &contract, .layout = neighbours_layout,
    .theory = &(const PatternTheory){.title = "Neighbour exchange", .mpi = "MPI_Neighbor_alltoall",
                                     .summary = "everybody exchanges data with each of its neighbours"}};
