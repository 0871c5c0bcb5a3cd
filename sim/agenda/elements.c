#include "elements.h"
#include "sim/replay/memory.h"

struct Elements {
    const Schedule *schedule;
    guint node;
    Memory *memory;         /* of the whole cube, of which only one processor's is used; NULL before it is filled */
};

Elements *elements_new(const Schedule *schedule, guint node)
{
    return g_memdup2(&(Elements){schedule, node, NULL}, sizeof(Elements));
}

void elements_free(Elements *elements)
{
    memory_free(elements->memory);
    g_free(elements);
}

void elements_fill(Elements *elements)
{
    memory_free(elements->memory);
    elements->memory = memory_new(elements->schedule);
}

static const Content *content_of(const Elements *elements)
{
    return elements->schedule->content;
}

static const Segment *segment_of(const Agenda *agenda, const AgendaMessage *message, guint i)
{
    return &g_array_index(agenda->segments, Segment, message->first + i);
}

void elements_pack(Elements *elements, const Agenda *agenda, const AgendaMessage *message, char *bytes)
{
    for (guint i = 0; i < message->n_segments; i++) {
        const Segment *segment = segment_of(agenda, message, i);
        Stretch stretch = {(guint)segment->at, 1, 0};
        Block block;
        memory_take(elements->memory, elements->node, &stretch, 1, !message->clears, &block);
        if (block != BLOCK_NONE)
            content_of(elements)->class->pack(content_of(elements), block, (guint8 *)bytes);
        bytes += segment->bytes;
    }
}

void elements_land(Elements *elements, const Agenda *agenda, const AgendaMessage *message, const char *bytes)
{
    Content *content = elements->schedule->content;
    for (guint i = 0; i < message->n_segments; i++) {
        const Segment *segment = segment_of(agenda, message, i);
        Stretch stretch = {0, 1, (guint)segment->at};
        Block like = g_array_index(agenda->blocks, AgendaBlock, message->first_block + i).block;
        Block block = content->class->unpack(content, like, (const guint8 *)bytes);
        memory_land(elements->memory, elements->node, &stretch, 1, segment->adds, &block);
        bytes += segment->bytes;
    }
}

void elements_end_step(Elements *elements, const AgendaStep *step)
{
    if (step->rotate)
        memory_rotate(elements->memory, elements->node, step->rotate);
    if (step->renumber)
        memory_renumber(elements->memory, elements->node, step->strand, step->k);
    if (step->operation.what)
        memory_operate(elements->memory, elements->node, step->k, &step->operation);
}

char *elements_check(Elements *elements)
{
    memory_check_node(elements->memory, elements->node);
    return g_strdup(memory_first_fault(elements->memory));
}

#define FNV_START G_GUINT64_CONSTANT(0xcbf29ce484222325)
#define FNV_PRIME G_GUINT64_CONSTANT(0x100000001b3)

guint64 elements_digest(const char *bytes, gsize n)
{
    guint64 digest = FNV_START;
    for (gsize i = 0; i < n; i++)
        digest = (digest ^ (guint8)bytes[i]) * FNV_PRIME;
    return digest;
}

guint64 elements_digest_blocks(const Content *content, const Block *blocks, guint count)
{
    gsize n = (gsize)content_bytes_of_blocks(content, blocks, count);
    g_autofree char *bytes = g_malloc(MAX(1, n));
    char *to = bytes;
    for (guint i = 0; i < count; i++) {
        content->class->pack(content, blocks[i], (guint8 *)to);
        to += content_bytes_of_blocks(content, &blocks[i], 1);
    }
    return elements_digest(bytes, n);
}
