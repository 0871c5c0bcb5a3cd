#include "price.h"
#include "sim/machine/constants.h"

/* A send port. With overlapped start-ups (sim/engine/README.md, "Overlapped start-ups") it begins a packet while
 * others are on their way. */
typedef struct {
    gint64 free_ps;         /* date from which the next start-up may begin */
    gint64 started_ps;      /* date at which all start-ups begun so far are over; unused with SWITCHING_FLUID */
    gint64 left_ps;         /* date at which all packets begun so far have left; unused with SWITCHING_FLUID */
    guint peer;             /* processor to which it sent last, plus 1; 0: none. Kept circuits still lead there */
} PricerPort;

/* The dates (ps) that the schedule has reached on one machine. */
typedef struct {
    const Machine *machine;
    gint64 *clock;          /* [node][strand]: date at which the strand issues the sends of its handshake or step */
    gint64 *latest;         /* [node][strand]: date at which everything awaited so far has happened */
    PricerPort *ports;      /* [node][n_ports]: send ports */
    gint64 *turns;          /* [node][strand]: earliest date of the strand's next message (cost_turn()); NULL: messages
                             * do not take turns */
} Course;

/* Several machines priced together, which differ in constants alone. Each has a course of its own. */
typedef struct {
    Replay *replay;
    const Schedule *schedule;
    const Machine *machine;     /* the first machine; the others differ in constants alone */
    gsize n_clocks;         /* number of strands of the priced processors: all, or processor 0 alone */
    Topology topology;
    guint n_ports;          /* number of send ports of a processor */
    guint n;                /* number of machines */
    Course courses[MACHINE_KEYS_MAX + 1];
    guint64 messages, events;
    GArray *phases;         /* gint64: dates (ps) at which barriers ended; NULL: they are not kept */
} Pricer;

#define EACH_COURSE(p, c) (Course *c = (p)->courses; c < (p)->courses + (p)->n; c++)

/* Returns the index of a strand in clock, latest and turns. */
static gsize pricer_place(const Pricer *p, guint node, guint strand)
{
    return (gsize)node * p->schedule->n_strands + strand;
}

/* Returns the send port of a message: with PORTS_ALL the port of its first channel, with kept circuits the port of
 * its rank, else the port that is free first. */
static PricerPort *port_of(const Pricer *p, const Course *c, const Parcel *parcel)
{
    PricerPort *ports = &c->ports[(gsize)parcel->source * p->n_ports], *first = ports;
    if (p->machine->ports == PORTS_ALL)
        return &ports[topology_way(&p->topology, parcel->source, parcel->destination)];
    if (p->machine->reconfigure_ps)
        return &ports[parcel->rank % p->n_ports];
    for (PricerPort *port = ports + 1; port < ports + p->n_ports; port++)
        if (port->free_ps < first->free_ps)
            first = port;
    return first;
}

static void pricer_count(Pricer *p, gint64 bytes, guint hops)
{
    gboolean forwarded = p->machine->switching == SWITCHING_STORE_AND_FORWARD;
    guint64 of_packet = forwarded ? 3 * hops : 2 + hops;
    p->messages++;
    if (__builtin_add_overflow(p->events, of_packet * (guint64)cost_n_packets(p->machine, bytes), &p->events))
        p->events = G_MAXUINT64;
}

/* Sends n >= 1 packets of one size, the first not before `start_ps`. Returns the date at which all are transmitted.
 * Packet i sets off when the packets before it have left, but not before its own start-up is over. Start-ups are over
 * at start + i gap + startup_ps, which is linear in i. So either all packets leave in a row from the first on, or the
 * last packet waits only for its own start-up. The later of these two ends counts. */
