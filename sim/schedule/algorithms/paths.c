/* Everything that follows the paths of spanning trees and merges what crosses a channel in one step: broadcast,
 * all-broadcast, scatter and complete exchange on the SBT, the nRSBT graph and the SBnT (Johnsson & Ho 1987, sec. 4).
 *
 * All nodes are relative to the source. The path to r in a tree sets the ones of r in ascending cyclic order from a
 * first one on (graph.h); a Timing says in which step. What is at node u on its way to r is, in patterns with many
 * sources, what came from x xor u at processor x: so owner r stands for the processor x xor r, and what a processor
 * sends across a dimension in a step leaves the same slots in all of them. */
#include "schedules.h"
#include "sim/cube/cube.h"

#define NOWHERE G_MAXUINT

static const Pattern *forward(const Schedule *schedule)
{
    return pattern_of(schedule->algorithm->pattern);
}

/* The ones of r that come before dimension `dim` on the path. */
static guint ones_before(guint n, guint first, guint r, guint dim)
{
    guint position = (dim + n - first) % n;
    guint before = ((1u << position) - 1) << first;
    return r & (before | before >> n);
}

/* The dimension of channel number `i` of the path, counted from 0. */
static guint nth_one(guint n, guint first, guint r, guint i)
{
    guint rotated = cube_rotate_left(r, n, (n - first) % n);
    for (; i > 0 && rotated; i--)
        rotated &= rotated - 1;
    return rotated ? ((guint)__builtin_ctz(rotated) + first) % n : NOWHERE;
}

/* The dimension that the data for r in a tree crosses in step k. */
static guint dimension_of_step(const Schedule *schedule, guint tree, guint first, guint r, guint k)
{
    guint n = schedule->dimension, dim = NOWHERE, waits = n - (guint)__builtin_popcount(r);
    switch (schedule->algorithm->timing) {
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

/* Whether node q sends the data for r in a tree across `dim` in step k; then `*at` is where its way has led it. */
static gboolean crosses(const Schedule *schedule, guint q, guint tree, guint r, guint dim, guint k, guint *at)
{
    const Pattern *pattern = forward(schedule);
    guint first = graph_first(schedule->algorithm->graph, schedule->dimension, tree, r);
    if (dimension_of_step(schedule, tree, first, r, k) != dim)
        return FALSE;
    *at = ones_before(schedule->dimension, first, r, dim);
    gboolean arrives = (*at | 1u << dim) == r;
    return (!pattern->rooted || *at == q) && (pattern->transfer == TRANSFER_MOVE || arrives);
}

/* Begins a message with the first data that is added to it. */
static void add(const Schedule *schedule, guint at, guint r, guint tree, guint peer, gboolean *any, Step *out)
{
    const Pattern *pattern = forward(schedule);
    guint from = pattern->transfer == TRANSFER_MOVE ? r : pattern->rooted ? 0 : at;
    guint to = pattern->kind == PATTERN_BROADCAST ? 0 : r;
    guint piece = pieces_first(&schedule->pieces, tree);
    if (!*any)
        step_send(out, peer);
    *any = TRUE;
    step_carry(out, schedule_slot(schedule, from) + piece, pieces_of_part(&schedule->pieces, tree),
               schedule_slot(schedule, to) + piece);
}

/* The message of node q across `dim` in step k, to processor `peer`, in `out` (NULL: only asked for); FALSE if there is
 * none. A node of a rooted pattern has data only for nodes whose ones include its own. */
static gboolean send_across(const Schedule *schedule, guint q, guint dim, guint k, guint peer, Step *out)
{
    gboolean rooted = forward(schedule)->rooted, any = FALSE;
    guint needed = 1u << dim | (rooted ? q : 0), at;
    if (rooted && q >> dim & 1)
        return FALSE;
    gboolean one = forward(schedule)->kind == PATTERN_BROADCAST;
    guint last = one ? needed : cube_n_nodes(schedule->dimension) - 1;
    for (guint r = needed; r <= last; r = (r + 1) | needed)
        for (guint tree = 0; tree < schedule->pieces.n_parts; tree++) {
            if (pieces_of_part(&schedule->pieces, tree) == 0 || !crosses(schedule, q, tree, r, dim, k, &at))
                continue;
            if (!out)
                return TRUE;
            add(schedule, at, r, tree, peer, &any, out);
        }
    return any;
}

static void step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint n = schedule->dimension, q = node ^ schedule->source;
    gboolean n_port = schedule->algorithm->n_port, rooted = forward(schedule)->rooted;
    for (guint dim = n_port ? 0 : k % n; dim < (n_port ? n : k % n + 1); dim++) {
        guint peer = node ^ 1u << dim;
        gboolean sent = send_across(schedule, q, dim, k, peer, out);
        if (rooted ? send_across(schedule, q ^ 1u << dim, dim, k, node, NULL) : sent)
            step_await(out, peer);
    }
    out->phase = k == 0;
    out->exchange = !rooted && !n_port && out->sends->len == 1;
}

static void init(Schedule *schedule)
{
    const Algorithm *algorithm = schedule->algorithm;
    gboolean twice_round = algorithm->timing == TIMING_DIMENSION && algorithm->graph != GRAPH_SBT;
    guint n = schedule->dimension;
    schedule->n_steps = n && twice_round ? 2 * n - 1 : n;
    schedule->relative = TRUE;
}

/* Backwards, a processor with nothing to do in a step runs ahead. With one source and 2n - 1 steps most have little to
 * do, and meet at busy receivers. */
#define PATHS(algorithm, pattern_kind, id, on, when, n_ports, in_parts, what, where)                                   \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = pattern_kind, .n_port = n_ports, .summary = what, .source = where,                      \
        .splits = in_parts, .merges = TRUE, .graph = on, .timing = when, .init = init, .step = step,                   \
        .translates = pattern_kind == PATTERN_ALL_BROADCAST || pattern_kind == PATTERN_COMPLETE_EXCHANGE,              \
        .contends_backwards = (pattern_kind == PATTERN_BROADCAST || pattern_kind == PATTERN_SCATTER) &&                \
                              when == TIMING_DIMENSION && on != GRAPH_SBT}

