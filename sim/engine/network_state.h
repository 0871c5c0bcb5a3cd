/* What network.c, network_state.c and duplex.c share: the state, requests for channels and ports, and traces. */
#pragma once

#include "events.h"
#include "network_hooks.h"
#include "sim/replay/cost.h"

typedef struct Carrier Carrier;

/* A channel, a port or a group of equal ports, with the messages that wait for it in the order of service. */
typedef struct {
    Carrier *holder;        /* message that took the last free place; NULL: a place is free */
    Carrier *head, *tail;   /* first and last of the messages that wait; head NULL: none waits */
    guint spare;            /* number of free places beyond the first */
    gint64 since;           /* date (ps) of the last grant */
    guint32 last;           /* index of the packet that released it last; for traces */
} Resource;

typedef enum {
    WANTS_SEND_PORT,
    WANTS_TO_LEAVE,         /* overlapped start-ups: to leave the send port, after the packets that began before */
    WANTS_PROCESSORS,       /* DUPLEX_HALF: the ports of both ends, together */
    WANTS_HOST_EXIT,        /* a port out of the sender's node */
    WANTS_CHANNEL,
    WANTS_HOST_ENTRY,
    WANTS_RECEIVE_PORT,
    WANTS_BOTH_ENDS         /* DUPLEX_SYNCHRONIZED: sender and receiver, free of earlier transmissions the other way */
} Want;

/* State of a processor with DUPLEX_SYNCHRONIZED: its present transmission in each direction, and the messages that
 * wait until one of these transmissions ends. */
typedef struct {
    gint64 sending_since, receiving_since;  /* dates (ps) at which the transmissions began; NEVER: none is going on */
    guint32 sending, receiving;             /* messages that it sends and receives now, as Carrier.order */
    Carrier *waiting;                       /* messages that wait for this processor, in no order */
} End;
#define NEVER G_MAXINT64

/* Second part of a send port, with overlapped start-ups only: packets pass through it after their start-ups. */
typedef struct {
    Resource use;           /* resource that a packet takes after its start-up and holds until it is transmitted */
    gint64 started_ps;      /* date at which all start-ups begun so far are over */
    gint64 blocked_ps;      /* blocked time (ps) of the message that is leaving, over its packets that have left */
} WayOut;

/* A message with store-and-forward. Its packets are carried by Carriers, each over one hop. */
typedef struct {
    guint destination;
    guint n_carriers;       /* Carriers that carry its packets now */
    guint n_relays;         /* packets forwarded so far, at all processors */
    gint64 left;            /* bytes not yet at the destination */
    gint64 blocked_ps;      /* sum of the blocked times (ps) of its packets */
    gint64 passed[];        /* [hop]: date at which the latest packet left the processor `hop` hops from the source */
} Journey;

/* A message on its way over a circuit; its header is at node `at`. With store-and-forward a Carrier carries packets
 * of its journey over one hop: all packets over the first hop, a single packet over any other. With overlapped
 * start-ups a message holds its send port until all its packets have begun. Each of these packets is then a Carrier
 * of its own, whose `left` counts the bytes from its beginning to the end of the message. */
struct Carrier {
    Carrier *next;          /* next Carrier in the queue or list in which this is */
    gpointer cargo;
    Journey *journey;       /* message whose packets this carries, with store-and-forward; NULL: over a circuit */
    guint source;           /* processor that issued the message */
    guint from, to, at;     /* from, to: processors at the ends of the circuit or hop; at: processor of the header */
    guint rail;             /* index of its send port, and of its receive port, among the ports of one processor, on
                             * machines that keep circuits; else 0 */
    gint64 left, packet;    /* left: bytes not yet at `to`; packet: those of them that the present packet carries */
    PacketCost cost;        /* times of the present packet */
    gboolean within;        /* whether both ends are in one node: it crosses no channels */
    gboolean follows;       /* whether the present packet is not the first of the message, or is forwarded */
    gint64 turn_ps;         /* date before which the first packet does not begin */
    Want want;
    Resource *wanted;       /* resource of the present request. WANTS_BOTH_ENDS: NULL; WANTS_PROCESSORS: the busy end
                             * that it waits for */
    gboolean queued;        /* whether the message is in wanted's queue */
    gint64 request_date;    /* date (ps) of the present request */
    guint64 order;          /* number of the message, in the order in which all processors issue them. In the order of
                             * service it decides only between messages of one processor */
    guint relay;            /* order among the packets of a message. Over circuits: 0. Store-and-forward: 0 on the first
                             * hop, then the value of n_relays when it is forwarded. Overlapped start-ups: the number of
                             * packets that began before it */
    gint64 blocked_ps;
    /* for traces */
    gint64 since;           /* date at which the present start-up, reconfiguration or transmission began */
    guint32 number;         /* index of the present packet */
    guint32 after;          /* packet whose end let this one begin, or TRACE_NONE. Overlapped start-ups: packet whose
                             * start-up let it begin, later the one whose end let it leave */
    guint32 blocker;        /* message that held the resource of the last request that had to wait */
    gint64 exit_since, entry_since;     /* dates since which it holds the port out of the sender's node, and the port
                                         * into the receiver's node */
    gint64 end_since;       /* duplex half or synchronized: date since which it waits for the sender or receiver that
                             * `blocker` keeps busy; NEVER: not so far */
    guint32 let_go;         /* DUPLEX_SYNCHRONIZED: packet whose transmission ended at a processor for which this
                             * packet waited, so that this packet tried again */
};

