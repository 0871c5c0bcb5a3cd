/* Why a run took as long as it did: who waited for whom, what was busy, and the critical path. All from its trace. */
#ifndef ECUBE_EXPLAIN_H
#define ECUBE_EXPLAIN_H

#include "../models/machine.h"
#include "trace.h"

/* --- the critical path --- */

/* Why a link begins when it does. */
typedef enum {
    LINK_START,         /* the run begins */
    LINK_RELEASE,       /* the link before released what this one's header had waited for */
    LINK_AWAITED,       /* the message of the link before was awaited */
    LINK_SENT,          /* the processor's own message of the link before had left */
    LINK_PACKET,        /* the packet before of the same message had left */
    LINK_SHUFFLED,      /* the processor's shuffle is over */
    LINK_BARRIER        /* the barrier is over */
} LinkReason;

/* One packet, shuffle or barrier on the path. A packet that waited is on it from the end of its last wait: before that,
 * whoever it waited for is. A barrier is on it from the arrival of the last processor. */
typedef struct {
    TraceKind kind;             /* TRACE_TRANSMIT, TRACE_SHUFFLE, TRACE_BARRIER */
    guint32 processor;          /* of a barrier: the last to arrive */
    guint32 message;            /* or TRACE_NONE */
    guint32 step;
    gint64 start_ps, end_ps;    /* the next link starts at end_ps */
    gint64 startup_ps, circuit_ps, transmit_ps;     /* of a packet; their sum is its length */
    LinkReason reason;
    guint32 from, to;           /* LINK_RELEASE: the channel, or from == to, the receive port */
    gint64 waited_ps;           /* LINK_RELEASE: by this packet, for that */
} PathLink;

/* The chain of what ends last and what let it begin, back to the start of a processor (date 0 without start_skew), in
 * the order of time: PathLink, up to the end of the run without a gap. `trace` is sorted. Caller unrefs. */
GArray *explain_path(const Trace *trace);

/* --- waits --- */

/* Time that `waiting` waited for what `holding` held. */
typedef struct {
    guint32 waiting, holding;   /* messages or processors */
    guint32 from, to;           /* where most of it was: a channel, or from == to, a receive port */
    guint32 waits;
    gint64 waited_ps, most_ps;
} Blocking;

/* Every wait, divided among those who held the channel or port in turn: by pairs of messages, or of the processors that
 * sent them; the longest first. Blocking elements whose waited_ps sum up to the blocked time of the run. */
GArray *explain_blocking(const Trace *trace, guint dimension, gboolean by_processor);

/* --- use --- */

typedef struct {
    guint32 from, to;           /* a channel, or from == to, a receive port */
    guint32 uses, waits;
    gint64 held_ps, waited_ps;
} Use;

/* Channels, and receive ports if the machine has them, that were used: those waited for most, then the busiest first.
 * Use elements. */
GArray *explain_use(const Trace *trace, guint dimension, Ports ports);

/* --- for people --- */

/* All of this, of each list the first few. `time_ps` is the run's. Caller frees. */
char *explain_text(const Trace *trace, guint dimension, Ports ports, gint64 time_ps);

#endif
