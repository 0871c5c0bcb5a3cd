/* Matrix multiplication in constant storage, on a torus of s x s virtual processors, s = max(N1, N2). Virtual
 * processor (a, b) keeps block (a, b) of A, while blocks of C and D pass through it (Johnsson & Ho 1987, sec. 5.2.1).
 *
 * Each processor stands for the virtual processors in s / N1 neighbouring rows and s / N2 neighbouring columns. C
 * moves within rows of the torus and D within columns, both in the same way. Below, a `line` is a row for C or a
 * column for D, and a `place` is where in its line a block is. Block number t of a line is C(line, t) or D(t,
 * line). */
#include "matrix_content.h"
#include "sim/patterns/registry.h"
#include "sim/cube/graph.h"
#include "sim/schedule/combinators.h"
#include "sim/schedule/plan.h"

#define NONE G_MAXUINT

/* Way in which an algorithm moves blocks within lines. */
typedef struct {
    gboolean turns;                 /* whether lines turn cyclically: then neighbours in a line are neighbours in the
                                     * cube. FALSE: places that differ in one bit exchange blocks */
    guint (*n_to_align)(guint s);   /* returns the number of moves that align all lines; s - 1 moves follow these,
                                     * with a product after each */

    gboolean jumps;                 /* whether lines turn by powers of two while they are aligned. A jump crosses at
                                     * most two channels: Gray codes at such distances differ in at most two bits */

    /* Returns the shift of a line after k moves: place x has block (x + shift) mod s if lines turn, else x xor
     * shift. */
    guint (*shift)(guint s, guint line, guint k);
} Motion;

static guint cannon_n_to_align(guint s)
{
    return s / 2;
}

/* Returns the shift of a line after k moves. The alignment turns line number `line` to the left by `line` places, or to
 * the right if that is not longer. All later moves turn it to the left. */
static guint cannon_shift(guint s, guint line, guint k)
{
    guint n = cannon_n_to_align(s), aligned = 2 * line < s ? MIN(line, k) : s - MIN(s - line, k);
    return aligned + (k > n ? k - n : 0);
}

static guint dekel_n_to_align(guint s)
{
    return (guint)__builtin_ctz(s);
}

static guint dekel_shift(guint s, guint line, guint k)
{
    guint n = dekel_n_to_align(s);
    return (line & ((1u << MIN(k, n)) - 1)) ^ graph_gray(k > n ? k - n : 0);
}

/* Returns the shift of a line after k moves. Move k of the alignment turns the line by 2^k if bit k of its number is
 * 1. */
static guint cannon_log_shift(guint s, guint line, guint k)
{
    guint n = dekel_n_to_align(s);
    return (line & ((1u << MIN(k, n)) - 1)) + (k > n ? k - n : 0);
}

static const Motion cannon = {TRUE, cannon_n_to_align, FALSE, cannon_shift};
static const Motion cannon_log = {TRUE, dekel_n_to_align, TRUE, cannon_log_shift};
static const Motion dekel = {FALSE, dekel_n_to_align, FALSE, dekel_shift};
static const Motion outer = {.turns = TRUE};     /* algorithm outer: outer_step() moves the blocks */

typedef struct {
    Schedule head;
    Multiplication matmul;
    const Motion *motion;
    gboolean n_port;
    guint s, tall, wide;            /* s: number of rows of the torus, and of its columns; tall, wide: number of rows,
                                     * and of columns, of the torus that a processor has */
    guint n_align;                  /* number of moves that align the blocks */
    guint slots[N_MATRICES];        /* first slot of each matrix */
    guint passing;                  /* algorithm outer: first of the four slots in which blocks pass through, two for C
                                     * and then two for D */
    Indices *shares[MATMUL_R + 1];  /* [MatmulSide][s]: indices of the side that row or column v of the torus has
                                     * (torus_share()) */
    Operation products;             /* operation that multiplies the blocks at a processor */
} Torus;

static const Torus *torus_of(const Schedule *schedule)
{
    return (const Torus *)schedule;
}

/* --- where things are --- */

typedef struct {
    guint row, col;
} Place;

static guint code(const Torus *t, guint i)
{
    return t->motion->turns ? graph_gray(i) : i;
}

static guint number(const Torus *t, guint bits)
{
    return t->motion->turns ? graph_gray_position(bits) : bits;
}

