/* The patterns broadcast, all-broadcast and scatter, their reverses, and allreduce: the source, the slots, the
 * times. */
#include "sim/cube/cube.h"
#include "sim/patterns/key.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/published.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/schedule/pattern_content.h"
#include "sim/text/input.h"

#define BROADCASTS(A)                                                                                                  \
    A(gc_broadcast) A(gc_broadcast_n) A(circuits_broadcast_n)                                                          \
    A(sbt_broadcast) A(sbt_broadcast_n)                                                                                \
    A(nesbt_broadcast) A(nesbt_broadcast_n)                                                                            \
    A(nrsbt_broadcast) A(nrsbt_broadcast_n)                                                                            \
    A(sbnt_broadcast) A(sbnt_broadcast_n)                                                                              \
    A(tcbt_broadcast) A(tcbt_broadcast_n)                                                                              \
    A(knomial_broadcast)

#define ALL_BROADCASTS(A)                                                                                              \
    A(cra_all_broadcast) A(cra_all_broadcast_n) A(circuits_all_broadcast_n)                                            \
    A(gcea_all_broadcast) A(gcea_all_broadcast_n)                                                                      \
    A(sbt_all_broadcast) A(sbt_all_broadcast_n)                                                                        \
    A(hybrid_all_broadcast)                                                                                            \
    A(multiphase_all_broadcast) A(multiphase_linear_all_broadcast)                                                     \
    A(ring_all_broadcast)                                                                                              \
    A(nrsbt_all_broadcast) A(nrsbt_all_broadcast_n)                                                                    \
    A(sbnt_all_broadcast) A(sbnt_all_broadcast_n)

#define SCATTERS(A)                                                                                                    \
    A(sbt_scatter) A(sbt_scatter_n)                                                                                    \
    A(nrsbt_scatter) A(nrsbt_scatter_n)                                                                                \
    A(sbnt_scatter) A(sbnt_scatter_n)                                                                                  \
    A(knomial_scatter)

#define ALLREDUCES(A)                                                                                                  \
    A(doubling_allreduce)                                                                                              \
    A(cra_allreduce) A(cra_allreduce_n) A(circuits_allreduce_n)                                                        \
    A(gcea_allreduce) A(gcea_allreduce_n)                                                                              \
    A(sbt_allreduce) A(sbt_allreduce_n)                                                                                \
    A(hybrid_allreduce)                                                                                                \
    A(multiphase_allreduce) A(multiphase_linear_allreduce)                                                             \
    A(ring_allreduce)                                                                                                  \
    A(nrsbt_allreduce) A(nrsbt_allreduce_n)                                                                            \
    A(sbnt_allreduce) A(sbnt_allreduce_n)

BROADCASTS(ALGORITHM_DECLARE)
ALL_BROADCASTS(ALGORITHM_DECLARE)
SCATTERS(ALGORITHM_DECLARE)
ALLREDUCES(ALGORITHM_DECLARE)

static const Algorithm *const broadcasts[] = {BROADCASTS(ALGORITHM_ENTRY) NULL};
static const Algorithm *const all_broadcasts[] = {ALL_BROADCASTS(ALGORITHM_ENTRY) NULL};
static const Algorithm *const scatters[] = {SCATTERS(ALGORITHM_ENTRY) NULL};
static const Algorithm *const allreduces[] = {ALLREDUCES(ALGORITHM_ENTRY) NULL};

/* --- the source --- */

static gboolean read_source(const Value *value, Request *request, GError **error)
{
    gint64 source;
    gboolean ok = value_count(value, 0, problem_n_nodes(&request->problem) - 1, 0, &source, error);
    request->problem.source = (guint)source;
    return ok;
}

static void put_source(const Run *run, GString *out)
{
    input_put_number(out, run->problem.source);
}

static const Key keys[] = {
    {.name = "source", .kind = KEY_NUMBER, .fallback = "0", .option = {.argument = "S"},
     .help = "the source (or destination) of patterns that have one", .allowed = "0 to 2^d - 1", .read = read_source,
     .put = put_source, .record = {.column = 7, .when = KEY_IF_TAKEN},
     .text = {.order = 15, .phrase = {", source ", ""}, .when = KEY_ALWAYS}, .axis = {.label = {"source ", ""}}},
    {0}};

