#include "compile.h"
#include "payload.h"
#include "sim/cube/cube.h"
#include "sim/replay/replay.h"

#include <string.h>

/* Where the block of a slot is. */
typedef struct {
    Block block;            /* BLOCK_NONE: the slot is empty */
    guint place;            /* of the slot, in every half */
    guint half;
    guint sent;             /* number of the step in which it was sent last, counted from 1; 0: never */
} Slot;

/* What a strand does now. */
typedef struct {
    AgendaStep agenda;
    guint number;           /* counted from 1 */
    gsize stage;            /* bytes of the stage taken so far */
} Present;

typedef struct {
    const Schedule *schedule;
    const Content *content;
    gboolean pairwise_sync, phase_barrier;
    Replay *replay;
    Agenda *agenda;
    gsize inbox;            /* bytes of receives that have bytes of their own */
    gsize block_bytes;      /* between two places */
    Slot *slots, *scratch;  /* [n_slots] */
    guint home, away;       /* halves: what is sent from one lands in the other */
    guint n_halves;
    Present *present;       /* [n_strands] */
    GHashTable *digests;    /* with elements: of parcels to this processor that are under way, guint64 * */
} Compiler;

/* --- memory --- */

/* Bytes of a block that is, or was, in a slot. */
static gsize bytes_of(const Compiler *c, Block block, guint slot)
{
    const Content *content = c->content;
    gboolean by_slot = content->block_bytes != BYTES_DIFFER || content->class->bytes_of_slots;
    return (gsize)(by_slot ? content_bytes(content, slot, 1) : content_bytes_of_blocks(content, &block, 1));
}

static gsize place_of(const Compiler *c, guint half, guint place)
{
    return ((gsize)half * c->schedule->n_slots + place) * c->block_bytes;
}

static gsize where(const Compiler *c, const Slot *slot)
{
    return place_of(c, slot->half, slot->place);
}

/* The largest block that anybody has at the beginning; blocks stay as they are. */
static gsize largest_block(const Compiler *c)
{
    gsize largest = 0;
    g_autofree Block *blocks = g_new(Block, c->schedule->n_slots);
    if (c->content->block_bytes != BYTES_DIFFER)
        return (gsize)c->content->block_bytes;
    for (guint node = 0; node < cube_n_nodes(c->schedule->dimension); node++) {
        c->content->class->fill(c->content, node, blocks);
        for (guint i = 0; i < c->schedule->n_slots; i++)
            if (blocks[i] != BLOCK_NONE)
                largest = MAX(largest, bytes_of(c, blocks[i], i));
    }
    return largest;
}

static void add_known(const Compiler *c, GArray *blocks)
{
    for (guint i = 0; i < c->schedule->n_slots; i++) {
        const Slot *slot = &c->slots[i];
        if (slot->block == BLOCK_NONE)
            continue;
        AgendaBlock known = {slot->block, where(c, slot), bytes_of(c, slot->block, i)};
        g_array_append_val(blocks, known);
    }
}

static void fill_slots(Compiler *c)
{
    g_autofree Block *blocks = g_new(Block, c->schedule->n_slots);
    c->content->class->fill(c->content, c->agenda->node, blocks);
    for (guint i = 0; i < c->schedule->n_slots; i++)
        c->slots[i] = (Slot){.block = blocks[i], .place = i};
    add_known(c, c->agenda->first);
}

/* --- segments --- */

/* Adds a segment to the message, or to its last one if that goes on here. What is added is added in words, which no two
 * blocks share. */
static void add_segment(const Agenda *agenda, AgendaMessage *message, Segment segment)
{
    message->bytes += segment.bytes;
    if (message->n_segments > 0) {
        Segment *last = &g_array_index(agenda->segments, Segment, agenda->segments->len - 1);
        gboolean whole = !segment.adds || last->bytes % PAYLOAD_WORD == 0;
        if (last->at + last->bytes == segment.at && last->adds == segment.adds && whole) {
            last->bytes += segment.bytes;
            return;
        }
    }
    g_array_append_val(agenda->segments, segment);
    message->n_segments++;
}

/* Ends a message: it is staged if it must be, or is not in one piece. `stage` counts the bytes of the stage taken. */
static void end_message(const Compiler *c, AgendaMessage *message, gboolean staged, gsize *stage)
{
    message->staged = staged || message->n_segments > 1;
    message->stage = *stage;
    if (message->staged)
        *stage += message->bytes;
    c->agenda->largest = MAX(c->agenda->largest, message->bytes);
}

static AgendaMessage begin_message(const Compiler *c, const Parcel *parcel, guint peer)
{
    return (AgendaMessage){.peer = peer, .step = parcel->step, .first = c->agenda->segments->len,
                         .first_block = c->agenda->blocks->len};
}

