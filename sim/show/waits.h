/* Waits in the trace of a run: which packet held which place (channel or port), which waited for it, and for how long.
 *
 * Traces are sorted. The caller unrefs the arrays. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/machine/machine.h"

/* Piece of a wait: the part during which one packet held the place that the wait is for. */
typedef struct {
    const TraceInterval *wait;      /* the whole wait; borrowed from the trace, as `holder` is */
    const TraceInterval *holder;    /* interval of the packet that holds the place (Hold.interval). NULL: the holder is
                                     * wait->blocker, because several packets hold the place at a time, its hold has no
                                     * length, or the wait is for a transmission the other way */
    gint64 start_ps, end_ps;        /* dates of the piece */
    gint64 held_ps;                 /* date from which on the holder holds the place: start_ps. With duplex half it is
                                     * later if this port was free at start_ps, but the other port that the waiting
                                     * packet needs was not */
} WaitPiece;

typedef void WaitPieceFunction(const WaitPiece *piece, gpointer user);

/* Calls the function for each piece of each wait, in the order of the trace: one piece for each packet that held the
 * place. */
void waits_each_piece(const Trace *trace, const Machine *machine, guint n_nodes, WaitPieceFunction *function,
                      gpointer user);

/* The time for which messages waited for a place that others held, summed over one pair. */
typedef struct {
    guint32 waiting, holding;   /* waits_blocking(): the message that waits and the message that holds the place; with
                                 * `by_processor` the senders of these messages */
    guint32 from, to;           /* place that the longest of these waits was for; trace_place(from, to) is its kind */
    guint32 waits;              /* number of pieces of waits that are summed */
    gint64 waited_ps, most_ps;  /* sum of the times of these pieces, and the longest time */
} Blocking;

/* Returns how long messages waited for each other (GArray of Blocking, longest first), summed by pairs of messages.
 * With `by_processor`, sums by pairs of their senders (with store-and-forward, the processors that forward). The times
 * add up to all waiting. */
GArray *waits_blocking(const Trace *trace, const Machine *machine, guint n_nodes, gboolean by_processor);

/* The time during which a packet held a channel or port. */
typedef struct {
    guint32 from, to;           /* ends of the channel, or code of the port: trace_place(from, to) is its kind */
    gint64 start_ps, end_ps;    /* dates between which the packet held the channel or port */
    const TraceInterval *interval;  /* TRACE_CHANNEL interval of the channel, or transmission of the packet; borrowed
                                     * from the trace */
} Hold;

/* Returns all holds (GArray of Hold), in the order of their intervals in the trace. */
GArray *waits_holds(const Trace *trace, const Machine *machine);

/* Use of a channel or port during the whole run. */
typedef struct {
    guint32 from, to;           /* ends of the channel, or code of the port: trace_place(from, to) is its kind */
    guint32 uses, waits;        /* number of times that packets held the channel or port, and that messages waited for
                                 * it */
    gint64 held_ps, waited_ps;  /* sum of the times for which packets held the channel or port, and for which messages
                                 * waited for it */
    gint64 dead_ps;             /* part of held_ps during which the packet that held the channel or port waited
                                 * itself */
} Use;

/* Returns the use of channels and ports (GArray of Use): those waited for longest come first, then the busiest.
 * Includes used channels and ports of nodes. Unless ports = all, includes receive ports (duplex half: the processors'
 * only ports) and, with store-and-forward, send ports. A receive port is held from the reconfiguration or else the
 * transmission on, a processor's other ports from the start-up on. */
GArray *waits_use(const Trace *trace, const Machine *machine, guint n_nodes);

/* Times summed over all channels; ports do not count. The part of held_ps beyond dead_ps and transmit_ps is the setting
 * up of circuits. */
typedef struct {
    gint64 held_ps;
    gint64 dead_ps;             /* part of held_ps during which the packet that held the channel waited */
    gint64 transmit_ps;         /* time within held_ps during which messages were transmitted */
} ChannelTime;

ChannelTime waits_channel_time(const Trace *trace);

/* Returns "Of the time that channels are held, 44.4 % they carry nothing, because the message that holds them waits
 * itself; 44.1 % they transmit, and 11.5 % circuits are set up." NULL if no channel is held while its message waits.
 * Caller frees. */
char *waits_dead_text(const Trace *trace);
