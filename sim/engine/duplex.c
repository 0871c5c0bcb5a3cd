#include "duplex.h"

/* --- half duplex --- */

/* Takes the ports of m's sender and receiver if both are free; else m joins the queue of a busy one. When a port is
 * released, the first message of its queue tries again. If this message finds its other port busy, it moves to the
 * other port's queue, and the next message tries. So no message waits for a free port. If several messages could
 * begin at an instant, the order of service decides. */
gboolean duplex_take_processors(Network *net, Carrier *m)
{
    Resource *own = &net->receive_ports[m->from], *other = &net->receive_ports[m->to];
    Resource *left = m->queued ? m->wanted : NULL, *busy = own->holder ? own : other->holder ? other : NULL;
    if (left && left->holder)
        return FALSE;
    gint64 now = events_now(net->events);
    if (left) {
        dequeue(left, m);
        network_trace_wait(net, m, m->end_since);
    }
    if (!busy) {
        m->blocked_ps += now - m->request_date;
        own->holder = other->holder = m;
        return TRUE;
    }
    m->wanted = busy;
    m->end_since = now;
    m->blocker = (guint32)busy->holder->order;
    enqueue(busy, m);
    if (left && left->head)
        add_candidate(net, left->head);
    return FALSE;
}

/* --- synchronized duplex: a send and a receive overlap only if they begin together --- */

/* Begins m's transmission at its sender and receiver if both can transmit now; else m waits for the busy one. */
gboolean duplex_take_both_ends(Network *net, Carrier *m)
{
    gint64 now = events_now(net->events);
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    gboolean receives = source->receiving_since < now, sends = destination->sending_since < now;
    network_trace_wait(net, m, m->end_since);
    if (receives || sends) {
        End *busy = receives ? source : destination;
        m->end_since = now;
        m->blocker = receives ? source->receiving : destination->sending;
        m->next = busy->waiting;
        busy->waiting = m;
        return FALSE;
    }
    m->blocked_ps += now - m->request_date;
    network_count_dead(net, m, now - m->request_date);
    source->sending_since = destination->receiving_since = now;
    source->sending = destination->receiving = (guint32)m->order;
    return TRUE;
}

static void let_try_again(Network *net, End *end, const Carrier *ended)
{
    for (Carrier *waiting = end->waiting; waiting; waiting = waiting->next) {
        waiting->let_go = ended->number;
        add_candidate(net, waiting);
    }
    end->waiting = NULL;
}

void duplex_release_ends(Network *net, const Carrier *m)
{
    net->ends[m->from].sending_since = NEVER;
    net->ends[m->to].receiving_since = NEVER;
    let_try_again(net, &net->ends[m->from], m);
    let_try_again(net, &net->ends[m->to], m);
}