PATHS(algorithm_sbt_broadcast, PATTERN_BROADCAST, "sbt", GRAPH_SBT, TIMING_DIMENSION, FALSE, FALSE,
      "Spanning Binomial Tree: everybody who has the data passes it on across dimension i in step i",
      "Johnsson & Ho 1987, sec. 4.1.2, SBT-b(1,1)");
PATHS(algorithm_nrsbt_broadcast, PATTERN_BROADCAST, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, FALSE, TRUE,
      "n parts on n rotated SBTs, all in the order of dimensions 0 ... n-1, 0 ... n-2",
      "Johnsson & Ho 1987, sec. 4.1.4, nRSBT-b(1,1)");
PATHS(algorithm_nrsbt_broadcast_n, PATTERN_BROADCAST, "nrsbt", GRAPH_NRSBT, TIMING_ROTATED, TRUE, TRUE,
      "n parts on n rotated SBTs, tree j across dimension j+s in step s",
      "Johnsson & Ho 1987, sec. 4.1.4, nRSBT-b(n,1)");
PATHS(algorithm_sbnt_broadcast, PATTERN_BROADCAST, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, FALSE, FALSE,
      "Spanning Balanced n-Tree in the order of dimensions 0 ... n-1, 0 ... n-2",
      "Johnsson & Ho 1987, sec. 4.1.5; not in Table 1");

PATHS(algorithm_sbt_all_broadcast, PATTERN_ALL_BROADCAST, "sbt", GRAPH_SBT, TIMING_DIMENSION, FALSE, FALSE,
      "N SBTs: exchange everything known across dimension i in step i",
      "Johnsson & Ho 1987, sec. 4.2.2, SBT-b(1,N)");
PATHS(algorithm_sbt_all_broadcast_n, PATTERN_ALL_BROADCAST, "sbt", GRAPH_SBT, TIMING_LEVEL, TRUE, FALSE,
      "N SBTs, level by level", "Johnsson & Ho 1987, sec. 4.2.2, SBT-b(n,N)");
PATHS(algorithm_nrsbt_all_broadcast, PATTERN_ALL_BROADCAST, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, FALSE, TRUE,
      "N times n rotated SBTs in the order of dimensions 0 ... n-1, 0 ... n-2",
      "Johnsson & Ho 1987, sec. 4.2.3, nRSBT-b(1,N)");
PATHS(algorithm_nrsbt_all_broadcast_n, PATTERN_ALL_BROADCAST, "nrsbt", GRAPH_NRSBT, TIMING_LEVEL, TRUE, TRUE,
      "N times n rotated SBTs, level by level", "Johnsson & Ho 1987, sec. 4.2.3, nRSBT-b(n,N)");
