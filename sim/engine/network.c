#include "network.h"
#include "duplex.h"

#include <stdlib.h>
#include <string.h>

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

/* Returns the index of the port of `node` that m uses, among all send ports or all receive ports. */
static inline gsize rail_port(const Network *net, guint node, const Carrier *m)
{
    return net->circuits.to ? (gsize)node * machine_rails(net->machine->ports) + m->rail : node;
}

/* Returns the index in send_ports of the port that m goes through. */
static inline gsize send_port_number(const Network *net, const Carrier *m)
{
    if (net->machine->ports != PORTS_ALL)
        return rail_port(net, m->from, m);
    return topology_channel(&net->topology, m->from, topology_way(&net->topology, m->from, m->to));
}

static inline Resource *send_port(Network *net, const Carrier *m)
{
    return &net->send_ports[send_port_number(net, m)];
}

static inline WayOut *way_out(Network *net, const Carrier *m)
{
    return &net->ways_out[send_port_number(net, m)];
}

static void free_message(Carrier *m)
{
    if (m->journey && --m->journey->n_carriers == 0)
        g_free(m->journey);
    g_free(m);
}

/* --- traces --- */

/* Reports m's start-up or transmission, which ends now. */
static void trace_hop(const Network *net, const Carrier *m, TraceKind kind)
{
    if (net->hooks->traced)
        network_trace(net, m, (TraceInterval){.kind = kind, .start_ps = m->since,
                                      .after = {net->ways_out ? kind : TRACE_TRANSMIT, m->after},
                                      .from = m->journey ? m->from : TRACE_NONE,
                                      .to = m->journey ? m->to : TRACE_NONE});
}

/* --- the life of a packet --- */

typedef enum {
    EVENT_STARTED,          /* a packet's start-up is over */
    EVENT_GAP_OVER,         /* overlapped start-ups: the send port may begin the next packet */
    EVENT_HOPPED,           /* a header has crossed a channel, in delta_hop */
    EVENT_CONNECTED,        /* delta is over, at the end of a header's route */
    EVENT_RECONFIGURED,     /* a packet's two ports are connected, in the time reconfigure */
    EVENT_TRANSMITTED,
    EVENT_TIMER
} EventKind;

static void after(Network *net, gint64 delay, EventKind kind, Carrier *m)
{
    events_push(net->events, delay, (Event){.kind = kind, .subject = m});
}

static void transmit(Network *net, Carrier *m)
{
    m->since = network_now(net);
    after(net, m->cost.transmit_ps, EVENT_TRANSMITTED, m);
}

/* Connects the send port and the receive port that m holds. Returns FALSE if they are connected already, so that no
 * time is needed. */
static gboolean network_connect(Network *net, const Carrier *m)
{
    const Circuits *circuits = &net->circuits;
    gsize out = rail_port(net, m->from, m), in = rail_port(net, m->to, m);
    if (circuits->to[out] == in && circuits->from[in] == out)
        return FALSE;
    circuits->to[out] = (guint32)in;
    circuits->from[in] = (guint32)out;
    return TRUE;
}

static void reconfigured(Network *net, Carrier *m)
{
    trace_hop(net, m, TRACE_RECONFIGURE);
    transmit(net, m);
}

/* Begins the transmission of m, which holds its route. Where circuits are kept, it connects m's ports first, if need
 * be. With synchronized duplex m requests its sender and receiver first. */
static void begin_transmission(Network *net, Carrier *m)
{
    if (net->circuits.to && network_connect(net, m)) {
        m->since = network_now(net);
        after(net, net->machine->reconfigure_ps, EVENT_RECONFIGURED, m);
        return;
    }
    m->end_since = NEVER;
    if (net->ends)
        request(net, m, WANTS_BOTH_ENDS, NULL);
    else
        transmit(net, m);
}

/* Requests what m still needs at its destination: first a port into the node, then the receive port. If m needs
 * nothing more, begins its transmission. */
