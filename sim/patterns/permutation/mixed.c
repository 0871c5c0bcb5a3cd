#include "mixed.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/pattern_content.h"

/* --- a cycle that has virtual dimensions --- */

typedef struct {
    Schedule head;
    Permutation cycle;      /* it alone */
    guint n_exchanges;      /* the real order */
} Exchanges;

/* A real dimension and the bit of the slot that it trades places with. */
typedef struct {
    guint real, slot_bit;
} Pair;

static const Exchanges *exchanges_of(const Schedule *schedule)
{
    return (const Exchanges *)schedule;
}

/* Index of the first virtual dimension in the cycle. */
static guint first_virtual(const Exchanges *e, const guint8 *bits)
{
    guint i = 0;
    while (bits[i] < e->head.dimension)
        i++;
    return i;
}

/* Exchange number k < n_exchanges. Beginning with a virtual dimension, the cycle is (v r r ... v r r ...); each run of
 * real dimensions is exchanged with the virtual one before it, one after another. That makes of every virtual dimension
 * and its run a cycle; those, and then the cycle of the virtual dimensions alone, are the whole. */
static Pair find_pair(const Exchanges *e, guint k)
{
    guint length;
    const guint8 *bits = permutation_cycle(&e->cycle, 0, &length);
    Pair pair = {0};
    for (guint i = first_virtual(e, bits);; i++) {
        guint bit = bits[i % length];
        if (bit >= e->head.dimension)
            pair.slot_bit = bit - e->head.dimension;
        else if (k-- == 0) {
            pair.real = bit;
            return pair;
        }
    }
}

/* A processor keeps the blocks whose bit of the slot is its own bit, and sends the others: there that bit becomes the
 * sender's. */
static void exchange(guint n_slots, Pair pair, guint node, Step *out)
{
    guint run = 1u << pair.slot_bit, peer = node ^ 1u << pair.real, leaving = node >> pair.real & 1 ? 0 : run;
    step_send(out, peer);
    for (guint slot = leaving; slot < n_slots; slot += 2 * run)
        step_carry(out, slot, run, slot ^ run);
    step_await(out, peer);
    out->exchange = TRUE;
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Exchanges *e = exchanges_of(self);
    if (k < e->n_exchanges)
        exchange(self->n_slots, find_pair(e, k), node, out);
    out->phase = k == 0;
    out->renumber = k + 1 == self->n_steps && permutation_virtual_order(&e->cycle) > 1;
}

/* The virtual dimension that follows in the cycle. */
static guint next_virtual(const Exchanges *e, guint bit)
{
    do
        bit = e->cycle.to[bit];
    while (bit < e->head.dimension);
    return bit;
}

static guint renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Exchanges *e = exchanges_of(self);
    guint d = self->dimension, new = 0;
    for (guint bit = d; slot >> (bit - d); bit++)
        new |= (slot >> (bit - d) & 1) << (next_virtual(e, bit) - d);
    return new;
}

/* A cycle of virtual dimensions alone has one step, in which slots are renumbered. */
static Schedule *make_exchanges(const Problem *problem)
{
    static const ScheduleClass class = {.step = step, .renumber = renumber};
    Exchanges *e = (Exchanges *)schedule_new(sizeof *e, &class, problem->dimension);
    e->cycle = problem->permutation;
    e->n_exchanges = permutation_real_order(&e->cycle);
    e->head.n_steps = MAX(1, e->n_exchanges);
    e->head.n_slots = problem->data.pieces.n_parts;
    return &e->head;
}

/* --- all cycles --- */

guint mixed_n_blocks(const Problem *problem)
{
    return 1u << permutation_local_dimensions(&problem->permutation);
}

static Schedule *make_cycle(const Problem *problem, guint i)
{
    Problem one = *problem;
    one.permutation = permutation_keep(&problem->permutation, 1u << i);
    gboolean real = permutation_cycle_kind(&problem->permutation, i) == CYCLE_REAL;
    return real ? problem->algorithm->make(&one) : make_exchanges(&one);
}

Schedule *mixed_make(const Problem *problem)
{
    Schedule *parts[PERMUTATION_BITS_MAX / 2];
    guint n = problem->permutation.n_cycles, n_blocks = mixed_n_blocks(problem);
    for (guint i = 0; i < n; i++)
        parts[i] = make_cycle(problem, i);
    Schedule *whole = schedule_then(n, parts, FALSE);
    Layout layout = {.n_owners = whole->n_slots / n_blocks, .n_pieces = n_blocks};
    schedule_set_content(whole, pattern_content_new(problem, &layout));
    return whole;
}
