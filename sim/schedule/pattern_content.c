#include "pattern_content.h"
#include "sim/cube/cube.h"

typedef struct {
    Content head;
    Problem problem;
    Layout layout;
    guint n_filled;     /* number of an owner's slots for pieces; slots for parts without a piece follow them */
    Block *sums;        /* [n_pieces]: right sum of each piece for EVERYBODY; 0: not computed yet. NULL: nothing is
                         * summed up */
} PatternContent;

static const PatternContent *pattern_content(const Content *content)
{
    return (const PatternContent *)content;
}

/* --- blocks: from << 44 | to << 24 | piece --- */

#define PIECE_BITS 24
#define NODE_BITS 20

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

/* --- sums of blocks: their number << 47 | sum of a number for each, modulo 2^47 --- */

#define SUM_BITS 47
#define SUM_MASK (((Block)1 << SUM_BITS) - 1)

static gboolean sums_up(const PatternContent *c)
{
    return c->problem.pattern->transfer == TRANSFER_COMBINE;
}

/* Returns the sum whose only term is `block`. */
static Block pattern_sum(Block block)
{
    return (Block)1 << SUM_BITS | (content_draw(block) & SUM_MASK);
}

static Block sum_add(Block a, Block b)
{
    return ((a >> SUM_BITS) + (b >> SUM_BITS)) << SUM_BITS | ((a + b) & SUM_MASK);
}

static Block pattern_add_block(const Content *self, Block held, Block arriving)
{
    return sum_add(held, arriving);
}

/* --- what the pattern promises --- */

typedef Block BlockAt(const Problem *problem, const Layout *layout, guint node, guint owner, guint piece);

/* Returns the block of piece `piece` of an owner. `first` must be the block of the owner's piece 0. */
static Block pattern_nth_piece(const PatternContent *c, BlockAt *at, Block first, guint node, guint owner, guint piece)
{
    if (c->problem.pattern->contract->moves_pieces)
        return at(&c->problem, &c->layout, node, owner, piece);
    return first == BLOCK_NONE || piece >= c->n_filled ? BLOCK_NONE : first + piece;
}

static void pattern_fill(const Content *self, guint node, Block *slots)
{
    const PatternContent *c = pattern_content(self);
    BlockAt *at = c->problem.pattern->contract->at_first;
    for (guint owner = 0; owner < c->layout.n_owners; owner++) {
        Block first = at(&c->problem, &c->layout, node, owner, 0);
        for (guint piece = 0; piece < c->layout.n_pieces; piece++) {
            Block block = pattern_nth_piece(c, at, first, node, owner, piece);
            *slots++ = sums_up(c) && block != BLOCK_NONE ? pattern_sum(block) : block;
        }
    }
}

/* --- sizes --- */

static gint64 pattern_bytes_of_slots(const Content *self, guint slot, guint count)
{
    return division_bytes_of_slots(&pattern_content(self)->problem.data, slot, count);
}

static gint64 pattern_bytes_of_blocks(const Content *self, const Block *blocks, guint count)
{
    const Problem *problem = &pattern_content(self)->problem;
    gint64 bytes = 0;
    for (guint i = 0; i < count; i++)
        if (blocks[i] != BLOCK_NONE)
            bytes += problem->sizes
                         ? problem->pattern->contract->bytes(problem, block_from(blocks[i]), block_to(blocks[i]))
                         : division_bytes(&problem->data, block_piece(blocks[i]), 1);
    return bytes;
}

/* --- for people --- */

/* Replaces `word` in `text` by `filled`, and frees `filled`. */
static void fill_in(GString *text, const char *word, char *filled)
{
    g_string_replace(text, word, filled, 0);
    g_free(filled);
}

static char *slot_of_owner(const PatternContent *c)
{
    return c->layout.n_pieces > 1 ? g_strdup_printf("slot %u i + p", c->layout.n_pieces) : g_strdup("slot i");
}

static char *pattern_legend(const Content *self)
{
    const PatternContent *c = pattern_content(self);
    const Problem *p = &c->problem;
    guint outgoing = c->layout.outgoing;
    GString *text = g_string_new(NULL);
    const Contract *contract = p->pattern->contract;
    g_string_printf(text, "at first, %s\nat last, %s", contract->text_at_first,
                    contract->text_of ? contract->text_of(p) : contract->text_at_last);
    fill_in(text, "{outgoing}", outgoing ? g_strdup_printf("slot %u + i", outgoing) : g_strdup("{slot}"));
    fill_in(text, "{kept}", g_strdup(outgoing ? " (slot x if i = x)" : ""));
    fill_in(text, "{slot}", slot_of_owner(c));
    fill_in(text, "{own}", g_strdup(c->n_filled > 1 ? "slot p" : "slot 0"));
    fill_in(text, "{piece}", g_strdup(c->n_filled > 1 ? "piece p of " : ""));
    gboolean cube = problem_group(p)->binary;
    fill_in(text, "{i}", g_strdup(c->layout.relative ? "{x xor i}" : "i"));
    fill_in(text, "{back}", g_strdup(!c->layout.relative ? "i" : cube ? "x xor i" : "x - i"));
    fill_in(text, "{x xor i}", g_strdup(cube ? "x xor i" : "x + i"));
    fill_in(text, "{s xor i}", p->source ? g_strdup_printf(cube ? "%u xor i" : "%u + i", p->source) : g_strdup("i"));
    fill_in(text, "{s}", g_strdup_printf("%u", p->source));
    fill_in(text, "{active}", p->idle ? g_strdup_printf(" < %u", 1u << (p->dimension - p->idle)) : g_strdup(""));
    return g_string_free(text, FALSE);
}

