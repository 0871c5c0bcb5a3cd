/* Broadcast down the Two-rooted Complete Binary Tree (Johnsson & Ho 1987, sec. 4.1.6). With one port a processor
 * sends each packet to its two children in two successive cycles, across the higher dimension first. In the second
 * cycle it also receives the next packet. Addresses of nodes are relative to the source. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "sim/cube/graph.h"

/* Sets child[0] to the address bit in which q differs from its first child, which gets each packet first. Sets child[1]
 * to the bit for the second child. 0: q has no such child. */
static void children_of(guint n, guint q, guint *child)
{
    guint both = graph_children(GRAPH_TCBT, n, 0, q);
    child[0] = both ? 1u << g_bit_nth_msf(both, -1) : 0;
    child[1] = both & ~child[0];
}

/* Returns the cycle in which node q receives the first packet; -1 for the source, q = 0, which has it from the
 * beginning. */
static gint64 first_cycle(guint n, guint q)
{
    if (q == 0)
        return -1;
    guint parent = graph_parent(GRAPH_TCBT, n, 0, q), child[2];
    children_of(n, parent, child);
    return first_cycle(n, parent) + (child[0] == (q ^ parent) ? 1 : 2);
}

static void tcbt_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint n = self->dimension, q = node ^ self->root, child[2];
    gint64 packets = plan_pieces(plan_of(self))->long_packets, since = k - first_cycle(n, q);
    out->phase = k == 0;
    out->transfer = TRANSFER_COPY;
    if (since < 0)
        return;
    children_of(n, q, child);
    guint to = child[since % 2 == 0];       /* in the cycle in which q receives packet p, it sends packet p - 1 to its
                                             * second child */
    gint64 packet = (since - 1) / 2;
    if (since > 0 && packet < packets && to)
        step_send_slots(out, node ^ to, (guint)packet, 1, (guint)packet);
    if (q && since % 2 == 0 && since / 2 < packets)
        step_await(out, graph_parent(GRAPH_TCBT, n, 0, q) ^ self->root);
}

/* Makes the schedule, of 2 P + 2 n - 4 cycles for P packets if n > 1. It contends when it runs backwards: an idle
 * processor gets ahead, and its message meets a busy receiver. */
static Schedule *tcbt_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = tcbt_step};
    guint n = problem->dimension, packets = problem->data.pieces.long_packets;
    guint n_steps = !packets || n == 0 ? 0 : n == 1 ? 2 * packets - 1 : 2 * packets + 2 * n - 4;
    return plan_make(&class, problem, n_steps, SCHEDULE_CONTENDS_BACKWARDS);
}

const Algorithm algorithm_tcbt_broadcast = {
    .name = "tcbt", .pattern = &pattern_broadcast, ONE_PORT, WHOLE, .takes = TAKES_PACKETS,
    .summary = "Two-rooted Complete Binary Tree: packets one after another, to both children in turn",
    .source = "Johnsson & Ho 1987, sec. 4.1.6; not in Table 1", .make = tcbt_make,
    .unpublished = "Table 1 has no two-rooted tree: the nESBT is better"};
