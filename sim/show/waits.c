#include "waits.h"

/* --- which packet held which channel or port --- */

/* Number of kinds of ports, TRACE_PLACE_RECEIVE_PORT to TRACE_PLACE_PORT. A processor's numbers are for its channels,
 * sorted by topology_way(), then for one port of each kind. Processor i also has the numbers of node i's ports. */
#define N_PORTS TRACE_PLACE_PORT

static guint resource_number(const Topology *topology, guint32 from, guint32 to)
{
    guint n = topology->n_ways + N_PORTS;
    TracePlace place = trace_place(from, to);
    g_assert(place != TRACE_PLACE_OTHER_WAY);
    if (place == TRACE_PLACE_CHANNEL)
        return from * n + topology_way(topology, from, to);
    return trace_place_owner(from, to) * n + topology->n_ways + place - TRACE_PLACE_RECEIVE_PORT;
}

static guint n_resources(const Topology *topology)
{
    return topology->n_nodes * (topology->n_ways + N_PORTS);
}

static void add_hold(GArray *holds, guint32 from, guint32 to, const TraceInterval *begins, const TraceInterval *ends)
{
    Hold hold = {from, to, begins->start_ps, ends->end_ps, ends};
    g_array_append_val(holds, hold);
}

/* Adds the holds of a packet's ports; they end with `transmit`. The receive port's hold begins with `connected`: the
 * reconfiguration, or `transmit` if there is none. Other holds, and with half duplex all, begin with `startup`. */
static void add_port_holds(GArray *holds, const Trace *trace, const Machine *machine, const TraceInterval *startup,
                           const TraceInterval *connected, const TraceInterval *transmit)
{
    const TraceMessage *message = trace_message(trace, transmit->message);
    gboolean hop = transmit->to != TRACE_NONE, half = machine->duplex == DUPLEX_HALF;
    guint32 from = hop ? transmit->from : message->source, to = hop ? transmit->to : message->destination;
    if (half)
        add_hold(holds, TRACE_NONE, from, startup, transmit);
    add_hold(holds, half ? TRACE_NONE : to, to, half ? startup : connected, transmit);
    if (hop)
        add_hold(holds, from, TRACE_NONE, startup, transmit);
}

GArray *waits_holds(const Trace *trace, const Machine *machine)
{
    g_autoptr(GPtrArray) startups = trace_index(trace, TRACE_STARTUP);
    g_autoptr(GPtrArray) reconfigured = trace_index(trace, TRACE_RECONFIGURE);
    GArray *holds = g_array_new(FALSE, FALSE, sizeof(Hold));
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        if (interval->kind == TRACE_CHANNEL)
            add_hold(holds, interval->from, interval->to, interval, interval);
        else if (interval->kind == TRACE_TRANSMIT && machine->ports != PORTS_ALL)
            add_port_holds(holds, trace, machine, trace_find(startups, interval->number),
                           trace_find(reconfigured, interval->number) ?: interval, interval);
    }
    return holds;
}

/* --- which message waited for which --- */

static int by_pair(gconstpointer first, gconstpointer second)
{
    const Blocking *a = first, *b = second;
    return trace_order(a->waiting, b->waiting) ?: trace_order(a->holding, b->holding);
}

static int waits_longest_first(gconstpointer first, gconstpointer second)
{
    const Blocking *a = first, *b = second;
    return trace_order(b->waited_ps, a->waited_ps) ?: by_pair(a, b);
}

/* Merges the blockings of each pair (waiting, holding) into one. It has the sum of their times and the place of the
 * longest; of equal ones, the first in the trace. */
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

/* Calls the function for each piece of the wait: there is one for each packet that held the place. `*holders` are the
 * place's holds (Hold), sorted by time. Removes holds that ended before this wait began, as no later wait in the trace
 * begins earlier. */
