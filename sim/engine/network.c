#include "network.h"
#include "events.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"

#include <stdlib.h>
#include <string.h>

typedef struct Message Message;

/* A channel or a port: one holder, and those who wait for it in the order in which they are to be served. */
typedef struct {
    Message *holder, *head, *tail;
    gint64 since;           /* the holder's; for traces, like the next */
    guint32 last;           /* packet that released it last */
} Resource;

typedef enum {
    WANTS_SEND_PORT,
    WANTS_TO_LEAVE,         /* overlapped start-ups: the packets before it through its send port have left */
    WANTS_PROCESSORS,       /* DUPLEX_HALF: both ends' only ports, together */
    WANTS_CHANNEL,
    WANTS_RECEIVE_PORT,
    WANTS_BOTH_ENDS         /* DUPLEX_SYNCHRONIZED */
} Want;

/* With DUPLEX_SYNCHRONIZED: what a processor transmits, and who waits for it to end. */
typedef struct {
    gint64 sending_since, receiving_since;  /* NEVER: it does not */
    guint32 sending, receiving;             /* the messages */
    Message *waiting;                       /* in no order */
} End;
#define NEVER G_MAXINT64

/* With overlapped start-ups: a send port behind its start-ups. */
typedef struct {
    Resource use;           /* for one packet at a time, from the end of its start-up to that of its transmission */
    gint64 started_ps;      /* when all start-ups begun so far are over */
    gint64 blocked_ps;      /* of the packets that have left, of a message that has not left whole */
} WayOut;

/* With store-and-forward: a message, while Messages carry it over one hop each. */
typedef struct {
    guint destination;
    guint n_carriers;       /* that are in its service */
    guint n_relays;         /* packets that have been forwarded so far, at all processors */
    gint64 left;            /* bytes not yet at the destination */
    gint64 blocked_ps;
    gint64 passed[];        /* [hop]: when its last packet so far had left the processor `hop` hops from the source */
} Journey;

/* One message on its way over a circuit. With store-and-forward it carries packets of its journey over one hop: all of
 * them if the hop is the first, else one. With overlapped start-ups it holds the send port until all its packets have
 * begun, and each of these is a Message of its own, whose `left` ends with the message. Its header is at node `at`. */
struct Message {
    Message *next;          /* in a queue */
    gpointer cargo;
    Journey *journey;       /* NULL over circuits */
    guint source;           /* who issued it */
    guint from, to, at;     /* the ends of the circuit, or of the hop */
    gint64 left, packet;    /* bytes not yet at `to`; of these, in the present packet */
    PacketCost cost;        /* of the present packet */
    Want want;
    Resource *wanted;       /* not with WANTS_BOTH_ENDS; with WANTS_PROCESSORS the one it waits for */
    gboolean queued;        /* in wanted's queue */
    gint64 request_date;
    guint64 order;          /* of issue, over all processors; decides only between messages of one */
    guint relay;            /* 0: the first hop; else the journey's count of forwarded packets; with overlapped
                             * start-ups the packets of the message that have begun before */
    gint64 blocked_ps;
    /* for traces */
    gint64 since;           /* the start-up or transmission under way began */
    guint32 number;         /* of the present packet */
    guint32 after;          /* packet whose end let this one begin, or TRACE_NONE; with overlapped start-ups, the packet
                             * whose start-up did, and then the one whose end let this one leave */
    guint32 blocker;        /* message that held what this one asked for last */
    gint64 end_since;       /* it waits for an end of the message `blocker` since then, or NEVER */
    guint32 let_go;         /* packet whose end let this one try both ends again */
};

struct Network {
    const Machine *machine;
    guint dimension;
    const NetworkHooks *hooks;
    gpointer user;
    Events *events;
    gsize n_send_ports;
    Resource *channels;         /* [node][dimension] */
    Resource *send_ports;       /* [node], or [node][dimension] with PORTS_ALL */
    Resource *receive_ports;    /* [node]; with DUPLEX_HALF the only ports; not used with PORTS_ALL */
    WayOut *ways_out;           /* like send_ports, with overlapped start-ups, else NULL */
    gint64 *passed;             /* like send_ports, with store-and-forward, else NULL: when the processor's own messages
                                 * had left through it last */
    End *ends;                  /* [node] with DUPLEX_SYNCHRONIZED, else NULL */
    Message **candidates;       /* [n_candidates]: requests to be looked at in this instant's part 3 */
    guint n_candidates, room;   /* the candidates' room */
    gboolean sorted;            /* the candidates are in the order of service */
    guint64 n_issued;
    guint32 n_packets;
    NetworkStats stats;
    gboolean overflowed;
};

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

