#include "program.h"
#include "exchange.h"
#include "passing.h"
#include "streamed.h"
#include "sim/cube/cube.h"
#include "sim/schedule/combinators.h"
#include "sim/patterns/make.h"

#define DIMENSIONS_MAX 16

/* A matrix, where it is now. */
typedef struct {
    Region region;
    Placement now;
} Datum;

struct Program {
    const Problem *problem;
    const Multiplication *matmul;
    ProgramDims dims;
    Content *content;
    guint m;                    /* number of the multiplication */
    GPtrArray *parts;           /* Schedule *, one after another */
    GArray *homes;              /* Home */
    guint n_slots;
    Datum *broadcast;           /* the matrix whose broadcast was the last part, or NULL */
    Datum data[N_MATRICES];     /* of A the sums, once there are any */
    Region e;                   /* where E is */
    gboolean unsummed;          /* there are sums to be added to it */
    Region terms;               /* C's when sums were formed */
};

ProgramDims program_dims(const Multiplication *problem)
{
    guint n1 = problem->grid.n1, n2 = problem->grid.n2;
    return (ProgramDims){(1u << n2) - 1, ((1u << n1) - 1) << n2};
}

/* --- placements and regions --- */

/* Rows of a matrix with rows of processors; or with columns of processors, if it is turned. */
static Placement place(const Program *p, MatrixName matrix, gboolean turned)
{
    MatmulShape s = p->matmul->shape;
    guint height = matrix_height(s, matrix), width = matrix_width(s, matrix);
    guint by_row = p->dims.within_columns, by_column = p->dims.within_rows;
    return (Placement){.rows = {height, {turned ? by_column : by_row, 0}},
                       .cols = {width, {turned ? by_row : by_column, 0}},
                       .layout = p->matmul->layout};
}

/* No wish: of a placement's matrix, everything. */
static Placement everything(const Placement *placement)
{
    return placement_joined(placement, ~0u);
}

static Region take_slots(Program *p, Region region)
{
    region.slot = p->n_slots;
    p->n_slots += region_n_slots(&region);
    return region;
}

/* What everybody has himself, in parts. */
static Region own_region(const Placement *now, guint n_parts)
{
    return (Region){.n_parts = n_parts, .from = *now, .to = everything(now)};
}

/* --- parts of a schedule --- */

static void add_part(Program *p, Schedule *part)
{
    p->broadcast = NULL;
    g_ptr_array_add(p->parts, part);
}

static void add_work(Program *p, Operation operation)
{
    add_part(p, schedule_work(p->problem->dimension, p->n_slots, &operation));
}

static void recut(Program *p, Datum *datum, const Region *to)
{
    add_work(p, matrix_recut(p->content, &datum->region, to));
    datum->region = *to;
}

typedef struct {
    const Region *region, *terms;
} Holding;

/* Whether slot number i of a region holds a piece; sums without terms there are none. */
static gboolean is_filled(gconstpointer user, guint node, guint i)
{
    const Holding *holding = user;
    if (i >= region_n_slots(holding->region) || (holding->terms && region_cover(holding->terms, node).cols.count == 0))
        return FALSE;
    return region_piece(holding->region, node, i).count > 0;
}

/* Leaves out what is empty, if anything is. */
static Schedule *without_empty(const Program *p, Schedule *schedule, const Holding *holding)
{
    for (guint node = 0; node < cube_n_nodes(p->problem->dimension); node++)
        for (guint i = 0; i < region_n_slots(holding->region); i++)
            if (!is_filled(holding, node, i))
                return schedule_sparse(schedule, is_filled, holding);
    return schedule;
}

/* --- transpositions --- */

/* The dimensions in the order in which a transposition with one port crosses them: row bit, column bit, ..., the
 * highest first (the lowest, if the layout is cyclic), then those that the longer axis has left. */
static void order_dimensions(const Program *p, guint *order)
{
    guint n1 = p->matmul->grid.n1, n2 = p->matmul->grid.n2, pairs = MIN(n1, n2), n = 0;
    gboolean up = p->matmul->layout == MATMUL_CYCLIC;
    for (guint i = 0; i < pairs; i++) {
        order[n++] = n2 + (up ? i : n1 - 1 - i);
        order[n++] = up ? i : n2 - 1 - i;
    }
    for (guint i = pairs; i < MAX(n1, n2); i++)
        order[n++] = (n1 > n2 ? n2 : 0) + (up ? i : MAX(n1, n2) - 1 - i);
}