static void divide_wait(GSList **holders, const TraceInterval *wait, WaitPieceFunction *function, gpointer user)
{
    /* The next piece begins where this one ends, even if its packet held the place only later. Only with duplex half
     * may a port be free in between; held_ps is then the later date. */
    gboolean late = trace_place(wait->from, wait->to) == TRACE_PLACE_PORT;
    gint64 start = wait->start_ps;
    while (*holders && ((const Hold *)(*holders)->data)->end_ps <= start)
        *holders = g_slist_delete_link(*holders, *holders);
    for (const GSList *holder = *holders; holder && start < wait->end_ps; holder = holder->next) {
        const Hold *hold = holder->data;
        if (hold->start_ps >= wait->end_ps)
            break;
        WaitPiece piece = {wait, hold->interval, start, MIN(wait->end_ps, hold->end_ps),
                           late ? MAX(start, hold->start_ps) : start};
        function(&piece, user);
        start = piece.end_ps;
    }
    /* For the rest of the wait wait->blocker, a message without bytes, kept the place and waited for the transmission
     * the other way. Its own transmission, and so its Hold, has no length. */
    if (start < wait->end_ps)
        function(&(WaitPiece){wait, NULL, start, wait->end_ps, start}, user);
}

/* Whether the wait counts as one piece, behind wait->blocker: no Hold has its place (TRACE_PLACE_OTHER_WAY), or
 * several packets may hold the place at a time. Such places are ports of nodes and, with rails, receive ports. */
static gboolean is_for_one(const Machine *machine, const TraceInterval *wait)
{
    TracePlace place = trace_place(wait->from, wait->to);
    return place == TRACE_PLACE_OTHER_WAY || place == TRACE_PLACE_NODE_EXIT || place == TRACE_PLACE_NODE_ENTRY ||
           (place == TRACE_PLACE_RECEIVE_PORT && machine_rails(machine->ports) > 1);
}

void waits_each_piece(const Trace *trace, const Machine *machine, guint n_nodes, WaitPieceFunction *function,
                      gpointer user)
{
    const Topology topology = machine_topology(machine, n_nodes);
    g_autoptr(GArray) holds = waits_holds(trace, machine);
    g_autofree GSList **holders = g_new0(GSList *, n_resources(&topology));
    for (guint i = holds->len; i-- > 0;) {
        Hold *hold = &g_array_index(holds, Hold, i);
        GSList **list = &holders[resource_number(&topology, hold->from, hold->to)];
        *list = g_slist_prepend(*list, hold);
    }
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *wait = trace_nth(trace, i);
        if (wait->kind != TRACE_WAIT)
            continue;
        if (is_for_one(machine, wait))
            function(&(WaitPiece){wait, NULL, wait->start_ps, wait->end_ps, wait->start_ps}, user);
        else
            divide_wait(&holders[resource_number(&topology, wait->from, wait->to)], wait, function, user);
    }
    for (guint r = 0; r < n_resources(&topology); r++)
        g_slist_free(holders[r]);
}

typedef struct {
    const Trace *trace;
    gboolean by_processor;
    GArray *found;
} Blockings;

static void add_blocking(const WaitPiece *piece, gpointer user)
{
    Blockings *b = user;
    const TraceInterval *wait = piece->wait, *holder = piece->holder;
    guint32 message = holder ? holder->message : wait->blocker;
    guint32 processor = holder ? holder->processor : trace_message(b->trace, wait->blocker)->source;
    gint64 ps = piece->end_ps - piece->start_ps;
    Blocking blocking = {b->by_processor ? wait->processor : wait->message, b->by_processor ? processor : message,
                         wait->from, wait->to, 1, ps, ps};
    g_array_append_val(b->found, blocking);
}

GArray *waits_blocking(const Trace *trace, const Machine *machine, guint n_nodes, gboolean by_processor)
{
    Blockings b = {trace, by_processor, g_array_new(FALSE, FALSE, sizeof(Blocking))};
    waits_each_piece(trace, machine, n_nodes, add_blocking, &b);
    merge_pairs(b.found);
    g_array_sort(b.found, waits_longest_first);
    return b.found;
}

/* --- dead time --- */

/* The waits of each packet in a trace, as linked lists. */
typedef struct {
    const Trace *trace;
    guint n_packets;
    guint *first, *next;    /* first[packet]: index of the packet's first wait in the trace; next[interval]: index of
                             * the next wait of the same packet; NO_WAIT: none */
} PacketWaits;
#define NO_WAIT G_MAXUINT

static PacketWaits packet_waits(const Trace *trace)
{
    PacketWaits waits = {trace, 0, NULL, g_new(guint, trace->intervals->len + 1)};
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->message != TRACE_NONE)
            waits.n_packets = MAX(waits.n_packets, trace_nth(trace, i)->number + 1);
    waits.first = g_new(guint, waits.n_packets + 1);
    for (guint packet = 0; packet < waits.n_packets; packet++)
        waits.first[packet] = NO_WAIT;
    for (guint i = trace->intervals->len; i-- > 0;)
        if (trace_nth(trace, i)->kind == TRACE_WAIT) {
            guint *first = &waits.first[trace_nth(trace, i)->number];
            waits.next[i] = *first;
            *first = i;
        }
    return waits;
}

