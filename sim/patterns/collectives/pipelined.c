/* Broadcast in packets that follow each other down spanning trees (Johnsson & Ho 1987, sec. 4.1): Hamiltonian paths,
 * and the n-port SBT, nESBT and SBnT. Nodes are relative to the source. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/graph.h"

static Graph graph_of(const Plan *plan)
{
    return *(const Graph *)plan->problem.algorithm->family;
}

static void broadcast_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    const Pieces *pieces = plan_pieces(plan);
    guint n = self->dimension, q = node ^ self->root;
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    for (guint tree = 0; tree < pieces->n_parts; tree++) {
        guint packets = pieces_of_part(pieces, tree), piece = pieces_first(pieces, tree);
        guint depth = graph_depth(graph_of(plan), n, tree, q);
        if (k >= depth && k - depth < packets) {
            guint children = graph_children(graph_of(plan), n, tree, q);
            for (; children; children &= children - 1)
                step_send_slots(out, node ^ (children & -children), piece + k - depth, 1, piece + k - depth);
        }
        if (q && k + 1 >= depth && k + 1 - depth < packets)
            step_await(out, graph_parent(graph_of(plan), n, tree, q) ^ self->root);
    }
}

/* Implements ScheduleClass.seek. A node at depth l of a tree has work only in steps l - 1 (the root: 0) to l +
 * packets - 1. */
static guint broadcast_seek(const Schedule *self, guint node, guint strand, guint k, gboolean back)
{
    const Plan *plan = plan_of(self);
    guint nearest = G_MAXUINT, q = node ^ self->root;
    for (guint tree = 0; tree < plan_pieces(plan)->n_parts; tree++) {
        guint packets = pieces_of_part(plan_pieces(plan), tree);
        guint depth = graph_depth(graph_of(plan), self->dimension, tree, q);
        guint first = depth ? depth - 1 : 0, last = depth + packets - 1;
        if (packets == 0 || (back ? k < first : k > last))
            continue;
        guint found = back ? MIN(k, last) : MAX(k, first);
        nearest = nearest == G_MAXUINT ? found : back ? MAX(nearest, found) : MIN(nearest, found);
    }
    return back || nearest < self->n_steps ? nearest : G_MAXUINT;
}

static Schedule *broadcast_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = broadcast_step, .seek = broadcast_seek};
    guint height = graph_height(*(const Graph *)problem->algorithm->family, problem->dimension);
    return plan_make(&class, problem, height ? problem->data.pieces.long_packets + height - 1 : 0, 0);
}

/* Whether node q of the one-port nESBT sends a packet across `dim`, `ago` cycles after the source has sent that
 * packet. */
static gboolean passes_on(guint n, guint q, guint dim, guint ago)
{
    guint child = q ^ 1u << dim, tree = (dim + n - ago % n) % n;
    return child && (ago == 0) == (q == 0) && graph_parent(GRAPH_NESBT, n, tree, child) == q &&
           (ago == n) == !(child >> tree & 1);
}

/* Returns the number of the packet that node q sends in cycle k; -1: it sends none. A node never sends more than one
 * packet in a cycle. */
static gint64 nesbt_packet(const Plan *plan, guint q, guint k)
{
    guint n = plan->head.dimension;
    for (guint ago = 0; ago <= MIN(n, k); ago++)
        if (k - ago < plan_pieces(plan)->long_packets && passes_on(n, q, k % n, ago))
            return k - ago;
    return -1;
}

/* Adds cycle k of the one-port nESBT, in which all processors use dimension k mod n. The source sends packet p in
 * cycle p. In the next n - 1 cycles the packet spreads in the half of the cube that it has entered. In cycle p + n it
 * crosses to all nodes of the other half but the source (sec. 4.1.3; Ho & Johnsson). */
static void nesbt_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint peer = node ^ 1u << k % self->dimension;
    gint64 mine = nesbt_packet(plan_of(self), node ^ self->root, k);
    gint64 theirs = nesbt_packet(plan_of(self), peer ^ self->root, k);
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    if (mine >= 0)
        step_send_slots(out, peer, (guint)mine, 1, (guint)mine);
    if (theirs >= 0)
        step_await(out, peer);
}

