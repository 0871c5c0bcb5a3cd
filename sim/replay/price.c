#include "price.h"
#include "departure.h"
#include "sim/cube/cube.h"

typedef struct {
    Replay *replay;
    const Schedule *schedule;
    const Machine *machine;
    gint64 *clock;          /* [node][strand]: when the present sends were issued */
    gint64 *latest;         /* [node][strand]: when everything waited for so far has happened */
    gint64 *port_free;      /* [node] or [node][dimension] */
    Departure *departures;  /* the same, on a machine that overlaps start-ups; else NULL */
    guint64 messages, events;
} Pricer;

static guint n_nodes(const Pricer *p)
{
    return cube_n_nodes(p->schedule->dimension);
}

/* Place of a strand in clock and latest. */
static gsize place(const Pricer *p, guint node, guint strand)
{
    return (gsize)node * p->schedule->n_strands + strand;
}

static gsize port_of(const Pricer *p, const Parcel *parcel)
{
    if (p->machine->ports == PORTS_ONE)
        return parcel->source;
    guint dim = cube_first_dimension(parcel->source, parcel->destination);
    return cube_channel(p->schedule->dimension, parcel->source, dim);
}

static void count(Pricer *p, gint64 bytes, guint hops)
{
    gboolean forwarded = p->machine->switching == SWITCHING_STORE_AND_FORWARD;
    guint64 of_packet = forwarded ? 3 * hops : 2 + hops;
    p->messages++;
    if (__builtin_add_overflow(p->events, of_packet * (guint64)cost_n_packets(p->machine, bytes), &p->events))
        p->events = G_MAXUINT64;
}

static void send(gpointer user, Parcel *parcel)
{
    Pricer *p = user;
    gsize source = place(p, parcel->source, parcel->strand);
    gint64 *port = &p->port_free[port_of(p, parcel)];
    gint64 start = MAX(p->clock[source], *port);
    guint hops = cube_distance(parcel->source, parcel->destination);
    MessageCost cost = cost_message(p->machine, parcel->bytes, hops);
    parcel->arrival_ps = time_add(start, cost.delivered_ps);
    *port = time_add(start, cost.sent_ps);
    p->latest[source] = MAX(p->latest[source], *port);
    count(p, parcel->bytes, hops);
    replay_sent(p->replay, parcel);
    replay_delivered(p->replay, parcel);
}

static void send_overlapped(gpointer user, Parcel *parcel)
{
    Pricer *p = user;
    gsize source = place(p, parcel->source, parcel->strand);
    Departure *port = &p->departures[port_of(p, parcel)];
    guint hops = cube_distance(parcel->source, parcel->destination);
    parcel->arrival_ps = departure_send(port, p->machine, p->clock[source], parcel->bytes, hops);
    p->latest[source] = MAX(p->latest[source], parcel->arrival_ps);
    count(p, parcel->bytes, hops);
    replay_sent(p->replay, parcel);
    replay_delivered(p->replay, parcel);
}

static void receive(gpointer user, guint node, const Parcel *parcel)
{
    Pricer *p = user;
    gsize at = place(p, node, parcel->strand);
    p->latest[at] = MAX(p->latest[at], parcel->arrival_ps);
    if (parcel->handshake)
        p->clock[at] = p->latest[at];
}

static void join(gpointer user, guint node, guint strand, guint32 strands)
{
    Pricer *p = user;
    gint64 last = p->clock[place(p, node, strand)];
    for (guint i = 0; i < p->schedule->n_strands; i++)
        if (strands >> i & 1)
            last = MAX(last, p->clock[place(p, node, i)]);
    for (guint i = 0; i < p->schedule->n_strands; i++)
        if (strands >> i & 1)
            p->clock[place(p, node, i)] = p->latest[place(p, node, i)] = last;
}

static void barrier(gpointer user)
{
    Pricer *p = user;
    gint64 last = 0;
    gsize n = (gsize)n_nodes(p) * p->schedule->n_strands;
    for (gsize i = 0; i < n; i++)
        last = MAX(last, p->clock[i]);
    last = time_add(last, machine_barrier_ps(p->machine, p->schedule->dimension));
    for (gsize i = 0; i < n; i++)
        p->clock[i] = p->latest[i] = last;
    replay_barrier_over(p->replay);
}

static void done(gpointer user, guint node, guint strand, Toil toil)
{
    Pricer *p = user;
    gsize at = place(p, node, strand);
    p->clock[at] = p->latest[at] = time_add(p->latest[at], cost_toil(p->machine, toil));
}

Price price(const Schedule *schedule, const Machine *machine, ReplayData data)
{
    const ReplayHooks hooks = {.send = machine->overlaps ? send_overlapped : send, .receive = receive,
                               .barrier = barrier, .join = join, .done = done};
    Pricer p = {.schedule = schedule, .machine = machine};
    guint n = n_nodes(&p);
    gsize n_strands = (gsize)n * schedule->n_strands;
    p.clock = g_new0(gint64, n_strands);
    p.latest = g_new0(gint64, n_strands);
    p.port_free = g_new0(gint64, n * MAX(1, schedule->dimension));
    p.departures = machine->overlaps ? g_new0(Departure, n * MAX(1, schedule->dimension)) : NULL;
    for (gsize i = 0; i < n_strands; i++)
        p.clock[i] = p.latest[i] =
            machine_start_ps(machine, schedule->dimension, (guint)(i / schedule->n_strands));
    p.replay = replay_new(schedule, data, machine->pairwise_sync, machine->phase_barrier, &hooks, &p);
    replay_walk(p.replay);
    Price result = {.messages = p.messages, .events = p.events, .stuck = replay_stuck(p.replay),
                    .operations = replay_operations(p.replay), .peak_bytes = replay_peak_bytes(p.replay)};
    if (!result.stuck)
        replay_check(p.replay);
    result.fault = g_strdup(replay_fault(p.replay));
    for (gsize i = 0; i < n_strands; i++)
        result.time_ps = MAX(result.time_ps, p.clock[i]);
    replay_free(p.replay);
    g_free(p.clock);
    g_free(p.latest);
    g_free(p.port_free);
    g_free(p.departures);
    return result;
}

void price_clear(Price *price)
{
    g_clear_pointer(&price->fault, g_free);
    g_clear_pointer(&price->stuck, g_free);
}
