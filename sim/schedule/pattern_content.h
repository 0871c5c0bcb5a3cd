/* The meaning of the patterns' slots. A block is identified by its origin, its destination and its piece of the data.
 *
 * If data is summed up, a slot holds a sum of blocks: their number, and the sum of a 47-bit number drawn for each.
 * The sum of other blocks is equal with a probability of 1 in 10^14. */
#pragma once

#include "algorithm.h"

/* Use of a processor's slots: piece `piece` of an owner's data has slot owner x n_pieces + piece. The pattern says what
 * an owner is: a processor, or in permutations a buffer. */
struct Layout {
    guint n_owners;         /* number of owners whose data a processor has slots for */
    guint n_pieces;         /* number of slots of an owner: pieces_count(). In a permutation that is not cut into
                             * packets every part has a slot, also a part without a piece; such parts come last */
    guint outgoing;         /* complete exchange: at first the block for processor i is in slot outgoing + i */
    gboolean relative;      /* complete exchange: owner r in the slots of processor x is the processor x xor r; in
                             * groups that are no cube, x + r at first and x - r at last */
};

/* Returns the pattern's own layout, or the usual one: a slot for each piece of each processor's data. */
Layout layout_of_problem(const Problem *problem);

/* Returns the layout of patterns that give all processors the same data: a slot for each piece (Pattern.layout). */
Layout layout_of_one_owner(const Problem *problem);

static inline guint layout_n_slots(const Layout *layout)
{
    return layout->n_owners * layout->n_pieces;
}

/* Returns the Block of piece 0 of the data from one processor to another, or to EVERYBODY. Piece i has the Block of
 * piece 0, plus i. */
#define EVERYBODY ((1u << 20) - 1)
static inline Block block_make(guint from, guint to)
{
    return (Block)from << 44 | (Block)to << 24;
}

/* The contract of a pattern. at_first and at_last return piece `piece` of the data that `node` has for `owner`, or
 * BLOCK_NONE; for a sum, any block in it. Without moves_pieces they are only called with piece 0; block + i is then
 * piece i. */
struct Contract {
    Block (*at_first)(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);
    Block (*at_last)(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);
    ContentCarry carries;       /* how the blocks of processor x follow from those of processor 0, for slots in the
                                 * order of owners' addresses. With Layout.relative, CARRY_SHIFTS becomes CARRY_STAYS.
                                 * CARRY_NONE (0): callers go through all processors */
    gint64 (*bytes)(const Problem *problem, guint from, guint to);  /* returns the bytes of a block if the problem has
                                 * unequal ones (Problem.sizes); NULL: it never has */
    gboolean moves_pieces;      /* TRUE: pieces of a block change places, so that a slot does not determine its piece */

    /* The data in the slots at first and at last, in words. text_of() returns other words for a problem with a name of
     * its own. Words in braces are replaced: {own} and {slot} by "slot 0", "slot i" or the like, with p for pieces;
     * {outgoing} by the slots of the data to be sent; {kept} by the exception of a processor's own block; {piece} by
     * "piece p of" if there are several; {i} by the processor of owner i; {back} by the processor whose block for x is
     * in slot i at last; {s} by the source, {s xor i} by the processor i away from it; {active} by the bound below
     * which processors have data. */
    const char *text_at_first, *text_at_last;
    const char *(*text_of)(const Problem *problem);     /* replaces text_at_last; NULL: it does not */
};

/* Allocates the content of problem->pattern: which blocks slots hold at the beginning, and which they must hold at the
 * end. Freed by content_free(). */
Content *pattern_content_new(const Problem *problem, const Layout *layout);