static GArray *numbers_sent(gconstpointer region, guint x)
{
    return region_numbers(region, x);
}

static guint count_sent(gconstpointer user, guint x, guint number)
{
    const Region *region = user;
    return region_sent(region, x, x ^ cube_spread_bits(number, region->dims), 0).count;
}

/* Packets that follow each other, each with as much for every destination as can be. */
static void deal_out(Program *p, MatrixName matrix, Region *region)
{
    DealSource source = {numbers_sent, count_sent, region};
    gint64 given = matrix == MATRIX_A && p->matmul->packet_of_a ? p->matmul->packet_of_a : p->matmul->packet;
    gint64 packet = given ? given : G_MAXUINT32;
    Deal *deal = deal_new(cube_n_nodes(p->problem->dimension), (guint64)packet, &source);
    matrix_content_keep(p->content, deal, (GDestroyNotify)deal_free);
    region->deal = deal;
    region->n_parts = deal_n_packets(deal);
}

/* On a grid of one row or one column, with n ports, everybody has something for everybody. */
static ExchangeKind choose_exchange(Program *p, MatrixName matrix, Region *region)
{
    gboolean is_line = !p->dims.within_rows || !p->dims.within_columns;
    gboolean balanced = g_str_equal(p->matmul->routing->name, "sbnt");
    if (!p->problem->algorithm->n_port)
        return EXCHANGE_IN_ORDER;
    if (is_line && !balanced)
        region->n_parts = MAX(1, p->problem->dimension);
    else if (!is_line)
        deal_out(p, matrix, region);
    return !is_line ? EXCHANGE_IN_ORDER : balanced ? EXCHANGE_BALANCED : EXCHANGE_ROTATED;
}

/* On a square grid few numbers have anything. */
static void count_numbers(Program *p, Region *region)
{
    Census *census = census_new(region, cube_n_nodes(p->problem->dimension));
    matrix_content_keep(p->content, census, (GDestroyNotify)census_free);
    region->census = census;
}

void program_transpose(Program *p, MatrixName matrix)
{
    Datum *datum = &p->data[matrix];
    Placement home = place(p, matrix, FALSE), turned = place(p, matrix, TRUE);
    gboolean back = datum->now.rows.dims[0] != home.rows.dims[0] || datum->now.cols.dims[0] != home.cols.dims[0];
    guint order[DIMENSIONS_MAX];
    Region region = {.dims = p->dims.within_rows | p->dims.within_columns, .n_parts = 1, .from = datum->now,
                     .to = back ? home : turned};
    if (!region.dims)
        return;
    ExchangeKind kind = choose_exchange(p, matrix, &region);
    count_numbers(p, &region);
    region = take_slots(p, region);
    recut(p, datum, &region);
    order_dimensions(p, order);
    add_part(p, exchange_new(p->problem->dimension, &region, kind, order));
    region.moved = TRUE;
    datum->region = region;
    datum->now = region.to;
}

/* --- broadcasts and reductions --- */

/* The problem of a broadcast, or of its reverse, in a ring: one element for every part. */
static Problem routing_problem(const Program *p, guint dims, PatternKind kind)
{
    gint64 cut;
    Problem problem = problem_new(p->matmul->routing, (guint)__builtin_popcount(dims));
    problem.pattern = pattern_of(kind);
    if (problem.algorithm->takes & TAKES_ACCUMULATE)
        problem.accumulate = MIN(p->problem->accumulate, problem.dimension);
    problem_divide(&problem, problem_n_parts(&problem), 1, 0, &cut);
    return problem;
}

/* In all rows or columns at a time, in the slots of a region. */
static Schedule *make_routing(const Program *p, const Problem *problem, const Region *region, const Holding *holding)
{
    Schedule *schedule = schedule_make(problem);
    Schedule *within = schedule_within(p->problem->dimension, region->dims, 1, &schedule);
    return schedule_at(without_empty(p, within, holding), region->slot, p->n_slots);
}

