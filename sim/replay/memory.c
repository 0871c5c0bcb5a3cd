#include "memory.h"
#include "sim/cube/cube.h"

#include <string.h>

struct Memory {
    const Schedule *schedule;
    Content *content;   /* content of the schedule; borrowed */
    guint n_nodes, n_slots;
    Block *slots;       /* [n_nodes][n_slots]: blocks in the slots now; BLOCK_NONE: the slot is empty */
    Block *scratch;     /* [max(n_nodes, n_slots)], for one rotation or renumbering */
    gint64 *held;       /* [n_nodes]: bytes in a processor's slots now; NULL: memory_new_blank() made no slots */
    gint64 peak;        /* the largest `held` of any processor so far */
    char *fault;
};

static inline Block *slot_at(const Memory *memory, guint node, guint slot)
{
    return memory->slots + (gsize)node * memory->n_slots + slot;
}

const Block *memory_slots(const Memory *memory, guint node)
{
    return slot_at(memory, node, 0);
}

/* --- bytes --- */

/* Returns the bytes of blocks[count]; BLOCK_NONE counts 0. */
static gint64 memory_bytes_of(const Memory *memory, const Block *blocks, guint count)
{
    gint64 bytes = 0;
    for (guint i = 0, n; i < count; i += n + 1) {
        for (n = 0; i + n < count && blocks[i + n] != BLOCK_NONE;)
            n++;
        bytes += content_bytes_of_blocks(memory->content, blocks + i, n);
    }
    return bytes;
}

static void hold(Memory *memory, guint node, gint64 bytes)
{
    memory->held[node] = bytes;
    memory->peak = MAX(memory->peak, bytes);
}

void memory_count_taken(Memory *memory, guint node, const Stretch *stretches, guint n, const Block *blocks)
{
    for (const Stretch *s = stretches; memory->held && s < stretches + n; blocks += s++->count)
        memory->held[node] -= memory_bytes_of(memory, blocks, s->count);
}

gint64 memory_count_landing(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean adds,
                            const Block *blocks)
{
    gint64 bytes = 0;
    for (const Stretch *s = stretches; memory->held && s < stretches + n; blocks += s++->count) {
        const Block *slots = slot_at(memory, node, s->landing);
        bytes += adds ? 0 : memory_bytes_of(memory, blocks, s->count);
        for (guint i = 0; adds && i < s->count; i++)
            if (s->landing + i >= memory->n_slots || slots[i] == BLOCK_NONE)
                bytes += memory_bytes_of(memory, blocks + i, 1);
    }
    if (memory->held)
        hold(memory, node, memory->held[node] + bytes);
    return bytes;
}

gint64 memory_peak_bytes(const Memory *memory)
{
    return memory->peak;
}

/* --- life --- */

Memory *memory_new_blank(void)
{
    return g_new0(Memory, 1);
}

Memory *memory_new(const Schedule *schedule)
{
    Memory *memory = g_new0(Memory, 1);
    memory->schedule = schedule;
    memory->content = schedule->content;
    memory->n_nodes = schedule_n_nodes(schedule);
    memory->n_slots = schedule->n_slots;
    memory->slots = g_new(Block, (gsize)memory->n_nodes * memory->n_slots);
    memory->scratch = g_new(Block, MAX(memory->n_nodes, memory->n_slots));
    for (guint node = 0; node < memory->n_nodes; node++)
        memory->content->class->fill(memory->content, node, slot_at(memory, node, 0));
    memory->held = g_new0(gint64, memory->n_nodes);
    for (guint node = 0; node < memory->n_nodes; node++)
        hold(memory, node, memory_bytes_of(memory, slot_at(memory, node, 0), memory->n_slots));
    return memory;
}

void memory_free(Memory *memory)
{
    if (!memory)
        return;
    if (memory->content && memory->content->class->forget)
        memory->content->class->forget(memory->content);
    g_free(memory->held);
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

/* --- moving --- */

static inline gboolean in_range(Memory *memory, guint node, guint slot, guint count, const char *what)
{
    if (slot <= memory->n_slots && count <= memory->n_slots - slot)
        return TRUE;
    memory_fault(memory, "processor %u %s slots %u to %" G_GUINT64_FORMAT ", but its memory has %u slots", node, what,
                 slot, (guint64)slot + count - 1, memory->n_slots);
    return FALSE;
}

static void report_empty(Memory *memory, guint node, guint slot, const Block *blocks)
{
    while (*blocks++ != BLOCK_NONE)
        slot++;
    memory_fault(memory, "processor %u sends slot %u, which holds no block", node, slot);
}

void memory_take(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean keeps, Block *blocks)
{
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
            report_empty(memory, node, s->slot, blocks);
    }
}

static void collide(Memory *memory, guint node, guint slot, Block held, Block arriving)
{
    g_autofree char *one = memory->content->class->describe(memory->content, held);
    g_autofree char *other = memory->content->class->describe(memory->content, arriving);
    memory_fault(memory, "slot %u of processor %u still holds %s when %s arrives", slot, node, one, other);
}

/* Lands a block in a slot. A full slot adds the block if `adds`; else it is a fault. BLOCK_NONE empties the slot. */
static void land_on(Memory *memory, guint node, guint slot, gboolean adds, Block arriving)
{
    Block *to = slot_at(memory, node, slot);
    if (*to == BLOCK_NONE || arriving == BLOCK_NONE) {
        *to = arriving;
    } else if (adds) {
        *to = memory->content->class->add(memory->content, *to, arriving);
    } else {
        collide(memory, node, slot, *to, arriving);
        *to = arriving;
    }
}

void memory_land(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean adds, const Block *blocks)
{
    Block *slots = slot_at(memory, node, 0);
    for (const Stretch *s = stretches; s < stretches + n; blocks += s++->count) {
        if (!in_range(memory, node, s->landing, s->count, "receives into"))
            continue;
        for (guint i = 0; i < s->count; i++)
            if (slots[s->landing + i] == BLOCK_NONE)
                slots[s->landing + i] = blocks[i];
            else
                land_on(memory, node, s->landing + i, adds, blocks[i]);
    }
}

void memory_rotate(Memory *memory, guint node, guint by)
{
    g_assert(memory->n_slots >= memory->n_nodes);
    guint d = memory->schedule->dimension;
    Block *slots = slot_at(memory, node, 0);
    /* a slot's number consists of h, its high `by` bits, and l, the other bits; slot (h, l) moves to (l, h) */
    guint high = 1u << by, low = 1u << (d - by);
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

void memory_operate(Memory *memory, guint node, guint k, const Operation *operation)
{
    Block *slots = slot_at(memory, node, 0);
    g_autofree char *fault = memory->content->class->operate(memory->content, node, slots, operation);
    if (memory->held)
        hold(memory, node, memory_bytes_of(memory, slots, memory->n_slots));
    if (fault)
        memory_fault(memory, "processor %u, in step %u, %s", node, k, fault);
}

/* --- the proof --- */

gboolean memory_check_node(Memory *memory, guint node)
{
    if (!memory->fault)
        memory->fault = memory->content->class->check(memory->content, node, slot_at(memory, node, 0));
    return memory->fault == NULL;
}

gboolean memory_check(Memory *memory)
{
    for (guint node = 0; node < memory->n_nodes && !memory->fault; node++)
        memory_check_node(memory, node);
    return memory->fault == NULL;
}
