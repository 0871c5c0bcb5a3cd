#include "network.h"
#include "disciplines.h"

#include <stdlib.h>
#include <string.h>

typedef enum {
    EVENT_STARTED,          /* lambda paid */
    EVENT_GAP_OVER,         /* with overlapped start-ups: the send port may begin the next */
    EVENT_HOPPED,           /* delta_hop paid */
    EVENT_CONNECTED,        /* delta paid */
    EVENT_TRANSMITTED,
    EVENT_TIMER
} EventKind;

Network *network_new(const Machine *machine, guint dimension, const NetworkHooks *hooks, gpointer user)
{
    gsize n = cube_n_nodes(dimension), n_channels = n * dimension;
    gsize n_send_ports = machine->ports == PORTS_ALL ? n_channels : n;
    Network *net = g_new(Network, 1);
    *net = (Network){.machine = machine, .dimension = dimension, .hooks = hooks, .user = user, .events = events_new(),
                     .channels = g_new0(Resource, n_channels), .send_ports = g_new0(Resource, n_send_ports),
                     .receive_ports = g_new0(Resource, n), .sorted = TRUE};
    if (machine->overlaps)
        net->ways_out = g_new0(WayOut, n_send_ports);
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        net->passed = g_new0(gint64, n_send_ports);
    if (machine->duplex == DUPLEX_SYNCHRONIZED)
        net->ends = g_new(End, n);
    for (gsize node = 0; net->ends && node < n; node++)
        net->ends[node] = (End){.sending_since = NEVER, .receiving_since = NEVER};
    return net;
}

static void free_messages(Message *m)
{
    for (Message *next; m; m = next) {
        next = m->next;
        message_free(m);
    }
}

static void free_queued(Resource *resources, gsize n)
{
    for (gsize i = 0; i < n; i++)
        free_messages(resources[i].head);
    g_free(resources);
}

void network_free(Network *net)
{
    if (!net)
        return;
    gsize n = cube_n_nodes(net->dimension), n_channels = n * net->dimension;
    /* A network given up half-way still has messages: those granted are in the calendar, the others in queues. */
    for (Event event; events_advance(net->events);)
        while (events_take(net->events, &event))
            if (event.subject)
                message_free(event.subject);
    for (guint i = 0; i < net->n_candidates; i++)
        if (!net->candidates[i]->queued)
            message_free(net->candidates[i]);
    gsize n_send_ports = net->machine->ports == PORTS_ALL ? n_channels : n;
    for (gsize i = 0; net->ways_out && i < n_send_ports; i++)
        free_messages(net->ways_out[i].use.head);
    g_free(net->ways_out);
    free_queued(net->channels, n_channels);
    free_queued(net->send_ports, n_send_ports);
    free_queued(net->receive_ports, n);
    for (gsize node = 0; net->ends && node < n; node++)
        free_messages(net->ends[node].waiting);
    g_free(net->ends);
    g_free(net->passed);
    g_free(net->candidates);
    events_free(net->events);
    g_free(net);
}

gint64 network_now(const Network *net)
{
    return events_now(net->events);
}

NetworkStats network_stats(const Network *net)
{
    return net->stats;
}

gboolean network_overflowed(const Network *net)
{
    return net->overflowed;
}

/* --- the life of a packet --- */

static void after(Network *net, gint64 delay, EventKind kind, Message *m)
{
    events_push(net->events, delay, (Event){.kind = kind, .subject = m});
}

static void transmit(Network *net, Message *m)
{
    m->since = network_now(net);
    after(net, m->cost.transmit_ps, EVENT_TRANSMITTED, m);
}

/* Everything is held. Where a send and a receive overlap only if they start together, it depends on both ends. */
static void begin_transmission(Network *net, Message *m)
{
    m->end_since = NEVER;
    if (net->ends)
        message_request(net, m, WANTS_BOTH_ENDS, NULL);
    else
        transmit(net, m);
}

