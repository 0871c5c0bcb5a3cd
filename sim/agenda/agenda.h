/* An agenda: everything that one processor does in a schedule, with messages that have places in its memory. Its
 * execution packs, sends, receives and lands messages and ends steps, without knowing the schedule.
 *
 * Blocks without elements are bytes. They lie in the memory, which has one to three "halves" with a place for every
 * slot. If a block arrives for a slot whose block is being sent away, it lands in another half, and neither is
 * copied. The bytes of a message are segments of the memory. A message with a single segment is sent or received
 * there directly. Other messages are packed into the stage, a buffer, and sent from it, or received into it.
 *
 * Blocks with elements (ContentClass.pack) lie in slots, as in a simulation, and every message is staged. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/replay/memory.h"

typedef struct {
    guint peer;
    guint step;             /* step of the sender */
    gsize bytes;
    guint first, n_parts;   /* parts of the message in Agenda.parts, in their order */
    guint first_block, n_blocks;    /* blocks of the message in Agenda.blocks; sends have only n_blocks */
    gboolean staged;
    gsize stage;            /* offset of the message in the stage in bytes, if `staged` */
    gboolean clears;        /* whether sending empties the slots or, for blocks of bytes, writes zeros for later sums */
    gboolean adds;          /* whether blocks that arrive are added to those in the slots; with elements only */
    guint64 digest;         /* digest of the bytes that should arrive; with elements only */
} AgendaMessage;

/* A copy of bytes within the memory. */
typedef struct {
    gsize to, from, bytes;
} AgendaCopy;

typedef struct {
    guint32 join;           /* set of strands, as bits, that the step waits for (Step.join) */
    gboolean barrier;       /* whether the step begins with a barrier */
    gboolean handshake;     /* whether a handshake with `partner` comes before all messages */
    guint partner;
    guint first_send, n_sends, first_receive, n_receives;   /* messages of the step in the strand's lists */
    gsize stage;            /* bytes of the stage that the step's messages take */
    guint first_copy, n_copies;     /* copies after the messages: entries of Agenda.copies */
    guint strand, k, rotate;        /* strand and index of the step; Step.rotate, for data with elements only: for
                                     * bytes, entries of Agenda.copies replace it */
    gboolean renumber;      /* Step.renumber, for data with elements only: for bytes, later offsets include it */
    Operation operation;    /* Step.operation, for data with elements only */
} AgendaStep;

typedef struct {
    GArray *steps;          /* AgendaStep */
    GArray *sends;          /* AgendaMessage */
    GArray *receives;       /* AgendaMessage; messages of one source are in the order of sending */
    guint most_requests;    /* the most requests of MPI that a step needs: its sends, a handshake's two messages, and
                             * unless `early` its receives */
} AgendaStrand;

typedef struct {
    const struct AgendaClass *class;
    const Schedule *schedule;   /* borrowed */
    guint node, n_strands;
    AgendaStrand *strands;
    GArray *parts;          /* parts of messages: Segment; for data with elements Stretch */
    GArray *blocks;         /* blocks of received messages, each with its offset in the message */
    GArray *copies;         /* AgendaCopy */
    GArray *first, *last;   /* blocks of bytes in the memory, with their offsets: at the beginning, and at the end */
    gsize zero_bytes;       /* bytes at the head of the memory that begin as zeros, since blocks are added to them */
    gboolean sums;          /* whether blocks are added to each other */
    gboolean early;         /* whether each receive has bytes of its own in the stage: all can be posted first */
    gboolean crosses;       /* whether a message is awaited in another step than it is sent in. Unless all receives
                             * are posted first, MPI decides whether such messages can leave */
    gboolean consumes;      /* whether an execution uses up its data, so that agenda_fill() must come before each */
    gsize memory_bytes, stage_bytes;
    char *memory, *stage;   /* borrowed; NULL until agenda_place() */
    Memory *slots;          /* memories of all processors, only this one's used; NULL without elements */
    guint64 messages;       /* number of messages of all processors, handshakes included */
    gint64 operations, peak_bytes;  /* most arithmetic operations of a processor; most bytes held by a processor */
    gint64 largest_of_all;  /* bytes of the largest message of any processor */
    gsize largest;          /* bytes of this processor's largest message */
} Agenda;

/* Compiles the agenda of processor `node`; `pairwise_sync` and `phase_barrier` are as in the machine model. With
 * `early` and a single strand, the agenda allows all receives to be posted before the first step (Agenda.early).
 * `schedule` must outlive the agenda. Returns NULL with `*fault`, which the caller frees, if the data would not be in
 * place at the end (verify.h). Caller frees. */
Agenda *agenda_compile(const Schedule *schedule, guint node, gboolean pairwise_sync, PhaseBarrier phase_barrier,
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

/* Sets the agenda's memory: memory_bytes, followed by stage_bytes. Borrowed. */
void agenda_place(Agenda *agenda, char *memory);

/* Fills the memory with the blocks of the beginning. */
void agenda_fill(Agenda *agenda);

/* Returns the address from which a message is sent, or at which it is received. */
char *agenda_buffer(const Agenda *agenda, const AgendaMessage *message);

/* Copies a message to be sent from the memory into the stage, if it is staged. Clears its blocks if
 * message->clears. */
void agenda_pack(const Agenda *agenda, const AgendaMessage *message);
/* Copies a received message from the stage to its places in the memory, or adds it there, if it is staged. */
void agenda_land(const Agenda *agenda, const AgendaMessage *message);

/* Does the copies and the local work that follow the messages of a step. */
void agenda_end_step(const Agenda *agenda, const AgendaStep *step);

/* Checks the bytes of a message that has arrived. Returns the first fault, which the caller frees, or NULL. */
char *agenda_check_message(const Agenda *agenda, const AgendaMessage *message);
/* Checks the memory at the end. Returns the first fault, which the caller frees, or NULL. */
char *agenda_check_memory(const Agenda *agenda);
