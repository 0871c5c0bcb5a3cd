/* Matrix multiplication on rows and columns of processors (Johnsson & Ho 1987, sec. 5 and figure 15). Processor (k,
 * l) of the grid has the blocks C_kl, D_kl and E_kl at first, and A_kl at the end. On one row or one column of
 * processors these are the algorithms of figure 6. Processor (k, l, m) of a grid of three dimensions, N1 x N2 x N3,
 * is processor (k, l N3 + m) of the grid N1 x N2 N3 of two dimensions.
 *
 * An algorithm is a recipe: a function that calls phases in their order. A phase takes the matrices where the phase
 * before has left them, and adds a part to the schedule: a broadcast, a reduction, a transposition or local work.
 * Processors go through the parts without barriers. */
#include "moving.h"
#include "sim/patterns/registry.h"
#include "sim/cube/cube.h"
#include "sim/patterns/problem.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/plan.h"

/* Place of a matrix in the present phase. */
typedef struct {
    Region region;              /* slots that hold the matrix */
    Placement now;              /* elements that each processor has */
} Matrix;

/* State of a recipe while it adds its phases to the schedule. */
typedef struct {
    const Problem *problem;
    const Multiplication *matmul;
    guint within_rows, within_columns;  /* masks of the cube's dimensions within a row, and within a column, of
                                         * processors */
    guint within_depth;                 /* mask of the cube's dimensions between processors of the same row and
                                         * column; 0: the grid has two sides, not three */
    gboolean is_short;                  /* whether broadcasts reach only processors that have something to multiply
                                         * (a1-short) */
    gboolean is_located;                /* whether C and D are at first at the processors of a grid of three dimensions
                                         * that multiply them (3d) */
    Content *content;
    guint m;                    /* index of the multiplication */
    GPtrArray *parts;           /* Schedule *: phases so far, in their order */
    GArray *homes;              /* Home: homes of the matrices of all multiplications, by matrix_number() */
    guint n_slots;              /* number of slots taken so far */
    Matrix *broadcast;           /* matrix that the last part broadcast; NULL: the last part was no broadcast of one
                                  * matrix */
    Matrix matrices[N_MATRICES]; /* [MatrixName]: where the matrix is in the present phase; of A: E at first, then the
                                  * sums */
    Region e;                   /* region of E: one slot */
    gboolean unsummed;          /* TRUE: sums of products have yet to be added to E, the summand of A <- C x D + E */
    Region terms;               /* region that C had when products were formed: a processor without data in it has no
                                 * sums */
} Program;

/* --- placements and regions --- */

/* Returns the placement in which the address bits `rows` divide the rows of a matrix, and `cols` its columns. */
static Placement place_by(const Program *p, MatrixName matrix, guint rows, guint cols)
{
    MatmulShape s = p->matmul->shape;
    return (Placement){.rows = {matrix_height(s, matrix), {rows, 0}, 0},
                       .cols = {matrix_width(s, matrix), {cols, 0}, 0},
                       .layout = p->matmul->layout,
                       .encoding = p->matmul->encoding};
}

/* Returns the placement that divides the rows of a matrix among rows of processors, and its columns among columns of
 * processors. `turned`: its rows among columns of processors, and its columns among rows. */
static Placement place(const Program *p, MatrixName matrix, gboolean turned)
{
    guint by_row = p->within_columns, by_column = p->within_rows;
    return place_by(p, matrix, turned ? by_column : by_row, turned ? by_row : by_column);
}

/* Returns the placement that a matrix has at first, and A at the end. With p->is_located, processor (k, l, m) of a grid
 * of three dimensions has a part of the blocks C_km, D_ml and A_kl. Processors that share a block of D divide its rows;
 * those that share a block of C or A, its columns. */