/* --- requests --- */

/* The order of service. */
static inline gboolean served_before(const Message *a, const Message *b)
{
    if (a->request_date != b->request_date)
        return a->request_date < b->request_date;
    if (a->from != b->from)
        return a->from < b->from;
    if (a->source != b->source)
        return a->source < b->source;
    if (a->order != b->order)
        return a->order < b->order;
    return a->relay < b->relay;
}

static inline void append_candidate(Network *net, Message *m)
{
    if (net->n_candidates == net->room) {
        net->room = MAX(64, 2 * net->room);
        net->candidates = g_renew(Message *, net->candidates, net->room);
    }
    net->candidates[net->n_candidates++] = m;
}

static inline void add_candidate(Network *net, Message *m)
{
    guint n = net->n_candidates;
    if (n && served_before(m, net->candidates[n - 1]))
        net->sorted = FALSE;
    append_candidate(net, m);
}

static inline void request(Network *net, Message *m, Want want, Resource *wanted)
{
    m->want = want;
    m->wanted = wanted;
    m->request_date = network_now(net);
    add_candidate(net, m);
}

static inline void release(Network *net, Resource *resource, const Message *m)
{
    resource->holder = NULL;
    resource->last = m->number;
    if (resource->head)
        add_candidate(net, resource->head);
}

/* Puts m into the queue where it belongs: nearly always at its end. */
static void enqueue(Resource *resource, Message *m)
{
    Message **link = &resource->head;
    if (*link && served_before(resource->tail, m))
        link = &resource->tail->next;
    while (*link && served_before(*link, m))
        link = &(*link)->next;
    m->queued = TRUE;
    m->next = *link;
    *link = m;
    if (!m->next)
        resource->tail = m;
}

/* Takes m out, the first. */
static inline void dequeue(Resource *resource, Message *m)
{
    g_assert(resource->head == m);
    m->queued = FALSE;
    resource->head = m->next;
    if (!resource->head)
        resource->tail = NULL;
}

/* The place in send_ports of what m goes through. */
static inline gsize send_port_number(const Network *net, const Message *m)
{
    if (net->machine->ports == PORTS_ONE)
        return m->from;
    return cube_channel(net->dimension, m->from, cube_first_dimension(m->from, m->to));
}

static inline Resource *send_port(Network *net, const Message *m)
{
    return &net->send_ports[send_port_number(net, m)];
}

static inline WayOut *way_out(Network *net, const Message *m)
{
    return &net->ways_out[send_port_number(net, m)];
}

/* The first node on the way. */
static inline guint next_hop(guint at, guint destination)
{
    return at ^ 1u << cube_first_dimension(at, destination);
}

static void free_message(Message *m)
{
    if (m->journey && --m->journey->n_carriers == 0)
        g_free(m->journey);
    g_free(m);
}

/* --- traces --- */

/* The interval of m's present packet that ends now; only if there are hooks->traced. */
static void trace(const Network *net, const Message *m, TraceInterval interval)
{
    interval.number = m->number;
    interval.end_ps = network_now(net);
    interval.processor = m->from;
    interval.message = (guint32)m->order;
    interval.bytes = m->packet;
    net->hooks->traced(net->user, &interval);
}

