/* Matrix multiplication by pipelined outer products on a torus of s x s processors: wave fronts that set out from the
 * main diagonal, in constant storage (Johnsson & Ho 1987, sec. 5.2.1 and figure 16).
 *
 * C(r, t) and D(t, c) meet at processor (r, c) in step ((r - t) mod s) + ((c - t) mod s); if s is even, one later if
 * r < t and one later if c < t. C(r, t) waits at (r, t) for its first product, and then goes right; D(t, c) goes down
 * likewise. Another multiplication begins s + 1 steps later: then no processor has two products in a step. (The paper
 * has s, which is right for odd s only, and cubes have none.) */
#include "matrix_content.h"
#include "sim/patterns/registry.h"
#include "sim/cube/graph.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/plan.h"

#define NONE G_MAXUINT

typedef struct {
    Schedule head;
    Multiplication matmul;
    gboolean n_port;
    guint s, bits;                  /* s = 2^bits */
    guint passing;                  /* the first of four slots: of two blocks of C that pass, and two of D */
    Operation products;
} Outer;

static const Outer *outer_of(const Schedule *schedule)
{
    return (const Outer *)schedule;
}

/* --- where and when --- */

static guint node_at(const Outer *o, guint row, guint col)
{
    return graph_gray(row % o->s) << o->bits | graph_gray(col % o->s);
}

static guint row_of(const Outer *o, guint node)
{
    return graph_gray_position(node >> o->bits);
}

static guint col_of(const Outer *o, guint node)
{
    return graph_gray_position(node & (o->s - 1));
}

/* Steps of one multiplication, and from its beginning to the beginning of the next. */
static guint duration(const Outer *o)
{
    return o->s > 1 ? 2 * o->s + 1 : 1;
}

static guint interval(const Outer *o)
{
    return o->s + 1;
}

static guint n_multiplications(const Outer *o)
{
    return MAX(1, o->matmul.repeat);
}

static guint meeting(const Outer *o, guint row, guint t, guint col)
{
    guint late = o->s > 1 ? (row < t) + (col < t) : 0;
    return (row - t) % o->s + (col - t) % o->s + late;
}

/* A product: of block t of multiplication m. */
typedef struct {
    guint m, t;
} Meeting;

/* The product of a processor in a step; t is NONE if there is none. */
static Meeting find_meeting(const Outer *o, guint row, guint col, guint when)
{
    for (guint m = 0; m < n_multiplications(o); m++) {
        guint since = when - m * interval(o);
        for (guint t = 0; t < o->s && since < duration(o); t++)
            if (meeting(o, row, t, col) == since)
                return (Meeting){m, t};
    }
    return (Meeting){0, NONE};
}

/* --- blocks and slots --- */

static Piece block_of(const Outer *o, MatrixName matrix, guint row, guint col)
{
    MatmulShape shape = o->matmul.shape;
    guint height = matrix_height(shape, matrix), width = matrix_width(shape, matrix);
    return piece_whole((Patch){indices_share(height, o->s, row, o->matmul.layout),
                               indices_share(width, o->s, col, o->matmul.layout)});
}

/* Where a block of C or D is that meets its partner at a processor in step `when`: at home, or passing. */
static guint slot_of(const Outer *o, MatrixName matrix, Meeting meet, gboolean at_home, guint when)
{
    return at_home ? matrix_number(meet.m, matrix) : o->passing + 2 * matrix + when % 2;
}

static gboolean is_home(MatrixName matrix, Meeting meet, guint row, guint col)
{
    return meet.t == (matrix == MATRIX_C ? col : row);
}

/* --- steps --- */

/* The message with the block that comes to (row, col) for its product in step `when`, if one comes. The processor
 * before (row, col) in its line sends it: from its home, or from the slot in which the block passes. */
static void pass(const Outer *o, MatrixName matrix, guint row, guint col, guint when, Step *out)
{
    Meeting meet = find_meeting(o, row, col, when);
    if (meet.t == NONE || is_home(matrix, meet, row, col))
        return;
    gboolean of_c = matrix == MATRIX_C;
    if ((of_c ? block_of(o, matrix, row, meet.t) : block_of(o, matrix, meet.t, col)).count == 0)
        return;
    guint row_before = (row + (of_c ? 0 : o->s - 1)) % o->s, col_before = (col + (of_c ? o->s - 1 : 0)) % o->s;
    guint before = meet.m * interval(o) + meeting(o, row_before, meet.t, col_before);
    gboolean from_home = is_home(matrix, meet, row_before, col_before);
    step_send_slots(out, node_at(o, row, col), slot_of(o, matrix, meet, from_home, before), 1,
                    slot_of(o, matrix, meet, FALSE, when));
}