static Placement home_of(const Program *p, MatrixName matrix)
{
    gboolean moves = p->is_located && p->within_depth, of_c = moves && matrix == MATRIX_C;
    Placement home = place(p, matrix, FALSE);
    if (of_c)
        home.cols = (Axis){home.cols.extent, {p->within_depth, 0}, p->within_rows};
    else if (moves && matrix == MATRIX_D)
        home.rows = (Axis){home.rows.extent, {p->within_depth, 0}, p->within_columns};
    else
        home.cols.cut = p->within_depth;
    return home;
}

static Region take_slots(Program *p, Region region)
{
    region.slot = p->n_slots;
    p->n_slots += region_n_slots(&region);
    return region;
}

/* Returns a region for the elements that every processor has in the placement `now`; its first slot is not set. Its
 * `to` is the whole matrix. */
static Region own_region(const Placement *now, guint n_parts)
{
    return (Region){.n_parts = n_parts, .from = *now, .to = placement_joined(now, ~0u)};
}

/* --- parts of a schedule --- */

static void add_part(Program *p, Schedule *part)
{
    p->broadcast = NULL;
    g_ptr_array_add(p->parts, part);
}

static void add_work(Program *p, MatrixWork work)
{
    Operation operation = matrix_work(p->content, &work);
    add_part(p, schedule_work(p->problem->dimension, p->n_slots, &operation));
}

static void recut(Program *p, Matrix *matrix, const Region *to)
{
    add_work(p, (MatrixWork){.kind = WORK_RECUT, .regions = {matrix->region, *to}});
    matrix->region = *to;
}

/* Gives a matrix new slots for the pieces of `region`, in which it is to move, and cuts it into these pieces. */
static void enter(Program *p, Matrix *matrix, Region region)
{
    Region own = take_slots(p, region);
    recut(p, matrix, &own);
}

/* Argument `user` of is_filled(). */
typedef struct {
    const Region *region, *terms;   /* region: region whose slots is_filled() looks at; terms: Program.terms if that
                                     * region holds sums, else NULL */
} Holding;

/* Whether slot i of a region holds a piece at `node`. With `terms`, a slot for sums is empty at a processor that has no
 * factors for them. */
static gboolean is_filled(gconstpointer user, guint node, guint i)
{
    const Holding *holding = user;
    if (i >= region_n_slots(holding->region) || (holding->terms && region_cover(holding->terms, node).cols.count == 0))
        return FALSE;
    return region_piece(holding->region, node, i).count > 0;
}

/* Returns `schedule` without its empty slots (schedule_sparse()). If no slot of the region is empty, returns `schedule`
 * itself. */
static Schedule *without_empty(const Program *p, Schedule *schedule, const Holding *holding)
{
    for (guint node = 0; node < cube_n_nodes(p->problem->dimension); node++)
        for (guint i = 0; i < region_n_slots(holding->region); i++)
            if (!is_filled(holding, node, i))
                return schedule_sparse(schedule, is_filled, holding);
    return schedule;
}

/* --- transpositions --- */

/* Returns the number of bit i in the order in which exchanges cross n bits: from the highest down, or in a cyclic
 * layout from the lowest up. */
static guint nth_bit(const Program *p, guint i, guint n)
{
    return p->matmul->layout == MATMUL_CYCLIC ? i : n - 1 - i;
}

/* Fills in the order in which a transposition crosses the dimensions: bits of the row number and of the column number
 * in turns, then the rest of the longer number. */
static void order_dimensions(const Program *p, guint *order)
{
    guint n1 = p->matmul->grid.n1, n2 = p->matmul->grid.n2, pairs = MIN(n1, n2), n = 0;
    for (guint i = 0; i < pairs; i++) {
        order[n++] = n2 + nth_bit(p, i, n1);
        order[n++] = nth_bit(p, i, n2);
    }
    for (guint i = pairs; i < MAX(n1, n2); i++)
        order[n++] = (n1 > n2 ? n2 : 0) + nth_bit(p, i, MAX(n1, n2));
}

