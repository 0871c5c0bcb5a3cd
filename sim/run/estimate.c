#include "estimate.h"
#include "sim/cube/cube.h"
#include "sim/engine/engine.h"
#include "sim/replay/cost.h"
#include "sim/replay/memory.h"
#include "sim/patterns/make.h"
#include "workload.h"

#include <math.h>

/* Bytes are doubles here: whatever is multiplied, they do not overflow. */

#define NODES_MAX 8             /* processors that are asked */
#define NODES_ROOTED 4          /* the same with one source: who has most is the source, or the farthest from it */
#define STEPS_MAX 32            /* steps of each */
#define AHEAD 1.5               /* messages under way for each of a step: some processors are a step ahead */

enum {
    BYTES_PROGRAM = 16000000,   /* a run's process, SimGrid 3.32; 10 MB as measured */
    BYTES_PARENT = 40000000,    /* the one that starts it, all its libraries in use; 36 MB as measured */
    BYTES_STRAND = 500,         /* with its empty step */
    BYTES_PARCEL = 104,         /* with a block */
    BYTES_AWAITED = 16,         /* of a parcel that came early: its place in a table */
    BYTES_MESSAGE = 340,        /* in the network, with its events */
    BYTES_RELAY = 250,          /* a packet that is forwarded */
    BYTES_PACKET = 230,         /* one that is under way with others of its message */
    BYTES_FLIGHT = 45000,       /* a packet with an actor of its own */
};

/* --- what is under way in a step --- */

/* Of the processor that has most. */
typedef struct {
    double messages, awaits;
    double largest;             /* message, in blocks */
    double bytes;               /* of a message, at most, of contents that say so */
    double load;                /* bytes of what the largest message carries: blocks, and stretches of its own */
    double together;            /* the same of all messages of a step */
    double room;                /* bytes that the arrays of its steps take */
    guint hops;                 /* of the farthest message */
} Burst;

/* Bytes of an array of GLib's, which grows by doubling. */
static double array_room(guint length, gsize size)
{
    return length ? exp2(ceil(log2((double)(length * size)))) : 0;
}

static Burst burst_of(const Content *content, guint node, const Step *step)
{
    Burst burst = {.messages = step->sends->len, .awaits = step->awaits->len};
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        double blocks = step_n_blocks(step, send);
        burst.bytes = MAX(burst.bytes, (double)workload_bytes_about(content, node, step, send));
        double stretches = step_shares(step) ? 0 : send->n_stretches;
        burst.largest = MAX(burst.largest, blocks);
        burst.load = MAX(burst.load, blocks * sizeof(Block) + stretches * sizeof(Stretch));
        burst.together += blocks * sizeof(Block) + stretches * sizeof(Stretch);
        burst.hops = MAX(burst.hops, cube_distance(node, send->peer));
    }
    burst.room = array_room(step->sends->len, sizeof(Send)) + array_room(step->awaits->len, sizeof(guint)) +
                 (step_shares(step) ? 0 : array_room(step->stretches->len, sizeof(Stretch)));
    return burst;
}

/* The largest of both in each respect. */
static Burst burst_max(Burst a, Burst b)
{
    return (Burst){MAX(a.messages, b.messages), MAX(a.awaits, b.awaits), MAX(a.largest, b.largest),
                   MAX(a.bytes, b.bytes), MAX(a.load, b.load), MAX(a.together, b.together),
                   MAX(a.room, b.room), MAX(a.hops, b.hops)};
}

/* Both at once. */
static Burst burst_add(Burst a, Burst b)
{
    Burst both = burst_max(a, b);
    both.messages = a.messages + b.messages;
    both.awaits = a.awaits + b.awaits;
    both.together = a.together + b.together;
    both.room = a.room + b.room;
    return both;
}

/* Number `i` of `n` that are evenly spread over `total`, the first and the last among them. */
static guint spread(guint i, guint n, guint total)
{
    return n > 1 ? (guint)((guint64)i * (total - 1) / (n - 1)) : 0;
}

static Burst burst_of_strand(const Schedule *schedule, guint node, guint strand, Step *step)
{
    gboolean composed = schedule->content->class->bytes_about != NULL;
    guint n = schedule_n_steps(schedule, strand), asked = MIN(n, composed ? WORKLOAD_STEPS_COMPOSED : STEPS_MAX);
    Burst most = {0};
    for (guint i = 0; i < asked; i++) {
        guint k = schedule_next_step(schedule, node, strand, spread(i, asked, n));
        if (k == n)
            break;
        schedule_strand_step(schedule, node, strand, k, step);
        most = burst_max(most, burst_of(schedule->content, node, step));
    }
    return most;
}

