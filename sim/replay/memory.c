#include "memory.h"
#include "sim/cube/cube.h"

#include <string.h>

struct Memory {
    const Schedule *schedule;
    guint n_nodes, n_slots, n_pieces;
    guint n_filled;     /* of an owner's n_pieces slots, the first so many are for a piece */
    Block *slots;       /* [n_nodes][n_slots] */
    Block *scratch;     /* [max(n_nodes, n_slots)], for one rotation or renumbering */
    char *fault;
};

static inline Block *slot_at(const Memory *memory, guint node, guint slot)
{
    return memory->slots + (gsize)node * memory->n_slots + slot;
}

/* --- blocks: from << 44 | to << 24 | piece --- */

#define PIECE_BITS 24
#define NODE_BITS 20
#define EVERYBODY ((1u << NODE_BITS) - 1)

static inline Block block_make(guint from, guint to, guint piece)
{
    return (Block)from << (PIECE_BITS + NODE_BITS) | (Block)to << PIECE_BITS | piece;
}

guint block_piece(Block block)
{
    return (guint)block & ((1u << PIECE_BITS) - 1);
}

static guint block_from(Block block)
{
    return (guint)(block >> (PIECE_BITS + NODE_BITS));
}

static guint block_to(Block block)
{
    return (guint)(block >> PIECE_BITS) & EVERYBODY;
}

/* --- sums of blocks: how many << 47 | sum of a number for each, modulo 2^47 --- */

#define SUM_BITS 47
#define SUM_MASK (((Block)1 << SUM_BITS) - 1)

/* The block alone as a sum. The numbers come from splitmix64 (Steele, Lea & Flood 2014). */
static Block sum_of(Block block)
{
    guint64 z = block + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return (Block)1 << SUM_BITS | ((z ^ z >> 31) & SUM_MASK);
}

static Block sum_add(Block a, Block b)
{
    return ((a >> SUM_BITS) + (b >> SUM_BITS)) << SUM_BITS | ((a + b) & SUM_MASK);
}

/* --- what patterns promise: the block of a processor's slot for piece 0 of `owner`, or BLOCK_NONE --- */

/* Of a permutation: whether a processor is in the subcube that has all data. */
static gboolean has_data(const Schedule *s, guint node)
{
    return node >> (s->dimension - s->idle) == 0;
}

static Block block_at_first(const Schedule *s, guint node, guint owner)
{
    switch (s->pattern->kind) {
    case PATTERN_COMPLETE_EXCHANGE:
        if (s->relative)
            return block_make(node, node ^ owner, 0);
        if (owner == node)      /* one's own is in place from the beginning */
            return block_make(node, node, 0);
        return owner >= s->outgoing && owner != s->outgoing + node ? block_make(node, owner - s->outgoing, 0)
                                                                   : BLOCK_NONE;
    case PATTERN_BROADCAST:
        return node == s->source ? block_make(node, EVERYBODY, 0) : BLOCK_NONE;
    case PATTERN_REDUCTION:
        return block_make(node, s->source, 0);
    case PATTERN_ALL_BROADCAST:
        return owner == 0 ? block_make(node, EVERYBODY, 0) : BLOCK_NONE;
    case PATTERN_ALL_REDUCTION:
        return block_make(node, node ^ owner, 0);
    case PATTERN_SCATTER:
        return node == s->source ? block_make(node, node ^ owner, 0) : BLOCK_NONE;
    case PATTERN_GATHER:
        return (node ^ owner) == s->source ? block_make(node, s->source, 0) : BLOCK_NONE;
    case PATTERN_PERMUTATION:
        return owner == 0 && has_data(s, node)
                   ? block_make(node, permutation_apply(&s->permutation, node), 0)
                   : BLOCK_NONE;
    }
    g_assert_not_reached();
}

static Block block_at_last(const Schedule *s, guint node, guint owner)
{
    switch (s->pattern->kind) {
    case PATTERN_COMPLETE_EXCHANGE:
        if (s->relative)
            return block_make(node ^ owner, node, 0);
        return owner < cube_n_nodes(s->dimension) ? block_make(owner, node, 0) : BLOCK_NONE;
    case PATTERN_BROADCAST:
        return block_make(s->source, EVERYBODY, 0);
    case PATTERN_REDUCTION:     /* of a sum, any of its blocks */
        return node == s->source ? block_make(0, node, 0) : BLOCK_NONE;
    case PATTERN_ALL_BROADCAST:
        return block_make(node ^ owner, EVERYBODY, 0);
    case PATTERN_ALL_REDUCTION:
        return owner == 0 ? block_make(0, node, 0) : BLOCK_NONE;
    case PATTERN_SCATTER:
        return (node ^ owner) == s->source ? block_make(s->source, node, 0) : BLOCK_NONE;
    case PATTERN_GATHER:
        return node == s->source ? block_make(node ^ owner, node, 0) : BLOCK_NONE;
    case PATTERN_PERMUTATION:
        return owner == 0 && has_data(s, node)
                   ? block_make(schedule_origin(s, node), node, 0)
                   : BLOCK_NONE;
    }
    g_assert_not_reached();
}

