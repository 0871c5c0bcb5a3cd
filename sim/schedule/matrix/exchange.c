#include "exchange.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

#include <string.h>

#define NONE G_MAXUINT
#define RING_MAX 16

typedef struct {
    Schedule head;
    Region region;
    ExchangeKind kind;
    guint n;                    /* dimensions of the ring */
    guint order[RING_MAX];
    guint bits[RING_MAX];       /* the address bit of each */
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

/* Whether there is anything of number r, of one part, at `node` after its way across `before`. */
static gboolean is_there(const Exchange *e, guint node, guint r, guint part, guint before)
{
    guint x = node ^ cube_spread_bits(r & before, e->region.dims);
    return region_sent(&e->region, x, x ^ cube_spread_bits(r, e->region.dims), part).count > 0;
}

static gboolean crosses(const Exchange *e, guint node, guint r, guint part, guint dim, guint k)
{
    guint before = 0;
    guint crossing = e->kind == EXCHANGE_BALANCED ? balanced_dimension(e, r, k, &before)
                                                  : dimension_in_step(e, part, k, &before);
    return crossing == dim && is_there(e, node, r, part, before);
}

/* The message of `node` across a dimension in step k, in `out` (NULL: only asked for); FALSE if there is none. */
static gboolean send_across(const Exchange *e, guint node, guint dim, guint k, Step *out)
{
    gboolean any = FALSE;
    for (guint part = 0; part < e->region.n_parts; part++) {
        guint before;
        if (e->kind != EXCHANGE_BALANCED && dimension_in_step(e, part, k, &before) != dim)
            continue;
        for (guint r = 1u << dim; r < 1u << e->n; r = (r + 1) | 1u << dim) {
            if (!crosses(e, node, r, part, dim, k))
                continue;
            if (!out)
                return TRUE;
            if (!any)
                step_send(out, node ^ e->bits[dim]);
            any = TRUE;
            guint slot = e->region.slot + r * e->region.n_parts + part;
            step_carry(out, slot, 1, slot);
        }
    }
    return any;
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Exchange *e = exchange_of(self);
    for (guint dim = 0; dim < e->n; dim++) {
        guint peer = node ^ e->bits[dim];
        send_across(e, node, dim, k, out);
        if (send_across(e, peer, dim, k, NULL))
            step_await(out, peer);
    }
    out->phase = k == 0;
    out->exchange = e->kind == EXCHANGE_IN_ORDER && e->region.n_parts == 1 && step_is_exchange(out);
}

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
    static const ScheduleClass class = {.step = step};
    return &new(dimension, region, kind, order, &class)->head;
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
