#include "network_state.h"

void network_trace(const Network *net, const Carrier *m, TraceInterval interval)
{
    interval.number = m->number;
    interval.end_ps = events_now(net->events);
    interval.processor = m->from;
    interval.message = (guint32)m->order;
    interval.bytes = m->packet;
    net->hooks->traced(net->user, &interval);
}

/* Sets the place that m waits for (trace_place()). Changes nothing if that is a transmission the other way. */
static void set_place(const Network *net, const Carrier *m, guint32 *from, guint32 *to)
{
    switch (m->want) {
    case WANTS_SEND_PORT:
        *from = m->at;
        *to = net->machine->ports == PORTS_ALL ? m->to : TRACE_NONE;
        break;
    case WANTS_CHANNEL:
        *from = m->at;
        *to = topology_step(&net->topology, m->at, m->to);
        break;
    case WANTS_RECEIVE_PORT:
        *from = *to = m->at;
        break;
    case WANTS_HOST_EXIT:
        *from = (guint32)(m->wanted - net->host_exits);
        *to = TRACE_NODE;
        break;
    case WANTS_HOST_ENTRY:
        *from = TRACE_NODE;
        *to = (guint32)(m->wanted - net->host_entries);
        break;
    case WANTS_PROCESSORS:
        *to = (guint32)(m->wanted - net->receive_ports);
        break;
    default:
        break;
    }
}

void network_trace_wait(const Network *net, const Carrier *m, gint64 start)
{
    if (!net->hooks->traced || start >= events_now(net->events))
        return;
    TraceInterval wait = {.kind = TRACE_WAIT, .start_ps = start, .from = TRACE_NONE, .to = TRACE_NONE,
                          .blocker = m->blocker,
                          .after = {TRACE_TRANSMIT, m->want == WANTS_BOTH_ENDS ? m->let_go : m->wanted->last}};
    set_place(net, m, &wait.from, &wait.to);
    network_trace(net, m, wait);
}
