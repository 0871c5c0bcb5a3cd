#include "network.h"
#include "cost.h"
#include "cube.h"
#include "events.h"

typedef struct Message Message;

/* A channel or a port: one holder, and those who wait for it in the order in which they are to be served. */
typedef struct {
    Message *holder, *head, *tail;
    gint64 since;           /* the holder's; for traces, like the next */
    guint32 last;           /* packet that released it last */
} Resource;

typedef enum { WANTS_SEND_PORT, WANTS_CHANNEL, WANTS_RECEIVE_PORT, WANTS_BOTH_ENDS } Want;

/* With DUPLEX_SYNCHRONIZED: what a processor transmits, and who waits for it to end. */
typedef struct {
    gint64 sending_since, receiving_since;  /* NEVER: it does not */
    guint32 sending, receiving;             /* the messages */
    Message *waiting;                       /* in no order */
} End;
#define NEVER (-1)

/* One message; its header is at node `at`. */
struct Message {
    Message *next;          /* in a queue, or in the list of free messages */
    gpointer cargo;
    guint source, destination, at;
    gint64 left, packet;    /* bytes not yet delivered; of these, in the present packet */
    PacketCost cost;        /* of the present packet */
    Want want;
    Resource *wanted;       /* not with WANTS_BOTH_ENDS */
    gboolean queued;        /* in wanted's queue */
    gint64 request_date;
    guint64 order;          /* of issue, over all processors; decides only between messages of one */
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
    Resource *receive_ports;    /* [node]; not used with PORTS_ALL */
    End *ends;                  /* [node] with DUPLEX_SYNCHRONIZED, else NULL */
    GPtrArray *candidates;      /* requests to be looked at in this instant's part 3 */
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
    if (machine->duplex == DUPLEX_SYNCHRONIZED)
        net->ends = g_new(End, n);
    for (gsize node = 0; net->ends && node < n; node++)
        net->ends[node] = (End){.sending_since = NEVER, .receiving_since = NEVER};
    net->candidates = g_ptr_array_new();
    net->sorted = TRUE;
    return net;
}