/* The whole route is held and delta paid. */
static void connected(Network *net, Message *m)
{
    if (net->machine->ports == PORTS_ALL || net->machine->duplex == DUPLEX_HALF)
        begin_transmission(net, m);
    else
        message_request(net, m, WANTS_RECEIVE_PORT, &net->receive_ports[m->to]);
}

/* Start-up or a hop has been paid: the header wants the next channel, if there is one. */
static void hopped(Network *net, Message *m)
{
    if (m->at != m->to) {
        guint dim = cube_first_dimension(m->at, m->to);
        message_request(net, m, WANTS_CHANNEL, &net->channels[cube_channel(net->dimension, m->at, dim)]);
    } else if (m->cost.delta_ps) {
        after(net, m->cost.delta_ps, EVENT_CONNECTED, m);
    } else {
        connected(net, m);
    }
}

/* For traces: a start-up or transmission ends, which with store-and-forward has a hop. */
static void trace_hop(const Network *net, const Message *m, TraceKind kind)
{
    if (net->hooks->traced)
        message_trace(net, m, (TraceInterval){.kind = kind, .start_ps = m->since,
                                              .after = {net->ways_out ? kind : TRACE_TRANSMIT, m->after},
                                              .from = m->journey ? m->from : TRACE_NONE,
                                              .to = m->journey ? m->to : TRACE_NONE});
}

static inline void started(Network *net, Message *m)
{
    trace_hop(net, m, TRACE_STARTUP);
    if (net->ways_out)
        message_request(net, m, WANTS_TO_LEAVE, &net->ways_out[send_port_number(net, m)].use);
    else
        hopped(net, m);
}

static void start_up(Network *net, Message *m)
{
    m->since = network_now(net);
    if (m->cost.startup_ps)
        after(net, m->cost.startup_ps, EVENT_STARTED, m);
    else
        started(net, m);
}

static void take_packet(Network *net, Message *m)
{
    m->packet = cost_packet_bytes(net->machine, m->left);
    m->cost = cost_packet(net->machine, m->packet);
    m->at = m->from;
    m->number = net->n_packets++;
}

/* The send port is held: the packet taken begins. */
static void begin_packet(Network *net, Message *m)
{
    if (net->machine->duplex == DUPLEX_HALF)
        message_request(net, m, WANTS_PROCESSORS, NULL);
    else
        start_up(net, m);
}

static void begin_sending(Network *net, Message *m)
{
    take_packet(net, m);
    if (network_now(net) > m->request_date)
        m->after = m->wanted->last;
    if (m->journey)
        journey_count_queuing(net, m);
    begin_packet(net, m);
}

/* --- overlapped start-ups --- */

/* m holds its send port: its next packet begins, and goes on by itself. None overtakes those before it. */
static void begin_next(Network *net, Message *m)
{
    WayOut *port = &net->ways_out[send_port_number(net, m)];
    Message *packet = g_memdup2(m, sizeof *m);
    gint64 now = network_now(net);
    take_packet(net, packet);
    m->relay++;
    packet->since = now;
    port->started_ps = MAX(port->started_ps, now + packet->cost.startup_ps);
    after(net, port->started_ps - now, EVENT_STARTED, packet);
    after(net, cost_gap(net->machine, &packet->cost), EVENT_GAP_OVER, m);
    m->left -= packet->packet;
    m->number = packet->number;
}

static void begin_overlapped(Network *net, Message *m)
{
    if (network_now(net) > m->request_date)
        m->after = m->wanted->last;
    begin_next(net, m);
}

/* The send port of m may begin the next packet, or the next message. */
static void gap_over(Network *net, Message *m)
{
    if (m->left > 0) {
        m->after = m->number;
        begin_next(net, m);
    } else {
        resource_release(net, send_port(net, m), m);
        message_free(m);
    }
}