/* m has waited since `start`, if that is before now, for what it is granted now or finds free now. */
static void trace_wait(const Network *net, const Message *m, gint64 start)
{
    if (!net->hooks->traced || start >= network_now(net))
        return;
    TraceInterval wait = {.kind = TRACE_WAIT, .start_ps = start, .from = m->at, .to = m->at, .blocker = m->blocker,
                          .after = {TRACE_TRANSMIT, m->want == WANTS_BOTH_ENDS ? m->let_go : m->wanted->last}};
    if (m->want == WANTS_SEND_PORT)
        wait.to = net->machine->ports == PORTS_ALL ? m->to : TRACE_NONE;
    else if (m->want == WANTS_CHANNEL)
        wait.to = next_hop(m->at, m->to);
    else if (m->want != WANTS_RECEIVE_PORT)
        wait.from = wait.to = TRACE_NONE;
    if (m->want == WANTS_PROCESSORS)
        wait.to = (guint)(m->wanted - net->receive_ports);
    trace(net, m, wait);
}

/* A start-up or transmission ends, which with store-and-forward has a hop. */
static void trace_hop(const Network *net, const Message *m, TraceKind kind)
{
    if (net->hooks->traced)
        trace(net, m, (TraceInterval){.kind = kind, .start_ps = m->since,
                                      .after = {net->ways_out ? kind : TRACE_TRANSMIT, m->after},
                                      .from = m->journey ? m->from : TRACE_NONE,
                                      .to = m->journey ? m->to : TRACE_NONE});
}

/* --- the life of a packet --- */

typedef enum {
    EVENT_STARTED,          /* lambda paid */
    EVENT_GAP_OVER,         /* with overlapped start-ups: the send port may begin the next */
    EVENT_HOPPED,           /* delta_hop paid */
    EVENT_CONNECTED,        /* delta paid */
    EVENT_TRANSMITTED,
    EVENT_TIMER
} EventKind;

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
        request(net, m, WANTS_BOTH_ENDS, NULL);
    else
        transmit(net, m);
}

/* The whole route is held and delta paid. */
static void connected(Network *net, Message *m)
{
    if (net->machine->ports == PORTS_ALL || net->machine->duplex == DUPLEX_HALF)
        begin_transmission(net, m);
    else
        request(net, m, WANTS_RECEIVE_PORT, &net->receive_ports[m->to]);
}

/* Start-up or a hop has been paid: the header wants the next channel, if there is one. */
static void hopped(Network *net, Message *m)
{
    if (m->at != m->to) {
        guint dim = cube_first_dimension(m->at, m->to);
        request(net, m, WANTS_CHANNEL, &net->channels[cube_channel(net->dimension, m->at, dim)]);
    } else if (m->cost.delta_ps) {
        after(net, m->cost.delta_ps, EVENT_CONNECTED, m);
    } else {
        connected(net, m);
    }
}