/* Cuts the data of a region into packets by region_deal(). Each packet has elements for as many destinations as
 * possible. */
static void deal_out(Program *p, MatrixName matrix, Region *region)
{
    gint64 given = matrix == MATRIX_A && p->matmul->packet_of_a ? p->matmul->packet_of_a : p->matmul->packet;
    RegionDeal *deal = region_deal(region, cube_n_nodes(p->problem->dimension), (guint64)(given ? given : G_MAXUINT32));
    matrix_content_keep(p->content, deal, (GDestroyNotify)region_deal_free);
}

/* Returns the kind of exchange for a transposition, and sets the parts of its region. On one row or column of
 * processors, every processor has data for every other. */
static ExchangeKind choose_exchange(Program *p, MatrixName matrix, Region *region)
{
    gboolean is_line = !p->within_rows || !p->within_columns;
    gboolean balanced = g_str_equal(p->matmul->routing->name, "sbnt");
    if (!p->problem->algorithm->n_port)
        return EXCHANGE_IN_ORDER;
    if (is_line && !balanced)
        region->n_parts = MAX(1, p->problem->dimension);
    else if (!is_line)
        deal_out(p, matrix, region);
    return !is_line ? EXCHANGE_IN_ORDER : balanced ? EXCHANGE_BALANCED : EXCHANGE_ROTATED;
}

/* Gives a region slots only for those numbers of data (Region) that some processor has. On a square grid these are
 * few. */
static void keep_numbers(Program *p, Region *region)
{
    GArray *numbers = region_numbers_of_all(region, cube_n_nodes(p->problem->dimension));
    matrix_content_keep(p->content, numbers, (GDestroyNotify)g_array_unref);
    region->numbers = numbers;
}

/* Adds `schedule`, without the messages of empty slots, on the slots of a region. */
static void add_sparse(Program *p, Schedule *schedule, const Region *region, const Holding *holding)
{
    add_part(p, schedule_at(without_empty(p, schedule, holding), region->slot, p->n_slots));
}

/* Adds the exchange that moves a matrix within the rings of `region` to the placement region.to. */
static void exchange(Program *p, Matrix *matrix, Region region, ExchangeKind kind, const guint *order)
{
    enter(p, matrix, region);
    add_sparse(p, exchange_new(p->problem->dimension, &matrix->region, kind, order), &matrix->region,
               &(Holding){&matrix->region, NULL});
    matrix->region.moved = TRUE;
    matrix->now = region.to;
}

/* Adds the exchange that moves each block of a matrix from processor (k, l) of the grid to (l, k): to the home of the
 * transposed matrix, or back. */
static void transpose(Program *p, MatrixName name)
{
    Matrix *matrix = &p->matrices[name];
    Placement home = place(p, name, FALSE), turned = place(p, name, TRUE);
    gboolean back = matrix->now.rows.dims[0] != home.rows.dims[0] || matrix->now.cols.dims[0] != home.cols.dims[0];
    guint order[GROUP_FACTORS_MAX];
    Region region = {.dims = p->within_rows | p->within_columns, .n_parts = 1, .from = matrix->now,
                     .to = back ? home : turned};
    if (!region.dims)
        return;
    ExchangeKind kind = choose_exchange(p, name, &region);
    keep_numbers(p, &region);
    order_dimensions(p, order);
    exchange(p, matrix, region, kind, order);
}

/* --- from two dimensions to three --- */

/* Adds the exchange that moves a matrix to the placement `to`. It crosses the dimensions `first` in the order of
 * nth_bit(), reversed if `reversed`. Then it crosses p->within_depth, the lowest dimensions, in the order of nth_bit().
 * If all shares are equal, half of a processor's elements cross each dimension. */
