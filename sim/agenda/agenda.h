/* An agenda: all that one processor does in a schedule, with slots resolved into bytes of its memory, so that who
 * carries it out sees addresses only.
 *
 * Blocks lie in the memory, which has up to three halves. A slot has the same place in each. What arrives for a slot
 * that is being sent away lands in another half than it lay in; so neither is copied. Every message has its bytes in
 * segments of the memory. One that has a single segment is sent from there, or received there, at once; others are
 * packed into the stage, from which they are sent, or into which they are received.
 *
 * Where blocks have elements, slots hold blocks as they do in a simulation, and every message is staged: elements.h. */
#pragma once

#include "elements.h"

typedef struct {
    gsize at, bytes;        /* in the memory; with elements, the slot */
    gboolean adds;          /* what arrives is added to what is there */
} Segment;

/* A block that is known to be somewhere. */
typedef struct {
    Block block;
    gsize at;               /* in the memory, or in the message */
    gsize bytes;
} AgendaBlock;

typedef struct {
    guint peer;
    guint step;             /* of the sender */
    gsize bytes;
    guint first, n_segments;    /* of the agenda's segments, in the order of the message */
    guint first_block, n_blocks;    /* of the agenda's blocks, that it carries: kept of those received */
    gboolean staged;
    gsize stage;            /* where in the stage, if it is staged */
    gboolean clears;        /* the memory that it is sent from holds zeros afterwards; with elements, nothing */
    guint64 digest;         /* with elements: of the bytes that it should have (elements_digest()) */
} AgendaMessage;

/* Bytes that are moved within the memory. */
typedef struct {
    gsize to, from, bytes;
} AgendaCopy;

typedef struct {
    guint32 join;           /* as in Step */
    gboolean barrier;       /* before all else */
    gboolean handshake;     /* with the partner, before anything is sent */
    guint partner;
    guint first_send, n_sends, first_receive, n_receives;   /* of the strand's messages */
    guint first_copy, n_copies;     /* of the agenda's copies: after the messages */
    StepEnd end;            /* with elements: what follows the messages */
} AgendaStep;

typedef struct {
    GArray *steps;          /* AgendaStep */
    GArray *sends;          /* AgendaMessage */
    GArray *receives;       /* AgendaMessage, in the order in which those of one source were sent */
    guint most_requests;    /* messages of a step, handshakes included, at most; if early, without receives */
    gsize stage;            /* bytes of the stage that a step takes, at most */
} AgendaStrand;

typedef struct {
    guint node, n_strands;
    const Schedule *schedule;   /* borrowed */
    Elements *elements;         /* or NULL */
    AgendaStrand *strands;
    GArray *segments;       /* Segment */
    GArray *blocks;         /* AgendaBlock of messages */
    GArray *copies;         /* AgendaCopy */
    GArray *first, *last;   /* AgendaBlock: what the memory holds at the beginning, and at the end */
    GArray *zeros;          /* Segment: what is zero at the beginning, because something is added to it */
    gboolean sums;          /* blocks are added */
    gboolean early;         /* each receive has bytes of its own in the stage, so that all can be posted at first */
    gboolean crosses;       /* messages are awaited in later steps than they are sent in: unless all receives are
                             * posted at first, it is up to MPI whether they can leave */
    gsize memory_bytes, stage_bytes;
    guint64 messages;       /* of all processors, handshakes included */
    gint64 operations, peak_bytes;  /* of arithmetic, and held at a time, at the processor that has most */
    gsize largest;          /* bytes of the largest message of this one */
} Agenda;

/* An empty one. `schedule` must outlive it. Caller frees. */
Agenda *agenda_new(const Schedule *schedule, guint node);
void agenda_free(Agenda *agenda);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Agenda, agenda_free)

static inline const AgendaStep *agenda_step(const AgendaStrand *strand, guint k)
{
    return &g_array_index(strand->steps, AgendaStep, k);
}

static inline const AgendaMessage *agenda_send(const AgendaStrand *strand, const AgendaStep *step, guint i)
{
    return &g_array_index(strand->sends, AgendaMessage, step->first_send + i);
}

static inline const AgendaMessage *agenda_receive(const AgendaStrand *strand, const AgendaStep *step, guint i)
{
    return &g_array_index(strand->receives, AgendaMessage, step->first_receive + i);
}

/* Bytes that the agenda itself takes. */
gsize agenda_size(const Agenda *agenda);

/* Where the bytes of a message lie when it is sent, or are received. */
char *agenda_buffer(const Agenda *agenda, const AgendaMessage *message, char *memory, char *stage);

/* Copies a staged message from the memory into the stage, or from there to where it belongs. */
void agenda_pack(const Agenda *agenda, const AgendaMessage *message, char *memory, char *stage);
void agenda_land(const Agenda *agenda, const AgendaMessage *message, char *memory, const char *stage);

/* What follows the messages of a step. */
void agenda_end_step(const Agenda *agenda, const AgendaStep *step, char *memory);

/* Puts the blocks into the memory that are there at the beginning. With elements, before every time. */
void agenda_fill(const Agenda *agenda, char *memory);

/* NULL, or what is wrong first: with a message, whose bytes are given, or with the memory at the end. Caller frees. */
char *agenda_check_message(const Agenda *agenda, const AgendaMessage *message, const char *bytes);
char *agenda_check_memory(const Agenda *agenda, const char *memory);