/* --- what slots hold --- */

/* Returns the processor for which owner number `owner` stands at `node`. Owners are counted from `node` on: owner 0 is
 * `node`. */
static guint beside(const Problem *problem, guint node, guint owner)
{
    return group_add(problem_group(problem), node, owner);
}

static gboolean is_source(const Problem *problem, guint node)
{
    return node == problem->source;
}

/* Whether owner number `owner` stands for the processor `node`, if owners are counted from the source on. */
static gboolean is_of(const Problem *problem, guint node, guint owner)
{
    return beside(problem, problem->source, owner) == node;
}

/* Defines a function `name` for Contract.at_first or at_last. The function returns piece `piece` of the block from
 * `from` to `to` (EVERYBODY: to all) if is_there, else BLOCK_NONE. */
#define BLOCK(name, is_there, from, to)                                                                                \
    static Block name(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)              \
    {                                                                                                                  \
        return is_there ? block_make(from, to) + piece : BLOCK_NONE;                                                   \
    }

BLOCK(of_source, is_source(problem, node), node, EVERYBODY)
BLOCK(from_source, TRUE, problem->source, EVERYBODY)
BLOCK(to_source, TRUE, node, problem->source)
BLOCK(sum_at_source, is_source(problem, node), 0, node)
BLOCK(own_data, owner == 0, node, EVERYBODY)
BLOCK(all_data, TRUE, beside(problem, node, owner), EVERYBODY)
BLOCK(for_each, TRUE, node, beside(problem, node, owner))
BLOCK(own_sum, owner == 0, 0, node)
BLOCK(sum_of_all, TRUE, 0, EVERYBODY)
BLOCK(scattered_from, is_source(problem, node), node, beside(problem, node, owner))
BLOCK(scattered_to, is_of(problem, node, owner), problem->source, node)
BLOCK(gathered_from, is_of(problem, node, owner), node, problem->source)
BLOCK(gathered_to, is_source(problem, node), beside(problem, node, owner), node)

/* --- allreduce --- */

/* Returns the run of the second half of an allreduce, an all-broadcast. The data of each processor in it has the size
 * of the allreduce's largest part. */
static Run run_of_half(const Run *run)
{
    Run half = *run;
    gint64 elements = run->problem.data.bytes / run->element, n = problem_n_nodes(&run->problem);
    half.problem.algorithm = run->problem.algorithm->family;
    half.problem.data.bytes = (elements + n - 1) / n * run->element;
    return half;
}

/* Returns the published time of an allreduce in ps: twice that of its all-broadcast, as its reduce-scatter takes as
 * long. Sets `*why` if there is none. */
static gint64 published_of_halves(const Run *run, const char **why)
{
    Run half = run_of_half(run);
    if (half.problem.data.bytes * problem_n_nodes(&run->problem) != run->problem.data.bytes) {
        *why = "the formulas are of parts that are equal for all processors";
        return 0;
    }
    return 2 * published_on_graph(&half, why);
}

static gint64 packet_of_half(const Run *run)
{
    Run half = run_of_half(run);
    return half.problem.algorithm ? published_graph_packet(&half) : run->machine->packet;
}

/* Returns a layout with a slot for each part, also for parts without elements, which come last. */
static Layout layout_of_parts(const Problem *problem)
{
    return (Layout){.n_owners = 1, .n_pieces = problem->data.pieces.n_parts};
}

static guint64 slots_of_parts(const Problem *problem)
{
    return (guint64)problem_n_nodes(problem) * problem_n_parts(problem);
}

/* --- the patterns --- */

#define CONTRACT(first, last, text_first, text_last)                                                                   \
    &(const Contract){.at_first = first, .at_last = last, .text_at_first = text_first, .text_at_last = text_last}

#define COLLECTIVE .listings = {[LISTING_BEST] = &ranking_of_runs}, .published_ps = published_on_graph, \
    .best_packet = published_graph_packet

