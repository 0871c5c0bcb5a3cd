#include "price.h"
#include "cost.h"
#include "cube.h"
#include "replay.h"

typedef struct {
    Replay *replay;
    const Schedule *schedule;
    const Machine *machine;
    Division data;
    gint64 *clock;          /* [node]: when the present sends were issued */
    gint64 *latest;         /* [node]: when everything waited for so far has happened */
    gint64 *port_free;      /* [node] or [node][dimension] */
    guint64 messages;
} Pricer;

static guint n_nodes(const Pricer *p)
{
    return cube_n_nodes(p->schedule->dimension);
}

static gint64 *port_of(const Pricer *p, const Parcel *parcel)
{
    if (p->machine->ports == PORTS_ONE)
        return &p->port_free[parcel->source];
    guint dim = cube_first_dimension(parcel->source, parcel->destination);
    return &p->port_free[cube_channel(p->schedule->dimension, parcel->source, dim)];
}

static void send(gpointer user, Parcel *parcel)
{
    Pricer *p = user;
    guint source = parcel->source;
    gint64 *port = port_of(p, parcel);
    gint64 start = MAX(p->clock[source], *port);
    guint hops = cube_distance(source, parcel->destination);
    MessageCost cost = cost_message(p->machine, parcel->bytes, hops);
    parcel->arrival_ps = time_add(start, cost.delivered_ps);
    *port = time_add(start, cost.sent_ps);
    p->latest[source] = MAX(p->latest[source], *port);
    p->messages++;
    replay_sent(p->replay, parcel);
    replay_delivered(p->replay, parcel);
}

static void receive(gpointer user, guint node, const Parcel *parcel)
{
    Pricer *p = user;
    p->latest[node] = MAX(p->latest[node], parcel->arrival_ps);
    if (parcel->handshake)
        p->clock[node] = p->latest[node];
}

static void barrier(gpointer user)
{
    Pricer *p = user;
    gint64 last = 0;
    for (guint node = 0; node < n_nodes(p); node++)
        last = MAX(last, p->clock[node]);
    last = time_add(last, machine_barrier_ps(p->machine, p->schedule->dimension));
    for (guint node = 0; node < n_nodes(p); node++)
        p->clock[node] = p->latest[node] = last;
    replay_barrier_over(p->replay);
}

static void done(gpointer user, guint node, gint64 rearranged_bytes)
{
    Pricer *p = user;
    gint64 rearrangement = time_times(p->machine->rho_ps_per_byte, rearranged_bytes);
    p->clock[node] = p->latest[node] = time_add(p->latest[node], rearrangement);
}

Price price(const Schedule *schedule, const Machine *machine, Division data)
{
    static const ReplayHooks hooks = {.send = send, .receive = receive, .barrier = barrier, .done = done};
    Pricer p = {.schedule = schedule, .machine = machine, .data = data};
    guint n = n_nodes(&p);
    p.clock = g_new0(gint64, n);
    p.latest = g_new0(gint64, n);
    p.port_free = g_new0(gint64, n * MAX(1, schedule->dimension));
    for (guint node = 0; node < n; node++)
        p.clock[node] = p.latest[node] = machine_start_ps(machine, schedule->dimension, node);
    p.replay = replay_new(schedule, data, machine->pairwise_sync, machine->phase_barrier, &hooks, &p);
    replay_walk(p.replay);
    Price result = {.messages = p.messages, .stuck = replay_stuck(p.replay)};
    if (!result.stuck)
        replay_check(p.replay);
    result.fault = g_strdup(replay_fault(p.replay));
    for (guint node = 0; node < n; node++)
        result.time_ps = MAX(result.time_ps, p.clock[node]);
    replay_free(p.replay);
    g_free(p.clock);
    g_free(p.latest);
    g_free(p.port_free);
    return result;
}

void price_clear(Price *price)
{
    g_clear_pointer(&price->fault, g_free);
    g_clear_pointer(&price->stuck, g_free);
}
