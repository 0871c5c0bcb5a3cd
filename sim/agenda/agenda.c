#include "agenda.h"
#include "payload.h"
#include "sim/cube/cube.h"
#include "sim/replay/replay.h"

#include <string.h>

typedef struct {
    Block block;            /* BLOCK_NONE: the slot is empty */
    guint place;            /* index of the slot's place within each half of the memory */
    guint half;             /* half of the memory in which the slot's block lies */
    guint sent;             /* number of the step that last sent a block away from the slot, from 1; 0: none did */
} AgendaSlot;

/* A compilation: replays all processors once and keeps what one of them does. */
typedef struct {
    const Schedule *schedule;
    Content *content;
    gboolean pairwise_sync;
    PhaseBarrier phase_barrier;
    Replay *replay;
    Agenda *agenda;
    gsize inbox;            /* bytes of the stage into which early receives go (Agenda.early) */
    gsize block_bytes;      /* bytes of a place in the memory: those of the largest block */
    AgendaSlot *slots, *scratch;    /* [n_slots]: the processor's slots at present; slots in their new order */
    guint home, away;       /* the two halves of the memory in use: slots change between them (compiler_land()) */
    guint n_halves;         /* number of halves that the memory needs so far, 1 to 3 */
    GHashTable *digests;    /* with elements: digests (guint64 *) of the parcels under way to this processor */
} Compiler;

/* The functions for one of the two kinds of data: bytes, or blocks in slots. */
typedef struct AgendaClass {
    /* Called while compiling; `begin`, `expect`, `rearrange` and `end` may be NULL. */
    void (*begin)(Compiler *c);
    void (*expect)(Compiler *c, const Parcel *parcel);  /* a message to this processor leaves */
    void (*add_send)(Compiler *c, const Parcel *parcel, AgendaMessage *message);    /* fills in parts and bytes */
    void (*add_receive)(Compiler *c, const Parcel *parcel, AgendaMessage *message); /* fills in parts and bytes */
    void (*rearrange)(Compiler *c, AgendaStep *step);   /* the step ends */
    void (*end)(Compiler *c);

    /* Called by agenda_fill(), agenda_pack() and so on. check_message and check_memory return a text on the first
     * difference, which the caller frees, or NULL. */
    void (*fill)(Agenda *agenda);
    void (*pack)(const Agenda *agenda, const AgendaMessage *message, char *stage);
    void (*land)(const Agenda *agenda, const AgendaMessage *message, const char *stage);
    void (*end_step)(const Agenda *agenda, const AgendaStep *step);
    char *(*check_message)(const Agenda *agenda, const AgendaMessage *message);
    char *(*check_memory)(const Agenda *agenda);
} AgendaClass;

/* A block with its offset in a message or in the memory, and its bytes. */
typedef struct {
    Block block;
    gsize at, bytes;
} PlacedBlock;

static PlacedBlock *placed_block(const GArray *blocks, guint i)
{
    return &g_array_index(blocks, PlacedBlock, i);
}

/* --- blocks as bytes of the memory: compiling --- */

typedef struct {
    gsize at, bytes;
    gboolean adds;          /* whether bytes that arrive are added to those in the memory, instead of replacing them */
} Segment;

static gsize compiler_bytes_of(const Compiler *c, Block block, guint slot)
{
    const Content *content = c->content;
    gboolean by_slot = content->block_bytes != BYTES_DIFFER || content->class->bytes_of_slots;
    return (gsize)(by_slot ? content_bytes(content, slot, 1) : content_bytes_of_blocks(content, &block, 1));
}

static gsize compiler_place_of(const Compiler *c, guint half, guint place)
{
    return ((gsize)half * c->schedule->n_slots + place) * c->block_bytes;
}

static gsize where(const Compiler *c, const AgendaSlot *slot)
{
    return compiler_place_of(c, slot->half, slot->place);
}

/* Returns the bytes of the largest block that any processor has at the beginning. No later block is larger. */
static gsize largest_block(const Compiler *c)
{
    gsize largest = 0;
    g_autofree Block *blocks = g_new(Block, c->schedule->n_slots);
    if (c->content->block_bytes != BYTES_DIFFER)
        return (gsize)c->content->block_bytes;
    for (guint node = 0; node < schedule_n_nodes(c->schedule); node++) {
        c->content->class->fill(c->content, node, blocks);
        for (guint i = 0; i < c->schedule->n_slots; i++)
            if (blocks[i] != BLOCK_NONE)
                largest = MAX(largest, compiler_bytes_of(c, blocks[i], i));
    }
    return largest;
}