static void shuffle(Program *p, MatrixName name, Placement to, guint first, gboolean reversed)
{
    guint n = (guint)__builtin_popcount(first), n3 = p->matmul->grid.n3, order[GROUP_FACTORS_MAX];
    Matrix *matrix = &p->matrices[name];
    Region region = {.dims = first | p->within_depth, .n_parts = 1, .from = matrix->now, .to = to};
    for (guint i = 0; i < n; i++)
        order[i] = n3 + nth_bit(p, reversed ? n - 1 - i : i, n);
    for (guint i = 0; i < n3; i++)
        order[n + i] = nth_bit(p, i, n3);
    if (p->problem->algorithm->n_port)
        deal_out(p, name, &region);
    keep_numbers(p, &region);
    exchange(p, matrix, region, EXCHANGE_IN_ORDER, order);
}

/* Moves C, of which processor (k, l, m) has block C_k,lm, so that it has share l of the rows of C_km. */
static void shuffle_c(Program *p)
{
    Placement to = place_by(p, MATRIX_C, p->within_columns, p->within_depth);
    to.rows.cut = p->within_rows;
    if (p->within_depth && p->within_rows)
        shuffle(p, MATRIX_C, to, p->within_rows, FALSE);
}

/* Moves D, of which processor (k, l, m) has block D_k,lm, so that it has share k of the rows of D_ml. */
static void shuffle_d(Program *p)
{
    Placement to = place_by(p, MATRIX_D, p->within_depth, p->within_rows);
    to.rows.cut = p->within_columns;
    if (p->within_depth)
        shuffle(p, MATRIX_D, to, p->within_columns, TRUE);
}

/* --- broadcasts and reductions --- */

/* Returns the problem of an all-broadcast, or of its reverse (`pattern`), in a ring over the dimensions `dims`. Each
 * part of the data is 1 byte. */
static Problem routing_problem(const Program *p, guint dims, const Pattern *pattern)
{
    gint64 cut;
    Problem problem = problem_new(p->matmul->routing, (guint)__builtin_popcount(dims));
    problem.pattern = pattern;
    if (problem.algorithm->takes & TAKES_ACCUMULATE)
        problem.accumulate = MIN(p->problem->accumulate, problem.dimension);
    problem_divide(&problem, problem_n_parts(&problem), 1, 0, &cut);
    return problem;
}

/* Returns the number of steps of an SBT that reaches only the processors with a part of the factors or of A. k steps
 * reach 2^k processors (sec. 5.1.1). */
static guint steps_that_reach(const Program *p, const Problem *problem, guint dims)
{
    const Multiplication *m = p->matmul;
    guint side = dims == p->within_rows ? m->shape.r : m->shape.p, n = problem->dimension;
    guint owners = MAX(matmul_owners(side, n, m->layout), matmul_owners(m->shape.q, n, m->layout));
    return owners > 1 ? g_bit_storage(owners - 1) : 0;
}

/* Returns the schedule that solves `problem` in all rings of a region (rows or columns of processors) at the same time,
 * in the slots of the region. */
static Schedule *make_routing(const Program *p, const Problem *problem, const Region *region, const Holding *holding)
{
    Schedule *schedule = schedule_make(problem);
    if (p->is_short)
        schedule->n_steps = steps_that_reach(p, problem, region->dims);
    Schedule *within = schedule_within(p->problem->dimension, region->dims, 1, &schedule);
    return schedule_at(without_empty(p, within, holding), region->slot, p->n_slots);
}

static Schedule *make_broadcast(Program *p, MatrixName matrix, guint dims)
{
    Matrix *moving = &p->matrices[matrix];
    Problem problem = routing_problem(p, dims, &pattern_all_broadcast);
    Region ring = own_region(&moving->now, problem_n_parts(&problem));
    ring.dims = dims;
    ring.moved = TRUE;
    ring = take_slots(p, ring);
    Region own = ring;
    own.dims = 0;
    recut(p, moving, &own);
    moving->region = ring;
    moving->now = placement_joined(&moving->now, dims);
    return make_routing(p, &problem, &ring, &(Holding){&own, NULL});
}

