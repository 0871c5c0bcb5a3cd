/* A trace: what every message and every processor did in a run, as intervals of time.
 *
 * The network and the engine report the intervals (network.h, engine.h), and a Trace collects them. All numbers are
 * simulated; equal runs have equal traces. Dates are picoseconds from the start of the run. A message is sent as one
 * packet or several, each with a start-up, a circuit and a transmission of its own. With store-and-forward each hop of
 * a packet has these, and counts here as a packet. Packets, rearrangements, computations and barriers are numbered
 * from 0, each kind by itself, in the order in which they began. For this order a computation begins together with the
 * rearrangement before it. With duplex half a packet holds the ports of its sender and its receiver from its start-up
 * to the end of its transmission. */
#pragma once

#include <glib.h>

typedef enum {
    TRACE_STARTUP,      /* lambda is paid, the send port is held; with overlapped start-ups held for the gap alone */
    TRACE_CHANNEL,      /* one channel of the circuit, or port of a node, from grant to release */
    TRACE_WAIT,         /* a packet waits for a channel, a port or the end of a transmission; longer than 0 */
    TRACE_TRANSMIT,     /* a packet is transmitted; unless ports = all, the receive port is held */
    TRACE_REARRANGE,    /* the processor rearranges its memory; printed as "shuffle", the papers' word */
    TRACE_COMPUTE,      /* the processor computes: the arithmetic of a step */
    TRACE_BARRIER,      /* one processor at a barrier, from its arrival until all leave */
    TRACE_RECONFIGURE   /* a packet's two ports are connected, where circuits are kept */
} TraceKind;

#define TRACE_NONE G_MAXUINT32
#define TRACE_NODE (TRACE_NONE - 1)

/* The event that let something begin or a wait end: the end of a packet's transmission, of local work or of a barrier.
 * With overlapped start-ups also the end of a packet's gap, after which the send port may begin the next packet (kind
 * TRACE_STARTUP). TRACE_NONE as number: no such event. */
typedef struct {
    TraceKind kind;             /* TRACE_TRANSMIT, TRACE_REARRANGE, TRACE_COMPUTE, TRACE_BARRIER or TRACE_STARTUP */
    guint32 number;
} TraceCause;

#define TRACE_NO_CAUSE ((TraceCause){TRACE_TRANSMIT, TRACE_NONE})

typedef struct {
    TraceKind kind;
    guint32 number;             /* index of the packet, rearrangement, computation or barrier */
    gint64 start_ps, end_ps;
    guint32 processor;          /* sender of the packet, or the processor that works or is at the barrier */
    guint32 message;            /* index of the packet's message; TRACE_NONE: there is no packet */
    union {
        gint64 bytes;           /* bytes of the packet, or bytes moved in memory; 0 for a barrier */
        gint64 operations;      /* operations of a computation */
    };
    guint32 step;               /* step of the processor, if there is no packet; a message's step is in TraceMessage */
    guint32 from, to;           /* place used or waited for (trace_place()). Start-ups and transmissions: ends of the
                                 * hop with store-and-forward, else TRACE_NONE */
    guint32 blocker;            /* message that held the place when the wait began */
    TraceCause after;           /* Wait: the event that ended it. Start-up: the event that let it begin, unless it
                                 * began when the message was issued; the kind is TRACE_STARTUP if and only if
                                 * start-ups overlap. Transmission with overlapped start-ups: the
                                 * transmission that had to end before the header set off. Without a packet: the
                                 * event that let it begin */
} TraceInterval;

/* The facts about a message at its issue. */
typedef struct {
    guint32 source, destination;
    guint32 step;               /* step of the source */
    gboolean handshake;
    gint64 issued_ps;
    TraceCause after;           /* the event that let its source issue it */
} TraceMessage;

typedef struct {
    GArray *messages;           /* TraceMessage, by number */
    GArray *intervals;          /* TraceInterval, in the order of the reports, or sorted (trace_sort()) */
} Trace;

Trace *trace_new(void);
void trace_free(Trace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Trace, trace_free)

static inline const TraceInterval *trace_nth(const Trace *trace, guint i)
{
    return &g_array_index(trace->intervals, TraceInterval, i);
}

static inline const TraceMessage *trace_message(const Trace *trace, guint32 number)
{
    return &g_array_index(trace->messages, TraceMessage, number);
}

