/* New schedules made of old ones. Each combinator takes over its parts, and frees them with the new schedule. The
 * content of the new schedule is that of the first part with a content. */
#pragma once

#include "schedule.h"

/* Returns the schedule backwards in time: every message is turned round, and a copied block becomes a term of a sum.
 * Requires that the messages awaited in a step are sent in the step of the same number, no two of them by one
 * processor. `schedule` must have one strand, and neither rearrange its slots nor work on them. */
Schedule *schedule_backwards(Schedule *schedule);

/* Returns a schedule in which node x does the steps of node 0 with x added to every peer. Each step is made once and
 * kept; all processors share its stretches. `schedule` must have one strand. */
Schedule *schedule_translated(Schedule *schedule);

/* Returns a schedule on a cube whose subcubes over the dimensions `dims`, as bits, each do a part at the same time.
 * Subcube i does parts[i], or parts[0] if n_parts is 1. A processor's bits in the other dimensions spell i; those in
 * `dims` are its number in the subcube. The parts have the same strands, steps and slots. */
Schedule *schedule_within(guint dimension, guint dims, guint n_parts, Schedule **parts);

/* Returns `schedule` in a memory of n_slots: its slot i becomes slot `slot` + i. `schedule` must not rotate slots. */
Schedule *schedule_at(Schedule *schedule, guint slot, guint n_slots);

/* Returns the parts one after another, all of one dimension. Between parts all strands of a processor wait for each
 * other; a strand without steps in a part waits there. Without `barriers` only the first part keeps its barriers. */
Schedule *schedule_then(guint n_parts, Schedule **parts, gboolean barriers);

/* Returns the parts side by side, over disjoint dimensions and slots. The bits of strands[i] are the strands that part
 * i gets; with `strands` NULL the parts get consecutive strands. */
Schedule *schedule_beside(guint n_parts, Schedule **parts, const guint32 *strands);

/* Whether a slot of `node` holds a block before the first step. */
typedef gboolean ScheduleHolds(gconstpointer user, guint node, guint slot);
/* Returns `schedule` without its empty slots: no message carries them, and a message without a block is not sent.
 * `schedule` must have one strand, and neither rearrange its slots nor work on them. Its messages must arrive in the
 * step that sends them. */
Schedule *schedule_sparse(Schedule *schedule, ScheduleHolds *holds, gconstpointer user);

/* Returns a schedule in which the work of a step goes on while the messages of the next steps are under way, up to
 * the next step that works. That step waits for the work and for the messages. So the messages must not need the
 * work's results. But they may take its operands away, since work reads them when it begins. `schedule` must have one
 * strand, in which all processors work in the same steps. The result has two strands; the first works. */
Schedule *schedule_overlapped(Schedule *schedule);

/* Returns a schedule of a single step, in which every processor works on its slots. */
Schedule *schedule_work(guint dimension, guint n_slots, const Operation *operation);

/* --- for combinators --- */

/* The head of every schedule that a combinator makes. */
typedef struct {
    Schedule head;
    guint n_parts;
    Schedule **parts;
    guint argument;         /* parameter; each combinator defines its meaning */
} Combined;

/* Allocates a combinator. It has as many steps, slots and strands as the part with the most, and as many phases as
 * the first part. It contends if any part does. `size` is the size of a Combined, or of a structure that begins with
 * one; class->free must call combined_clear(). */
Schedule *combined_new(gsize size, const ScheduleClass *class, guint n_parts, Schedule **parts, guint argument);
void combined_clear(Schedule *schedule);

static inline const Combined *combined_of(const Schedule *schedule)
{
    return (const Combined *)schedule;
}

/* Returns the first part of a combinator's schedule, which may be the only one. */
static inline const Schedule *part_of(const Schedule *schedule)
{
    return combined_of(schedule)->parts[0];
}