/* --- the proof --- */

static char *pattern_describe(const Content *self, Block block)
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

/* Returns the sum of piece `piece` of all processors' blocks for `to`. Keeps a sum for EVERYBODY in c->sums, as all
 * processors need it. */
static Block sum_of_all(const PatternContent *c, guint to, guint piece)
{
    Block sum = to == EVERYBODY ? c->sums[piece] : 0;
    if (sum)
        return sum;
    for (guint from = 0; from < problem_n_nodes(&c->problem); from++)
        sum = sum_add(sum, pattern_sum(block_make(from, to) + piece));
    if (to == EVERYBODY)
        c->sums[piece] = sum;
    return sum;
}

static char *check_slot(const PatternContent *c, guint node, guint slot, Block found, Block wanted)
{
    if (sums_up(c) && wanted != BLOCK_NONE)
        wanted = sum_of_all(c, block_to(wanted), block_piece(wanted));
    if (found == wanted)
        return NULL;
    g_autofree char *there = pattern_describe(&c->head, found), *missing = pattern_describe(&c->head, wanted);
    if (found == BLOCK_NONE)
        return g_strdup_printf("slot %u of processor %u is empty; %s belongs there", slot, node, missing);
    if (wanted == BLOCK_NONE)
        return g_strdup_printf("slot %u of processor %u holds %s; nothing belongs there", slot, node, there);
    return g_strdup_printf("slot %u of processor %u holds %s; %s belongs there", slot, node, there, missing);
}

static char *pattern_check(const Content *self, guint node, const Block *slots)
{
    const PatternContent *c = pattern_content(self);
    char *fault = NULL;
    BlockAt *at = c->problem.pattern->contract->at_last;
    for (guint owner = 0, slot = 0; owner < c->layout.n_owners && !fault; owner++) {
        Block first = at(&c->problem, &c->layout, node, owner, 0);
        for (guint piece = 0; piece < c->layout.n_pieces && !fault; piece++, slot++)
            fault = check_slot(c, node, slot, slots[slot], pattern_nth_piece(c, at, first, node, owner, piece));
    }
    return fault;
}

/* --- what is carried --- */

static ContentCarry pattern_carries(const Content *self)
{
    const PatternContent *c = pattern_content(self);
    const Problem *p = &c->problem;
    const Contract *contract = p->pattern->contract;
    if (!contract->carries || sums_up(c) || p->source || (p->pattern->is_part && p->pattern->is_part(p)))
        return CARRY_NONE;
    if (contract->carries == CARRY_STAYS || c->layout.relative)
        return CARRY_STAYS;
    return c->layout.outgoing == 0 && c->layout.n_pieces == 1 ? contract->carries : CARRY_NONE;
}

static Block pattern_carry(const Content *self, Block block, guint by)
{
    const Group *group = problem_group(&pattern_content(self)->problem);
    guint to = block_to(block);
    if (block == BLOCK_NONE)
        return block;
    return block_make(group_add(group, block_from(block), by), to == EVERYBODY ? to : group_add(group, to, by)) +
           block_piece(block);
}

/* --- life --- */

Layout layout_of_problem(const Problem *problem)
{
    if (problem->pattern->layout)
        return problem->pattern->layout(problem);
    return (Layout){.n_owners = problem_n_nodes(problem), .n_pieces = pieces_count(&problem->data.pieces)};
}

Layout layout_of_one_owner(const Problem *problem)
{
    return (Layout){.n_owners = 1, .n_pieces = pieces_count(&problem->data.pieces)};
}

static void pattern_content_free(Content *self)
{
    g_free(((PatternContent *)self)->sums);
    g_free(self);
}

Content *pattern_content_new(const Problem *problem, const Layout *layout)
{
    static const ContentClass class = {.fill = pattern_fill, .bytes_of_slots = pattern_bytes_of_slots,
                                       .bytes_of_blocks = pattern_bytes_of_blocks, .add = pattern_add_block,
                                       .carries = pattern_carries, .carry = pattern_carry,
                                       .describe = pattern_describe, .legend = pattern_legend,
                                       .check = pattern_check, .free = pattern_content_free};
    static const ContentClass moving = {.fill = pattern_fill, .bytes_of_blocks = pattern_bytes_of_blocks,
                                        .add = pattern_add_block, .describe = pattern_describe,
                                        .legend = pattern_legend, .check = pattern_check, .free = pattern_content_free};
    PatternContent *c = g_new(PatternContent, 1);
    gboolean moves_sizes = problem->sizes || problem->pattern->contract->moves_pieces;
    *c = (PatternContent){.head.class = moves_sizes ? &moving : &class,
                          .problem = *problem, .layout = *layout, .n_filled = pieces_count(&problem->data.pieces)};
    c->sums = sums_up(c) ? g_new0(Block, layout->n_pieces) : NULL;
    c->head.block_bytes = problem->sizes || problem->data.piece == PIECES_DIFFER ? BYTES_DIFFER : problem->data.piece;
    return &c->head;
}
