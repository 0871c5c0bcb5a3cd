/* Complete exchange: its slots, and its published time. */
#include "models/hull.h"
#include "sim/cube/cube.h"
#include "sim/lib/list.h"
#include "sim/patterns/published.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/pattern_content.h"

#include <string.h>

#define EXCHANGES(A)                                                                                                   \
    A(standard)                                                                                                        \
    A(direct)                                                                                                          \
    A(multiphase)                                                                                                      \
    A(offsets)                                                                                                         \
    A(naive)                                                                                                           \
    A(reversed)                                                                                                        \
    A(linear) A(linear_n)                                                                                              \
    A(multiphase_linear) A(multiphase_linear_n)                                                                        \
    A(sbt_exchange) A(sbt_exchange_n)                                                                                  \
    A(nrsbt_exchange) A(nrsbt_exchange_n)                                                                              \
    A(sbnt_exchange) A(sbnt_exchange_n)

EXCHANGES(ALGORITHM_DECLARE)

static const Algorithm *const algorithms[] = {EXCHANGES(ALGORITHM_ENTRY) NULL};

/* One's own block is in place from the beginning. */
static Block at_first(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    if (layout->relative)
        return block_make(node, group_add(problem_group(problem), node, owner)) + piece;
    if (owner == node)
        return block_make(node, node) + piece;
    return owner >= layout->outgoing && owner != layout->outgoing + node
               ? block_make(node, owner - layout->outgoing) + piece
               : BLOCK_NONE;
}

static Block at_last(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece)
{
    if (layout->relative)
        return block_make(group_subtract(problem_group(problem), node, owner), node) + piece;
    return owner < problem_n_nodes(problem) ? block_make(owner, node) + piece : BLOCK_NONE;
}

static const Promise promise = {
    .at_first = at_first, .at_last = at_last,
    .text_at_first = "{outgoing} of processor x holds {piece}the block from x to {i}{kept}",
    .text_at_last = "{slot} of processor x holds {piece}the block from {back} to x"};

static gint64 published_ps(const Run *run, const char **why)
{
    return published_is_on_graph(run) ? published_on_graph(run, why) : published_in_phases(run, NULL, why);
}

static char *rule(const Problem *problem)
{
    const Algorithm *algorithm = problem->algorithm;
    const Group *group = problem_group(problem);
    if (problem->offsets)
        return strchr(problem->offsets, '+') ? NULL : list_of_offsets(problem->offsets, group);
    if (algorithm == &algorithm_direct)
        return g_strdup("direct");
    return algorithm == &algorithm_standard || algorithm == &algorithm_multiphase
               ? list_of_partition(&problem->partition, group) : NULL;
}

/* Besides all partitions those that contend; where start-ups overlap, all both ways, and MPI libraries' exchange. */
static const PatternHull hull[] = {{"multiphase", "multiphase,naive,reversed"},
                                   {"multiphase-linear", "multiphase-linear,multiphase,linear"},
                                   [HULL_OF_OFFSETS] = {"offsets", "offsets,multiphase"}};

extern const Listing tables_of_spanning_graphs;

const Pattern pattern_complete_exchange = {
    .name = "complete-exchange", .aliases = {"alltoall", "all-to-all"}, .mpi = "MPI_Alltoall",
    .title = "Complete exchange", .transfer = TRANSFER_MOVE,
    .summary = "everybody has a block of its own for everybody (all-to-all personalized)",
    .algorithms = algorithms, .hull = hull, .rule = rule, .size_label = "block size m (bytes)", .promise = &promise,
    .published_ps = published_ps, .best_packet = published_graph_packet,
    .listings = {[LISTING_TABLES] = &tables_of_spanning_graphs}};
