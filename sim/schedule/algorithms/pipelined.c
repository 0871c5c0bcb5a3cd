/* Broadcast in packets that follow each other down spanning trees (Johnsson & Ho 1987, sec. 4.1): Hamiltonian paths,
 * and the n-port SBT, nESBT and SBnT. Nodes are relative to the source. */
#include "schedules.h"
#include "sim/cube/cube.h"

static void step(const Schedule *schedule, guint node, guint k, Step *out)
{
    const Algorithm *algorithm = schedule->algorithm;
    guint n = schedule->dimension, q = node ^ schedule->source;
    out->phase = k == 0;
    for (guint tree = 0; tree < schedule->pieces.n_parts; tree++) {
        guint packets = pieces_of_part(&schedule->pieces, tree), piece = pieces_first(&schedule->pieces, tree);
        guint depth = graph_depth(algorithm->graph, n, tree, q);
        if (k >= depth && k - depth < packets) {
            guint children = graph_children(algorithm->graph, n, tree, q);
            for (; children; children &= children - 1)
                step_send_slots(out, node ^ (children & -children), piece + k - depth, 1, piece + k - depth);
        }
        if (q && k + 1 >= depth && k + 1 - depth < packets)
            step_await(out, graph_parent(algorithm->graph, n, tree, q) ^ schedule->source);
    }
}

/* In a tree, a node at depth l is busy in steps l - 1 ... l + packets - 1. */
static guint seek(const Schedule *schedule, guint node, guint k, gboolean back)
{
    guint nearest = G_MAXUINT, q = node ^ schedule->source;
    for (guint tree = 0; tree < schedule->pieces.n_parts; tree++) {
        guint packets = pieces_of_part(&schedule->pieces, tree);
        guint depth = graph_depth(schedule->algorithm->graph, schedule->dimension, tree, q);
        guint first = depth ? depth - 1 : 0, last = depth + packets - 1;
        if (packets == 0 || (back ? k < first : k > last))
            continue;
        guint found = back ? MIN(k, last) : MAX(k, first);
        nearest = nearest == G_MAXUINT ? found : back ? MAX(nearest, found) : MIN(nearest, found);
    }
    return back || nearest < schedule->n_steps ? nearest : G_MAXUINT;
}

static void init(Schedule *schedule)
{
    guint height = graph_height(schedule->algorithm->graph, schedule->dimension);
    schedule->n_steps = height ? schedule->pieces.long_packets + height - 1 : 0;
}

/* nESBT with one port: in cycle k everybody uses dimension k mod n. The source sends packet p in cycle p; in the next
 * n - 1 cycles it spreads in that half of the cube, and in cycle p + n it crosses back, except to the source
 * (sec. 4.1.3; Ho & Johnsson). Whether node q sends packet p across `dim`, `ago` cycles after it left the source: */
static gboolean passes_on(guint n, guint q, guint dim, guint ago)
{
    guint child = q ^ 1u << dim, tree = (dim + n - ago % n) % n;
    return child && (ago == 0) == (q == 0) && graph_parent(GRAPH_NESBT, n, tree, child) == q &&
           (ago == n) == !(child >> tree & 1);
}

/* The packet that q sends in cycle k, or -1; never more than one. */
static gint64 packet_of(const Schedule *schedule, guint q, guint k)
{
    guint n = schedule->dimension;
    for (guint ago = 0; ago <= MIN(n, k); ago++)
        if (k - ago < schedule->pieces.long_packets && passes_on(n, q, k % n, ago))
            return k - ago;
    return -1;
}

static void nesbt_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint peer = node ^ 1u << k % schedule->dimension;
    gint64 mine = packet_of(schedule, node ^ schedule->source, k);
    gint64 theirs = packet_of(schedule, peer ^ schedule->source, k);
    out->phase = k == 0;
    if (mine >= 0)
        step_send_slots(out, peer, (guint)mine, 1, (guint)mine);
    if (theirs >= 0)
        step_await(out, peer);
}

static void nesbt_init(Schedule *schedule)
{
    guint n = schedule->dimension, packets = schedule->pieces.long_packets;
    schedule->n_steps = n > 1 ? packets + n : n * packets;      /* n = 1: nobody to cross back to */
}

const Algorithm algorithm_gc_broadcast = {
    .name = "gc",
    .pattern = PATTERN_BROADCAST,
    .summary = "packets one after another along the Gray-code Hamiltonian path",
    .source = "Johnsson & Ho 1987, sec. 4.1.1, GC(1,1)",
    .pipelines = TRUE,
    .graph = GRAPH_PATH,
    .init = init,
    .step = step,
    .seek = seek,
};

const Algorithm algorithm_gc_broadcast_n = {
    .name = "gc",
    .pattern = PATTERN_BROADCAST,
    .n_port = TRUE,
    .summary = "n parts, each along a rotated Gray-code path",
    .source = "Johnsson & Ho 1987, sec. 4.1.1, GC(n,1)",
    .splits = TRUE,
    .graph = GRAPH_PATH,
    .init = init,
    .step = step,
    .seek = seek,
};

const Algorithm algorithm_sbt_broadcast_n = {
    .name = "sbt",
    .pattern = PATTERN_BROADCAST,
    .n_port = TRUE,
    .summary = "Spanning Binomial Tree: packets one after another, to all children at a time",
    .source = "Johnsson & Ho 1987, sec. 4.1.2, SBT-b(n,1)",
    .pipelines = TRUE,
    .graph = GRAPH_SBT,
    .init = init,
    .step = step,
    .seek = seek,
};

const Algorithm algorithm_nesbt_broadcast = {
    .name = "nesbt",
    .pattern = PATTERN_BROADCAST,
    .summary = "packet p on tree p mod n of n Edge-disjoint SBTs, in cycle k across dimension k mod n",
    .source = "Johnsson & Ho 1987, sec. 4.1.3, nESBT-b(1,1)",
    .pipelines = TRUE,
    .contends_backwards = TRUE,     /* who is not needed in a cycle runs ahead and meets a busy receiver */
    .graph = GRAPH_NESBT,
    .init = nesbt_init,
    .step = nesbt_step,
};

const Algorithm algorithm_nesbt_broadcast_n = {
    .name = "nesbt",
    .pattern = PATTERN_BROADCAST,
    .n_port = TRUE,
    .summary = "n parts on n Edge-disjoint SBTs, packets one after another, to all children at a time",
    .source = "Johnsson & Ho 1987, sec. 4.1.3, nESBT-b(n,1)",
    .splits = TRUE,
    .pipelines = TRUE,
    .graph = GRAPH_NESBT,
    .init = init,
    .step = step,
    .seek = seek,
};

const Algorithm algorithm_sbnt_broadcast_n = {
    .name = "sbnt",
    .pattern = PATTERN_BROADCAST,
    .n_port = TRUE,
    .summary = "Spanning Balanced n-Tree: packets one after another, to all children at a time",
    .source = "Johnsson & Ho 1987, sec. 4.1.5; not in Table 1",
    .pipelines = TRUE,
    .graph = GRAPH_SBNT,
    .init = init,
    .step = step,
    .seek = seek,
};