/* --- life --- */

static gboolean combines(const Memory *memory)
{
    return memory->schedule->pattern->transfer == TRANSFER_COMBINE;
}

/* What belongs into the slot of a piece, if piece 0 is `first`. */
static Block nth_piece(const Memory *memory, Block first, guint piece)
{
    return first != BLOCK_NONE && piece < memory->n_filled ? first + piece : BLOCK_NONE;
}

static void fill(Memory *memory, guint node)
{
    Block *slot = slot_at(memory, node, 0);
    for (guint owner = 0; owner < memory->n_slots / memory->n_pieces; owner++) {
        Block first = block_at_first(memory->schedule, node, owner);
        for (guint piece = 0; piece < memory->n_pieces; piece++) {
            Block block = nth_piece(memory, first, piece);
            *slot++ = combines(memory) && block != BLOCK_NONE ? sum_of(block) : block;
        }
    }
}

Memory *memory_new_blank(void)
{
    return g_new0(Memory, 1);
}

Memory *memory_new(const Schedule *schedule)
{
    Memory *memory = g_new0(Memory, 1);
    memory->schedule = schedule;
    memory->n_nodes = cube_n_nodes(schedule->dimension);
    memory->n_slots = schedule->n_slots;
    memory->n_pieces = schedule->n_pieces;
    memory->n_filled = pieces_count(&schedule->pieces);
    memory->slots = g_new(Block, (gsize)memory->n_nodes * memory->n_slots);
    memory->scratch = g_new(Block, MAX(memory->n_nodes, memory->n_slots));
    for (guint node = 0; node < memory->n_nodes; node++)
        fill(memory, node);
    return memory;
}

void memory_free(Memory *memory)
{
    if (!memory)
        return;
    g_free(memory->slots);
    g_free(memory->scratch);
    g_free(memory->fault);
    g_free(memory);
}

void memory_fault(Memory *memory, const char *format, ...)
{
    if (memory->fault)
        return;
    va_list arguments;
    va_start(arguments, format);
    memory->fault = g_strdup_vprintf(format, arguments);
    va_end(arguments);
}

const char *memory_first_fault(const Memory *memory)
{
    return memory->fault;
}

/* "the block from 3 to 1", "piece 2 of the data of 3", "a sum of 5 blocks". Caller frees. */
static char *describe(const Memory *memory, Block block)
{
    if (combines(memory))
        return g_strdup_printf("a sum of %u blocks", (guint)(block >> SUM_BITS));
    GString *text = g_string_new(NULL);
    if (memory->n_pieces > 1)
        g_string_append_printf(text, "piece %u of ", block_piece(block));
    if (block_to(block) == EVERYBODY)
        g_string_append_printf(text, "the data of %u", block_from(block));
    else
        g_string_append_printf(text, "the block from %u to %u", block_from(block), block_to(block));
    return g_string_free(text, FALSE);
}

/* --- moving --- */

static inline gboolean in_range(Memory *memory, guint node, guint slot, guint count, const char *what)
{
    if (slot <= memory->n_slots && count <= memory->n_slots - slot)
        return TRUE;
    memory_fault(memory, "processor %u %s slots %u to %" G_GUINT64_FORMAT ", but its memory has %u slots", node, what,
                 slot, (guint64)slot + count - 1, memory->n_slots);
    return FALSE;
}

static void tell_empty(Memory *memory, guint node, guint slot, const Block *blocks)
{
    while (*blocks++ != BLOCK_NONE)
        slot++;
    memory_fault(memory, "processor %u sends slot %u, which holds no block", node, slot);
}