static void add_placed(const Compiler *c, GArray *blocks)
{
    for (guint i = 0; i < c->schedule->n_slots; i++) {
        const AgendaSlot *slot = &c->slots[i];
        if (slot->block == BLOCK_NONE)
            continue;
        PlacedBlock placed = {slot->block, where(c, slot), compiler_bytes_of(c, slot->block, i)};
        g_array_append_val(blocks, placed);
    }
}

static void begin_bytes(Compiler *c)
{
    g_autofree Block *blocks = g_new(Block, c->schedule->n_slots);
    c->block_bytes = largest_block(c);
    c->content->class->fill(c->content, c->agenda->node, blocks);
    for (guint i = 0; i < c->schedule->n_slots; i++)
        c->slots[i] = (AgendaSlot){.block = blocks[i], .place = i};
    add_placed(c, c->agenda->first);
}

/* Sets last, zero_bytes and memory_bytes. With several strands any block may be the first in a slot's sum, so the
 * first half of the memory begins as zeros. */
static void end_bytes(Compiler *c)
{
    Agenda *agenda = c->agenda;
    add_placed(c, agenda->last);
    agenda->zero_bytes = agenda->sums && agenda->n_strands > 1 ? compiler_place_of(c, 1, 0) : 0;
    agenda->memory_bytes = compiler_place_of(c, c->n_halves, 0);
}

/* Appends a segment to the message, or extends its last one. Words that are added never straddle two blocks. */
static void add_segment(const Agenda *agenda, AgendaMessage *message, Segment segment)
{
    message->bytes += segment.bytes;
    if (message->n_parts > 0) {
        Segment *last = &g_array_index(agenda->parts, Segment, agenda->parts->len - 1);
        gboolean whole = !segment.adds || last->bytes % PAYLOAD_WORD == 0;
        if (last->at + last->bytes == segment.at && last->adds == segment.adds && whole) {
            last->bytes += segment.bytes;
            return;
        }
    }
    g_array_append_val(agenda->parts, segment);
    message->n_parts++;
}

/* Returns the number of the step that a strand is in, from 1. */
static guint step_number(const Compiler *c, guint strand)
{
    return c->agenda->strands[strand].steps->len;
}

/* Adds the segments of memory that a message is sent from. With several strands a message is staged if its blocks leave
 * their slots: another strand may land blocks there before the message is sent. */
static void add_bytes_sent(Compiler *c, const Parcel *parcel, AgendaMessage *message)
{
    const Stretch *stretches = parcel_stretches(parcel);
    gboolean keeps = step_transfer_keeps(parcel->transfer), strands = c->agenda->n_strands > 1;
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++) {
            AgendaSlot *slot = &c->slots[stretches[s].slot + i];
            gsize bytes = compiler_bytes_of(c, slot->block, stretches[s].slot + i);
            add_segment(c->agenda, message, (Segment){where(c, slot), bytes, FALSE});
            if (!keeps) {
                slot->block = BLOCK_NONE;
                slot->sent = step_number(c, parcel->strand);
            }
        }
    message->clears = strands && parcel->transfer == TRANSFER_COMBINE;
    message->staged = strands && !keeps;
}

static gboolean lands_on_sent(const Compiler *c, const Parcel *parcel)
{
    const Stretch *stretches = parcel_stretches(parcel);
    guint number = step_number(c, parcel->strand);
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++)
            if (c->slots[stretches[s].landing + i].sent == number)
                return TRUE;
    return FALSE;
}

/* Lands a block in a slot, or adds it to the slot's block if `adds`. With `evades` and a single strand, a block that
 * is not added lands in the slot's other half, `home` or `away`. Returns the block's segment, with `bytes` 0. */
static Segment compiler_land(Compiler *c, AgendaSlot *slot, Block block, gboolean adds, gboolean evades)
{
    gboolean strands = c->agenda->n_strands > 1, empty = slot->block == BLOCK_NONE;
    if (!empty && adds) {
        slot->block = c->content->class->add(c->content, slot->block, block);
    } else {
        slot->block = block;
        if (evades && !strands)
            slot->half = slot->half == c->home ? c->away : c->home;
    }
    c->n_halves = MAX(c->n_halves, slot->half + 1);
    return (Segment){.at = where(c, slot), .adds = adds && (strands || !empty)};
}

