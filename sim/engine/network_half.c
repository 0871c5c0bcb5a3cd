#include "network_half.h"

/* Waits at `port`, behind its holder. */
static void wait_for_processor(Network *net, Message *m, Resource *port)
{
    m->wanted = port;
    m->end_since = events_now(net->events);
    m->blocker = (guint32)port->holder->order;
    resource_enqueue(port, m);
}

gboolean half_take_processors(Network *net, Message *m)
{
    Resource *own = &net->receive_ports[m->from], *other = &net->receive_ports[m->to];
    Resource *left = m->queued ? m->wanted : NULL, *busy = own->holder ? own : other->holder ? other : NULL;
    if (left && left->holder)
        return FALSE;
    gint64 now = events_now(net->events);
    if (left) {
        resource_dequeue(left, m);
        if (now > m->end_since && net->hooks->traced)
            message_trace_wait(net, m, m->end_since);
    }
    if (busy) {
        wait_for_processor(net, m, busy);
        if (left && left->head)
            candidate_add(net, left->head);
        return FALSE;
    }
    m->blocked_ps += now - m->request_date;
    own->holder = other->holder = m;
    return TRUE;
}
