#include "moving.h"
#include "sim/cube/cube.h"
#include "sim/cube/graph.h"
#include "sim/schedule/combinators.h"

#include <string.h>

/* --- exchanges in rings --- */

typedef struct {
    Schedule head;
    Region region;
    ExchangeKind kind;
    guint n;                    /* number of the ring's dimensions */
    guint order[GROUP_FACTORS_MAX];
} MovedExchange;

/* Returns the part that crosses dimension `dim` of the ring in step k. If none does, the result is at least
 * e->region.n_parts. */
static guint part_in_step(const MovedExchange *e, guint dim, guint k)
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

/* Returns, as bits, the dimensions of the ring that come before `dim` on the way of a part. Data with number r crosses
 * only those that are also bits of r. */
static guint crossed_before(const MovedExchange *e, guint r, guint part, guint dim)
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

/* Slot that a message carries, and the processor at which the slot's data set out. */
typedef struct {
    guint origin, slot;
} MovedCargo;

static gint by_origin(gconstpointer a, gconstpointer b)
{
    const MovedCargo *x = a, *y = b;
    guint64 i = (guint64)x->origin << 32 | x->slot, j = (guint64)y->origin << 32 | y->slot;
    return (i > j) - (i < j);
}

/* Returns the slots of a part that `node` sends across `dim` in step k (GArray of MovedCargo, sorted; caller unrefs).
 * These are all slots whose data number has the bit `dim`. EXCHANGE_BALANCED: only data that has crossed k dimensions.
 * EXCHANGE_SUMS: only numbers without the bits that come before `dim`. */
static GArray *message(const MovedExchange *e, guint node, guint part, guint dim, guint k)
{
    GArray *cargo = g_array_new(FALSE, FALSE, sizeof(MovedCargo));
    for (guint i = 0; i < e->head.n_slots / e->region.n_parts; i++) {
        guint r = region_nth_number(&e->region, i);
        if (!(r >> dim & 1))
            continue;
        guint had = r & crossed_before(e, r, part, dim);
        gboolean waits = e->kind == EXCHANGE_BALANCED ? (guint)__builtin_popcount(had) != k
                                                      : e->kind == EXCHANGE_SUMS && had;
        MovedCargo one = {node ^ cube_spread_bits(had, e->region.dims), i * e->region.n_parts + part};
        if (!waits)
            g_array_append_val(cargo, one);
    }
    g_array_sort(cargo, by_origin);
    return cargo;
}

/* Fills in step k. All processors send the same slots. With EXCHANGE_SUMS the terms in a slot are added to the peer's
 * slot whose index lacks the bit `dim`. */