const Pattern pattern_broadcast = {
    .name = "broadcast", .aliases = {"bcast"}, .transfer = TRANSFER_COPY, .rooted = TRUE, .algorithms = broadcasts,
    .layout = layout_of_one_owner,
    .contract = CONTRACT(of_source, from_source, "{own} of processor {s} holds {piece}the data of {s}",
                         "{own} of processor x holds {piece}the data of {s}"),
    .theory = &(const PatternTheory){
        .title = "Broadcast", .mpi = "MPI_Bcast", .summary = "the source's data goes to everybody (one-to-all)",
        .keys = keys, COLLECTIVE}};

const Pattern pattern_reduction = {
    .name = "reduction", .aliases = {"reduce"}, .transfer = TRANSFER_COMBINE, .rooted = TRUE,
    .reverse = &pattern_broadcast, .layout = layout_of_one_owner,
    .contract = CONTRACT(to_source, sum_at_source, "{own} of processor x holds {piece}the block from x to {s}",
                         "{own} of processor {s} holds {piece}the sum of all blocks to {s}"),
    .theory = &(const PatternTheory){
        .title = "Reduction", .mpi = "MPI_Reduce",
        .summary = "everybody's data is summed up at the source: broadcast backwards", .keys = keys, COLLECTIVE}};

const Pattern pattern_all_broadcast = {
    .name = "all-broadcast", .aliases = {"allgather"}, .transfer = TRANSFER_COPY, .algorithms = all_broadcasts,
    .contract = &(const Contract){.at_first = own_data, .at_last = all_data, .carries = CARRY_STAYS,
                                  .text_at_first = "{own} of processor x holds {piece}the data of x",
                                  .text_at_last = "{slot} of processor x holds {piece}the data of {x xor i}"},
    .theory = &(const PatternTheory){
        .title = "All-broadcast", .mpi = "MPI_Allgather",
        .summary = "everybody's data goes to everybody (all-to-all broadcasting)", COLLECTIVE}};

const Pattern pattern_reduce_scatter = {
    .name = "reduce-scatter", .former = "all-reduction", .transfer = TRANSFER_COMBINE,
    .reverse = &pattern_all_broadcast,
    .contract = CONTRACT(for_each, own_sum, "{slot} of processor x holds {piece}the block from x to {x xor i}",
                         "{own} of processor x holds {piece}the sum of all blocks to x"),
    .theory = &(const PatternTheory){
        .title = "Reduce-scatter", .mpi = "MPI_Reduce_scatter_block",
        .summary = "everybody gets a sum of its own, with a term from each: all-broadcast backwards", COLLECTIVE}};

const Pattern pattern_allreduce = {
    .name = "allreduce", .transfer = TRANSFER_COMBINE, .algorithms = allreduces, .layout = layout_of_parts,
    .contract = CONTRACT(own_data, sum_of_all, "{own} of processor x holds {piece}the data of x",
                         "{own} of processor x holds {piece}the sum of all data"),
    .theory = &(const PatternTheory){
        .title = "Allreduce", .mpi = "MPI_Allreduce", .summary = "everybody gets the sum of everybody's data",
        .listings = {[LISTING_BEST] = &ranking_of_runs}, .least_slots = slots_of_parts,
        .published_ps = published_of_halves, .best_packet = packet_of_half}};

const Pattern pattern_scatter = {
    .name = "scatter", .transfer = TRANSFER_MOVE, .rooted = TRUE, .algorithms = scatters,
    .contract = CONTRACT(scattered_from, scattered_to,
                         "{slot} of processor {s} holds {piece}the block from {s} to {s xor i}",
                         "{slot} of processor {s xor i} holds {piece}the block from {s} to {s xor i}"),
    .theory = &(const PatternTheory){
        .title = "Scatter", .mpi = "MPI_Scatter",
        .summary = "the source has a block of its own for everybody (one-to-all personalized)", .keys = keys,
        COLLECTIVE}};

const Pattern pattern_gather = {
    .name = "gather", .transfer = TRANSFER_MOVE, .rooted = TRUE, .reverse = &pattern_scatter,
    .contract = CONTRACT(gathered_from, gathered_to,
                         "{slot} of processor {s xor i} holds {piece}the block from {s xor i} to {s}",
                         "{slot} of processor {s} holds {piece}the block from {s xor i} to {s}"),
    .theory = &(const PatternTheory){
        .title = "Gather", .mpi = "MPI_Gather", .summary = "everybody has a block for the source: scatter backwards",
        .keys = keys, COLLECTIVE}};
