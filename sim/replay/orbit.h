/* The proof by translation, for schedules in which all processors do the same (sim/README.md).
 *
 * A block is carried by x if x is added to the processors that it is about: the block from s to t becomes the block
 * from s + x to t + x. An orbit replays the memory of processor 0 alone. What p sends to 0 in a step is what 0 sends
 * to -p in that step, carried by p. While a run walks the steps of all processors, each is compared with processor 0's
 * step, carried over. If all agree, and each message lands in the step in which it was sent, then the memory of x is at
 * all times that of processor 0, carried by x. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Orbit Orbit;

/* Whether the proof may apply to the schedule; looks at no steps. For all schedules of this program for which this is
 * TRUE, the proof does apply. */
gboolean orbit_is_possible(const Schedule *schedule);

/* Replays processor 0's memory. Returns NULL if orbit_is_possible() is FALSE. Returns NULL, too, if a step of processor
 * 0 sums, renumbers or computes blocks, awaits messages of another step, or has a stretch that translation splits.
 * `schedule` must outlive the orbit. */
Orbit *orbit_new(const Schedule *schedule);
void orbit_free(Orbit *orbit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Orbit, orbit_free)

/* Returns the fault of processor 0's memory, or NULL. Borrowed. */
const char *orbit_fault(const Orbit *orbit);

/* Compares step k of `node` with processor 0's step k, carried by `node`, in constant time a stretch. Returns a
 * sentence on the difference, or NULL if there is none. Caller frees. */
char *orbit_check_step(Orbit *orbit, guint node, guint k, const Step *step);

/* Returns the most bytes that a processor holds in its slots at a time (replay_peak_bytes()). */
gint64 orbit_peak_bytes(const Orbit *orbit);

/* Estimates the bytes of memory that an orbit of `schedule` takes. Processor 0 sends `messages` messages in all, with
 * `stretches` stretches together. */
gsize orbit_bytes(const Schedule *schedule, guint64 messages, guint64 stretches);
