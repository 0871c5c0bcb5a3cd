#include "estimate.h"
#include "available.h"
#include "sim/cube/cube.h"
#include "sim/engine/trace.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/replay/cost.h"
#include "sim/replay/orbit.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* Numbers of bytes are doubles here: their products do not overflow. The constants are measured. */

enum {
    NODES_MAX = 32, STEPS_MAX = 64,     /* sample of a schedule: largest number of processors in it; about the number
                                         * of steps of each of their strands */

    /* BYTES_X is the memory in bytes that each X takes. */
    BYTES_PROGRAM = 16000000,   /* process of a run, with SimGrid 3.32 */
    BYTES_PARENT = 40000000,    /* process that starts the run, with all its libraries in use */
    BYTES_LIBRARIES = BYTES_PARENT - BYTES_PROGRAM,
    BYTES_STRAND = 1000,        /* strand with its present step */
    BYTES_MESSAGE = 450,        /* message under way, with its parcel and events */
    BYTES_PARCEL = 120,         /* parcel of a message that arrives before it is awaited */
    BYTES_PACKET = 250,         /* memory of a packet under way at the same time as others of its message */
    BYTES_PROCESSOR = 14000,    /* processor: SimGrid's host and actor, with what is used of its stack */
    BYTES_CHANNEL = 50,
    BYTES_OF_FLUID = 26000, BYTES_LINK = 1500, BYTES_ACTOR = 45000,     /* fluid switching: further bytes of a
                                                                         * processor; a link; each further actor */
    BYTES_ROUTE = 100, BYTES_ROUTE_CHANNEL = 26     /* route that SimGrid is given, and each channel of it */
};

/* --- what a schedule does --- */

typedef struct EstimateTraffic Traffic;

/* Adds to `all` the traffic of `step`, which stands for `times` equal steps. */
static void traffic_add_step(Traffic *all, const Topology *network, guint node, const Step *step, guint64 times)
{
    guint64 blocks = 0;
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        guint hops = network ? topology_distance(network, node, send->peer) : cube_distance(node, send->peer);
        guint64 n = step_n_blocks(step, send);
        all->hops += hops * times;
        all->farthest = MAX(all->farthest, hops);
        all->largest = MAX(all->largest, n);
        blocks += n;
    }
    guint64 lists = blocks * sizeof(Block) + (step_shares(step) ? 0 : step->stretches->len * sizeof(Stretch));
    all->messages += step->sends->len * times;
    all->blocks += blocks * times;
    all->sent = MAX(all->sent, step->sends->len);
    all->awaited = MAX(all->awaited, step->awaits->len);
    all->lists = MAX(all->lists, lists);
    all->stretched = MAX(all->stretched, lists - blocks * sizeof(Block));
    all->stretches += step->stretches->len * times;
}

/* Adds the traffic of a processor's strand, `times` times. Looks only at every `stride`-th step, which stands for the
 * steps up to the next one looked at; the last step stands for itself. */
static void traffic_add_strand(Traffic *all, const Topology *network, const Schedule *schedule, guint node,
                               guint strand, guint64 times, Step *step)
{
    guint n = schedule_n_steps(schedule, strand), stride = n > STEPS_MAX ? n / STEPS_MAX | 1 : 1;
    for (guint k = schedule_next_step(schedule, node, strand, 0); k < n;) {
        guint next = schedule_next_step(schedule, node, strand, k + 1), far = MIN(k + stride, n - 1);
        schedule_strand_step(schedule, node, strand, k, step);
        traffic_add_step(all, network, node, step, times * (next < far ? far - k : 1));
        k = next < far ? schedule_next_step(schedule, node, strand, far) : next;
    }
}

/* Returns the traffic of a schedule, estimated from a sample of its processors. With SCHEDULE_TRANSLATES one processor
 * stands for all. Else the first is the root (or processor 0), which stands for itself; each further one
 * also stands for the processors since the one sampled before. `machine` NULL: hops are counted on a cube. */
