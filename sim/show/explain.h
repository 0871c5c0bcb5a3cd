/* Why a run took as long as it did, from its trace: who waited for whom, what was busy, and the critical path.
 *
 * Traces are sorted. Whoever calls unrefs the arrays and frees the texts. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/engine/trace.h"
#include "sim/text/table.h"

/* A part of a wait, while one packet held what it was for. */
typedef struct {
    const TraceInterval *wait;      /* borrowed from the trace, like the next */
    const TraceInterval *holder;    /* the packet's, as in Hold; NULL: several hold such ports, or it is a transmission
                                     * the other way: wait->blocker's */
    gint64 start_ps, end_ps;
    gint64 held_ps;                 /* from when on the packet held it: later than the start where, with duplex half, the
                                     * port was free and the other end's was not */
} WaitPiece;

/* WaitPiece elements: every wait, divided among those that held the channel or port in turn, in the order of the
 * trace. */
GArray *waits_pieces(const Trace *trace, const Machine *machine, guint n_nodes);

/* Time that `waiting` waited for what `holding` held. */
typedef struct {
    guint32 waiting, holding;   /* messages or processors */
    guint32 from, to;           /* where most of it was (trace_place()) */
    guint32 waits;
    gint64 waited_ps, most_ps;
} Blocking;

/* Blocking elements: the pieces of all waits, by pairs of messages or of their senders (with store-and-forward, from hop
 * to hop), the longest first. Their sum is that of all waits. */
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

/* Why a link of the critical path begins when it does. */
typedef enum {
    LINK_START,         /* the run begins */
    LINK_RELEASE,       /* the link before released what this one had waited for */
    LINK_AWAITED,       /* the message of the link before was awaited */
    LINK_SENT,          /* the processor's own message of the link before had left */
    LINK_PACKET,        /* the packet before of the same message had left */
    LINK_GAP,           /* with overlapped start-ups: the gap behind the start-up before was over */
    LINK_FORWARDED,     /* with store-and-forward: the same packet had arrived at the processor */
    LINK_REARRANGED,    /* the processor has rearranged its memory */
    LINK_COMPUTED,      /* the processor has computed */
    LINK_BARRIER        /* the barrier is over */
} LinkReason;

/* One packet, rearrangement, computation or barrier on the path. A packet that waited is on it from the end of its last
 * wait: before that, what it waited for is. With overlapped start-ups, a packet may be on it with a part of its
 * start-up alone, or without its start-up. A barrier is on it from the arrival of the last processor. */
typedef struct {
    TraceKind kind;             /* any but TRACE_CHANNEL and TRACE_WAIT; TRACE_STARTUP: up to the end of the gap */
    guint32 processor;          /* that sends the packet; of a barrier: the last to arrive */
    guint32 message;            /* or TRACE_NONE */
    guint32 step;
    gint64 start_ps, end_ps;    /* the next link starts at end_ps */
    gint64 startup_ps, circuit_ps, transmit_ps;     /* of a packet; their sum is its length */
    LinkReason reason;
    guint32 from, to;           /* LINK_RELEASE: what was waited for (trace_place()) */
    gint64 waited_ps;           /* LINK_RELEASE: by this packet, for that */
} PathLink;

/* The chain of what ends last and what let it begin, back to the start of a processor (date 0 without start_skew), in
 * the order of time: PathLink, up to the end of the run, `time_ps`, without a gap. Without links if the run ends with
 * the start of its last processor, all else being over. */
GArray *critical_path(const Trace *trace, gint64 time_ps);

/* What a path consists of. */
typedef enum {
    PATH_STARTUPS, PATH_CIRCUITS, PATH_TRANSMISSIONS, PATH_SHUFFLES, PATH_BARRIERS, PATH_ARITHMETIC,
    PATH_LATE_START,            /* before the first link: the start of its processor */
    N_PATH_PARTS
} PathPart;

/* [part]: "start-ups", "circuits", ... */
extern const char *const path_part_names[N_PATH_PARTS];

/* Adds to sums[N_PATH_PARTS], which begin at 0, the parts of the path of a run that took `time_ps`: their sum. */
void critical_path_sum(const GArray *path, gint64 time_ps, gint64 *sums);

/* All of this for people, of each list the first few rows; `time_ps` is the run's. `format` is FORMAT_TABLE or
 * FORMAT_HTML. */
char *explain_text(const Trace *trace, const Machine *machine, guint n_nodes, gint64 time_ps, Format format);