static void add_bytes_received(Compiler *c, const Parcel *parcel, AgendaMessage *message)
{
    const Stretch *stretches = parcel_stretches(parcel);
    gboolean evades = lands_on_sent(c, parcel), adds = step_transfer_adds(parcel->transfer);
    const Block *block = parcel->load;
    for (guint s = 0; s < parcel->n_stretches; s++)
        for (guint i = 0; i < stretches[s].count; i++, block++) {
            PlacedBlock placed = {*block, message->bytes, compiler_bytes_of(c, *block, stretches[s].slot + i)};
            g_array_append_val(c->agenda->blocks, placed);
            Segment segment = compiler_land(c, &c->slots[stretches[s].landing + i], *block, adds, evades);
            segment.bytes = placed.bytes;
            message->staged |= segment.adds;
            add_segment(c->agenda, message, segment);
        }
}

/* Returns a half of the memory in which none of the blocks of the first n_slots slots lies. */
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

/* Moves the block of each slot i < 2^d into a free half of the memory, to the slot whose number is i rotated left by
 * step->rotate of its d bits. */
static void rotate(Compiler *c, AgendaStep *step)
{
    guint n = schedule_n_nodes(c->schedule), by = step->rotate, d = c->schedule->dimension;
    guint half = free_half(c, n);
    for (guint from = 0; from < n; from++) {
        guint to = (from << by | from >> (d - by)) & (n - 1);
        const AgendaSlot *source = &c->slots[from];
        AgendaSlot moved = {.block = source->block, .place = c->slots[to].place, .half = half};
        c->scratch[to] = moved;
        if (source->block == BLOCK_NONE)
            continue;
        AgendaCopy copy = {where(c, &moved), where(c, source), compiler_bytes_of(c, source->block, from)};
        g_array_append_val(c->agenda->copies, copy);
        step->n_copies++;
    }
    memcpy(c->slots, c->scratch, n * sizeof(AgendaSlot));
    c->home = half;
    c->away = half == 0 ? 1 : 0;
    c->n_halves = MAX(c->n_halves, half + 1);
}

static void rearrange_bytes(Compiler *c, AgendaStep *step)
{
    guint n = c->schedule->n_slots;
    if (step->rotate)
        rotate(c, step);
    if (!step->renumber)
        return;
    for (guint slot = 0; slot < n; slot++)
        c->scratch[schedule_renumber(c->schedule, c->agenda->node, step->strand, step->k, slot)] = c->slots[slot];
    memcpy(c->slots, c->scratch, n * sizeof(AgendaSlot));
}

/* --- blocks as bytes of the memory: carrying out --- */

static const Segment *segments_of(const Agenda *agenda, const AgendaMessage *message)
{
    return &g_array_index(agenda->parts, Segment, message->first);
}

static void fill_bytes(Agenda *agenda)
{
    memset(agenda->memory, 0, agenda->zero_bytes);
    for (guint i = 0; i < agenda->first->len; i++) {
        const PlacedBlock *block = placed_block(agenda->first, i);
        payload_fill(payload_key(block->block, agenda->sums), agenda->memory + block->at, block->bytes);
    }
}

static void pack_bytes(const Agenda *agenda, const AgendaMessage *message, char *stage)
{
    const Segment *segment = segments_of(agenda, message);
    for (const Segment *end = segment + message->n_parts; segment < end; stage += segment++->bytes) {
        memcpy(stage, agenda->memory + segment->at, segment->bytes);
        if (message->clears)
            memset(agenda->memory + segment->at, 0, segment->bytes);
    }
}

static void land_bytes(const Agenda *agenda, const AgendaMessage *message, const char *stage)
{
    const Segment *segment = segments_of(agenda, message);
    for (const Segment *end = segment + message->n_parts; segment < end; stage += segment++->bytes)
        if (segment->adds)
            payload_add(agenda->memory + segment->at, stage, segment->bytes);
        else
            memcpy(agenda->memory + segment->at, stage, segment->bytes);
}

static void copy_bytes(const Agenda *agenda, const AgendaStep *step)
{
    const AgendaCopy *copy = &g_array_index(agenda->copies, AgendaCopy, step->first_copy);
    for (const AgendaCopy *end = copy + step->n_copies; copy < end; copy++)
        memcpy(agenda->memory + copy->to, agenda->memory + copy->from, copy->bytes);
}