/* The packets before m have left: its header sets off. */
static void leave(Network *net, Message *m)
{
    m->after = network_now(net) > m->request_date ? m->wanted->last : TRACE_NONE;
    hopped(net, m);
}

/* m holds what it wanted: its send port, the way out of it, a channel or its receive port. */
static void granted(Network *net, Message *m)
{
    if (m->want <= WANTS_TO_LEAVE) {
        if (!net->ways_out)
            begin_sending(net, m);
        else if (m->want == WANTS_SEND_PORT)
            begin_overlapped(net, m);
        else
            leave(net, m);
    } else if (m->want == WANTS_RECEIVE_PORT) {
        begin_transmission(net, m);
    } else {
        m->at = next_hop(m->at, m->to);
        if (m->cost.hop_ps)
            after(net, m->cost.hop_ps, EVENT_HOPPED, m);
        else
            hopped(net, m);
    }
}

/* --- the end of a packet --- */

static void count_message(Network *net, gint64 blocked_ps)
{
    net->stats.messages++;
    net->stats.blocked += blocked_ps > 0;
    net->stats.blocked_ps += blocked_ps;
    net->stats.longest_ps = MAX(net->stats.longest_ps, blocked_ps);
}

static void release_circuit(Network *net, const Message *m)
{
    guint dim;
    for (guint at = m->from; at != m->to; at ^= 1u << dim) {
        dim = cube_first_dimension(at, m->to);
        Resource *channel = &net->channels[cube_channel(net->dimension, at, dim)];
        if (net->hooks->traced)
            message_trace(net, m, (TraceInterval){.kind = TRACE_CHANNEL, .start_ps = channel->since, .from = at,
                                                  .to = at ^ 1u << dim});
        resource_release(net, channel, m);
    }
    if (net->machine->ports == PORTS_ONE)
        resource_release(net, &net->receive_ports[m->to], m);
    if (net->machine->duplex == DUPLEX_HALF)
        resource_release(net, &net->receive_ports[m->from], m);
    if (net->ends)
        ends_release(net, m);
}

/* The next packet of m begins; or m has none left and its send port is free. */
static void end_packet(Network *net, Message *m)
{
    m->left -= m->packet;
    if (m->left > 0) {
        m->after = m->number;
        take_packet(net, m);
        begin_packet(net, m);
    } else {
        resource_release(net, send_port(net, m), m);
    }
}

/* A packet has left a port with overlapped start-ups; its message too, if it is the last. */
static void left_overlapped(Network *net, Message *m)
{
    WayOut *port = &net->ways_out[send_port_number(net, m)];
    gpointer cargo = m->cargo;
    gboolean last = m->left == m->packet;
    resource_release(net, &port->use, m);
    port->blocked_ps += m->blocked_ps;
    message_free(m);
    if (!last)
        return;
    count_message(net, port->blocked_ps);
    port->blocked_ps = 0;
    net->hooks->sent(net->user, cargo);
    net->hooks->delivered(net->user, cargo);
}

static void transmitted(Network *net, Message *m)
{
    trace_hop(net, m, TRACE_TRANSMIT);
    release_circuit(net, m);
    if (net->ways_out) {
        left_overlapped(net, m);
        return;
    }
    gboolean arrived = m->journey && journey_cross(net, m);
    end_packet(net, m);
    gboolean empty = m->left == 0, sent = empty && !m->relay, delivered = m->journey ? arrived : empty;
    gpointer cargo = m->cargo;
    if (delivered)
        count_message(net, m->journey ? m->journey->blocked_ps : m->blocked_ps);
    if (sent && net->passed)
        net->passed[send_port_number(net, m)] = network_now(net);
    if (empty)
        message_free(m);
    if (sent)
        net->hooks->sent(net->user, cargo);
    if (delivered)
        net->hooks->delivered(net->user, cargo);
}

/* --- what the driver calls --- */

