#include "explain.h"
#include "pair.h"
#include "sim/cube/cube.h"
#include "sim/text/table.h"

/* --- the critical path --- */

/* Where in the trace each packet, shuffle and barrier is. */
typedef struct {
    const Trace *trace;
    GArray *startups, *transmits, *waits;   /* [packet]: guint, index of an interval; of the last wait, or TRACE_NONE */
    GArray *shuffles, *barriers;            /* [number]; of a barrier, the row of the last to arrive */
} Places;

static void put_place(GArray *places, guint number, guint i)
{
    guint none = TRACE_NONE;
    while (places->len <= number)
        g_array_append_val(places, none);
    g_array_index(places, guint, number) = i;
}

static guint place_of(const GArray *places, guint number)
{
    return number < places->len ? g_array_index(places, guint, number) : TRACE_NONE;
}

static void places_init(Places *p, const Trace *trace)
{
    GArray **arrays[] = {&p->startups, &p->transmits, &p->waits, &p->shuffles, &p->barriers};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        *arrays[i] = g_array_new(FALSE, FALSE, sizeof(guint));
    GArray *by_kind[] = {[TRACE_STARTUP] = p->startups, [TRACE_CHANNEL] = NULL,        [TRACE_WAIT] = p->waits,
                         [TRACE_TRANSMIT] = p->transmits, [TRACE_SHUFFLE] = p->shuffles, [TRACE_BARRIER] = p->barriers};
    p->trace = trace;
    /* in the order of their starts: the last wait and the last arrival remain */
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        if (by_kind[interval->kind])
            put_place(by_kind[interval->kind], interval->number, i);
    }
}

static void places_clear(Places *p)
{
    GArray *arrays[] = {p->startups, p->transmits, p->waits, p->shuffles, p->barriers};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
}

static const TraceInterval *place_interval(const Places *p, const GArray *places, guint number)
{
    guint i = place_of(places, number);
    return i == TRACE_NONE ? NULL : trace_nth(p->trace, i);
}

/* What the processor did that let it go on, told from the side of what came of it. */
static LinkReason reason_of(const Places *p, TraceCause cause, guint32 processor, guint32 message)
{
    if (cause.number == TRACE_NONE)
        return LINK_START;
    if (cause.kind != TRACE_TRANSMIT)
        return cause.kind == TRACE_SHUFFLE ? LINK_SHUFFLED : LINK_BARRIER;
    const TraceInterval *before = place_interval(p, p->transmits, cause.number);
    if (before->message == message)
        return before->processor == processor ? LINK_PACKET : LINK_FORWARDED;
    return before->processor == processor ? LINK_SENT : LINK_AWAITED;
}

/* Of a packet that ended; returns what came before. */
static TraceCause packet_link(const Places *p, guint number, PathLink *link)
{
    const TraceInterval *transmit = place_interval(p, p->transmits, number);
    const TraceInterval *startup = place_interval(p, p->startups, number);
    const TraceInterval *wait = place_interval(p, p->waits, number);
    const TraceMessage *message = trace_message(p->trace, transmit->message);
    *link = (PathLink){.kind = TRACE_TRANSMIT, .processor = transmit->processor, .message = transmit->message,
                       .step = message->step, .end_ps = transmit->end_ps,
                       .transmit_ps = transmit->end_ps - transmit->start_ps};
    if (wait) {
        gboolean before = wait->end_ps <= startup->start_ps;    /* for its ends, or to be forwarded */
        link->start_ps = wait->end_ps;
        link->startup_ps = before ? startup->end_ps - startup->start_ps : 0;
        link->circuit_ps = transmit->start_ps - wait->end_ps - link->startup_ps;
        link->reason = LINK_RELEASE;
        link->from = wait->from;
        link->to = wait->to;
        link->waited_ps = wait->end_ps - wait->start_ps;
        return wait->after;
    }
    TraceCause cause = startup->after.number != TRACE_NONE ? startup->after : message->after;
    link->start_ps = startup->start_ps;
    link->startup_ps = startup->end_ps - startup->start_ps;
    link->circuit_ps = transmit->start_ps - startup->end_ps;
    link->reason = reason_of(p, cause, transmit->processor, transmit->message);
    return cause;
}

