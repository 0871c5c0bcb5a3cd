/* What slots hold in a rehearsal: at first, after work, and at the end. */
#pragma once

#include "reader.h"

/* Of whom, for whom, and which piece; several of whom is a sum. In multiplications: what it is, how many products it
 * has, and how many elements. */
typedef struct {
    guint64 from;           /* bits; 0: nothing */
    guint to, piece;
} Block;

gboolean holdings_same(Block a, Block b);

/* All slots, [node][n_slots]; what they hold must be what the pattern's name promises. Caller frees. */
Block *holdings_at_first(const Reading *r);
void holdings_check_last(const Reading *r, const Block *slots);

/* Of a block that is there. */
gint64 holdings_bytes(const Reading *r, const Block *block);

/* Work on pieces of matrices, in the slots of a processor. */
void holdings_work(const Turn *turn, Block *slots);

/* Adds a sum of matrices to another one; FALSE: they are none. */
gboolean holdings_add(Block *to, const Block *arriving);
