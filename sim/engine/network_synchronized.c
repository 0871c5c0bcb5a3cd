#include "network_synchronized.h"

/* The end whose transmission the other way, begun before now, keeps m from transmitting, and the message it transmits;
 * NULL if there is none. */
static End *busy_end(Network *net, const Message *m, guint32 *blocker)
{
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    *blocker = source->receiving;
    if (source->receiving_since != NEVER && source->receiving_since < events_now(net->events))
        return source;
    *blocker = destination->sending;
    if (destination->sending_since != NEVER && destination->sending_since < events_now(net->events))
        return destination;
    return NULL;
}

/* m has waited, until now, for an end that one message kept busy. */
static void trace_wait_for_end(const Network *net, const Message *m)
{
    message_trace(net, m, (TraceInterval){.kind = TRACE_WAIT, .start_ps = m->end_since, .from = TRACE_NONE,
                                          .to = TRACE_NONE, .blocker = m->blocker,
                                          .after = {TRACE_TRANSMIT, m->let_go}});
}

static void wait_for_end(Network *net, Message *m, End *busy, guint32 blocker)
{
    m->end_since = events_now(net->events);
    m->blocker = blocker;
    m->next = busy->waiting;
    busy->waiting = m;
}

gboolean ends_take(Network *net, Message *m)
{
    gint64 now = events_now(net->events);
    guint32 blocker;
    End *busy = busy_end(net, m, &blocker);
    if (net->hooks->traced && m->end_since != NEVER && m->end_since < now)
        trace_wait_for_end(net, m);
    if (busy) {
        wait_for_end(net, m, busy, blocker);
        return FALSE;
    }
    m->blocked_ps += now - m->request_date;
    End *source = &net->ends[m->from], *destination = &net->ends[m->to];
    source->sending_since = destination->receiving_since = now;
    source->sending = destination->receiving = (guint32)m->order;
    return TRUE;
}

static void let_try_again(Network *net, End *end, const Message *ended)
{
    Message *waiting = end->waiting;
    end->waiting = NULL;
    while (waiting) {
        Message *next = waiting->next;
        waiting->let_go = ended->number;
        candidate_add(net, waiting);
        waiting = next;
    }
}

void ends_release(Network *net, const Message *m)
{
    net->ends[m->from].sending_since = NEVER;
    net->ends[m->to].receiving_since = NEVER;
    let_try_again(net, &net->ends[m->from], m);
    let_try_again(net, &net->ends[m->to], m);
}