/* Returns the processor to which a place of the torus belongs. */
static guint node_of(const Torus *t, Place place)
{
    return code(t, place.row / t->tall) << t->matmul.grid.n2 | code(t, place.col / t->wide);
}

static Place first_place(const Torus *t, guint node)
{
    guint n2 = t->matmul.grid.n2;
    return (Place){number(t, node >> n2) * t->tall, number(t, node & ((1u << n2) - 1)) * t->wide};
}

/* Returns place number i of those places of the torus that belong to `node`, row by row. */
static Place nth_place(const Torus *t, guint node, guint i)
{
    Place place = first_place(t, node);
    return (Place){place.row + i / t->wide, place.col + i % t->wide};
}

/* Returns the indices, out of `extent`, of the matrix rows (or columns) that row (or column) `v` of the torus has. In
 * a consecutive layout they are share v. In a cyclic layout the `apart` low bits of v become the highest bits of the
 * share's number. So a processor with several rows of the torus has every N1st row of the matrix. */
static Indices torus_share(const Multiplication *problem, guint extent, guint v)
{
    guint least = MIN(problem->grid.n1, problem->grid.n2), most = MAX(problem->grid.n1, problem->grid.n2);
    guint apart = most - least, low = v & ((1u << apart) - 1);
    guint share = problem->layout == MATMUL_CYCLIC ? v >> apart | low << least : v;
    return indices_share(extent, 1u << most, share, problem->layout);
}

/* Returns the elements of the block in block row block.row and block column block.col of a matrix. */
static Piece block_of(const Torus *t, MatrixName matrix, Place block)
{
    const Indices *rows = t->shares[matrix == MATRIX_D ? MATMUL_Q : MATMUL_P];
    const Indices *cols = t->shares[matrix == MATRIX_C ? MATMUL_Q : MATMUL_R];
    return piece_whole((Patch){rows[block.row], cols[block.col]});
}

/* Returns the slot in which a block lies at each processor that it comes to. */
static guint slot_of(const Torus *t, MatrixName matrix, Place block)
{
    return t->slots[matrix] + block.row % t->tall * t->wide + block.col % t->wide;
}

/* --- lines --- */

static gboolean moves_along_rows(MatrixName matrix)
{
    return matrix == MATRIX_C;
}

/* Returns the number, within its line, of the block that is at place `place` of line `line` after k moves. */
static guint number_at(const Torus *t, guint line, guint place, guint k)
{
    guint shift = t->motion->shift(t->s, line, k);
    return t->motion->turns ? (place + shift) % t->s : place ^ shift;
}

/* Returns the place to which the block at place `place` of a line goes in move k. */
static guint next_place(const Torus *t, guint line, guint place, guint k)
{
    guint block = number_at(t, line, place, k), shift = t->motion->shift(t->s, line, k + 1);
    return t->motion->turns ? (block + t->s - shift % t->s) % t->s : block ^ shift;
}

/* Returns the block row and block column, in C or D, of the block that is at a place of the torus after k moves. */
static Place block_at(const Torus *t, MatrixName matrix, Place place, guint k)
{
    return moves_along_rows(matrix) ? (Place){place.row, number_at(t, place.row, place.col, k)}
                                    : (Place){number_at(t, place.col, place.row, k), place.col};
}

static Place place_after(const Torus *t, MatrixName matrix, Place place, guint k)
{
    return moves_along_rows(matrix) ? (Place){place.row, next_place(t, place.row, place.col, k)}
                                    : (Place){next_place(t, place.col, place.row, k), place.col};
}

/* --- steps --- */

/* Events of a step, for all processors. */
typedef struct {
    gboolean moving[2];     /* [C, D]: whether the matrix moves */
    guint moves[2];         /* [C, D]: number of the matrix's moves up to and with this step; 0 in a step that aligns
                             * the other matrix alone */
    guint ways;             /* directions in which blocks move in this step: LEFT, RIGHT or both */
    gboolean multiplies;    /* whether processors multiply in the step */
} Tick;

enum { LEFT = 1, RIGHT = 2 };

/* Returns the number of steps that a move of the alignment takes. For cannon with one port it is 2 if a processor has
 * all s > 2 lines of the matrix: half of them turn left, half right. Else it is 1. */
static guint halves(const Torus *t, MatrixName matrix)
{
    guint lines = matrix == MATRIX_C ? t->tall : t->wide;
    return t->motion->turns && !t->motion->jumps && !t->n_port && lines == t->s && t->s > 2 ? 2 : 1;
}

