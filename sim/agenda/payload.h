/* The bytes of blocks: a function of the block and of each byte's place in it. So no byte can be lost, changed or
 * misplaced without being found.
 *
 * Word w of a block is key x (2 w + 1) modulo 2^32, in the processor's order of bytes. Bytes left at the end are the
 * low bytes of one more word. So the bytes of a sum of two blocks are the sums of their words. */
#pragma once

#include "sim/schedule/content.h"

/* bytes of a word */
#define PAYLOAD_WORD sizeof(guint32)

/* Returns the number from which the bytes of a block are made. If blocks are added (`sums`), the number of a sum is the
 * sum of its blocks' numbers. */
guint32 payload_key(Block block, gboolean sums);

/* Writes the first `bytes` bytes of the block with this key. */
void payload_fill(guint32 key, gpointer at, gsize bytes);

/* Returns the index of the first byte that differs from the block with this key and stores the right byte in
 * `wanted`. Returns `bytes` if none differs. */
gsize payload_compare(guint32 key, gconstpointer at, gsize bytes, guint8 *wanted);

/* Adds the words of the block at `from` to the words of the block at `to`; each has `bytes` bytes. */
void payload_add(gpointer to, gconstpointer from, gsize bytes);
