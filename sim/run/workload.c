#include "workload.h"
#include "sim/cube/cube.h"
#include "sim/patterns/make.h"

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

gint64 workload_bytes_about(const Content *content, guint node, const Step *step, const Send *send)
{
    gint64 bytes = 0;
    for (guint i = 0; content->class->bytes_about && i < send->n_stretches; i++) {
        const Stretch *stretch = step_stretch(step, send, i);
        bytes += content->class->bytes_about(content, node, stretch->slot, stretch->count);
    }
    return bytes;
}

static void add_step(const Content *content, guint node, const Step *step, Workload *sum)
{
    sum->steps++;
    sum->messages += step->sends->len;
    sum->early += step->awaits->len == 0 ? step->sends->len : 0;
    sum->exchanges += step->exchange;
    sum->stretches += step->stretches->len;
    for (guint i = 0; i < step->sends->len; i++) {
        sum->hops += cube_distance(node, step_nth_send(step, i)->peer);
        sum->bytes += (guint64)workload_bytes_about(content, node, step, step_nth_send(step, i));
    }
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
    sum->bytes += scale(part->bytes, by, over);
    sum->stretches += scale(part->stretches, by, over);
    sum->slots += scale(part->slots, by, over);
    sum->search += scale(part->search, by, over);
}

/* Adds what `node` does in a strand. Where most steps are empty the others are looked at, else some of all. */
static void add_strand(const Schedule *schedule, guint node, guint strand, Step *step, Workload *sum)
{
    gboolean seeks = schedule->class->seek != NULL, composed = schedule->content->class->bytes_about != NULL;
    guint n = schedule_n_steps(schedule, strand), most = composed ? WORKLOAD_STEPS_COMPOSED : STEPS_MAX;
    guint asked = seeks ? n : MIN(n, most);
    Workload part = {0};
    for (guint i = 0; i < asked; i++) {
        guint k = seeks ? schedule_next_step(schedule, node, strand, i) : spread(i, asked, n, node);
        if (k == n)
            break;
        schedule_strand_step(schedule, node, strand, k, step);
        add_step(schedule->content, node, step, &part);
        i = seeks ? k : i;
    }
    add_scaled(sum, &part, n, MAX(1, asked));
}

static Workload count(const Problem *problem)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    guint n = cube_n_nodes(schedule->dimension), root = schedule->root != NO_ROOT ? schedule->root : 0;
    guint asked = schedule->flags & SCHEDULE_UNIFORM ? 1 : MIN(n, NODES_MAX);
    Workload sum = {0}, all = {.slots = (guint64)n * schedule->n_slots, .search = schedule->search,
                               .flags = schedule->flags, .sizes_move = content_sizes_move(schedule->content)};
    Step step;
    step_init(&step);
    for (guint i = 0; i < asked; i++)
        for (guint strand = 0; strand < schedule->n_strands; strand++)
            add_strand(schedule, spread(i, asked, n, 0) ^ root, strand, &step, &sum);
    step_clear(&step);
    add_scaled(&all, &sum, n, asked);
    return all;
}

/* The same problem with fewer packets, if it has many. */
static Problem shortened(const Problem *problem)
{
    Problem some = *problem;
    Pieces *pieces = &some.data.pieces;
    if (pieces->long_packets > PACKETS_MAX) {
        pieces->long_packets = PACKETS_MAX;
        pieces->short_packets = MIN(pieces->short_packets, PACKETS_MAX);
    }
    return some;
}

/* --- remembering --- */

static guint problem_hash(gconstpointer key)
{
    const Problem *p = key;
    guint hash = GPOINTER_TO_UINT(p->algorithm) ^ GPOINTER_TO_UINT(p->pattern);
    const Pieces *pieces = &p->data.pieces;
    const guint numbers[] = {p->dimension, p->accumulate, p->idle, pieces->n_parts, pieces->n_long,
                             pieces->long_packets, pieces->short_packets, p->partition.n_parts,
                             p->permutation.n_cycles};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        hash = hash * 31 + numbers[i];
    const Multiplication *m = &p->matmul;
    const guint of_matrices[] = {m->shape.p, m->shape.q, m->shape.r, m->grid.n1, m->repeat, (guint)m->packet};
    for (guint i = 0; i < p->partition.n_parts; i++)
        hash = hash * 31 + p->partition.part[i];
    for (guint i = 0; m->routing && i < G_N_ELEMENTS(of_matrices); i++)
        hash = hash * 31 + of_matrices[i];
    return hash;
}

static gboolean multiplication_same(const Multiplication *a, const Multiplication *b)
{
    return a->shape.p == b->shape.p && a->shape.q == b->shape.q && a->shape.r == b->shape.r &&
           a->grid.n1 == b->grid.n1 && a->layout == b->layout && a->routing == b->routing && a->element == b->element &&
           a->packet == b->packet && a->packet_of_a == b->packet_of_a && a->repeat == b->repeat &&
           a->overlap == b->overlap;
}

/* Whether the workloads are the same; the source only gives the processors other numbers. */
static gboolean problem_same(gconstpointer one, gconstpointer other)
{
    const Problem *a = one, *b = other;
    return a->algorithm == b->algorithm && a->pattern == b->pattern && a->dimension == b->dimension &&
           a->accumulate == b->accumulate && a->idle == b->idle && partition_equal(&a->partition, &b->partition) &&
           memcmp(&a->data.pieces, &b->data.pieces, sizeof a->data.pieces) == 0 &&
           (a->data.piece == PIECES_DIFFER) == (b->data.piece == PIECES_DIFFER) &&
           permutation_equal(&a->permutation, &b->permutation) && multiplication_same(&a->matmul, &b->matmul);
}