static guint n_steps(const Torus *t)
{
    return t->n_port ? t->n_align + t->s
                     : t->n_align * (halves(t, MATRIX_C) + halves(t, MATRIX_D)) + 2 * t->s - 1;
}

static Tick tick_of_alignment(const Torus *t, MatrixName matrix, guint k)
{
    guint n = halves(t, matrix);
    Tick tick = {.ways = n == 1 ? LEFT | RIGHT : k % 2 ? RIGHT : LEFT};
    tick.moving[matrix] = TRUE;
    tick.moves[matrix] = k / n + 1;
    return tick;
}

/* Returns the events of step k. The first product has a step of its own. With one port C and D move in turns. */
static Tick tick_of(const Torus *t, guint k)
{
    guint n = t->n_align, of_c = n * halves(t, MATRIX_C), of_d = n * halves(t, MATRIX_D);
    if (t->n_port) {
        guint done = k < n ? k + 1 : k;
        return (Tick){{k != n, k != n}, {done, done}, LEFT | RIGHT, k >= n};
    }
    if (k < of_c)
        return tick_of_alignment(t, MATRIX_C, k);
    if (k < of_c + of_d)
        return tick_of_alignment(t, MATRIX_D, k - of_c);
    guint after = k - of_c - of_d;      /* index of the step after the alignment: odd steps move C; even steps
                                         * multiply, and from 2 on also move D */
    return (Tick){{after % 2, after > 0 && after % 2 == 0}, {n + (after + 1) / 2, n + after / 2}, LEFT | RIGHT,
                  after % 2 == 0};
}

/* Returns the direction, LEFT or RIGHT, in which a block goes from place `from` of its line to the neighbouring place
 * `to`. */
static guint ways_of(const Torus *t, MatrixName matrix, Place from, Place to)
{
    guint by = matrix == MATRIX_C ? to.col - from.col : to.row - from.row;
    return by % t->s == t->s - 1 ? LEFT : RIGHT;
}

/* Sends all blocks of a matrix that go from `node` to `peer` in the move of `tick`. */
static void send_to(const Torus *t, guint node, MatrixName matrix, const Tick *tick, guint peer, Step *out)
{
    guint move = tick->moves[matrix] - 1;
    step_send(out, peer);
    for (guint i = 0; i < t->tall * t->wide; i++) {
        Place place = nth_place(t, node, i), to = place_after(t, matrix, place, move);
        if (node_of(t, to) != peer || (!t->motion->jumps && !(ways_of(t, matrix, place, to) & tick->ways)))
            continue;
        Place block = block_at(t, matrix, place, move);
        guint slot = slot_of(t, matrix, block);
        if (block_of(t, matrix, block).count > 0 && !step_carry(out, slot, 1, slot))
            return;
    }
}

/* Returns the mask of address bits in which `node` differs from the processor that has place `in_line` (modulo s) of
 * the node's first line. */
static guint bits_to(const Torus *t, guint node, MatrixName matrix, guint in_line)
{
    Place place = first_place(t, node);
    *(moves_along_rows(matrix) ? &place.col : &place.row) = in_line % t->s;
    return node ^ node_of(t, place);
}

/* Returns the address bits that blocks may cross when they leave `node` or arrive in a move. If lines turn, the bits
 * lead to both neighbours; otherwise they are the bits in which old and new place differ. Not for aligning jumps. */
static guint bits_crossed(const Torus *t, guint node, MatrixName matrix, guint move)
{
    Place place = first_place(t, node);
    guint in_line = moves_along_rows(matrix) ? place.col : place.row, size = matrix == MATRIX_C ? t->wide : t->tall;
    if (!t->motion->turns)
        return bits_to(t, node, matrix, next_place(t, t->s - 1, in_line, move));
    return bits_to(t, node, matrix, in_line + size) | bits_to(t, node, matrix, in_line + t->s - size);
}

/* Adds the messages of an aligning jump at `node`: one to the processor that gets all its leaving blocks, one from the
 * processor that sends all arriving blocks. */
static void jump(const Torus *t, guint node, MatrixName matrix, const Tick *tick, Step *out)
{
    Place place = first_place(t, node);
    guint by = 1u << (tick->moves[matrix] - 1), in_line = moves_along_rows(matrix) ? place.col : place.row;
    guint size = moves_along_rows(matrix) ? t->wide : t->tall;
    guint next = node ^ bits_to(t, node, matrix, in_line + t->s - by);
    guint before = node ^ bits_to(t, node, matrix, in_line + size - 1 + by);
    if (next == node)
        return;
    send_to(t, node, matrix, tick, next, out);
    Step question = step_asked(out, before);
    send_to(t, before, matrix, tick, node, &question);
}

