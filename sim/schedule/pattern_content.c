#include "pattern_content.h"
#include "sim/cube/cube.h"

typedef struct {
    Content head;
    Problem problem;
    Layout layout;
    guint n_filled;     /* of an owner's slots, the first so many are for a piece */
    gboolean local;     /* pieces are permuted as well: local blocks (mixed.h) */
} PatternContent;

static const PatternContent *pattern_content(const Content *content)
{
    return (const PatternContent *)content;
}

/* --- blocks: from << 44 | to << 24 | piece --- */

#define PIECE_BITS 24
#define NODE_BITS 20
#define EVERYBODY ((1u << NODE_BITS) - 1)

static Block block_make(guint from, guint to)
{
    return (Block)from << (PIECE_BITS + NODE_BITS) | (Block)to << PIECE_BITS;
}

static guint block_piece(Block block)
{
    return (guint)block & ((1u << PIECE_BITS) - 1);
}

static guint block_from(Block block)
{
    return (guint)(block >> (PIECE_BITS + NODE_BITS));
}

static guint block_to(Block block)
{
    return (guint)(block >> PIECE_BITS) & EVERYBODY;
}

/* --- sums of blocks: how many << 47 | sum of a number for each, modulo 2^47 --- */

#define SUM_BITS 47
#define SUM_MASK (((Block)1 << SUM_BITS) - 1)

static gboolean sums_up(const PatternContent *c)
{
    return c->problem.pattern->transfer == TRANSFER_COMBINE;
}

/* The block alone as a sum. */
static Block sum_of(Block block)
{
    return (Block)1 << SUM_BITS | (content_draw(block) & SUM_MASK);
}

static Block sum_add(Block a, Block b)
{
    return ((a >> SUM_BITS) + (b >> SUM_BITS)) << SUM_BITS | ((a + b) & SUM_MASK);
}

static Block add(const Content *self, Block held, Block arriving)
{
    return sum_add(held, arriving);
}

/* --- what patterns promise: the block of a processor's slot for piece 0 of `owner`, or BLOCK_NONE --- */

/* Of a permutation: whether a processor is in the subcube that has all data. */
static gboolean has_data(const Problem *p, guint node)
{
    return node >> (p->dimension - p->idle) == 0;
}

static Block block_at_first(const PatternContent *c, guint node, guint owner)
{
    const Problem *p = &c->problem;
    switch (p->pattern->kind) {
    case PATTERN_COMPLETE_EXCHANGE:
        if (c->layout.relative)
            return block_make(node, node ^ owner);
        if (owner == node)      /* one's own is in place from the beginning */
            return block_make(node, node);
        return owner >= c->layout.outgoing && owner != c->layout.outgoing + node
                   ? block_make(node, owner - c->layout.outgoing)
                   : BLOCK_NONE;
    case PATTERN_BROADCAST:
        return node == p->source ? block_make(node, EVERYBODY) : BLOCK_NONE;
    case PATTERN_REDUCTION:
        return block_make(node, p->source);
    case PATTERN_ALL_BROADCAST:
        return owner == 0 ? block_make(node, EVERYBODY) : BLOCK_NONE;
    case PATTERN_ALL_REDUCTION:
        return block_make(node, node ^ owner);
    case PATTERN_SCATTER:
        return node == p->source ? block_make(node, node ^ owner) : BLOCK_NONE;
    case PATTERN_GATHER:
        return (node ^ owner) == p->source ? block_make(node, p->source) : BLOCK_NONE;
    case PATTERN_PERMUTATION:
        return owner == 0 && has_data(p, node) ? block_make(node, permutation_apply(&p->permutation, node))
                                               : BLOCK_NONE;
    case PATTERN_MATMUL:        /* matrix/matrix_content.h */
    case PATTERN_TRANSPOSITION: /* array/uses.h */
    case PATTERN_FFT:
    case PATTERN_ADI:
        break;
    }
    g_assert_not_reached();
}

static Block block_at_last(const PatternContent *c, guint node, guint owner)
{
    const Problem *p = &c->problem;
    switch (p->pattern->kind) {
    case PATTERN_COMPLETE_EXCHANGE:
        if (c->layout.relative)
            return block_make(node ^ owner, node);
        return owner < cube_n_nodes(p->dimension) ? block_make(owner, node) : BLOCK_NONE;
    case PATTERN_BROADCAST:
        return block_make(p->source, EVERYBODY);
    case PATTERN_REDUCTION:     /* of a sum, any of its blocks */
        return node == p->source ? block_make(0, node) : BLOCK_NONE;
    case PATTERN_ALL_BROADCAST:
        return block_make(node ^ owner, EVERYBODY);
    case PATTERN_ALL_REDUCTION:
        return owner == 0 ? block_make(0, node) : BLOCK_NONE;
    case PATTERN_SCATTER:
        return (node ^ owner) == p->source ? block_make(p->source, node) : BLOCK_NONE;
    case PATTERN_GATHER:
        return node == p->source ? block_make(node ^ owner, node) : BLOCK_NONE;
    case PATTERN_PERMUTATION:
        return owner == 0 && has_data(p, node) ? block_make(permutation_origin(&p->permutation, node), node)
                                               : BLOCK_NONE;
    case PATTERN_MATMUL:
    case PATTERN_TRANSPOSITION:
    case PATTERN_FFT:
    case PATTERN_ADI:
        break;
    }
    g_assert_not_reached();
}