/* Checks the bytes of a block. Returns "byte 17 is 0x2a and should be 0x2b", counted from `first` on, or NULL. */
static char *agenda_check_block(const Agenda *agenda, Block block, const char *at, gsize bytes, gsize first)
{
    guint8 wanted;
    gsize i = payload_compare(payload_key(block, agenda->sums), at, bytes, &wanted);
    return i == bytes ? NULL
                      : g_strdup_printf("byte %" G_GSIZE_FORMAT " is 0x%02x and should be 0x%02x", first + i,
                                        (guint8)at[i], wanted);
}

static char *check_bytes_received(const Agenda *agenda, const AgendaMessage *message)
{
    const char *bytes = agenda_buffer(agenda, message);
    char *wrong = NULL;
    for (guint i = 0; i < message->n_blocks && !wrong; i++) {
        const PlacedBlock *block = placed_block(agenda->blocks, message->first_block + i);
        wrong = agenda_check_block(agenda, block->block, bytes + block->at, block->bytes, block->at);
    }
    return wrong;
}

static char *check_bytes(const Agenda *agenda)
{
    for (guint i = 0; i < agenda->last->len; i++) {
        const PlacedBlock *block = placed_block(agenda->last, i);
        g_autofree char *wrong = agenda_check_block(agenda, block->block, agenda->memory + block->at, block->bytes, 0);
        if (!wrong)
            continue;
        g_autofree char *what = agenda->schedule->content->class->describe(agenda->schedule->content, block->block);
        return g_strdup_printf("at the end, in the memory of processor %u, %s: %s", agenda->node, what, wrong);
    }
    return NULL;
}

static const AgendaClass in_bytes = {
    .begin = begin_bytes, .add_send = add_bytes_sent, .add_receive = add_bytes_received, .rearrange = rearrange_bytes,
    .end = end_bytes, .fill = fill_bytes, .pack = pack_bytes, .land = land_bytes, .end_step = copy_bytes,
    .check_message = check_bytes_received, .check_memory = check_bytes,
};

/* --- blocks with elements, in slots --- */

static void add_stretches(Compiler *c, const Parcel *parcel, AgendaMessage *message)
{
    message->bytes = (gsize)content_bytes_of_blocks(c->content, parcel->load, parcel->count);
    message->n_parts = parcel->n_stretches;
    g_array_append_vals(c->agenda->parts, parcel_stretches(parcel), parcel->n_stretches);
    message->adds = step_transfer_adds(parcel->transfer);
    message->clears = !step_transfer_keeps(parcel->transfer);
    message->staged = TRUE;
}

static void pack_blocks(const Content *content, const Block *blocks, guint n, char *to)
{
    for (guint i = 0; i < n; i++)
        if (blocks[i] != BLOCK_NONE) {
            content->class->pack(content, blocks[i], (guint8 *)to);
            to += content_bytes_of_blocks(content, &blocks[i], 1);
        }
}

#define FNV_START G_GUINT64_CONSTANT(0xcbf29ce484222325)
#define FNV_PRIME G_GUINT64_CONSTANT(0x100000001b3)

/* Returns a digest of bytes: FNV-1a (Fowler, Noll & Vo 1991), 64 bits. */
static guint64 digest_of(const char *bytes, gsize n)
{
    guint64 digest = FNV_START;
    for (gsize i = 0; i < n; i++)
        digest = (digest ^ (guint8)bytes[i]) * FNV_PRIME;
    return digest;
}

/* Keeps the digest of a message that leaves. Landing may free its blocks, if they are added to others. */
static void keep_digest(Compiler *c, const Parcel *parcel)
{
    gsize bytes = (gsize)content_bytes_of_blocks(c->content, parcel->load, parcel->count);
    g_autofree char *packed = g_malloc(MAX(1, bytes));
    pack_blocks(c->content, parcel->load, parcel->count, packed);
    guint64 digest = digest_of(packed, bytes);
    g_hash_table_insert(c->digests, (gpointer)parcel, g_memdup2(&digest, sizeof digest));
}

