#include "beyond.h"
#include "sim/cube/cube.h"
#include "sim/patterns/problem.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/pattern_content.h"

/* --- the permutation within a subcube --- */

static guint subcube_dimension(const Problem *problem)
{
    return problem->dimension - problem->idle;
}

static guint idle_bits(const Problem *problem, guint node)
{
    return node >> subcube_dimension(problem);
}

/* Returns the problem that each subcube over the dimensions that are not idle solves. Its division of data is still
 * that of the whole problem. */
static Problem subcube_problem(const Problem *problem)
{
    Problem inner = *problem;
    inner.dimension = subcube_dimension(problem);
    inner.permutation = permutation_from_mapping(inner.dimension, inner.dimension, problem->permutation.to);
    inner.idle = 0;
    return inner;
}

/* Returns the number of parts of one run of a processor's data (beyond.h). With n ports each idle dimension has as
 * many parts as the algorithm makes. With TAKES_PACKETS idle dimensions share these parts, perhaps unevenly. */
static guint run_parts(const Problem *problem)
{
    const Algorithm *algorithm = problem->algorithm;
    Problem inner = subcube_problem(problem);
    gboolean split = algorithm->n_port && !(algorithm->takes & TAKES_PACKETS);
    return problem_n_parts(&inner) * (split ? problem->idle : 1);
}

guint extended_n_parts(const Problem *problem)
{
    return run_parts(problem) << problem->idle;
}

/* Returns the Pieces of run number `run` of data with the Pieces `all`. A run has `parts` parts. */
static Pieces pieces_of(const Pieces *all, guint run, guint parts)
{
    guint n = pieces_count(all), before = run * parts;
    return (Pieces){.n_parts = parts, .n_long = n > before ? MIN(n - before, parts) : 0, .long_packets = 1};
}

static Schedule *make_subcubes(const Problem *problem)
{
    Problem inner = subcube_problem(problem);
    guint n = 1u << problem->idle, parts = run_parts(problem);
    g_autofree Schedule **subcubes = g_new(Schedule *, n);
    for (guint run = 0; run < n; run++) {
        inner.data.pieces = pieces_of(&problem->data.pieces, run, parts);
        subcubes[run] = problem->algorithm->make(&inner);
    }
    return schedule_within(problem->dimension, (1u << inner.dimension) - 1, n, subcubes);
}

/* --- expanding; compressing is the same backwards --- */

typedef struct {
    Schedule head;
    Problem problem;
    guint parts;            /* number of parts of a run */
} Spread;

/* Slice of a processor's data before step t of the expansion: some pieces of each run, which cross the idle dimensions
 * in one order. */
typedef struct {
    guint first, count;     /* pieces of the slice in each run: `count` pieces from number `first` on */
    guint crossed;          /* idle dimensions that the slice has crossed, as a mask of idle bits */
    guint bit;              /* mask of the idle bit that the slice crosses in step t */
} SpreadSlice;

static guint n_slices(const Spread *s)
{
    return s->problem.algorithm->n_port ? s->problem.idle : 1;
}

static SpreadSlice find_slice(const Spread *s, guint i, guint t)
{
    guint n = n_slices(s);
    guint first = i * s->parts / n, idle = s->problem.idle;
    return (SpreadSlice){.first = first, .count = (i + 1) * s->parts / n - first,
                         .crossed = cube_rotate_left((1u << t) - 1, idle, i), .bit = 1u << (i + t) % idle};
}

/* Returns the first slot at `node` of run number `run`. The run that the node permutes itself begins in slot 0. */
static guint slot_of_run(const Spread *s, guint node, guint run)
{
    return idle_bits(&s->problem, node) == run ? 0 : run * s->parts;
}

/* Adds the message of a slice from `near` to its neighbour `far`, which holds no runs of the slice yet. It carries half
 * of the runs that `near` holds. */
static void send_half(const Spread *s, const SpreadSlice *slice, guint near, guint far, Step *out)
{
    guint bits = idle_bits(&s->problem, far);
    step_send(out, far);
    for (guint run = 0; run < 1u << s->problem.idle; run++) {
        Pieces pieces = pieces_of(&s->problem.data.pieces, run, s->parts);
        guint n = pieces_count(&pieces);
        if ((run & (slice->crossed | slice->bit)) == bits && n > slice->first)
            step_carry(out, slot_of_run(s, near, run) + slice->first, MIN(slice->count, n - slice->first),
                       slot_of_run(s, far, run) + slice->first);
    }
}

