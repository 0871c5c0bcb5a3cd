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

static gsize port_of(const Pricer *p, guint source, guint destination)
{
    if (p->machine->ports == PORTS_ONE)
        return source;
    return cube_channel(p->schedule->dimension, source, cube_first_dimension(source, destination));
}

static void count(Pricer *p, gint64 bytes, guint hops)
{
    gboolean forwarded = p->machine->switching == SWITCHING_STORE_AND_FORWARD;
    guint64 of_packet = forwarded ? 3 * hops : 2 + hops;
    p->messages++;
    if (__builtin_add_overflow(p->events, of_packet * (guint64)cost_n_packets(p->machine, bytes), &p->events))
        p->events = G_MAXUINT64;
}

/* Returns when the message arrives; `at` is the place of the strand that sends it. */
static gint64 issue(Pricer *p, gsize at, guint source, guint destination, gint64 bytes)
{
    gsize port = port_of(p, source, destination);
    guint hops = cube_distance(source, destination);
    count(p, bytes, hops);
    if (p->departures) {
        gint64 arrival = departure_send(&p->departures[port], p->machine, p->clock[at], bytes, hops);
        p->latest[at] = MAX(p->latest[at], arrival);
        return arrival;
    }
    gint64 start = MAX(p->clock[at], p->port_free[port]);
    MessageCost cost = cost_message(p->machine, bytes, hops);
    p->port_free[port] = time_add(start, cost.sent_ps);
    p->latest[at] = MAX(p->latest[at], p->port_free[port]);
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

/* --- a price --- */

/* The first `n` processors have clocks. */
static void pricer_init(Pricer *p, const Schedule *schedule, const Machine *machine, guint n)
{
    gsize n_strands = (gsize)n * schedule->n_strands, n_ports = (gsize)n * MAX(1, schedule->dimension);
    *p = (Pricer){.schedule = schedule, .machine = machine};
    p->clock = g_new0(gint64, n_strands);
    p->latest = g_new0(gint64, n_strands);
    p->port_free = g_new0(gint64, n_ports);
    p->departures = machine->overlaps ? g_new0(Departure, n_ports) : NULL;
    for (gsize i = 0; i < n_strands; i++)
        p->clock[i] = p->latest[i] =
            machine_start_ps(machine, schedule->dimension, (guint)(i / schedule->n_strands));
}

static void pricer_clear(Pricer *p)
{
    g_free(p->clock);
    g_free(p->latest);
    g_free(p->port_free);
    g_free(p->departures);
}

Price price(const Schedule *schedule, const Machine *machine, ReplayData data)
{
    static const ReplayHooks hooks = {.send = send, .receive = receive, .barrier = barrier, .join = join, .done = done};
    Pricer p;
    guint n = cube_n_nodes(schedule->dimension);
    pricer_init(&p, schedule, machine, n);
    p.replay = replay_new(schedule, data, machine->pairwise_sync, machine->phase_barrier, &hooks, &p);
    replay_walk(p.replay);
    Price result = {.messages = p.messages, .events = p.events, .stuck = replay_stuck(p.replay),
                    .operations = replay_operations(p.replay), .peak_bytes = replay_peak_bytes(p.replay)};
    if (!result.stuck)
        replay_check(p.replay);
    result.fault = g_strdup(replay_fault(p.replay));
    for (gsize i = 0; i < (gsize)n * schedule->n_strands; i++)
        result.time_ps = MAX(result.time_ps, p.clock[i]);
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
        g_queue_push_tail(&arrivals[send->peer], g_memdup2(&arrival, sizeof arrival));
    }
    for (guint i = 0; i < step->awaits->len; i++) {
        g_autofree gint64 *arrival = g_queue_pop_head(&arrivals[step_nth_await(step, i)]);
        *p->latest = MAX(*p->latest, *arrival);
    }
    *p->clock = time_add(*p->latest, cost_toil(p->machine, (Toil){replay_bytes_moved(p->schedule, step), 0}));
}

static gint64 price_alone(const Schedule *schedule, const Machine *machine)
{
    Pricer p;
    Step step;
    guint n = cube_n_nodes(schedule->dimension);
    g_autofree GQueue *arrivals = g_new0(GQueue, n);
    pricer_init(&p, schedule, machine, 1);
    step_init(&step);
    for (guint k = 0; k < schedule->n_steps; k = schedule_next_step(schedule, 0, 0, k + 1)) {
        schedule_strand_step(schedule, 0, 0, k, &step);
        step_alone(&p, &step, arrivals);
    }
    gint64 time_ps = *p.clock;
    step_clear(&step);
    for (guint i = 0; i < n; i++)
        g_queue_clear_full(&arrivals[i], g_free);
    pricer_clear(&p);
    return time_ps;
}

gint64 price_time(const Schedule *schedule, const Machine *machine)
{
    if (schedule_is_alike(schedule) && machine->start_skew_ps == 0)
        return price_alone(schedule, machine);
    Price result = price(schedule, machine, REPLAY_SIZES);
    price_clear(&result);
    return result.time_ps;
}