static void connected(Network *net, Carrier *m)
{
    if (net->host_entries && !m->within && m->want != WANTS_HOST_ENTRY)
        request(net, m, WANTS_HOST_ENTRY, &net->host_entries[m->to / net->machine->host]);
    else if (net->machine->ports == PORTS_ALL || net->machine->duplex == DUPLEX_HALF)
        begin_transmission(net, m);
    else
        request(net, m, WANTS_RECEIVE_PORT, &net->receive_ports[rail_port(net, m->to, m)]);
}

static void hopped(Network *net, Carrier *m);

/* Moves m's header over the next channel, which m holds. On a crossbar, which has no channels, moves it to m->to. */
static inline void cross_hop(Network *net, Carrier *m)
{
    m->at = topology_step(&net->topology, m->at, m->to);
    if (m->cost.hop_ps)
        after(net, m->cost.hop_ps, EVENT_HOPPED, m);
    else
        hopped(net, m);
}

/* Requests the header's next channel. At the end of the route it pays delta instead. */
static void hopped(Network *net, Carrier *m)
{
    const Topology *topology = &net->topology;
    if (m->at != m->to && topology->n_ways) {
        guint way = topology_way(topology, m->at, m->to);
        request(net, m, WANTS_CHANNEL, &net->channels[topology_channel(topology, m->at, way)]);
    } else if (m->at != m->to) {
        cross_hop(net, m);
    } else if (m->cost.delta_ps) {
        after(net, m->cost.delta_ps, EVENT_CONNECTED, m);
    } else {
        connected(net, m);
    }
}

/* Requests a port out of m's node if m leaves it and such ports are limited; else lets the header go on. */
static inline void leave(Network *net, Carrier *m)
{
    if (net->host_exits && !m->within)
        request(net, m, WANTS_HOST_EXIT, &net->host_exits[m->from / net->machine->host]);
    else
        hopped(net, m);
}

static inline void started(Network *net, Carrier *m)
{
    trace_hop(net, m, TRACE_STARTUP);
    if (net->ways_out)
        request(net, m, WANTS_TO_LEAVE, &way_out(net, m)->use);
    else
        leave(net, m);
}

static void start_up(Network *net, Carrier *m)
{
    m->since = network_now(net);
    if (m->cost.startup_ps)
        after(net, m->cost.startup_ps, EVENT_STARTED, m);
    else
        started(net, m);
}

/* Begins the packet that m has taken: with half duplex by requesting both processors' ports, else by its start-up. */
static void begin_packet(Network *net, Carrier *m)
{
    if (net->machine->duplex == DUPLEX_HALF)
        request(net, m, WANTS_PROCESSORS, NULL);
    else
        start_up(net, m);
}

static void take_packet(Network *net, Carrier *m)
{
    m->packet = cost_packet_bytes(net->machine, m->left);
    m->cost = cost_packet(net->machine, m->packet, m->within, m->follows);
    if (!m->follows)
        m->cost.startup_ps += MAX(0, m->turn_ps - network_now(net));
    m->at = m->within ? m->to : m->from;
    m->number = net->n_packets++;
}

/* Stores in m->after the packet that released the resource m has just got, if m waited for the resource. */
static void note_wait(const Network *net, Carrier *m)
{
    if (network_now(net) > m->request_date)
        m->after = m->wanted->last;
}

static void count_message(Network *net, gint64 blocked_ps)
{
    net->stats.messages++;
    net->stats.blocked += blocked_ps > 0;
    net->stats.blocked_ps += blocked_ps;
    net->stats.longest_ps = MAX(net->stats.longest_ps, blocked_ps);
}

/* --- store-and-forward --- */

static Journey *journey_new(const Topology *topology, guint source, guint destination, gint64 bytes)
{
    guint hops = topology_distance(topology, source, destination);
    Journey *journey = g_malloc0(sizeof *journey + hops * sizeof *journey->passed);
    journey->destination = destination;
    journey->n_carriers = 1;
    journey->left = bytes;
    return journey;
}

/* Returns the entry of m->journey->passed with the date at which the journey's latest packet left processor m->from. */
static gint64 *passed(const Network *net, const Carrier *m)
{
    return &m->journey->passed[topology_distance(&net->topology, m->source, m->from)];
}

/* Returns the date at which the predecessors of m had left through its send port. On the first hop the predecessors
 * are the processor's own earlier messages, on any other hop the earlier packets of m's message. */
