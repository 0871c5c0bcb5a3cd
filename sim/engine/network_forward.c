#include "network_forward.h"

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
    if (!net->hooks->traced)
        return;
    if (now > ready)
        message_trace_wait(net, m, ready);
    for (Message *next = m->wanted->head; next; next = next->next)     /* their waiting begins now, behind m */
        if (predecessors_left(net, next) == now)
            next->blocker = (guint32)m->order;
}

/* The present packet of m is at the end of its hop, and asks to be sent on. */
static void forward(Network *net, const Message *m)
{
    Journey *journey = m->journey;
    Message *relay = message_new(net);
    *relay = (Message){
        .cargo = m->cargo,
        .journey = journey,
        .source = m->source,
        .from = m->to,
        .to = next_hop(m->to, journey->destination),
        .at = m->to,
        .left = m->packet,
        .order = m->order,
        .relay = ++journey->n_relays,
        .after = m->number,
    };
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
