#include "agenda.h"
#include "payload.h"

#include <string.h>

/* --- life --- */

static GArray *list_of(gsize size)
{
    return g_array_new(FALSE, FALSE, (guint)size);
}

Agenda *agenda_new(const Schedule *schedule, guint node)
{
    Agenda *agenda = g_new0(Agenda, 1);
    guint n_strands = schedule->n_strands;
    agenda->schedule = schedule;
    agenda->elements = schedule->content->class->pack ? elements_new(schedule, node) : NULL;
    agenda->node = node;
    agenda->n_strands = n_strands;
    agenda->strands = g_new0(AgendaStrand, n_strands);
    for (guint i = 0; i < n_strands; i++)
        agenda->strands[i] = (AgendaStrand){.steps = list_of(sizeof(AgendaStep)),
                                            .sends = list_of(sizeof(AgendaMessage)),
                                        .receives = list_of(sizeof(AgendaMessage))};
    agenda->segments = list_of(sizeof(Segment));
    agenda->zeros = list_of(sizeof(Segment));
    agenda->blocks = list_of(sizeof(AgendaBlock));
    agenda->first = list_of(sizeof(AgendaBlock));
    agenda->last = list_of(sizeof(AgendaBlock));
    agenda->copies = list_of(sizeof(AgendaCopy));
    return agenda;
}

void agenda_free(Agenda *agenda)
{
    GArray *lists[] = {agenda->segments, agenda->zeros, agenda->blocks, agenda->first, agenda->last, agenda->copies};
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_array_unref(lists[i]);
    for (guint i = 0; i < agenda->n_strands; i++) {
        g_array_unref(agenda->strands[i].steps);
        g_array_unref(agenda->strands[i].sends);
        g_array_unref(agenda->strands[i].receives);
    }
    g_free(agenda->strands);
    g_clear_pointer(&agenda->elements, elements_free);
    g_free(agenda);
}

gsize agenda_size(const Agenda *agenda)
{
    gsize size = sizeof *agenda + (agenda->segments->len + agenda->zeros->len) * sizeof(Segment) +
                 (agenda->blocks->len + agenda->first->len + agenda->last->len) * sizeof(AgendaBlock) +
                 agenda->copies->len * sizeof(AgendaCopy);
    for (guint i = 0; i < agenda->n_strands; i++) {
        const AgendaStrand *strand = &agenda->strands[i];
        size += strand->steps->len * sizeof(AgendaStep) +
                (strand->sends->len + strand->receives->len) * sizeof(AgendaMessage);
    }
    return size;
}

/* --- moving --- */

static const Segment *segment_of(const Agenda *agenda, const AgendaMessage *message, guint i)
{
    return &g_array_index(agenda->segments, Segment, message->first + i);
}

static Block known_block(const Agenda *agenda, const AgendaMessage *message, guint i)
{
    return g_array_index(agenda->blocks, AgendaBlock, message->first_block + i).block;
}

char *agenda_buffer(const Agenda *agenda, const AgendaMessage *message, char *memory, char *stage)
{
    if (message->staged)
        return stage + message->stage;
    return message->n_segments ? memory + segment_of(agenda, message, 0)->at : memory;
}

void agenda_pack(const Agenda *agenda, const AgendaMessage *message, char *memory, char *stage)
{
    char *to = stage + message->stage;
    for (guint i = 0; i < message->n_segments; i++) {
        const Segment *segment = segment_of(agenda, message, i);
        if (agenda->elements)
            elements_pack(agenda->elements, (guint)segment->at, !message->clears, to);
        else
            memcpy(to, memory + segment->at, segment->bytes);
        if (message->clears && !agenda->elements)
            memset(memory + segment->at, 0, segment->bytes);
        to += segment->bytes;
    }
}

void agenda_land(const Agenda *agenda, const AgendaMessage *message, char *memory, const char *stage)
{
    const char *from = stage + message->stage;
    for (guint i = 0; i < message->n_segments; i++) {
        const Segment *segment = segment_of(agenda, message, i);
        if (agenda->elements)
            elements_land(agenda->elements, (guint)segment->at, segment->adds, known_block(agenda, message, i), from);
        else if (segment->adds)
            payload_add(memory + segment->at, from, segment->bytes);
        else
            memcpy(memory + segment->at, from, segment->bytes);
        from += segment->bytes;
    }
}

void agenda_end_step(const Agenda *agenda, const AgendaStep *step, char *memory)
{
    const AgendaCopy *copy = &g_array_index(agenda->copies, AgendaCopy, step->first_copy);
    for (const AgendaCopy *end = copy + step->n_copies; copy < end; copy++)
        memcpy(memory + copy->to, memory + copy->from, copy->bytes);
    if (agenda->elements)
        elements_end_step(agenda->elements, &step->end);
}

/* --- what is where --- */

void agenda_fill(const Agenda *agenda, char *memory)
{
    if (agenda->elements)
        elements_fill(agenda->elements);
    for (guint i = 0; i < agenda->zeros->len; i++) {
        const Segment *zero = &g_array_index(agenda->zeros, Segment, i);
        memset(memory + zero->at, 0, zero->bytes);
    }
    for (guint i = 0; i < agenda->first->len; i++) {
        const AgendaBlock *block = &g_array_index(agenda->first, AgendaBlock, i);
        payload_fill(payload_key(block->block, agenda->sums), memory + block->at, block->bytes);
    }
}

/* "byte 17 is 0x2a and should be 0x2b", or NULL. */
static char *check_blocks(const Agenda *agenda, const AgendaBlock *blocks, guint n, const char *bytes)
{
    for (const AgendaBlock *block = blocks; block < blocks + n; block++) {
        guint8 wanted;
        gsize at = payload_compare(payload_key(block->block, agenda->sums), bytes + block->at, block->bytes, &wanted);
        if (at < block->bytes)
            return g_strdup_printf("byte %" G_GSIZE_FORMAT " is 0x%02x and should be 0x%02x", block->at + at,
                                   (guint8)bytes[block->at + at], wanted);
    }
    return NULL;
}

static char *check_digest(const AgendaMessage *message, const char *bytes)
{
    gboolean same = elements_digest(bytes, message->bytes) == message->digest;
    return same ? NULL : g_strdup("they are not those that were sent");
}

char *agenda_check_message(const Agenda *agenda, const AgendaMessage *message, const char *bytes)
{
    const AgendaBlock *blocks = &g_array_index(agenda->blocks, AgendaBlock, message->first_block);
    g_autofree char *wrong = agenda->elements ? check_digest(message, bytes)
                                            : check_blocks(agenda, blocks, message->n_blocks, bytes);
    return wrong ? g_strdup_printf("the message from %u to %u in step %u, %" G_GSIZE_FORMAT " bytes: %s",
                                   message->peer, agenda->node, message->step, message->bytes, wrong)
                 : NULL;
}

char *agenda_check_memory(const Agenda *agenda, const char *memory)
{
    const AgendaBlock *blocks = (const AgendaBlock *)(gconstpointer)agenda->last->data;
    const Content *content = agenda->schedule->content;
    if (agenda->elements)
        return elements_check(agenda->elements);
    for (guint i = 0; i < agenda->last->len; i++) {
        AgendaBlock block = blocks[i];
        block.at = 0;
        g_autofree char *wrong = check_blocks(agenda, &block, 1, memory + blocks[i].at);
        if (!wrong)
            continue;
        g_autofree char *what = content->class->describe(content, block.block);
        return g_strdup_printf("at the end, in the memory of processor %u, %s: %s", agenda->node, what, wrong);
    }
    return NULL;
}