static void free_messages(Message *m)
{
    while (m) {
        Message *next = m->next;
        g_free(m);
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
            g_free(event.subject);
    for (guint i = 0; i < net->candidates->len; i++) {
        Message *m = g_ptr_array_index(net->candidates, i);
        if (!m->queued)
            g_free(m);
    }
    free_queued(net->channels, n_channels);
    free_queued(net->send_ports, net->machine->ports == PORTS_ALL ? n_channels : n);
    free_queued(net->receive_ports, n);
    for (gsize node = 0; net->ends && node < n; node++)
        free_messages(net->ends[node].waiting);
    g_free(net->ends);
    free_messages(net->free_messages);
    g_ptr_array_unref(net->candidates);
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
    if (a->source != b->source)
        return a->source < b->source;
    return a->order < b->order;
}

static void add_candidate(Network *net, Message *m)
{
    guint n = net->candidates->len;
    if (n && served_before(m, g_ptr_array_index(net->candidates, n - 1)))
        net->sorted = FALSE;
    g_ptr_array_add(net->candidates, m);
}

static void request(Network *net, Message *m, Want want, Resource *wanted)
{
    m->want = want;
    m->wanted = wanted;
    m->request_date = network_now(net);
    add_candidate(net, m);
}

static Resource *send_port(Network *net, const Message *m)
{
    if (net->machine->ports == PORTS_ONE)
        return &net->send_ports[m->source];
    guint dim = cube_first_dimension(m->source, m->destination);
    return &net->send_ports[cube_channel(net->dimension, m->source, dim)];
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
    interval.processor = m->source;
    interval.message = (guint32)m->order;
    interval.bytes = m->packet;
    net->hooks->traced(net->user, &interval);
}

/* m has waited for what it is granted now. */
static void trace_wait(const Network *net, const Message *m)
{
    TraceInterval wait = {.kind = TRACE_WAIT, .start_ps = m->request_date, .from = m->at, .to = m->at};
    if (m->want == WANTS_CHANNEL)
        wait.to ^= 1u << cube_first_dimension(m->at, m->destination);
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
    if (net->machine->ports == PORTS_ALL)
        begin_transmission(net, m);
    else
        request(net, m, WANTS_RECEIVE_PORT, &net->receive_ports[m->destination]);
}

/* Start-up or a hop has been paid: the header wants the next channel, if there is one. */
static void hopped(Network *net, Message *m)
{
    if (m->at != m->destination) {
        guint dim = cube_first_dimension(m->at, m->destination);
        request(net, m, WANTS_CHANNEL, &net->channels[cube_channel(net->dimension, m->at, dim)]);
    } else if (m->cost.delta_ps) {
        after(net, m->cost.delta_ps, EVENT_CONNECTED, m);
    } else {
        connected(net, m);
    }
}

static void started(Network *net, Message *m)
{
    if (net->hooks->traced)
        trace(net, m, (TraceInterval){.kind = TRACE_STARTUP, .start_ps = m->since,
                                      .after = {TRACE_TRANSMIT, m->after}});
    hopped(net, m);
}

/* The send port is held: the next packet's start-up begins. */
static void begin_packet(Network *net, Message *m)
{
    m->packet = cost_packet_bytes(net->machine, m->left);
    m->cost = cost_packet(net->machine, m->packet);
    m->at = m->source;
    m->since = network_now(net);
    m->number = net->n_packets++;
    if (m->cost.startup_ps)
        after(net, m->cost.startup_ps, EVENT_STARTED, m);
    else
        started(net, m);
}

static void granted(Network *net, Message *m)
{
    switch (m->want) {
    case WANTS_SEND_PORT:
        begin_packet(net, m);
        break;
    case WANTS_CHANNEL:
        m->at ^= 1u << cube_first_dimension(m->at, m->destination);
        if (m->cost.hop_ps)
            after(net, m->cost.hop_ps, EVENT_HOPPED, m);
        else
            hopped(net, m);
        break;
    case WANTS_RECEIVE_PORT:
        begin_transmission(net, m);
        break;
    case WANTS_BOTH_ENDS:
        g_assert_not_reached();
    }
}

/* The end whose transmission the other way, begun before now, keeps m from transmitting, and the message it transmits;
 * NULL if there is none. */
static End *busy_end(Network *net, const Message *m, guint32 *blocker)
{
    End *source = &net->ends[m->source], *destination = &net->ends[m->destination];
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
    End *source = &net->ends[m->source], *destination = &net->ends[m->destination];
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
    net->ends[m->source].sending_since = NEVER;
    net->ends[m->destination].receiving_since = NEVER;
    let_try_again(net, &net->ends[m->source], m);
    let_try_again(net, &net->ends[m->destination], m);
}

static void count_message(Network *net, const Message *m)
{
    net->stats.messages++;
    net->stats.blocked += m->blocked_ps > 0;
    net->stats.blocked_ps += m->blocked_ps;
    net->stats.longest_ps = MAX(net->stats.longest_ps, m->blocked_ps);
}

static void release_circuit(Network *net, const Message *m)
{
    guint dim;
    for (guint at = m->source; at != m->destination; at ^= 1u << dim) {
        dim = cube_first_dimension(at, m->destination);
        Resource *channel = &net->channels[cube_channel(net->dimension, at, dim)];
        if (net->hooks->traced)
            trace(net, m, (TraceInterval){.kind = TRACE_CHANNEL, .start_ps = channel->since, .from = at,
                                          .to = at ^ 1u << dim});
        release(net, channel, m);
    }
    if (net->machine->ports == PORTS_ONE)
        release(net, &net->receive_ports[m->destination], m);
    if (net->ends)
        release_ends(net, m);
}

static void transmitted(Network *net, Message *m)
{
    if (net->hooks->traced)
        trace(net, m, (TraceInterval){.kind = TRACE_TRANSMIT, .start_ps = m->since});
    release_circuit(net, m);
    m->left -= m->packet;
    if (m->left > 0) {
        m->after = m->number;
        begin_packet(net, m);
        return;
    }
    release(net, send_port(net, m), m);
    count_message(net, m);
    gpointer cargo = m->cargo;
    m->next = net->free_messages;
    net->free_messages = m;
    net->hooks->delivered(net->user, cargo);
}

/* --- what the driver calls --- */

void network_send(Network *net, guint source, guint destination, gint64 bytes, gpointer cargo)
{
    g_assert(source != destination);
    Message *m = net->free_messages;
    if (m)
        net->free_messages = m->next;
    else
        m = g_new(Message, 1);
    *m = (Message){
        .cargo = cargo,
        .source = source,
        .destination = destination,
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

static void serve(Network *net, Message *m)
{
    if (m->want == WANTS_BOTH_ENDS) {
        serve_both_ends(net, m);
        return;
    }
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
            trace_wait(net, m);
    } else if (waited) {
        m->after = resource->last;
    }
    granted(net, m);
}

/* A header that was granted something and pays nothing for it makes its next request at once; that request stands at
 * the end of the candidates. Serves it too, unless one of the candidates from number `next` on comes before it: then it
 * takes its place among them. */
static void serve_with_followers(Network *net, Message *m, guint next)
{
    GPtrArray *candidates = net->candidates;
    guint n = candidates->len;
    for (serve(net, m); candidates->len > n; serve(net, m)) {
        m = g_ptr_array_steal_index_fast(candidates, n);
        if (next < n && served_before(g_ptr_array_index(candidates, next), m)) {
            guint place = next + 1;
            while (place < n && served_before(g_ptr_array_index(candidates, place), m))
                place++;
            g_ptr_array_insert(candidates, (gint)place, m);
            return;
        }
    }
}

void network_grant(Network *net)
{
    if (!net->sorted)
        g_ptr_array_sort(net->candidates, compare_candidates);
    for (guint i = 0; i < net->candidates->len; i++)
        serve_with_followers(net, g_ptr_array_index(net->candidates, i), i + 1);
    g_ptr_array_set_size(net->candidates, 0);
    net->sorted = TRUE;
}
