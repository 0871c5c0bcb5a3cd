/* What the slots of the patterns mean: a block is known by where it started, where it must end, and which piece of the
 * data it is.
 *
 * Where data is summed up, a slot holds the sum of blocks: how many there are in it, and the sum of a 47-bit number
 * drawn for each, which a sum of other blocks equals by a chance of one in 10^14. */
#pragma once

#include "algorithm.h"

/* Where the pieces of an owner's data lie: slot owner x n_pieces + piece. Whom an owner stands for depends on the
 * pattern; in permutations it is a buffer. */
struct Layout {
    guint n_owners;         /* per processor */
    guint n_pieces;         /* slots of each: pieces_count(), but every part of a permutation that is not cut into
                             * packets has a slot, also without a piece; such come last */
    guint outgoing;         /* complete exchange: the block for owner i starts in slot outgoing + i */
    gboolean relative;      /* complete exchange: owner r stands for the processor x xor r, x being one's own */
};

/* The layout that most algorithms of a pattern have. */
Layout layout_of_problem(const Problem *problem);

/* Pattern.layout of what gives everybody the same data: all slots are for that. */
Layout layout_of_one_owner(const Problem *problem);

static inline guint layout_n_slots(const Layout *layout)
{
    return layout->n_owners * layout->n_pieces;
}

/* The block from one processor to another, or to everybody; with `+ i` its piece i. */
#define EVERYBODY ((1u << 20) - 1)
static inline Block block_make(guint from, guint to)
{
    return (Block)from << 44 | (Block)to << 24;
}

/* What a pattern promises. Both give the piece number `piece` of the data that `node` has for `owner`, or BLOCK_NONE;
 * of a sum any of its blocks. Unless pieces move, only piece 0 is asked for, and the others follow it. */
struct Promise {
    Block (*at_first)(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);
    Block (*at_last)(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);
    gboolean moves_pieces;      /* they change places: a slot does not tell which one is in it */

    /* What is where, for people, the second for a problem with a name of its own. Words in braces are filled in: {own}
     * slots of one owner, {slot} of owner i, {outgoing} those at first, {kept} but for one's own block, {piece} of,
     * {i} the other processor, {s} the source, {s xor i}, {active} the processors that have data. */
    const char *text_at_first, *text_at_last;
    const char *(*text_of)(const Problem *problem);     /* instead of the last; NULL: that one */
};

/* Starts and ends as problem->pattern has it. Freed by content_free(). */
Content *pattern_content_new(const Problem *problem, const Layout *layout);