static void move(const Torus *t, guint node, MatrixName matrix, const Tick *tick, Step *out)
{
    if (t->motion->jumps && tick->moves[matrix] <= t->n_align) {
        jump(t, node, matrix, tick, out);
        return;
    }
    for (guint bits = bits_crossed(t, node, matrix, tick->moves[matrix] - 1); bits; bits &= bits - 1) {
        guint peer = node ^ (bits & -bits);
        send_to(t, node, matrix, tick, peer, out);
        Step question = step_asked(out, peer);
        send_to(t, peer, matrix, tick, node, &question);
    }
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Torus *t = torus_of(self);
    Tick tick = tick_of(t, k);
    for (MatrixName matrix = MATRIX_C; matrix <= MATRIX_D; matrix++)
        if (tick.moving[matrix])
            move(t, node, matrix, &tick, out);
    out->exchange = !t->n_port && step_is_exchange(out);
    if (tick.multiplies) {
        out->operation = t->products;
        out->operation.count = k;
    }
}

static gboolean nth_product(gconstpointer user, guint node, guint k, guint i, Product *out)
{
    const Torus *t = user;
    if (i >= t->tall * t->wide)
        return FALSE;
    Tick tick = tick_of(t, k);
    Place place = nth_place(t, node, i);
    Place c = block_at(t, MATRIX_C, place, tick.moves[MATRIX_C]);
    Place d = block_at(t, MATRIX_D, place, tick.moves[MATRIX_D]);
    *out = (Product){slot_of(t, MATRIX_C, c), slot_of(t, MATRIX_D, d), slot_of(t, MATRIX_A, place),
                     block_of(t, MATRIX_C, c), block_of(t, MATRIX_D, d), block_of(t, MATRIX_A, place).patch, FALSE,
                     FALSE};
    return TRUE;
}

/* --- a schedule --- */

static Piece home_piece(gconstpointer user, MatrixName matrix, guint node, guint i)
{
    return block_of(user, matrix, nth_place(user, node, i));
}

static void clear(Schedule *self)
{
    for (MatmulSide side = MATMUL_P; side <= MATMUL_R; side++)
        g_free(((Torus *)self)->shares[side]);
}

static Indices *shares_of(const Torus *t, MatmulSide side)
{
    Indices *shares = g_new(Indices, t->s);
    for (guint v = 0; v < t->s; v++)
        shares[v] = torus_share(&t->matmul, matmul_side(&t->matmul.shape, side), v);
    return shares;
}

static Torus *torus_new(const Problem *problem, const ScheduleClass *class)
{
    Torus *t = (Torus *)schedule_new(sizeof *t, class, problem->dimension);
    t->matmul = problem->matmul;
    t->motion = problem->algorithm->family;
    t->n_port = problem->algorithm->n_port;
    t->s = 1u << MAX(t->matmul.grid.n1, t->matmul.grid.n2);
    t->tall = t->s >> t->matmul.grid.n1;
    t->wide = t->s >> t->matmul.grid.n2;
    for (MatmulSide side = MATMUL_P; side <= MATMUL_R; side++)
        t->shares[side] = shares_of(t, side);
    return t;
}

static Schedule *make_one(const Problem *problem, Content *content, GArray *homes)
{
    static const ScheduleClass class = {.step = step, .free = clear};
    Torus *t = torus_new(problem, &class);
    t->n_align = t->motion->n_to_align(t->s);
    t->head.n_steps = n_steps(t);
    for (MatrixName matrix = 0; matrix < N_MATRICES; matrix++) {
        t->slots[matrix] = homes->len * t->tall * t->wide;
        Home home = {t->slots[matrix], t->tall * t->wide, home_piece, t};
        g_array_append_val(homes, home);
    }
    t->products = matrix_work(content, &(MatrixWork){.kind = WORK_PRODUCTS, .nth = nth_product, .user = t});
    return &t->head;
}