static void add_blocks_received(Compiler *c, const Parcel *parcel, AgendaMessage *message)
{
    Content *content = c->content;
    gsize at = 0;
    add_stretches(c, parcel, message);
    for (guint i = 0; i < parcel->count; i++) {
        Block block = parcel->load[i];
        gsize bytes = (gsize)content_bytes_of_blocks(content, &block, 1);
        PlacedBlock placed = {content->class->sketch ? content->class->sketch(content, block) : block, at, bytes};
        g_array_append_val(c->agenda->blocks, placed);
        at += bytes;
    }
    message->digest = *(const guint64 *)g_hash_table_lookup(c->digests, parcel);
    g_hash_table_remove(c->digests, parcel);
}

/* Allocates and fills the slots, in place of those of an earlier execution. */
static void fill_slots(Agenda *agenda)
{
    memory_free(agenda->slots);
    agenda->slots = memory_new(agenda->schedule);
}

static const Stretch *stretches_of(const Agenda *agenda, const AgendaMessage *message)
{
    return &g_array_index(agenda->parts, Stretch, message->first);
}

static void take_blocks(const Agenda *agenda, const AgendaMessage *message, char *stage)
{
    g_autofree Block *blocks = g_new(Block, message->n_blocks);
    memory_take(agenda->slots, agenda->node, stretches_of(agenda, message), message->n_parts, !message->clears, blocks);
    pack_blocks(agenda->schedule->content, blocks, message->n_blocks, stage);
}

static void land_blocks(const Agenda *agenda, const AgendaMessage *message, const char *stage)
{
    Content *content = agenda->schedule->content;
    g_autofree Block *blocks = g_new(Block, message->n_blocks);
    for (guint i = 0; i < message->n_blocks; i++) {
        const PlacedBlock *like = placed_block(agenda->blocks, message->first_block + i);
        blocks[i] = content->class->unpack(content, like->block, (const guint8 *)stage + like->at);
    }
    memory_land(agenda->slots, agenda->node, stretches_of(agenda, message), message->n_parts, message->adds, blocks);
}

static void work_on_slots(const Agenda *agenda, const AgendaStep *step)
{
    if (step->rotate)
        memory_rotate(agenda->slots, agenda->node, step->rotate);
    if (step->renumber)
        memory_renumber(agenda->slots, agenda->node, step->strand, step->k);
    if (step->operation.what)
        memory_operate(agenda->slots, agenda->node, step->k, &step->operation);
}

static char *check_digest(const Agenda *agenda, const AgendaMessage *message)
{
    gboolean same = digest_of(agenda_buffer(agenda, message), message->bytes) == message->digest;
    return same ? NULL : g_strdup("they are not those that were sent");
}

static char *check_slots(const Agenda *agenda)
{
    memory_check_node(agenda->slots, agenda->node);
    return g_strdup(memory_first_fault(agenda->slots));
}

static const AgendaClass in_slots = {
    .expect = keep_digest, .add_send = add_stretches, .add_receive = add_blocks_received, .fill = fill_slots,
    .pack = take_blocks, .land = land_blocks, .end_step = work_on_slots, .check_message = check_digest,
    .check_memory = check_slots,
};

/* --- the walk --- */

static AgendaStep *present_step(const Compiler *c, guint strand)
{
    GArray *steps = c->agenda->strands[strand].steps;
    return &g_array_index(steps, AgendaStep, steps->len - 1);
}

static void compiler_begin(gpointer user, guint node, const Step *step)
{
    Compiler *c = user;
    if (node != c->agenda->node)
        return;
    const AgendaStrand *strand = &c->agenda->strands[step->strand];
    AgendaStep present = {.join = step->join, .barrier = replay_meets(step, c->phase_barrier),
                          .handshake = step->exchange && c->pairwise_sync, .first_send = strand->sends->len,
                          .first_receive = strand->receives->len, .first_copy = c->agenda->copies->len,
                          .strand = step->strand, .k = replay_strand_step(c->replay, node, step->strand),
                          .rotate = step->rotate, .renumber = step->renumber, .operation = step->operation};
    if (present.handshake)
        present.partner = step_nth_send(step, 0)->peer;
    g_array_append_val(strand->steps, present);
}

static AgendaMessage message_of(const Compiler *c, const Parcel *parcel, guint peer)
{
    return (AgendaMessage){.peer = peer, .step = parcel->step, .first = c->agenda->parts->len,
                           .first_block = c->agenda->blocks->len, .n_blocks = parcel->count};
}

/* Appends the message, which becomes staged if it has several parts. Adds the bytes of a staged message to `*stage`,
 * the bytes of the stage in use. */
