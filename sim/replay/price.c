#include "price.h"

/* A send port. Only with overlapped start-ups (sim/engine/README.md, "Overlapped start-ups") it begins the next packet
 * while those before are on their way. */
typedef struct {
    gint64 free_ps;         /* the next start-up may begin */
    gint64 started_ps;      /* the start-ups begun so far are over */
    gint64 left_ps;         /* the packets begun so far have left; not over flows, which leave side by side */
} Port;

typedef struct {
    Replay *replay;
    const Schedule *schedule;
    const Machine *machine;
    gsize n_clocks;         /* strands of all processors */
    gint64 *clock;          /* [node][strand]: when the present sends were issued */
    gint64 *latest;         /* [node][strand]: when everything waited for so far has happened */
    Topology topology;
    guint n_ports;          /* of a processor */
    Port *ports;            /* [node][n_ports] */
    guint64 messages, events;
} Pricer;

/* Place of a strand in clock and latest. */
static gsize place(const Pricer *p, guint node, guint strand)
{
    return (gsize)node * p->schedule->n_strands + strand;
}

/* With n ports the port of the message's first channel, else the first that is free. */
static Port *port_of(const Pricer *p, guint source, guint destination)
{
    Port *ports = &p->ports[(gsize)source * p->n_ports], *first = ports;
    if (p->machine->ports == PORTS_ALL)
        return &ports[topology_way(&p->topology, source, destination)];
    for (Port *port = ports + 1; port < ports + p->n_ports; port++)
        if (port->free_ps < first->free_ps)
            first = port;
    return first;
}

static void count(Pricer *p, gint64 bytes, guint hops)
{
    gboolean forwarded = p->machine->switching == SWITCHING_STORE_AND_FORWARD;
    guint64 of_packet = forwarded ? 3 * hops : 2 + hops;
    p->messages++;
    if (__builtin_add_overflow(p->events, of_packet * (guint64)cost_n_packets(p->machine, bytes), &p->events))
        p->events = G_MAXUINT64;
}

/* `n` >= 1 packets of one size, the first not before `start_ps`; returns when they have been transmitted. Packet i may
 * set off at start + i gap + start-up, and no earlier than those before it; that is a straight line over i, so what
 * lasts longest is all of them behind the first, or the last by itself. */
static gint64 send_packets(Port *port, const Machine *machine, gint64 start_ps, gint64 bytes, guint hops, gint64 n)
{
    PacketCost cost = cost_packet(machine, bytes, hops == 0);
    gint64 gap = cost_gap(machine, &cost), later = time_times(gap, n - 1);
    gint64 start = MAX(start_ps, port->free_ps), last = time_add(start, later);
    gint64 circuit = time_add(time_add(time_times(cost.hop_ps, hops), cost.delta_ps), cost.transmit_ps);
    gint64 first_off = time_add(start, cost.startup_ps), last_off = time_add(last, cost.startup_ps);
    port->free_ps = time_add(last, gap);
    if (machine->switching == SWITCHING_FLUID)
        return time_add(last_off, circuit);
    first_off = MAX(first_off, port->started_ps);
    port->started_ps = MAX(last_off, port->started_ps);
    gint64 queued = time_add(MAX(first_off, port->left_ps), time_times(circuit, n));
    port->left_ps = MAX(queued, time_add(port->started_ps, circuit));
    return port->left_ps;
}

/* Sends a message that was issued at `issued_ps` through the port. Returns when it has been transmitted. */
static gint64 send_overlapped(Port *port, const Machine *machine, gint64 issued_ps, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(machine, bytes), n_full = cost_n_packets(machine, bytes) - 1;
    gint64 full = n_full ? send_packets(port, machine, issued_ps, size, hops, n_full) : 0;
    gint64 last = send_packets(port, machine, issued_ps, bytes - n_full * size, hops, 1);
    return MAX(full, last);
}

/* Returns when the message arrives; `at` is the place of the strand that sends it. */
static gint64 issue(Pricer *p, gsize at, guint source, guint destination, gint64 bytes)
{
    Port *port = port_of(p, source, destination);
    guint hops = cost_hops(p->machine, &p->topology, source, destination);
    count(p, bytes, hops);
    if (p->machine->overlaps) {
        gint64 arrival = send_overlapped(port, p->machine, p->clock[at], bytes, hops);
        p->latest[at] = MAX(p->latest[at], arrival);
        return arrival;
    }
    gint64 start = MAX(p->clock[at], port->free_ps);
    MessageCost cost = cost_message(p->machine, bytes, hops);
    port->free_ps = time_add(start, cost.sent_ps);
    p->latest[at] = MAX(p->latest[at], port->free_ps);
    return time_add(start, cost.delivered_ps);
}

