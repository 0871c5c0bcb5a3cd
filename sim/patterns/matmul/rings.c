#include "rings.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

#include <string.h>

#define RING_MAX 16

typedef struct {
    Schedule head;
    Region region;
    ExchangeKind kind;
    guint n;                    /* dimensions of the ring */
    guint order[RING_MAX];
} Exchange;

static const Exchange *exchange_of(const Schedule *schedule)
{
    return (const Exchange *)schedule;
}

/* The part that crosses dimension `dim` of the ring in step k, if there are so many. */
static guint part_in_step(const Exchange *e, guint dim, guint k)
{
    guint at = 0;
    if (e->kind == EXCHANGE_BALANCED)
        return 0;
    if (e->kind == EXCHANGE_ROTATED)
        return (dim + e->n - k) % e->n;
    while (e->order[at] != dim)
        at++;
    return k - at;
}

/* The dimensions that number r of a part crosses before `dim`, as bits. */
static guint crossed_before(const Exchange *e, guint r, guint part, guint dim)
{
    guint bits = 0;
    if (e->kind == EXCHANGE_ROTATED || e->kind == EXCHANGE_BALANCED) {
        guint first = e->kind == EXCHANGE_ROTATED ? part : graph_first(GRAPH_SBNT, e->n, 0, r);
        return cube_rotate_left((1u << (dim + e->n - first) % e->n) - 1, e->n, first);
    }
    for (guint i = 0; e->order[i] != dim; i++)
        bits |= 1u << e->order[i];
    return bits;
}

/* A number in a message, and the processor that it comes from. */
typedef struct {
    guint origin, slot;
} Cargo;

static gint by_origin(gconstpointer a, gconstpointer b)
{
    const Cargo *x = a, *y = b;
    guint64 i = (guint64)x->origin << 32 | x->slot, j = (guint64)y->origin << 32 | y->slot;
    return (i > j) - (i < j);
}

/* What crosses `dim` in step k: on balanced trees what has crossed k dimensions, of sums those that have come together,
 * else all numbers that have the dimension. Caller frees. */
static GArray *message(const Exchange *e, guint node, guint part, guint dim, guint k)
{
    GArray *cargo = g_array_new(FALSE, FALSE, sizeof(Cargo));
    for (guint i = 0; i < e->head.n_slots / e->region.n_parts; i++) {
        guint r = region_nth_number(&e->region, i), had = r >> dim & 1 ? r & crossed_before(e, r, part, dim) : 0;
        gboolean waits = e->kind == EXCHANGE_BALANCED ? (guint)__builtin_popcount(had) != k
                                                      : e->kind == EXCHANGE_SUMS && had;
        Cargo one = {node ^ cube_spread_bits(had, e->region.dims), i * e->region.n_parts + part};
        if (r >> dim & 1 && !waits)
            g_array_append_val(cargo, one);
    }
    g_array_sort(cargo, by_origin);
    return cargo;
}

/* All processors send what has the same numbers. Sums go to the number that has not the dimension. */
static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Exchange *e = exchange_of(self);
    gboolean sums = e->kind == EXCHANGE_SUMS;
    out->transfer = sums ? TRANSFER_COMBINE : TRANSFER_MOVE;
    for (guint dim = 0; dim < e->n; dim++) {
        guint peer = node ^ cube_spread_bits(1u << dim, e->region.dims), part = part_in_step(e, dim, k);
        if (part >= e->region.n_parts)
            continue;
        g_autoptr(GArray) cargo = message(e, node, part, dim, k);
        step_send(out, peer);
        for (guint i = 0; i < cargo->len; i++) {
            guint slot = g_array_index(cargo, Cargo, i).slot;
            step_carry(out, slot, 1, sums ? slot ^ 1u << dim : slot);
        }
        if (cargo->len > 0)
            step_await(out, peer);
    }
    out->phase = k == 0;
    out->exchange = (sums || e->kind == EXCHANGE_IN_ORDER) && e->region.n_parts == 1 && step_is_exchange(out);
}

Schedule *exchange_new(guint dimension, const Region *region, ExchangeKind kind, const guint *order)
{
    static const ScheduleClass class = {.step = step};
    Exchange *e = (Exchange *)schedule_new(sizeof *e, &class, dimension);
    e->region = *region;
    e->kind = kind;
    e->n = (guint)__builtin_popcount(region->dims);
    if (order)
        memcpy(e->order, order, e->n * sizeof *order);
    e->head.n_slots = region_n_slots(region);
    e->head.n_steps = e->n ? e->n + (kind == EXCHANGE_IN_ORDER ? region->n_parts - 1 : 0) : 0;
    return &e->head;
}