static gint64 predecessors_left(const Network *net, const Carrier *m)
{
    return m->relay ? *passed(net, m) : net->passed[send_port_number(net, m)];
}

/* Counts m's wait for its send port as blocked time, from the date at which its predecessors had left. */
static void count_queuing(Network *net, Carrier *m)
{
    gint64 now = network_now(net), ready = MAX(m->request_date, predecessors_left(net, m));
    m->blocked_ps += now - ready;
    network_trace_wait(net, m, ready);
    Carrier *next = net->hooks->traced ? m->wanted->head : NULL;
    for (; next; next = next->next)     /* from now on m blocks each Carrier whose predecessors have all left */
        if (predecessors_left(net, next) == now)
            next->blocker = (guint32)m->order;
}

/* Requests the next hop for the present packet of m, which has reached the end of its hop. */
static void network_forward(Network *net, const Carrier *m)
{
    Journey *journey = m->journey;
    Carrier *relay = g_new(Carrier, 1);
    *relay = (Carrier){.cargo = m->cargo, .journey = journey, .source = m->source,
                       .from = m->to, .to = topology_step(&net->topology, m->to, journey->destination), .at = m->to,
                       .left = m->packet, .follows = TRUE, .order = m->order, .relay = ++journey->n_relays,
                       .after = m->number};
    journey->n_carriers++;
    request(net, relay, WANTS_SEND_PORT, send_port(net, relay));
}

/* Forwards m's present packet, which has crossed its hop, or lets it arrive. Returns whether its message has
 * arrived. */
static gboolean network_cross(Network *net, Carrier *m)
{
    Journey *journey = m->journey;
    journey->blocked_ps += m->blocked_ps;
    m->blocked_ps = 0;
    *passed(net, m) = network_now(net);
    if (m->to != journey->destination) {
        network_forward(net, m);
        return FALSE;
    }
    journey->left -= m->packet;
    return journey->left == 0;
}

/* --- overlapped start-ups --- */

/* Begins the next packet of m, which holds its send port. Packets leave in the order in which they begin. */
static void begin_next(Network *net, Carrier *m)
{
    WayOut *port = way_out(net, m);
    Carrier *packet = g_memdup2(m, sizeof *m);
    gint64 now = network_now(net);
    take_packet(net, packet);
    m->relay++;
    m->follows = TRUE;
    packet->since = now;
    port->started_ps = MAX(port->started_ps, now + packet->cost.startup_ps);
    after(net, port->started_ps - now, EVENT_STARTED, packet);
    after(net, cost_gap(net->machine, &packet->cost), EVENT_GAP_OVER, m);
    m->left -= packet->packet;
    m->number = packet->number;
}

/* Begins m's next packet. If none is left, releases m's send port and frees m. */
static void gap_over(Network *net, Carrier *m)
{
    if (m->left > 0) {
        m->after = m->number;
        begin_next(net, m);
    } else {
        release(net, send_port(net, m), m);
        free_message(m);
    }
}

/* Frees a packet that has left its port, and reports its message if this was the last packet. */
static void end_overlapped(Network *net, Carrier *m)
{
    WayOut *port = way_out(net, m);
    gpointer cargo = m->cargo;
    gboolean last = m->left == m->packet;
    release(net, &port->use, m);
    port->blocked_ps += m->blocked_ps;
    free_message(m);
    if (!last)
        return;
    count_message(net, port->blocked_ps);
    port->blocked_ps = 0;
    net->hooks->sent(net->user, cargo);
    net->hooks->delivered(net->user, cargo);
}

/* --- the end of a packet --- */

static void release_nodes(Network *net, const Carrier *m)
{
    guint32 from = m->from / (guint32)net->machine->host, to = m->to / (guint32)net->machine->host;
    if (net->hooks->traced) {
        network_trace(net, m, (TraceInterval){.kind = TRACE_CHANNEL, .start_ps = m->exit_since, .from = from,
                                      .to = TRACE_NODE});
        network_trace(net, m, (TraceInterval){.kind = TRACE_CHANNEL, .start_ps = m->entry_since, .from = TRACE_NODE,
                                      .to = to});
    }
    release(net, &net->host_exits[from], m);
    release(net, &net->host_entries[to], m);
}