GHashTable *workloads_new(void)
{
    return g_hash_table_new_full(problem_hash, problem_same, g_free, g_free);
}

Workload workloads_count(GHashTable *workloads, const Problem *problem)
{
    Problem some = shortened(problem);
    const Workload *part = g_hash_table_lookup(workloads, &some);
    if (!part) {
        Workload counted = count(&some);
        part = g_memdup2(&counted, sizeof counted);
        g_hash_table_insert(workloads, g_memdup2(&some, sizeof some), (gpointer)part);
    }
    Workload all = {.flags = part->flags, .sizes_move = part->sizes_move};
    add_scaled(&all, part, pieces_count(&problem->data.pieces), MAX(1, pieces_count(&some.data.pieces)));
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
    NS_PIECE = 43,              /* more, of a block whose bytes are looked up */
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
    NS_BACK_MESSAGE = 200,      /* for every message of such a step */
    NS_PRODUCT = 3,             /* of two elements of matrices, in both walks and the proof */
    NS_ELEMENT = 50,            /* of a matrix: made, cut, checked */
};

/* The packets of a message of average size, where the machine cuts it. */
static guint64 packets_per_message(const Run *run, const Workload *work)
{
    guint64 pieces = work->messages * MAX(1, pieces_count(&run->problem.data.pieces));
    guint64 packet = (guint64)run->machine->packet;
    if (!packet || pieces == 0)
        return 1;
    guint64 bytes = work->bytes ? work->bytes / work->messages
                                : scale((guint64)run->problem.data.bytes, work->blocks, pieces);
    return MAX(1, bytes / packet + (bytes % packet != 0));
}

static gboolean contends(const Workload *work)
{
    return (work->flags & SCHEDULE_CONTENDS) != 0;
}

static Wide circuits_ns(const Workload *work, guint64 packets, guint64 handshakes)
{
    guint64 n = MAX(1, work->messages), early = scale(work->hops, work->early, n);
    Wide hops = (Wide)work->hops * packets + scale(work->hops, handshakes, n);
    Wide free = ((Wide)work->messages * packets + handshakes) * NS_PACKET + hops * NS_HOP;
    return contends(work) ? free + hops * NS_HOP_CONTENDED + (Wide)early * NS_HOP_EARLY : free;
}

static Wide stored_ns(const Run *run, const Workload *work, guint64 packets)
{
    guint64 relays = work->hops - work->messages, early = scale(work->hops, work->early, MAX(1, work->messages));
    Wide piled = contends(work) ? (Wide)early * NS_STORED_EARLY : 0;
    Wide relayed = (Wide)relays * packets * NS_RELAY;
    return (Wide)work->hops * packets * NS_HOP_STORED + (relayed + piled) * run->problem.dimension;
}

static Wide network_ns(const Run *run, const Workload *work, guint64 handshakes)
{
    guint64 packets = packets_per_message(run, work);
    guint flow = NS_FLOW + (contends(work) ? NS_FLOW_CONTENDED : 0);
    switch (run->machine->switching) {
    case SWITCHING_FLUID:
        return ((Wide)work->messages * packets + handshakes) * flow;
    case SWITCHING_STORE_AND_FORWARD:
        return stored_ns(run, work, packets);
    case SWITCHING_CIRCUIT:
        break;
    }
    return circuits_ns(work, packets, handshakes);
}

/* What making the steps takes, beyond NS_STEP. Where a step is made of those of others, these have a message for every
 * part that a processor with n ports gets at a time. */
static Wide making_ns(const Run *run, const Workload *work)
{
    guint parts = run->machine->ports == PORTS_ALL ? run->problem.data.pieces.n_parts : 1;
    Wide turned = (Wide)work->steps * NS_BACK_STEP + (Wide)work->messages * parts * NS_BACK_MESSAGE;
    return (Wide)work->search * NS_SEARCH + (work->flags & SCHEDULE_TURNED ? turned : 0);
}

static Wide arithmetic_ns(const Multiplication *m)
{
    Wide p = m->shape.p, q = m->shape.q, r = m->shape.r;
    return m->repeat * (p * q * r * NS_PRODUCT + (p * q + q * r + p * r) * NS_ELEMENT);
}

guint64 workloads_effort(GHashTable *workloads, const Run *run)
{
    guint dimension = run->problem.dimension;
    Workload work = workloads_count(workloads, &run->problem);
    guint64 handshakes = run->machine->pairwise_sync ? work.exchanges : 0;
    guint per_block = NS_BLOCK + (work.sizes_move ? NS_PIECE : 0);
    Wide ns = NS_RUN + (Wide)cube_n_nodes(dimension) * dimension * NS_CHANNEL + (Wide)work.slots * NS_SLOT +
              (Wide)work.steps * NS_STEP + ((Wide)work.messages + handshakes) * NS_MESSAGE +
              (Wide)work.stretches * NS_STRETCH + (Wide)work.blocks * per_block + making_ns(run, &work) +
              network_ns(run, &work, handshakes) + arithmetic_ns(&run->problem.matmul);
    return (guint64)MIN(MAX(1, ns / 1000), WORKLOAD_EFFORT_MAX);
}