static Traffic estimate_traffic(const Schedule *schedule, const Machine *machine)
{
    guint n = schedule_n_nodes(schedule), root = schedule->root != NO_ROOT ? schedule->root : 0;
    guint asked = schedule->flags & SCHEDULE_TRANSLATES ? 1 : MIN(n, NODES_MAX);
    const Content *content = schedule->content;
    Traffic all = {.slots = (guint64)n * schedule->n_slots,
                   .stored = content->class->storage ? content->class->storage(content) : 0};
    const Topology network = machine ? machine_topology(machine, schedule_n_nodes(schedule)) : (Topology){0};
    g_auto(Step) step = step_new();
    for (guint i = 0, before = 0, node; i < asked; i++, before = node) {
        node = (guint)((guint64)i * (n - 1) / MAX(1, asked - 1));
        for (guint strand = 0; strand < schedule->n_strands; strand++)
            traffic_add_strand(&all, machine ? &network : NULL, schedule, group_add(schedule->group, node, root),
                               strand, asked == 1 ? n : i == 0 ? 1 : node - before, &step);
    }
    return all;
}

/* Returns the number of packets of a message with `blocks` blocks of average size. */
static guint64 traffic_packets(const Run *run, const Traffic *traffic, guint64 blocks)
{
    const Division *data = &run->problem.data;
    guint64 packet = (guint64)run->machine->packet, bytes;
    guint64 block = data->bytes ? (guint64)data->bytes / MAX(1, pieces_count(&data->pieces)) + 1
                                : traffic->stored / MAX(1, traffic->slots);
    if (packet == 0 || __builtin_mul_overflow(blocks, block, &bytes))
        return packet == 0 ? 1 : G_MAXINT64;
    return bytes / packet + 1;
}

/* --- memory --- */

/* Returns the number of packets that a strand has under way at a time; 0 if each message has at most one. Forwarded
 * packets wait for ports on their way; some of them belong to messages that are not awaited yet. With overlapped
 * start-ups few packets are under way if a gap exceeds the time in which a packet holds its channels. */
static double packets_under_way(const Run *run, const Traffic *traffic)
{
    const Machine *machine = run->machine;
    double packets = (double)traffic_packets(run, traffic, traffic->largest), sent = (double)traffic->sent;
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return traffic->farthest > 1 ? (sent + (double)traffic->awaited / (machine->ports ? 5 : 16)) * packets : 0;
    if (!machine->overlaps)
        return 0;
    PacketCost cost = cost_packet(machine, machine->packet, FALSE, TRUE);
    double held = (double)(cost.transmit_ps + cost.delta_ps + cost.hop_ps * traffic->farthest);
    double gap = (double)cost_gap(machine, &cost);
    return sent * (held < gap ? MIN(packets, 2 + 2 * ceil(((double)cost.startup_ps + held) / gap)) : packets);
}

/* Returns the bytes of the routes that SimGrid is given; 0 for a cube or crossbar, whose routes SimGrid knows. */
static double estimate_routes(const Machine *machine, guint n)
{
    const Topology topology = machine_topology(machine, n);
    double bytes = 0;
    if (topology.n_ways == 0 || topology_is_cube(&topology))
        return 0;
    for (guint from = 0; from < n; from++)
        for (guint to = 0; to < n; to++)
            bytes += BYTES_ROUTE + BYTES_ROUTE_CHANNEL * topology_distance(&topology, from, to);
    return bytes;
}

/* Returns the bytes of a run's process. On a fluid machine this includes actors for ports and for flows. */
static double estimate_run_bytes(const Run *run, const Schedule *schedule, const Traffic *traffic)
{
    const Machine *machine = run->machine;
    gboolean fluid = machine && machine->switching == SWITCHING_FLUID;
    double n = schedule_n_nodes(schedule), d = schedule->dimension, strands = schedule->n_strands;
    double actors = fluid ? (machine->ports == PORTS_ALL ? d : 1) + strands - 1 : 0;
    double packets = machine ? packets_under_way(run, traffic) * (fluid ? BYTES_ACTOR : BYTES_PACKET) : 0;
    gboolean translates = orbit_is_possible(schedule);
    double lists = translates ? (double)traffic->stretched : (double)traffic->lists;
    double message = 2 * lists + (double)traffic->sent * BYTES_MESSAGE +
                     (double)traffic->awaited * BYTES_PARCEL;
    double slots = translates ? (double)orbit_bytes(schedule, traffic->messages / schedule_n_nodes(schedule),
                                                    traffic->stretches / schedule_n_nodes(schedule))
                              : (double)traffic->slots * sizeof(Block);
    double under_way = n * strands * (BYTES_STRAND + message + packets);
    double simgrid = fluid     ? n * (BYTES_PROCESSOR + BYTES_OF_FLUID + d * BYTES_LINK + actors * BYTES_ACTOR) +
                                     estimate_routes(machine, schedule_n_nodes(schedule))
                     : machine ? n * (BYTES_PROCESSOR + d * BYTES_CHANNEL)
                               : 0;
    return BYTES_PROGRAM + slots + (double)traffic->stored + (double)schedule->stored + under_way + simgrid;
}

