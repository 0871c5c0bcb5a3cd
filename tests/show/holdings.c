#include "holdings.h"

#include <math.h>
#include <string.h>

/* Pieces of matrices: factors, and sums, of which Block.to counts the products. */
enum { FACTOR = 1, SUM = 2 };

#define EVERYBODY G_MAXUINT

gboolean holdings_same(Block a, Block b)
{
    return a.from == b.from && (!a.from || (a.to == b.to && a.piece == b.piece));
}

static guint moved(const Reading *r, guint x)
{
    guint y = 0;
    for (guint bit = 0; bit < r->d; bit++)
        y |= (x >> bit & 1) << r->to[bit];
    return y;
}

static guint evaluate(const Reading *r, const Term *t, guint x, guint i, guint p)
{
    guint value = t->base + (t->x ? x : 0) + (t->y ? moved(r, x) : 0);
    return (t->xor_power ? value ^ 1u << i : t->xor_i ? value ^ i : value + t->times * i) + (t->p ? p : 0);
}

/* Of multiplications. */
static Block *fill_matrices(const Reading *r)
{
    Block *slots = g_new0(Block, r->n_nodes * r->n_slots);
    for (guint i = 0; i < r->homes->len; i++) {
        const Home *home = &g_array_index(r->homes, Home, i);
        ck_assert(home->slot < r->n_slots && strchr("CDA", home->matrix));
        slots[home->node * r->n_slots + home->slot] = (Block){home->matrix == 'A' ? SUM : FACTOR, 0, home->elements};
    }
    return slots;
}

/* All processors, as bits. */
static guint64 all_of(const Reading *r)
{
    return r->n_nodes == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << r->n_nodes) - 1;
}

static gboolean is_sum(const Rule *rule)
{
    return rule->holding == HOLDS_SUM || rule->holding == HOLDS_SUM_OF_DATA;
}

/* What `rule` says of all slots. */
static Block *fill(const Reading *r, const Rule *rule)
{
    Block *slots = g_new0(Block, r->n_nodes * r->n_slots);
    guint n = rule->from.xor_power || rule->to.xor_power ? r->d : r->n_nodes;
    for (guint x = 0; x < rule->limit; x++)
        for (guint i = 0; i < n; i++)
            for (guint p = 0; p < r->pieces->len; p++) {
                guint owner = evaluate(r, &rule->owner, x, i, p);
                guint slot = rule->own_in_x && i == x ? x : evaluate(r, &rule->slot, x, i, p);
                guint from = evaluate(r, &rule->from, x, i, p), to = evaluate(r, &rule->to, x, i, p);
                ck_assert_uint_lt(slot, r->n_slots);
                ck_assert_uint_lt(owner, r->n_nodes);
                slots[owner * r->n_slots + slot] =
                    (Block){is_sum(rule) ? all_of(r) : G_GUINT64_CONSTANT(1) << from,
                            rule->holding == HOLDS_DATA || rule->holding == HOLDS_SUM_OF_DATA ? EVERYBODY : to, p};
            }
    return slots;
}

/* --- what the pattern's name promises --- */

static void promise(const Reading *r, GArray *blocks, guint64 from, guint to)
{
    for (guint p = 0; p < r->pieces->len; p++) {
        Block block = {from, to, p};
        g_array_append_val(blocks, block);
    }
}

static gboolean is(const Reading *r, const char *pattern)
{
    return strcmp(r->pattern, pattern) == 0;
}

/* The blocks that `node` has for others, or others for it, at the beginning or the end. */
static void promise_pairs(const Reading *r, guint node, gboolean at_last, GArray *blocks)
{
    gboolean exchange = strstr(r->pattern, "exchange") != NULL, scatter = is(r, "scatter");
    for (guint other = 0; other < r->n_nodes; other++) {
        if (is(r, "neighbour-exchange") && __builtin_popcount(node ^ other) != 1)
            continue;
        gboolean outwards = exchange || (scatter ? node == r->source : other == r->source);
        gboolean inwards = exchange || (scatter ? other == r->source : node == r->source);
        if (at_last ? inwards : outwards)
            promise(r, blocks, G_GUINT64_CONSTANT(1) << (at_last ? other : node), at_last ? node : other);
    }
}