static void exchange_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const MovedExchange *e = (const MovedExchange *)self;
    gboolean sums = e->kind == EXCHANGE_SUMS;
    out->transfer = sums ? TRANSFER_COMBINE : TRANSFER_MOVE;
    for (guint dim = 0; dim < e->n; dim++) {
        guint peer = node ^ cube_spread_bits(1u << dim, e->region.dims), part = part_in_step(e, dim, k);
        if (part >= e->region.n_parts)
            continue;
        g_autoptr(GArray) cargo = message(e, node, part, dim, k);
        step_send(out, peer);
        for (guint i = 0; i < cargo->len; i++) {
            guint slot = g_array_index(cargo, MovedCargo, i).slot;
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
    static const ScheduleClass class = {.step = exchange_step};
    MovedExchange *e = (MovedExchange *)schedule_new(sizeof *e, &class, dimension);
    e->region = *region;
    e->kind = kind;
    e->n = (guint)__builtin_popcount(region->dims);
    if (order)
        memcpy(e->order, order, e->n * sizeof *order);
    e->head.n_slots = region_n_slots(region);
    e->head.n_steps = e->n ? e->n + (kind == EXCHANGE_IN_ORDER ? region->n_parts - 1 : 0) : 0;
    return &e->head;
}

/* --- products of blocks that move --- */

/* Returns the product that `node` forms of the moving piece `piece` in slot `slot` and the factor that stays. */
static Product product_of(const Moving *m, guint node, guint slot, Piece piece)
{
    Piece still = piece_whole(region_cover(&m->still, node));
    return (Product){.c_slot = m->of_c ? slot : m->still.slot, .d_slot = m->of_c ? m->still.slot : slot,
                     .a_slot = m->a.slot, .c = m->of_c ? piece : still, .d = m->of_c ? still : piece,
                     .a = region_cover(&m->a, node)};
}

/* --- linear arrays --- */

typedef struct {
    Schedule head;
    Passing passing;
    Operation products;
} PassingSchedule;

static guint dimension_of(const Passing *p)
{
    return (guint)__builtin_popcount(p->moving.blocks.dims);
}

guint passing_n_slots(const Passing *p)
{
    return 2 * (p->moving.blocks.n_parts << p->accumulate);
}

/* Returns the slot of a part of travelling block j < 2^accumulate, in the buffer that has the blocks after `moves`
 * moves. */
static guint slot_of(const Passing *p, guint moves, guint j, guint part)
{
    return p->moving.blocks.slot + (((moves & 1) << p->accumulate) + j) * p->moving.blocks.n_parts + part;
}

/* Returns how far a part of the blocks at `node` has come after `moves` moves, as a mask: travelling block j is that of
 * processor node xor mask xor j. */
static guint came(const Passing *p, guint node, guint part, guint moves)
{
    guint n = dimension_of(p), mask = (1u << n) - 1;
    if (p->kind == PASSING_RING)
        return node ^ graph_gray((graph_gray_position(node) - moves) & mask);
    return cube_rotate_left(graph_gray(moves), n - p->accumulate, part) << p->accumulate;
}

/* Returns the elements of a part of travelling block j at `node` after `moves` moves. */
static Piece piece_of(const Passing *p, guint node, guint moves, guint j, guint part)
{
    guint owner = node ^ came(p, node, part, moves) ^ j;
    return region_sent(&p->moving.blocks, owner, node, part);
}

/* A passing has p->accumulate steps of accumulation, one step with products alone, and then moves, each with
 * products. */

/* Adds the message with a part of travelling blocks 0 ... end - 1 from `node` to `peer`, where block 0 lands in slot
 * `landing`. */
static void send_blocks(const Passing *p, guint node, guint peer, guint moves, guint part, guint end, guint landing,
                        Step *out)
{
    step_send(out, peer);
    for (guint j = 0; j < end; j++)
        if (piece_of(p, node, moves, j, part).count > 0 &&
            !step_carry(out, slot_of(p, moves, j, part), 1, landing + j * p->moving.blocks.n_parts))
            return;
}

static void accumulate(const Passing *p, guint node, guint k, Step *out)
{
    guint peer = node ^ 1u << k;
    out->transfer = TRANSFER_COPY;
    for (guint part = 0; part < p->moving.blocks.n_parts; part++) {
        send_blocks(p, node, peer, 0, part, 1u << k, slot_of(p, 0, 1u << k, part), out);
        Step question = step_asked(out, peer);
        send_blocks(p, peer, node, 0, part, 1u << k, 0, &question);
    }
}

/* Returns the processor to which `node` sends a part of its blocks in move number `moves`; with `back` the processor
 * from which it gets this part. */
static guint next_of(const Passing *p, guint node, guint part, guint moves, gboolean back)
{
    guint n = dimension_of(p), low = p->accumulate;
    if (p->kind == PASSING_RING)
        return graph_gray((graph_gray_position(node) + (back ? -1u : 1u)) & ((1u << n) - 1));
    return node ^ 1u << (low + ((guint)__builtin_ctz(moves + 1) + part) % (n - low));
}

static void pass_on(const Passing *p, guint node, guint moves, Step *out)
{
    for (guint part = 0; part < p->moving.blocks.n_parts; part++) {
        guint next = next_of(p, node, part, moves, FALSE), before = next_of(p, node, part, moves, TRUE);
        send_blocks(p, node, next, moves, part, 1u << p->accumulate, slot_of(p, moves + 1, 0, part), out);
        Step question = step_asked(out, before);
        send_blocks(p, before, node, moves, part, 1u << p->accumulate, 0, &question);
    }
}

static void passing_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Passing *p = &((const PassingSchedule *)self)->passing;
    if (k < p->accumulate) {
        accumulate(p, node, k, out);
    } else {
        guint moves = k - p->accumulate;
        if (moves > 0)
            pass_on(p, node, moves - 1, out);
        out->operation = ((const PassingSchedule *)self)->products;
        out->operation.count = moves;
    }
    out->exchange = p->moving.blocks.n_parts == 1 && step_is_exchange(out) && p->kind == PASSING_EXCHANGE;
}

static gboolean nth_passed(gconstpointer user, guint node, guint moves, guint i, Product *out)
{
    const Passing *p = user;
    guint j = i / p->moving.blocks.n_parts, part = i % p->moving.blocks.n_parts;
    if (j >= 1u << p->accumulate)
        return FALSE;
    *out = product_of(&p->moving, node, slot_of(p, moves, j, part), piece_of(p, node, moves, j, part));
    return TRUE;
}

