#include "network_state.h"

void network_trace(const Network *net, const Message *m, TraceInterval interval)
{
    interval.number = m->number;
    interval.end_ps = events_now(net->events);
    interval.processor = m->from;
    interval.message = (guint32)m->order;
    interval.bytes = m->packet;
    net->hooks->traced(net->user, &interval);
}

void network_trace_wait(const Network *net, const Message *m, gint64 start)
{
    if (!net->hooks->traced || start >= events_now(net->events))
        return;
    TraceInterval wait = {.kind = TRACE_WAIT, .start_ps = start, .from = m->at, .to = m->at, .blocker = m->blocker,
                          .after = {TRACE_TRANSMIT, m->want == WANTS_BOTH_ENDS ? m->let_go : m->wanted->last}};
    if (m->want == WANTS_SEND_PORT)
        wait.to = net->machine->ports == PORTS_ALL ? m->to : TRACE_NONE;
    else if (m->want == WANTS_CHANNEL)
        wait.to = topology_step(&net->topology, m->at, m->to);
    else if (m->want == WANTS_NODE_EXIT || m->want == WANTS_NODE_ENTRY)
        wait.from = wait.to = TRACE_NODE;
    else if (m->want != WANTS_RECEIVE_PORT)
        wait.from = wait.to = TRACE_NONE;
    if (m->want == WANTS_PROCESSORS)
        wait.to = (guint)(m->wanted - net->receive_ports);
    if (m->want == WANTS_NODE_EXIT)
        wait.from = (guint)(m->wanted - net->node_exits);
    if (m->want == WANTS_NODE_ENTRY)
        wait.to = (guint)(m->wanted - net->node_entries);
    network_trace(net, m, wait);
}