static void release_circuit(Network *net, const Carrier *m)
{
    const Topology *topology = &net->topology;
    for (guint at = m->within ? m->to : m->from, next; at != m->to && topology->n_ways; at = next) {
        guint way = topology_way(topology, at, m->to);
        Resource *channel = &net->channels[topology_channel(topology, at, way)];
        next = topology_next(topology, at, way);
        if (net->hooks->traced)
            network_trace(net, m, (TraceInterval){.kind = TRACE_CHANNEL, .start_ps = channel->since, .from = at,
                                          .to = next});
        net->stats.held_ps += network_now(net) - channel->since;
        release(net, channel, m);
    }
    if (net->host_exits && !m->within)
        release_nodes(net, m);
    if (net->machine->ports != PORTS_ALL)
        release(net, &net->receive_ports[rail_port(net, m->to, m)], m);
    if (net->machine->duplex == DUPLEX_HALF)
        release(net, &net->receive_ports[m->from], m);
    if (net->ends)
        duplex_release_ends(net, m);
}

/* Begins m's next packet, or releases m's send port if none is left. */
static void end_packet(Network *net, Carrier *m)
{
    m->left -= m->packet;
    if (m->left > 0) {
        m->after = m->number;
        m->follows = TRUE;
        take_packet(net, m);
        begin_packet(net, m);
    } else {
        release(net, send_port(net, m), m);
    }
}

static void transmitted(Network *net, Carrier *m)
{
    trace_hop(net, m, TRACE_TRANSMIT);
    release_circuit(net, m);
    if (net->ways_out) {
        end_overlapped(net, m);
        return;
    }
    gboolean arrived = m->journey && network_cross(net, m);
    end_packet(net, m);
    gboolean empty = m->left == 0, sent = empty && !m->relay, delivered = m->journey ? arrived : empty;
    gpointer cargo = m->cargo;
    if (delivered)
        count_message(net, m->journey ? m->journey->blocked_ps : m->blocked_ps);
    if (sent && net->passed)
        net->passed[send_port_number(net, m)] = network_now(net);
    if (empty)
        free_message(m);
    if (sent)
        net->hooks->sent(net->user, cargo);
    if (delivered)
        net->hooks->delivered(net->user, cargo);
}

/* --- granting --- */

static void network_begin_message(Network *net, Carrier *m)
{
    note_wait(net, m);
    if (net->ways_out) {
        begin_next(net, m);
        return;
    }
    take_packet(net, m);
    if (m->journey)
        count_queuing(net, m);
    begin_packet(net, m);
}

/* Lets m go on with the resource it has got: send port, way out, port of a node, channel or receive port. */
static void granted(Network *net, Carrier *m)
{
    switch (m->want) {
    case WANTS_SEND_PORT:
        network_begin_message(net, m);
        break;
    case WANTS_TO_LEAVE:
        m->after = TRACE_NONE;
        note_wait(net, m);
        leave(net, m);
        break;
    case WANTS_HOST_EXIT:
        m->exit_since = network_now(net);
        hopped(net, m);
        break;
    case WANTS_HOST_ENTRY:
        m->entry_since = network_now(net);
        connected(net, m);
        break;
    case WANTS_RECEIVE_PORT:
        begin_transmission(net, m);
        break;
    default:
        cross_hop(net, m);
    }
}

static int compare_candidates(gconstpointer a, gconstpointer b)
{
    return served_before(*(Carrier *const *)a, *(Carrier *const *)b) ? -1 : 1;
}

static void serve_one(Network *net, Carrier *m)
{
    Resource *resource = m->wanted;
    if (resource->holder) {
        if (!m->queued) {
            enqueue(resource, m);
            m->blocker = (guint32)resource->holder->order;
        }
        return;
    }
    if (m->queued)
        dequeue(resource, m);
    gint64 now = network_now(net), waited = now - m->request_date;
    if (resource->spare)
        resource->spare--;
    else
        resource->holder = m;
    resource->since = now;
    if (!resource->holder && resource->head)
        add_candidate(net, resource->head);
    if (waited && m->want > WANTS_TO_LEAVE) {
        m->blocked_ps += waited;
        network_count_dead(net, m, waited);
        network_trace_wait(net, m, m->request_date);
    }
    granted(net, m);
}