/* Returns -1, 0 or 1 as a is less than, equal to or greater than b. */
static inline int trace_order(gint64 a, gint64 b)
{
    return (a > b) - (a < b);
}

/* Returns an index of the intervals of this kind (TraceInterval *, borrowed): element i is the last interval whose
 * `number` is i, or NULL. Caller unrefs the index. */
GPtrArray *trace_index(const Trace *trace, TraceKind kind);

/* Returns element `number` of `index`; NULL if the index ends before it. */
const TraceInterval *trace_find(const GPtrArray *index, guint32 number);

/* The kinds of places that a channel interval uses or a wait is for. Its `from` and `to` say which place it is. */
typedef enum {
    TRACE_PLACE_CHANNEL,        /* the channel from processor `from` to processor `to`; with store-and-forward and
                                 * ports = all also the channel's send port */
    TRACE_PLACE_RECEIVE_PORT,   /* the receive port of processor `to`; from == to */
    TRACE_PLACE_SEND_PORT,      /* the send port of processor `from`, with store-and-forward; to == TRACE_NONE */
    TRACE_PLACE_NODE_EXIT,      /* the ports out of node number `from`; to == TRACE_NODE */
    TRACE_PLACE_NODE_ENTRY,     /* the ports into node number `to`; from == TRACE_NODE */
    TRACE_PLACE_PORT,           /* processor `to`; from == TRACE_NONE: a processor's only port, duplex half */
    TRACE_PLACE_OTHER_WAY       /* from == to == TRACE_NONE: with duplex synchronized, the end of the transmission the
                                 * other way */
} TracePlace;

static inline TracePlace trace_place(guint32 from, guint32 to)
{
    if (from == TRACE_NONE)
        return to == TRACE_NONE ? TRACE_PLACE_OTHER_WAY : TRACE_PLACE_PORT;
    if (to == TRACE_NONE)
        return TRACE_PLACE_SEND_PORT;
    if (from == TRACE_NODE || to == TRACE_NODE)
        return to == TRACE_NODE ? TRACE_PLACE_NODE_EXIT : TRACE_PLACE_NODE_ENTRY;
    return from == to ? TRACE_PLACE_RECEIVE_PORT : TRACE_PLACE_CHANNEL;
}

/* Returns the processor or node that the port at this place belongs to. */
static inline guint32 trace_place_owner(guint32 from, guint32 to)
{
    return from >= TRACE_NODE ? to : from;
}

/* Returns the place in words: "channel 0->1", "receive port of 3", "ports out of node 1", ... Caller frees. */
char *trace_place_text(guint32 from, guint32 to);

/* [kind]: "startup", "channel", ... */
extern const char *const trace_kind_names[];

/* Renumbers the messages by date of issue and source, and sorts the intervals by start, kind, processor, place, end,
 * message and number. Then numbers and order depend on the run alone, not on the order of actions within an instant.
 * Every message of the intervals must be in trace->messages. */
void trace_sort(Trace *trace);

/* Returns a row for every interval of a sorted trace, for pictures: 0 ... TRACE_ROWS - 1, or TRACE_NO_ROW. Packets and
 * local work of one processor have different rows at one time; once all rows are taken, they share the last. All rows
 * are 0 unless a processor has several send ports or strands, overlaps start-ups, or forwards packets while it works.
 * Three kinds of intervals have no row: waits for send ports with store-and-forward, as any number of packets may wait
 * for one port; uses of nodes' ports; and waits for a processor's only port (TRACE_PLACE_PORT) while row 0 is taken.
 * With overlapped start-ups any number of packets may have started and not left. So a packet that leaves later than its
 * start-up ends has a row for its start-up, if a row is free, and another from its leaving on. [intervals]; caller
 * frees. */
#define TRACE_ROWS 16
#define TRACE_NO_ROW 255
guint8 *trace_rows(const Trace *trace);

/* Returns the number of processors in a sorted trace: the highest processor in it, plus 1. */
guint trace_n_processors(const Trace *trace);

/* Writes the trace to the file `fd` at its position, and leaves it open. Returns FALSE with errno if that fails. */
gboolean trace_write(const Trace *trace, int fd);
/* Reads a trace from the beginning of the file `fd`, which stays open. Returns NULL if no whole trace is in it. */
Trace *trace_read(int fd);
