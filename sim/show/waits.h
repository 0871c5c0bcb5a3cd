/* Who waited for whom in a run, and what was busy, from its trace. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/engine/trace.h"

/* Time that `waiting` waited for what `holding` held. */
typedef struct {
    guint32 waiting, holding;   /* messages or processors */
    guint32 from, to;           /* where most of it was (trace_place()) */
    guint32 waits;
    gint64 waited_ps, most_ps;
} Blocking;

/* Every wait, divided among those who held the channel or port in turn: by pairs of messages, or of the processors that
 * sent them (with store-and-forward, from hop to hop); the longest first. Blocking elements whose waited_ps sum up to
 * the blocked time of the run on `machine`. */
GArray *waits_blocking(const Trace *trace, const Machine *machine, guint dimension, gboolean by_processor);

/* --- use --- */

typedef struct {
    guint32 from, to;           /* of what: trace_place() */
    guint32 uses, waits;
    gint64 held_ps, waited_ps;
} Use;

/* That a packet held a channel or port. */
typedef struct {
    guint32 from, to;           /* of what: trace_place() */
    gint64 start_ps, end_ps;
    const TraceInterval *interval;  /* the channel's, or the packet's transmission; borrowed from the trace */
} Hold;

/* All of them, in the order in which their intervals stand in the trace: Hold elements. */
GArray *waits_holds(const Trace *trace, const Machine *machine, guint dimension);

/* Channels that were used and, with ports = one, what else messages may wait for: receive ports, with duplex half the
 * processors' only ports, with store-and-forward also send ports. Those waited for most, then the busiest first. A
 * receive port is held for the time of the transmission, other ports from the beginning of the start-up. Use
 * elements. */
GArray *waits_use(const Trace *trace, const Machine *machine, guint dimension);