static TraceCause local_link(const Places *p, const GArray *places, guint number, PathLink *link)
{
    const TraceInterval *interval = place_interval(p, places, number);
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

GArray *explain_path(const Trace *trace, gint64 time_ps)
{
    Places p;
    places_init(&p, trace);
    GArray *backwards = g_array_new(FALSE, FALSE, sizeof(PathLink));
    for (TraceCause at = last_end(trace, time_ps); at.number != TRACE_NONE;) {
        PathLink link;
        if (at.kind == TRACE_TRANSMIT)
            at = packet_link(&p, at.number, &link);
        else
            at = local_link(&p, at.kind == TRACE_SHUFFLE ? p.shuffles : p.barriers, at.number, &link);
        g_array_append_val(backwards, link);
    }
    places_clear(&p);
    GArray *path = g_array_sized_new(FALSE, FALSE, sizeof(PathLink), backwards->len);
    for (guint i = backwards->len; i-- > 0;)
        g_array_append_val(path, g_array_index(backwards, PathLink, i));
    g_array_unref(backwards);
    return path;
}

/* --- channels and ports --- */

/* All have one number space: d channels, the receive port (with duplex half the only port) and the send port for each
 * processor. */
static guint resource_number(guint dimension, guint32 from, guint32 to)
{
    guint n = dimension + 2;
    switch (trace_place(from, to)) {
    case TRACE_PLACE_CHANNEL:
        return from * n + cube_first_dimension(from, to);
    case TRACE_PLACE_RECEIVE_PORT:
    case TRACE_PLACE_PORT:
        return to * n + dimension;
    case TRACE_PLACE_SEND_PORT:
        return from * n + dimension + 1;
    case TRACE_PLACE_OTHER_WAY:
        break;
    }
    g_assert_not_reached();
}

static guint n_resources(guint dimension)
{
    return cube_n_nodes(dimension) * (dimension + 2);
}

/* The use of one of them. */
typedef struct {
    guint32 from, to;
    gint64 start_ps, end_ps;
    const TraceInterval *interval;
} Hold;
#define HOLDS_MAX 3

/* What the holds in a trace are told from. */
typedef struct {
    const Trace *trace;
    const Machine *machine;
    guint dimension;
    GArray *startups;   /* [packet]: guint, index of an interval */
} View;

static View view_of(const Trace *trace, const Machine *machine, guint dimension)
{
    View view = {trace, machine, dimension, g_array_new(FALSE, FALSE, sizeof(guint))};
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind == TRACE_STARTUP)
            put_place(view.startups, trace_nth(trace, i)->number, i);
    return view;
}

/* The ports that a packet, whose transmission this is, held. */
static guint port_holds(const View *view, const TraceInterval *transmit, Hold holds[HOLDS_MAX])
{
    const TraceMessage *message = trace_message(view->trace, transmit->message);
    const TraceInterval *startup = trace_nth(view->trace, place_of(view->startups, transmit->number));
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

/* --- waits --- */

/* The holds of every resource in the order of time, one resource after the other. */
typedef struct {
    guint *first;       /* [n_resources + 1]: index in `holds` */
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
    return holders;
}

/* The first hold of resource r that ends after `date`; holds of one resource do not overlap. */
static guint first_hold_after(const Holders *holders, guint r, gint64 date)
{
    guint low = holders->first[r], high = holders->first[r + 1];
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (holders->holds[middle].end_ps > date)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

typedef struct {
    GHashTable *index;      /* pair -> its place in blockings, plus 1 */
    GArray *blockings;      /* Blocking */
} BlockingTable;

static void add_blocking(BlockingTable *table, guint32 waiting, guint32 holding, const TraceInterval *wait, gint64 ps)
{
    gpointer key = pair_key(waiting, holding);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(table->index, key));
    if (place == 0) {
        Blocking fresh = {.waiting = waiting, .holding = holding};
        g_array_append_val(table->blockings, fresh);
        place = table->blockings->len;
        g_hash_table_insert(table->index, key, GUINT_TO_POINTER(place));
    }
    Blocking *blocking = &g_array_index(table->blockings, Blocking, place - 1);
    blocking->waits++;
    blocking->waited_ps += ps;
    if (ps > blocking->most_ps) {
        blocking->most_ps = ps;
        blocking->from = wait->from;
        blocking->to = wait->to;
    }
}

static int longest_first(gconstpointer first, gconstpointer second)
{
    const Blocking *a = first, *b = second;
    if (a->waited_ps != b->waited_ps)
        return a->waited_ps > b->waited_ps ? -1 : 1;
    if (a->waiting != b->waiting)
        return a->waiting < b->waiting ? -1 : 1;
    return (a->holding > b->holding) - (a->holding < b->holding);
}

/* Divides one wait among those who held in turn what it was for. */
static void divide_wait(const View *view, const Holders *holders, const TraceInterval *wait, gboolean by_processor,
                        BlockingTable *table)
{
    guint32 waiting = by_processor ? wait->processor : wait->message;
    if (trace_place(wait->from, wait->to) == TRACE_PLACE_OTHER_WAY) {   /* one transmission: the network tells which */
        guint32 holder = by_processor ? trace_message(view->trace, wait->blocker)->source : wait->blocker;
        add_blocking(table, waiting, holder, wait, wait->end_ps - wait->start_ps);
        return;
    }
    guint r = resource_number(view->dimension, wait->from, wait->to);
    /* While somebody waits it is never free: what comes before a hold belongs to it, too. */
    gint64 start = wait->start_ps;
    guint u = first_hold_after(holders, r, start);
    for (; u < holders->first[r + 1] && start < wait->end_ps; u++) {
        const Hold *hold = &holders->holds[u];
        gint64 end = MIN(wait->end_ps, hold->end_ps);
        add_blocking(table, waiting, by_processor ? hold->interval->processor : hold->interval->message, wait,
                     end - start);
        start = end;
    }
}

GArray *explain_blocking(const Trace *trace, const Machine *machine, guint dimension, gboolean by_processor)
{
    View view = view_of(trace, machine, dimension);
    Holders holders = holders_of(&view);
    BlockingTable table = {g_hash_table_new(pair_hash, g_direct_equal), g_array_new(FALSE, FALSE, sizeof(Blocking))};
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind == TRACE_WAIT)
            divide_wait(&view, &holders, trace_nth(trace, i), by_processor, &table);
    g_hash_table_destroy(table.index);
    g_free(holders.first);
    g_free(holders.holds);
    g_array_unref(view.startups);
    g_array_sort(table.blockings, longest_first);
    return table.blockings;
}

