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
#define NEVER (-1)

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
 * them if the hop is the first, else one. Its header is at node `at`. */
struct Message {
    Message *next;          /* in a queue, or in the list of free messages */
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
    guint relay;            /* 0: the first hop; else the journey's count of forwarded packets */
    gint64 blocked_ps;
    /* for traces */
    gint64 since;           /* the start-up or transmission under way began */
    guint32 number;         /* of the present packet */
    guint32 after;          /* packet whose end let this one begin, or TRACE_NONE */
    guint32 blocker;        /* message that held what this one asked for last */
    gint64 end_since;       /* it waits for an end of the message `blocker` since then, or NEVER */
    guint32 let_go;         /* packet whose end let this one try both ends again */
};

typedef enum {
    EVENT_STARTED,          /* lambda paid */
    EVENT_HOPPED,           /* delta_hop paid */
    EVENT_CONNECTED,        /* delta paid */
    EVENT_TRANSMITTED,
    EVENT_TIMER
} EventKind;

struct Network {
    const Machine *machine;
    guint dimension;
    const NetworkHooks *hooks;
    gpointer user;
    Events *events;
    Resource *channels;         /* [node][dimension] */
    Resource *send_ports;       /* [node], or [node][dimension] with PORTS_ALL */
    Resource *receive_ports;    /* [node]; with DUPLEX_HALF the only ports; not used with PORTS_ALL */
    gint64 *passed;             /* like send_ports, with store-and-forward, else NULL: when the processor's own messages
                                 * had left through it last */
    End *ends;                  /* [node] with DUPLEX_SYNCHRONIZED, else NULL */
    Message **candidates;       /* [n_candidates]: requests to be looked at in this instant's part 3 */
    guint n_candidates, room;   /* the candidates' room */
    gboolean sorted;            /* the candidates are in the order of service */
    Message *free_messages;
    guint64 n_issued;
    guint32 n_packets;
    NetworkStats stats;
    gboolean overflowed;
};

Network *network_new(const Machine *machine, guint dimension, const NetworkHooks *hooks, gpointer user)
{
    gsize n = cube_n_nodes(dimension), n_channels = n * dimension;
    Network *net = g_new0(Network, 1);
    net->machine = machine;
    net->dimension = dimension;
    net->hooks = hooks;
    net->user = user;
    net->events = events_new();
    net->channels = g_new0(Resource, n_channels);
    net->send_ports = g_new0(Resource, machine->ports == PORTS_ALL ? n_channels : n);
    net->receive_ports = g_new0(Resource, n);
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        net->passed = g_new0(gint64, machine->ports == PORTS_ALL ? n_channels : n);
    if (machine->duplex == DUPLEX_SYNCHRONIZED)
        net->ends = g_new(End, n);
    for (gsize node = 0; net->ends && node < n; node++)
        net->ends[node] = (End){.sending_since = NEVER, .receiving_since = NEVER};
    net->sorted = TRUE;
    return net;
}

static void leave_journey(Message *m)
{
    if (m->journey && --m->journey->n_carriers == 0)
        g_free(m->journey);
    m->journey = NULL;
}

static void free_message(Message *m)
{
    leave_journey(m);
    g_free(m);
}

