#include "rings.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

#include <string.h>

#define NONE G_MAXUINT
#define RING_MAX 16

/* What moves in a step: processor x sends numbers[from[x]] ... numbers[from[x + 1] - 1], each number x n_parts +
 * part. */
typedef struct {
    guint *from;                /* [n_nodes + 1] */
    guint *numbers;
} Round;

typedef struct {
    Schedule head;
    Region region;
    ExchangeKind kind;
    guint n;                    /* dimensions of the ring */
    guint order[RING_MAX];
    guint bits[RING_MAX];       /* the address bit of each */
    Round *rounds;              /* [n_steps] */
} Exchange;

static const Exchange *exchange_of(const Schedule *schedule)
{
    return (const Exchange *)schedule;
}

/* The bits of the first `count` dimensions that a part crosses. */
static guint crossed(const Exchange *e, guint part, guint count)
{
    guint bits = 0;
    for (guint i = 0; i < count; i++)
        bits |= 1u << (e->kind == EXCHANGE_ROTATED ? (part + i) % e->n : e->order[i]);
    return bits;
}

/* The dimension of the ring that parts number `part` cross in step k, and, as bits, those crossed before; NONE: they do
 * not move. On balanced trees that depends on the data. */
static guint dimension_in_step(const Exchange *e, guint part, guint k, guint *before)
{
    guint at = e->kind == EXCHANGE_IN_ORDER ? k - part : k;
    if (at >= e->n)
        return NONE;
    *before = crossed(e, part, at);
    return e->kind == EXCHANGE_ROTATED ? (part + at) % e->n : e->order[at];
}

/* The path to r along its balanced tree. */
static guint balanced_dimension(const Exchange *e, guint r, guint k, guint *before)
{
    guint first = graph_first(GRAPH_SBNT, e->n, 0, r), dim = first;
    *before = 0;
    if (k >= (guint)__builtin_popcount(r))
        return NONE;
    for (guint passed = 0;; dim = (dim + 1) % e->n) {
        if (!(r >> dim & 1))
            continue;
        if (passed++ == k)
            return dim;
        *before |= 1u << dim;
    }
}

/* The dimension that number r of a part crosses in step k, or NONE. */
static guint crossing(const Exchange *e, guint number, guint k, guint *before)
{
    guint r = number / e->region.n_parts, part = number % e->region.n_parts;
    if (e->kind == EXCHANGE_BALANCED)
        return balanced_dimension(e, r, k, before);
    guint dim = dimension_in_step(e, part, k, before);
    return dim != NONE && r >> dim & 1 ? dim : NONE;
}

static guint slot_of(const Exchange *e, guint number)
{
    guint n_parts = e->region.n_parts;
    return e->region.slot + region_slot_of(&e->region, number / n_parts) + number % n_parts;
}

/* The message of `node` across a dimension in step k. */
static void send_across(const Exchange *e, guint node, guint dim, guint k, Step *out)
{
    const Round *round = &e->rounds[k];
    step_send(out, node ^ e->bits[dim]);
    for (guint i = round->from[node]; i < round->from[node + 1]; i++) {
        guint before, number = round->numbers[i];
        if (crossing(e, number, k, &before) != dim)
            continue;
        guint slot = slot_of(e, number);
        if (!step_carry(out, slot, 1, slot))
            return;
    }
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Exchange *e = exchange_of(self);
    for (guint dim = 0; dim < e->n; dim++) {
        guint peer = node ^ e->bits[dim];
        send_across(e, node, dim, k, out);
        Step question = step_asked(out, peer);
        send_across(e, peer, dim, k, &question);
    }
    out->phase = k == 0;
    out->exchange = e->kind == EXCHANGE_IN_ORDER && e->region.n_parts == 1 && step_is_exchange(out);
}

/* --- what moves --- */

/* What has something in it, and where it starts. */
typedef struct {
    guint x, number;
} Cargo;

static GArray *all_cargo(const Exchange *e)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Cargo));
    guint n_parts = e->region.n_parts;
    for (guint x = 0; x < cube_n_nodes(e->head.dimension); x++) {
        g_autoptr(GArray) numbers = region_numbers(&e->region, x);
        for (guint i = 0; i < numbers->len * n_parts; i++) {
            Cargo cargo = {x, g_array_index(numbers, guint, i / n_parts) * n_parts + i % n_parts};
            guint in_region = slot_of(e, cargo.number) - e->region.slot;
            if (cargo.number >= n_parts && region_piece(&e->region, x, in_region).count > 0)
                g_array_append_val(all, cargo);
        }
    }
    return all;
}