static void end_receive(Compiler *c, Present *present, AgendaMessage *message, gboolean staged)
{
    gboolean early = c->agenda->early;
    end_message(c, message, staged || early, early ? &c->inbox : &present->stage);
}

/* --- messages --- */

/* With several strands, what is sent for good is packed, because nobody knows what happens next in its slot. */
static void add_send(Compiler *c, const Parcel *parcel)
{
    Present *present = &c->present[parcel->strand];
    const Stretch *stretches = parcel_stretches(parcel);
    gboolean copies = parcel->transfer == TRANSFER_COPY, strands = c->agenda->n_strands > 1;
    AgendaMessage message = begin_message(c, parcel, parcel->destination);
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++) {
            Slot *slot = &c->slots[stretches[s].slot + i];
            gsize bytes = bytes_of(c, slot->block, stretches[s].slot + i);
            add_segment(c->agenda, &message, (Segment){where(c, slot), bytes, FALSE});
            if (!copies) {
                slot->block = BLOCK_NONE;
                slot->sent = present->number;
            }
        }
    message.clears = strands && parcel->transfer == TRANSFER_COMBINE;
    end_message(c, &message, strands && !copies, &present->stage);
    g_array_append_val(c->agenda->strands[parcel->strand].sends, message);
    present->agenda.n_sends++;
}

/* Whether a message lands on what the same step sends. */
static gboolean lands_on_sent(const Compiler *c, const Parcel *parcel)
{
    const Stretch *stretches = parcel_stretches(parcel);
    guint number = c->present[parcel->strand].number;
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++)
            if (c->slots[stretches[s].landing + i].sent == number)
                return TRUE;
    return FALSE;
}

/* Puts a block that arrives into a slot; `evades` if it goes to another half than that slot's. */
static Segment land(Compiler *c, Slot *slot, guint number, const Parcel *parcel, gboolean evades)
{
    gboolean adds = parcel->transfer == TRANSFER_COMBINE, strands = c->agenda->n_strands > 1;
    Segment segment = {.adds = adds && (strands || slot->block != BLOCK_NONE)};
    if (slot->block != BLOCK_NONE && adds) {
        slot->block = c->content->class->add(c->content, slot->block, parcel->load[number]);
    } else {
        slot->block = parcel->load[number];
        if (evades && !strands)
            slot->half = slot->half == c->home ? c->away : c->home;
    }
    c->n_halves = MAX(c->n_halves, slot->half + 1);
    segment.at = where(c, slot);
    return segment;
}

static void add_receive(Compiler *c, const Parcel *parcel)
{
    Present *present = &c->present[parcel->strand];
    const Stretch *stretches = parcel_stretches(parcel);
    gboolean evades = lands_on_sent(c, parcel), adds = FALSE;
    AgendaMessage message = begin_message(c, parcel, parcel->source);
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++) {
            guint number = message.n_blocks++;
            gsize bytes = bytes_of(c, parcel->load[number], stretches[s].slot + i);
            AgendaBlock block = {parcel->load[number], message.bytes, bytes};
            g_array_append_val(c->agenda->blocks, block);
            Segment segment = land(c, &c->slots[stretches[s].landing + i], number, parcel, evades);
            segment.bytes = bytes;
            adds |= segment.adds;
            add_segment(c->agenda, &message, segment);
        }
    end_receive(c, present, &message, adds);
    g_array_append_val(c->agenda->strands[parcel->strand].receives, message);
    present->agenda.n_receives++;
}

/* --- messages of blocks with elements --- */

/* Each block is a segment. */
static void add_block(const Agenda *agenda, AgendaMessage *message, Segment segment)
{
    g_array_append_val(agenda->segments, segment);
    message->bytes += segment.bytes;
    message->n_segments++;
}

static void add_whole_send(Compiler *c, const Parcel *parcel)
{
    Present *present = &c->present[parcel->strand];
    const Stretch *stretches = parcel_stretches(parcel);
    AgendaMessage message = begin_message(c, parcel, parcel->destination);
    guint number = 0;
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++) {
            gsize bytes = (gsize)content_bytes_of_blocks(c->content, &parcel->load[number++], 1);
            add_block(c->agenda, &message, (Segment){stretches[s].slot + i, bytes, FALSE});
        }
    message.clears = parcel->transfer != TRANSFER_COPY;
    end_message(c, &message, TRUE, &present->stage);
    g_array_append_val(c->agenda->strands[parcel->strand].sends, message);
    present->agenda.n_sends++;
}

