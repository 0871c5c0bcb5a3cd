#include "gathered.h"
#include "combinators.h"

#include <math.h>

/* Effect of splitting on the messages that a processor awaits in a step. */
typedef struct {
    gint64 scattered;  /* bytes that the processor scatters at the end of the step */
    guint *n_messages; /* [awaits of the step]: number of messages that the awaited message is split into */
} Arrivals;

typedef struct {
    Combined combined;
    Gathering gathering;
    const Content *content;
    GHashTable *arrivals; /* Arrivals of the steps that await anything, by key_new() */
} Gathered;

static gint64 *key_new(const Schedule *schedule, guint node, guint strand, guint k)
{
    gint64 key = ((gint64)node * schedule->n_strands + strand) * schedule->n_steps + k;
    return g_memdup2(&key, sizeof key);
}

static void arrivals_free(gpointer arrivals)
{
    g_free(((Arrivals *)arrivals)->n_messages);
    g_free(arrivals);
}

/* --- a message --- */

/* Whether the message's stretches lie apart in memory: at the sender, or if `landing` at the receiver. */
static gboolean is_apart(const Step *step, const Send *send, gboolean landing)
{
    for (guint i = 1; i < send->n_stretches; i++) {
        const Stretch *last = step_stretch(step, send, i - 1), *next = step_stretch(step, send, i);
        if (landing ? last->landing + last->count != next->landing : last->slot + last->count != next->slot)
            return TRUE;
    }
    return FALSE;
}

static double split_packet_ps(const Gathering *g, guint hops, gint64 bytes)
{
    const GatherPiece *piece = g->pieces;
    while (bytes > piece->limit)
        piece++;
    const GatherTerms *terms = &piece->terms;
    return terms->start_ps + (double)hops * terms->hop_ps + (double)bytes * terms->byte_ps;
}

static double split_message_ps(const Gathering *g, guint hops, gint64 bytes)
{
    gint64 n_full = g->packet ? MAX(bytes - 1, 0) / g->packet : 0;
    return (double)n_full * split_packet_ps(g, hops, g->packet) + split_packet_ps(g, hops, bytes - n_full * g->packet);
}

static gint64 stretch_bytes(const Gathered *s, const Step *step, const Send *send, guint i)
{
    const Stretch *stretch = step_stretch(step, send, i);
    return content_bytes(s->content, stretch->slot, stretch->count);
}

/* Returns the time (ps) of a message whose stretches of more than `limit` bytes are messages of their own. The other
 * stretches go together; if there are several, they are copied `times` times. Sets `*next` to the bytes of the
 * smallest stretch of more than `limit` bytes, or to G_MAXINT64 if there is none. */
static double split_ps(const Gathered *s, guint hops, const Step *step, const Send *send, guint times, gint64 limit,
                       gint64 *next)
{
    const Gathering *g = &s->gathering;
    double total = 0;
    gint64 together = 0;
    guint n_together = 0;
    *next = G_MAXINT64;
    for (guint i = 0; i < send->n_stretches; i++) {
        gint64 bytes = stretch_bytes(s, step, send, i);
        if (bytes > limit) {
            total += split_message_ps(g, hops, bytes);
            *next = MIN(*next, bytes);
        } else {
            together += bytes;
            n_together++;
        }
    }
    total += n_together ? split_message_ps(g, hops, together) : 0;
    return total + (n_together > 1 ? (double)together * times * g->gather_ps_per_byte : 0);
}

/* Returns the limit of a message in bytes: its stretches of more bytes become messages of their own. */
static gint64 limit_of(const Gathered *s, guint hops, const Step *step, const Send *send, guint times)
{
    gint64 best = G_MAXINT64, next;
    double least = INFINITY;
    if (s->gathering.how != GATHER_BEST)
        return s->gathering.how == GATHER_PIECES ? -1 : G_MAXINT64;
    for (gint64 limit = -1; limit < G_MAXINT64; limit = next) {
        double ps = split_ps(s, hops, step, send, times, limit, &next);
        if (ps > least)
            continue;
        least = ps;
        best = limit;
    }
    return best;
}

