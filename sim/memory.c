#include "memory.h"
#include "cube.h"

#include <string.h>

struct Memory {
    guint dimension, n_nodes, n_slots;
    Block *slots;       /* [n_nodes][n_slots] */
    Block *scratch;     /* [n_nodes], for one rotation */
    char *fault;
};

static inline Block block_make(guint source, guint destination)
{
    return (Block)source << 32 | destination;
}

static inline Block *slot_at(const Memory *memory, guint node, guint slot)
{
    return memory->slots + (gsize)node * memory->n_slots + slot;
}

Memory *memory_new(const Schedule *schedule)
{
    Memory *memory = g_new0(Memory, 1);
    memory->dimension = schedule->dimension;
    memory->n_nodes = cube_n_nodes(schedule->dimension);
    memory->n_slots = schedule->n_slots;
    gsize total = (gsize)memory->n_nodes * memory->n_slots;
    memory->slots = g_new(Block, total);
    memory->scratch = g_new(Block, memory->n_nodes);
    memset(memory->slots, 0xff, total * sizeof(Block));
    for (guint node = 0; node < memory->n_nodes; node++) {
        for (guint i = 0; i < memory->n_nodes; i++)
            *slot_at(memory, node, schedule->outgoing + i) = block_make(node, i);
        *slot_at(memory, node, schedule->outgoing + node) = BLOCK_NONE;
        *slot_at(memory, node, node) = block_make(node, node);
    }
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

gsize memory_estimate(const Schedule *schedule)
{
    gsize n = cube_n_nodes(schedule->dimension);
    gsize largest = 0;      /* blocks that one processor has under way */
    for (guint i = 0; i < schedule->partition.n_parts; i++)
        largest = MAX(largest, n >> schedule->partition.part[i]);
    if (schedule->partition.n_parts == 0)
        largest = n;        /* early arrivals may wait for the end */
    return n * (schedule->n_slots + largest + 1) * sizeof(Block);
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

static gboolean in_range(Memory *memory, guint node, guint slot, guint count, const char *what)
{
    if (slot <= memory->n_slots && count <= memory->n_slots - slot)
        return TRUE;
    memory_fault(memory, "processor %u %s slots %u to %" G_GUINT64_FORMAT ", but its memory has %u slots", node, what,
                 slot, (guint64)slot + count - 1, memory->n_slots);
    return FALSE;
}

void memory_take(Memory *memory, guint node, guint slot, guint count, Block *blocks)
{
    if (!in_range(memory, node, slot, count, "sends")) {
        memset(blocks, 0xff, count * sizeof(Block));
        return;
    }
    Block *from = slot_at(memory, node, slot);
    for (guint i = 0; i < count; i++) {
        blocks[i] = from[i];
        if (from[i] == BLOCK_NONE)
            memory_fault(memory, "processor %u sends slot %u, which holds no block", node, slot + i);
        from[i] = BLOCK_NONE;
    }
}

#define BLOCK_FORMAT "the block from %u to %u"
#define BLOCK_ARGS(block) (guint)((block) >> 32), (guint)(block)

void memory_land(Memory *memory, guint node, guint slot, guint count, const Block *blocks)
{
    if (!in_range(memory, node, slot, count, "receives into"))
        return;
    Block *to = slot_at(memory, node, slot);
    for (guint i = 0; i < count; i++) {
        if (to[i] != BLOCK_NONE)
            memory_fault(memory, "slot %u of processor %u still holds " BLOCK_FORMAT " when " BLOCK_FORMAT " arrives",
                         slot + i, node, BLOCK_ARGS(to[i]), BLOCK_ARGS(blocks[i]));
        to[i] = blocks[i];
    }
}

void memory_rotate(Memory *memory, guint node, guint by)
{
    guint d = memory->dimension;
    Block *slots = slot_at(memory, node, 0);
    guint high = 1u << by, low = 1u << (d - by);    /* slot = (h, l) moves to (l, h) */
    for (guint h = 0; h < high; h++)
        for (guint l = 0; l < low; l++)
            memory->scratch[(l << by) | h] = slots[(h << (d - by)) | l];
    memcpy(slots, memory->scratch, memory->n_nodes * sizeof(Block));
}

static void check_slot(Memory *memory, guint node, guint slot)
{
    Block found = *slot_at(memory, node, slot);
    if (found == block_make(slot, node))
        return;
    if (found == BLOCK_NONE)
        memory_fault(memory, "slot %u of processor %u is empty; " BLOCK_FORMAT " belongs there", slot, node, slot,
                     node);
    else
        memory_fault(memory, "slot %u of processor %u holds " BLOCK_FORMAT "; " BLOCK_FORMAT " belongs there", slot,
                     node, BLOCK_ARGS(found), slot, node);
}

gboolean memory_check(Memory *memory)
{
    for (guint node = 0; node < memory->n_nodes && !memory->fault; node++)
        for (guint slot = 0; slot < memory->n_nodes && !memory->fault; slot++)
            check_slot(memory, node, slot);
    return memory->fault == NULL;
}
