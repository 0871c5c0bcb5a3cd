#include "waits.h"
#include "sim/cube/cube.h"

/* --- channels and ports --- */

/* All have one number space: d channels, the receive port (with duplex half the only port) and the send port for each
 * processor. */
static guint resource_number(guint dimension, guint32 from, guint32 to)
{
    guint n = dimension + 2;
    TracePlace place = trace_place(from, to);
    g_assert(place != TRACE_PLACE_OTHER_WAY);
    if (place == TRACE_PLACE_CHANNEL)
        return from * n + cube_first_dimension(from, to);
    return place == TRACE_PLACE_SEND_PORT ? from * n + dimension + 1 : to * n + dimension;
}

static guint n_resources(guint dimension)
{
    return cube_n_nodes(dimension) * (dimension + 2);
}

#define HOLDS_MAX 3     /* that one interval tells of */

/* What the holds in a trace are told from. */
typedef struct {
    const Trace *trace;
    const Machine *machine;
    guint dimension;
    GPtrArray *startups;    /* [packet]: trace_index() */
} View;

/* The ports that a packet, whose transmission this is, held. */
static guint port_holds(const View *view, const TraceInterval *transmit, Hold holds[HOLDS_MAX])
{
    const TraceMessage *message = trace_message(view->trace, transmit->message);
    const TraceInterval *startup = trace_find(view->startups, transmit->number);
    gboolean hop = transmit->to != TRACE_NONE, half = view->machine->duplex == DUPLEX_HALF;
    guint32 from = hop ? transmit->from : message->source, to = hop ? transmit->to : message->destination;
    guint n = 0;
    if (half) {
        holds[n++] = (Hold){TRACE_NONE, from, startup->start_ps, transmit->end_ps, transmit};
        holds[n++] = (Hold){TRACE_NONE, to, startup->start_ps, transmit->end_ps, transmit};
    } else {
        holds[n++] = (Hold){to, to, transmit->start_ps, transmit->end_ps, transmit};
    }
    if (hop)
        holds[n++] = (Hold){from, TRACE_NONE, startup->start_ps, transmit->end_ps, transmit};
    return n;
}

/* The holds that interval number i tells of; their number. */
static guint holds_of(const View *view, guint i, Hold holds[HOLDS_MAX])
{
    const TraceInterval *interval = trace_nth(view->trace, i);
    if (interval->kind == TRACE_TRANSMIT && view->machine->ports == PORTS_ONE)
        return port_holds(view, interval, holds);
    if (interval->kind != TRACE_CHANNEL)
        return 0;
    holds[0] = (Hold){interval->from, interval->to, interval->start_ps, interval->end_ps, interval};
    return 1;
}

GArray *waits_holds(const Trace *trace, const Machine *machine, guint dimension)
{
    View view = {trace, machine, dimension, trace_index(trace, TRACE_STARTUP)};
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Hold));
    Hold some[HOLDS_MAX];
    for (guint i = 0; i < trace->intervals->len; i++)
        g_array_append_vals(all, some, holds_of(&view, i, some));
    g_ptr_array_unref(view.startups);
    return all;
}

/* --- waits --- */

/* The holds of every resource in the order of time, one resource after the other. */
typedef struct {
    guint *first;       /* [n_resources + 1]: index in `holds` */
    guint *next;        /* [n_resources]: the first that ends after the beginning of the last wait looked at */
    Hold *holds;
} Holders;

static Holders holders_of(const View *view)
{
    guint d = view->dimension, n = n_resources(d), n_intervals = view->trace->intervals->len;
    Hold some[HOLDS_MAX];
    Holders holders = {.first = g_new0(guint, n + 2)};
    for (guint i = 0; i < n_intervals; i++)
        for (guint h = holds_of(view, i, some); h-- > 0;)
            holders.first[resource_number(d, some[h].from, some[h].to) + 2]++;
    for (guint r = 2; r <= n + 1; r++)
        holders.first[r] += holders.first[r - 1];
    holders.holds = g_new(Hold, holders.first[n + 1]);
    for (guint i = 0; i < n_intervals; i++)     /* first[r + 1] runs from where r begins to where it ends */
        for (guint h = holds_of(view, i, some); h-- > 0;)
            holders.holds[holders.first[resource_number(d, some[h].from, some[h].to) + 1]++] = some[h];
    holders.next = g_memdup2(holders.first, n * sizeof *holders.next);
    return holders;
}

static int by_pair(gconstpointer first, gconstpointer second)
{
    const Blocking *a = first, *b = second;
    return trace_order(a->waiting, b->waiting) ?: trace_order(a->holding, b->holding);
}

static int longest_first(gconstpointer first, gconstpointer second)
{
    const Blocking *a = first, *b = second;
    return trace_order(b->waited_ps, a->waited_ps) ?: by_pair(a, b);
}