static void end_message(const Compiler *c, AgendaMessage *message, GArray *messages, gsize *stage)
{
    message->staged |= message->n_parts > 1;
    message->stage = *stage;
    if (message->staged)
        *stage += message->bytes;
    c->agenda->largest = MAX(c->agenda->largest, message->bytes);
    g_array_append_vals(messages, message, 1);
}

static void compiler_send(gpointer user, Parcel *parcel)
{
    Compiler *c = user;
    c->agenda->messages++;
    c->agenda->sums |= step_transfer_adds(parcel->transfer);
    if (parcel->source == c->agenda->node && !parcel->handshake) {
        AgendaMessage message = message_of(c, parcel, parcel->destination);
        AgendaStep *step = present_step(c, parcel->strand);
        c->agenda->class->add_send(c, parcel, &message);
        end_message(c, &message, c->agenda->strands[parcel->strand].sends, &step->stage);
        step->n_sends++;
    }
    if (parcel->destination == c->agenda->node && !parcel->handshake && c->agenda->class->expect)
        c->agenda->class->expect(c, parcel);
    replay_sent(c->replay, parcel);
    replay_delivered(c->replay, parcel);
}

static void compiler_receive(gpointer user, guint node, const Parcel *parcel)
{
    Compiler *c = user;
    Agenda *agenda = c->agenda;
    if (node != agenda->node || parcel->handshake)
        return;
    AgendaMessage message = message_of(c, parcel, parcel->source);
    AgendaStep *step = present_step(c, parcel->strand);
    agenda->crosses |= parcel->step != step->k;
    message.staged = agenda->early;
    agenda->class->add_receive(c, parcel, &message);
    end_message(c, &message, agenda->strands[parcel->strand].receives, agenda->early ? &c->inbox : &step->stage);
    step->n_receives++;
}

static void compiler_barrier(gpointer user)
{
    replay_barrier_over(((Compiler *)user)->replay);
}

static void compiler_done(gpointer user, guint node, guint strand, LocalWork local_work)
{
    Compiler *c = user;
    if (node != c->agenda->node)
        return;
    AgendaStep *step = present_step(c, strand);
    AgendaStrand *out = &c->agenda->strands[strand];
    if (c->agenda->class->rearrange)
        c->agenda->class->rearrange(c, step);
    guint n_receives = c->agenda->early ? 0 : step->n_receives;
    out->most_requests = MAX(out->most_requests, step->n_sends + n_receives + (step->handshake ? 2 : 0));
}

static char *compiler_walk(Compiler *c)
{
    static const ReplayHooks hooks = {.begin = compiler_begin, .send = compiler_send, .receive = compiler_receive,
                                      .barrier = compiler_barrier, .done = compiler_done};
    c->replay = replay_new(c->schedule, REPLAY_BLOCKS, c->pairwise_sync, c->phase_barrier, &hooks, c);
    replay_walk(c->replay);
    char *fault = replay_stuck(c->replay);
    if (!fault && !replay_check(c->replay))
        fault = g_strdup(replay_fault(c->replay));
    c->agenda->operations = replay_operations(c->replay);
    c->agenda->peak_bytes = replay_peak_bytes(c->replay);
    c->agenda->largest_of_all = replay_largest_message(c->replay);
    replay_free(c->replay);
    return fault;
}

/* --- the agenda --- */

static Agenda *agenda_new(const Schedule *schedule, guint node, gboolean early)
{
    Agenda *agenda = g_new0(Agenda, 1);
    gboolean elements = schedule->content->class->pack != NULL;
    *agenda = (Agenda){.class = elements ? &in_slots : &in_bytes, .schedule = schedule, .node = node,
                       .n_strands = schedule->n_strands, .strands = g_new0(AgendaStrand, schedule->n_strands),
                       .parts = g_array_new(FALSE, FALSE, elements ? sizeof(Stretch) : sizeof(Segment)),
                       .blocks = g_array_new(FALSE, FALSE, sizeof(PlacedBlock)),
                       .copies = g_array_new(FALSE, FALSE, sizeof(AgendaCopy)),
                       .first = g_array_new(FALSE, FALSE, sizeof(PlacedBlock)),
                       .last = g_array_new(FALSE, FALSE, sizeof(PlacedBlock)),
                       .early = early && schedule->n_strands == 1, .consumes = elements};
    for (guint i = 0; i < agenda->n_strands; i++)
        agenda->strands[i] = (AgendaStrand){.steps = g_array_new(FALSE, FALSE, sizeof(AgendaStep)),
                                            .sends = g_array_new(FALSE, FALSE, sizeof(AgendaMessage)),
                                            .receives = g_array_new(FALSE, FALSE, sizeof(AgendaMessage))};
    return agenda;
}