Schedule *passing_new(guint dimension, const Passing *passing, Content *content)
{
    static const ScheduleClass class = {.step = passing_step};
    PassingSchedule *s = (PassingSchedule *)schedule_new(sizeof *s, &class, dimension);
    guint n = dimension_of(passing);
    s->passing = *passing;
    s->products = matrix_work(content, &(MatrixWork){.kind = WORK_PRODUCTS, .nth = nth_passed, .user = &s->passing});
    s->head.n_slots = passing->moving.blocks.slot + passing_n_slots(passing);
    s->head.n_steps = passing->accumulate + (1u << (n - passing->accumulate));
    return &s->head;
}

/* --- broadcasts --- */

typedef struct {
    Combined combined;
    Moving moving;
    Operation products;
    GArray *arrived;            /* guint: slots whose blocks the member `node` multiplies in step k, the last ones that
                                 * find_arrived() returned */
    guint node, k;
} Streamed;

#define NEVER G_MAXUINT

static void streamed_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    if (k > 0)
        part_of(self)->class->step(part_of(self), node, strand, k - 1, out);
    out->operation = ((const Streamed *)self)->products;
    out->operation.count = k;
}

static void add_landings(const Streamed *s, const Step *step, guint node)
{
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        for (guint n = 0; send->peer == node && n < send->n_stretches; n++) {
            const Stretch *stretch = step_stretch(step, send, n);
            for (guint slot = stretch->landing; slot < stretch->landing + stretch->count; slot++)
                g_array_append_val(s->arrived, slot);
        }
    }
}

/* Appends to s->arrived the slots in which blocks arrive at `node` in step k of the broadcast. The node gets one
 * message from each sender in a step. */
static void add_arrivals(const Streamed *s, guint node, guint k)
{
    const Schedule *part = part_of(&s->combined.head);
    g_auto(Step) mine = step_new();
    g_auto(Step) theirs = step_new();
    schedule_strand_step(part, node, 0, k, &mine);
    for (guint i = 0; i < mine.awaits->len; i++) {
        schedule_strand_step(part, step_nth_await(&mine, i), 0, k, &theirs);
        add_landings(s, &theirs, node);
    }
}

static const GArray *find_arrived(Streamed *s, guint node, guint k)
{
    if (node == s->node && k == s->k)
        return s->arrived;
    g_array_set_size(s->arrived, 0);
    if (k > 0)
        add_arrivals(s, node, k - 1);
    for (guint part = 0; k == 0 && part < s->moving.blocks.n_parts; part++) {
        guint slot = s->moving.blocks.slot + part;
        g_array_append_val(s->arrived, slot);
    }
    s->node = node;
    s->k = k;
    return s->arrived;
}

static gboolean nth_arrived(gconstpointer user, guint node, guint k, guint i, Product *out)
{
    Streamed *s = (Streamed *)user;
    const GArray *arrived = find_arrived(s, node, k);
    if (i >= arrived->len)
        return FALSE;
    guint slot = g_array_index(arrived, guint, i);
    *out = product_of(&s->moving, node, slot, region_piece(&s->moving.blocks, node, slot - s->moving.blocks.slot));
    return TRUE;
}

static void clear(Schedule *self)
{
    g_array_unref(((Streamed *)self)->arrived);
    combined_clear(self);
}

Schedule *streamed_new(Schedule *broadcast, const Moving *moving, gboolean first, guint m, Content *content)
{
    static const ScheduleClass class = {.step = streamed_step, .free = clear};
    g_assert(broadcast->n_strands == 1);
    Streamed *s = (Streamed *)combined_new(sizeof *s, &class, 1, &broadcast, 0);
    s->moving = *moving;
    s->arrived = g_array_new(FALSE, FALSE, sizeof(guint));
    s->node = s->k = NEVER;
    s->combined.head.n_steps = broadcast->n_steps + 1;
    s->products = matrix_work(content, &(MatrixWork){.kind = WORK_PRODUCTS, .nth = nth_arrived, .user = s,
                                                     .first = first, .matrix = matrix_number(m, MATRIX_A),
                                                     .by_rows = moving->of_c,
                                                     .regions = {moving->still, moving->still, moving->a}});
    return &s->combined.head;
}

gboolean passing_is_by(const Algorithm *routing)
{
    static const char *const linear[] = {"cra", "gcea", "hybrid", NULL};
    return g_strv_contains(linear, routing->name);
}
