/* Replay: the processors of a cube going through a schedule on real memories.
 *
 * What a step does, in which order, and what it waits for is written here once. How long a message, a barrier or a
 * rearrangement takes - or that it takes no time - is the consumer's: the verifier, the pricer and the engine each
 * give a Replay its hooks and report back when a message has left and has arrived.
 *
 * Rules for the consumer: replay_begin() starts the next step of a processor's strand; hooks->send hands over a
 * parcel, for which replay_sent() and then replay_delivered() are to be called once each, at once or later;
 * hooks->barrier says that all have arrived, for which replay_barrier_over() is to be called. hooks->done says that
 * the step's messages are through, and what the strand then does by itself: its local work, and the additions of what
 * has arrived in the step. It may begin its next step whenever the consumer wishes. */
#pragma once

#include "cost.h"
#include "parcel.h"

typedef struct Replay Replay;

typedef struct {
    void (*begin)(gpointer user, guint node, const Step *step);     /* optional */
    void (*send)(gpointer user, Parcel *parcel);
    /* Optional: a parcel has come to a processor that has not begun the phase it is of. It is kept, or with `buffered`
     * set copied when a step takes it, or lost if the answer is FALSE. */
    gboolean (*unposted)(gpointer user, Parcel *parcel);
    void (*receive)(gpointer user, guint node, const Parcel *parcel);   /* optional: an awaited parcel has landed */
    void (*barrier)(gpointer user);
    /* Optional, for phase_barrier = clock; without it all meet. A strand has come to the beginning of its phase number
     * replay_phase(): replay_go_on() is to be called, at once or later. */
    void (*clock)(gpointer user, guint node, guint strand);
    void (*join)(gpointer user, guint node, guint strand, guint32 strands);     /* optional: `strand` came last */
    void (*done)(gpointer user, guint node, guint strand, Toil toil);   /* optional */
} ReplayHooks;

/* Whether the memories are filled, moved and checked. Without data, for consumers to which only the sizes of messages
 * matter, parcels are empty, and replay_check() looks for messages that nobody awaited; but where sizes depend on what
 * moves, the data moves all the same. */
typedef enum { REPLAY_DATA, REPLAY_SIZES } ReplayData;

/* `schedule` must outlive the replay. `pairwise_sync` and `phase_barrier` as in the machine model. */
Replay *replay_new(const Schedule *schedule, ReplayData data, gboolean pairwise_sync, PhaseBarrier phase_barrier,
                   const ReplayHooks *hooks, gpointer user);
void replay_free(Replay *replay);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Replay, replay_free)

/* Starts the next step of a strand of `node`; FALSE if it has none left. The step may be over (hooks->done) on
 * return. */
gboolean replay_begin(Replay *replay, guint node, guint strand);

/* Whether all strands of `node` have come to their ends. */
gboolean replay_is_over(const Replay *replay, guint node);

/* For consumers to which nothing takes SimGrid's time: begins steps of all processors until no more can happen, whoever
 * is ready first. hooks->send must call replay_sent() and replay_delivered() at once. */
void replay_walk(Replay *replay);

/* The parcel has been transmitted: its source need no longer wait for it. */
void replay_sent(Replay *replay, Parcel *parcel);

/* The parcel has arrived. The replay takes it over. */
void replay_delivered(Replay *replay, Parcel *parcel);

/* Lets everybody leave the barrier. */
void replay_barrier_over(Replay *replay);

/* Lets a strand begin its phase. */
void replay_go_on(Replay *replay, guint node, guint strand);

/* Whether something comes before the step. */
static inline gboolean replay_meets(const Step *step, PhaseBarrier barrier)
{
    return barrier && (step->phase || (barrier == BARRIER_EXCHANGE && step->exchange));
}

/* Number of the step that a strand of `node` is in, or began last. */
guint replay_strand_step(const Replay *replay, guint node, guint strand);

/* How many phases a strand of `node` has begun, and posted the receives of. */
guint replay_phase(const Replay *replay, guint node, guint strand);

/* Operations of arithmetic that a processor has done so far, all its strands together: the largest number. */
gint64 replay_operations(const Replay *replay);

/* The most bytes that a processor has held in its slots at a time so far, of contents that have elements; else 0, and
 * without data. What is sent away is gone when its step's messages are issued, what arrives is there when a step that
 * awaits it takes it. */
gint64 replay_peak_bytes(const Replay *replay);

/* What the slots of `node` hold now, if the replay moves data: [n_slots]. Borrowed. */
const Block *replay_slots(const Replay *replay, guint node);

/* What a step moves and copies within the memory. */
Toil replay_toil(const Schedule *schedule, const Step *step);

/* Who waits for whom, when nothing can happen any more: one sentence per processor (the first few), or NULL if all have
 * finished. Caller frees. */
char *replay_stuck(const Replay *replay);

/* After all have finished: messages nobody awaited are a fault, and so is a block out of place. TRUE if all is well. */
gboolean replay_check(Replay *replay);

/* The first fault, or NULL. Borrowed. */
const char *replay_fault(const Replay *replay);
void replay_add_fault(Replay *replay, const char *fault);