static Burst burst_of_schedule(const Schedule *schedule)
{
    guint n = cube_n_nodes(schedule->dimension), most_asked = schedule->root != NO_ROOT ? NODES_ROOTED : NODES_MAX;
    guint asked = schedule->flags & SCHEDULE_UNIFORM ? 1 : MIN(n, most_asked);
    guint root = schedule->root != NO_ROOT ? schedule->root : 0;
    Burst most = {0};
    Step step;
    step_init(&step);
    for (guint i = 0; i < asked; i++) {
        Burst burst = {0};
        for (guint strand = 0; strand < schedule->n_strands; strand++)
            burst = burst_add(burst, burst_of_strand(schedule, spread(i, asked, n) ^ root, strand, &step));
        most = burst_max(most, burst);
    }
    step_clear(&step);
    most.largest = MAX(most.largest, (double)schedule->largest_load);
    most.load = MAX(most.load, most.largest * sizeof(Block));
    return most;
}

/* --- a run --- */

/* Of blocks of average size. */
static double bytes_of_blocks(const Run *run, double blocks)
{
    return blocks * (double)run->problem.data.bytes / MAX(1, pieces_count(&run->problem.data.pieces));
}

/* Packets of the largest message. */
static double packets_of(const Run *run, const Burst *burst)
{
    double packet = (double)run->machine->packet, bytes = MAX(burst->bytes, bytes_of_blocks(run, burst->largest));
    return packet == 0 || bytes <= packet ? 1 : ceil(bytes / packet) + 1;
}

/* A processor that awaits nothing until the end sends all it has before. */
static gboolean piles_up(const Schedule *schedule, const Burst *burst)
{
    return schedule_contends(schedule) && burst->awaits > 2 * MAX(1, burst->messages);
}

/* Who sends message after message gets far ahead of their packets, as measured: by so many messages that all ports are
 * busy, if it has ports of its own for them, and else less far. */
static double relays_bytes(const Run *run, const Schedule *schedule, const Burst *burst)
{
    double n = cube_n_nodes(schedule->dimension);
    if (run->machine->switching != SWITCHING_STORE_AND_FORWARD || burst->hops < 2)
        return 0;
    double each = 1;
    if (piles_up(schedule, burst))
        each = MAX(1, (run->machine->ports == PORTS_ALL ? n : pow(n, 0.75)) / 5);
    return n * burst->messages * packets_of(run, burst) * each * BYTES_RELAY;
}

/* Packets that a processor has under way where start-ups overlap; of circuits all but one of each message. If what is
 * shared is held for less than a gap (by flows while they transmit, by circuits from their first channel on) these are
 * those that begin while one is under way, twice as many for what shares channels with others. Else all flows may be
 * there at a time; circuits come to their end one by one, while others begin. */
static double flying_packets(const Run *run, const Burst *burst)
{
    const Machine *machine = run->machine;
    gboolean flows = machine->switching == SWITCHING_FLUID;
    gint64 bytes = (gint64)MAX(burst->bytes, bytes_of_blocks(run, burst->largest));
    PacketCost cost = cost_packet(machine, cost_packet_bytes(machine, bytes));
    double packets = burst->messages * (packets_of(run, burst) - !flows), gap = (double)cost_gap(machine, &cost);
    double alone = (double)(cost.startup_ps + cost.delta_ps + cost.hop_ps * burst->hops + cost.transmit_ps);
    double held = flows ? (double)cost.transmit_ps : alone - (double)cost.startup_ps;
    if (held < gap)
        return MIN(packets, 2 + 2 * ceil(alone / gap));
    return flows || held <= 0 ? packets : packets * (1 - gap / held);
}

/* Flows have an actor for each of them. */
static double flying_bytes(const Run *run, const Schedule *schedule, const Burst *burst)
{
    if (!run->machine->overlaps)
        return 0;
    gboolean flows = run->machine->switching == SWITCHING_FLUID;
    return cube_n_nodes(schedule->dimension) * flying_packets(run, burst) * (flows ? BYTES_FLIGHT : BYTES_PACKET);
}

/* What the messages under way carry. Each has room for the largest, as places are used again by any; but the data of
 * one source is not everywhere at a time. */
static double carried_bytes(const Schedule *schedule, const Burst *burst)
{
    gboolean at_once = (schedule->flags & SCHEDULE_AT_ONCE) != 0;   /* in some steps many small ones */
    double of_one = at_once ? burst->together : burst->messages * burst->load;
    double n = cube_n_nodes(schedule->dimension), bytes = AHEAD * n * of_one;
    return schedule->root != NO_ROOT ? MIN(bytes, n * schedule->n_slots * (sizeof(Block) + sizeof(Stretch))) : bytes;
}

