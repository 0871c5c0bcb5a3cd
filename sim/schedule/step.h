/* What a processor does in one step of a schedule. In this order it
 *   1. waits at a barrier, if the step begins a phase and the machine has phase_barrier;
 *   2. exchanges zero-byte messages with its partner, if the step is a pairwise exchange and the machine
 *      synchronises pairs;
 *   3. issues its sends, and waits until all are transmitted and every awaited message has arrived; the arrivals
 *      land in the slots that their senders named;
 *   4. rearranges its memory, or only calls slots by other numbers;
 *   5. works on what its slots hold. */
#pragma once

#include "sim/cube/group.h"

/* Effect of a message on a block that it carries, in the sender's slot and in the slot where the block arrives. */
typedef enum {
    TRANSFER_MOVE,      /* the block leaves the sender's slot and arrives in an empty slot */
    TRANSFER_COPY,      /* the block stays in the sender's slot; a copy arrives in an empty slot */
    TRANSFER_COMBINE,   /* the block leaves the sender's slot; it is added to the receiver's slot, or fills it */
    TRANSFER_ADD        /* the block stays in the sender's slot; a copy is added to the receiver's slot, or fills it */
} Transfer;

static inline gboolean step_transfer_keeps(Transfer transfer)
{
    return transfer == TRANSFER_COPY || transfer == TRANSFER_ADD;
}

static inline gboolean step_transfer_adds(Transfer transfer)
{
    return transfer == TRANSFER_COMBINE || transfer == TRANSFER_ADD;
}

/* Blocks that travel together. They leave consecutive slots of the sender and arrive in consecutive slots of the
 * peer. */
typedef struct {
    guint slot;         /* first of `count` consecutive slots at the sender */
    guint count;
    guint landing;      /* first of the `count` consecutive slots at the peer */
} Stretch;

typedef struct {
    guint peer;         /* destination; never the sender itself */
    guint first;        /* index of the message's first stretch in Step.stretches */
    guint n_stretches;
    Transfer transfer;
} Send;

/* Local work of a processor in a step. Only the content knows the effect of the work on the slots (content.h). */
typedef struct {
    guint what;         /* kind of work, a number that the content defines; 0: no work */
    guint slot, count;  /* slots of the work: `count` slots from `slot` on */
    gint64 bytes;       /* bytes moved within the processor's memory; each takes the time rho of the machine */
} Operation;

typedef struct {
    gboolean phase;     /* whether the step begins a phase */
    gboolean exchange;  /* whether the step is a pairwise exchange: messages to one peer, and messages from it */
    GArray *sends;      /* Send: the messages in the order of issue */
    GArray *stretches;  /* Stretch: stretches of all sends; `own`, or an array that steps of several processors share
                         * (reference counted) */
    GArray *own;        /* Stretch: the array that belongs to this step alone */
    GArray *awaits;     /* guint: the source of each awaited message; messages of one source in its order of sending */
    guint rotate;       /* k: after the messages the block in slot i < 2^d moves to i rotated left by k of its d bits;
                         * 0: no block moves */
    gboolean renumber;  /* whether slots get new numbers after the messages, by schedule_renumber(); this takes no
                         * time */
    Operation operation;
    gint64 copied;      /* bytes gathered or scattered at the end of the step (gathered.h) */
    Transfer transfer;  /* Send.transfer of all messages that step_send() begins while this is set */
    guint strand;       /* index of the step's strand */
    guint32 join;       /* strands, as bits, with the step's own: all of them wait at steps with an equal `join`, and
                         * begin these together. 0: the step waits for no strand */
    /* used while a schedule fills the step */
    gboolean begins;    /* whether the next step_carry() begins a message to `peer` */
    gboolean asked;     /* TRUE: a question, made by step_asked(). It stores no messages; its first slot makes the
                         * asking step await one from `peer` */
    guint peer;         /* destination of the message that begins; with `asked` the sender whose message is asked for */
} Step;

/* Returns an empty Step, whose arrays grow as needed. Clear with step_clear(). */
Step step_new(void);
void step_clear(Step *step);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Step, step_clear)

void step_empty(Step *step);

/* Fills in `out`, which must be empty, with the step of `node`: processor 0's `step` with `node` added to every peer.
 * `out` shares the stretches of `step`. */
void step_translate(const Step *step, const Group *group, guint node, Step *out);

/* Replaces stretches that the step shares with others by a copy of its own. */
void step_own_stretches(Step *step);

/* Begins a message to `peer`. step_carry() adds its slots; without slots it is not sent. */
void step_send(Step *step, guint peer);
/* Adds `count` slots from `slot` on to the message that step_send() began. They arrive in the peer's slots from
 * `landing` on. Returns FALSE if `step` is a question (step_asked()): then calls for more slots change nothing. */
gboolean step_carry(Step *step, guint slot, guint count, guint landing);
/* Adds a message to `peer` of `count` slots from `slot` on, as step_send() and step_carry() do. */
void step_send_slots(Step *step, guint peer, guint slot, guint count, guint landing);
/* Makes the step wait until one message from `source` has arrived. */
void step_await(Step *step, guint source);

/* Returns a question: a Step for a function that sends the message of `sender` to the processor of `step`. If that
 * function sends anything to the question, `step` awaits a message from `sender`. So awaits follow from sends:
 *
 *     send_across(node, dim, out);
 *     Step question = step_asked(out, node ^ 1u << dim);
 *     send_across(node ^ 1u << dim, dim, &question);
 *
 * The result is valid as long as `step`, for one message, and needs no step_clear(). */
static inline Step step_asked(Step *step, guint sender)
{
    return (Step){.awaits = step->awaits, .asked = TRUE, .peer = sender};
}

/* Whether the step sends and awaits messages, all of them to and from one peer. */
gboolean step_is_exchange(const Step *step);

static inline gboolean step_shares(const Step *step)
{
    return step->stretches != step->own;
}

static inline const Send *step_nth_send(const Step *step, guint i)
{
    return &g_array_index(step->sends, Send, i);
}

static inline const Stretch *step_stretch(const Step *step, const Send *send, guint i)
{
    return &g_array_index(step->stretches, Stretch, send->first + i);
}

static inline guint step_n_blocks(const Step *step, const Send *send)
{
    guint count = 0;
    for (guint i = 0; i < send->n_stretches; i++)
        count += step_stretch(step, send, i)->count;
    return count;
}

static inline guint step_nth_await(const Step *step, guint i)
{
    return g_array_index(step->awaits, guint, i);
}

static inline void step_swap_awaits(Step *step, guint i, guint j)
{
    guint kept = step_nth_await(step, i);
    g_array_index(step->awaits, guint, i) = step_nth_await(step, j);
    g_array_index(step->awaits, guint, j) = kept;
}