/* The processor that sends a cargo on in step k, or NONE. */
static guint sender(const Exchange *e, const Cargo *cargo, guint k)
{
    guint before = 0;
    if (crossing(e, cargo->number, k, &before) == NONE)
        return NONE;
    return cargo->x ^ cube_spread_bits(cargo->number / e->region.n_parts & before, e->region.dims);
}

static Round make_round(const Exchange *e, const GArray *all, guint k)
{
    guint n = cube_n_nodes(e->head.dimension);
    Round round = {g_new0(guint, n + 2), NULL};
    for (guint i = 0; i < all->len; i++) {
        guint x = sender(e, &g_array_index(all, Cargo, i), k);
        if (x != NONE)
            round.from[x + 2]++;
    }
    for (guint x = 2; x < n + 2; x++)
        round.from[x] += round.from[x - 1];
    round.numbers = g_new(guint, round.from[n + 1]);
    for (guint i = 0; i < all->len; i++) {
        guint x = sender(e, &g_array_index(all, Cargo, i), k);
        if (x != NONE)
            round.numbers[round.from[x + 1]++] = g_array_index(all, Cargo, i).number;
    }
    return round;
}

static void clear(Schedule *self)
{
    Exchange *e = (Exchange *)self;
    for (guint k = 0; k < self->n_steps; k++) {
        g_free(e->rounds[k].from);
        g_free(e->rounds[k].numbers);
    }
    g_free(e->rounds);
}

/* --- schedules --- */

static Exchange *new(guint dimension, const Region *region, ExchangeKind kind, const guint *order,
                     const ScheduleClass *class)
{
    Exchange *e = (Exchange *)schedule_new(sizeof *e, class, dimension);
    e->region = *region;
    e->kind = kind;
    e->n = (guint)__builtin_popcount(region->dims);
    for (guint i = 0; i < e->n; i++)
        e->bits[i] = cube_spread_bits(1u << i, region->dims);
    if (order)
        memcpy(e->order, order, e->n * sizeof *order);
    e->head.n_slots = region->slot + region_n_slots(region);
    e->head.n_steps = e->n ? e->n + (kind == EXCHANGE_IN_ORDER ? region->n_parts - 1 : 0) : 0;
    return e;
}

Schedule *exchange_new(guint dimension, const Region *region, ExchangeKind kind, const guint *order)
{
    static const ScheduleClass class = {.step = step, .free = clear};
    Exchange *e = new(dimension, region, kind, order, &class);
    g_autoptr(GArray) all = all_cargo(e);
    e->rounds = g_new(Round, e->head.n_steps);
    for (guint k = 0; k < e->head.n_steps; k++) {
        e->rounds[k] = make_round(e, all, k);
        e->head.stored += (e->rounds[k].from[cube_n_nodes(dimension)] + cube_n_nodes(dimension) + 2) * sizeof(guint);
    }
    e->head.stored += 2 * all->len * sizeof(Cargo);     /* while it is made; the region's packets take no more */
    return &e->head;
}

/* Sums for the processors behind the dimension go there; what is left is for processors with one's own bits. */
static void reduce_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Exchange *e = exchange_of(self);
    guint bit = 1u << e->order[k], before = crossed(e, 0, k), peer = node ^ e->bits[e->order[k]];
    out->transfer = TRANSFER_COMBINE;
    step_send(out, peer);
    for (guint r = bit; r < 1u << e->n; r = (r + 1) | bit)
        if ((r & before) == 0)
            step_carry(out, e->region.slot + r, 1, e->region.slot + (r ^ bit));
    step_await(out, peer);
    out->exchange = TRUE;
    out->phase = k == 0;
}

Schedule *exchange_reduction_new(guint dimension, const Region *region, const guint *order)
{
    static const ScheduleClass class = {.step = reduce_step};
    return &new(dimension, region, EXCHANGE_IN_ORDER, order, &class)->head;
}
