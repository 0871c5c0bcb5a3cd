/* The processors' memories: slots with blocks, which a run moves, and at whose end it proves that they are in place.
 *
 * What a block is, the schedule's content knows (sim/schedule/content.h). The first thing that goes wrong is kept as
 * the memory's fault, a sentence; it is a result, not an error. */
#pragma once

#include "sim/schedule/schedule.h"

typedef struct Memory Memory;

/* Memories of all 2^d processors, as the schedule's content fills them. */
Memory *memory_new(const Schedule *schedule);

/* Without slots: it keeps a fault, and nothing else may be asked of it. */
Memory *memory_new_blank(void);
void memory_free(Memory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Memory, memory_free)

/* Takes what the slots of stretches[n] of `node` hold into blocks[], one stretch after another; they keep it if
 * `keeps`. A slot outside the memory or without a block is a fault. */
void memory_take(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean keeps, Block *blocks);

/* Puts blocks[] where stretches[n] say that they land at `node`, or adds them to what is there if it `adds`. A slot
 * outside the memory is a fault, and so is a full one to which nothing is added. */
void memory_land(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean adds, const Block *blocks);

/* For memory_peak_bytes(), where it may be asked for: blocks[] have been taken for good; they are about to land, and of
 * those that are added to others nothing is kept. Returns the bytes that are kept; 0 if nothing is counted. */
void memory_count_taken(Memory *memory, guint node, const Stretch *stretches, guint n, const Block *blocks);
gint64 memory_count_landing(Memory *memory, guint node, const Stretch *stretches, guint n, gboolean adds,
                            const Block *blocks);

/* Moves the block in slot i to slot i rotated left by `by` of its d bits, for all slots i < 2^d of `node`. */
void memory_rotate(Memory *memory, guint node, guint by);

/* Gives the slots of `node` the numbers they have after step k of one of its strands (schedule_renumber()). */
void memory_renumber(Memory *memory, guint node, guint strand, guint k);

/* Local work of `node` in step k; what it lacks is a fault. */
void memory_operate(Memory *memory, guint node, guint k, const Operation *operation);

/* Asks the content whether every memory holds what it should, and keeps the first difference as the fault, unless there
 * is one already. TRUE if there is no fault. */
gboolean memory_check(Memory *memory);

/* The same of one processor's memory. */
gboolean memory_check_node(Memory *memory, guint node);

/* Keeps a fault found elsewhere; only the first counts. */
void memory_fault(Memory *memory, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The most bytes that a processor has held in its slots at a time, if the content has elements and what moves was
 * counted; else 0. */
gint64 memory_peak_bytes(const Memory *memory);

/* What the slots of `node` hold now: [n_slots]. Borrowed. */
const Block *memory_slots(const Memory *memory, guint node);

/* The first fault, or NULL. Borrowed. */
const char *memory_first_fault(const Memory *memory);