/* Adds up what is of one pair. Of waits as long as each other the first in the trace says where. */
static void merge_pairs(GArray *blockings)
{
    guint n = 0;
    g_array_sort(blockings, by_pair);
    for (guint i = 0; i < blockings->len; i++) {
        Blocking next = g_array_index(blockings, Blocking, i), *sum = &g_array_index(blockings, Blocking, n);
        if (n == 0 || by_pair(--sum, &next) != 0) {
            g_array_index(blockings, Blocking, n++) = next;
            continue;
        }
        sum->waits++;
        sum->waited_ps += next.waited_ps;
        if (next.most_ps > sum->most_ps) {
            sum->most_ps = next.most_ps;
            sum->from = next.from;
            sum->to = next.to;
        }
    }
    g_array_set_size(blockings, n);
}

static void add_blocking(GArray *blockings, guint32 waiting, guint32 holding, const TraceInterval *wait, gint64 ps)
{
    Blocking blocking = {waiting, holding, wait->from, wait->to, 1, ps, ps};
    g_array_append_val(blockings, blocking);
}

/* Divides one wait, which does not begin before the last one did, among those who held in turn what it was for. */
static void divide_wait(const View *view, const Holders *holders, const TraceInterval *wait, gboolean by_processor,
                        GArray *blockings)
{
    guint32 waiting = by_processor ? wait->processor : wait->message;
    if (trace_place(wait->from, wait->to) == TRACE_PLACE_OTHER_WAY) {   /* one transmission: the network tells which */
        guint32 holder = by_processor ? trace_message(view->trace, wait->blocker)->source : wait->blocker;
        add_blocking(blockings, waiting, holder, wait, wait->end_ps - wait->start_ps);
        return;
    }
    guint r = resource_number(view->dimension, wait->from, wait->to);
    /* While somebody waits it is never free: what comes before a hold belongs to it, too. */
    gint64 start = wait->start_ps;
    while (holders->next[r] < holders->first[r + 1] && holders->holds[holders->next[r]].end_ps <= start)
        holders->next[r]++;
    for (guint u = holders->next[r]; u < holders->first[r + 1] && start < wait->end_ps; u++) {
        const Hold *hold = &holders->holds[u];
        gint64 end = MIN(wait->end_ps, hold->end_ps);
        add_blocking(blockings, waiting, by_processor ? hold->interval->processor : hold->interval->message, wait,
                     end - start);
        start = end;
    }
}

GArray *waits_blocking(const Trace *trace, const Machine *machine, guint dimension, gboolean by_processor)
{
    View view = {trace, machine, dimension, trace_index(trace, TRACE_STARTUP)};
    Holders holders = holders_of(&view);
    GArray *blockings = g_array_new(FALSE, FALSE, sizeof(Blocking));
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind == TRACE_WAIT)
            divide_wait(&view, &holders, trace_nth(trace, i), by_processor, blockings);
    g_free(holders.first);
    g_free(holders.next);
    g_free(holders.holds);
    g_ptr_array_unref(view.startups);
    merge_pairs(blockings);
    g_array_sort(blockings, longest_first);
    return blockings;
}

/* --- use --- */

static int busiest_first(gconstpointer first, gconstpointer second)
{
    const Use *a = first, *b = second;
    return trace_order(b->waited_ps, a->waited_ps) ?: trace_order(b->held_ps, a->held_ps)
               ?: trace_order(a->from, b->from) ?: trace_order(a->to, b->to);
}

static Use *use_of(Use *all, guint dimension, guint32 from, guint32 to)
{
    Use *use = &all[resource_number(dimension, from, to)];
    use->from = from;
    use->to = to;
    return use;
}

GArray *waits_use(const Trace *trace, const Machine *machine, guint dimension)
{
    g_autofree Use *all = g_new0(Use, n_resources(dimension));
    View view = {trace, machine, dimension, trace_index(trace, TRACE_STARTUP)};
    Hold holds[HOLDS_MAX];
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        for (guint h = holds_of(&view, i, holds); h-- > 0;) {
            Use *use = use_of(all, dimension, holds[h].from, holds[h].to);
            use->uses++;
            use->held_ps += holds[h].end_ps - holds[h].start_ps;
        }
        if (interval->kind == TRACE_WAIT && trace_place(interval->from, interval->to) != TRACE_PLACE_OTHER_WAY) {
            Use *use = use_of(all, dimension, interval->from, interval->to);
            use->waits++;
            use->waited_ps += interval->end_ps - interval->start_ps;
        }
    }
    g_ptr_array_unref(view.startups);
    GArray *used = g_array_new(FALSE, FALSE, sizeof(Use));
    for (guint r = 0; r < n_resources(dimension); r++)
        if (all[r].uses)
            g_array_append_val(used, all[r]);
    g_array_sort(used, busiest_first);
    return used;
}
