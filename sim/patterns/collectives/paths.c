/* Broadcast, all-broadcast, scatter and complete exchange along the paths of spanning trees: the SBT, the nRSBT graph
 * and the SBnT (Johnsson & Ho 1987, sec. 4). All data that crosses a channel in one step is one message.
 *
 * Addresses of nodes are relative to the source. The path to node r in a tree sets the ones of r in ascending cyclic
 * order, beginning at a dimension `first` (graph.h). A PathsTiming says in which step each of them is set. If all
 * processors are sources, processor x is node x xor s of source s. So in a step all processors send from the same
 * slots across a dimension. Owner r at processor x stands for the processor x xor r. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

#define NOWHERE G_MAXUINT

/* Timings: which channel of its path the data for a node crosses in a step. n is the cube's dimension; a path crosses
 * each dimension once at most. */
typedef enum {
    TIMING_DIMENSION,   /* in step k, dimension k mod n; data whose path crosses another dimension next waits */
    TIMING_ROTATED,     /* in step k, dimension (j + k) mod n for the data on tree j */
    TIMING_LEVEL,       /* in step i, channel i of the path */
    TIMING_FARTHEST     /* in step n - l + i, channel i of a path of l channels: data with the longest path sets out
                         * first */
} PathsTiming;

typedef struct {
    Graph graph;
    PathsTiming timing;
} PathsFamily;

static const PathsFamily *paths_family(const Plan *plan)
{
    return plan->problem.algorithm->family;
}

/* Returns the pattern of the plan's algorithm; the problem's pattern is this or its reverse. */
static const Pattern *paths_pattern(const Plan *plan)
{
    return plan->problem.algorithm->pattern;
}

/* Returns, as bits, the ones of r that the path to r sets before it comes to dimension `dim`. The path begins at
 * dimension `first`. */
static guint ones_before(guint n, guint first, guint r, guint dim)
{
    guint position = (dim + n - first) % n;
    guint before = ((1u << position) - 1) << first;
    return r & (before | before >> n);
}

/* Returns the dimension of channel number i of the path to r that begins at dimension `first`; NOWHERE if the path
 * has no more than i channels. */
static guint nth_one(guint n, guint first, guint r, guint i)
{
    guint rotated = cube_rotate_left(r, n, (n - first) % n);
    for (; i > 0 && rotated; i--)
        rotated &= rotated - 1;
    return rotated ? ((guint)__builtin_ctz(rotated) + first) % n : NOWHERE;
}

/* Returns the dimension that the data for r in a tree crosses in step k; NOWHERE: it crosses none. `first` is the
 * first dimension of the tree's path to r. */
static guint dimension_of_step(const Plan *plan, guint tree, guint first, guint r, guint k)
{
    guint n = plan->head.dimension, dim = NOWHERE, waits = n - (guint)__builtin_popcount(r);
    switch (paths_family(plan)->timing) {
    case TIMING_DIMENSION:
        dim = (k >= n) == (k % n < first) ? k % n : NOWHERE;
        break;
    case TIMING_ROTATED:
        dim = (tree + k) % n;
        break;
    case TIMING_LEVEL:
        return nth_one(n, first, r, k);
    case TIMING_FARTHEST:
        return k < waits ? NOWHERE : nth_one(n, first, r, k - waits);
    }
    return dim != NOWHERE && r >> dim & 1 ? dim : NOWHERE;
}

/* Whether node q sends the data for r in a tree across `dim` in step k. Sets `*at` to the node on the path from node
 * 0 to r at which the path crosses `dim`. */
static gboolean crosses(const Plan *plan, guint q, guint tree, guint r, guint dim, guint k, guint *at)
{
    const Pattern *pattern = paths_pattern(plan);
    guint first = graph_first(paths_family(plan)->graph, plan->head.dimension, tree, r);
    if (dimension_of_step(plan, tree, first, r, k) != dim)
        return FALSE;
    *at = ones_before(plan->head.dimension, first, r, dim);
    gboolean arrives = (*at | 1u << dim) == r;
    return (!pattern->rooted || *at == q) && (pattern->transfer == TRANSFER_MOVE || arrives);
}

/* Adds the data for r in a tree to the message that `out` begins. `at` is the node on the path to r that sends it.
 * Returns FALSE if `out` is a question (step_asked()), which needs no more slots than the first. */
static gboolean paths_add(const Plan *plan, guint at, guint r, guint tree, Step *out)
{
    const Pattern *pattern = paths_pattern(plan);
    guint from = pattern->transfer == TRANSFER_MOVE ? r : pattern->rooted ? 0 : at;
    guint to = pattern == &pattern_broadcast ? 0 : r;
    guint piece = pieces_first(plan_pieces(plan), tree);
    return step_carry(out, plan_slot(plan, from) + piece, pieces_of_part(plan_pieces(plan), tree),
                      plan_slot(plan, to) + piece);
}

/* Adds the message that node q sends across `dim` in step k; its destination is the processor `peer`. In a rooted
 * pattern node q has only data for nodes whose addresses have all ones of q. */