/* Broadcasts a matrix within rows of processors (`dims` = within_rows) or columns: each processor gets the blocks of
 * all processors in its row or column. */
static void broadcast(Program *p, MatrixName matrix, guint dims)
{
    if (!dims)
        return;
    add_part(p, make_broadcast(p, matrix, dims));
    p->broadcast = &p->matrices[matrix];
}

/* Broadcasts C within rows and D within columns; with n ports at the same time. */
static void broadcast_both(Program *p)
{
    if (!p->problem->algorithm->n_port || !p->within_rows || !p->within_columns) {
        broadcast(p, MATRIX_C, p->within_rows);
        broadcast(p, MATRIX_D, p->within_columns);
        return;
    }
    Schedule *parts[] = {make_broadcast(p, MATRIX_C, p->within_rows),
                         make_broadcast(p, MATRIX_D, p->within_columns)};
    add_part(p, schedule_beside(2, parts, NULL));
}

/* Adds a reduction of the sums within rings over the dimensions `dims`. Each processor gets the sums of its part of A;
 * with `turned`, of the part that it has of A before A is transposed. */
static void reduce(Program *p, guint dims, gboolean turned)
{
    Matrix *sums = &p->matrices[MATRIX_A];
    Placement target = turned ? place(p, MATRIX_A, TRUE) : home_of(p, MATRIX_A);
    if (dims) {
        Problem problem = routing_problem(p, dims, &pattern_reduce_scatter);
        enter(p, sums, (Region){.dims = dims, .n_parts = problem_n_parts(&problem), .from = sums->now, .to = target});
        add_part(p, make_routing(p, &problem, &sums->region, &(Holding){&sums->region, &p->terms}));
        sums->region.dims = 0;
    }
    sums->now = target;
}

/* Adds a reduction of the sums within columns of processors. Each sum ends in the processor row that has its element in
 * the placement `target`. */
static void reduce_in_columns(Program *p, const Placement *target)
{
    Matrix *sums = &p->matrices[MATRIX_A];
    guint n1 = p->matmul->grid.n1, n2 = p->matmul->grid.n2, n_apart = n1 > n2 ? n1 - n2 : 0, order[GROUP_FACTORS_MAX];
    for (guint i = 0; i < n1; i++)      /* the n_apart dimensions that columns have more than rows come first: in a
                                         * consecutive layout the lowest, in a cyclic one the highest */
        order[i] = p->matmul->layout == MATMUL_CYCLIC ? (n1 - n_apart + i) % n1 : i < n_apart ? n_apart - 1 - i : i;
    enter(p, sums, (Region){.dims = p->within_columns, .n_parts = 1, .from = sums->now, .to = *target});
    add_sparse(p, exchange_new(p->problem->dimension, &sums->region, EXCHANGE_SUMS, order), &sums->region,
               &(Holding){&sums->region, &p->terms});
    sums->region.dims = 0;
}

/* Adds a reduction of the sums that needs no transposition of A. It adds up sums within columns, each in the processor
 * row where it belongs, and then scatters them within rows (sec. 5.2.3, version 2). */
static void reduce_to_home(Program *p)
{
    Matrix *sums = &p->matrices[MATRIX_A];
    Placement home = place(p, MATRIX_A, FALSE), in_row = placement_joined(&home, p->within_rows);
    guint order[GROUP_FACTORS_MAX], n2 = p->matmul->grid.n2;
    if (p->within_columns)
        reduce_in_columns(p, &in_row);
    sums->now.rows.dims[1] = p->within_columns;
    for (guint i = 0; i < n2; i++)
        order[i] = nth_bit(p, i, n2);
    if (p->within_rows)
        exchange(p, sums, (Region){.dims = p->within_rows, .n_parts = 1, .from = sums->now, .to = home},
                 EXCHANGE_IN_ORDER, order);
    sums->now = home;
}

