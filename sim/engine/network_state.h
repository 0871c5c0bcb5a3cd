/* What the files of the network share: its state, how messages ask for channels and ports, and traces. */
#pragma once

#include "events.h"
#include "network_hooks.h"
#include "sim/replay/cost.h"

typedef struct Message Message;

/* A channel or a port, or several ports that are alike: those who wait for it stand in the order in which they are to
 * be served. */
typedef struct {
    Message *holder;        /* the last who took it, when it has no room left; else NULL */
    Message *head, *tail;
    guint spare;            /* messages that it takes beside one */
    gint64 since;           /* the holder's; for traces, like the next */
    guint32 last;           /* packet that released it last */
} Resource;

typedef enum {
    WANTS_SEND_PORT,
    WANTS_TO_LEAVE,         /* overlapped start-ups: the packets before it through its send port have left */
    WANTS_PROCESSORS,       /* DUPLEX_HALF: both ends' only ports, together */
    WANTS_NODE_EXIT,        /* one of the node's ports, as is the next */
    WANTS_CHANNEL,
    WANTS_NODE_ENTRY,
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
    Resource use;           /* for one packet at a time, from the end of its start-up to the end of its transmission */
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
    gboolean within;        /* a node: it crosses no channels */
    gboolean follows;       /* the present packet is not the first of the message, or forwarded */
    gint64 turn_ps;         /* the first packet does not begin before */
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
    gint64 exit_since, entry_since;     /* it holds ports of nodes */
    gint64 end_since;       /* it waits for an end of the message `blocker` since then, or NEVER */
    guint32 let_go;         /* packet whose end let this one try both ends again */
};

struct Network {
    const Machine *machine;
    Topology topology;
    const NetworkHooks *hooks;
    gpointer user;
    Events *events;
    gsize n_send_ports;
    Resource *channels;         /* [node][way] */
    Resource *send_ports;       /* [node], or [node][way] with PORTS_ALL */
    Resource *receive_ports;    /* [node]; with DUPLEX_HALF the only ports; not used with PORTS_ALL */
    Resource *node_exits, *node_entries;    /* by processors / machine->node; NULL: any number leave and enter */
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
    m->request_date = events_now(net->events);
    add_candidate(net, m);
}

static inline void release(Network *net, Resource *resource, const Message *m)
{
    resource->last = m->number;
    if (!resource->holder) {    /* those who wait have been called */
        resource->spare++;
        return;
    }
    resource->holder = NULL;
    if (resource->head)
        add_candidate(net, resource->head);
}

/* Puts m into the queue where it belongs: nearly always at its end. */
static inline void enqueue(Resource *resource, Message *m)
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

/* --- traces --- */

/* The interval of m's present packet that ends now; only if there are hooks->traced. */
void network_trace(const Network *net, const Message *m, TraceInterval interval);

/* m has waited since `start`, if that is before now, for what it is granted now or finds free now. */
void network_trace_wait(const Network *net, const Message *m, gint64 start);
