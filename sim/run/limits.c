#include "limits.h"
#include "available.h"
#include "sim/cube/cube.h"
#include "sim/engine/trace.h"
#include "sim/patterns/make.h"
#include "sim/replay/cost.h"
#include "sim/replay/memory.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* Bytes are doubles here: whatever is multiplied, they do not overflow. */

#define NODES_MAX 32            /* processors that are asked */
#define STEPS_MAX 64            /* steps of each strand, about */

enum {
    BYTES_PROGRAM = 16000000,   /* a run's process, SimGrid 3.32; 10 MB as measured */
    BYTES_PARENT = 40000000,    /* the one that starts it, all its libraries in use; 36 MB as measured */
    BYTES_STRAND = 1000,        /* with its present step */
    BYTES_MESSAGE = 450,        /* that is under way, with its parcel and its events */
    BYTES_PARCEL = 120,         /* of a message that comes before it is awaited */
    BYTES_PACKET = 250,         /* one that is under way with others of its message */
    BYTES_FLOW = 45000          /* one with an actor of its own */
};

/* --- what a schedule does --- */

typedef struct EstimateTraffic Traffic;

static guint64 both(guint64 a, guint64 b, gboolean at_once)
{
    return at_once ? a + b : MAX(a, b);
}

/* The messages of both, those of `part` `times` times; of what is largest in a step the sum, if both go on at once. */
static void add(Traffic *sum, const Traffic *part, guint64 times, gboolean at_once)
{
    sum->messages += part->messages * times;
    sum->hops += part->hops * times;
    sum->blocks += part->blocks * times;
    sum->most_sent = both(sum->most_sent, part->most_sent, at_once);
    sum->most_awaited = both(sum->most_awaited, part->most_awaited, at_once);
    sum->most_bytes = both(sum->most_bytes, part->most_bytes, at_once);
    sum->largest = MAX(sum->largest, part->largest);
    sum->farthest = MAX(sum->farthest, part->farthest);
}

static Traffic traffic_of_step(guint node, const Step *step)
{
    Traffic traffic = {.messages = step->sends->len, .most_sent = step->sends->len, .most_awaited = step->awaits->len};
    for (guint i = 0; i < step->sends->len; i++) {
        guint64 blocks = step_n_blocks(step, step_nth_send(step, i));
        guint hops = cube_distance(node, step_nth_send(step, i)->peer);
        traffic.hops += hops;
        traffic.blocks += blocks;
        traffic.largest = MAX(traffic.largest, blocks);
        traffic.farthest = MAX(traffic.farthest, hops);
    }
    gsize stretches = step_shares(step) ? 0 : step->stretches->len * sizeof(Stretch);
    traffic.most_bytes = traffic.blocks * sizeof(Block) + stretches;
    return traffic;
}

/* Adds a strand. Of many steps in a row, one is looked at for all of them; the last one by itself. */
static void add_strand(const Schedule *schedule, guint node, guint strand, Step *step, Traffic *sum)
{
    Traffic all = {0};
    guint n = schedule_n_steps(schedule, strand), stride = n > STEPS_MAX ? n / STEPS_MAX | 1 : 1;
    for (guint k = schedule_next_step(schedule, node, strand, 0); k < n;) {
        schedule_strand_step(schedule, node, strand, k, step);
        Traffic traffic = traffic_of_step(node, step);
        guint next = schedule_next_step(schedule, node, strand, k + 1), far = MIN(k + stride, n - 1);
        add(&all, &traffic, next < far ? far - k : 1, FALSE);
        k = next < far ? schedule_next_step(schedule, node, strand, far) : next;
    }
    add(sum, &all, 1, TRUE);
}

/* A processor stands for those between it and the one before; the first, from which data comes or to which it goes, for
 * itself. */