/* What belongs into the slot of a piece, if piece 0 is `first`. */
static Block nth_piece(const PatternContent *c, Block first, guint piece)
{
    return first != BLOCK_NONE && piece < c->n_filled ? first + piece : BLOCK_NONE;
}

/* The local block that a processor has in a slot at first, and the one that belongs there at last. */

static Block local_at_first(const PatternContent *c, guint node, guint slot)
{
    guint d = c->problem.dimension, to = permutation_apply(&c->problem.permutation, slot << d | node);
    return block_make(node, to & (cube_n_nodes(d) - 1)) + slot;
}

static Block local_at_last(const PatternContent *c, guint node, guint slot)
{
    guint d = c->problem.dimension, from = permutation_origin(&c->problem.permutation, slot << d | node);
    return block_make(from & (cube_n_nodes(d) - 1), node) + (from >> d);
}

static void fill(const Content *self, guint node, Block *slots)
{
    const PatternContent *c = pattern_content(self);
    for (guint owner = 0; owner < c->layout.n_owners; owner++) {
        Block first = block_at_first(c, node, owner);
        for (guint piece = 0; piece < c->layout.n_pieces; piece++) {
            Block block = c->local && owner == 0 ? local_at_first(c, node, piece) : nth_piece(c, first, piece);
            *slots++ = sums_up(c) && block != BLOCK_NONE ? sum_of(block) : block;
        }
    }
}

/* --- sizes --- */

static gint64 bytes_of_slots(const Content *self, guint slot, guint count)
{
    return division_bytes_of_slots(&pattern_content(self)->problem.data, slot, count);
}

static gint64 bytes_of_blocks(const Content *self, const Block *blocks, guint count)
{
    gint64 bytes = 0;
    for (guint i = 0; i < count; i++)
        if (blocks[i] != BLOCK_NONE)
            bytes += division_bytes(&pattern_content(self)->problem.data, block_piece(blocks[i]), 1);
    return bytes;
}

/* --- for people --- */

/* What is where; words in braces are filled in by legend(). */
static const struct {
    const char *at_first, *at_last;
} legends[] = {
    [PATTERN_COMPLETE_EXCHANGE] = {"{outgoing} of processor x holds {piece}the block from x to {i}{kept}",
                                   "{slot} of processor x holds {piece}the block from {i} to x"},
    [PATTERN_BROADCAST] = {"{own} of processor {s} holds {piece}the data of {s}",
                           "{own} of processor x holds {piece}the data of {s}"},
    [PATTERN_REDUCTION] = {"{own} of processor x holds {piece}the block from x to {s}",
                           "{own} of processor {s} holds {piece}the sum of all blocks to {s}"},
    [PATTERN_ALL_BROADCAST] = {"{own} of processor x holds {piece}the data of x",
                               "{slot} of processor x holds {piece}the data of x xor i"},
    [PATTERN_ALL_REDUCTION] = {"{slot} of processor x holds {piece}the block from x to x xor i",
                               "{own} of processor x holds {piece}the sum of all blocks to x"},
    [PATTERN_SCATTER] = {"{slot} of processor {s} holds {piece}the block from {s} to {s xor i}",
                         "{slot} of processor {s xor i} holds {piece}the block from {s} to {s xor i}"},
    [PATTERN_GATHER] = {"{slot} of processor {s xor i} holds {piece}the block from {s xor i} to {s}",
                        "{slot} of processor {s} holds {piece}the block from {s xor i} to {s}"},
    [PATTERN_PERMUTATION] = {"{own} of processor x{active} holds {piece}the block from x to y",
                             "{own} of processor y holds {piece}the block from x to y; y is x with each bit moved to "
                             "the next place in its cycle"},
};

/* Where pieces are permuted as well. */
static const char local_at_last_text[] = "slot q of processor y holds piece p of the block from x to y; q and y are p "
                                         "and x with each bit moved to the next place in its cycle";

/* Puts a text, which is freed, for a word. */
static void fill_in(GString *text, const char *word, char *filled)
{
    g_string_replace(text, word, filled, 0);
    g_free(filled);
}

static char *slot_of_owner(const PatternContent *c)
{
    const char *piece = c->n_filled > 1 ? " + p" : "";
    return c->layout.n_pieces > 1 ? g_strdup_printf("slot %u i%s", c->layout.n_pieces, piece) : g_strdup("slot i");
}

