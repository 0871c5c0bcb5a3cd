/* New schedules of old ones. Each takes over the schedules it is given, and frees them with itself; the content of the
 * new one is that of the first part that has one. */
#pragma once

#include "schedule.h"

/* Every message turned round, the last step first: what was copied is added up. All messages awaited in a step are sent
 * in the step of the same number, no two of them by the same processor. One strand; the schedule neither rearranges its
 * slots nor works on them. */
Schedule *schedule_backwards(Schedule *schedule);

/* Node x does what node 0 does, xor x. Makes each step once and keeps it: the stretches of all processors are the same.
 * One strand. */
Schedule *schedule_translated(Schedule *schedule);

/* The same in all subcubes over the dimensions `dims`, as bits, at a time: in subcube i parts[i], or parts[0] in all of
 * them if n_parts is 1. The bits of a processor in the other dimensions spell i; those in `dims` are its number
 * there. The parts have the same strands, steps and slots. */
Schedule *schedule_within(guint dimension, guint dims, guint n_parts, Schedule **parts);

/* On the part of the memory from `slot` on, in a memory of n_slots. It does not rotate its slots. */
Schedule *schedule_at(Schedule *schedule, guint slot, guint n_slots);

/* One after another; a strand that a part does not have waits for the others. Between parts all strands of a processor
 * wait for each other. Barriers in parts after the first stay only with `barriers`. The parts have one dimension. */
Schedule *schedule_then(guint n_parts, Schedule **parts, gboolean barriers);

/* Side by side, over disjoint dimensions and slots. strands[i], as bits, are the numbers of the strands of part i;
 * NULL: they follow each other. */
Schedule *schedule_beside(guint n_parts, Schedule **parts, const guint32 *strands);

/* The same without what is empty: slots that hold nothing do not travel, and a message that would carry nothing is not
 * sent. `holds` says which slots hold a block before the first step. One strand; what a step sends arrives in that
 * step; slots are neither rearranged nor worked on. */
typedef gboolean ScheduleHolds(gconstpointer user, guint node, guint slot);
Schedule *schedule_sparse(Schedule *schedule, ScheduleHolds *holds, gconstpointer user);

/* What a step works goes on while the messages of the next steps are under way, up to the next step that works, which
 * waits for both. So the messages must not need its results; what it needs it has when it begins, also if a message
 * takes that away. Of one strand, in which all processors work in the same steps, it makes two; the first works. */
Schedule *schedule_overlapped(Schedule *schedule);

/* A single step in which every processor works on its slots. */
Schedule *schedule_work(guint dimension, guint n_slots, const Operation *operation);

/* --- for those who write combinators --- */

/* What a combinator's schedule begins with. */
typedef struct {
    Schedule head;
    guint n_parts;
    Schedule **parts;
    guint argument;         /* of the combinator */
} Combined;

/* As long, as large and with as many strands as the parts at most; it contends if one of them does, and has the
 * barriers of the first. `size` is the size of a Combined, or of a structure that begins with one; `class` frees with
 * combined_clear(). */
Schedule *combined_new(gsize size, const ScheduleClass *class, guint n_parts, Schedule **parts, guint argument);
void combined_clear(Schedule *schedule);

static inline const Combined *combined_of(const Schedule *schedule)
{
    return (const Combined *)schedule;
}

/* The only part, or the first one. */
static inline const Schedule *part_of(const Schedule *schedule)
{
    return combined_of(schedule)->parts[0];
}
