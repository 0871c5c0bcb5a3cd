/* New schedules made of old ones. Each combinator takes over its parts, and frees them with the new schedule. The
 * content of the new schedule is that of the first part with a content. */
#pragma once

#include "schedule.h"

/* Returns the schedule backwards in time: every message is turned round, and a copied block becomes a term of a sum.
 * In `schedule`, messages awaited in a step are sent in the step of the same number, no two of them by one
 * processor. It has one strand, and neither rearranges its slots nor works on them. */
Schedule *schedule_backwards(Schedule *schedule);

/* Returns a schedule in which node x does the steps of node 0 with x added to every peer. Each step is made once and
 * kept; all processors share its stretches. One strand. */
Schedule *schedule_translated(Schedule *schedule);

/* Returns a schedule on a cube whose subcubes over the dimensions `dims`, as bits, each do a part at the same time.
 * Subcube i does parts[i], or parts[0] if n_parts is 1. A processor's bits in the other dimensions spell i; those in
 * `dims` are its number in the subcube. The parts have the same strands, steps and slots. */
Schedule *schedule_within(guint dimension, guint dims, guint n_parts, Schedule **parts);

/* Returns `schedule` on the slots from `slot` on in a memory of n_slots. It must not rotate its slots. */
Schedule *schedule_at(Schedule *schedule, guint slot, guint n_slots);

/* Returns the parts one after another, all of one dimension. Between parts all strands of a processor wait for each
 * other; a strand without steps in a part waits there. Barriers in later parts stay only with `barriers`. */
Schedule *schedule_then(guint n_parts, Schedule **parts, gboolean barriers);

/* Returns the parts side by side, over disjoint dimensions and slots. The bits of strands[i] are the strands that part
 * i gets; with `strands` NULL the parts get consecutive strands. */
Schedule *schedule_beside(guint n_parts, Schedule **parts, const guint32 *strands);

/* Whether a slot of `node` holds a block before the first step. */
typedef gboolean ScheduleHolds(gconstpointer user, guint node, guint slot);
/* Returns `schedule` without empty slots: they do not travel, and a message without a block is not sent. It has one
 * strand, and neither rearranges its slots nor works on them; messages arrive in the step that sends them. */
Schedule *schedule_sparse(Schedule *schedule, ScheduleHolds *holds, gconstpointer user);

/* Returns a schedule in which the work of a step goes on while the messages of the next steps are under way, up to
 * the next step that works. That step waits for both. So the messages must not need the work's results. The work's
 * operands are there when it begins, and a message that takes them away does not matter. `schedule` has one strand,
 * in which all processors work in the same steps. The result has two strands; the first works. */
Schedule *schedule_overlapped(Schedule *schedule);

/* Returns a schedule of a single step, in which every processor works on its slots. */
Schedule *schedule_work(guint dimension, guint n_slots, const Operation *operation);

/* --- for combinators --- */

/* The head of a combinator's schedule. */
typedef struct {
    Schedule head;
    guint n_parts;
    Schedule **parts;
    guint argument;         /* parameter of the combinator */
} Combined;

/* Allocates a combinator. Its steps, slots and strands are the maximum over the parts. It contends if any part does,
 * and has the barriers of the first. `size` is the size of a Combined, or of a structure that begins with one;
 * `class` frees with combined_clear(). */
Schedule *combined_new(gsize size, const ScheduleClass *class, guint n_parts, Schedule **parts, guint argument);
void combined_clear(Schedule *schedule);

static inline const Combined *combined_of(const Schedule *schedule)
{
    return (const Combined *)schedule;
}

/* Returns the only part, or the first one. */
static inline const Schedule *part_of(const Schedule *schedule)
{
    return combined_of(schedule)->parts[0];
}