static gsize in_bytes(double bytes)
{
    return bytes < (double)ESTIMATE_MAX ? (gsize)bytes : ESTIMATE_MAX;
}

gsize estimate_run(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Traffic traffic = estimate_traffic(schedule, run->machine);
    return in_bytes(estimate_run_bytes(run, schedule, &traffic));
}

/* Returns the bytes of a trace. A packet has intervals for its start-up, transmission, channels and waits; with
 * store-and-forward it has them at every hop. */
static double trace_bytes(const Run *run, const Schedule *schedule, const Traffic *traffic)
{
    double n = schedule_n_nodes(schedule), hops = (double)traffic->hops / MAX(1, (double)traffic->messages);
    double messages = (double)traffic->messages * (1 + run->machine->pairwise_sync);
    double packets = messages * (double)traffic_packets(run, traffic, traffic->blocks / MAX(1, traffic->messages));
    double of_packet = run->machine->switching == SWITCHING_STORE_AND_FORWARD ? 6 * hops : 4 + hops;
    double of_steps = n * (schedule->n_phases + (run->machine->flop_ps ? schedule->n_strands * schedule->n_steps : 0));
    return messages * sizeof(TraceMessage) + (packets * of_packet + 2 * of_steps) * sizeof(TraceInterval);
}

gsize estimate_traced(const Run *run, double text)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Traffic traffic = estimate_traffic(schedule, run->machine);
    double trace = trace_bytes(run, schedule, &traffic);
    return in_bytes(MAX(estimate_run_bytes(run, schedule, &traffic) + 2.25 * trace,
                        BYTES_PARENT + MAX(2, 1 + text) * trace));
}

/* --- time --- */

/* Refuses any gathering but GATHER_FREE if the sizes of messages depend on the data that move. */
static gboolean check_gathering(const Run *run, GError **error)
{
    Problem problem = run->problem;
    if (problem.gathering.how == GATHER_FREE)
        return TRUE;
    problem.gathering.how = GATHER_FREE;
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    return !content_sizes_move(schedule->content) ||
           input_refuse(error, "gather_cost: what is copied is not known where sizes of messages depend on what moves, "
                        "as in products of matrices, permutations in unequal pieces and exchanges of unequal blocks; "
                        "allowed: gather_cost = 0 with noncontiguous = copy");
}

enum { EFFORT_RUN = 3000, EFFORT_BLOCKS = 10, EFFORT_PRODUCTS = 100 };

/* Whether two problems have the same schedule: they are equal except, perhaps, for the sizes of their data. */
static gboolean same_schedule(const Problem *a, const Problem *b)
{
    Problem one = *a, other = *b;
    one.data = (Division){.pieces = a->data.pieces};
    other.data = (Division){.pieces = b->data.pieces};
    return memcmp(&one, &other, sizeof one) == 0;
}

guint64 estimate_effort(const Run *run, EstimateMemo *memo)
{
    typedef unsigned __int128 Wide;
    const PatternTheory *theory = pattern_theory(run->problem.pattern);
    const Traffic *traffic = &memo->traffic;
    if (!memo->problem.algorithm || !same_schedule(&memo->problem, &run->problem)) {
        Problem problem = run->problem;
        if (!check_gathering(run, NULL))    /* such a run is refused later */
            problem.gathering.how = GATHER_FREE;
        g_autoptr(Schedule) schedule = schedule_make(&problem);
        memo->problem = run->problem;
        memo->traffic = estimate_traffic(schedule, run->machine);
    }
    guint64 packets = traffic_packets(run, traffic, traffic->blocks / MAX(1, traffic->messages));
    Wide all = EFFORT_RUN + (Wide)traffic->hops * (packets + run->machine->pairwise_sync) +
               (traffic->blocks + traffic->slots) / EFFORT_BLOCKS +
               (theory->products ? (Wide)theory->products(&run->problem) : 0) / EFFORT_PRODUCTS;
    return (guint64)MIN(all, ESTIMATE_EFFORT_MAX);
}