static void move(const Outer *o, MatrixName matrix, guint node, guint when, Step *out)
{
    guint row = row_of(o, node), col = col_of(o, node), right = matrix == MATRIX_C, s = o->s;
    pass(o, matrix, (row + !right) % s, (col + right) % s, when, out);
    Step question = step_asked(out, node_at(o, row + (right ? 0 : s - 1), col + (right ? s - 1 : 0)));
    pass(o, matrix, row, col, when, &question);
}

/* With one port a step is two: C moves, and then D. */
static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Outer *o = outer_of(self);
    guint when = o->n_port ? k : k / 2;
    if (o->n_port || k % 2 == 0)
        move(o, MATRIX_C, node, when, out);
    if (o->n_port || k % 2 == 1) {
        move(o, MATRIX_D, node, when, out);
        out->operation = o->products;
        out->operation.count = when;
    }
}

static gboolean nth_product(gconstpointer user, guint node, guint when, guint i, Product *out)
{
    const Outer *o = user;
    guint row = row_of(o, node), col = col_of(o, node);
    Meeting meet = find_meeting(o, row, col, when);
    if (i > 0 || meet.t == NONE)
        return FALSE;
    *out = (Product){slot_of(o, MATRIX_C, meet, meet.t == col, when), slot_of(o, MATRIX_D, meet, meet.t == row, when),
                     matrix_number(meet.m, MATRIX_A), block_of(o, MATRIX_C, row, meet.t),
                     block_of(o, MATRIX_D, meet.t, col), block_of(o, MATRIX_A, row, col).patch,
                     o->s > 1 && (col + 1) % o->s == meet.t, o->s > 1 && (row + 1) % o->s == meet.t};
    return TRUE;
}

/* --- a schedule --- */

static Piece home_piece(gconstpointer user, MatrixName matrix, guint node, guint i)
{
    return block_of(user, matrix, row_of(user, node), col_of(user, node));
}

static GArray *make_homes(const Outer *o)
{
    GArray *homes = g_array_new(FALSE, FALSE, sizeof(Home));
    for (guint i = 0; i < n_multiplications(o) * N_MATRICES; i++) {
        Home home = {i, 1, home_piece, o};
        g_array_append_val(homes, home);
    }
    return homes;
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step};
    Outer *o = (Outer *)schedule_new(sizeof *o, &class, problem->dimension);
    Content *content = matrix_content_new(&problem->matmul);
    o->matmul = problem->matmul;
    o->n_port = problem->algorithm->n_port;
    o->bits = problem->matmul.grid.n1;
    o->s = 1u << o->bits;
    o->passing = n_multiplications(o) * N_MATRICES;
    o->products = matrix_work(content, &(MatrixWork){.kind = WORK_PRODUCTS, .nth = nth_product, .user = o});
    o->head.n_steps = ((n_multiplications(o) - 1) * interval(o) + duration(o)) * (o->n_port ? 1 : 2);
    o->head.n_slots = o->passing + 4;
    o->head.flags = SCHEDULE_CONTENDS;
    g_autoptr(GArray) homes = make_homes(o);
    Schedule *schedule = problem->matmul.overlap ? schedule_overlapped(&o->head) : &o->head;
    return matrix_content_give(content, homes, o->n_port, schedule);
}

static const char *refuses(const Problem *problem)
{
    return problem->matmul.grid.n1 == problem->matmul.grid.n2 ? NULL : "needs as many rows of processors as columns";
}

#define OUTER(ports, suffix)                                                                                           \
    const Algorithm algorithm_outer_matmul##suffix = {                                                                 \
        .name = "outer", .pattern = &pattern_matmul, ports, .source = "Johnsson & Ho 1987, sec. 5.2.1",                \
        .summary = "outer products in wave fronts from the diagonal: constant storage",                                \
        .unpublished = "no table has what it takes", .refuses = refuses, .make = make}

OUTER(ONE_PORT, );
OUTER(ALL_PORTS, _n);
