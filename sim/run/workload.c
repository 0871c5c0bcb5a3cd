#include "workload.h"
#include "sim/cube/cube.h"

#include <string.h>

#define NODES_MAX 32        /* processors that are asked */
#define STEPS_MAX 32        /* steps of each */
#define PACKETS_MAX 8       /* of a part; more do the same */

/* --- counting --- */

/* The place `i` of `n` that are evenly spread over `total`, each at random within its share. */
static guint spread(guint i, guint n, guint total, guint salt)
{
    guint64 from = (guint64)total * i / n, to = (guint64)total * (i + 1) / n;
    guint64 random = (i * 40503u + salt * 2654435761u) >> 8;
    return (guint)(from + random % (to - from));
}

static void add_step(guint node, const Step *step, Workload *sum)
{
    sum->steps++;
    sum->messages += step->sends->len;
    sum->early += step->awaits->len == 0 ? step->sends->len : 0;
    sum->exchanges += step->exchange;
    sum->stretches += step->stretches->len;
    for (guint i = 0; i < step->sends->len; i++)
        sum->hops += cube_distance(node, step_nth_send(step, i)->peer);
    for (guint i = 0; i < step->stretches->len; i++)
        sum->blocks += g_array_index(step->stretches, Stretch, i).count;
}

static guint64 scale(guint64 value, guint64 by, guint64 over)
{
    return (guint64)((unsigned __int128)value * by / over);
}

/* sum += part x by / over */
static void add_scaled(Workload *sum, const Workload *part, guint64 by, guint64 over)
{
    sum->steps += scale(part->steps, by, over);
    sum->messages += scale(part->messages, by, over);
    sum->early += scale(part->early, by, over);
    sum->exchanges += scale(part->exchanges, by, over);
    sum->hops += scale(part->hops, by, over);
    sum->blocks += scale(part->blocks, by, over);
    sum->stretches += scale(part->stretches, by, over);
}

/* Adds what `node` does in a strand. Where most steps are empty the others are looked at, else some of all. */
static void add_strand(const Schedule *schedule, guint node, guint strand, Step *step, Workload *sum)
{
    guint n = schedule_n_steps(schedule, strand), asked = MIN(n, STEPS_MAX);
    Workload part = {0};
    if (schedule->algorithm->seek) {
        for (guint k = schedule_next_step(schedule, node, strand, 0); k < n;
             k = schedule_next_step(schedule, node, strand, k + 1)) {
            schedule_strand_step(schedule, node, strand, k, step);
            add_step(node, step, sum);
        }
        return;
    }
    for (guint i = 0; i < asked; i++) {
        schedule_strand_step(schedule, node, strand, spread(i, asked, n, node), step);
        add_step(node, step, &part);
    }
    if (asked)
        add_scaled(sum, &part, n, asked);
}

static Workload count(const Schedule *schedule)
{
    guint n = cube_n_nodes(schedule->dimension);
    guint asked = schedule->algorithm->translates ? 1 : MIN(n, NODES_MAX);
    Workload sum = {0}, all = {0};
    Step step;
    step_init(&step);
    for (guint i = 0; i < asked; i++)
        for (guint strand = 0; strand < schedule->n_strands; strand++)
            add_strand(schedule, spread(i, asked, n, 0) ^ schedule->source, strand, &step, &sum);
    step_clear(&step);
    add_scaled(&all, &sum, n, asked);
    return all;
}

/* The same schedule with fewer packets, if it has many. */
static Schedule shortened(const Schedule *schedule)
{
    Pieces pieces = schedule->pieces;
    if (pieces.long_packets <= PACKETS_MAX)
        return *schedule;
    pieces.long_packets = MIN(pieces.long_packets, PACKETS_MAX);
    pieces.short_packets = MIN(pieces.short_packets, PACKETS_MAX);
    ScheduleOptions options = {.partition = &schedule->partition, .source = schedule->source,
                               .accumulate = schedule->accumulate, .permutation = &schedule->permutation,
                               .idle = schedule->idle, .pieces = pieces,
                               .reversed = schedule->pattern->kind != schedule->algorithm->pattern};
    return schedule_make(schedule->algorithm, schedule->dimension, &options);
}

