/* An agenda: all that one processor does in a schedule, with messages that have a place in its memory. To carry it out
 * is to pack, send, receive and land messages, and to end steps; nothing of the schedule need be known for that.
 *
 * Blocks without elements are bytes. They lie in the memory, which has up to three halves; a slot has the same place in
 * each. What arrives for a slot that is being sent away lands in another half than it lay in, so neither is copied.
 * Every message has its bytes in segments of the memory. One that has a single segment is sent from there, or received
 * there, at once; others are packed into the stage, from which they are sent, or into which they are received.
 *
 * Blocks with elements (ContentClass.pack) lie in slots, as in a simulation, and every message is staged. */
#pragma once

#include "sim/replay/memory.h"

typedef struct {
    guint peer;
    guint step;             /* of the sender */
    gsize bytes;
    guint first, n_parts;   /* of the agenda's segments, or stretches, in the order of the message */
    guint first_block, n_blocks;    /* of the agenda's blocks that it carries: kept of messages received */
    gboolean staged;
    gsize stage;            /* where in the stage, if it is staged */
    gboolean clears;        /* what was sent is gone: its bytes become zeros, its slots empty */
    gboolean adds;          /* with elements: what arrives is added to what is there */
    guint64 digest;         /* with elements: of the bytes that should arrive */
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
    gsize stage;            /* bytes of the stage that it takes */
    guint first_copy, n_copies;     /* of the agenda's copies: after the messages */
    guint strand, k, rotate;        /* as in Step, with elements: after the messages */
    gboolean renumber;
    Operation operation;
} AgendaStep;

typedef struct {
    GArray *steps;          /* AgendaStep */
    GArray *sends;          /* AgendaMessage */
    GArray *receives;       /* AgendaMessage; messages of one source are in the order in which they were sent */
    guint most_requests;    /* messages of a step, handshakes included, at most; if early, without receives */
} AgendaStrand;

typedef struct {
    const struct AgendaClass *class;
    const Schedule *schedule;   /* borrowed */
    guint node, n_strands;
    AgendaStrand *strands;
    GArray *parts;          /* of messages: segments of the memory, or Stretch */
    GArray *blocks;         /* of messages, each at its place in the message */
    GArray *copies;         /* AgendaCopy */
    GArray *first, *last;   /* blocks that the memory holds at the beginning, and at the end */
    gsize zero_bytes;       /* so many at its head are zero at the beginning, as blocks are added to them */
    gboolean sums;          /* blocks are added */
    gboolean early;         /* each receive has bytes of its own in the stage, so that all can be posted at first */
    gboolean crosses;       /* messages are awaited in later steps than they are sent in: unless all receives are
                             * posted at first, it is up to MPI whether they can leave */
    gboolean consumes;      /* the memory must be filled before every time that it is carried out */
    gsize memory_bytes, stage_bytes;
    char *memory, *stage;   /* borrowed; NULL until agenda_place() */
    Memory *slots;          /* with elements: of the whole cube, of which one processor's are used */
    guint64 messages;       /* of all processors, handshakes included */
    gint64 operations, peak_bytes;  /* of arithmetic, and held at a time, at the processor that has most */
    gsize largest;          /* bytes of the largest message of this one */
} Agenda;

/* The agenda of processor `node`; `pairwise_sync` and `phase_barrier` as in the machine model. If it is `early`, all
 * receives are posted before the first step, but not if there are several strands. `schedule` must outlive it. NULL and
 * `*fault`, which the caller frees, if the data would not be in place at the end: see verify.h. Caller frees. */
Agenda *agenda_compile(const Schedule *schedule, guint node, gboolean pairwise_sync, gboolean phase_barrier,
                       gboolean early, char **fault);
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

/* Gives it its memory, of memory_bytes and behind them stage_bytes. Borrowed. */
void agenda_place(Agenda *agenda, char *memory);

/* Puts the blocks into the memory that are there at the beginning. */
void agenda_fill(Agenda *agenda);

/* Where the bytes of a message lie when it is sent, or are received. */
char *agenda_buffer(const Agenda *agenda, const AgendaMessage *message);

/* If a message is staged: copies it from the memory into the stage, or from there to where it belongs. */
void agenda_pack(const Agenda *agenda, const AgendaMessage *message);
void agenda_land(const Agenda *agenda, const AgendaMessage *message);

/* What follows the messages of a step. */
void agenda_end_step(const Agenda *agenda, const AgendaStep *step);

/* NULL, or what is wrong first: with a message that has arrived, or with the memory at the end. Caller frees. */
char *agenda_check_message(const Agenda *agenda, const AgendaMessage *message);
char *agenda_check_memory(const Agenda *agenda);