/* Result of splitting a message: the bytes that are copied, and the number of messages that it becomes. */
typedef struct {
    gint64 gathered, scattered; /* bytes copied at the sender, and bytes copied at the receiver */
    guint n_messages;
} Fate;

/* Splits a message. Adds the messages that result to `out`, if not NULL: first one of all stretches that are
 * gathered, then one for each other stretch. */
static Fate split(const Gathered *s, guint node, const Step *step, const Send *send, Step *out)
{
    gboolean gathers = is_apart(step, send, FALSE), scatters = is_apart(step, send, TRUE);
    guint hops = topology_distance(&s->gathering.topology, node, send->peer), n_together = 0;
    gint64 together = 0, limit = limit_of(s, hops, step, send, gathers + scatters);
    Fate fate = {0};
    for (guint alone = 0; alone < 2; alone++)
        for (guint i = 0; i < send->n_stretches; i++) {
            const Stretch *stretch = step_stretch(step, send, i);
            gint64 bytes = stretch_bytes(s, step, send, i);
            if ((bytes > limit) != (alone == 1))
                continue;
            if (out && (alone || n_together == 0)) {
                out->transfer = send->transfer;
                step_send(out, send->peer);
            }
            if (out)
                step_carry(out, stretch->slot, stretch->count, stretch->landing);
            fate.n_messages += alone || n_together == 0;
            n_together += !alone;
            together += alone ? 0 : bytes;
        }
    if (n_together > 1)
        fate = (Fate){gathers ? together : 0, scatters ? together : 0, fate.n_messages};
    return fate;
}

/* --- a step --- */

static void messages(const Gathered *s, guint node, guint strand, guint k, const Step *step, Step *out)
{
    g_autofree gint64 *key = key_new(part_of(&s->combined.head), node, strand, k);
    const Arrivals *arrivals = g_hash_table_lookup(s->arrivals, key);
    out->exchange = step->exchange;
    out->rotate = step->rotate;
    out->renumber = step->renumber;
    out->operation = step->operation;
    for (guint i = 0; i < step->sends->len; i++)
        split(s, node, step, step_nth_send(step, i), out);
    for (guint i = 0; i < step->awaits->len; i++)
        for (guint n = 0; n < arrivals->n_messages[i]; n++)
            step_await(out, step_nth_await(step, i));
    out->copied = arrivals ? arrivals->scattered : 0;
}

static void gathered_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Gathered *s = (const Gathered *)self;
    g_auto(Step) step = step_new();
    schedule_strand_step(part_of(self), node, strand, k / 2, &step);
    if (k % 2) {
        messages(s, node, strand, k / 2, &step, out);
    } else {
        out->join = step.join;
        out->phase = step.phase;
    }
    for (guint i = 0; i < step.sends->len && k % 2 == 0; i++)
        out->copied += split(s, node, &step, step_nth_send(&step, i), NULL).gathered;
}

static guint gathered_n_steps(const Schedule *self, guint strand)
{
    return 2 * schedule_n_steps(part_of(self), strand);
}

static guint gathered_seek(const Schedule *self, guint node, guint strand, guint k, gboolean back)
{
    const Schedule *part = part_of(self);
    guint found = part->class->seek ? part->class->seek(part, node, strand, k / 2, back) : k / 2;
    return found == k / 2 ? k : found == G_MAXUINT ? found : 2 * found + back;
}

static guint gathered_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    return schedule_renumber(part_of(self), node, strand, k / 2, slot);
}

/* --- what arrives --- */

/* Calls `visit` for the steps of all processors, or with SCHEDULE_TRANSLATES of processor 0 alone. Skips steps that
 * schedule_next_step() skips. */