static void add_whole_receive(Compiler *c, const Parcel *parcel)
{
    Present *present = &c->present[parcel->strand];
    const Stretch *stretches = parcel_stretches(parcel);
    gboolean adds = parcel->transfer == TRANSFER_COMBINE;
    AgendaMessage message = begin_message(c, parcel, parcel->source);
    Content *content = c->schedule->content;
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++) {
            Block block = parcel->load[message.n_blocks++];
            gsize bytes = (gsize)content_bytes_of_blocks(content, &block, 1);
            AgendaBlock known = {content->class->sketch ? content->class->sketch(content, block) : block, message.bytes,
                                 bytes};
            g_array_append_val(c->agenda->blocks, known);
            add_block(c->agenda, &message, (Segment){stretches[s].landing + i, bytes, adds});
        }
    message.digest = *(const guint64 *)g_hash_table_lookup(c->digests, parcel);
    g_hash_table_remove(c->digests, parcel);
    end_receive(c, present, &message, TRUE);
    g_array_append_val(c->agenda->strands[parcel->strand].receives, message);
    present->agenda.n_receives++;
}

static void keep_digest(const Compiler *c, Parcel *parcel)
{
    guint64 digest = elements_digest_blocks(c->content, parcel->load, parcel->count);
    g_hash_table_insert(c->digests, parcel, g_memdup2(&digest, sizeof digest));
}

/* --- the walk --- */

static void begin(gpointer user, guint node, const Step *step)
{
    Compiler *c = user;
    if (node != c->agenda->node)
        return;
    Present *present = &c->present[step->strand];
    const AgendaStrand *strand = &c->agenda->strands[step->strand];
    present->number++;
    present->stage = 0;
    present->agenda = (AgendaStep){.join = step->join, .barrier = step->phase && c->phase_barrier,
                               .handshake = step->exchange && c->pairwise_sync,
                               .first_send = strand->sends->len, .first_receive = strand->receives->len,
                               .first_copy = c->agenda->copies->len,
                               .end = {step->strand, replay_strand_step(c->replay, node, step->strand), step->rotate,
                                       step->renumber, step->operation}};
    if (present->agenda.handshake)
        present->agenda.partner = step_nth_send(step, 0)->peer;
}

static void send(gpointer user, Parcel *parcel)
{
    Compiler *c = user;
    c->agenda->messages++;
    c->agenda->sums |= parcel->transfer == TRANSFER_COMBINE;
    if (parcel->source == c->agenda->node && !parcel->handshake)
        (c->agenda->elements ? add_whole_send : add_send)(c, parcel);
    if (parcel->destination == c->agenda->node && !parcel->handshake && c->agenda->elements)
        keep_digest(c, parcel);
    replay_sent(c->replay, parcel);
    replay_delivered(c->replay, parcel);
}

static void receive(gpointer user, guint node, const Parcel *parcel)
{
    Compiler *c = user;
    if (node != c->agenda->node || parcel->handshake)
        return;
    c->agenda->crosses |= parcel->step != replay_strand_step(c->replay, node, parcel->strand);
    (c->agenda->elements ? add_whole_receive : add_receive)(c, parcel);
}

static void barrier(gpointer user)
{
    replay_barrier_over(((Compiler *)user)->replay);
}

/* A half in which none of the slots' blocks are. */
static guint free_half(const Compiler *c, guint n_slots)
{
    guint used = 0, half = 0;
    for (guint i = 0; i < n_slots; i++)
        if (c->slots[i].block != BLOCK_NONE)
            used |= 1u << c->slots[i].half;
    while (used >> half & 1)
        half++;
    return half;
}

static void add_copy(const Agenda *agenda, AgendaStep *step, AgendaCopy copy)
{
    if (step->n_copies > 0) {
        AgendaCopy *last = &g_array_index(agenda->copies, AgendaCopy, agenda->copies->len - 1);
        if (last->to + last->bytes == copy.to && last->from + last->bytes == copy.from) {
            last->bytes += copy.bytes;
            return;
        }
    }
    g_array_append_val(agenda->copies, copy);
    step->n_copies++;
}

/* As memory_rotate(), into a half that is free. */
static void rotate(Compiler *c, Present *present)
{
    guint n = cube_n_nodes(c->schedule->dimension), by = present->agenda.end.rotate, d = c->schedule->dimension;
    guint half = free_half(c, n);
    for (guint from = 0; from < n; from++) {
        guint to = (from << by | from >> (d - by)) & (n - 1);
        const Slot *source = &c->slots[from];
        Slot moved = {.block = source->block, .place = c->slots[to].place, .half = half};
        if (source->block != BLOCK_NONE)
            add_copy(c->agenda, &present->agenda,
                     (AgendaCopy){where(c, &moved), where(c, source), bytes_of(c, source->block, from)});
        c->scratch[to] = moved;
    }
    memcpy(c->slots, c->scratch, n * sizeof(Slot));
    c->home = half;
    c->away = half == 0 ? 1 : 0;
    c->n_halves = MAX(c->n_halves, half + 1);
}

