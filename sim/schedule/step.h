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

/* What happens to a block that is sent, and to one that arrives. */
typedef enum {
    TRANSFER_MOVE,      /* it leaves its slot, for an empty one */
    TRANSFER_COPY,      /* it stays where it is as well */
    TRANSFER_COMBINE,   /* it leaves its slot, and is added to what lies in the other */
    TRANSFER_ADD        /* it stays where it is as well, and is added to what lies in the other */
} Transfer;

static inline gboolean step_transfer_keeps(Transfer transfer)
{
    return transfer == TRANSFER_COPY || transfer == TRANSFER_ADD;
}

static inline gboolean step_transfer_adds(Transfer transfer)
{
    return transfer == TRANSFER_COMBINE || transfer == TRANSFER_ADD;
}

/* Consecutive slots that travel together. */
typedef struct {
    guint slot;         /* first of `count` consecutive slots at the sender */
    guint count;
    guint landing;      /* first of the `count` consecutive slots at the peer */
} Stretch;

/* One message. */
typedef struct {
    guint peer;         /* destination; never the sender itself */
    guint first;        /* its stretches are those from this number on */
    guint n_stretches;
    Transfer transfer;
} Send;

/* Local work. What it does to the slots is for whoever knows what they mean (content.h). */
typedef struct {
    guint what;         /* 0: nothing */
    guint slot, count;  /* the slots it is about */
    gint64 bytes;       /* that it moves within the memory: each takes the machine's rho */
} Operation;

typedef struct {
    gboolean phase;     /* the step begins a phase */
    gboolean exchange;  /* pairwise: a message to a peer, or several, and likewise from it */
    GArray *sends;      /* Send, in the order of issue */
    GArray *stretches;  /* Stretch, of all sends: `own`, or an array that other processors' steps share, counted by
                         * reference */
    GArray *own;
    GArray *awaits;     /* guint: the sources of the messages awaited; one entry is one message, and messages of one
                         * source count in the order in which it sent them */
    guint rotate;       /* the block in slot i < 2^d moves to slot i rotated left by so many of its d bits; 0: stays */
    gboolean renumber;  /* slots get other numbers, by schedule_renumber(): a change of addresses, for nothing */
    Operation operation;
    gint64 copied;      /* bytes that are gathered or scattered at the end of the step (gathered.h) */
    Transfer transfer;  /* of the messages that step_send() begins from now on */
    guint strand;       /* the strand that the step is of */
    guint32 join;       /* strands, as bits: the step begins when all of them have come to a step with this join */
    /* while a schedule fills it */
    gboolean begins;    /* the next step_carry() begins a message to `peer` */
    gboolean asked;     /* step_asked() of the sender `peer` */
    guint peer;
} Step;

/* An empty Step whose arrays grow as needed; to be cleared once it is no longer used. */
Step step_new(void);
void step_clear(Step *step);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Step, step_clear)

/* Makes it empty again. */
void step_empty(Step *step);

/* Makes `out`, which is empty, the step `step` of processor 0 as `node` does it: `node` is added to every peer. The
 * stretches are shared. */
void step_translate(const Step *step, const Group *group, guint node, Step *out);

/* Gives a step that shares its stretches a copy of its own. */
void step_own_stretches(Step *step);

/* For schedules, while they fill a step: step_send() begins a message, and step_carry() adds slots to it (slots that
 * continue those added before join them). A message to which nothing is added is not sent. step_carry() returns FALSE
 * if the message is only asked for, so that what else it carries does not matter. */
void step_send(Step *step, guint peer);
gboolean step_carry(Step *step, guint slot, guint count, guint landing);
void step_send_slots(Step *step, guint peer, guint slot, guint count, guint landing);
void step_await(Step *step, guint source);

/* Derives what a processor awaits from what the others send: a function that makes the message of `sender` to the
 * processor of `step`, if there is one, makes `step` await it if it is given this question instead of a step.
 *
 *     send_across(node, dim, out);
 *     Step question = step_asked(out, node ^ 1u << dim);
 *     send_across(node ^ 1u << dim, dim, &question);
 *
 * The question is valid as long as `step`, for one message, and needs no step_clear(). */
static inline Step step_asked(Step *step, guint sender)
{
    return (Step){.awaits = step->awaits, .asked = TRUE, .peer = sender};
}

/* Whether the processor exchanges messages with one other. */
gboolean step_is_exchange(const Step *step);

static inline gboolean step_shares(const Step *step)
{
    return step->stretches != step->own;
}

static inline const Send *step_nth_send(const Step *step, guint i)
{
    return &g_array_index(step->sends, Send, i);
}

/* Stretch number i of a send. */
static inline const Stretch *step_stretch(const Step *step, const Send *send, guint i)
{
    return &g_array_index(step->stretches, Stretch, send->first + i);
}

/* Blocks that it carries. */
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