static Schedule *make_broadcast(Program *p, MatrixName matrix, guint dims)
{
    Datum *datum = &p->data[matrix];
    Problem problem = routing_problem(p, dims, PATTERN_ALL_BROADCAST);
    Region ring = own_region(&datum->now, problem_n_parts(&problem));
    ring.dims = dims;
    ring.moved = TRUE;
    ring = take_slots(p, ring);
    Region own = ring;
    own.dims = 0;
    recut(p, datum, &own);
    datum->region = ring;
    datum->now = placement_joined(&datum->now, dims);
    return make_routing(p, &problem, &ring, &(Holding){&own, NULL});
}

void program_broadcast(Program *p, MatrixName matrix, guint dims)
{
    if (!dims)
        return;
    add_part(p, make_broadcast(p, matrix, dims));
    p->broadcast = &p->data[matrix];
}

void program_broadcast_both(Program *p)
{
    if (!p->problem->algorithm->n_port || !p->dims.within_rows || !p->dims.within_columns) {
        program_broadcast(p, MATRIX_C, p->dims.within_rows);
        program_broadcast(p, MATRIX_D, p->dims.within_columns);
        return;
    }
    Schedule *parts[] = {make_broadcast(p, MATRIX_C, p->dims.within_rows),
                         make_broadcast(p, MATRIX_D, p->dims.within_columns)};
    add_part(p, schedule_beside(2, parts, NULL));
}

void program_reduce(Program *p, guint dims, gboolean turned)
{
    Datum *sums = &p->data[MATRIX_A];
    Placement target = place(p, MATRIX_A, turned);
    if (dims) {
        Problem problem = routing_problem(p, dims, PATTERN_ALL_REDUCTION);
        Region region = {.dims = dims, .n_parts = problem_n_parts(&problem), .from = sums->now, .to = target};
        region = take_slots(p, region);
        recut(p, sums, &region);
        add_part(p, make_routing(p, &problem, &region, &(Holding){&region, &p->terms}));
        region.dims = 0;
        sums->region = region;
    }
    sums->now = target;
}

/* Sums of the processors in columns, for the processor rows where they belong. Half of them go across each of the
 * dimensions that tell rows of one set apart; then all of them, across the others. */
static void reduce_in_columns(Program *p, const Placement *target)
{
    Datum *sums = &p->data[MATRIX_A];
    guint n1 = p->matmul->grid.n1, n2 = p->matmul->grid.n2, n_apart = n1 > n2 ? n1 - n2 : 0, order[DIMENSIONS_MAX];
    for (guint i = 0; i < n1; i++)      /* they are the lowest; the highest, if the layout is cyclic */
        order[i] = p->matmul->layout == MATMUL_CYCLIC ? (n1 - n_apart + i) % n1 : i < n_apart ? n_apart - 1 - i : i;
    Region region = {.dims = p->dims.within_columns, .n_parts = 1, .from = sums->now, .to = *target};
    region = take_slots(p, region);
    recut(p, sums, &region);
    Region alone = region;
    alone.slot = 0;
    Schedule *schedule = exchange_reduction_new(p->problem->dimension, &alone, order);
    add_part(p, schedule_at(without_empty(p, schedule, &(Holding){&region, &p->terms}), region.slot, p->n_slots));
    region.dims = 0;
    sums->region = region;
}

void program_reduce_to_home(Program *p)
{
    Datum *sums = &p->data[MATRIX_A];
    Placement home = place(p, MATRIX_A, FALSE), in_row = placement_joined(&home, p->dims.within_rows);
    guint order[DIMENSIONS_MAX];
    if (p->dims.within_columns)
        reduce_in_columns(p, &in_row);
    sums->now.rows.dims[1] = p->dims.within_columns;
    if (p->dims.within_rows) {
        Region region = {.dims = p->dims.within_rows, .n_parts = 1, .from = sums->now, .to = home};
        region = take_slots(p, region);
        recut(p, sums, &region);
        for (guint i = 0; i < p->matmul->grid.n2; i++)
            order[i] = p->matmul->layout == MATMUL_CYCLIC ? i : p->matmul->grid.n2 - 1 - i;
        add_part(p, exchange_new(p->problem->dimension, &region, EXCHANGE_IN_ORDER, order));
        region.moved = TRUE;
        sums->region = region;
    }
    sums->now = home;
}

/* --- products --- */