/* Makes the schedule. With one port C and D move in different steps; with n ports they move at the same time. */
static Schedule *make(const Problem *problem)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_autoptr(GArray) homes = g_array_new(FALSE, FALSE, sizeof(Home));
    Content *content = matrix_content_new(&problem->matmul);
    for (guint m = 0; m < MAX(1, problem->matmul.repeat); m++)
        g_ptr_array_add(parts, make_one(problem, content, homes));
    Schedule *schedule = schedule_then(parts->len, (Schedule **)parts->pdata, FALSE);
    if (problem->matmul.overlap)
        schedule = schedule_overlapped(schedule);
    const Motion *motion = problem->algorithm->family;
    schedule->flags |= SCHEDULE_CONTENDS;
    return matrix_content_give(content, homes, problem->algorithm->n_port && !motion->jumps, schedule);
}

/* --- outer products --- */

/* Wave fronts set out from the main diagonal, on square grids (Johnsson & Ho 1987, sec. 5.2.1 and figure 16). C(r, t)
 * and D(t, c) meet at processor (r, c) in step ((r - t) mod s) + ((c - t) mod s); if s is even, one later if r < t and
 * one later if c < t. C(r, t) waits at (r, t) for its first product, and then goes right; D(t, c) waits at (t, c), and
 * then goes down. Another multiplication begins s + 1 steps later: then no processor has two products in a step. (The
 * paper has s, which is right for odd s only, and cubes have none.) */

/* Returns the number of steps of the wave (`when`) from the beginning to the end of one multiplication. */
static guint duration(const Torus *t)
{
    return t->s > 1 ? 2 * t->s + 1 : 1;
}

/* Returns the number of the wave's steps from the beginning of one multiplication to the beginning of the next. */
static guint interval(const Torus *t)
{
    return t->s + 1;
}

static guint n_multiplications(const Torus *t)
{
    return MAX(1, t->matmul.repeat);
}

static guint meeting(const Torus *t, Place at, guint block)
{
    guint late = t->s > 1 ? (at.row < block) + (at.col < block) : 0;
    return (at.row - block) % t->s + (at.col - block) % t->s + late;
}

/* Product of two blocks in multiplication m. The factors are in block column `block` of C and in block row `block` of
 * D. */
typedef struct {
    guint m, block;
} Meeting;

/* Returns the product that place `at` forms in step `when`; its `block` is NONE if the place forms none. */
static Meeting find_meeting(const Torus *t, Place at, guint when)
{
    for (guint m = 0; m < n_multiplications(t); m++) {
        guint since = when - m * interval(t);
        for (guint block = 0; block < t->s && since < duration(t); block++)
            if (meeting(t, at, block) == since)
                return (Meeting){m, block};
    }
    return (Meeting){0, NONE};
}

static gboolean is_home(MatrixName matrix, Meeting meet, Place at)
{
    return meet.block == (moves_along_rows(matrix) ? at.col : at.row);
}

/* Returns the elements of the block of `matrix` (C or D) that is a factor of the product `meet` at place `at`. */
static Piece block_in(const Torus *t, MatrixName matrix, Meeting meet, Place at)
{
    return block_of(t, matrix, moves_along_rows(matrix) ? (Place){at.row, meet.block} : (Place){meet.block, at.col});
}

/* Returns the slot at place `at` of the block of `matrix` for the product `meet`: the block's home slot if `at` is its
 * home, else the passing slot of step `when`. */
static guint slot_in(const Torus *t, MatrixName matrix, Meeting meet, Place at, guint when)
{
    return is_home(matrix, meet, at) ? matrix_number(meet.m, matrix) : t->passing + 2 * matrix + when % 2;
}

/* Returns the place that is `by` places after `at`, cyclically, in its row (C) or column (D). */
static Place further(const Torus *t, MatrixName matrix, Place at, guint by)
{
    return moves_along_rows(matrix) ? (Place){at.row, (at.col + by) % t->s} : (Place){(at.row + by) % t->s, at.col};
}

/* Adds to `out` the message with the block of `matrix` that place `at` multiplies in step `when`. The sender is the
 * place before `at` in its row (C) or column (D). The block lies there in its home slot or in a passing slot. Adds
 * nothing if `at` has no product then, if `at` is the block's home or if the block is empty. */
static void pass(const Torus *t, MatrixName matrix, Place at, guint when, Step *out)
{
    Meeting meet = find_meeting(t, at, when);
    if (meet.block == NONE || is_home(matrix, meet, at) || block_in(t, matrix, meet, at).count == 0)
        return;
    Place before = further(t, matrix, at, t->s - 1);
    guint left = meet.m * interval(t) + meeting(t, before, meet.block);
    step_send_slots(out, node_of(t, at), slot_in(t, matrix, meet, before, left), 1, slot_in(t, matrix, meet, at, when));
}

