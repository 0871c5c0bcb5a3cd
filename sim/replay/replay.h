/* Replay: the processors of a network going through a schedule on real memories.
 *
 * Only a replay knows the actions of a step, their order, and what a step waits for. Its consumers decide how long a
 * message, a barrier or a rearrangement takes, if it takes time at all. The verifier, the pricer and the engine each
 * give a Replay its hooks and report back when a message has left and has arrived.
 *
 * Rules for the consumer: replay_begin() starts the next step of a processor's strand. hooks->send hands over a
 * parcel, for which the consumer calls replay_sent() and then replay_delivered() once each, at once or later.
 * hooks->barrier reports that all have arrived, and the consumer calls replay_barrier_over(). hooks->done reports
 * that the step's messages are through. It hands over the local work of the strand and the additions of what arrived
 * in the step. The strand may begin its next step whenever the consumer wishes. */
#pragma once

#include "cost.h"
#include "parcel.h"

typedef struct Replay Replay;

typedef struct {
    void (*begin)(gpointer user, guint node, const Step *step);     /* optional; called when a strand begins a step */
    void (*send)(gpointer user, Parcel *parcel);
    /* Optional. Called when a parcel comes to a processor that has not begun the parcel's phase. If the hook returns
     * TRUE, the parcel is kept; if it also sets parcel->buffered, the step that takes the parcel copies it. If the
     * hook returns FALSE, the parcel is lost. */
    gboolean (*unposted)(gpointer user, Parcel *parcel);
    void (*receive)(gpointer user, guint node, const Parcel *parcel);   /* optional; called when an awaited parcel
                                                                         * has landed */
    void (*barrier)(gpointer user);
    /* Optional, for phase_barrier = clock; without it there are barriers. Called when a strand comes to the
     * beginning of phase replay_phase(). The consumer calls replay_go_on(), at once or later. */
    void (*clock)(gpointer user, guint node, guint strand);
    /* Optional. Called when all of `strands` (bits) have come to their join; `strand` came last. */
    void (*join)(gpointer user, guint node, guint strand, guint32 strands);
    /* Optional. Called when the messages of a step are through. The consumer lets its `local_work` take time. */
    void (*done)(gpointer user, guint node, guint strand, LocalWork local_work);
} ReplayHooks;

/* Whether the memories are filled, moved and checked. REPLAY_DATA proves by translation where that applies (orbit.h);
 * REPLAY_BLOCKS moves every block. REPLAY_SIZES is for consumers to which only the sizes of messages matter: parcels
 * are empty, and replay_check() only looks for messages that no step awaited. But where sizes depend on the blocks that
 * move, the data moves all the same. */
typedef enum { REPLAY_DATA, REPLAY_BLOCKS, REPLAY_SIZES } ReplayData;

/* The way in which a replay checks that all data arrives. */
typedef enum {
    PROOF_BLOCKS,           /* every block is moved, and every slot checked at the end */
    PROOF_TRANSLATION       /* every block of processor 0 is moved and its slots checked; all others are found to do the
                             * same (orbit.h) */
} Proof;

/* [Proof]: "blocks", "translation". */
extern const char *const proof_names[];

/* Allocates a replay before its first steps. `schedule` and `hooks` must outlive it. `pairwise_sync` and
 * `phase_barrier` are as in the machine model. */
Replay *replay_new(const Schedule *schedule, ReplayData data, gboolean pairwise_sync, PhaseBarrier phase_barrier,
                   const ReplayHooks *hooks, gpointer user);
void replay_free(Replay *replay);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Replay, replay_free)

/* Starts the next step of a strand of `node`. On return the step may be over (hooks->done). Returns FALSE if no step
 * is left. */
gboolean replay_begin(Replay *replay, guint node, guint strand);

/* Whether all strands of `node` have come to their ends. */
gboolean replay_is_over(const Replay *replay, guint node);

/* Begins steps of all processors, ready strands first come first served, until no more can happen. For consumers
 * without SimGrid; hooks->send must call replay_sent() and replay_delivered() at once. */
void replay_walk(Replay *replay);

/* Reports that the parcel has been transmitted: its source need no longer wait for it. */
void replay_sent(Replay *replay, Parcel *parcel);

/* Reports that the parcel has arrived. The replay takes it over. */
void replay_delivered(Replay *replay, Parcel *parcel);

/* Lets all strands that are at the barrier leave it. */
void replay_barrier_over(Replay *replay);

/* Lets a strand begin the phase that hooks->clock reported. */
void replay_go_on(Replay *replay, guint node, guint strand);

/* Whether a barrier, or a date with phase_barrier = clock, comes before the step. */
static inline gboolean replay_meets(const Step *step, PhaseBarrier barrier)
{
    return barrier && (step->phase || (barrier == BARRIER_EXCHANGE && step->exchange));
}

/* Returns the index of the step that a strand of `node` is in, or began last. */
guint replay_strand_step(const Replay *replay, guint node, guint strand);

/* Returns the number of phases that a strand of `node` has begun. The receives of these phases are posted. */
guint replay_phase(const Replay *replay, guint node, guint strand);

/* Returns the arithmetic operations so far of the processor that has the most, summed over its strands. */
gint64 replay_operations(const Replay *replay);

/* Returns the most bytes that a processor has held in its slots at a time so far; 0 without data. Bytes sent for good
 * are gone when their step's messages are issued. Bytes that arrive are there when a step takes them. */
gint64 replay_peak_bytes(const Replay *replay);

/* Returns the bytes of the largest message so far. */
gint64 replay_largest_message(const Replay *replay);

/* Returns the blocks in the slots of `node` now: [n_slots]. Requires REPLAY_BLOCKS. Borrowed. */
const Block *replay_slots(const Replay *replay, guint node);

/* Returns the bytes that a step moves and copies within the memory; leaves `operations` 0. slots[n_slots] are the
 * blocks of the step's processor, or NULL if the sizes of blocks follow from the numbers of slots. */
LocalWork replay_local_work(const Schedule *schedule, const Step *step, const Block *slots);

/* Returns a text on the first few processors that have not finished, and what each waits for. NULL if all have
 * finished. For a replay in which nothing more can happen. Caller frees. */
char *replay_stuck(const Replay *replay);

/* Checks that no message is left over and no block is out of place, after all have finished; otherwise keeps a
 * fault. Returns TRUE if there is no fault. */
gboolean replay_check(Replay *replay);

Proof replay_proof(const Replay *replay);

/* Returns the first fault, or NULL. Borrowed. */
const char *replay_fault(const Replay *replay);
void replay_add_fault(Replay *replay, const char *fault);