/* --- use --- */

static int busiest_first(gconstpointer first, gconstpointer second)
{
    const Use *a = first, *b = second;
    if (a->waited_ps != b->waited_ps)
        return a->waited_ps > b->waited_ps ? -1 : 1;
    if (a->held_ps != b->held_ps)
        return a->held_ps > b->held_ps ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static Use *use_of(Use *all, guint dimension, guint32 from, guint32 to)
{
    Use *use = &all[resource_number(dimension, from, to)];
    use->from = from;
    use->to = to;
    return use;
}

GArray *explain_use(const Trace *trace, const Machine *machine, guint dimension)
{
    g_autofree Use *all = g_new0(Use, n_resources(dimension));
    View view = view_of(trace, machine, dimension);
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
    g_array_unref(view.startups);
    GArray *used = g_array_new(FALSE, FALSE, sizeof(Use));
    for (guint r = 0; r < n_resources(dimension); r++)
        if (all[r].uses)
            g_array_append_val(used, all[r]);
    g_array_sort(used, busiest_first);
    return used;
}

/* --- for people --- */

#define SHOWN 10        /* rows of a list */
#define LINKS_ENDS 20   /* links shown at either end of a long path */

static void add_place(Table *table, guint from, guint to)
{
    g_autofree char *place = trace_place_text(from, to);
    table_add(table, place);
}

static void put_more(GString *out, guint n, guint shown, const char *what)
{
    if (n > shown)
        g_string_append_printf(out, "and %u more %s\n", n - shown, what);
}

/* Frees the table, too. Without rows it says nothing. */
static void put_rows(GString *out, Table *table)
{
    g_autofree char *text = table_text(table, FORMAT_TABLE);
    if (!table_is_empty(table))
        g_string_append(out, text);
    table_free(table);
}

static void put_message_pairs(GString *out, const Trace *trace, const Machine *machine, guint dimension)
{
    static const Column columns[] = {
        {"message", "message", FALSE, FALSE},
        {"of", "from to", TRUE, FALSE},
        {"step", "step", FALSE, FALSE},
        {"behind", "behind", FALSE, FALSE},
        {"behind_of", "from to", TRUE, FALSE},
        {"at", "most at", TRUE, FALSE},
        {"waiting", "waiting", FALSE, FALSE},
    };
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) pairs = explain_blocking(trace, machine, dimension, FALSE);
    for (guint i = 0; i < MIN(pairs->len, SHOWN); i++) {
        const Blocking *pair = &g_array_index(pairs, Blocking, i);
        const TraceMessage *waiting = trace_message(trace, pair->waiting);
        const TraceMessage *holding = trace_message(trace, pair->holding);
        table_addf(table, "%u", pair->waiting);
        table_addf(table, "%u to %u", waiting->source, waiting->destination);
        table_addf(table, "%u", waiting->step);
        table_addf(table, "%u", pair->holding);
        table_addf(table, "%u to %u", holding->source, holding->destination);
        add_place(table, pair->from, pair->to);
        table_add_time(table, pair->waited_ps);
    }
    g_string_append(out, "\nMessages that waited longest, and behind which:\n");
    put_rows(out, table);
    put_more(out, pairs->len, SHOWN, "pairs of messages");
}