/* The circuits of a machine that keeps them. A send port and a receive port are connected if each has the other. */
typedef struct {
    guint32 *to, *from;     /* to [send port]: receive port that it was connected to last; from [receive port]: send
                             * port that it was connected to last. The value n_ports: not connected yet */
    gsize n_ports;          /* number of send ports, and of receive ports */
} Circuits;

struct Network {
    const Machine *machine;
    Topology topology;
    const NetworkHooks *hooks;
    gpointer user;
    Events *events;
    gsize n_send_ports;
    Resource *channels;         /* [node][way]: channel that leaves the processor in this way of the topology */
    Resource *send_ports;       /* [node]; [node][way] with PORTS_ALL; [node][rail] where circuits are kept */
    Resource *receive_ports;    /* [node]; [node][rail] where circuits are kept. With DUPLEX_HALF a processor's only
                                 * port. Not used with PORTS_ALL */
    Resource *host_exits, *host_entries;    /* [processor / machine->host]: ports out of each node, and into each node;
                                             * NULL: unlimited */
    Circuits circuits;          /* all 0 unless circuits are kept */
    WayOut *ways_out;           /* [send port]: its second part; NULL without overlapped start-ups */
    gint64 *passed;             /* [send port], with store-and-forward: date at which the last of the processor's
                                 * own messages left through the port; else NULL */
    End *ends;                  /* [node]: present transmissions of the processor; NULL without DUPLEX_SYNCHRONIZED */
    Carrier **candidates;       /* [n_candidates]: requests that network_grant() serves at the present instant */
    guint n_candidates, room;   /* number and capacity of `candidates` */
    gboolean sorted;            /* whether the candidates are in the order of service */
    guint64 n_issued;
    guint32 n_packets;
    NetworkStats stats;
    gboolean overflowed;
};

/* --- requests --- */

/* Whether a comes before b in the order of service (README.md, "Events at the same instant"). */
static inline gboolean served_before(const Carrier *a, const Carrier *b)
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

static inline void append_candidate(Network *net, Carrier *m)
{
    if (net->n_candidates == net->room) {
        net->room = MAX(64, 2 * net->room);
        net->candidates = g_renew(Carrier *, net->candidates, net->room);
    }
    net->candidates[net->n_candidates++] = m;
}

static inline void add_candidate(Network *net, Carrier *m)
{
    guint n = net->n_candidates;
    if (n && served_before(m, net->candidates[n - 1]))
        net->sorted = FALSE;
    append_candidate(net, m);
}

static inline void request(Network *net, Carrier *m, Want want, Resource *wanted)
{
    m->want = want;
    m->wanted = wanted;
    m->request_date = events_now(net->events);
    add_candidate(net, m);
}

static inline void release(Network *net, Resource *resource, const Carrier *m)
{
    resource->last = m->number;
    if (!resource->holder) {    /* a place was free before, so nobody waits for this one */
        resource->spare++;
        return;
    }
    resource->holder = NULL;
    if (resource->head)
        add_candidate(net, resource->head);
}

/* Inserts m into the queue by the order of service: nearly always at the end. */
static inline void enqueue(Resource *resource, Carrier *m)
{
    Carrier **link = &resource->head;
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

/* Removes m, the head of the queue. */
static inline void dequeue(Resource *resource, Carrier *m)
{
    g_assert(resource->head == m);
    m->queued = FALSE;
    resource->head = m->next;
    if (!resource->head)
        resource->tail = NULL;
}

/* --- traces --- */

/* Completes `interval`, an interval of m's present packet that ends now, and reports it. Requires hooks->traced. */
void network_trace(const Network *net, const Carrier *m, TraceInterval interval);

/* Reports m's wait from the date `start` (ps) until now: for m->wanted, or with WANTS_BOTH_ENDS for the end of a
 * transmission. Does nothing without hooks->traced, or if `start` is not before now. */
void network_trace_wait(const Network *net, const Carrier *m, gint64 start);

/* Adds m's wait of `waited` ps to stats.dead_ps, once for each channel that m held meanwhile. */
static inline void network_count_dead(Network *net, const Carrier *m, gint64 waited)
{
    if (!m->within && net->topology.n_ways)
        net->stats.dead_ps += waited * topology_distance(&net->topology, m->from, m->at);
}