/* --- products --- */

/* Replaces the last part of the schedule, a broadcast, by one that also multiplies the blocks as they arrive. `onto_e`:
 * products are added to E. */
static void multiply_streamed(Program *p, gboolean onto_e)
{
    Matrix *moving = p->broadcast;
    gboolean of_c = moving == &p->matrices[MATRIX_C];
    Matrix *still = &p->matrices[of_c ? MATRIX_D : MATRIX_C];
    Schedule *broadcast = g_ptr_array_steal_index(p->parts, p->parts->len - 1);
    if (region_n_slots(&still->region) > 1)
        enter(p, still, own_region(&still->now, 1));
    Moving products = {moving->region, of_c, still->region, p->matrices[MATRIX_A].region};
    add_part(p, schedule_overlapped(streamed_new(broadcast, &products, !onto_e, p->m, p->content)));
}

/* Adds the multiplication of all elements of C and D that each processor has. The products are added to E (`onto_e`),
 * or begin sums of their own. */
static void multiply(Program *p, gboolean onto_e)
{
    Matrix *c = &p->matrices[MATRIX_C], *d = &p->matrices[MATRIX_D], *a = &p->matrices[MATRIX_A];
    Placement product = {c->now.rows, d->now.cols, c->now.layout, c->now.encoding};
    p->terms = c->region;
    *a = (Matrix){p->e, product};
    if (!onto_e)
        a->region = take_slots(p, own_region(&product, 1));
    if (p->matmul->overlap && p->broadcast)
        multiply_streamed(p, onto_e);
    else
        add_work(p, (MatrixWork){.kind = WORK_MULTIPLY, .first = !onto_e, .matrix = matrix_number(p->m, MATRIX_A),
                                 .regions = {c->region, d->region, a->region}});
    if (!onto_e)
        p->unsummed = TRUE;
}

/* Adds a part that broadcasts and multiplies at the same time, on one row or column of processors. C (row) or D
 * (column) is passed on, and multiplied at each processor that it reaches. The other factor stays at home. */
static void pass(Program *p)
{
    gboolean of_c = p->within_rows != 0;
    Matrix *moving = &p->matrices[of_c ? MATRIX_C : MATRIX_D];
    guint dims = p->within_rows | p->within_columns;
    Problem problem = routing_problem(p, dims, &pattern_all_broadcast);
    gboolean ring = g_str_equal(problem.algorithm->name, "cra");
    Region own = own_region(&moving->now, problem_n_parts(&problem));
    Passing passing = {{own, of_c, p->matrices[of_c ? MATRIX_D : MATRIX_C].region, p->e},
                       ring ? PASSING_RING : PASSING_EXCHANGE, problem.accumulate};
    own.slot = passing.moving.blocks.slot = p->n_slots;
    passing.moving.blocks.dims = dims;
    p->n_slots += passing_n_slots(&passing);
    recut(p, moving, &own);
    Schedule *schedule = passing_new(p->problem->dimension, &passing, p->content);
    add_part(p, p->matmul->overlap ? schedule_overlapped(schedule) : schedule);
}

/* Whether pass() applies: the grid is one row or column, and the routing is that of a linear array. */
static gboolean may_pass(const Program *p)
{
    gboolean is_line = !p->within_rows != !p->within_columns;
    return is_line && passing_is_by(p->matmul->routing);
}

/* --- recipes ---
 *
 * The comment at a phase names the blocks that each processor (k, l) has after it: X_ij is the block in row i and
 * column j of the blocks of X, X_i* all blocks of row i, and X_*j all blocks of column j. */

static void a1(Program *p)
{
    if (may_pass(p)) {
        pass(p);                                /* processor (k, l) now has A_kl, added up term by term */
        return;
    }
    broadcast_both(p);                          /* processor (k, l) now has C_k* and D_*l */
    multiply(p, TRUE);                          /* processor (k, l) now has A_kl */
}

