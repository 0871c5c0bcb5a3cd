#include "fluid.h"
#include "actors.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"

#include <math.h>

#define PS_PER_US 1e6

/* A send port, with an actor that carries its messages one after another. */
typedef struct {
    GQueue parcels;
    sg_sem_t waiting;       /* semaphore that counts `parcels`; the port's actor waits for it */
} FluidPort;

/* A message with overlapped start-ups: its packets have actors of their own. */
typedef struct {
    Parcel *parcel;
    guint under_way;        /* number of packets that have begun and are not yet transmitted */
    gboolean begun;         /* whether all packets of the message have begun */
} Voyage;

typedef struct {
    Voyage *voyage;
    gint64 bytes;
    gboolean follows;
} FluidPacket;

typedef struct {
    const Schedule *schedule;
    const Machine *machine;
    Replay *replay;
    GQueue packets;         /* FluidPacket *: packets whose actors, packet_actor(), are started but have not run yet */
    Topology topology;
    guint n_ports, n_strands;   /* number of ports, and of strands, of all processors */
    FluidPort *ports;       /* [node], or [node][way] with PORTS_ALL: send ports */
    sg_sem_t *wake;         /* [node][strand]: wakes the strand's actor */
    gint64 *work_ps;        /* [node][strand]: local work (ps) before its next step */
    gint64 *turns;          /* [node][strand]: earliest date of the strand's next message (cost_turn()); NULL: messages
                             * do not take turns */
    GArray *to_release;     /* sg_sem_t: semaphores of actors that may go on. fluid_flush() releases them, outside of
                             * the replay */
    gboolean barrier_full;  /* TRUE from the arrival of the last processor at a barrier until the barrier begins */
    double start_us, end_us;
    guint64 messages;
    volatile guint64 *delivered;
} Fluid;

static Fluid *fluid;        /* actors get their data through this */

static gint64 now_ps(const Fluid *f)
{
    return llround((simgrid.clock() - f->start_us) * PS_PER_US);
}

/* --- hooks of the replay; a simcall here would let other actors into the replay --- */

static void fluid_send(gpointer user, Parcel *parcel)
{
    Fluid *f = user;
    const Topology *topology = &f->topology;
    guint source = parcel->source, i = source;
    if (f->machine->ports == PORTS_ALL)
        i = topology_channel(topology, source, topology_way(topology, source, parcel->destination));
    FluidPort *port = &f->ports[i];
    guint hops = topology_distance(topology, source, parcel->destination);
    if (f->turns)
        parcel->arrival_ps = cost_turn(f->machine, parcel->bytes, hops, now_ps(f),
                                       &f->turns[source * f->schedule->n_strands + parcel->strand]);
    g_queue_push_tail(&port->parcels, parcel);
    g_array_append_val(f->to_release, port->waiting);
}

static void fluid_barrier(gpointer user)
{
    Fluid *f = user;
    f->barrier_full = TRUE;
}

static void fluid_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    Fluid *f = user;
    guint i = node * f->schedule->n_strands + strand;
    f->work_ps[i] = cost_local_work(f->machine, local_work);
    g_array_append_val(f->to_release, f->wake[i]);
}

/* --- actors --- */

static void sleep_ps(gint64 ps)
{
    if (ps > 0)
        simgrid.actor_sleep((double)ps / PS_PER_US);
}

static void barrier_actor(int argc, char **argv);

/* Begins a full barrier and releases actors that may go on. Removes each from to_release before its simcall, during
 * which other actors may call this function. */
static void fluid_flush(void)
{
    if (fluid->barrier_full) {
        fluid->barrier_full = FALSE;
        actors_start(0, barrier_actor, 0);
    }
    while (fluid->to_release->len > 0) {
        sg_sem_t next = g_array_index(fluid->to_release, sg_sem_t, 0);
        g_array_remove_index(fluid->to_release, 0);
        simgrid.sem_release(next);
    }
}

static void barrier_actor(int argc, char **argv)
{
    sleep_ps(machine_barrier_ps(fluid->machine, fluid->schedule->dimension));
    replay_barrier_over(fluid->replay);
    fluid_flush();
}

static void strand_actor(int argc, char **argv)
{
    guint i = actors_argument(argv), n = fluid->schedule->n_strands;
    sleep_ps(machine_start_ps(fluid->machine, fluid->topology.n_nodes, i / n));
    while (replay_begin(fluid->replay, i / n, i % n)) {
        fluid_flush();
        simgrid.sem_acquire(fluid->wake[i]);
        sleep_ps(fluid->work_ps[i]);
    }
    fluid->end_us = fmax(fluid->end_us, simgrid.clock());
    fluid_flush();      /* the end of the strand may have let a barrier begin */
}

static void carry_packet(const Parcel *parcel, gint64 bytes, gboolean follows)
{
    guint hops = topology_distance(&fluid->topology, parcel->source, parcel->destination);
    PacketCost cost = cost_packet(fluid->machine, bytes, FALSE, follows);
    sleep_ps(time_add(time_add(cost.startup_ps, cost.delta_ps), time_times(cost.hop_ps, hops)));
    if (cost.transmit_ps > 0)
        simgrid.send(actors_host(parcel->source), actors_host(parcel->destination), (double)cost.transmit_ps);
}

