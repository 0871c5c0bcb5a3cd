#include "disciplines.h"

/* --- half duplex --- */

gboolean half_take_processors(Network *net, Message *m)
{
    Resource *own = &net->receive_ports[m->from], *other = &net->receive_ports[m->to];
    Resource *left = m->queued ? m->wanted : NULL, *busy = own->holder ? own : other->holder ? other : NULL;
    if (left && left->holder)
        return FALSE;
    gint64 now = events_now(net->events);
    if (left) {
        resource_dequeue(left, m);
        message_trace_wait(net, m, m->end_since);
    }
    if (busy) {
        m->wanted = busy;
        m->end_since = now;
        m->blocker = (guint32)busy->holder->order;
        resource_enqueue(busy, m);
        if (left && left->head)
            candidate_add(net, left->head);
        return FALSE;
    }
    m->blocked_ps += now - m->request_date;
    own->holder = other->holder = m;
    return TRUE;
}

/* --- synchronized duplex --- */

gboolean ends_take(Network *net, Message *m)
{
    gint64 now = events_now(net->events);
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    gboolean receives = source->receiving_since < now, sends = destination->sending_since < now;
    message_trace_wait(net, m, m->end_since);
    if (receives || sends) {
        End *busy = receives ? source : destination;
        m->end_since = now;
        m->blocker = receives ? source->receiving : destination->sending;
        m->next = busy->waiting;
        busy->waiting = m;
        return FALSE;
    }
    m->blocked_ps += now - m->request_date;
    source->sending_since = destination->receiving_since = now;
    source->sending = destination->receiving = (guint32)m->order;
    return TRUE;
}

static void let_try_again(Network *net, End *end, const Message *ended)
{
    for (Message *waiting = end->waiting; waiting; waiting = waiting->next) {
        waiting->let_go = ended->number;
        candidate_add(net, waiting);
    }
    end->waiting = NULL;
}

void ends_release(Network *net, const Message *m)
{
    net->ends[m->from].sending_since = NEVER;
    net->ends[m->to].receiving_since = NEVER;
    let_try_again(net, &net->ends[m->from], m);
    let_try_again(net, &net->ends[m->to], m);
}

/* --- store-and-forward --- */

Journey *journey_new(guint source, guint destination, gint64 bytes)
{
    Journey *journey = g_malloc0(sizeof *journey + cube_distance(source, destination) * sizeof *journey->passed);
    journey->destination = destination;
    journey->n_carriers = 1;
    journey->left = bytes;
    return journey;
}

/* When what goes before m through its send port in any case had left - at the source the processor's own messages, at a
 * processor that forwards m the packets of its own message. */
static gint64 predecessors_left(const Network *net, const Message *m)
{
    return m->relay ? m->journey->passed[cube_distance(m->source, m->from)] : net->passed[send_port_number(net, m)];
}

void journey_count_queuing(Network *net, Message *m)
{
    gint64 now = events_now(net->events), ready = MAX(m->request_date, predecessors_left(net, m));
    m->blocked_ps += now - ready;
    message_trace_wait(net, m, ready);
    Message *next = net->hooks->traced ? m->wanted->head : NULL;
    for (; next; next = next->next)     /* their waiting begins now, behind m */
        if (predecessors_left(net, next) == now)
            next->blocker = (guint32)m->order;
}

/* The present packet of m is at the end of its hop, and asks to be sent on. */
static void forward(Network *net, const Message *m)
{
    Journey *journey = m->journey;
    Message *relay = g_new(Message, 1);
    *relay = (Message){.cargo = m->cargo, .journey = journey, .source = m->source,
                       .from = m->to, .to = next_hop(m->to, journey->destination), .at = m->to, .left = m->packet,
                       .order = m->order, .relay = ++journey->n_relays, .after = m->number};
    journey->n_carriers++;
    message_request(net, relay, WANTS_SEND_PORT, send_port(net, relay));
}

gboolean journey_cross(Network *net, Message *m)
{
    Journey *journey = m->journey;
    journey->blocked_ps += m->blocked_ps;
    m->blocked_ps = 0;
    journey->passed[cube_distance(m->source, m->from)] = events_now(net->events);
    if (m->to != journey->destination) {
        forward(net, m);
        return FALSE;
    }
    journey->left -= m->packet;
    return journey->left == 0;
}
