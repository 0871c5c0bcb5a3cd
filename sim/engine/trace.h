/* A trace: what every message and every processor did in a run, as intervals of time.
 *
 * The network and the engine report them (network.h, engine.h), a Trace collects them. All numbers are simulated; equal
 * runs have equal traces. Dates are picoseconds from the start of the run. A message is sent as one packet or several,
 * each with a start-up, a circuit and a transmission of its own; with store-and-forward each hop of a packet has these,
 * and counts here as a packet. Packets, rearrangements, computations and barriers are numbered from 0, each kind by
 * itself, in the order in which they began; a step's computation counts with the rearrangement before it. With duplex
 * half a packet holds the ports of its two ends from the beginning of its
 * start-up to the end of its transmission. */
#pragma once

#include <glib.h>

typedef enum {
    TRACE_STARTUP,      /* the send port is held, lambda is paid */
    TRACE_CHANNEL,      /* one channel of the circuit, or port of a node, from grant to release */
    TRACE_WAIT,         /* blocked time: for a channel or a port; longer than 0 */
    TRACE_TRANSMIT,     /* with ports = one and circuits, also the use of the receive port */
    TRACE_REARRANGE,    /* the processor rearranges its memory: for people, as the papers have it, a shuffle */
    TRACE_COMPUTE,      /* the processor computes: the arithmetic of a step */
    TRACE_BARRIER       /* one processor at a barrier, from its arrival until all leave */
} TraceKind;

#define TRACE_NONE G_MAXUINT32
#define TRACE_NODE (TRACE_NONE - 1)

/* What let something begin, or a wait end: the end of a packet's transmission, of local work or of a barrier; with
 * overlapped start-ups also that the start-up of the packet before had lasted for the gap. With the number TRACE_NONE:
 * nothing of the kind. */
typedef struct {
    TraceKind kind;             /* TRACE_TRANSMIT, TRACE_REARRANGE, TRACE_COMPUTE, TRACE_BARRIER or TRACE_STARTUP */
    guint32 number;
} TraceCause;

#define TRACE_NO_CAUSE ((TraceCause){TRACE_TRANSMIT, TRACE_NONE})

typedef struct {
    TraceKind kind;
    guint32 number;             /* of the packet, rearrangement, computation or barrier */
    gint64 start_ps, end_ps;
    guint32 processor;          /* who sends the packet; who rearranges, computes or is at the barrier */
    guint32 message;            /* TRACE_NONE where there is no packet */
    union {
        gint64 bytes;           /* of the packet; moved in memory; 0 for a barrier */
        gint64 operations;      /* of a computation */
    };
    guint32 step;               /* where there is no packet; of messages it is in TraceMessage */
    guint32 from, to;           /* the channel; what was waited for (trace_place()); of start-ups and transmissions the
                                 * hop's ends with store-and-forward, else TRACE_NONE */
    guint32 blocker;            /* message that held it when the wait began */
    TraceCause after;           /* wait: what let it end; start-up: what let it begin, if that was not what let the
                                 * message be issued; transmission, with overlapped start-ups: the one that had to end
                                 * before the header set off; without a packet: what let it begin */
} TraceInterval;

/* What is known of a message when it is issued. */
typedef struct {
    guint32 source, destination;
    guint32 step;               /* of the source */
    gboolean handshake;
    gint64 issued_ps;
    TraceCause after;           /* what let its source issue it */
} TraceMessage;

typedef struct {
    GArray *messages;           /* TraceMessage, by number */
    GArray *intervals;          /* TraceInterval, in the order in which they were reported */
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

/* Orders numbers, for functions that compare. */
static inline int trace_order(gint64 a, gint64 b)
{
    return (a > b) - (a < b);
}

/* [number]: the last interval of this kind and number, or NULL. Caller unrefs. */
GPtrArray *trace_index(const Trace *trace, TraceKind kind);

/* The interval of any number, or NULL. */
const TraceInterval *trace_find(const GPtrArray *index, guint32 number);

/* What a channel interval is about or a wait is for, by its from and to. */
typedef enum {
    TRACE_PLACE_CHANNEL,        /* from, to; with store-and-forward and ports = all this is also its send port */
    TRACE_PLACE_RECEIVE_PORT,   /* from == to: of that processor */
    TRACE_PLACE_SEND_PORT,      /* from, and to == TRACE_NONE: store-and-forward */
    TRACE_PLACE_NODE_EXIT,      /* from, and to == TRACE_NODE: the ports out of a node, by its number */
    TRACE_PLACE_NODE_ENTRY,     /* to, and from == TRACE_NODE: those into it */
    TRACE_PLACE_PORT,           /* to, and from == TRACE_NONE: a processor's only port, duplex half */
    TRACE_PLACE_OTHER_WAY       /* both TRACE_NONE: duplex synchronized, the end of the blocker's transmission */
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

/* The processor or node whose port a place is. */
static inline guint32 trace_place_owner(guint32 from, guint32 to)
{
    return from >= TRACE_NODE ? to : from;
}

/* "channel 0->1", "receive port of 3", "ports out of node 1", ... Caller frees. */
char *trace_place_text(guint32 from, guint32 to);

/* [kind]: "startup", "channel", ... */
extern const char *const trace_kind_names[];

/* Numbers the messages by date of issue and source, and sorts the intervals by start, kind, processor, channel, end,
 * message: then numbers and order depend on the run alone, not on who acted first within an instant. Every message of
 * the intervals must be in trace->messages. */
void trace_sort(Trace *trace);

/* For pictures: a row, 0 ... TRACE_ROWS - 1, for every interval of a sorted trace, so that no two packets of one
 * processor share a row at one time, nor with its local work. All are 0 unless a processor has several send ports or
 * strands, or forwards packets while it works. With store-and-forward any number of packets may wait for one send port:
 * such waits have no row, nor have ports of nodes, nor waits for ends while the processor works. With overlapped
 * start-ups, any number of packets may have been started and not left: a packet that leaves late has a row for its
 * start-up, if one is free, and one from there on.
 * [intervals], caller frees. */
#define TRACE_ROWS 16
#define TRACE_NO_ROW 255
guint8 *trace_rows(const Trace *trace);

/* Processors of a sorted trace: the highest number in it, plus 1. */
guint trace_n_processors(const Trace *trace);

/* Passes a trace to another process through the file `fd`, which stays open: written at its present end, and read from
 * its beginning. FALSE with errno if the file can't be written; NULL if there is no whole trace in it. */
gboolean trace_write(const Trace *trace, int fd);
Trace *trace_read(int fd);
