/* A schedule: what each processor does, step by step, as a pure function of its number and the step's.
 *
 * A schedule sees cube arithmetic and its own parameters. It knows nothing of times, bytes or machines; the verifier,
 * the pricer and the engine each walk it their own way.
 *
 * A slot is a place in a processor's memory that holds one block. In a step a processor, in this order:
 *   1. waits at a barrier, if the step begins a phase and the machine has phase_barrier;
 *   2. exchanges zero-byte messages with its partner, if the step is a pairwise exchange and the machine synchronises
 *      pairs;
 *   3. issues its sends - the blocks leave their slots - and waits until all are transmitted and every awaited message
 *      has arrived; the arrivals land in the slots their senders named;
 *   4. rearranges its memory. */
#ifndef ECUBE_SCHEDULE_H
#define ECUBE_SCHEDULE_H

#include "../models/partition.h"

#include <glib.h>

typedef struct {
    guint peer;         /* destination; never the sender itself */
    guint slot;         /* first of `count` consecutive slots whose blocks are moved */
    guint count;
    guint landing;      /* first of the `count` consecutive slots at the peer */
} Send;

typedef struct {
    gboolean phase;     /* the step begins a phase */
    gboolean exchange;  /* pairwise: one send, one await, same peer, who does the same */
    GArray *sends;      /* Send, in the order of issue */
    GArray *awaits;     /* guint: the sources of the messages awaited; one entry is one message, and messages of one
                         * source count in the order in which it sent them */
    guint rotate;       /* the block in slot i moves to slot i rotated left by this many of its d bits; 0: stays */
} Step;

typedef struct Schedule Schedule;

/* A registered algorithm. */
typedef struct {
    const char *name;           /* as on the command line */
    const char *summary;        /* one line */
    const char *source;         /* author, year, section */
    gboolean takes_partition;   /* needs a partition of d */
    gboolean contends;          /* messages may wait for channels or receive ports */
    void (*init)(Schedule *schedule);
    void (*step)(const Schedule *schedule, guint node, guint k, Step *out);
} Algorithm;

struct Schedule {
    const Algorithm *algorithm;
    guint dimension;
    Partition partition;        /* the phases; of algorithms that have none, empty */
    guint n_steps;              /* the same for every processor; a step may be empty */
    guint n_slots;              /* slots per processor */
    guint outgoing;             /* the block for processor i starts in slot outgoing + i (complete exchange) */
};

/* The registry, in the order in which it is listed. */
guint algorithm_count(void);
const Algorithm *algorithm_nth(guint i);

/* NULL-terminated names. Borrowed, static. */
const char *const *algorithm_names(void);

/* Finds a name in the registry; NULL and an error with the nearest name if there is none. */
const Algorithm *algorithm_find(const char *where, const char *name, GError **error);

/* The schedule of `algorithm` on a cube of dimension 0 ... MACHINE_DIMENSION_MAX. `partition` sums to it if the
 * algorithm takes one, else it is ignored and may be NULL. A plain value; nothing to free. */
Schedule schedule_make(const Algorithm *algorithm, guint dimension, const Partition *partition);

/* Fills `out` with step k (0 <= k < n_steps) of `node`, whatever it held before. */
void schedule_step(const Schedule *schedule, guint node, guint k, Step *out);

/* An empty Step whose arrays grow as needed; to be cleared once it is no longer used. */
void step_init(Step *step);
void step_clear(Step *step);

/* For schedules, while they fill a step. */
void step_send(Step *step, guint peer, guint slot, guint count, guint landing);
void step_await(Step *step, guint source);

static inline const Send *step_nth_send(const Step *step, guint i)
{
    return &g_array_index(step->sends, Send, i);
}

static inline guint step_nth_await(const Step *step, guint i)
{
    return g_array_index(step->awaits, guint, i);
}

#endif
