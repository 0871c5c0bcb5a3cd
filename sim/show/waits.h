/* Waits in the trace of a run: which packet held which place (channel or port), which waited for it, and for how long.
 *
 * Traces are sorted. The caller unrefs the arrays. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/machine/machine.h"

/* Part (piece) of a wait, during which one packet held the place that the wait is for. */
typedef struct {
    const TraceInterval *wait;      /* the whole wait; borrowed from the trace, like `holder` */
    const TraceInterval *holder;    /* interval of the packet that holds the place, as Hold.interval. NULL: the holder
                                     * is wait->blocker, because several packets hold the place at a time, its hold
                                     * has no length, or the wait is for a transmission the other way */
    gint64 start_ps, end_ps;        /* dates of the piece */
    gint64 held_ps;                 /* date from which on the packet holds the place: start_ps. With duplex half it is
                                     * later if the port was free before, but the packet's other port was not */
} WaitPiece;

typedef void WaitPieceFunction(const WaitPiece *piece, gpointer user);

/* Calls the function for all pieces of all waits, in the order of the trace: one per packet that held the place. */
void waits_each_piece(const Trace *trace, const Machine *machine, guint n_nodes, WaitPieceFunction *function,
                      gpointer user);

/* The time that messages or senders waited for a place that others held. */
typedef struct {
    guint32 waiting, holding;   /* numbers of messages, or of processors that send them */
    guint32 from, to;           /* place that was waited for longest; trace_place(from, to) returns its kind */
    guint32 waits;              /* number of pieces of waits */
    gint64 waited_ps, most_ps;  /* sum of the times of these pieces, and the longest time */
} Blocking;

/* Returns how long messages waited for others (GArray of Blocking, longest first), by pairs of messages or, with
 * `by_processor`, of their senders (with store-and-forward the processors that forward). The times add up to all
 * waiting. */
GArray *waits_blocking(const Trace *trace, const Machine *machine, guint n_nodes, gboolean by_processor);

/* A packet that held a channel or port. */
typedef struct {
    guint32 from, to;           /* ends of the channel, or code of the port: trace_place(from, to) is its kind */
    gint64 start_ps, end_ps;    /* dates between which the packet held it */
    const TraceInterval *interval;  /* use of the channel, or transmission of the packet; borrowed from the trace */
} Hold;

/* Returns all holds (GArray of Hold), in the order of their intervals in the trace. */
GArray *waits_holds(const Trace *trace, const Machine *machine);

/* Use of a channel or port during the whole run. */
typedef struct {
    guint32 from, to;           /* ends of the channel, or code of the port: trace_place(from, to) is its kind */
    guint32 uses, waits;        /* number of times that packets held it, and that messages waited for it */
    gint64 held_ps, waited_ps;  /* sums of the times that packets held it, and that messages waited for it */
    gint64 dead_ps;             /* part of held_ps during which the packet that held it waited */
} Use;

/* Returns the use of places (GArray of Use): the places waited for most, then the busiest. These are used channels and,
 * with ports = one, receive ports; with duplex half the processors' only ports; with store-and-forward also send ports.
 * A receive port is held during the transmission, other ports from the beginning of the start-up. */
GArray *waits_use(const Trace *trace, const Machine *machine, guint n_nodes);

/* Times summed over all channels; ports are left out. What held_ps has beyond dead_ps and transmit_ps is the setting up
 * of circuits. */
typedef struct {
    gint64 held_ps;
    gint64 dead_ps;             /* part of held_ps during which the packet that held the channel waited */
    gint64 transmit_ps;         /* part of held_ps during which messages were transmitted */
} ChannelTime;

ChannelTime waits_channel_time(const Trace *trace);

/* Returns "Of the time that channels are held, 44.4 % they carry nothing, because the message that holds them waits
 * itself; 44.1 % they transmit, and 11.5 % circuits are set up.", or NULL if no channel is held while its message
 * waits. Caller frees. */
char *waits_dead_text(const Trace *trace);