static void serve(Network *net, Carrier *m)
{
    if (m->want != WANTS_PROCESSORS && m->want != WANTS_BOTH_ENDS)
        serve_one(net, m);
    else if (m->want == WANTS_PROCESSORS && duplex_take_processors(net, m))
        start_up(net, m);
    else if (m->want == WANTS_BOTH_ENDS && duplex_take_both_ends(net, m))
        transmit(net, m);
}

/* Removes and returns the candidate that is served first of those from number n on. Nearly always number n is the
 * only one. */
static Carrier *take_follower(Network *net, guint n)
{
    guint first = n;
    for (guint i = n + 1; i < net->n_candidates; i++)
        if (served_before(net->candidates[i], net->candidates[first]))
            first = i;
    Carrier *m = net->candidates[first];
    net->candidates[first] = net->candidates[--net->n_candidates];
    return m;
}

/* Inserts m into the candidates, in the order of service, behind candidate number `next`. The candidates before number
 * n must be sorted. */
static void take_place(Network *net, Carrier *m, guint next, guint n)
{
    guint place = next + 1;
    while (place < n && served_before(net->candidates[place], m))
        place++;
    append_candidate(net, m);
    memmove(&net->candidates[place + 1], &net->candidates[place], (net->n_candidates - 1 - place) * sizeof m);
    net->candidates[place] = m;
}

/* Serves m, then its followers: the requests that serving adds at the end of the candidates. If candidate number
 * `next` comes before a follower, inserts the follower among the sorted candidates, to be served later. Followers are
 * requests of messages that go on at no cost, and heads of queues: of a port with free places left, or of a port that
 * duplex_take_processors() has tried in vain. */