/* Everybody's, reduce-scatters' and all-broadcasts' own, or the source's. */
static void promise_all(const Reading *r, guint node, gboolean at_last, GArray *blocks)
{
    gboolean adds = is(r, "reduction") || is(r, "reduce-scatter");
    gboolean rooted = is(r, "broadcast") || is(r, "reduction");
    for (guint i = 0; i < r->n_nodes; i++) {
        gboolean meant = !rooted || i == r->source;
        if (adds && !at_last && meant)
            promise(r, blocks, G_GUINT64_CONSTANT(1) << node, i);
        if (adds && at_last && meant && i == node)
            promise(r, blocks, all_of(r), node);
        if (!adds && meant && (at_last || i == node))
            promise(r, blocks, G_GUINT64_CONSTANT(1) << i, EVERYBODY);
    }
}

static void promise_permuted(const Reading *r, guint node, gboolean at_last, GArray *blocks)
{
    for (guint x = 0; x < r->n_nodes >> r->idle; x++)
        if (node == (at_last ? moved(r, x) : x))
            promise(r, blocks, G_GUINT64_CONSTANT(1) << x, moved(r, x));
}

static void check_promise(const Reading *r, const Block *slots, gboolean at_last)
{
    static const char *const in_pairs[] = {"complete-exchange", "neighbour-exchange", "scatter", "gather", NULL};
    for (guint node = 0; node < r->n_nodes; node++, slots += r->n_slots) {
        g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(Block));
        if (is(r, "permutation"))
            promise_permuted(r, node, at_last, blocks);
        else if (is(r, "allreduce"))
            promise(r, blocks, at_last ? all_of(r) : G_GUINT64_CONSTANT(1) << node, EVERYBODY);
        else if (g_strv_contains(in_pairs, r->pattern))
            promise_pairs(r, node, at_last, blocks);
        else
            promise_all(r, node, at_last, blocks);
        guint held = 0;
        for (guint slot = 0; slot < r->n_slots; slot++)
            held += slots[slot].from != 0;
        ck_assert_uint_eq(held, blocks->len);
        for (guint i = 0; i < blocks->len; i++) {
            guint slot = 0;
            while (slot < r->n_slots && !holdings_same(slots[slot], g_array_index(blocks, Block, i)))
                slot++;
            ck_assert_msg(slot < r->n_slots, "%s: processor %u does not have what it should", r->pattern, node);
        }
    }
}

/* --- matrices --- */

/* Elements of C x those of D x those of A are the square of the products. */
static void check_products(const Reading *r, const Block *slots)
{
    double elements[3] = {0}, products = 0;
    for (guint i = 0; i < r->homes->len; i++) {
        const Home *home = &g_array_index(r->homes, Home, i);
        const Block *block = &slots[home->node * r->n_slots + home->slot];
        elements[strchr("CDA", home->matrix) - "CDA"] += home->elements;
        if (home->matrix != 'A')
            continue;
        ck_assert(block->from == SUM && block->piece == home->elements);
        products += block->to;
    }
    ck_assert(products == sqrt(elements[0] * elements[1] * elements[2]));
}

static guint elements_of(const Block *slots, const GArray *numbers, guint kinds)
{
    guint n = 0;
    for (guint i = 0; i < numbers->len; i++) {
        const Block *block = &slots[g_array_index(numbers, guint, i)];
        ck_assert_msg(block->from & kinds, "slot %u does not hold what is worked on", g_array_index(numbers, guint, i));
        n += block->piece;
    }
    return n;
}

static void make_empty(Block *slots, const GArray *numbers)
{
    for (guint i = 0; i < numbers->len; i++)
        slots[g_array_index(numbers, guint, i)].from = 0;
}

