/* The processors' memories, as block identities: what a run moves and what it proves.
 *
 * No payload is ever stored. A block is known by where it started and where it must end; a slot holds one block or is
 * empty. The first thing that goes wrong is kept as the memory's fault, a sentence; it is a result, not an error. */
#ifndef ECUBE_MEMORY_H
#define ECUBE_MEMORY_H

#include "schedule.h"

#include <glib.h>

/* source << 32 | destination */
typedef guint64 Block;
#define BLOCK_NONE G_MAXUINT64

typedef struct Memory Memory;

/* Memories of all 2^d processors of a complete exchange, with every block where it starts: the block from i to j in
 * slot outgoing + j of processor i; a processor's block for itself lies in slot i from the beginning. */
Memory *memory_new(const Schedule *schedule);
void memory_free(Memory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Memory, memory_free)

/* Bytes that memory_new() and the blocks under way will need at most. */
gsize memory_estimate(const Schedule *schedule);

/* Moves `count` blocks out of the slots from `slot` on of `node` into blocks[count]. A slot outside the memory or
 * without a block is a fault. */
void memory_take(Memory *memory, guint node, guint slot, guint count, Block *blocks);

/* Moves blocks[count] into the slots from `slot` on of `node`. A slot outside the memory or already full is a fault. */
void memory_land(Memory *memory, guint node, guint slot, guint count, const Block *blocks);

/* Moves the block in slot i to slot i rotated left by `by` of its d bits, for all slots i < 2^d of `node`. */
void memory_rotate(Memory *memory, guint node, guint by);

/* Compares every memory with the promise of the complete exchange - slot i of processor j holds the block from i to j -
 * and keeps the first difference as the fault, unless there is one already. TRUE if there is no fault. */
gboolean memory_check(Memory *memory);

/* Keeps a fault found elsewhere; only the first counts. */
void memory_fault(Memory *memory, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The first fault, or NULL. Borrowed. */
const char *memory_first_fault(const Memory *memory);

#endif
