/* The processors' memories, as block identities: what a run moves and what it proves.
 *
 * No payload is ever stored. A block is known by where it started, where it must end, and which piece of the data it
 * is; a slot holds one block or is empty. Where data is summed up, a slot holds the sum of blocks: how many there are
 * in it, and the sum of a 47-bit number drawn for each, which a sum of other blocks equals by a chance of one in 10^14.
 * The first thing that goes wrong is kept as the memory's fault, a sentence; it is a result, not an error. */
#ifndef ECUBE_MEMORY_H
#define ECUBE_MEMORY_H

#include "sim/schedule/schedule.h"

#include <glib.h>

typedef guint64 Block;
#define BLOCK_NONE G_MAXUINT64

typedef struct Memory Memory;

/* Memories of all 2^d processors, with every block where the schedule's pattern has it at the beginning. */
Memory *memory_new(const Schedule *schedule);

/* Without slots: it keeps a fault, and nothing else may be asked of it. */
Memory *memory_new_blank(void);
void memory_free(Memory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Memory, memory_free)

/* Takes what the slots of stretches[n] of `node` hold into blocks[], one stretch after another; as the pattern has it,
 * they keep it or not. A slot outside the memory or without a block is a fault. */
void memory_take(Memory *memory, guint node, const Stretch *stretches, guint n, Block *blocks);

/* Puts blocks[] where stretches[n] say that they land at `node`, or adds them to what is there. A slot outside the
 * memory is a fault, and so is a full one, unless the pattern combines. */
void memory_land(Memory *memory, guint node, const Stretch *stretches, guint n, const Block *blocks);

/* Moves the block in slot i to slot i rotated left by `by` of its d bits, for all slots i < 2^d of `node`. Data is in
 * one piece. */
void memory_rotate(Memory *memory, guint node, guint by);

/* Gives the slots of `node` the numbers they have after step k of one of its strands (Algorithm.renumber). */
void memory_renumber(Memory *memory, guint node, guint strand, guint k);

/* Which piece of its data a block is. */
guint block_piece(Block block);

/* Compares every memory with the promise of the pattern and keeps the first difference as the fault, unless there is
 * one already. TRUE if there is no fault. */
gboolean memory_check(Memory *memory);

/* Keeps a fault found elsewhere; only the first counts. */
void memory_fault(Memory *memory, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The first fault, or NULL. Borrowed. */
const char *memory_first_fault(const Memory *memory);

#endif