static void put_processor_pairs(GString *out, const Trace *trace, const Machine *machine, guint dimension)
{
    static const Column columns[] = {{"processor", "processor", FALSE, FALSE}, {"behind", "behind", FALSE, FALSE},
                                     {"waits", "times", FALSE, FALSE},         {"at", "longest at", TRUE, FALSE},
                                     {"waiting", "waiting", FALSE, FALSE}};
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) pairs = explain_blocking(trace, machine, dimension, TRUE);
    for (guint i = 0; i < MIN(pairs->len, SHOWN); i++) {
        const Blocking *pair = &g_array_index(pairs, Blocking, i);
        table_addf(table, "%u", pair->waiting);
        table_addf(table, "%u", pair->holding);
        table_addf(table, "%u", pair->waits);
        add_place(table, pair->from, pair->to);
        table_add_time(table, pair->waited_ps);
    }
    g_string_append(out, "\nProcessors whose messages waited, and behind whose:\n");
    put_rows(out, table);
    put_more(out, pairs->len, SHOWN, "pairs of processors");
}

static void put_waits(GString *out, const Trace *trace, const Machine *machine, guint dimension)
{
    gboolean circuits = machine->switching == SWITCHING_CIRCUIT && machine->duplex != DUPLEX_HALF;
    const char *port = circuits ? "receive port" : "port";
    gint64 waited_ps = 0;
    guint n_waits = 0;
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind == TRACE_WAIT) {
            waited_ps += trace_nth(trace, i)->end_ps - trace_nth(trace, i)->start_ps;
            n_waits++;
        }
    g_autofree char *waited = table_time_shown(waited_ps);
    if (n_waits == 0) {
        g_string_append_printf(out, "\nNo message waited for a channel or a %s.\n", port);
        return;
    }
    g_string_append_printf(out, "\nMessages waited %u times for a channel or a %s, %s µs in all.\n", n_waits, port,
                           waited);
    put_processor_pairs(out, trace, machine, dimension);
    put_message_pairs(out, trace, machine, dimension);
}

static void put_use(GString *out, const Trace *trace, const Machine *machine, guint dimension, gint64 time_ps)
{
    static const Column columns[] = {{"what", "what", TRUE, FALSE},       {"uses", "uses", FALSE, FALSE},
                                     {"held", "held", FALSE, FALSE},      {"share", "of the run", FALSE, FALSE},
                                     {"waits", "waits", FALSE, FALSE},    {"waiting", "waiting for it", FALSE, FALSE}};
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    g_autoptr(GArray) used = explain_use(trace, machine, dimension);
    for (guint i = 0; i < MIN(used->len, SHOWN); i++) {
        const Use *use = &g_array_index(used, Use, i);
        add_place(table, use->from, use->to);
        table_addf(table, "%u", use->uses);
        table_add_time(table, use->held_ps);
        table_addf(table, "%.1f %%", time_ps ? 100.0 * (double)use->held_ps / (double)time_ps : 0.0);
        table_addf(table, "%u", use->waits);
        table_add_time(table, use->waited_ps);
    }
    g_string_append(out, used->len ? "\nChannels and ports, those waited for most and then the busiest first:\n"
                                   : "\nNo channel was used.\n");
    put_rows(out, table);
    put_more(out, used->len, SHOWN, "were used");
}

static char *link_what(const Trace *trace, const PathLink *link)
{
    if (link->kind == TRACE_SHUFFLE)
        return g_strdup_printf("shuffle of processor %u", link->processor);
    if (link->kind == TRACE_BARRIER)
        return g_strdup_printf("barrier, processor %u the last", link->processor);
    const TraceMessage *message = trace_message(trace, link->message);
    g_autofree char *by = link->processor == message->source ? g_strdup("")
                                                             : g_strdup_printf(", from %u", link->processor);
    return g_strdup_printf("%s %u, %u to %u%s", message->handshake ? "handshake" : "message", link->message,
                           message->source, message->destination, by);
}