static Traffic traffic_of(const Schedule *schedule)
{
    guint n = schedule_n_nodes(schedule), root = schedule->root != NO_ROOT ? schedule->root : 0;
    guint asked = schedule->flags & SCHEDULE_UNIFORM ? 1 : MIN(n, NODES_MAX);
    const Content *content = schedule->content;
    Traffic all = {.slots = (guint64)n * schedule->n_slots,
                   .stored = content->class->storage ? content->class->storage(content) : 0};
    g_auto(Step) step = step_new();
    for (guint i = 0, before = 0, node; i < asked; i++, before = node) {
        Traffic traffic = {0};
        node = (guint)((guint64)i * (n - 1) / MAX(1, asked - 1));
        for (guint strand = 0; strand < schedule->n_strands; strand++)
            add_strand(schedule, group_add(schedule->group, node, root), strand, &step, &traffic);
        add(&all, &traffic, asked == 1 ? n : i == 0 ? 1 : node - before, FALSE);
    }
    return all;
}

/* Bytes of a block of average size. */
static guint64 block_bytes(const Run *run, const Traffic *traffic)
{
    const Division *data = &run->problem.data;
    return data->bytes ? (guint64)data->bytes / MAX(1, pieces_count(&data->pieces)) + 1
                       : traffic->stored / MAX(1, traffic->slots);
}

/* Packets of a message of `blocks` blocks of that size. */
static guint64 packets_of(const Run *run, const Traffic *traffic, guint64 blocks)
{
    guint64 packet = (guint64)run->machine->packet, bytes;
    if (packet == 0 || __builtin_mul_overflow(blocks, block_bytes(run, traffic), &bytes))
        return packet == 0 ? 1 : G_MAXINT64;
    return bytes / packet + 1;
}

/* --- memory --- */

/* Packets that each message has under way at a time. With store-and-forward all are; where start-ups overlap, those
 * that begin while one is under way, if a gap is longer than a packet holds what others wait for. */
static double packets_under_way(const Run *run, const Traffic *traffic)
{
    const Machine *machine = run->machine;
    double packets = (double)packets_of(run, traffic, traffic->largest);
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return traffic->farthest > 1 ? packets : 0;
    if (!machine->overlaps)
        return 0;
    PacketCost cost = cost_packet(machine, machine->packet, FALSE);
    double held = (double)(cost.transmit_ps + cost.delta_ps + cost.hop_ps * traffic->farthest);
    double gap = (double)cost_gap(machine, &cost), alone = (double)cost.startup_ps + held;
    return held < gap ? MIN(packets, 2 + 2 * ceil(alone / gap)) : packets;
}

/* Messages that a processor has under way at a time. With store-and-forward it sends those that are not awaited step by
 * step as fast as its ports let it, and they wait for busy ports on their way; how many is a measured law. */
static double messages_under_way(const Run *run, const Traffic *traffic)
{
    double sent = (double)traffic->most_sent, awaited = (double)traffic->most_awaited;
    if (run->machine->switching != SWITCHING_STORE_AND_FORWARD || awaited <= 2 * sent)
        return sent;
    return sent + pow(awaited, run->machine->ports == PORTS_ALL ? 1 : 0.75) / 5;
}

/* What SimGrid needs for the actors, hosts and links of a cube, as measured. */
static gsize simgrid_bytes(const Machine *machine, const Schedule *schedule)
{
    const gsize bytes_per_processor = 40000, bytes_per_link = 1500, bytes_per_actor = 39000;
    guint dimension = schedule->dimension;
    gsize ports = machine->ports == PORTS_ALL ? dimension : 1;
    gsize actors = machine->switching == SWITCHING_FLUID ? ports + schedule->n_strands - 1 : 0;
    return schedule_n_nodes(schedule) * (bytes_per_processor + dimension * bytes_per_link + actors * bytes_per_actor);
}

