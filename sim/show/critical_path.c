#include "critical_path.h"

/* Where in the trace each packet, rearrangement, computation and barrier is; also the last wait of a packet. */
typedef struct {
    const Trace *trace;
    GPtrArray *index[TRACE_BARRIER + 1];   /* [kind]: trace_index(); of a barrier the last to arrive */
} Places;

static const TraceInterval *place_of(const Places *p, TraceKind kind, guint32 number)
{
    return trace_find(p->index[kind], number);
}

/* What the processor did that let it go on, told from the side of what came of it. */
static LinkReason reason_of(const Places *p, TraceCause cause, guint32 processor, guint32 message)
{
    static const LinkReason others[] = {
        [TRACE_STARTUP] = LINK_GAP, [TRACE_REARRANGE] = LINK_REARRANGED, [TRACE_COMPUTE] = LINK_COMPUTED,
        [TRACE_BARRIER] = LINK_BARRIER};
    if (cause.number == TRACE_NONE)
        return LINK_START;
    if (cause.kind != TRACE_TRANSMIT)
        return others[cause.kind];
    const TraceInterval *before = place_of(p, TRACE_TRANSMIT, cause.number);
    if (before->message == message)
        return before->processor == processor ? LINK_PACKET : LINK_FORWARDED;
    return before->processor == processor ? LINK_SENT : LINK_AWAITED;
}

/* Its header set off when the one before, which is returned, had left; else NULL. Only with overlapped start-ups. */
static const TraceInterval *left_behind(const Places *p, const TraceInterval *startup, const TraceInterval *transmit)
{
    gboolean overlaps = startup->after.kind == TRACE_STARTUP;
    return overlaps ? place_of(p, TRACE_TRANSMIT, transmit->after.number) : NULL;
}

static TraceCause startup_cause(const TraceInterval *startup, const TraceMessage *message)
{
    return startup->after.number != TRACE_NONE ? startup->after : message->after;
}

/* Of a packet that ended; returns what came before. */
static TraceCause packet_link(const Places *p, guint number, PathLink *link)
{
    const TraceInterval *transmit = place_of(p, TRACE_TRANSMIT, number);
    const TraceInterval *startup = place_of(p, TRACE_STARTUP, number);
    const TraceInterval *wait = place_of(p, TRACE_WAIT, number);
    const TraceInterval *before = left_behind(p, startup, transmit);
    const TraceMessage *message = trace_message(p->trace, transmit->message);
    gint64 start_ps = wait     ? wait->end_ps       /* it may be for its ends, or to be forwarded */
                      : before ? before->end_ps
                               : startup->start_ps;
    gint64 startup_ps = start_ps <= startup->start_ps ? startup->end_ps - startup->start_ps : 0;
    *link = (PathLink){.kind = TRACE_TRANSMIT, .processor = transmit->processor, .message = transmit->message,
                       .step = message->step, .start_ps = start_ps, .end_ps = transmit->end_ps,
                       .startup_ps = startup_ps, .circuit_ps = transmit->start_ps - start_ps - startup_ps,
                       .transmit_ps = transmit->end_ps - transmit->start_ps};
    if (!wait) {
        TraceCause cause = before ? transmit->after : startup_cause(startup, message);
        link->reason = reason_of(p, cause, transmit->processor, transmit->message);
        return cause;
    }
    link->reason = LINK_RELEASE;
    link->from = wait->from;
    link->to = wait->to;
    link->waited_ps = wait->end_ps - wait->start_ps;
    return wait->after;
}

/* Of a packet behind whose start-up the next one began at `end_ps`. */
static TraceCause gap_link(const Places *p, guint number, gint64 end_ps, PathLink *link)
{
    const TraceInterval *startup = place_of(p, TRACE_STARTUP, number);
    const TraceMessage *message = trace_message(p->trace, startup->message);
    TraceCause cause = startup_cause(startup, message);
    *link = (PathLink){.kind = TRACE_STARTUP, .processor = startup->processor, .message = startup->message,
                       .step = message->step, .start_ps = startup->start_ps, .end_ps = end_ps,
                       .startup_ps = end_ps - startup->start_ps,
                       .reason = reason_of(p, cause, startup->processor, startup->message)};
    return cause;
}

static TraceCause local_link(const Places *p, TraceCause cause, PathLink *link)
{
    const TraceInterval *interval = place_of(p, cause.kind, cause.number);
    *link = (PathLink){.kind = interval->kind, .processor = interval->processor, .message = TRACE_NONE,
                       .step = interval->step, .start_ps = interval->start_ps, .end_ps = interval->end_ps};
    link->reason = reason_of(p, interval->after, interval->processor, TRACE_NONE);
    return interval->after;
}

/* Of all that ends with the run, the first in the order of the trace. */
static TraceCause last_end(const Trace *trace, gint64 time_ps)
{
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        if (interval->kind >= TRACE_TRANSMIT && interval->end_ps == time_ps)
            return (TraceCause){interval->kind, interval->number};
    }
    return TRACE_NO_CAUSE;
}

GArray *critical_path(const Trace *trace, gint64 time_ps)
{
    Places p = {.trace = trace};
    for (TraceKind kind = 0; kind < G_N_ELEMENTS(p.index); kind++)
        p.index[kind] = trace_index(trace, kind);
    GArray *backwards = g_array_new(FALSE, FALSE, sizeof(PathLink));
    PathLink link = {.start_ps = time_ps};
    for (TraceCause at = last_end(trace, time_ps); at.number != TRACE_NONE;) {
        at = at.kind == TRACE_TRANSMIT  ? packet_link(&p, at.number, &link)
             : at.kind == TRACE_STARTUP ? gap_link(&p, at.number, link.start_ps, &link)
                                        : local_link(&p, at, &link);
        g_array_append_val(backwards, link);
    }
    for (TraceKind kind = 0; kind < G_N_ELEMENTS(p.index); kind++)
        g_ptr_array_unref(p.index[kind]);
    GArray *path = g_array_sized_new(FALSE, FALSE, sizeof(PathLink), backwards->len);
    for (guint i = backwards->len; i-- > 0;)
        g_array_append_val(path, g_array_index(backwards, PathLink, i));
    g_array_unref(backwards);
    return path;
}

const char *const path_part_names[N_PATH_PARTS] = {"start-ups", "circuits", "transmissions", "shuffles", "barriers",
                                                   "arithmetic", "late start"};

gint64 path_link_local_ps(const PathLink *link)
{
    return link->message != TRACE_NONE ? 0 : link->end_ps - link->start_ps;
}

void critical_path_sum(const GArray *path, gint64 time_ps, gint64 *sums)
{
    static const guint local[] = {[TRACE_REARRANGE] = PATH_SHUFFLES, [TRACE_COMPUTE] = PATH_ARITHMETIC,
                                  [TRACE_BARRIER] = PATH_BARRIERS};
    for (guint i = 0; i < path->len; i++) {
        const PathLink *link = &g_array_index(path, PathLink, i);
        sums[PATH_STARTUPS] += link->startup_ps;
        sums[PATH_CIRCUITS] += link->circuit_ps;
        sums[PATH_TRANSMISSIONS] += link->transmit_ps;
        sums[local[link->kind]] += path_link_local_ps(link);
    }
    sums[PATH_LATE_START] = path->len ? g_array_index(path, PathLink, 0).start_ps : time_ps;
}