static char *link_why(const PathLink *link)
{
    static const char *const whys[] = {
        [LINK_START] = "the run begins",    [LINK_RELEASE] = NULL,
        [LINK_AWAITED] = "the message before was awaited", [LINK_SENT] = "its own before had left",
        [LINK_PACKET] = "the packet before had left", [LINK_FORWARDED] = "the packet had come so far",
        [LINK_SHUFFLED] = "its shuffle was over",
        [LINK_BARRIER] = "the barrier was over",
    };
    if (link->reason == LINK_START && link->start_ps > 0)
        return g_strdup_printf("processor %u starts", link->processor);
    if (link->reason != LINK_RELEASE)
        return g_strdup(whys[link->reason]);
    g_autofree char *waited = table_time_shown(link->waited_ps), *place = trace_place_text(link->from, link->to);
    static const char *const articles[] = {[TRACE_PLACE_CHANNEL] = "", [TRACE_PLACE_RECEIVE_PORT] = "the ",
                                           [TRACE_PLACE_SEND_PORT] = "the ", [TRACE_PLACE_PORT] = "the ",
                                           [TRACE_PLACE_OTHER_WAY] = "a "};
    return g_strdup_printf("waited %s for %s%s", waited, articles[trace_place(link->from, link->to)], place);
}

static void add_link(Table *table, const Trace *trace, const PathLink *link)
{
    gboolean packet = link->kind == TRACE_TRANSMIT;
    const gint64 parts[] = {link->startup_ps, link->circuit_ps, packet ? link->transmit_ps : 0,
                            packet ? 0 : link->end_ps - link->start_ps};
    g_autofree char *what = link_what(trace, link), *why = link_why(link);
    table_add_time(table, link->start_ps);
    table_addf(table, "%u", link->step);
    table_add(table, what);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i])
            table_add_time(table, parts[i]);
        else
            table_add(table, NULL);
    table_add(table, why);
}

static void put_path_sums(GString *out, const GArray *path, gint64 time_ps)
{
    static const char *const names[] = {"start-ups", "circuits", "transmissions", "shuffles", "barriers"};
    gint64 sums[G_N_ELEMENTS(names)] = {0};
    for (guint i = 0; i < path->len; i++) {
        const PathLink *link = &g_array_index(path, PathLink, i);
        sums[0] += link->startup_ps;
        sums[1] += link->circuit_ps;
        sums[2] += link->transmit_ps;
        if (link->kind != TRACE_TRANSMIT)
            sums[link->kind == TRACE_SHUFFLE ? 3 : 4] += link->end_ps - link->start_ps;
    }
    g_autofree char *total = table_time_shown(time_ps);
    g_string_append_printf(out, "\nCritical path: %u links, %s µs =", path->len, total);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *sum = table_time_shown(sums[i]);
        g_string_append_printf(out, "%s %s %s", i ? " +" : "", names[i], sum);
    }
    gint64 late_ps = path->len ? g_array_index(path, PathLink, 0).start_ps : time_ps;
    if (late_ps > 0) {
        g_autofree char *late = table_time_shown(late_ps);
        g_string_append_printf(out, " + late start %s", late);
    }
    if (path->len == 0 && time_ps > 0)
        g_string_append(out, "\nAll else was over when the last processor started.");
    g_string_append(out, "\n");
}

static void put_path(GString *out, const Trace *trace, gint64 time_ps)
{
    static const Column columns[] = {
        {"start", "start", FALSE, FALSE},
        {"step", "step", FALSE, FALSE},
        {"what", "what", TRUE, FALSE},
        {"startup", "start-up", FALSE, FALSE},
        {"circuit", "circuit", FALSE, FALSE},
        {"transmit", "transmission", FALSE, FALSE},
        {"local", "shuffle or barrier", FALSE, FALSE},
        {"why", "begins because", TRUE, FALSE},
    };
    g_autoptr(GArray) path = explain_path(trace, time_ps);
    gboolean cut = path->len > 2 * LINKS_ENDS + 1;
    Table *table = table_new(columns, G_N_ELEMENTS(columns));
    put_path_sums(out, path, time_ps);
    for (guint i = 0; i < path->len; i++) {
        if (cut && i == LINKS_ENDS) {
            i = path->len - LINKS_ENDS - 1;
            table_add(table, "...");
            table_add(table, "...");
            table_addf(table, "... %u links ...", path->len - 2 * LINKS_ENDS);
            for (guint c = 3; c < G_N_ELEMENTS(columns); c++)
                table_add(table, "...");
        } else {
            add_link(table, trace, &g_array_index(path, PathLink, i));
        }
    }
    put_rows(out, table);
}

char *explain_text(const Trace *trace, const Machine *machine, guint dimension, gint64 time_ps)
{
    GString *out = g_string_new(NULL);
    put_waits(out, trace, machine, dimension);
    put_use(out, trace, machine, dimension, time_ps);
    put_path(out, trace, time_ps);
    return g_string_free(out, FALSE);
}