void network_send(Network *net, guint source, guint destination, gint64 bytes, gpointer cargo)
{
    g_assert(source != destination);
    gboolean forwarded = net->machine->switching == SWITCHING_STORE_AND_FORWARD;
    Message *m = g_new(Message, 1);
    *m = (Message){.cargo = cargo, .journey = forwarded ? journey_new(source, destination, bytes) : NULL,
                   .source = source, .from = source, .to = forwarded ? next_hop(source, destination) : destination,
                   .at = source, .left = bytes, .order = net->n_issued++, .after = TRACE_NONE};
    message_request(net, m, WANTS_SEND_PORT, send_port(net, m));
}

void network_timer(Network *net, gint64 delay_ps, guint number)
{
    events_push(net->events, delay_ps, (Event){.kind = EVENT_TIMER, .number = number});
}

gboolean network_advance(Network *net)
{
    if (net->overflowed || !events_advance(net->events))
        return FALSE;
    if (network_now(net) >= INPUT_TIME_MAX_PS) {
        net->overflowed = TRUE;
        return FALSE;
    }
    for (Event event; events_take(net->events, &event);) {
        switch ((EventKind)event.kind) {
        case EVENT_STARTED:
            started(net, event.subject);
            break;
        case EVENT_GAP_OVER:
            gap_over(net, event.subject);
            break;
        case EVENT_HOPPED:
            hopped(net, event.subject);
            break;
        case EVENT_CONNECTED:
            connected(net, event.subject);
            break;
        case EVENT_TRANSMITTED:
            transmitted(net, event.subject);
            break;
        case EVENT_TIMER:
            net->hooks->timer(net->user, event.number);
            break;
        }
    }
    return TRUE;
}

static int compare_candidates(gconstpointer a, gconstpointer b)
{
    return served_before(*(Message *const *)a, *(Message *const *)b) ? -1 : 1;
}

static void serve_one(Network *net, Message *m)
{
    Resource *resource = m->wanted;
    if (resource->holder) {
        if (!m->queued) {
            resource_enqueue(resource, m);
            m->blocker = (guint32)resource->holder->order;
        }
        return;
    }
    if (m->queued)
        resource_dequeue(resource, m);
    gint64 now = network_now(net), waited = now - m->request_date;
    resource->holder = m;
    resource->since = now;
    if (waited && m->want > WANTS_TO_LEAVE) {
        m->blocked_ps += waited;
        message_trace_wait(net, m, m->request_date);
    }
    granted(net, m);
}

static void serve(Network *net, Message *m)
{
    if (m->want == WANTS_PROCESSORS) {
        if (half_take_processors(net, m))
            start_up(net, m);
    } else if (m->want != WANTS_BOTH_ENDS) {
        serve_one(net, m);
    } else if (ends_take(net, m)) {
        transmit(net, m);
    }
}

/* A header that was granted something and pays nothing for it makes its next request at once, and who finds its other
 * end busy leaves its turn to the next in the queue; that request stands at the end of the candidates. Serves it too,
 * unless one of the candidates from number `next` on comes before it: then it takes its place among them. */
static void serve_with_followers(Network *net, Message *m, guint next)
{
    guint n = net->n_candidates;
    for (serve(net, m); net->n_candidates > n; serve(net, m)) {
        m = net->candidates[n];
        net->candidates[n] = net->candidates[--net->n_candidates];
        if (next < n && served_before(net->candidates[next], m)) {
            guint place = next + 1;
            while (place < n && served_before(net->candidates[place], m))
                place++;
            candidate_append(net, m);
            memmove(&net->candidates[place + 1], &net->candidates[place], (n - place) * sizeof m);
            net->candidates[place] = m;
            return;
        }
    }
}

void network_grant(Network *net)
{
    if (!net->sorted)
        qsort(net->candidates, net->n_candidates, sizeof *net->candidates, compare_candidates);
    for (guint i = 0; i < net->n_candidates; i++)
        serve_with_followers(net, net->candidates[i], i + 1);
    net->n_candidates = 0;
    net->sorted = TRUE;
}