static inline void started(Network *net, Message *m)
{
    trace_hop(net, m, TRACE_STARTUP);
    if (net->ways_out)
        request(net, m, WANTS_TO_LEAVE, &way_out(net, m)->use);
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

/* The send port is held: the packet taken begins. */
static void begin_packet(Network *net, Message *m)
{
    if (net->machine->duplex == DUPLEX_HALF)
        request(net, m, WANTS_PROCESSORS, NULL);
    else
        start_up(net, m);
}

static void take_packet(Network *net, Message *m)
{
    m->packet = cost_packet_bytes(net->machine, m->left);
    m->cost = cost_packet(net->machine, m->packet);
    m->at = m->from;
    m->number = net->n_packets++;
}

/* Somebody else held what m has got. */
static void note_wait(const Network *net, Message *m)
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

/* --- half duplex --- */

/* Takes both ends' ports if both are free; else m waits for one that is not. Whenever that one is released, the first
 * in its queue looks again; if its other end is busy, it goes there, and the next in the queue has its turn. So a port
 * that is free has nobody in its queue, and of all who could begin the first in the order of service does. */
static void take_processors(Network *net, Message *m)
{
    Resource *own = &net->receive_ports[m->from], *other = &net->receive_ports[m->to];
    Resource *left = m->queued ? m->wanted : NULL, *busy = own->holder ? own : other->holder ? other : NULL;
    if (left && left->holder)
        return;
    gint64 now = network_now(net);
    if (left) {
        dequeue(left, m);
        trace_wait(net, m, m->end_since);
    }
    if (!busy) {
        m->blocked_ps += now - m->request_date;
        own->holder = other->holder = m;
        start_up(net, m);
        return;
    }
    m->wanted = busy;
    m->end_since = now;
    m->blocker = (guint32)busy->holder->order;
    enqueue(busy, m);
    if (left && left->head)
        add_candidate(net, left->head);
}

/* --- synchronized duplex: a send and a receive overlap only if they begin together --- */

/* Transmits now if both ends can; else m waits for the end that is busy. */
static void take_both_ends(Network *net, Message *m)
{
    gint64 now = network_now(net);
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    gboolean receives = source->receiving_since < now, sends = destination->sending_since < now;
    trace_wait(net, m, m->end_since);
    if (receives || sends) {
        End *busy = receives ? source : destination;
        m->end_since = now;
        m->blocker = receives ? source->receiving : destination->sending;
        m->next = busy->waiting;
        busy->waiting = m;
        return;
    }
    m->blocked_ps += now - m->request_date;
    source->sending_since = destination->receiving_since = now;
    source->sending = destination->receiving = (guint32)m->order;
    transmit(net, m);
}

static void let_try_again(Network *net, End *end, const Message *ended)
{
    for (Message *waiting = end->waiting; waiting; waiting = waiting->next) {
        waiting->let_go = ended->number;
        add_candidate(net, waiting);
    }
    end->waiting = NULL;
}

static void release_ends(Network *net, const Message *m)
{
    net->ends[m->from].sending_since = NEVER;
    net->ends[m->to].receiving_since = NEVER;
    let_try_again(net, &net->ends[m->from], m);
    let_try_again(net, &net->ends[m->to], m);
}

/* --- store-and-forward --- */

static Journey *journey_new(guint source, guint destination, gint64 bytes)
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

/* m gets its send port. Its waiting for others than those before it is blocked time. */
static void count_queuing(Network *net, Message *m)
{
    gint64 now = network_now(net), ready = MAX(m->request_date, predecessors_left(net, m));
    m->blocked_ps += now - ready;
    trace_wait(net, m, ready);
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
    request(net, relay, WANTS_SEND_PORT, send_port(net, relay));
}

/* The present packet of m has crossed its hop: it asks to be sent on, or is there. Whether all of the message is. */
static gboolean cross(Network *net, Message *m)
{
    Journey *journey = m->journey;
    journey->blocked_ps += m->blocked_ps;
    m->blocked_ps = 0;
    journey->passed[cube_distance(m->source, m->from)] = network_now(net);
    if (m->to != journey->destination) {
        forward(net, m);
        return FALSE;
    }
    journey->left -= m->packet;
    return journey->left == 0;
}

/* --- overlapped start-ups --- */

/* m holds its send port: its next packet begins, and goes on by itself. None overtakes those before it. */
static void begin_next(Network *net, Message *m)
{
    WayOut *port = way_out(net, m);
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

/* The send port of m may begin the next packet, or the next message. */
static void gap_over(Network *net, Message *m)
{
    if (m->left > 0) {
        m->after = m->number;
        begin_next(net, m);
    } else {
        release(net, send_port(net, m), m);
        free_message(m);
    }
}

/* A packet has left its port; its message too, if it is the last. */
static void end_overlapped(Network *net, Message *m)
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

static void release_circuit(Network *net, const Message *m)
{
    guint dim;
    for (guint at = m->from; at != m->to; at ^= 1u << dim) {
        dim = cube_first_dimension(at, m->to);
        Resource *channel = &net->channels[cube_channel(net->dimension, at, dim)];
        if (net->hooks->traced)
            trace(net, m, (TraceInterval){.kind = TRACE_CHANNEL, .start_ps = channel->since, .from = at,
                                          .to = at ^ 1u << dim});
        release(net, channel, m);
    }
    if (net->machine->ports == PORTS_ONE)
        release(net, &net->receive_ports[m->to], m);
    if (net->machine->duplex == DUPLEX_HALF)
        release(net, &net->receive_ports[m->from], m);
    if (net->ends)
        release_ends(net, m);
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
        release(net, send_port(net, m), m);
    }
}

static void transmitted(Network *net, Message *m)
{
    trace_hop(net, m, TRACE_TRANSMIT);
    release_circuit(net, m);
    if (net->ways_out) {
        end_overlapped(net, m);
        return;
    }
    gboolean arrived = m->journey && cross(net, m);
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

static void begin_message(Network *net, Message *m)
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

/* m holds what it wanted: its send port, the way out of it, a channel or its receive port. */
static void granted(Network *net, Message *m)
{
    if (m->want == WANTS_SEND_PORT) {
        begin_message(net, m);
    } else if (m->want == WANTS_TO_LEAVE) {
        m->after = TRACE_NONE;
        note_wait(net, m);
        hopped(net, m);
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

static int compare_candidates(gconstpointer a, gconstpointer b)
{
    return served_before(*(Message *const *)a, *(Message *const *)b) ? -1 : 1;
}

static void serve_one(Network *net, Message *m)
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
    resource->holder = m;
    resource->since = now;
    if (waited && m->want > WANTS_TO_LEAVE) {
        m->blocked_ps += waited;
        trace_wait(net, m, m->request_date);
    }
    granted(net, m);
}

static void serve(Network *net, Message *m)
{
    if (m->want == WANTS_PROCESSORS)
        take_processors(net, m);
    else if (m->want == WANTS_BOTH_ENDS)
        take_both_ends(net, m);
    else
        serve_one(net, m);
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
            append_candidate(net, m);
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

/* --- what the driver calls --- */

Network *network_new(const Machine *machine, guint dimension, const NetworkHooks *hooks, gpointer user)
{
    gsize n = cube_n_nodes(dimension), n_channels = n * dimension;
    gboolean forwards = machine->switching == SWITCHING_STORE_AND_FORWARD;
    Network *net = g_new(Network, 1);
    *net = (Network){.machine = machine, .dimension = dimension, .hooks = hooks, .user = user, .events = events_new(),
                     .n_send_ports = machine->ports == PORTS_ALL ? n_channels : n, .sorted = TRUE,
                     .channels = g_new0(Resource, n_channels), .receive_ports = g_new0(Resource, n)};
    net->send_ports = g_new0(Resource, net->n_send_ports);
    net->ways_out = machine->overlaps ? g_new0(WayOut, net->n_send_ports) : NULL;
    net->passed = forwards ? g_new0(gint64, net->n_send_ports) : NULL;
    net->ends = machine->duplex == DUPLEX_SYNCHRONIZED ? g_new(End, n) : NULL;
    for (gsize node = 0; net->ends && node < n; node++)
        net->ends[node] = (End){.sending_since = NEVER, .receiving_since = NEVER};
    return net;
}

static void free_messages(Message *m)
{
    for (Message *next; m; m = next) {
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
    gsize n = cube_n_nodes(net->dimension);
    /* A network given up half-way still has messages: those granted are in the calendar, the others in queues. */
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
    free_queued(net->channels, n * net->dimension);
    free_queued(net->send_ports, net->n_send_ports);
    free_queued(net->receive_ports, n);
    g_free(net->ways_out);
    g_free(net->ends);
    g_free(net->passed);
    g_free(net->candidates);
    events_free(net->events);
    g_free(net);
}

void network_send(Network *net, guint source, guint destination, gint64 bytes, gpointer cargo)
{
    g_assert(source != destination);
    gboolean forwarded = net->passed != NULL;
    Message *m = g_new(Message, 1);
    *m = (Message){.cargo = cargo, .journey = forwarded ? journey_new(source, destination, bytes) : NULL,
                   .source = source, .from = source, .to = forwarded ? next_hop(source, destination) : destination,
                   .at = source, .left = bytes, .order = net->n_issued++, .after = TRACE_NONE};
    request(net, m, WANTS_SEND_PORT, send_port(net, m));
}

void network_timer(Network *net, gint64 delay_ps, guint number)
{
    events_push(net->events, delay_ps, (Event){.kind = EVENT_TIMER, .number = number});
}

gboolean network_advance(Network *net)
{
    static void (*const acts[])(Network *net, Message *m) = {
        [EVENT_STARTED] = started, [EVENT_GAP_OVER] = gap_over, [EVENT_HOPPED] = hopped,
        [EVENT_CONNECTED] = connected, [EVENT_TRANSMITTED] = transmitted};
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