static void paths_send_across(const Plan *plan, guint q, guint dim, guint k, guint peer, Step *out)
{
    gboolean rooted = paths_pattern(plan)->rooted;
    guint needed = 1u << dim | (rooted ? q : 0), at;
    if (rooted && q >> dim & 1)
        return;
    step_send(out, peer);
    gboolean one = paths_pattern(plan) == &pattern_broadcast;
    guint last = one ? needed : cube_n_nodes(plan->head.dimension) - 1;
    for (guint r = needed; r <= last; r = (r + 1) | needed)
        for (guint tree = 0; tree < plan_pieces(plan)->n_parts; tree++) {
            if (pieces_of_part(plan_pieces(plan), tree) == 0 || !crosses(plan, q, tree, r, dim, k, &at))
                continue;
            if (!paths_add(plan, at, r, tree, out))
                return;
        }
}

static void paths_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    gboolean n_port = plan->problem.algorithm->n_port, rooted = paths_pattern(plan)->rooted;
    guint n = self->dimension, q = rooted ? node ^ self->root : node;
    out->transfer = paths_pattern(plan)->transfer;
    for (guint dim = n_port ? 0 : k % n; dim < (n_port ? n : k % n + 1); dim++) {
        Step question = step_asked(out, node ^ 1u << dim);
        paths_send_across(plan, q, dim, k, node ^ 1u << dim, out);
        paths_send_across(plan, q ^ 1u << dim, dim, k, node, &question);
    }
    out->phase = k == 0;
    out->exchange = !rooted && !n_port && out->sends->len == 1;
}

/* Returns Schedule.flags. With `twice_round` the schedule has 2n - 1 steps. If it is rooted, too, it contends when it
 * runs backwards: a processor with nothing to do in a step gets ahead, and its message meets a busy receiver. */
static guint paths_flags(const Plan *plan, gboolean twice_round)
{
    return !paths_pattern(plan)->rooted ? SCHEDULE_TRANSLATES : twice_round ? SCHEDULE_CONTENDS_BACKWARDS : 0;
}

static Schedule *paths_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = paths_step};
    Layout layout = layout_of_problem(problem);
    layout.relative = TRUE;
    Plan *plan = plan_new(sizeof *plan, &class, problem, &layout);
    gboolean twice_round = paths_family(plan)->timing == TIMING_DIMENSION && paths_family(plan)->graph != GRAPH_SBT;
    guint n = problem->dimension;
    plan->head.n_steps = n && twice_round ? 2 * n - 1 : n;
    plan->head.flags = paths_flags(plan, twice_round);
    return &plan->head;
}

#define PATHS(algorithm, pattern_kind, id, on, when, ports, parts, what, where, why)                                   \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = pattern_kind, ports, .summary = what, .source = where, .unpublished = why, parts,       \
        .make = paths_make, .family = &(const PathsFamily){on, when}}

PATHS(algorithm_sbt_broadcast, &pattern_broadcast, "sbt", GRAPH_SBT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "Spanning Binomial Tree: everybody who has the data passes it on across dimension i in step i",
      "Johnsson & Ho 1987, sec. 4.1.2, SBT-b(1,1)", NULL);
PATHS(algorithm_nrsbt_broadcast, &pattern_broadcast, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, ONE_PORT, IN_PARTS,
      "n parts on n rotated SBTs, all in the order of dimensions 0 ... n-1, 0 ... n-2",
      "Johnsson & Ho 1987, sec. 4.1.4, nRSBT-b(1,1)", NULL);
PATHS(algorithm_nrsbt_broadcast_n, &pattern_broadcast, "nrsbt", GRAPH_NRSBT, TIMING_ROTATED, ANY_PORTS, IN_PARTS,
      "n parts on n rotated SBTs, tree j across dimension j+s in step s",
      "Johnsson & Ho 1987, sec. 4.1.4, nRSBT-b(n,1)", NULL);
PATHS(algorithm_sbnt_broadcast, &pattern_broadcast, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "Spanning Balanced n-Tree in the order of dimensions 0 ... n-1, 0 ... n-2",
      "Johnsson & Ho 1987, sec. 4.1.5; not in Table 1", "Table 1 has no SBnT: the nESBT is better");

PATHS(algorithm_sbt_all_broadcast, &pattern_all_broadcast, "sbt", GRAPH_SBT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "N SBTs: exchange everything known across dimension i in step i",
      "Johnsson & Ho 1987, sec. 4.2.2, SBT-b(1,N)", NULL);
PATHS(algorithm_sbt_all_broadcast_n, &pattern_all_broadcast, "sbt", GRAPH_SBT, TIMING_LEVEL, ANY_PORTS, WHOLE,
      "N SBTs, level by level", "Johnsson & Ho 1987, sec. 4.2.2, SBT-b(n,N)", NULL);