static void send(gpointer user, Parcel *parcel)
{
    Pricer *p = user;
    gsize source = place(p, parcel->source, parcel->strand);
    parcel->arrival_ps = issue(p, source, parcel->source, parcel->destination, parcel->bytes);
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

static gint64 last_clock(const Pricer *p)
{
    gint64 last = 0;
    for (gsize i = 0; i < p->n_clocks; i++)
        last = MAX(last, p->clock[i]);
    return last;
}

static void barrier(gpointer user)
{
    Pricer *p = user;
    gint64 last = time_add(last_clock(p), machine_barrier_ps(p->machine, p->schedule->dimension));
    for (gsize i = 0; i < p->n_clocks; i++)
        p->clock[i] = p->latest[i] = last;
    replay_barrier_over(p->replay);
}

static void done(gpointer user, guint node, guint strand, Toil toil)
{
    Pricer *p = user;
    gsize at = place(p, node, strand);
    p->clock[at] = p->latest[at] = time_add(p->latest[at], cost_toil(p->machine, toil));
}

/* --- a price --- */

/* The first `n` processors have clocks. */
static void pricer_init(Pricer *p, const Schedule *schedule, const Machine *machine, guint n)
{
    *p = (Pricer){.schedule = schedule, .machine = machine, .n_clocks = (gsize)n * schedule->n_strands,
                  .topology = machine_topology(machine, schedule_n_nodes(schedule))};
    p->clock = g_new0(gint64, p->n_clocks);
    p->latest = g_new0(gint64, p->n_clocks);
    p->n_ports = machine->ports == PORTS_ALL ? p->topology.n_ways : machine_rails(machine->ports);
    p->ports = g_new0(Port, (gsize)n * MAX(1, p->n_ports));
    for (gsize i = 0; i < p->n_clocks; i++)
        p->clock[i] = p->latest[i] =
            machine_start_ps(machine, schedule_n_nodes(schedule), (guint)(i / schedule->n_strands));
}

static void pricer_clear(Pricer *p)
{
    g_free(p->clock);
    g_free(p->latest);
    g_free(p->ports);
}

Price price(const Schedule *schedule, const Machine *machine, ReplayData data)
{
    static const ReplayHooks hooks = {.send = send, .receive = receive, .barrier = barrier, .join = join, .done = done};
    Pricer p;
    pricer_init(&p, schedule, machine, schedule_n_nodes(schedule));
    p.replay = replay_new(schedule, data, machine->pairwise_sync, machine->phase_barrier, &hooks, &p);
    replay_walk(p.replay);
    Price result = {.time_ps = last_clock(&p), .messages = p.messages, .events = p.events,
                    .stuck = replay_stuck(p.replay), .operations = replay_operations(p.replay),
                    .peak_bytes = replay_peak_bytes(p.replay)};
    if (!result.stuck)
        replay_check(p.replay);
    result.fault = g_strdup(replay_fault(p.replay));
    replay_free(p.replay);
    pricer_clear(&p);
    return result;
}

void price_clear(Price *price)
{
    g_clear_pointer(&price->fault, g_free);
    g_clear_pointer(&price->stuck, g_free);
}

/* --- the price of one processor --- */

/* What processor 0 sends to another is what that sends to it. So its own arrivals, by peers, are those it awaits. */
static void step_alone(Pricer *p, const Step *step, GQueue *arrivals)
{
    const Content *content = p->schedule->content;
    if (step->phase && p->machine->phase_barrier)
        *p->clock = time_add(*p->clock, machine_barrier_ps(p->machine, p->schedule->dimension));
    if (step->exchange && p->machine->pairwise_sync)
        *p->clock = issue(p, 0, 0, step_nth_send(step, 0)->peer, 0);
    *p->latest = *p->clock;
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        gint64 arrival = issue(p, 0, 0, send->peer, step_n_blocks(step, send) * content->block_bytes);
        g_queue_push_tail(&arrivals[send->peer], GSIZE_TO_POINTER(arrival));
    }
    for (guint i = 0; i < step->awaits->len; i++) {
        gpointer arrival = g_queue_pop_head(&arrivals[step_nth_await(step, i)]);
        *p->latest = MAX(*p->latest, (gint64)GPOINTER_TO_SIZE(arrival));
    }
    *p->clock = time_add(*p->latest, cost_toil(p->machine, replay_toil(p->schedule, step)));
}

static gint64 price_alone(const Schedule *schedule, const Machine *machine)
{
    Pricer p;
    g_auto(Step) step = step_new();
    guint n = schedule_n_nodes(schedule);
    g_autofree GQueue *arrivals = g_new0(GQueue, n);
    pricer_init(&p, schedule, machine, 1);
    for (guint k = 0; k < schedule->n_steps; k = schedule_next_step(schedule, 0, 0, k + 1)) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        step_alone(&p, &step, arrivals);
    }
    gint64 time_ps = *p.clock;
    for (guint i = 0; i < n; i++)
        g_queue_clear(&arrivals[i]);
    pricer_clear(&p);
    return time_ps;
}

gboolean price_is_alike(const Schedule *schedule, const Machine *machine)
{
    return schedule_is_alike(schedule) && machine->start_skew_ps == 0 &&
           (machine->node <= 1 || group_block(schedule->group, machine->node) == machine->node) &&
           topology_classes[machine->topology]->is_alike(schedule->group);
}

gint64 price_time(const Schedule *schedule, const Machine *machine)
{
    if (price_is_alike(schedule, machine))
        return price_alone(schedule, machine);
    Price result = price(schedule, machine, REPLAY_SIZES);
    price_clear(&result);
    return result.time_ps;
}