/* Fills in step k of a processor. With one port each step of the wave takes two: C moves in even steps, D in odd
 * ones. */
static void outer_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Torus *t = torus_of(self);
    guint when = t->n_port ? k : k / 2;
    Place at = first_place(t, node);
    for (MatrixName matrix = MATRIX_C; matrix <= MATRIX_D; matrix++) {
        if (!t->n_port && k % 2 != matrix)
            continue;
        pass(t, matrix, further(t, matrix, at, 1), when, out);
        Step question = step_asked(out, node_of(t, further(t, matrix, at, t->s - 1)));
        pass(t, matrix, at, when, &question);
    }
    if (t->n_port || k % 2) {
        out->operation = t->products;
        out->operation.count = when;
    }
}

static gboolean outer_product(gconstpointer user, guint node, guint when, guint i, Product *out)
{
    const Torus *t = user;
    Place at = first_place(t, node);
    Meeting meet = find_meeting(t, at, when);
    if (i > 0 || meet.block == NONE)
        return FALSE;
    *out = (Product){slot_in(t, MATRIX_C, meet, at, when), slot_in(t, MATRIX_D, meet, at, when),
                     matrix_number(meet.m, MATRIX_A), block_in(t, MATRIX_C, meet, at), block_in(t, MATRIX_D, meet, at),
                     block_of(t, MATRIX_A, at).patch,
                     t->s > 1 && is_home(MATRIX_C, meet, further(t, MATRIX_C, at, 1)),
                     t->s > 1 && is_home(MATRIX_D, meet, further(t, MATRIX_D, at, 1))};
    return TRUE;
}

static Schedule *outer_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = outer_step, .free = clear};
    Torus *t = torus_new(problem, &class);
    Content *content = matrix_content_new(&problem->matmul);
    g_autoptr(GArray) homes = g_array_new(FALSE, FALSE, sizeof(Home));
    t->passing = n_multiplications(t) * N_MATRICES;
    for (guint i = 0; i < t->passing; i++)
        g_array_append_vals(homes, &(Home){i, 1, home_piece, t}, 1);
    t->products = matrix_work(content, &(MatrixWork){.kind = WORK_PRODUCTS, .nth = outer_product, .user = t});
    t->head.n_steps = ((n_multiplications(t) - 1) * interval(t) + duration(t)) * (t->n_port ? 1 : 2);
    t->head.n_slots = t->passing + 4;
    t->head.flags = SCHEDULE_CONTENDS;
    Schedule *schedule = problem->matmul.overlap ? schedule_overlapped(&t->head) : &t->head;
    return matrix_content_give(content, homes, t->n_port, schedule);
}

static const char *outer_refuses(const Problem *problem)
{
    return problem->matmul.grid.n1 == problem->matmul.grid.n2 ? NULL : "needs as many rows of processors as columns";
}

/* --- the algorithms --- */

#define TORUS(id, title, ports, suffix, what, where, no, maker)                                                        \
    const Algorithm algorithm_##id##_matmul##suffix = {                                                                \
        .name = title, .pattern = &pattern_matmul, ports, .summary = what, .source = where, .refuses = no,             \
        .unpublished = "no table has what it takes", .make = maker, .family = &id}

#define TORUSES(id, title, what, where, no, maker)                                                                     \
    TORUS(id, title, ONE_PORT, , what, where, no, maker);                                                              \
    TORUS(id, title, ALL_PORTS, _n, what, where, no, maker)

TORUSES(cannon, "cannon", "C turns left and D up on a torus: constant storage",
        "Cannon 1969; Johnsson & Ho 1987, sec. 5.2.1", NULL, make);
TORUSES(cannon_log, "cannon-log", "as cannon, but matrices are aligned in a logarithmic number of steps",
        "Johnsson & Ho 1987, sec. 5.2.1", NULL, make);
TORUSES(dekel, "dekel", "C and D are exchanged in Gray-code order: constant storage",
        "Dekel, Nassimi & Sahni 1981; Johnsson & Ho 1987, sec. 5.2.1", NULL, make);
TORUSES(outer, "outer", "outer products in wave fronts from the diagonal: constant storage",
        "Johnsson & Ho 1987, sec. 5.2.1", outer_refuses, outer_make);