static void a1_short(Program *p)
{
    a1(p);
}

static void a2(Program *p)
{
    transpose(p, MATRIX_C);                     /* processor (k, l) now has C_lk */
    broadcast(p, MATRIX_C, p->within_rows);     /* processor (k, l) now has C_*k */
    multiply(p, FALSE);                         /* processor (k, l) now has terms of A_*l */
    reduce(p, p->within_columns, FALSE);        /* processor (k, l) now has A_kl */
}

static void a3(Program *p)
{
    transpose(p, MATRIX_C);                     /* processor (k, l) now has C_lk */
    broadcast(p, MATRIX_D, p->within_rows);     /* processor (k, l) now has D_k* */
    multiply(p, FALSE);                         /* processor (k, l) now has terms of A_l* */
    reduce(p, p->within_columns, TRUE);         /* processor (k, l) now has A_lk */
    transpose(p, MATRIX_A);                     /* processor (k, l) now has A_kl */
}

static void a3b(Program *p)
{
    transpose(p, MATRIX_C);                     /* processor (k, l) now has C_lk */
    broadcast(p, MATRIX_D, p->within_rows);     /* processor (k, l) now has D_k* */
    multiply(p, FALSE);                         /* processor (k, l) now has terms of A_l* */
    reduce_to_home(p);                          /* processor (k, l) now has A_kl */
}

static void a4(Program *p)
{
    transpose(p, MATRIX_D);                     /* processor (k, l) now has D_lk */
    broadcast(p, MATRIX_D, p->within_columns);  /* processor (k, l) now has D_l* */
    multiply(p, FALSE);                         /* processor (k, l) now has terms of A_k* */
    reduce(p, p->within_rows, FALSE);           /* processor (k, l) now has A_kl */
}

static void a5(Program *p)
{
    transpose(p, MATRIX_D);                     /* processor (k, l) now has D_lk */
    broadcast(p, MATRIX_C, p->within_columns);  /* processor (k, l) now has C_*l */
    multiply(p, FALSE);                         /* processor (k, l) now has terms of A_*k */
    reduce(p, p->within_rows, TRUE);            /* processor (k, l) now has A_lk */
    transpose(p, MATRIX_A);                     /* processor (k, l) now has A_kl */
}

static void three_d(Program *p)
{
    broadcast_both(p);                          /* processor (k, l, m) now has C_km and D_ml */
    multiply(p, !p->within_depth);              /* processor (k, l, m) now has one term of A_kl */
    reduce(p, p->within_depth, FALSE);          /* processors (k, l, *) now share A_kl */
}

static void three_d_shuffled(Program *p)
{
    shuffle_c(p);                               /* processor (k, l, m) now has a share of C_km */
    shuffle_d(p);                               /* processor (k, l, m) now has a share of D_ml */
    three_d(p);
}

/* --- schedules --- */

static void begin(Program *p)
{
    for (guint i = 0; i < N_MATRICES; i++) {
        Placement home = home_of(p, i);
        Region region = take_slots(p, own_region(&home, 1)), *kept = g_memdup2(&region, sizeof region);
        matrix_content_keep(p->content, kept, g_free);
        Home of_matrix = home_of_region(kept);
        g_array_append_val(p->homes, of_matrix);
        p->matrices[i] = (Matrix){region, home};
    }
    p->e = p->matrices[MATRIX_A].region;
    p->unsummed = FALSE;
}

static void end(Program *p)
{
    if (p->unsummed)
        add_work(p, (MatrixWork){.kind = WORK_ADD, .regions = {p->matrices[MATRIX_A].region, p->e}});
}

typedef void Recipe(Program *p);

