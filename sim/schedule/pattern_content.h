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
    guint n_pieces;         /* number of slots of an owner: pieces_count(). In allreduces, and in permutations without
                             * packets, it is n_parts: parts without a piece have slots as well, the last ones */
    guint outgoing;         /* complete exchange: at first the block for another processor i is at owner outgoing + i */
    gboolean relative;      /* complete exchange on a cube: owner r in the slots of processor x is processor x xor r. On
                             * other groups it is x + r at first, and x - r at last */
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

/* The contract of a pattern. at_first and at_last return the block in the slot for piece `piece` of `owner` at `node`,
 * or BLOCK_NONE; for a sum, any of its terms. Without moves_pieces they are called for piece 0 alone, and piece i is
 * the Block of piece 0, plus i. */
struct Contract {
    Block (*at_first)(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);
    Block (*at_last)(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);
    ContentCarry carries;       /* relation of processor x's blocks to processor 0's without Layout.relative. With it,
                                 * CARRY_SHIFTS stands for CARRY_STAYS. CARRY_NONE (0): callers go through all
                                 * processors */
    gint64 (*bytes)(const Problem *problem, guint from, guint to);  /* returns the bytes of a block if the problem has
                                 * unequal ones (Problem.sizes); NULL: it never has */
    gboolean moves_pieces;      /* TRUE: pieces of a block change places, so that a slot does not determine its piece */

    /* The data in the slots at first and at last, in words. pattern_legend() replaces words in braces:
     * {own}, {slot}: slots of owner 0, and of owner i: "slot 0", "slot i", or with p for pieces
     * {outgoing}: slots of the data to be sent; {kept}: slot of a processor's own block, if {outgoing} lacks it
     * {piece}: "piece p of " if there are several; {active}: bound below which processors have data
     * {i}: processor of owner i at first; {back}: processor whose block for x is in slot i at last
     * {s}: source; {s xor i}, {x xor i}: processor i away from the source, or from x */
    const char *text_at_first, *text_at_last;
    const char *(*text_of)(const Problem *problem);     /* returns the text_at_last of a problem; NULL: text_at_last is
                                                         * that of all problems */
};

/* Allocates the content of problem->pattern: which blocks slots hold at the beginning, and which they must hold at the
 * end. Freed by content_free(). */
Content *pattern_content_new(const Problem *problem, const Layout *layout);
