/* Waits, from the trace of a run: what was held by which packet, who waited for whom, and what was busy.
 *
 * Traces are sorted. Whoever calls unrefs the arrays. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/machine/machine.h"

/* A part of a wait, while one packet held what it was for. */
typedef struct {
    const TraceInterval *wait;      /* borrowed from the trace, like the next */
    const TraceInterval *holder;    /* the packet's, as in Hold; NULL: several hold such ports, or it is a transmission
                                     * the other way: wait->blocker's */
    gint64 start_ps, end_ps;
    gint64 held_ps;                 /* from when on the packet held it: with duplex half perhaps later than the start,
                                     * when the port was free and the other end's was not */
} WaitPiece;

typedef void WaitPieceFunction(const WaitPiece *piece, gpointer user);

/* Calls the function for every wait, divided among those that held the channel or port in turn, in the order of the
 * trace. */
void waits_each_piece(const Trace *trace, const Machine *machine, guint n_nodes, WaitPieceFunction *function,
                      gpointer user);

/* Time that `waiting` waited for what `holding` held. */
typedef struct {
    guint32 waiting, holding;   /* messages or processors */
    guint32 from, to;           /* where most of it was (trace_place()) */
    guint32 waits;
    gint64 waited_ps, most_ps;
} Blocking;

/* Blocking elements: the pieces of all waits, by pairs of messages or of their senders (with store-and-forward, from
 * hop to hop), the longest first. Their sum is that of all waits. */
GArray *waits_blocking(const Trace *trace, const Machine *machine, guint n_nodes, gboolean by_processor);

/* A packet that held a channel or port. */
typedef struct {
    guint32 from, to;           /* of what: trace_place() */
    gint64 start_ps, end_ps;
    const TraceInterval *interval;  /* the channel's, or the packet's transmission; borrowed from the trace */
} Hold;

/* Hold elements, in the order in which their intervals stand in the trace. */
GArray *waits_holds(const Trace *trace, const Machine *machine);

typedef struct {
    guint32 from, to;           /* of what: trace_place() */
    guint32 uses, waits;
    gint64 held_ps, waited_ps;
} Use;

/* Use elements: channels that were used and, with ports = one, receive ports, with duplex half the processors' only
 * ports, with store-and-forward also send ports; those waited for most, then the busiest first. A receive port is held
 * for the time of the transmission, other ports from the beginning of the start-up. */
GArray *waits_use(const Trace *trace, const Machine *machine, guint n_nodes);
