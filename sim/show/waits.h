/* Waits in the trace of a run: which packet held which place (channel or port), which waited for it, and for how long.
 *
 * Traces are sorted. The caller unrefs the arrays. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/machine/machine.h"

/* A part of a wait, during which one packet held the place that the wait is for. */
typedef struct {
    const TraceInterval *wait;      /* the wait; borrowed from the trace, like `holder` */
    const TraceInterval *holder;    /* interval of the packet that held the place, as in Hold; NULL: the holder is
                                     * wait->blocker: several packets hold the port, or it transmits the other way */
    gint64 start_ps, end_ps;
    gint64 held_ps;                 /* date since which the packet held the place; with duplex half perhaps after
                                     * start_ps, if the port was free and the port at the other end was not */
} WaitPiece;

typedef void WaitPieceFunction(const WaitPiece *piece, gpointer user);

/* Calls the function for all pieces of all waits, in the order of the trace: one per packet that held the place. */
void waits_each_piece(const Trace *trace, const Machine *machine, guint n_nodes, WaitPieceFunction *function,
                      gpointer user);

/* The time that messages or senders waited for a place that others held. */
typedef struct {
    guint32 waiting, holding;   /* number of the message, or of the sender, that waited; and of the one that held */
    guint32 from, to;           /* place of the longest piece of a wait (trace_place()) */
    guint32 waits;              /* number of pieces of waits */
    gint64 waited_ps, most_ps;  /* sum of the pieces; longest piece */
} Blocking;

/* Returns the time of all waits by pairs of messages, or of their senders (with store-and-forward, from hop to hop):
 * GArray of Blocking, the longest first. They add up to all waiting. */
GArray *waits_blocking(const Trace *trace, const Machine *machine, guint n_nodes, gboolean by_processor);

/* A packet that held a channel or port. */
typedef struct {
    guint32 from, to;           /* place that was held: trace_place() */
    gint64 start_ps, end_ps;
    const TraceInterval *interval;  /* interval of the channel, or of the packet's transmission; borrowed */
} Hold;

/* Returns all holds (GArray of Hold), in the order of their intervals in the trace. */
GArray *waits_holds(const Trace *trace, const Machine *machine);

/* The use of a channel or port. */
typedef struct {
    guint32 from, to;           /* place that was used: trace_place() */
    guint32 uses, waits;        /* number of packets that held the place; number of waits for it */
    gint64 held_ps, waited_ps;  /* time for which it was held; time of all waits for it */
} Use;

/* Returns the use of places (GArray of Use): the places waited for most, then the busiest. These are used channels and,
 * with ports = one, receive ports; with duplex half the processors' only ports; with store-and-forward also send ports.
 * A receive port is held during the transmission, other ports from the beginning of the start-up. */
GArray *waits_use(const Trace *trace, const Machine *machine, guint n_nodes);