static char *legend(const Content *self)
{
    const PatternContent *c = pattern_content(self);
    const Problem *p = &c->problem;
    guint outgoing = c->layout.outgoing;
    GString *text = g_string_new(NULL);
    g_string_printf(text, "at first, %s\nat last, %s", legends[p->pattern->kind].at_first,
                    c->local ? local_at_last_text : legends[p->pattern->kind].at_last);
    fill_in(text, "{outgoing}", outgoing ? g_strdup_printf("slot %u + i", outgoing) : g_strdup("{slot}"));
    fill_in(text, "{kept}", g_strdup(outgoing ? " (slot x if i = x)" : ""));
    fill_in(text, "{slot}", slot_of_owner(c));
    fill_in(text, "{own}", g_strdup(c->n_filled > 1 ? "slot p" : "slot 0"));
    fill_in(text, "{piece}", g_strdup(c->n_filled > 1 ? "piece p of " : ""));
    fill_in(text, "{i}", g_strdup(c->layout.relative ? "x xor i" : "i"));
    fill_in(text, "{s xor i}", p->source ? g_strdup_printf("%u xor i", p->source) : g_strdup("i"));
    fill_in(text, "{s}", g_strdup_printf("%u", p->source));
    fill_in(text, "{active}", p->idle ? g_strdup_printf(" < %u", 1u << (p->dimension - p->idle)) : g_strdup(""));
    return g_string_free(text, FALSE);
}

/* --- the proof --- */

static char *describe(const Content *self, Block block)
{
    const PatternContent *c = pattern_content(self);
    if (sums_up(c))
        return g_strdup_printf("a sum of %u blocks", (guint)(block >> SUM_BITS));
    GString *text = g_string_new(NULL);
    if (c->layout.n_pieces > 1)
        g_string_append_printf(text, "piece %u of ", block_piece(block));
    if (block_to(block) == EVERYBODY)
        g_string_append_printf(text, "the data of %u", block_from(block));
    else
        g_string_append_printf(text, "the block from %u to %u", block_from(block), block_to(block));
    return g_string_free(text, FALSE);
}

/* The sum of everybody's blocks for `to`. */
static Block sum_of_all(const PatternContent *c, guint to, guint piece)
{
    Block sum = 0;
    for (guint from = 0; from < cube_n_nodes(c->problem.dimension); from++)
        sum = sum_add(sum, sum_of(block_make(from, to) + piece));
    return sum;
}

static char *check_slot(const PatternContent *c, guint node, guint slot, Block found, Block wanted)
{
    if (sums_up(c) && wanted != BLOCK_NONE)
        wanted = sum_of_all(c, block_to(wanted), block_piece(wanted));
    if (found == wanted)
        return NULL;
    g_autofree char *there = describe(&c->head, found), *missing = describe(&c->head, wanted);
    if (found == BLOCK_NONE)
        return g_strdup_printf("slot %u of processor %u is empty; %s belongs there", slot, node, missing);
    if (wanted == BLOCK_NONE)
        return g_strdup_printf("slot %u of processor %u holds %s; nothing belongs there", slot, node, there);
    return g_strdup_printf("slot %u of processor %u holds %s; %s belongs there", slot, node, there, missing);
}

static char *check(const Content *self, guint node, const Block *slots)
{
    const PatternContent *c = pattern_content(self);
    char *fault = NULL;
    for (guint slot = 0; slot < layout_n_slots(&c->layout) && !fault;) {
        guint owner = slot / c->layout.n_pieces;
        Block first = block_at_last(c, node, owner);
        for (guint piece = 0; piece < c->layout.n_pieces && !fault; piece++, slot++) {
            Block wanted = c->local && owner == 0 ? local_at_last(c, node, piece) : nth_piece(c, first, piece);
            fault = check_slot(c, node, slot, slots[slot], wanted);
        }
    }
    return fault;
}

/* --- life --- */

Layout layout_of_problem(const Problem *problem)
{
    const Pieces *pieces = &problem->data.pieces;
    gboolean one_owner = problem->algorithm->pattern == PATTERN_BROADCAST || problem->pattern->permutes;
    gboolean by_parts = problem->pattern->permutes && pieces->long_packets == 1;
    return (Layout){.n_owners = one_owner ? 1 : cube_n_nodes(problem->dimension),
                    .n_pieces = by_parts ? pieces->n_parts : pieces_count(pieces)};
}

Content *pattern_content_new(const Problem *problem, const Layout *layout)
{
    static const ContentClass class = {.fill = fill, .bytes_of_slots = bytes_of_slots,
                                       .bytes_of_blocks = bytes_of_blocks, .add = add, .describe = describe,
                                       .legend = legend, .check = check};
    /* pieces of a permutation change places, so a slot does not tell which one is in it */
    static const ContentClass moving = {.fill = fill, .bytes_of_blocks = bytes_of_blocks, .add = add,
                                        .describe = describe, .legend = legend, .check = check};
    PatternContent *c = g_new(PatternContent, 1);
    *c = (PatternContent){.head.class = problem->pattern->permutes ? &moving : &class,
                          .problem = *problem, .layout = *layout, .n_filled = pieces_count(&problem->data.pieces),
                          .local = permutation_local_dimensions(&problem->permutation) > 0};
    c->head.block_bytes = problem->data.piece == PIECES_DIFFER ? BYTES_DIFFER : problem->data.piece;
    return &c->head;
}