void agenda_free(Agenda *agenda)
{
    GArray *lists[] = {agenda->parts, agenda->blocks, agenda->copies, agenda->first, agenda->last};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_array_unref(lists[i]);
    for (guint i = 0; i < agenda->n_strands; i++) {
        g_array_unref(agenda->strands[i].steps);
        g_array_unref(agenda->strands[i].sends);
        g_array_unref(agenda->strands[i].receives);
    }
    g_free(agenda->strands);
    memory_free(agenda->slots);
    g_free(agenda);
}

/* Gives each strand a part of the stage, behind the `inbox` bytes of early receives. */
static void lay_out_stage(Agenda *agenda, gsize inbox)
{
    agenda->stage_bytes = inbox;
    for (guint i = 0; i < agenda->n_strands; i++) {
        GArray *lists[] = {agenda->strands[i].sends, agenda->strands[i].receives};
        gsize most = 0;
        for (guint l = 0; l < (agenda->early ? 1 : G_N_ELEMENTS(lists)); l++)
            for (guint m = 0; m < lists[l]->len; m++)
                g_array_index(lists[l], AgendaMessage, m).stage += agenda->stage_bytes;
        for (guint k = 0; k < agenda->strands[i].steps->len; k++)
            most = MAX(most, agenda_step(&agenda->strands[i], k)->stage);
        agenda->stage_bytes += most;
    }
}

Agenda *agenda_compile(const Schedule *schedule, guint node, gboolean pairwise_sync, PhaseBarrier phase_barrier,
                       gboolean early, char **fault)
{
    g_autoptr(Agenda) agenda = agenda_new(schedule, node, early);
    g_autofree AgendaSlot *slots = g_new0(AgendaSlot, schedule->n_slots);
    g_autofree AgendaSlot *scratch = g_new0(AgendaSlot, schedule->n_slots);
    g_autoptr(GHashTable) digests = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    Compiler c = {.schedule = schedule, .content = schedule->content, .pairwise_sync = pairwise_sync,
                  .phase_barrier = phase_barrier, .agenda = agenda, .slots = slots, .scratch = scratch, .away = 1,
                  .n_halves = 1, .digests = digests};
    if (agenda->class->begin)
        agenda->class->begin(&c);
    *fault = compiler_walk(&c);
    if (*fault)
        return NULL;
    if (agenda->class->end)
        agenda->class->end(&c);
    lay_out_stage(agenda, c.inbox);
    return g_steal_pointer(&agenda);
}

/* --- carrying it out --- */

void agenda_place(Agenda *agenda, char *memory)
{
    agenda->memory = memory;
    agenda->stage = memory + agenda->memory_bytes;
}

void agenda_fill(Agenda *agenda)
{
    agenda->class->fill(agenda);
}

char *agenda_buffer(const Agenda *agenda, const AgendaMessage *message)
{
    if (message->staged)
        return agenda->stage + message->stage;
    return agenda->memory + (message->n_parts ? segments_of(agenda, message)->at : 0);
}

void agenda_pack(const Agenda *agenda, const AgendaMessage *message)
{
    if (message->staged)
        agenda->class->pack(agenda, message, agenda->stage + message->stage);
}

void agenda_land(const Agenda *agenda, const AgendaMessage *message)
{
    if (message->staged)
        agenda->class->land(agenda, message, agenda->stage + message->stage);
}

void agenda_end_step(const Agenda *agenda, const AgendaStep *step)
{
    agenda->class->end_step(agenda, step);
}

char *agenda_check_message(const Agenda *agenda, const AgendaMessage *message)
{
    g_autofree char *wrong = agenda->class->check_message(agenda, message);
    return wrong ? g_strdup_printf("the message from %u to %u in step %u, %" G_GSIZE_FORMAT " bytes: %s",
                                   message->peer, agenda->node, message->step, message->bytes, wrong)
                 : NULL;
}

char *agenda_check_memory(const Agenda *agenda)
{
    return agenda->class->check_memory(agenda);
}