static double run_bytes(const Run *run, const Schedule *schedule, const Traffic *traffic)
{
    const Machine *machine = run->machine;
    double n = schedule_n_nodes(schedule), packet = BYTES_PACKET;
    double slots = (double)traffic->slots * sizeof(Block) + (double)traffic->stored + (double)schedule->stored;
    double under_way = schedule->n_strands * BYTES_STRAND + 2 * (double)traffic->most_bytes +
                       (double)traffic->most_sent * BYTES_MESSAGE + (double)traffic->most_awaited * BYTES_PARCEL;
    if (!machine)
        return BYTES_PROGRAM + slots + n * under_way;
    if (machine->switching == SWITCHING_FLUID)
        packet = BYTES_FLOW;
    under_way += messages_under_way(run, traffic) * packets_under_way(run, traffic) * packet;
    double simgrid = (double)simgrid_bytes(machine, schedule);
    return BYTES_PROGRAM + slots + n * under_way + simgrid;
}

static gsize in_bytes(double bytes)
{
    return bytes < (double)ESTIMATE_MAX ? (gsize)bytes : ESTIMATE_MAX;
}

gsize estimate_run(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Traffic traffic = traffic_of(schedule);
    return in_bytes(run_bytes(run, schedule, &traffic));
}

/* A packet has a start-up, a transmission, its channels and its waits, with store-and-forward at every hop. */
static double trace_bytes(const Run *run, const Schedule *schedule, const Traffic *traffic)
{
    double n = schedule_n_nodes(schedule), hops = (double)traffic->hops / MAX(1, (double)traffic->messages);
    double messages = (double)traffic->messages * (1 + run->machine->pairwise_sync);
    double packets = messages * (double)packets_of(run, traffic, traffic->blocks / MAX(1, traffic->messages));
    double of_packet = run->machine->switching == SWITCHING_STORE_AND_FORWARD ? 6 * hops : 4 + hops;
    double of_steps = n * (schedule->n_phases + (run->machine->flop_ps ? schedule->n_strands * schedule->n_steps : 0));
    return messages * sizeof(TraceMessage) + (packets * of_packet + 2 * of_steps) * sizeof(TraceInterval);
}

gsize estimate_traced(const Run *run, double text)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Traffic traffic = traffic_of(schedule);
    double trace = trace_bytes(run, schedule, &traffic);
    return in_bytes(MAX(run_bytes(run, schedule, &traffic) + 2.25 * trace, BYTES_PARENT + MAX(2, 1 + text) * trace));
}

/* --- time --- */

/* The data's size does not matter to the schedule. */
static gboolean same_schedule(const Problem *a, const Problem *b)
{
    Problem one = *a, other = *b;
    one.data = (Division){.pieces = a->data.pieces};
    other.data = (Division){.pieces = b->data.pieces};
    return memcmp(&one, &other, sizeof one) == 0;
}

enum { EFFORT_RUN = 3000, EFFORT_CHANNEL = 20, EFFORT_FLOW = 10, EFFORT_BLOCKS = 10, EFFORT_PRODUCTS = 100 };

guint64 estimate_effort(const Run *run, EstimateMemo *memo)
{
    typedef unsigned __int128 Wide;
    if (!memo->problem.algorithm || !same_schedule(&memo->problem, &run->problem)) {
        g_autoptr(Schedule) schedule = schedule_make(&run->problem);
        memo->problem = run->problem;
        memo->traffic = traffic_of(schedule);
    }
    const Traffic *traffic = &memo->traffic;
    const Pattern *pattern = run->problem.pattern;
    guint64 packets = packets_of(run, traffic, traffic->blocks / MAX(1, traffic->messages));
    Wide crossed = (Wide)traffic->hops * (packets + run->machine->pairwise_sync);
    Wide all = EFFORT_RUN + (Wide)problem_n_nodes(&run->problem) * run->problem.dimension * EFFORT_CHANNEL +
               crossed * (run->machine->switching == SWITCHING_FLUID ? EFFORT_FLOW : 1) +
               (traffic->blocks + traffic->slots) / EFFORT_BLOCKS +
               (pattern->products ? (Wide)pattern->products(&run->problem) : 0) / EFFORT_PRODUCTS;
    return (guint64)MIN(all, ESTIMATE_EFFORT_MAX);
}