/* Slots, steps, and what is under way. */
static double data_bytes(const Schedule *schedule, const Burst *burst)
{
    double n = cube_n_nodes(schedule->dimension), slots = n * schedule->n_slots + MAX(n, schedule->n_slots);
    double early = piles_up(schedule, burst) ? n * burst->awaits * (BYTES_PARCEL + BYTES_AWAITED) : 0;
    double steps = n * (schedule->n_strands * BYTES_STRAND + burst->room);
    const Content *content = schedule->content;
    double stored = content->class->storage ? (double)content->class->storage(content) : 0;
    double parcels = n * burst->messages * BYTES_PARCEL;
    return stored + (double)schedule->stored + slots * sizeof(Block) + steps + carried_bytes(schedule, burst) + early +
           parcels;
}

static gsize in_bytes(double bytes)
{
    return bytes < (double)ESTIMATE_MAX ? (gsize)bytes : ESTIMATE_MAX;
}

static double run_bytes(const Run *run, const Schedule *schedule, const Burst *burst)
{
    double bytes = BYTES_PROGRAM + data_bytes(schedule, burst);
    if (!run->machine)
        return bytes;
    return bytes + (double)engine_estimate(run->machine, schedule->dimension, schedule->n_strands) +
           relays_bytes(run, schedule, burst) + flying_bytes(run, schedule, burst) +
           cube_n_nodes(schedule->dimension) * burst->messages * BYTES_MESSAGE;
}

gsize estimate_run(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Burst burst = burst_of_schedule(schedule);
    return in_bytes(run_bytes(run, schedule, &burst));
}

gsize estimate_schedule(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Burst burst = burst_of_schedule(schedule);
    return in_bytes(BYTES_PARENT + (double)schedule->stored + burst.room);
}

/* --- a trace --- */

/* All packets of a run: a message of average size in whole packets, if all have one size. */
static double packets_in_all(const Run *run, const Workload *work, const Burst *burst)
{
    double messages = (double)work->messages, packet = (double)run->machine->packet;
    double bytes = MAX((double)work->bytes, bytes_of_blocks(run, (double)work->blocks));
    if (packet == 0 || messages == 0)
        return messages;
    gboolean same = (double)work->blocks >= messages * burst->largest;
    return same ? messages * MAX(1, ceil(bytes / messages / packet)) : messages + bytes / packet;
}

/* A packet has a start-up, a transmission, its channels and its waits, with store-and-forward at every hop; what is
 * counted is a sample, so a fifth is added. */
static double intervals_in_all(const Run *run, const Schedule *schedule, const Workload *work, double packets)
{
    double hops = work->messages ? (double)work->hops / (double)work->messages : 0;
    double handshakes = run->machine->pairwise_sync ? (double)work->exchanges : 0;
    gboolean waits = schedule_contends(schedule) || run->machine->duplex != DUPLEX_FULL || run->machine->overlaps;
    double of_packet = run->machine->switching == SWITCHING_STORE_AND_FORWARD ? 6 * hops
                                                                               : 2 + hops + (waits ? 2 : 0.5);
    double n = cube_n_nodes(schedule->dimension), of_phases = 2.0 * n * MAX(1, schedule->n_phases);
    const Content *content = schedule->content;
    gboolean computes = run->machine->flop_ps && (content->class->operations || content->element_bytes);
    double of_steps = computes ? n * schedule->n_strands * schedule->n_steps : 0;
    return 1.2 * (packets + handshakes) * of_packet + of_phases + of_steps;
}

static double trace_bytes(const Run *run, const Schedule *schedule, const Burst *burst)
{
    g_autoptr(GHashTable) workloads = workloads_new();
    Workload work = workloads_count(workloads, &run->problem);
    double packets = packets_in_all(run, &work, burst);
    double messages = (double)work.messages + (run->machine->pairwise_sync ? (double)work.exchanges : 0);
    double intervals = intervals_in_all(run, schedule, &work, packets);
    return 1.2 * messages * sizeof(TraceMessage) + intervals * sizeof(TraceInterval);
}

gsize estimate_traced(const Run *run, double text)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Burst burst = burst_of_schedule(schedule);
    double trace = trace_bytes(run, schedule, &burst);
    double sorted = 1.25 * trace;
    return in_bytes(MAX(run_bytes(run, schedule, &burst) + sorted + trace, BYTES_PARENT + MAX(2, 1 + text) * trace));
}
