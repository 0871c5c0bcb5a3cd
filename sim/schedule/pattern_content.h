/* What the slots of the patterns mean: a block is known by where it started, where it must end, and which piece of the
 * data it is.
 *
 * Where data is summed up, a slot holds the sum of blocks: how many there are in it, and the sum of a 47-bit number
 * drawn for each, which a sum of other blocks equals by a chance of one in 10^14. */
#pragma once

#include "algorithm.h"

/* Where the pieces of an owner's data lie: slot owner x n_pieces + piece. Whom an owner stands for depends on the
 * pattern; in permutations it is a buffer. */
typedef struct {
    guint n_owners;         /* per processor */
    guint n_pieces;         /* slots of each: pieces_count(), but every part of a permutation that is not cut into
                             * packets has a slot, also without a piece; such come last */
    guint outgoing;         /* complete exchange: the block for owner i starts in slot outgoing + i */
    gboolean relative;      /* complete exchange: owner r stands for the processor x xor r, x being one's own */
} Layout;

/* The layout that most algorithms of a pattern have. */
Layout layout_of_problem(const Problem *problem);

static inline guint layout_n_slots(const Layout *layout)
{
    return layout->n_owners * layout->n_pieces;
}

/* Starts and ends as problem->pattern has it. Freed by content_free(). */
Content *pattern_content_new(const Problem *problem, const Layout *layout);