/* Makes the one-port schedule of the nESBT. When it runs backwards, idle processors get ahead and meet busy
 * receivers. */
static Schedule *nesbt_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = nesbt_step};
    guint n = problem->dimension, packets = problem->data.pieces.long_packets;
    guint n_steps = n > 1 ? packets + n : n * packets;      /* n = 1: cycle p + n is not needed, as the other half is
                                                             * the source alone */
    return plan_make(&class, problem, n_steps, SCHEDULE_CONTENDS_BACKWARDS);
}

#define BROADCAST(algorithm, id, ports, parts, packets, maker, on, what, where, why)                                   \
    const Algorithm algorithm = {                                                                                      \
        .name = id, .pattern = &pattern_broadcast, ports, parts, .takes = packets, .summary = what, .source = where,   \
        .unpublished = why, .make = maker, .family = &(const Graph){on}}

BROADCAST(algorithm_gc_broadcast, "gc", ONE_PORT, WHOLE, TAKES_PACKETS, broadcast_make, GRAPH_PATH,
          "packets one after another along the Gray-code Hamiltonian path",
          "Johnsson & Ho 1987, sec. 4.1.1, GC(1,1)", NULL);
BROADCAST(algorithm_gc_broadcast_n, "gc", ANY_PORTS, IN_PARTS, 0, broadcast_make, GRAPH_PATH,
          "n parts, each along a rotated Gray-code path",
          "Johnsson & Ho 1987, sec. 4.1.1, GC(n,1)", NULL);
BROADCAST(algorithm_circuits_broadcast_n, "circuits", ANY_PORTS, .n_parts = plan_parts_by_circuit, TAKES_PACKETS,
          broadcast_make, GRAPH_CIRCUITS, "parts along edge-disjoint Hamiltonian circuits, packets one after another",
          "Johnsson & Ho 1987, sec. 4.1.1, on the 4-cube; Ringel 1954", "Table 1 has no edge-disjoint circuits");
BROADCAST(algorithm_sbt_broadcast_n, "sbt", ANY_PORTS, WHOLE, TAKES_PACKETS, broadcast_make, GRAPH_SBT,
          "Spanning Binomial Tree: packets one after another, to all children at a time",
          "Johnsson & Ho 1987, sec. 4.1.2, SBT-b(n,1)", NULL);
BROADCAST(algorithm_nesbt_broadcast, "nesbt", ONE_PORT, WHOLE, TAKES_PACKETS, nesbt_make, GRAPH_NESBT,
          "packet p on tree p mod n of n Edge-disjoint SBTs, in cycle k across dimension k mod n",
          "Johnsson & Ho 1987, sec. 4.1.3, nESBT-b(1,1)", NULL);
BROADCAST(algorithm_nesbt_broadcast_n, "nesbt", ANY_PORTS, IN_PARTS, TAKES_PACKETS, broadcast_make, GRAPH_NESBT,
          "n parts on n Edge-disjoint SBTs, packets one after another, to all children at a time",
          "Johnsson & Ho 1987, sec. 4.1.3, nESBT-b(n,1)", NULL);
BROADCAST(algorithm_sbnt_broadcast_n, "sbnt", ANY_PORTS, WHOLE, TAKES_PACKETS, broadcast_make, GRAPH_SBNT,
          "Spanning Balanced n-Tree: packets one after another, to all children at a time",
          "Johnsson & Ho 1987, sec. 4.1.5; not in Table 1", "Table 1 has no SBnT: the nESBT is better");
BROADCAST(algorithm_tcbt_broadcast_n, "tcbt", ANY_PORTS, WHOLE, TAKES_PACKETS, broadcast_make, GRAPH_TCBT,
          "Two-rooted Complete Binary Tree: packets one after another, to both children at a time",
          "Johnsson & Ho 1987, sec. 4.1.6; not in Table 1", "Table 1 has no two-rooted tree: the nESBT is better");