/* --- what the clock counts --- */

/* Refuses packets whose start-ups alone, one after the other, exceed the clock. */
static gboolean packets_count(const Run *run, GError **error)
{
    gint64 packets = run->problem.data.pieces.long_packets, startups_ps;
    if (!run->machine || run->problem.dimension == 0)
        return TRUE;
    gint64 lambda_ps = machine_least_terms(run->machine).lambda_ps;
    if (!__builtin_mul_overflow(packets - 1, lambda_ps, &startups_ps) && startups_ps < INPUT_TIME_MAX_PS)
        return TRUE;
    return input_refuse(error, "packet: %" G_GINT64_FORMAT " packets take longer to start than the clock can count; "
                        "allowed: below 2^53 ps (2.5 hours)", packets);
}

static gboolean estimate_check_size(const Run *run, GError **error)
{
    const PatternTheory *theory = pattern_theory(run->problem.pattern);
    guint64 slots = theory->least_slots ? theory->least_slots(&run->problem) : 0;
    gboolean fits = run->problem.data.bytes <= INPUT_TIME_MAX_PS >> run->problem.dimension;
    if (!theory->check_clock && !fits)
        return input_refuse(error, "bytes: '%" G_GINT64_FORMAT "' is more than the clock can count; allowed: at most %"
                            G_GINT64_FORMAT " at d = %u", run->problem.data.bytes,
                            INPUT_TIME_MAX_PS >> run->problem.dimension, run->problem.dimension);
    if (!(theory->check_clock ? theory->check_clock(run, error) : packets_count(run, error)))
        return FALSE;
    return slots == 0 || available_check(run, slots * sizeof(Block), available_bytes(), error);
}

gboolean run_check_clock(const Run *run, GError **error)
{
    if (run->refused)
        return input_refuse(error, "%s", run->refused);
    return estimate_check_size(run, error) && check_gathering(run, error);
}

/* --- what fits into memory --- */

/* Refuses a run that would take more than RUN_EVENTS_MAX events by its traffic, before it is priced. */
static gboolean check_events(const Run *run, const Traffic *traffic, GError **error)
{
    guint64 events = 2 * traffic->messages + (run->machine ? traffic->hops : 0);
    return events <= RUN_EVENTS_MAX ||
           input_refuse(error, "dimension: '%u' makes the run take about %" G_GUINT64_FORMAT " events, the start-ups, "
                        "channels and transmissions of %" G_GUINT64_FORMAT " messages; allowed: at most %"
                        G_GUINT64_FORMAT, run->problem.dimension, events, traffic->messages, RUN_EVENTS_MAX);
}

gboolean run_check_room(const Run *run, const Schedule *schedule, gsize room, gsize *needed, GError **error)
{
    Traffic traffic = estimate_traffic(schedule, run->machine);
    *needed = in_bytes(estimate_run_bytes(run, schedule, &traffic));
    return check_events(run, &traffic, error) && available_check(run, *needed, room, error);
}

gboolean run_check(const Run *run, GError **error)
{
    gsize needed;
    if (!run_check_clock(run, error))
        return FALSE;
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    return run_check_room(run, schedule, available_bytes(), &needed, error);
}

gsize run_room_beside(const Run *run, gsize least, GError **error)
{
    if (!run_check_clock(run, error))
        return 0;
    Run data = *run;
    data.machine = NULL;
    gsize needed = estimate_run(&data) + BYTES_LIBRARIES, available = available_bytes();
    return available_check(run, needed + least, available, error) ? available - needed : 0;
}

gboolean run_check_schedule(const Run *run, GError **error)
{
    if (!run_check_clock(run, error))
        return FALSE;
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Traffic traffic = estimate_traffic(schedule, run->machine);
    gsize needed = in_bytes(BYTES_PARENT + (double)schedule->stored + (double)traffic.lists * schedule->n_strands);
    return available_check(run, needed, available_bytes(), error);
}

gboolean run_check_traced(const Run *run, double text, GError **error)
{
    if (run->machine->switching == SWITCHING_FLUID)
        return input_refuse(error, "switching: 'fluid' has no circuits to trace; allowed: circuit, store-and-forward");
    return run_check_clock(run, error) && available_check(run, estimate_traced(run, text), available_bytes(), error);
}
