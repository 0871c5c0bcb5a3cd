/* Why a run took as long as it did: the critical path in its trace, and a text about waiting, use and the path.
 *
 * Traces are sorted (trace_sort()). The caller unrefs the arrays and frees the texts. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/engine/trace.h"
#include "sim/text/table.h"

/* Why a link of the critical path begins when it does. */
typedef enum {
    LINK_START,         /* the run begins */
    LINK_RELEASE,       /* this packet waited for a channel or port, and the packet of the link before released it */
    LINK_AWAITED,       /* the message of the link before has arrived, and the processor had awaited it */
    LINK_SENT,          /* the message of the link before has left; the same processor sent it */
    LINK_PACKET,        /* the packet of the link before has left; it belongs to the same message */
    LINK_GAP,           /* with overlapped start-ups: the gap after the start-up of the link before is over */
    LINK_FORWARDED,     /* with store-and-forward: the same packet has arrived at the processor, which forwards it */
    LINK_REARRANGED,    /* the processor has rearranged its memory */
    LINK_COMPUTED,      /* the processor has computed */
    LINK_BARRIER        /* the barrier is over */
} LinkReason;

/* One packet, rearrangement, computation or barrier on the critical path. A packet that waited is on the path only from
 * the end of its last wait on; the packet that it waited for comes before it. With overlapped start-ups, a packet may
 * be on the path with a part of its start-up, or without it. A barrier is on the path from the arrival of the last
 * processor on. */
typedef struct {
    TraceKind kind;             /* kind of the link, never TRACE_CHANNEL or TRACE_WAIT. TRACE_STARTUP: only a start-up
                                 * and its gap */
    guint32 processor;          /* processor that sends the packet, works, or comes last to the barrier */
    guint32 message;            /* index of the packet's message; TRACE_NONE: the link is no packet */
    guint32 step;
    gint64 start_ps, end_ps;    /* dates in ps; the next link starts at end_ps */
    gint64 startup_ps, circuit_ps, transmit_ps;     /* times of a packet's start-up, circuit and transmission, whose sum
                                                     * is end_ps - start_ps; 0 if the link is no packet */
    LinkReason reason;
    guint32 from, to;           /* LINK_RELEASE: place that the packet waited for (trace_place()) */
    gint64 waited_ps;           /* LINK_RELEASE: time for which the packet waited for that place */
} PathLink;

/* Returns the critical path (GArray of PathLink) in the order of time. It leads without a gap from the start of a
 * processor (date 0 without start_skew) to `time_ps`, the end of the run. It is empty if the run ends with the late
 * start of a processor that has nothing to do. */
GArray *critical_path(const Trace *trace, gint64 time_ps);

/* Parts of the time of a critical path. */
typedef enum {
    PATH_STARTUPS,
    PATH_HANDSHAKES,            /* start-ups and circuits of handshakes */
    PATH_CIRCUITS, PATH_TRANSMISSIONS, PATH_SHUFFLES, PATH_BARRIERS, PATH_ARITHMETIC,
    PATH_LATE_START,            /* time before the first link, when its processor starts */
    N_PATH_PARTS
} PathPart;

/* [part]: name for people: "start-ups", "circuits", ... */
extern const char *const path_part_names[N_PATH_PARTS];

/* Adds the parts of the path to sums[N_PATH_PARTS], which must be 0. Their sum is `time_ps`, the time of the run. */
void critical_path_sum(const Trace *trace, const GArray *path, gint64 time_ps, gint64 *sums);

/* Returns a text about the waits, the use of channels and ports, the arithmetic and the critical path of a run that
 * took `time_ps`. Lists show their first few rows. `format` is FORMAT_TABLE or FORMAT_HTML. */
char *explain_text(const Trace *trace, const Machine *machine, guint n_nodes, gint64 time_ps, Format format);