/* --- what the clock counts --- */

/* Packets that follow each other take at least their start-ups. */
static gboolean packets_count(const Run *run, GError **error)
{
    gint64 packets = run->problem.data.pieces.long_packets, startups_ps;
    if (!run->machine || run->problem.dimension == 0)
        return TRUE;
    gint64 lambda_ps = MIN(run->machine->terms.lambda_ps, run->machine->short_terms.lambda_ps);
    if (!__builtin_mul_overflow(packets - 1, lambda_ps, &startups_ps) && startups_ps < INPUT_TIME_MAX_PS)
        return TRUE;
    return input_refuse(error, "packet: %" G_GINT64_FORMAT " packets take longer to start than the clock can count; "
                        "allowed: below 2^53 ps (2.5 hours)", packets);
}

/* What is copied must be known before it moves. */
static gboolean check_gathering(const Run *run, GError **error)
{
    Problem problem = run->problem;
    if (problem.gathering.how == GATHER_FREE)
        return TRUE;
    problem.gathering.how = GATHER_FREE;
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    return !content_sizes_move(schedule->content) ||
           input_refuse(error, "copy: what is copied is not known where the sizes of messages depend on what moves, as "
                        "in products of matrices and permutations in unequal pieces; allowed: copy = 0 with gather = "
                        "copy");
}

static gboolean check_size(const Run *run, GError **error)
{
    const Pattern *pattern = run->problem.pattern;
    guint64 slots = pattern->least_slots ? pattern->least_slots(&run->problem) : 0;
    if (pattern->check_clock)
        return pattern->check_clock(run, error) &&
               available_check(run, slots * sizeof(Block), available_bytes(), error);
    if (run->problem.data.bytes <= INPUT_TIME_MAX_PS >> run->problem.dimension)
        return packets_count(run, error);
    return input_refuse(error, "bytes: '%" G_GINT64_FORMAT "' is more than the clock can count; allowed: at most %"
                        G_GINT64_FORMAT " at d = %u", run->problem.data.bytes,
                        INPUT_TIME_MAX_PS >> run->problem.dimension, run->problem.dimension);
}

gboolean run_check_clock(const Run *run, GError **error)
{
    if (run->refused)
        return input_refuse(error, "%s", run->refused);
    return check_size(run, error) && check_gathering(run, error);
}

/* --- what fits into memory --- */

gboolean run_check(const Run *run, GError **error)
{
    return run_check_clock(run, error) && available_check(run, estimate_run(run), available_bytes(), error);
}

#define LIBRARIES 24000000  /* bytes that this process has of them, beyond those of a run's */

gsize run_room_beside(const Run *run, gsize least, GError **error)
{
    Run data = *run;
    data.machine = NULL;
    gsize needed = estimate_run(&data) + LIBRARIES;
    gsize available = available_bytes();
    if (!run_check_clock(run, error) || !available_check(run, needed + least, available, error))
        return 0;
    return available - needed;
}

gboolean run_check_schedule(const Run *run, GError **error)
{
    if (!run_check_clock(run, error))
        return FALSE;
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Traffic traffic = traffic_of(schedule);
    gsize needed = in_bytes(BYTES_PARENT + (double)schedule->stored + (double)traffic.most_bytes);
    return available_check(run, needed, available_bytes(), error);
}

gboolean run_check_traced(const Run *run, double text, GError **error)
{
    if (run->machine->switching == SWITCHING_FLUID)
        return input_refuse(error, "switching: 'fluid' has no circuits to trace; allowed: circuit, store-and-forward");
    return run_check_clock(run, error) && available_check(run, estimate_traced(run, text), available_bytes(), error);
}