static void arrive(Parcel *parcel)
{
    fluid->messages++;
    ++*fluid->delivered;
    replay_sent(fluid->replay, parcel);
    replay_delivered(fluid->replay, parcel);
    fluid_flush();
}

/* Sends a message packet by packet, while its port is held, and lets it arrive. */
static void carry_whole(Parcel *parcel)
{
    gint64 left = parcel->bytes;
    if (fluid->turns)
        sleep_ps(parcel->arrival_ps - now_ps(fluid));
    do {
        gint64 size = cost_packet_bytes(fluid->machine, left);
        carry_packet(parcel, size, left < parcel->bytes);
        left -= size;
    } while (left > 0);
    arrive(parcel);
}

static void packet_actor(int argc, char **argv)
{
    g_autofree FluidPacket *packet = g_queue_pop_head(&fluid->packets);
    Voyage *voyage = packet->voyage;
    carry_packet(voyage->parcel, packet->bytes, packet->follows);
    if (--voyage->under_way > 0 || !voyage->begun)
        return;
    arrive(voyage->parcel);
    g_free(voyage);
}

/* Starts the packets of a message one after another; each holds the sender's port for its gap. The packet that arrives
 * last frees the voyage, perhaps before the gap of the last packet is over. */
static void carry_overlapped(Parcel *parcel)
{
    Voyage *voyage = g_new0(Voyage, 1);
    gboolean last = FALSE;
    voyage->parcel = parcel;
    for (gint64 left = parcel->bytes; !last;) {
        FluidPacket packet = {voyage, cost_packet_bytes(fluid->machine, left), left < parcel->bytes};
        PacketCost cost = cost_packet(fluid->machine, packet.bytes, FALSE, packet.follows);
        left -= packet.bytes;
        voyage->under_way++;
        voyage->begun = last = left == 0;
        g_queue_push_tail(&fluid->packets, g_memdup2(&packet, sizeof packet));
        actors_start(parcel->source, packet_actor, 0);
        sleep_ps(cost_gap(fluid->machine, &cost));
    }
}

static void courier(int argc, char **argv)
{
    FluidPort *port = &fluid->ports[actors_argument(argv)];
    simgrid.actor_daemonize(simgrid.actor_self());    /* simgrid.run() does not wait for this actor's end */
    for (;;) {
        simgrid.sem_acquire(port->waiting);
        Parcel *parcel = g_queue_pop_head(&port->parcels);
        if (fluid->machine->overlaps)
            carry_overlapped(parcel);
        else
            carry_whole(parcel);
    }
}

/* --- a run --- */

static void start_actors(Fluid *f)
{
    for (guint i = 0; i < f->n_ports; i++) {
        f->ports[i].waiting = simgrid.sem_init(0);
        actors_start(f->machine->ports == PORTS_ONE ? i : i / f->topology.n_ways, courier, i);
    }
    for (guint i = 0; i < f->n_strands; i++) {
        f->wake[i] = simgrid.sem_init(0);
        actors_start(i / f->schedule->n_strands, strand_actor, i);
    }
}

/* Frees the members of f. Parcels that never left, if the run got stuck, belong to the replay. */
static void fluid_clear(Fluid *f)
{
    for (guint i = 0; i < f->n_ports; i++) {
        simgrid.sem_destroy(f->ports[i].waiting);
        g_queue_clear(&f->ports[i].parcels);
    }
    for (guint i = 0; i < f->n_strands; i++)
        simgrid.sem_destroy(f->wake[i]);
    g_free(f->ports);
    g_free(f->wake);
    g_free(f->work_ps);
    g_free(f->turns);
    g_array_unref(f->to_release);
}

gboolean fluid_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                   EngineResult *result)
{
    static const ReplayHooks hooks = {.send = fluid_send, .barrier = fluid_barrier, .done = fluid_done};
    guint n = schedule_n_nodes(schedule);
    const Topology topology = machine_topology(machine, n);
    actors_prepare(machine, n, ACTORS_FLUID);
    Fluid f = {.schedule = schedule, .machine = machine, .topology = topology, .delivered = delivered,
               .n_strands = n * schedule->n_strands,
               .n_ports = machine->ports == PORTS_ONE ? n : topology_n_channels(&topology),
               .to_release = g_array_new(FALSE, FALSE, sizeof(sg_sem_t)),
               .start_us = simgrid.clock(), .end_us = simgrid.clock()};
    f.replay = replay_new(schedule, REPLAY_DATA, machine->pairwise_sync, machine->phase_barrier, &hooks, &f);
    f.ports = g_new0(FluidPort, f.n_ports);
    f.wake = g_new0(sg_sem_t, f.n_strands);
    f.work_ps = g_new0(gint64, f.n_strands);
    f.turns = machine_takes_turns(machine) ? g_new0(gint64, f.n_strands) : NULL;
    fluid = &f;
    start_actors(&f);
    simgrid.run();
    fluid = NULL;

    double time_ps = (f.end_us - f.start_us) * PS_PER_US;
    gboolean counts = time_ps < (double)INPUT_TIME_MAX_PS;
    *result = (EngineResult){.network = {.messages = f.messages}, .time_ps = counts ? llround(time_ps) : 0};
    engine_judge(f.replay, result);
    fluid_clear(&f);
    return counts;
}