static void serve_with_followers(Network *net, Carrier *m, guint next)
{
    guint n = net->n_candidates;
    serve(net, m);
    while (net->n_candidates > n) {
        m = take_follower(net, n);
        if (next < n && served_before(net->candidates[next], m))
            take_place(net, m, next, n++);
        else
            serve(net, m);
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

/* --- what the driver calls --- */

/* Allocates n resources, each a group of n_ports ports. */
static Resource *ports_new(gsize n, guint n_ports)
{
    Resource *ports = g_new0(Resource, n);
    for (gsize i = 0; i < n; i++)
        ports[i].spare = n_ports - 1;
    return ports;
}

/* Allocates the ports of all nodes in one direction: a Resource for each node. Returns NULL if they are unlimited. */
static Resource *node_ports_new(const Machine *machine, guint n_nodes)
{
    if (machine->host == 0 || machine->host_ports == 0)
        return NULL;
    return ports_new(n_nodes / machine->host + 1, (guint)MIN(machine->host_ports, G_MAXINT32));
}

/* Allocates circuits between n send ports and n receive ports; none is connected. */
static Circuits circuits_new(gsize n)
{
    Circuits circuits = {g_new(guint32, n), g_new(guint32, n), n};
    for (gsize i = 0; i < n; i++)
        circuits.to[i] = circuits.from[i] = (guint32)n;
    return circuits;
}

Network *network_new(const Machine *machine, guint n_nodes, const NetworkHooks *hooks, gpointer user)
{
    const Topology topology = machine_topology(machine, n_nodes);
    gsize n = n_nodes, n_channels = topology_n_channels(&topology);
    gboolean forwards = machine->switching == SWITCHING_STORE_AND_FORWARD, keeps = machine->reconfigure_ps > 0;
    guint rails = machine_rails(machine->ports), together = keeps ? 1 : rails;
    gsize n_ports = keeps ? n * rails : n;
    Network *net = g_new(Network, 1);
    *net = (Network){.machine = machine, .topology = topology, .hooks = hooks, .user = user, .events = events_new(),
                     .n_send_ports = machine->ports == PORTS_ALL ? n_channels : n_ports, .sorted = TRUE,
                     .channels = g_new0(Resource, n_channels),
                     .receive_ports = ports_new(n_ports, together),
                     .circuits = keeps ? circuits_new(n_ports) : (Circuits){0},
                     .host_exits = node_ports_new(machine, n_nodes), .host_entries = node_ports_new(machine, n_nodes)};
    net->send_ports = ports_new(net->n_send_ports, together);
    net->ways_out = machine->overlaps ? g_new0(WayOut, net->n_send_ports) : NULL;
    net->passed = forwards ? g_new0(gint64, net->n_send_ports) : NULL;
    net->ends = machine->duplex == DUPLEX_SYNCHRONIZED ? g_new(End, n) : NULL;
    for (gsize node = 0; net->ends && node < n; node++)
        net->ends[node] = (End){.sending_since = NEVER, .receiving_since = NEVER};
    return net;
}

static void free_messages(Carrier *m)
{
    for (Carrier *next; m; m = next) {
        next = m->next;
        free_message(m);
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
    gsize n = net->topology.n_nodes;
    /* a network given up half-way still has messages: in the calendar, among the candidates and in queues */
    for (Event event; events_advance(net->events);)
        while (events_take(net->events, &event))
            if (event.subject)
                free_message(event.subject);
    for (guint i = 0; i < net->n_candidates; i++)
        if (!net->candidates[i]->queued)
            free_message(net->candidates[i]);
    for (gsize i = 0; net->ways_out && i < net->n_send_ports; i++)
        free_messages(net->ways_out[i].use.head);
    for (gsize node = 0; net->ends && node < n; node++)
        free_messages(net->ends[node].waiting);
    free_queued(net->channels, topology_n_channels(&net->topology));
    free_queued(net->send_ports, net->n_send_ports);
    free_queued(net->receive_ports, net->circuits.to ? net->circuits.n_ports : n);
    g_free(net->circuits.to);
    g_free(net->circuits.from);
    if (net->host_exits) {
        free_queued(net->host_exits, n / net->machine->host + 1);
        free_queued(net->host_entries, n / net->machine->host + 1);
    }
    g_free(net->ways_out);
    g_free(net->ends);
    g_free(net->passed);
    g_free(net->candidates);
    events_free(net->events);
    g_free(net);
}

void network_send(Network *net, guint source, guint destination, guint rank, gint64 bytes, gint64 turn_ps,
                  gpointer cargo)
{
    g_assert(source != destination);
    const Topology *topology = &net->topology;
    gboolean forwarded = net->passed != NULL;
    guint to = forwarded ? topology_step(topology, source, destination) : destination;
    Carrier *m = g_new(Carrier, 1);
    *m = (Carrier){.cargo = cargo, .journey = forwarded ? journey_new(topology, source, destination, bytes) : NULL,
                   .source = source, .from = source, .to = to,
                   .at = source, .rail = net->circuits.to ? rank % machine_rails(net->machine->ports) : 0,
                   .left = bytes, .turn_ps = turn_ps,
                   .within = machine_is_within(net->machine, source, destination), .order = net->n_issued++,
                   .after = TRACE_NONE};
    request(net, m, WANTS_SEND_PORT, send_port(net, m));
}

void network_timer(Network *net, gint64 delay_ps, guint number)
{
    events_push(net->events, delay_ps, (Event){.kind = EVENT_TIMER, .number = number});
}

gboolean network_advance(Network *net)
{
    static void (*const acts[])(Network *net, Carrier *m) = {
        [EVENT_STARTED] = started, [EVENT_GAP_OVER] = gap_over, [EVENT_HOPPED] = hopped,
        [EVENT_CONNECTED] = connected, [EVENT_RECONFIGURED] = reconfigured, [EVENT_TRANSMITTED] = transmitted};
    if (net->overflowed || !events_advance(net->events))
        return FALSE;
    if (network_now(net) >= INPUT_TIME_MAX_PS) {
        net->overflowed = TRUE;
        return FALSE;
    }
    for (Event event; events_take(net->events, &event);)
        if (event.kind == EVENT_TIMER)
            net->hooks->timer(net->user, event.number);
        else
            acts[event.kind](net, event.subject);
    return TRUE;
}
