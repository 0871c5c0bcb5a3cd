/* Why a run took as long as it did, from its trace: its critical path, and in words also who waited for whom, and what
 * was busy.
 *
 * Traces are sorted. Whoever calls unrefs the arrays and frees the texts. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/engine/trace.h"
#include "sim/text/table.h"

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