static void packet_waits_clear(PacketWaits *waits)
{
    g_free(waits->first);
    g_free(waits->next);
}

/* Returns the time for which packet `number` waited between two dates. */
static gint64 waited_within(const PacketWaits *waits, guint32 number, gint64 start_ps, gint64 end_ps)
{
    gint64 ps = 0;
    for (guint i = waits->first[number]; i != NO_WAIT; i = waits->next[i]) {
        const TraceInterval *wait = trace_nth(waits->trace, i);
        ps += MAX(0, MIN(end_ps, wait->end_ps) - MAX(start_ps, wait->start_ps));
    }
    return ps;
}

ChannelTime waits_channel_time(const Trace *trace)
{
    ChannelTime sum = {0, 0, 0};
    PacketWaits waits = packet_waits(trace);
    g_autoptr(GPtrArray) transmits = trace_index(trace, TRACE_TRANSMIT);
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *use = trace_nth(trace, i);
        if (use->kind != TRACE_CHANNEL || trace_place(use->from, use->to) != TRACE_PLACE_CHANNEL)
            continue;
        const TraceInterval *transmit = trace_find(transmits, use->number);
        sum.held_ps += use->end_ps - use->start_ps;
        sum.dead_ps += waited_within(&waits, use->number, use->start_ps, use->end_ps);
        sum.transmit_ps += transmit->end_ps - transmit->start_ps;
    }
    packet_waits_clear(&waits);
    return sum;
}

char *waits_dead_text(const Trace *trace)
{
    ChannelTime time = waits_channel_time(trace);
    double percent = time.held_ps ? 100.0 / (double)time.held_ps : 0;
    gint64 setup_ps = time.held_ps - time.dead_ps - time.transmit_ps;
    g_autofree char *setup = setup_ps ? g_strdup_printf(", and %.1f %% circuits are set up",
                                                        percent * (double)setup_ps) : g_strdup("");
    return time.dead_ps ? g_strdup_printf("Of the time that channels are held, %.1f %% they carry nothing, because the "
                                          "message that holds them waits itself; %.1f %% they transmit%s.",
                                          percent * (double)time.dead_ps, percent * (double)time.transmit_ps, setup)
                        : NULL;
}

/* --- use of channels and ports --- */

static int busiest_first(gconstpointer first, gconstpointer second)
{
    const Use *a = first, *b = second;
    return trace_order(b->waited_ps, a->waited_ps) ?: trace_order(b->held_ps, a->held_ps)
               ?: trace_order(a->from, b->from) ?: trace_order(a->to, b->to);
}

static Use *use_of(Use *all, const Topology *topology, guint32 from, guint32 to)
{
    Use *use = &all[resource_number(topology, from, to)];
    use->from = from;
    use->to = to;
    return use;
}

GArray *waits_use(const Trace *trace, const Machine *machine, guint n_nodes)
{
    const Topology topology = machine_topology(machine, n_nodes);
    g_autofree Use *all = g_new0(Use, n_resources(&topology));
    g_autoptr(GArray) holds = waits_holds(trace, machine);
    PacketWaits waits = packet_waits(trace);
    for (guint i = 0; i < holds->len; i++) {
        const Hold *hold = &g_array_index(holds, Hold, i);
        Use *use = use_of(all, &topology, hold->from, hold->to);
        use->uses++;
        use->held_ps += hold->end_ps - hold->start_ps;
        use->dead_ps += waited_within(&waits, hold->interval->number, hold->start_ps, hold->end_ps);
    }
    packet_waits_clear(&waits);
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *wait = trace_nth(trace, i);
        if (wait->kind != TRACE_WAIT || trace_place(wait->from, wait->to) == TRACE_PLACE_OTHER_WAY)
            continue;
        Use *use = use_of(all, &topology, wait->from, wait->to);
        use->waits++;
        use->waited_ps += wait->end_ps - wait->start_ps;
    }
    GArray *used = g_array_new(FALSE, FALSE, sizeof(Use));
    for (guint r = 0; r < n_resources(&topology); r++)
        if (all[r].uses)
            g_array_append_val(used, all[r]);
    g_array_sort(used, busiest_first);
    return used;
}