PATHS(algorithm_sbnt_all_broadcast, PATTERN_ALL_BROADCAST, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, FALSE, FALSE,
      "N SBnTs in the order of dimensions 0 ... n-1, 0 ... n-2", "Johnsson & Ho 1987, sec. 4.2.3, SBnT-b(1,N)");
PATHS(algorithm_sbnt_all_broadcast_n, PATTERN_ALL_BROADCAST, "sbnt", GRAPH_SBNT, TIMING_LEVEL, TRUE, FALSE,
      "N SBnTs, level by level", "Johnsson & Ho 1987, sec. 4.2.3, SBnT-b(n,N)");

PATHS(algorithm_sbt_scatter, PATTERN_SCATTER, "sbt", GRAPH_SBT, TIMING_DIMENSION, FALSE, FALSE,
      "SBT: across dimension i in step i, half of what one has", "Johnsson & Ho 1987, sec. 4.3, SBT-p(1,1)");
PATHS(algorithm_sbt_scatter_n, PATTERN_SCATTER, "sbt", GRAPH_SBT, TIMING_FARTHEST, TRUE, FALSE,
      "SBT, the farthest level first", "Johnsson & Ho 1987, sec. 4.3, SBT-p(n,1)");
PATHS(algorithm_nrsbt_scatter, PATTERN_SCATTER, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, FALSE, TRUE,
      "n rotated SBTs in the order of dimensions 0 ... n-1, 0 ... n-2", "one-port form of nRSBT-p; not in Table 3");
PATHS(algorithm_nrsbt_scatter_n, PATTERN_SCATTER, "nrsbt", GRAPH_NRSBT, TIMING_FARTHEST, TRUE, TRUE,
      "n rotated SBTs, the farthest level first", "Johnsson & Ho 1987, sec. 4.3, nRSBT-p(n,1)");
PATHS(algorithm_sbnt_scatter, PATTERN_SCATTER, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, FALSE, FALSE,
      "SBnT in the order of dimensions 0 ... n-1, 0 ... n-2", "one-port form of SBnT-p; not in Table 3");
PATHS(algorithm_sbnt_scatter_n, PATTERN_SCATTER, "sbnt", GRAPH_SBNT, TIMING_FARTHEST, TRUE, FALSE,
      "SBnT, the farthest level first", "Johnsson & Ho 1987, sec. 4.3, SBnT-p(n,1)");

PATHS(algorithm_sbt_exchange, PATTERN_COMPLETE_EXCHANGE, "sbt", GRAPH_SBT, TIMING_DIMENSION, FALSE, FALSE,
      "N SBTs: half of the memory across dimension i in step i, without shuffles",
      "Johnsson & Ho 1987, sec. 4.4, SBT-p(1,N)");
PATHS(algorithm_sbt_exchange_n, PATTERN_COMPLETE_EXCHANGE, "sbt", GRAPH_SBT, TIMING_LEVEL, TRUE, FALSE,
      "N SBTs, every block one channel further in each step",
      "Johnsson & Ho 1987, sec. 4.4: cannot attain the lower bound; not in Table 4");
PATHS(algorithm_nrsbt_exchange, PATTERN_COMPLETE_EXCHANGE, "nrsbt", GRAPH_NRSBT, TIMING_DIMENSION, FALSE, TRUE,
      "N times n rotated SBTs in the order of dimensions 0 ... n-1, 0 ... n-2",
      "one-port form of nRSBT-p; not in Table 4");
PATHS(algorithm_nrsbt_exchange_n, PATTERN_COMPLETE_EXCHANGE, "nrsbt", GRAPH_NRSBT, TIMING_ROTATED, TRUE, TRUE,
      "N times n rotated SBTs, tree j across dimension j+s in step s", "Johnsson & Ho 1987, sec. 4.4, nRSBT-p(n,N)");
PATHS(algorithm_sbnt_exchange, PATTERN_COMPLETE_EXCHANGE, "sbnt", GRAPH_SBNT, TIMING_DIMENSION, FALSE, FALSE,
      "N SBnTs in the order of dimensions 0 ... n-1, 0 ... n-2", "one-port form of SBnT-p; not in Table 4");
PATHS(algorithm_sbnt_exchange_n, PATTERN_COMPLETE_EXCHANGE, "sbnt", GRAPH_SBNT, TIMING_LEVEL, TRUE, FALSE,
      "N SBnTs, every block one channel further in each step", "Johnsson & Ho 1987, sec. 4.4, SBnT-p(n,N)");