static void each_step(Gathered *s,
                      void (*visit)(Gathered *s, guint node, guint strand, guint k, const Step *step,
                                    GHashTable *fates),
                      GHashTable *fates)
{
    const Schedule *part = part_of(&s->combined.head);
    guint n_nodes = part->flags & SCHEDULE_TRANSLATES ? 1 : schedule_n_nodes(part);
    g_auto(Step) step = step_new();
    for (guint node = 0; node < n_nodes; node++)
        for (guint strand = 0; strand < part->n_strands; strand++)
            for (guint k = 0; k < schedule_n_steps(part, strand); k = schedule_next_step(part, node, strand, k + 1)) {
                schedule_strand_step(part, node, strand, k, &step);
                visit(s, node, strand, k, &step, fates);
            }
}

/* Returns the queue of the Fates of all messages from one processor to another in a strand, in the order in which the
 * messages arrive. */
static GQueue *queue_of(const Gathered *s, guint source, guint destination, guint strand, GHashTable *fates)
{
    const Schedule *part = part_of(&s->combined.head);
    if (part->flags & SCHEDULE_TRANSLATES) { /* processor 0 sends the same message, translated, to another processor */
        destination = group_subtract(part->group, destination, source);
        source = 0;
    }
    gint64 key = (((gint64)source << part->dimension) + destination) * SCHEDULE_STRANDS_MAX + strand;
    GQueue *queue = g_hash_table_lookup(fates, &key);
    if (!queue) {
        queue = g_queue_new();
        g_hash_table_insert(fates, g_memdup2(&key, sizeof key), queue);
    }
    return queue;
}

static void note_sends(Gathered *s, guint node, guint strand, guint k, const Step *step, GHashTable *fates)
{
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        Fate fate = split(s, node, step, send, NULL);
        g_queue_push_tail(queue_of(s, node, send->peer, strand, fates), g_memdup2(&fate, sizeof fate));
    }
}

static void note_awaits(Gathered *s, guint node, guint strand, guint k, const Step *step, GHashTable *fates)
{
    if (step->awaits->len == 0)
        return;
    Arrivals *arrivals = g_new0(Arrivals, 1);
    arrivals->n_messages = g_new(guint, step->awaits->len);
    for (guint i = 0; i < step->awaits->len; i++) {
        g_autofree Fate *fate = g_queue_pop_head(queue_of(s, step_nth_await(step, i), node, strand, fates));
        arrivals->n_messages[i] = fate->n_messages;
        arrivals->scattered += fate->scattered;
    }
    g_hash_table_insert(s->arrivals, key_new(part_of(&s->combined.head), node, strand, k), arrivals);
}

static void free_queue(gpointer queue)
{
    g_queue_free_full(queue, g_free);
}

static void gathered_clear(Schedule *self)
{
    g_hash_table_unref(((Gathered *)self)->arrivals);
    combined_clear(self);
}

Schedule *schedule_gathered(Schedule *schedule, const Gathering *gathering)
{
    static const ScheduleClass class = {.step = gathered_step,
                                        .n_steps = gathered_n_steps,
                                        .seek = gathered_seek,
                                        .renumber = gathered_renumber,
                                        .free = gathered_clear};
    guint uniform = schedule->flags & SCHEDULE_TRANSLATES;
    Gathered *s = (Gathered *)combined_new(sizeof *s, &class, 1, &schedule, 0);
    g_autoptr(GHashTable) fates = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_queue);
    s->gathering = *gathering;
    if (!gathering->topology.class)
        topology_init(&s->gathering.topology, &topology_cube, schedule_n_nodes(schedule), NULL,
                      TOPOLOGY_ROW);
    s->content = s->combined.head.content;
    s->arrivals = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, arrivals_free);
    s->combined.head.n_steps = 2 * schedule->n_steps;
    /* processors that may split their messages differently no longer send at the same time */
    s->combined.head.flags |= uniform ? SCHEDULE_TRANSLATES : SCHEDULE_CONTENDS;
    s->combined.head.flags |= gathering->how == GATHER_COPY ? schedule->flags & SCHEDULE_AT_ONCE : SCHEDULE_AT_ONCE;
    each_step(s, note_sends, fates);
    each_step(s, note_awaits, fates);
    return &s->combined.head;
}
