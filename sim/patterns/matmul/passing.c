#include "passing.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"

typedef struct {
    Schedule head;
    Passing passing;
    Operation products;
} PassingSchedule;

static const Passing *passing_of(const Schedule *schedule)
{
    return &((const PassingSchedule *)schedule)->passing;
}

static guint dimension_of(const Passing *p)
{
    return (guint)__builtin_popcount(p->blocks.dims);
}

guint passing_n_slots(const Passing *p)
{
    return 2 * (p->blocks.n_parts << p->accumulate);
}

/* The slot of block `j` of those that travel together, in the buffer that is full after `moves`. */
static guint slot_of(const Passing *p, guint moves, guint j, guint part)
{
    return p->blocks.slot + (((moves & 1) << p->accumulate) + j) * p->blocks.n_parts + part;
}

/* After `moves`, a processor has blocks of x xor came, ... (part by part). */
static guint came(const Passing *p, guint node, guint part, guint moves)
{
    guint n = dimension_of(p), mask = (1u << n) - 1;
    if (p->kind == PASSING_RING)
        return node ^ graph_gray((graph_gray_position(node) - moves) & mask);
    return cube_rotate_left(graph_gray(moves), n - p->accumulate, part) << p->accumulate;
}

/* Of block j of those that have come. */
static Piece piece_of(const Passing *p, guint node, guint moves, guint j, guint part)
{
    guint owner = node ^ came(p, node, part, moves) ^ j;
    return region_sent(&p->blocks, owner, node, part);
}

/* --- steps: accumulation, a step with the first product, and moves --- */

/* Sends blocks first ... end - 1 of a part to a peer, if there are any. */
static gboolean send_blocks(const Passing *p, guint node, guint peer, guint moves, guint part, guint end, guint landing,
                            Step *out)
{
    gboolean any = FALSE;
    for (guint j = 0; j < end; j++) {
        if (piece_of(p, node, moves, j, part).count == 0)
            continue;
        if (!out)
            return TRUE;
        if (!any)
            step_send(out, peer);
        any = TRUE;
        step_carry(out, slot_of(p, moves, j, part), 1, landing + j * p->blocks.n_parts);
    }
    return any;
}

static void accumulate(const Passing *p, guint node, guint k, Step *out)
{
    guint peer = node ^ 1u << k;
    out->transfer = TRANSFER_COPY;
    for (guint part = 0; part < p->blocks.n_parts; part++) {
        send_blocks(p, node, peer, 0, part, 1u << k, slot_of(p, 0, 1u << k, part), out);
        if (send_blocks(p, peer, node, 0, part, 1u << k, 0, NULL))
            step_await(out, peer);
    }
}

/* To and from whom a part of the blocks goes in a move. */
static guint next_of(const Passing *p, guint node, guint part, guint moves, gboolean back)
{
    guint n = dimension_of(p), low = p->accumulate;
    if (p->kind == PASSING_RING)
        return graph_gray((graph_gray_position(node) + (back ? -1u : 1u)) & ((1u << n) - 1));
    return node ^ 1u << (low + ((guint)__builtin_ctz(moves + 1) + part) % (n - low));
}

static void pass_on(const Passing *p, guint node, guint moves, Step *out)
{
    for (guint part = 0; part < p->blocks.n_parts; part++) {
        guint next = next_of(p, node, part, moves, FALSE), before = next_of(p, node, part, moves, TRUE);
        send_blocks(p, node, next, moves, part, 1u << p->accumulate, slot_of(p, moves + 1, 0, part), out);
        if (send_blocks(p, before, node, moves, part, 1u << p->accumulate, 0, NULL))
            step_await(out, before);
    }
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Passing *p = passing_of(self);
    if (k < p->accumulate) {
        accumulate(p, node, k, out);
    } else {
        guint moves = k - p->accumulate;
        if (moves > 0)
            pass_on(p, node, moves - 1, out);
        out->operation = ((const PassingSchedule *)self)->products;
        out->operation.count = moves;
    }
    out->exchange = p->blocks.n_parts == 1 && step_is_exchange(out) && p->kind == PASSING_EXCHANGE;
}

static gboolean nth_product(gconstpointer user, guint node, guint moves, guint i, Product *out)
{
    const Passing *p = user;
    guint j = i / p->blocks.n_parts, part = i % p->blocks.n_parts;
    if (j >= 1u << p->accumulate)
        return FALSE;
    Piece piece = piece_of(p, node, moves, j, part), still = piece_whole(region_cover(&p->still, node));
    guint slot = slot_of(p, moves, j, part);
    *out = (Product){p->of_c ? slot : p->still.slot, p->of_c ? p->still.slot : slot, p->a.slot,
                     p->of_c ? piece : still, p->of_c ? still : piece, region_cover(&p->a, node), FALSE, FALSE};
    return TRUE;
}

Schedule *passing_new(guint dimension, const Passing *passing, Content *content)
{
    static const ScheduleClass class = {.step = step};
    PassingSchedule *s = (PassingSchedule *)schedule_new(sizeof *s, &class, dimension);
    guint n = dimension_of(passing);
    s->passing = *passing;
    s->products = matrix_products(content, nth_product, &s->passing);
    s->head.n_slots = passing->blocks.slot + passing_n_slots(passing);
    s->head.n_steps = passing->accumulate + (1u << (n - passing->accumulate));
    return &s->head;
}

gboolean passing_is_by(const Algorithm *routing)
{
    static const char *const linear[] = {"cra", "gcea", "hybrid", NULL};
    return g_strv_contains(linear, routing->name);
}