static void renumber(Compiler *c, guint strand, guint k)
{
    guint n = c->schedule->n_slots;
    for (guint slot = 0; slot < n; slot++)
        c->scratch[schedule_renumber(c->schedule, c->agenda->node, strand, k, slot)] = c->slots[slot];
    memcpy(c->slots, c->scratch, n * sizeof(Slot));
}

static void done(gpointer user, guint node, guint strand, Toil toil)
{
    Compiler *c = user;
    if (node != c->agenda->node)
        return;
    Present *present = &c->present[strand];
    AgendaStrand *out = &c->agenda->strands[strand];
    if (present->agenda.end.rotate && !c->agenda->elements)
        rotate(c, present);
    if (present->agenda.end.renumber && !c->agenda->elements)
        renumber(c, strand, present->agenda.end.k);
    g_array_append_val(out->steps, present->agenda);
    guint n_receives = c->agenda->early ? 0 : present->agenda.n_receives;
    out->most_requests = MAX(out->most_requests, present->agenda.n_sends + n_receives +
                                                     (present->agenda.handshake ? 2 : 0));
    out->stage = MAX(out->stage, present->stage);
}

/* --- the agenda --- */

/* Each strand has a part of the stage to itself, behind what receives have for themselves. */
static void lay_out_stage(Agenda *agenda, gsize inbox)
{
    agenda->stage_bytes = inbox;
    for (guint i = 0; i < agenda->n_strands; i++) {
        GArray *lists[] = {agenda->strands[i].sends, agenda->strands[i].receives};
        for (guint l = 0; l < (agenda->early ? 1 : G_N_ELEMENTS(lists)); l++)
            for (guint m = 0; m < lists[l]->len; m++)
                g_array_index(lists[l], AgendaMessage, m).stage += agenda->stage_bytes;
        agenda->stage_bytes += agenda->strands[i].stage;
    }
}

/* With several strands, nobody knows what comes first to an empty slot to which something is added. */
static void add_zeros(Compiler *c)
{
    Segment all = {.at = 0, .bytes = place_of(c, 1, 0)};
    if (c->agenda->sums && c->agenda->n_strands > 1)
        g_array_append_val(c->agenda->zeros, all);
}

static void lay_out_memory(Compiler *c)
{
    c->block_bytes = largest_block(c);
    fill_slots(c);
}

static void end_memory(Compiler *c)
{
    add_known(c, c->agenda->last);
    add_zeros(c);
    c->agenda->memory_bytes = place_of(c, c->n_halves, 0);
}

static char *walk(Compiler *c)
{
    static const ReplayHooks hooks = {.begin = begin, .send = send, .receive = receive, .barrier = barrier,
                                      .done = done};
    c->replay = replay_new(c->schedule, REPLAY_DATA, c->pairwise_sync, c->phase_barrier, &hooks, c);
    replay_walk(c->replay);
    char *fault = replay_stuck(c->replay);
    if (!fault && !replay_check(c->replay))
        fault = g_strdup(replay_fault(c->replay));
    c->agenda->operations = replay_operations(c->replay);
    c->agenda->peak_bytes = replay_peak_bytes(c->replay);
    replay_free(c->replay);
    return fault;
}

static Agenda *compile(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                       gboolean early, char **fault)
{
    g_autoptr(Agenda) agenda = agenda_new(schedule, node);
    g_autofree Slot *slots = g_new0(Slot, schedule->n_slots), *scratch = g_new0(Slot, schedule->n_slots);
    g_autofree Present *present = g_new0(Present, schedule->n_strands);
    g_autoptr(GHashTable) digests = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    Compiler c = {.schedule = schedule, .content = schedule->content, .pairwise_sync = pairwise_sync,
                  .phase_barrier = phase_barrier, .agenda = agenda, .slots = slots, .scratch = scratch, .away = 1,
                  .n_halves = 1, .present = present};
    agenda->early = early && schedule->n_strands == 1;
    if (agenda->elements)
        c.digests = digests;
    else
        lay_out_memory(&c);
    *fault = walk(&c);
    if (*fault)
        return NULL;
    if (!agenda->elements)
        end_memory(&c);
    lay_out_stage(agenda, c.inbox);
    return g_steal_pointer(&agenda);
}

Agenda *agenda_compile(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                       char **fault)
{
    return compile(schedule, node, pairwise_sync, phase_barrier, FALSE, fault);
}

Agenda *agenda_compile_early(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                             char **fault)
{
    return compile(schedule, node, pairwise_sync, phase_barrier, TRUE, fault);
}
