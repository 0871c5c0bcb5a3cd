/* The processors' memories: slots with blocks, which a run moves. At the end of the run a memory proves that all its
 * blocks are in place.
 *
 * The schedule's content knows the meaning of a block (sim/schedule/content.h). The first thing that goes wrong is
 * kept as the memory's fault, a sentence; it is a result, not an error. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Memory Memory;

/* Allocates the memories of all processors, filled by the schedule's content. `schedule` must outlive them. */
Memory *memory_new(const Schedule *schedule);

/* Allocates a memory without slots, which can only keep a fault. */
Memory *memory_new_blank(void);
void memory_free(Memory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Memory, memory_free)

/* Takes the blocks in the slots of stretches[n] of `node` into blocks[], one stretch after another. The slots keep
 * them if `keeps`. A slot outside the memory or without a block is a fault. */
void memory_take(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean keeps, Block *blocks);

/* Puts blocks[] where stretches[n] land at `node`, or adds them to the blocks there if `adds`. A slot outside the
 * memory is a fault, and so is a full slot unless `adds`. */
void memory_land(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean adds, const Block *blocks);

/* Counts for memory_peak_bytes() that blocks[] have left `node`. Call it after a memory_take() without `keeps`. */
void memory_count_taken(Memory *memory, guint node, const Stretch *stretches, guint n, const Block *blocks);

/* Counts for memory_peak_bytes() that blocks[] land at `node`. Call it before memory_land(), with the same arguments.
 * Returns the bytes of those blocks that will not be added to a block in their slot. */
gint64 memory_count_landing(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean adds,
                            const Block *blocks);

/* Moves the block in slot i of `node` to slot i rotated left by `by` of its d bits, for all i < 2^d. */
void memory_rotate(Memory *memory, guint node, guint by);

/* Renumbers the slots of `node` as after step k of its strand `strand` (schedule_renumber()). */
void memory_renumber(Memory *memory, guint node, guint strand, guint k);

/* Does the local work `operation` of `node` in step k. Keeps a fault if the content cannot do it. */
void memory_operate(Memory *memory, guint node, guint k, const Operation *operation);

/* Checks whether every memory holds what the content promises, and keeps the first difference as the fault. Checks
 * nothing if there is a fault already. Returns TRUE if there is no fault. */
gboolean memory_check(Memory *memory);

/* Checks the memory of `node` alone. Returns TRUE if there is no fault, as memory_check() does. */
gboolean memory_check_node(Memory *memory, guint node);

/* Keeps a fault, unless there is one already. */
void memory_fault(Memory *memory, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Returns the most bytes that any processor has held in its slots at a time. Requires that all moves were counted
 * (memory_count_taken(), memory_count_landing()). */
gint64 memory_peak_bytes(const Memory *memory);

/* Returns the blocks in the slots of `node` now: [n_slots]. Borrowed. */
const Block *memory_slots(const Memory *memory, guint node);

/* Returns the first fault, or NULL. Borrowed. */
const char *memory_first_fault(const Memory *memory);