void memory_take(Memory *memory, guint node, const Stretch *stretches, guint n, Block *blocks)
{
    gboolean keeps = memory->schedule->pattern->transfer == TRANSFER_COPY;
    Block *slots = slot_at(memory, node, 0);
    for (const Stretch *s = stretches; s < stretches + n; blocks += s++->count) {
        gboolean there = in_range(memory, node, s->slot, s->count, "sends"), empty = FALSE;
        for (guint i = 0; i < s->count; i++) {
            blocks[i] = there ? slots[s->slot + i] : BLOCK_NONE;
            empty |= blocks[i] == BLOCK_NONE;
            if (there && !keeps)
                slots[s->slot + i] = BLOCK_NONE;
        }
        if (there && empty)
            tell_empty(memory, node, s->slot, blocks);
    }
}

static void collide(Memory *memory, guint node, guint slot, Block held, Block arriving)
{
    g_autofree char *one = describe(memory, held), *other = describe(memory, arriving);
    memory_fault(memory, "slot %u of processor %u still holds %s when %s arrives", slot, node, one, other);
}

/* Where there is a block already, or what arrives is none. */
static void land_on(Memory *memory, guint node, guint slot, Block arriving)
{
    Block *to = slot_at(memory, node, slot);
    if (*to == BLOCK_NONE || arriving == BLOCK_NONE) {
        *to = arriving;
    } else if (combines(memory)) {
        *to = sum_add(*to, arriving);
    } else {
        collide(memory, node, slot, *to, arriving);
        *to = arriving;
    }
}

void memory_land(Memory *memory, guint node, const Stretch *stretches, guint n, const Block *blocks)
{
    Block *slots = slot_at(memory, node, 0);
    for (const Stretch *s = stretches; s < stretches + n; blocks += s++->count) {
        if (!in_range(memory, node, s->landing, s->count, "receives into"))
            continue;
        for (guint i = 0; i < s->count; i++)
            if (slots[s->landing + i] == BLOCK_NONE)
                slots[s->landing + i] = blocks[i];
            else
                land_on(memory, node, s->landing + i, blocks[i]);
    }
}

void memory_rotate(Memory *memory, guint node, guint by)
{
    g_assert(memory->n_pieces == 1);
    guint d = memory->schedule->dimension;
    Block *slots = slot_at(memory, node, 0);
    guint high = 1u << by, low = 1u << (d - by);    /* slot = (h, l) moves to (l, h) */
    for (guint h = 0; h < high; h++)
        for (guint l = 0; l < low; l++)
            memory->scratch[(l << by) | h] = slots[(h << (d - by)) | l];
    memcpy(slots, memory->scratch, memory->n_nodes * sizeof(Block));
}

void memory_renumber(Memory *memory, guint node, guint strand, guint k)
{
    const Schedule *schedule = memory->schedule;
    Block *slots = slot_at(memory, node, 0);
    for (guint slot = 0; slot < memory->n_slots; slot++)
        memory->scratch[schedule_renumber(schedule, node, strand, k, slot)] = slots[slot];
    memcpy(slots, memory->scratch, memory->n_slots * sizeof(Block));
}

/* --- the proof --- */

/* The sum of everybody's blocks for `to`. */
static Block sum_of_all(const Memory *memory, guint to, guint piece)
{
    Block sum = 0;
    for (guint from = 0; from < memory->n_nodes; from++)
        sum = sum_add(sum, sum_of(block_make(from, to, piece)));
    return sum;
}

static void check_slot(Memory *memory, guint node, guint slot, Block wanted)
{
    Block found = *slot_at(memory, node, slot);
    if (combines(memory) && wanted != BLOCK_NONE)
        wanted = sum_of_all(memory, block_to(wanted), block_piece(wanted));
    if (found == wanted)
        return;
    g_autofree char *there = describe(memory, found), *missing = describe(memory, wanted);
    if (found == BLOCK_NONE)
        memory_fault(memory, "slot %u of processor %u is empty; %s belongs there", slot, node, missing);
    else if (wanted == BLOCK_NONE)
        memory_fault(memory, "slot %u of processor %u holds %s; nothing belongs there", slot, node, there);
    else
        memory_fault(memory, "slot %u of processor %u holds %s; %s belongs there", slot, node, there, missing);
}

static void check_node(Memory *memory, guint node)
{
    for (guint slot = 0; slot < memory->n_slots && !memory->fault;) {
        Block first = block_at_last(memory->schedule, node, slot / memory->n_pieces);
        for (guint piece = 0; piece < memory->n_pieces; piece++)
            check_slot(memory, node, slot++, nth_piece(memory, first, piece));
    }
}

gboolean memory_check(Memory *memory)
{
    for (guint node = 0; node < memory->n_nodes && !memory->fault; node++)
        check_node(memory, node);
    return memory->fault == NULL;
}