static void spread_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Spread *s = (const Spread *)self;
    out->phase = k == 0;
    for (guint i = 0; i < n_slices(s); i++) {
        SpreadSlice slice = find_slice(s, i, k);
        guint bits = idle_bits(&s->problem, node), peer = node ^ slice.bit << subcube_dimension(&s->problem);
        if (slice.count == 0 || bits & ~(slice.crossed | slice.bit))
            continue;       /* the slice is empty, as there are fewer packets than idle dimensions, or it has not
                             * reached this processor yet */
        Step question = step_asked(out, peer);
        if (bits & slice.bit)
            send_half(s, &slice, peer, node, &question);
        else
            send_half(s, &slice, node, peer, out);
    }
}

static Schedule *make_spread(const Problem *problem, guint n_slots)
{
    static const ScheduleClass class = {.step = spread_step};
    Spread *s = (Spread *)schedule_new(sizeof *s, &class, problem->dimension);
    s->head.n_steps = problem->idle;
    s->head.n_slots = n_slots;
    s->problem = *problem;
    s->parts = run_parts(problem);
    return &s->head;
}

Schedule *extended_make(const Problem *problem)
{
    Layout layout = {.n_owners = 1, .n_pieces = extended_n_parts(problem)};
    Schedule *subcubes = make_subcubes(problem), *whole = subcubes;
    if (subcubes->n_steps > 0) {
        guint n_slots = layout_n_slots(&layout);
        Schedule *parts[] = {make_spread(problem, n_slots), subcubes,
                             schedule_backwards(make_spread(problem, n_slots))};
        whole = schedule_then(G_N_ELEMENTS(parts), parts, FALSE);
    }
    whole->n_slots = layout_n_slots(&layout);
    schedule_set_content(whole, pattern_content_new(problem, &layout));
    return whole;
}

/* --- a cycle that has virtual dimensions --- */

typedef struct {
    Schedule head;
    Permutation cycle;      /* the permutation of this cycle alone */
    guint n_exchanges;      /* number of the cycle's real dimensions */
} Exchanges;

/* Real dimension, and the bit of the slot number that is exchanged with it. */
typedef struct {
    guint real, slot_bit;
} BitExchange;

/* Returns exchange number k < n_exchanges. Written from a virtual dimension v on, the cycle is (v r r ... v r r ...).
 * Each real dimension r is exchanged with the last v before it. The exchanges with one v make the cycle (v r r ...).
 * The product of all these cycles and the cycle of the virtual dimensions alone is the whole cycle. */
static BitExchange find_pair(const Exchanges *e, guint k)
{
    guint length;
    const guint8 *bits = permutation_cycle(&e->cycle, 0, &length);
    guint i = 0, slot_bit = 0;
    while (bits[i] < e->head.dimension)
        i++;
    for (;; i++) {
        guint bit = bits[i % length];
        if (bit >= e->head.dimension)
            slot_bit = bit - e->head.dimension;
        else if (k-- == 0)
            return (BitExchange){bit, slot_bit};
    }
}

/* Adds the exchange of a real dimension with a bit of the slot number. A processor keeps the blocks in slots whose
 * bit equals its own real bit, and sends the others. They arrive in slots whose bit is that of the sender. */
static void exchange_bits(guint n_slots, BitExchange pair, guint node, Step *out)
{
    guint run = 1u << pair.slot_bit, peer = node ^ 1u << pair.real, leaving = node >> pair.real & 1 ? 0 : run;
    step_send(out, peer);
    for (guint slot = leaving; slot < n_slots; slot += 2 * run)
        step_carry(out, slot, run, slot ^ run);
    step_await(out, peer);
    out->exchange = TRUE;
}

static void exchanges_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Exchanges *e = (const Exchanges *)self;
    if (k < e->n_exchanges)
        exchange_bits(self->n_slots, find_pair(e, k), node, out);
    out->phase = k == 0;
    out->renumber = k + 1 == self->n_steps && permutation_virtual_order(&e->cycle) > 1;
}

/* Returns the next virtual dimension after `bit` in the cycle. */
static guint next_virtual(const Exchanges *e, guint bit)
{
    do
        bit = e->cycle.to[bit];
    while (bit < e->head.dimension);
    return bit;
}

static guint renumber_virtual(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Exchanges *e = (const Exchanges *)self;
    guint d = self->dimension, new = 0;
    for (guint bit = d; slot >> (bit - d); bit++)
        new |= (slot >> (bit - d) & 1) << (next_virtual(e, bit) - d);
    return new;
}

/* Makes the schedule of a cycle with virtual dimensions. If all its dimensions are virtual, one step renumbers
 * slots. */
static Schedule *make_exchanges(const Problem *problem)
{
    static const ScheduleClass class = {.step = exchanges_step, .renumber = renumber_virtual};
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
