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

void elements_pack(Elements *elements, guint slot, gboolean keeps, char *bytes)
{
    Block block;
    memory_take(elements->memory, elements->node, &(Stretch){slot, 1, 0}, 1, keeps, &block);
    if (block != BLOCK_NONE)
        content_of(elements)->class->pack(content_of(elements), block, (guint8 *)bytes);
}

void elements_land(Elements *elements, guint slot, gboolean adds, Block like, const char *bytes)
{
    Content *content = elements->schedule->content;
    Block block = content->class->unpack(content, like, (const guint8 *)bytes);
    memory_land(elements->memory, elements->node, &(Stretch){0, 1, slot}, 1, adds, &block);
}

void elements_end_step(Elements *elements, const StepEnd *end)
{
    if (end->rotate)
        memory_rotate(elements->memory, elements->node, end->rotate);
    if (end->renumber)
        memory_renumber(elements->memory, elements->node, end->strand, end->k);
    if (end->operation.what)
        memory_operate(elements->memory, elements->node, end->k, &end->operation);
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
