/* The bytes of blocks: a function of which block it is and of each byte's place in it, so that no byte can be lost,
 * changed, or put elsewhere without being found.
 *
 * Word w of a block is key x (2 w + 1) modulo 2^32, in the processor's order of bytes; what is left at the end are the
 * low bytes of one more word. So what belongs to the sum of two blocks is the sum of their words. */
#pragma once

#include "sim/schedule/content.h"

/* Bytes of a word. */
#define PAYLOAD_WORD sizeof(guint32)

/* The key of a block; where blocks are added, such that the key of a sum is the sum of the keys. */
guint32 payload_key(Block block, gboolean sums);

/* Writes the `bytes` bytes of the block with that key. */
void payload_fill(guint32 key, gpointer at, gsize bytes);

/* The place of the first byte that differs from the block with that key, and what it should be; `bytes`: none. */
gsize payload_compare(guint32 key, gconstpointer at, gsize bytes, guint8 *wanted);

/* Adds the words of one block to another's, word by word. */
void payload_add(gpointer to, gconstpointer from, gsize bytes);