static Schedule *make(const Problem *problem)
{
    const MatmulGrid *grid = &problem->matmul.grid;
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_autoptr(GArray) homes = g_array_new(FALSE, FALSE, sizeof(Home));
    Recipe *recipe = *(Recipe *const *)problem->algorithm->family;
    Program p = {.problem = problem, .matmul = &problem->matmul, .within_rows = ((1u << grid->n2) - 1) << grid->n3,
                 .within_columns = ((1u << grid->n1) - 1) << (grid->n2 + grid->n3),
                 .within_depth = (1u << grid->n3) - 1, .is_located = recipe == three_d,
                 .is_short = recipe == a1_short,
                 .content = matrix_content_new(&problem->matmul), .parts = parts, .homes = homes};
    for (p.m = 0; p.m < MAX(1, problem->matmul.repeat); p.m++) {
        begin(&p);
        recipe(&p);
        end(&p);
    }
    Schedule *schedule = schedule_then(parts->len, (Schedule **)parts->pdata, FALSE);
    schedule->n_slots = p.n_slots;
    return matrix_content_give(p.content, homes, problem->algorithm->n_port, schedule);
}

static const char *short_refuses(const Problem *problem)
{
    const Algorithm *routing = problem->matmul.routing;
    return g_str_equal(routing->name, "sbt") && !routing->n_port ? NULL : "needs one port and the routing sbt";
}

#define RECIPE(id, title, ports, suffix, gets, what, where, why)                                                       \
    const Algorithm algorithm_##id##_matmul##suffix = {                                                                \
        .name = title, .pattern = &pattern_matmul, ports, .summary = what, .source = where, .unpublished = why,        \
        .takes = gets, .make = make, .family = &(Recipe *const){id}}

#define RECIPES_OF(id, title, gets, what, where, why)                                                                  \
    RECIPE(id, title, ONE_PORT, , gets, what, where, why);                                                             \
    RECIPE(id, title, ALL_PORTS, _n, gets, what, where, why)

#define RECIPES(id, what, where, why) RECIPES_OF(id, #id, TAKES_ROUTING, what, where, why)
#define IN_THREE(id, title, what) RECIPES_OF(id, title, TAKES_ROUTING | TAKES_DEPTH, what,                             \
                                             "Johnsson & Ho 1987, sec. 6", "the report that has it is not at hand")

RECIPES(a1, "C to all in its row, D to all in its column; multiply", "Johnsson & Ho 1987, sec. 5.2.1, A1", NULL);
RECIPES(a2, "transpose C, to all in its row; multiply; sums within columns",
        "Johnsson & Ho 1987, sec. 5.2.2, A2", NULL);
RECIPES(a3, "transpose C, D to all in its row; multiply; sums within columns; transpose A",
        "Johnsson & Ho 1987, sec. 5.2.3, A3", NULL);
RECIPES(a3b, "as a3, but sums go to their processor rows, and are scattered there instead of a transposition",
        "Johnsson & Ho 1987, sec. 5.2.3, A3 version 2", "no table has it");
RECIPES(a4, "transpose D, to all in its column; multiply; sums within rows", "Johnsson & Ho 1987, sec. 5.2, A4", NULL);
RECIPES(a5, "transpose D, C to all in its column; multiply; sums within rows; transpose A",
        "Johnsson & Ho 1987, sec. 5.2, A5", NULL);
const Algorithm algorithm_a1_short_matmul = {
    .name = "a1-short", .pattern = &pattern_matmul, ONE_PORT, .takes = TAKES_ROUTING, .refuses = short_refuses,
    .summary = "as a1, but C and D go only to processors that have anything to multiply them by",
    .source = "Johnsson & Ho 1987, sec. 5.1.1", .unpublished = "no table has it", .make = make,
    .family = &(Recipe *const){a1_short}};
IN_THREE(three_d, "3d", "on N1 x N2 x N3: C to all along the second dimension, D along the first; multiply; sums along "
                        "the third");
IN_THREE(three_d_shuffled, "3d-shuffled", "as 3d, with shuffles of C and D, which are on N1 x N2 N3 at first");