PATHS(algorithm_nrsbt_all_broadcast, &pattern_all_broadcast, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, ONE_PORT, IN_PARTS,
      "N times n rotated SBTs in the order of dimensions 0 ... n-1, 0 ... n-2",
      "Johnsson & Ho 1987, sec. 4.2.3, nRSBT-b(1,N)", NULL);
PATHS(algorithm_nrsbt_all_broadcast_n, &pattern_all_broadcast, "nrsbt", GRAPH_NRSBT, TIMING_LEVEL, ANY_PORTS, IN_PARTS,
      "N times n rotated SBTs, level by level", "Johnsson & Ho 1987, sec. 4.2.3, nRSBT-b(n,N)", NULL);
PATHS(algorithm_sbnt_all_broadcast, &pattern_all_broadcast, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "N SBnTs in the order of dimensions 0 ... n-1, 0 ... n-2", "Johnsson & Ho 1987, sec. 4.2.3, SBnT-b(1,N)", NULL);
PATHS(algorithm_sbnt_all_broadcast_n, &pattern_all_broadcast, "sbnt", GRAPH_SBNT, TIMING_LEVEL, ANY_PORTS, WHOLE,
      "N SBnTs, level by level", "Johnsson & Ho 1987, sec. 4.2.3, SBnT-b(n,N)", NULL);

PATHS(algorithm_sbt_scatter, &pattern_scatter, "sbt", GRAPH_SBT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "SBT: across dimension i in step i, half of what one has", "Johnsson & Ho 1987, sec. 4.3, SBT-p(1,1)", NULL);
PATHS(algorithm_sbt_scatter_n, &pattern_scatter, "sbt", GRAPH_SBT, TIMING_FARTHEST, ANY_PORTS, WHOLE,
      "SBT, the farthest level first", "Johnsson & Ho 1987, sec. 4.3, SBT-p(n,1)", NULL);
PATHS(algorithm_nrsbt_scatter, &pattern_scatter, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, ONE_PORT, IN_PARTS,
      "n rotated SBTs in the order of dimensions 0 ... n-1, 0 ... n-2", "one-port form of nRSBT-p; not in Table 3",
      "Table 3 has the nRSBT for n ports only");
PATHS(algorithm_nrsbt_scatter_n, &pattern_scatter, "nrsbt", GRAPH_NRSBT, TIMING_FARTHEST, ANY_PORTS, IN_PARTS,
      "n rotated SBTs, the farthest level first", "Johnsson & Ho 1987, sec. 4.3, nRSBT-p(n,1)", NULL);
PATHS(algorithm_sbnt_scatter, &pattern_scatter, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "SBnT in the order of dimensions 0 ... n-1, 0 ... n-2", "one-port form of SBnT-p; not in Table 3",
      "Table 3 has the SBnT for n ports only");
PATHS(algorithm_sbnt_scatter_n, &pattern_scatter, "sbnt", GRAPH_SBNT, TIMING_FARTHEST, ANY_PORTS, WHOLE,
      "SBnT, the farthest level first", "Johnsson & Ho 1987, sec. 4.3, SBnT-p(n,1)", NULL);

PATHS(algorithm_sbt_exchange, &pattern_complete_exchange, "sbt", GRAPH_SBT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "N SBTs: half of the memory across dimension i in step i, without shuffles",
      "Johnsson & Ho 1987, sec. 4.4, SBT-p(1,N)", NULL);
PATHS(algorithm_sbt_exchange_n, &pattern_complete_exchange, "sbt", GRAPH_SBT, TIMING_LEVEL, ANY_PORTS, WHOLE,
      "N SBTs, every block one channel further in each step",
      "Johnsson & Ho 1987, sec. 4.4: cannot attain the lower bound; not in Table 4",
      "Table 4 has no n-port SBT: half of the data crosses one dimension");
PATHS(algorithm_nrsbt_exchange, &pattern_complete_exchange, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, ONE_PORT, IN_PARTS,
      "N times n rotated SBTs in the order of dimensions 0 ... n-1, 0 ... n-2",
      "one-port form of nRSBT-p; not in Table 4", "Table 4 has the nRSBT for n ports only");
PATHS(algorithm_nrsbt_exchange_n, &pattern_complete_exchange, "nrsbt", GRAPH_NRSBT, TIMING_ROTATED, ANY_PORTS, IN_PARTS,
      "N times n rotated SBTs, tree j across dimension j+s in step s", "Johnsson & Ho 1987, sec. 4.4, nRSBT-p(n,N)",
      NULL);
PATHS(algorithm_sbnt_exchange, &pattern_complete_exchange, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, ONE_PORT, WHOLE,
      "N SBnTs in the order of dimensions 0 ... n-1, 0 ... n-2", "one-port form of SBnT-p; not in Table 4",
      "Table 4 has the SBnT for n ports only");
PATHS(algorithm_sbnt_exchange_n, &pattern_complete_exchange, "sbnt", GRAPH_SBNT, TIMING_LEVEL, ANY_PORTS, WHOLE,
      "N SBnTs, every block one channel further in each step", "Johnsson & Ho 1987, sec. 4.4, SBnT-p(n,N)", NULL);