static gint64 send_packets(PricerPort *port, const Machine *machine, gint64 start_ps, gint64 bytes, guint hops,
                           gint64 n, gboolean follow)
{
    PacketCost cost = cost_packet(machine, bytes, hops == 0, follow);
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

/* Sends a message, issued at `issued_ps`, through the port. Returns the date at which its transmission ends. */
static gint64 send_overlapped(PricerPort *port, const Machine *machine, gint64 issued_ps, gint64 bytes, guint hops)
{
    gint64 size = cost_packet_bytes(machine, bytes), n = cost_n_packets(machine, bytes);
    gint64 first = send_packets(port, machine, issued_ps, size, hops, 1, FALSE);
    gint64 full = n > 2 ? send_packets(port, machine, issued_ps, size, hops, n - 2, TRUE) : 0;
    gint64 last = n > 1 ? send_packets(port, machine, issued_ps, bytes - (n - 1) * size, hops, 1, TRUE) : 0;
    return MAX(first, MAX(full, last));
}

/* Sends a message on one machine and returns the date of its arrival. `at` is the index of the sending strand. */
static gint64 issue(const Pricer *p, Course *c, gsize at, const Parcel *parcel, guint hops)
{
    PricerPort *port = port_of(p, c, parcel);
    if (p->machine->overlaps) {
        gint64 arrival = send_overlapped(port, c->machine, c->clock[at], parcel->bytes, hops);
        c->latest[at] = MAX(c->latest[at], arrival);
        return arrival;
    }
    gint64 issued = c->clock[at];
    gint64 turn = c->turns ? cost_turn(c->machine, parcel->bytes, hops, issued, &c->turns[at]) : issued;
    gint64 start = MAX(turn, port->free_ps);
    MessageCost cost = cost_message(c->machine, parcel->bytes, hops);
    if (port->peer != parcel->destination + 1)
        start = time_add(start, c->machine->reconfigure_ps);
    port->peer = parcel->destination + 1;
    port->free_ps = time_add(start, cost.sent_ps);
    c->latest[at] = MAX(c->latest[at], port->free_ps);
    return time_add(start, cost.delivered_ps);
}

/* Sends a message on all machines, and notes the dates of its arrival in the parcel. */
static void pricer_put(Pricer *p, Parcel *parcel)
{
    gsize at = pricer_place(p, parcel->source, parcel->strand);
    guint hops = cost_hops(p->machine, &p->topology, parcel->source, parcel->destination);
    gint64 *arrival = p->n > 1 ? (parcel->arrivals_ps = g_new(gint64, p->n)) : &parcel->arrival_ps;
    pricer_count(p, parcel->bytes, hops);
    for EACH_COURSE(p, c)
        *arrival++ = issue(p, c, at, parcel, hops);
}

static void pricer_send(gpointer user, Parcel *parcel)
{
    Pricer *p = user;
    pricer_put(p, parcel);
    replay_sent(p->replay, parcel);
    replay_delivered(p->replay, parcel);
}

static void pricer_receive(gpointer user, guint node, const Parcel *parcel)
{
    Pricer *p = user;
    gsize at = pricer_place(p, node, parcel->strand);
    const gint64 *arrival = p->n > 1 ? parcel->arrivals_ps : &parcel->arrival_ps;
    for EACH_COURSE(p, c) {
        gint64 arrival_ps = *arrival++;
        c->latest[at] = MAX(c->latest[at], arrival_ps);
        if (parcel->handshake)
            c->clock[at] = c->latest[at];
    }
    if (p->n > 1)
        g_free(parcel->arrivals_ps);
}

static void pricer_join(gpointer user, guint node, guint strand, guint32 strands)
{
    Pricer *p = user;
    for EACH_COURSE(p, c) {
        gint64 last = c->clock[pricer_place(p, node, strand)];
        for (guint i = 0; i < p->schedule->n_strands; i++)
            if (strands >> i & 1)
                last = MAX(last, c->clock[pricer_place(p, node, i)]);
        for (guint i = 0; i < p->schedule->n_strands; i++)
            if (strands >> i & 1)
                c->clock[pricer_place(p, node, i)] = c->latest[pricer_place(p, node, i)] = last;
    }
}

static gint64 last_clock(const Pricer *p, const Course *c)
{
    gint64 last = 0;
    for (gsize i = 0; i < p->n_clocks; i++)
        last = MAX(last, c->clock[i]);
    return last;
}

static void pricer_pass_barrier(Pricer *p)
{
    for EACH_COURSE(p, c) {
        gint64 last = time_add(last_clock(p, c), machine_barrier_ps(c->machine, p->schedule->dimension));
        for (gsize i = 0; i < p->n_clocks; i++)
            c->clock[i] = c->latest[i] = last;
    }
}

static void pricer_barrier(gpointer user)
{
    Pricer *p = user;
    pricer_pass_barrier(p);
    if (p->phases)
        g_array_append_val(p->phases, *p->courses->clock);
    replay_barrier_over(p->replay);
}

static void pricer_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    Pricer *p = user;
    gsize at = pricer_place(p, node, strand);
    for EACH_COURSE(p, c)
        c->clock[at] = c->latest[at] = time_add(c->latest[at], cost_local_work(c->machine, local_work));
}