/* Multiplies what the last broadcast brings while it goes on. */
static void multiply_streamed(Program *p, gboolean onto_e)
{
    Datum *moving = p->broadcast;
    gboolean of_c = moving == &p->data[MATRIX_C];
    Datum *still = &p->data[of_c ? MATRIX_D : MATRIX_C];
    Schedule *broadcast = g_ptr_array_steal_index(p->parts, p->parts->len - 1);
    if (region_n_slots(&still->region) > 1) {
        Region whole = take_slots(p, own_region(&still->now, 1));
        recut(p, still, &whole);
    }
    Stream stream = {moving->region, of_c, still->region, p->data[MATRIX_A].region, !onto_e, p->m};
    add_part(p, schedule_overlapped(streamed_new(broadcast, &stream, p->content)));
}

void program_multiply(Program *p, gboolean onto_e)
{
    Datum *c = &p->data[MATRIX_C], *d = &p->data[MATRIX_D], *a = &p->data[MATRIX_A];
    Placement product = {c->now.rows, d->now.cols, c->now.layout, c->now.gray};
    p->terms = c->region;
    *a = (Datum){p->e, product};
    if (!onto_e)
        a->region = take_slots(p, own_region(&product, 1));
    if (p->matmul->overlap && p->broadcast)
        multiply_streamed(p, onto_e);
    else
        add_work(p, matrix_multiply(p->content, p->m, &c->region, &d->region, &a->region, !onto_e));
    if (!onto_e)
        p->unsummed = TRUE;
}

/* The other factor stays at home. The blocks that move are in whole elements of parts that are as even as can be. */
void program_pass(Program *p)
{
    gboolean of_c = p->dims.within_rows != 0;
    Datum *moving = &p->data[of_c ? MATRIX_C : MATRIX_D];
    guint dims = p->dims.within_rows | p->dims.within_columns;
    Problem problem = routing_problem(p, dims, PATTERN_ALL_BROADCAST);
    gboolean ring = g_str_equal(problem.algorithm->name, "cra");
    Region own = own_region(&moving->now, problem_n_parts(&problem));
    Passing passing = {ring ? PASSING_RING : PASSING_EXCHANGE, problem.accumulate, own, of_c,
                       p->data[of_c ? MATRIX_D : MATRIX_C].region, p->e};
    own.slot = passing.blocks.slot = p->n_slots;
    passing.blocks.dims = dims;
    p->n_slots += passing_n_slots(&passing);
    recut(p, moving, &own);
    Schedule *schedule = passing_new(p->problem->dimension, &passing, p->content);
    add_part(p, p->matmul->overlap ? schedule_overlapped(schedule) : schedule);
}

gboolean program_may_pass(const Program *p)
{
    static const char *const linear[] = {"cra", "gcea", "hybrid", NULL};
    gboolean is_line = !p->dims.within_rows != !p->dims.within_columns;
    return is_line && g_strv_contains(linear, p->matmul->routing->name);
}

/* --- programs --- */

static void begin(Program *p)
{
    for (guint i = 0; i < N_MATRICES; i++) {
        Placement home = place(p, i, FALSE);
        Region region = take_slots(p, own_region(&home, 1)), *kept = g_memdup2(&region, sizeof region);
        matrix_content_keep(p->content, kept, g_free);
        Home of_matrix = home_of_region(kept);
        g_array_append_val(p->homes, of_matrix);
        p->data[i] = (Datum){region, home};
    }
    p->e = p->data[MATRIX_A].region;
    p->unsummed = FALSE;
}

static void end(Program *p)
{
    if (p->unsummed)
        add_work(p, matrix_add(p->content, &p->data[MATRIX_A].region, &p->e));
}

Schedule *program_make(const Problem *problem, Recipe *recipe)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_autoptr(GArray) homes = g_array_new(FALSE, FALSE, sizeof(Home));
    Program p = {.problem = problem, .matmul = &problem->matmul, .dims = program_dims(&problem->matmul),
                 .content = matrix_content_new(&problem->matmul), .parts = parts, .homes = homes};
    for (p.m = 0; p.m < MAX(1, problem->matmul.repeat); p.m++) {
        begin(&p);
        recipe(&p, p.dims);
        end(&p);
    }
    Schedule *schedule = schedule_then(parts->len, (Schedule **)parts->pdata, FALSE);
    schedule->n_slots = p.n_slots;
    return matrix_content_give(p.content, homes, problem->algorithm->n_port, schedule);
}