/* --- remembering --- */

struct Workloads {
    GHashTable *known;      /* Schedule -> Workload */
};

static guint schedule_hash(gconstpointer key)
{
    const Schedule *s = key;
    guint hash = GPOINTER_TO_UINT(s->algorithm) ^ (guint)s->pattern->kind;
    const guint numbers[] = {s->dimension, s->accumulate, s->idle, s->pieces.n_parts, s->pieces.n_long,
                             s->pieces.long_packets, s->pieces.short_packets, s->partition.n_parts,
                             s->permutation.n_cycles};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        hash = hash * 31 + numbers[i];
    for (guint i = 0; i < s->partition.n_parts; i++)
        hash = hash * 31 + s->partition.part[i];
    return hash;
}

/* Whether the workloads are the same; the source only gives the processors other numbers. */
static gboolean schedule_same(gconstpointer one, gconstpointer other)
{
    const Schedule *a = one, *b = other;
    return a->algorithm == b->algorithm && a->pattern == b->pattern && a->dimension == b->dimension &&
           a->accumulate == b->accumulate && a->idle == b->idle && partition_equal(&a->partition, &b->partition) &&
           memcmp(&a->pieces, &b->pieces, sizeof a->pieces) == 0 && permutation_equal(&a->permutation, &b->permutation);
}

Workloads *workloads_new(void)
{
    Workloads *workloads = g_new(Workloads, 1);
    workloads->known = g_hash_table_new_full(schedule_hash, schedule_same, g_free, g_free);
    return workloads;
}

void workloads_free(Workloads *workloads)
{
    if (!workloads)
        return;
    g_hash_table_destroy(workloads->known);
    g_free(workloads);
}

Workload workloads_count(Workloads *workloads, const Schedule *schedule)
{
    Schedule some = shortened(schedule);
    const Workload *part = g_hash_table_lookup(workloads->known, &some);
    if (!part) {
        Workload counted = count(&some);
        part = g_memdup2(&counted, sizeof counted);
        g_hash_table_insert(workloads->known, g_memdup2(&some, sizeof some), (gpointer)part);
    }
    Workload all = {0};
    add_scaled(&all, part, pieces_count(&schedule->pieces), MAX(1, pieces_count(&some.pieces)));
    return all;
}

/* --- how long it takes --- */

typedef unsigned __int128 Wide;

/* ns of CPU, fitted to runs of all algorithms at d = 3 ... 10; scripts/cluster/balance.sh shows how well they fit. */
enum {
    NS_RUN = 950000,            /* a process */
    NS_CHANNEL = 5440,          /* SimGrid's platform and actors */
    NS_SLOT = 22,               /* of memory: filled and checked */
    NS_STEP = 400,
    NS_MESSAGE = 260,
    NS_STRETCH = 36,
    NS_BLOCK = 2,
    NS_PIECE = 43,              /* of a permutation; fitted when its bytes were always looked up */
    NS_PACKET = 49,             /* over a circuit */
    NS_HOP = 33,
    NS_HOP_CONTENDED = 120,     /* more, where messages wait for each other */
    NS_HOP_EARLY = 170,         /* more, per message, where they pile up */
    NS_HOP_STORED = 130,        /* of a packet, with store-and-forward */
    NS_RELAY = 43,              /* more for hops after the first, for every dimension */
    NS_STORED_EARLY = 100,      /* more, per message, for every dimension */
    NS_FLOW = 2770,
    NS_FLOW_CONTENDED = 5580,   /* more */
    NS_SEARCH = 3,              /* of a slot for something to send */
    NS_BACK_STEP = 520,         /* more, where a step is made from those of others */
    NS_BACK_PART = 200,
};

/* The packets of a message of average size, where the machine cuts it. */
static guint64 packets_per_message(const Run *run, const Workload *work)
{
    guint64 pieces = work->messages * MAX(1, pieces_count(&run->schedule.pieces));
    guint64 packet = (guint64)run->machine->packet;
    if (!packet || run->schedule.algorithm->pipelines || pieces == 0)
        return 1;
    guint64 bytes = scale((guint64)run->data.bytes, work->blocks, pieces);
    return MAX(1, bytes / packet + (bytes % packet != 0));
}