static void free_messages(Message *m)
{
    while (m) {
        Message *next = m->next;
        free_message(m);
        m = next;
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
                free_message(event.subject);
    for (guint i = 0; i < net->n_candidates; i++)
        if (!net->candidates[i]->queued)
            free_message(net->candidates[i]);
    free_queued(net->channels, n_channels);
    free_queued(net->send_ports, net->machine->ports == PORTS_ALL ? n_channels : n);
    free_queued(net->receive_ports, n);
    for (gsize node = 0; net->ends && node < n; node++)
        free_messages(net->ends[node].waiting);
    g_free(net->ends);
    g_free(net->passed);
    free_messages(net->free_messages);
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

/* --- requests --- */

static gboolean served_before(const Message *a, const Message *b)
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

static void insert_candidate(Network *net, Message *m, guint place)
{
    if (net->n_candidates == net->room) {
        net->room = MAX(64, 2 * net->room);
        net->candidates = g_renew(Message *, net->candidates, net->room);
    }
    Message **at = net->candidates + place;
    memmove(at + 1, at, (net->n_candidates++ - place) * sizeof *at);
    *at = m;
}

static void add_candidate(Network *net, Message *m)
{
    guint n = net->n_candidates;
    if (n && served_before(m, net->candidates[n - 1]))
        net->sorted = FALSE;
    insert_candidate(net, m, n);
}

static void request(Network *net, Message *m, Want want, Resource *wanted)
{
    m->want = want;
    m->wanted = wanted;
    m->request_date = network_now(net);
    add_candidate(net, m);
}

/* Its place in send_ports. */
static gsize send_port_number(const Network *net, const Message *m)
{
    if (net->machine->ports == PORTS_ONE)
        return m->from;
    return cube_channel(net->dimension, m->from, cube_first_dimension(m->from, m->to));
}

static Resource *send_port(Network *net, const Message *m)
{
    return &net->send_ports[send_port_number(net, m)];
}

static void release(Network *net, Resource *resource, const Message *m)
{
    resource->holder = NULL;
    resource->last = m->number;
    if (resource->head)
        add_candidate(net, resource->head);
}

/* Puts m into the queue where it belongs: nearly always at its end. */
static void enqueue(Resource *resource, Message *m)
{
    m->queued = TRUE;
    m->next = NULL;
    if (!resource->head) {
        resource->head = resource->tail = m;
    } else if (served_before(resource->tail, m)) {
        resource->tail->next = m;
        resource->tail = m;
    } else {
        Message **link = &resource->head;
        while (served_before(*link, m))
            link = &(*link)->next;
        m->next = *link;
        *link = m;
    }
}

static void dequeue(Resource *resource, Message *m)
{
    g_assert(resource->head == m);
    m->queued = FALSE;
    resource->head = m->next;
    if (!resource->head)
        resource->tail = NULL;
}

/* --- traces --- */

static void trace(const Network *net, const Message *m, TraceInterval interval)
{
    interval.number = m->number;
    interval.end_ps = network_now(net);
    interval.processor = m->from;
    interval.message = (guint32)m->order;
    interval.bytes = m->packet;
    net->hooks->traced(net->user, &interval);
}

/* m has waited since `start` for what it is granted now, or for a port that it finds free now. */
static void trace_wait(const Network *net, const Message *m, gint64 start)
{
    TraceInterval wait = {.kind = TRACE_WAIT, .start_ps = start, .from = m->at, .to = m->at};
    if (m->want == WANTS_SEND_PORT)
        wait.to = net->machine->ports == PORTS_ALL ? m->to : TRACE_NONE;
    else if (m->want == WANTS_PROCESSORS)
        wait = (TraceInterval){.kind = TRACE_WAIT, .start_ps = start, .from = TRACE_NONE,
                               .to = (guint)(m->wanted - net->receive_ports)};
    else if (m->want == WANTS_CHANNEL)
        wait.to ^= 1u << cube_first_dimension(m->at, m->to);
    wait.blocker = m->blocker;
    wait.after = (TraceCause){TRACE_TRANSMIT, m->wanted->last};
    trace(net, m, wait);
}

/* m has waited, until now, for an end that one message kept busy. */
static void trace_wait_for_end(const Network *net, const Message *m)
{
    trace(net, m, (TraceInterval){.kind = TRACE_WAIT, .start_ps = m->end_since, .from = TRACE_NONE, .to = TRACE_NONE,
                                  .blocker = m->blocker, .after = {TRACE_TRANSMIT, m->let_go}});
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

/* For traces: with store-and-forward a start-up or transmission has a hop. */
static guint32 hop_end(const Message *m, guint node)
{
    return m->journey ? node : TRACE_NONE;
}

static void started(Network *net, Message *m)
{
    if (net->hooks->traced)
        trace(net, m, (TraceInterval){.kind = TRACE_STARTUP, .start_ps = m->since, .from = hop_end(m, m->from),
                                      .to = hop_end(m, m->to), .after = {TRACE_TRANSMIT, m->after}});
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
        request(net, m, WANTS_PROCESSORS, NULL);
    else
        start_up(net, m);
}

/* With store-and-forward: when what goes before m through its send port in any case had left - at the source the
 * processor's own messages, at a processor that forwards m the packets of its own message. */
static gint64 predecessors_left(const Network *net, const Message *m)
{
    return m->relay ? m->journey->passed[cube_distance(m->source, m->from)] : net->passed[send_port_number(net, m)];
}

/* With store-and-forward, m gets its send port. Its waiting for others than those before it is blocked time. */
static void count_queuing(Network *net, Message *m)
{
    gint64 now = network_now(net), ready = MAX(m->request_date, predecessors_left(net, m));
    m->blocked_ps += now - ready;
    if (!net->hooks->traced)
        return;
    if (now > ready)
        trace_wait(net, m, ready);
    for (Message *next = m->wanted->head; next; next = next->next)     /* their waiting begins now, behind m */
        if (predecessors_left(net, next) == now)
            next->blocker = (guint32)m->order;
}

static void begin_sending(Network *net, Message *m)
{
    take_packet(net, m);
    if (network_now(net) > m->request_date)
        m->after = m->wanted->last;
    if (m->journey)
        count_queuing(net, m);
    begin_packet(net, m);
}

static void granted(Network *net, Message *m)
{
    switch (m->want) {
    case WANTS_SEND_PORT:
        begin_sending(net, m);
        break;
    case WANTS_CHANNEL:
        m->at ^= 1u << cube_first_dimension(m->at, m->to);
        if (m->cost.hop_ps)
            after(net, m->cost.hop_ps, EVENT_HOPPED, m);
        else
            hopped(net, m);
        break;
    case WANTS_RECEIVE_PORT:
        begin_transmission(net, m);
        break;
    case WANTS_PROCESSORS:
    case WANTS_BOTH_ENDS:
        g_assert_not_reached();
    }
}

/* --- half duplex --- */

/* Waits at `port`, behind its holder. */
static void wait_for_processor(Network *net, Message *m, Resource *port)
{
    m->wanted = port;
    m->end_since = network_now(net);
    m->blocker = (guint32)port->holder->order;
    enqueue(port, m);
}

/* Takes both ends' ports if both are free; else m waits for one that is not. Whenever that one is released, the first
 * in its queue looks again; if its other end is busy, it goes there, and the next in the queue has its turn. So a port
 * that is free has nobody in its queue, and of all who could begin the first in the order of service does. */
static void serve_processors(Network *net, Message *m)
{
    Resource *own = &net->receive_ports[m->from], *other = &net->receive_ports[m->to];
    Resource *left = m->queued ? m->wanted : NULL, *busy = own->holder ? own : other->holder ? other : NULL;
    if (left && left->holder)
        return;
    gint64 now = network_now(net);
    if (left) {
        dequeue(left, m);
        if (now > m->end_since && net->hooks->traced)
            trace_wait(net, m, m->end_since);
    }
    if (busy) {
        wait_for_processor(net, m, busy);
        if (left && left->head)
            add_candidate(net, left->head);
        return;
    }
    m->blocked_ps += now - m->request_date;
    own->holder = other->holder = m;
    start_up(net, m);
}

/* --- synchronized duplex --- */

/* The end whose transmission the other way, begun before now, keeps m from transmitting, and the message it transmits;
 * NULL if there is none. */
static End *busy_end(Network *net, const Message *m, guint32 *blocker)
{
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    *blocker = source->receiving;
    if (source->receiving_since != NEVER && source->receiving_since < network_now(net))
        return source;
    *blocker = destination->sending;
    if (destination->sending_since != NEVER && destination->sending_since < network_now(net))
        return destination;
    return NULL;
}

static void wait_for_end(Network *net, Message *m, End *busy, guint32 blocker)
{
    m->end_since = network_now(net);
    m->blocker = blocker;
    m->next = busy->waiting;
    busy->waiting = m;
}

static void serve_both_ends(Network *net, Message *m)
{
    gint64 now = network_now(net);
    guint32 blocker;
    End *busy = busy_end(net, m, &blocker);
    if (net->hooks->traced && m->end_since != NEVER && m->end_since < now)
        trace_wait_for_end(net, m);
    if (busy) {
        wait_for_end(net, m, busy, blocker);
        return;
    }
    m->blocked_ps += now - m->request_date;
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    source->sending_since = destination->receiving_since = now;
    source->sending = destination->receiving = (guint32)m->order;
    transmit(net, m);
}

static void let_try_again(Network *net, End *end, const Message *ended)
{
    Message *waiting = end->waiting;
    end->waiting = NULL;
    while (waiting) {
        Message *next = waiting->next;
        waiting->let_go = ended->number;
        add_candidate(net, waiting);
        waiting = next;
    }
}

static void release_ends(Network *net, const Message *m)
{
    net->ends[m->from].sending_since = NEVER;
    net->ends[m->to].receiving_since = NEVER;
    let_try_again(net, &net->ends[m->from], m);
    let_try_again(net, &net->ends[m->to], m);
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

static Message *new_message(Network *net)
{
    Message *m = net->free_messages;
    if (!m)
        return g_new(Message, 1);
    net->free_messages = m->next;
    return m;
}

static void recycle_message(Network *net, Message *m)
{
    leave_journey(m);
    m->next = net->free_messages;
    net->free_messages = m;
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

static guint next_hop(guint at, guint destination)
{
    return at ^ 1u << cube_first_dimension(at, destination);
}

/* The present packet of m is at the end of its hop, and asks to be sent on. */
static void forward(Network *net, const Message *m)
{
    Journey *journey = m->journey;
    Message *relay = new_message(net);
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
    request(net, relay, WANTS_SEND_PORT, send_port(net, relay));
}

/* With store-and-forward: the present packet of m has crossed its hop. */
static void hop_over(Network *net, Message *m)
{
    Journey *journey = m->journey;
    gpointer cargo = m->cargo;
    journey->blocked_ps += m->blocked_ps;
    m->blocked_ps = 0;
    journey->passed[cube_distance(m->source, m->from)] = network_now(net);
    gboolean there = m->to == journey->destination;
    if (there)
        journey->left -= m->packet;
    else
        forward(net, m);
    end_packet(net, m);
    gboolean delivered = there && journey->left == 0, sent = m->left == 0 && !m->relay;
    if (delivered)
        count_message(net, journey->blocked_ps);
    if (sent)
        net->passed[send_port_number(net, m)] = network_now(net);
    if (m->left == 0)
        recycle_message(net, m);
    if (sent)
        net->hooks->sent(net->user, cargo);
    if (delivered)
        net->hooks->delivered(net->user, cargo);
}

static void transmitted(Network *net, Message *m)
{
    if (net->hooks->traced)
        trace(net, m, (TraceInterval){.kind = TRACE_TRANSMIT, .start_ps = m->since, .from = hop_end(m, m->from),
                                      .to = hop_end(m, m->to)});
    release_circuit(net, m);
    if (m->journey) {
        hop_over(net, m);
        return;
    }
    end_packet(net, m);
    if (m->left > 0)
        return;
    count_message(net, m->blocked_ps);
    gpointer cargo = m->cargo;
    recycle_message(net, m);
    net->hooks->sent(net->user, cargo);
    net->hooks->delivered(net->user, cargo);
}

/* --- what the driver calls --- */

static Journey *new_journey(guint source, guint destination, gint64 bytes)
{
    Journey *journey = g_malloc0(sizeof *journey + cube_distance(source, destination) * sizeof *journey->passed);
    journey->destination = destination;
    journey->n_carriers = 1;
    journey->left = bytes;
    return journey;
}

void network_send(Network *net, guint source, guint destination, gint64 bytes, gpointer cargo)
{
    g_assert(source != destination);
    gboolean forwarded = net->machine->switching == SWITCHING_STORE_AND_FORWARD;
    Message *m = new_message(net);
    *m = (Message){
        .cargo = cargo,
        .journey = forwarded ? new_journey(source, destination, bytes) : NULL,
        .source = source,
        .from = source,
        .to = forwarded ? next_hop(source, destination) : destination,
        .at = source,
        .left = bytes,
        .order = net->n_issued++,
        .after = TRACE_NONE,
    };
    request(net, m, WANTS_SEND_PORT, send_port(net, m));
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
    if (m->want != WANTS_SEND_PORT) {
        m->blocked_ps += waited;
        if (waited && net->hooks->traced)
            trace_wait(net, m, m->request_date);
    }
    granted(net, m);
}

static void serve(Network *net, Message *m)
{
    if (m->want == WANTS_BOTH_ENDS)
        serve_both_ends(net, m);
    else if (m->want == WANTS_PROCESSORS)
        serve_processors(net, m);
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
            insert_candidate(net, m, place);
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