/* --- a price --- */

/* Adds a course on `machine`, with clocks for the first n processors. */
static void pricer_add(Pricer *p, const Machine *machine, guint n)
{
    Course *c = &p->courses[p->n++];
    *c = (Course){machine, g_new(gint64, p->n_clocks), g_new(gint64, p->n_clocks),
                  g_new0(PricerPort, (gsize)n * MAX(1, p->n_ports)),
                  machine_takes_turns(machine) ? g_new0(gint64, p->n_clocks) : NULL};
    for (gsize i = 0; i < p->n_clocks; i++)
        c->clock[i] = c->latest[i] =
            machine_start_ps(machine, schedule_n_nodes(p->schedule), (guint)(i / p->schedule->n_strands));
}

static void pricer_init(Pricer *p, const Schedule *schedule, const Machine *machines, guint n_machines, guint n)
{
    *p = (Pricer){.schedule = schedule, .machine = machines, .n_clocks = (gsize)n * schedule->n_strands,
                  .topology = machine_topology(machines, schedule_n_nodes(schedule))};
    p->n_ports = machines->ports == PORTS_ALL ? p->topology.n_ways : machine_rails(machines->ports);
    for (guint i = 0; i < n_machines; i++)
        pricer_add(p, &machines[i], n);
}

static void pricer_clear(Pricer *p)
{
    for EACH_COURSE(p, c) {
        g_free(c->clock);
        g_free(c->latest);
        g_free(c->ports);
        g_free(c->turns);
    }
}

static void pricer_walk(Pricer *p, const Schedule *schedule, const Machine *machines, guint n, ReplayData data,
                        GArray *phases)
{
    static const ReplayHooks hooks = {.send = pricer_send, .receive = pricer_receive, .barrier = pricer_barrier,
                                      .join = pricer_join, .done = pricer_done};
    pricer_init(p, schedule, machines, n, schedule_n_nodes(schedule));
    p->phases = phases;
    p->replay = replay_new(schedule, data, machines->pairwise_sync, machines->phase_barrier, &hooks, p);
    replay_walk(p->replay);
}

Price price(const Schedule *schedule, const Machine *machine, ReplayData data)
{
    Pricer p;
    pricer_walk(&p, schedule, machine, 1, data, NULL);
    Price result = {.time_ps = last_clock(&p, p.courses), .messages = p.messages, .events = p.events,
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

GArray *price_phases(const Schedule *schedule, const Machine *machine)
{
    Pricer p;
    GArray *phases = g_array_new(FALSE, FALSE, sizeof(gint64));
    pricer_walk(&p, schedule, machine, 1, REPLAY_SIZES, phases);
    replay_free(p.replay);
    pricer_clear(&p);
    return phases;
}

/* --- the price of one processor --- */

/* Prices a step of processor 0 alone. sent[q] is the queue of processor 0's own messages to q. Processor x sends to 0
 * what 0 sends to -x, so a message that 0 awaits from x is taken from sent[-x]. */
static void step_alone(Pricer *p, const Step *step, GQueue *sent)
{
    const Group *group = p->schedule->group;
    if (replay_meets(step, p->machine->phase_barrier))
        pricer_pass_barrier(p);
    if (step->exchange && p->machine->pairwise_sync) {
        Parcel handshake = {.destination = step_nth_send(step, 0)->peer, .handshake = TRUE};
        pricer_put(p, &handshake);
        pricer_receive(p, 0, &handshake);
    }
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        Parcel *parcel = g_new0(Parcel, 1);
        parcel->destination = send->peer;
        parcel->rank = i;
        parcel->bytes = step_n_blocks(step, send) * p->schedule->content->block_bytes;
        pricer_put(p, parcel);
        g_queue_push_tail(&sent[send->peer], parcel);
    }
    for (guint i = 0; i < step->awaits->len; i++) {
        g_autofree Parcel *parcel = g_queue_pop_head(&sent[group_subtract(group, 0, step_nth_await(step, i))]);
        pricer_receive(p, 0, parcel);
    }
    pricer_done(p, 0, 0, replay_local_work(p->schedule, step, NULL));
}

static void walk_alone(Pricer *p, const Schedule *schedule, const Machine *machines, guint n)
{
    g_auto(Step) step = step_new();
    g_autofree GQueue *sent = g_new0(GQueue, schedule_n_nodes(schedule));
    pricer_init(p, schedule, machines, n, 1);
    for (guint k = 0; k < schedule->n_steps; k = schedule_next_step(schedule, 0, 0, k + 1)) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        step_alone(p, &step, sent);
    }
}