static Wide circuits_ns(const Run *run, const Workload *work, guint64 packets, guint64 handshakes)
{
    guint64 n = MAX(1, work->messages), early = scale(work->hops, work->early, n);
    Wide hops = (Wide)work->hops * packets + scale(work->hops, handshakes, n);
    Wide free = ((Wide)work->messages * packets + handshakes) * NS_PACKET + hops * NS_HOP;
    return schedule_contends(&run->schedule) ? free + hops * NS_HOP_CONTENDED + (Wide)early * NS_HOP_EARLY : free;
}

static Wide stored_ns(const Run *run, const Workload *work, guint64 packets)
{
    guint64 relays = work->hops - work->messages, early = scale(work->hops, work->early, MAX(1, work->messages));
    Wide piled = schedule_contends(&run->schedule) ? (Wide)early * NS_STORED_EARLY : 0;
    Wide relayed = (Wide)relays * packets * NS_RELAY;
    return (Wide)work->hops * packets * NS_HOP_STORED + (relayed + piled) * run->schedule.dimension;
}

static Wide network_ns(const Run *run, const Workload *work, guint64 handshakes)
{
    guint64 packets = packets_per_message(run, work);
    guint flow = NS_FLOW + (schedule_contends(&run->schedule) ? NS_FLOW_CONTENDED : 0);
    switch (run->machine->switching) {
    case SWITCHING_FLUID:
        return ((Wide)work->messages * packets + handshakes) * flow;
    case SWITCHING_STORE_AND_FORWARD:
        return stored_ns(run, work, packets);
    case SWITCHING_CIRCUIT:
        break;
    }
    return circuits_ns(run, work, packets, handshakes);
}

/* Where there is one source and messages are merged, a processor looks for what to send among all slots of those behind
 * it (schedules/paths.c), 3^d of all processors together. Backwards it does so for its neighbours. */
static Wide search_ns(const Schedule *schedule, gboolean back)
{
    const Algorithm *algorithm = schedule->algorithm;
    guint ports = algorithm->n_port ? schedule->dimension : 1;
    gboolean spread = algorithm->pattern == PATTERN_SCATTER && algorithm->merges;
    Wide slots = spread ? (Wide)schedule->n_steps * ports * schedule->pieces.n_parts : 0;
    for (guint i = 0; i < schedule->dimension; i++)
        slots *= 3;
    return slots * (back ? 1 + ports : 1) * NS_SEARCH;
}

/* What making the steps takes, beyond NS_STEP. */
static Wide making_ns(const Schedule *schedule, const Workload *work)
{
    gboolean back = schedule->pattern->kind != schedule->algorithm->pattern && !schedule->algorithm->translates;
    guint parts = schedule->algorithm->n_port ? schedule->pieces.n_parts : 1;
    Wide turned = (Wide)work->steps * NS_BACK_STEP + (Wide)work->messages * parts * NS_BACK_PART;
    return search_ns(schedule, back) + (back ? turned : 0);
}

guint64 workloads_effort(Workloads *workloads, const Run *run)
{
    const Schedule *schedule = &run->schedule;
    Workload work = workloads_count(workloads, schedule);
    guint64 handshakes = run->machine->pairwise_sync ? work.exchanges : 0, n = cube_n_nodes(schedule->dimension);
    guint per_block = NS_BLOCK + (schedule->pattern->kind == PATTERN_PERMUTATION ? NS_PIECE : 0);
    Wide ns = NS_RUN + (Wide)n * schedule->dimension * NS_CHANNEL + (Wide)n * schedule->n_slots * NS_SLOT +
              (Wide)work.steps * NS_STEP + ((Wide)work.messages + handshakes) * NS_MESSAGE +
              (Wide)work.stretches * NS_STRETCH + (Wide)work.blocks * per_block + making_ns(schedule, &work) +
              network_ns(run, &work, handshakes);
    return (guint64)MIN(MAX(1, ns / 1000), WORKLOAD_EFFORT_MAX);
}