/* Fills the slots with pieces of the sizes that are said; the first has all products. */
static void make_pieces(Block *slots, const Work *work, guint kind, guint products)
{
    for (guint i = 0; i < work->to->len; i++) {
        Block *block = &slots[g_array_index(work->to, guint, i)];
        ck_assert_uint_eq(block->from, 0);
        *block = (Block){kind, i ? 0 : products, g_array_index(work->sizes, guint, i)};
    }
}

static guint sum_of(const GArray *numbers)
{
    guint sum = 0;
    for (guint i = 0; i < numbers->len; i++)
        sum += g_array_index(numbers, guint, i);
    return sum;
}

static guint products_in(const Block *slots, const GArray *numbers)
{
    guint n = 0;
    for (guint i = 0; i < numbers->len; i++)
        n += slots[g_array_index(numbers, guint, i)].to;
    return n;
}

static void cut(Block *slots, const Work *work)
{
    guint kind = (guint)slots[g_array_index(work->from, guint, 0)].from, products = products_in(slots, work->from);
    ck_assert_uint_eq(elements_of(slots, work->from, kind), sum_of(work->sizes));
    make_empty(slots, work->from);
    make_pieces(slots, work, kind, kind == SUM ? products : 0);
}

static void add(Block *slots, const Work *work)
{
    Block *to = &slots[g_array_index(work->to, guint, 0)];
    ck_assert(elements_of(slots, work->from, SUM) == to->piece && to->from == SUM);
    to->to += products_in(slots, work->from);
    make_empty(slots, work->from);
}

/* Of the patches that a product begins sums of, sizes tell how many products there are: the first is no addition. */
static void multiply(Block *slots, const Work *work, gint64 *operations)
{
    double c = elements_of(slots, work->from, FACTOR), d = elements_of(slots, work->by, FACTOR);
    guint to = g_array_index(work->to, guint, 0);
    gboolean begins = work->verb == WORK_MULTIPLY_INTO;
    guint size = begins ? g_array_index(work->sizes, guint, 0) : slots[to].piece;
    gint64 products = (*operations + (begins ? size : 0)) / 2;
    if (begins) {
        ck_assert((double)products == sqrt(c * d * size));
        make_pieces(slots, work, SUM, 0);
    }
    ck_assert(slots[to].from == SUM);
    slots[to].to += (guint)products;
    *operations = 0;
}

void holdings_work(const Turn *turn, Block *slots)
{
    gint64 operations = turn->operations;
    for (guint i = 0; i < turn->works->len; i++) {
        const Work *work = &g_array_index(turn->works, Work, i);
        if (work->verb == WORK_CUT)
            cut(slots, work);
        else if (work->verb == WORK_ADD)
            add(slots, work);
        else if (work->verb == WORK_EMPTY)
            make_empty(slots, work->from);
        else
            multiply(slots, work, &operations);
    }
}

gboolean holdings_add(Block *to, const Block *arriving)
{
    gboolean fits = to->piece == arriving->piece;
    if (to->from == SUM && arriving->from == SUM && fits)
        to->to += arriving->to;
    return to->from == SUM && arriving->from == SUM && fits;
}

/* --- all of it --- */

gint64 holdings_bytes(const Reading *r, const Block *block)
{
    return r->element ? block->piece * r->element : g_array_index(r->pieces, gint64, block->piece);
}

Block *holdings_at_first(const Reading *r)
{
    Block *slots = r->element ? fill_matrices(r) : fill(r, &r->at_first);
    if (!r->element)
        check_promise(r, slots, FALSE);
    return slots;
}

void holdings_check_last(const Reading *r, const Block *slots)
{
    if (r->element) {
        check_products(r, slots);
        return;
    }
    g_autofree Block *wanted = fill(r, &r->at_last);
    for (guint i = 0; i < r->n_nodes * r->n_slots; i++)
        ck_assert(holdings_same(slots[i], wanted[i]));
    check_promise(r, slots, TRUE);
}