gboolean price_is_alike(const Schedule *schedule, const Machine *machine)
{
    const Topology topology = machine_topology(machine, schedule_n_nodes(schedule));
    return schedule_is_alike(schedule) && machine->start_skew_ps == 0 &&
           (machine->host <= 1 || group_block(schedule->group, machine->host) == machine->host) &&
           topology.class->is_alike(&topology, schedule->group);
}

Price price_sizes(const Schedule *schedule, const Machine *machine)
{
    if (!price_is_alike(schedule, machine))
        return price(schedule, machine, REPLAY_SIZES);
    Pricer p;
    walk_alone(&p, schedule, machine, 1);
    guint64 n = schedule_n_nodes(schedule);
    Price result = {.time_ps = last_clock(&p, p.courses), .messages = n * p.messages};
    if (__builtin_mul_overflow(n, p.events, &result.events))
        result.events = G_MAXUINT64;
    pricer_clear(&p);
    return result;
}

/* Fills in times_ps[n]: the contention-free times on machines[n], which differ in constants alone. */
static void find_times(const Schedule *schedule, const Machine *machines, guint n, gint64 *times_ps)
{
    Pricer p;
    if (price_is_alike(schedule, machines))
        walk_alone(&p, schedule, machines, n);
    else
        pricer_walk(&p, schedule, machines, n, REPLAY_SIZES, NULL);
    for EACH_COURSE(&p, c)
        *times_ps++ = last_clock(&p, c);
    replay_free(p.replay);
    pricer_clear(&p);
}

gint64 price_time(const Schedule *schedule, const Machine *machine)
{
    gint64 time_ps;
    find_times(schedule, machine, 1, &time_ps);
    return time_ps;
}

gint64 price_counts(const Schedule *schedule, const Machine *machine, gint64 *counts)
{
    guint n = 0, constants[MACHINE_KEYS_MAX];
    Machine machines[MACHINE_KEYS_MAX + 1] = {*machine};
    gint64 times_ps[MACHINE_KEYS_MAX + 1];
    for (guint i = 0; i < constants_count(); i++) {
        counts[i] = 0;
        if (!constant_is_used(machine, i) || constant_get(machine, i) == MACHINE_UNSET)
            continue;
        constants[n++] = i;
        machines[n] = *machine;
        constant_set(&machines[n], i, constant_get(machine, i) + constant_per_ps(i));
    }
    find_times(schedule, machines, n + 1, times_ps);
    for (guint i = 0; i < n; i++)
        counts[constants[i]] = times_ps[i + 1] - *times_ps;
    return *times_ps;
}

gsize price_counts_bytes(const Schedule *schedule)
{
    gsize of_node = 3 * schedule->n_strands * sizeof(gint64) + MAX(PORTS_MAX, schedule->dimension) * sizeof(PricerPort);
    return (constants_count() + 1) * schedule_n_nodes(schedule) * of_node;
}
