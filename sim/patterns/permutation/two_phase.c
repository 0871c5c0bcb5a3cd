/* Algorithm two-phase: a permutation in two phases. Every processor sends its data straight to a *station*, which
 * sends it straight to its destination. No two messages of a phase want one channel. Worked out here.
 *
 * Addresses are vectors of bits, and the permutation is a matrix A over the field of two elements. A matrix B is
 * *free* if no two e-cube routes from x to B x share a channel. It is free if, for every i, its first i columns are
 * independent in the rows 0 to i. Rows of the identity are exempt: no message crosses dimension i then. The station
 * of x is C x (plus a constant), and A C^-1 leads from the station to the destination.
 *
 *   1. A itself is free, as for shuffles: C = A, and one phase is enough.
 *   2. A exchanges bits a_q and b_q, q < m. With z_q = x_{a_q} + x_{b_q}, C adds z + P z to both halves of x. P is the
 *      companion matrix of x^m + c x^{m-1} + x^{m-2} + ... + x + 1, where c is 1 if m is even. C and A C^-1 are their
 *      own inverses, so that processors exchange in pairs. Both are free for transpositions and bit reversals.
 *   3. Otherwise columns of A are added to columns further left, so that A C^-1 becomes free. C is triangular, and it
 *      is free, too. 1 is added to all stations: nobody is its own station, and begins the second phase while others
 *      are in the first.
 *
 * Why independence is enough. An e-cube route comes to dimension i at the processor that has the bits of B x below i,
 * and those of x from i on. If x and x + k both cross i there, k has no bit from i on, and B k has no bit up to i. So
 * columns below i are dependent in the rows 0 to i. A constant that is added to all destinations changes no k.
 *
 * Why case 3 always works: every regular A is a product of two free matrices. Go through the columns from the left. If
 * column c depends on those before it in the rows 0 to c, add one of the columns behind it. One of them does it, as
 * these rows are independent. In the result, A C^-1, the first i columns are independent in the rows below i. C adds
 * bits to higher bits only. It is triangular with ones in the diagonal, and so it is free.
 *
 * Why P does it in case 2. All a_q are below all b_q, in order of the a_q. Adding the same to both halves does not
 * change z, so both phases are their own inverses, and P z remains to be added in the second. The conditions become
 * these, for P and for P + 1. At a_q, the first q columns are independent in the rows 0 to q. At b_q, the columns T are
 * independent in the rows T and q, where T has those q' whose b is above b_q. In bit reversals the ones of the
 * companion matrix below the diagonal see to it, for T = 0 ... q - 1; in transpositions its last column, for
 * T = q + 1 ... m - 1. P z is z shifted by one bit, and if a bit was shifted out, the polynomial is added. Neither 0
 * nor 1 is a root of the polynomial, if m > 1. So P and P + 1 are regular: who moves does so in both phases. Processors
 * that exchange in the second phase were equally far from their stations in the first. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

#define BITS_MAX PERMUTATION_BITS_MAX

typedef struct {
    Plan plan;
    guint station[BITS_MAX], origin[BITS_MAX];  /* columns of the matrices C, from a processor to its station, and
                                                 * C^-1, from a station to its processor */
    guint shift;                                /* the constant that is added (xor) to all stations */
} TwoPhase;

static const TwoPhase *two_phase_of(const Schedule *schedule)
{
    return (const TwoPhase *)schedule;
}

/* --- matrices: columns, as bits --- */

static guint apply(const guint *columns, guint x)
{
    guint y = 0;
    for (; x; x &= x - 1)
        y ^= columns[__builtin_ctz(x)];
    return y;
}

static void set_permutation(const Permutation *permutation, guint *columns)
{
    for (guint c = 0; c < permutation->dimension; c++)
        columns[c] = 1u << permutation->to[c];
}

/* Whether the first n columns are linearly independent if only their rows 0 to n_rows - 1 count. */
static gboolean are_independent(const guint *columns, guint n, guint n_rows)
{
    guint reduced[BITS_MAX];
    for (guint i = 0; i < n; i++) {
        reduced[i] = columns[i] & ((1u << n_rows) - 1);
        for (guint j = 0; j < i; j++)
            reduced[i] = MIN(reduced[i], reduced[i] ^ reduced[j]);
        if (reduced[i] == 0)
            return FALSE;
    }
    return TRUE;
}

/* Whether row i of the matrix is that of the identity: then no message crosses dimension i. */
static gboolean stays(const guint *columns, guint d, guint i)
{
    for (guint c = 0; c < d; c++)
        if ((columns[c] >> i & 1) != (c == i))
            return FALSE;
    return TRUE;
}

static gboolean is_free(const guint *columns, guint d)
{
    for (guint i = 1; i < d; i++)
        if (!stays(columns, d, i) && !are_independent(columns, i, i + 1))
            return FALSE;
    return TRUE;
}

/* --- stations --- */

/* Returns the vector whose bits a_q and b_q both equal bit q of `both`, for each exchange q. */
static guint two_phase_spread(const Permutation *permutation, guint both)
{
    guint bits = 0;
    for (guint a = 0; a < permutation->dimension; a++)
        if (permutation->to[a] > a) {
            bits |= both & 1 ? 1u << a | 1u << permutation->to[a] : 0;
            both >>= 1;
        }
    return bits;
}

static void set_companion(const Permutation *permutation, guint *columns)
{
    guint m = permutation->n_cycles, q = 0, last = ((1u << (m - 1)) - 1) | ((m - 1) & 1) << (m - 1);
    for (guint a = 0; a < permutation->dimension; a++)
        columns[a] = 1u << a;
    for (guint a = 0; a < permutation->dimension; a++)
        if (permutation->to[a] > a) {
            guint sum = two_phase_spread(permutation, 1u << q ^ (q + 1 < m ? 1u << (q + 1) : last));
            columns[a] ^= sum;
            columns[permutation->to[a]] ^= sum;
            q++;
        }
}

/* Sets the stations as in case 2 of the comment at the top of this file. FALSE if A has a cycle of more than two
 * dimensions, or if two messages of a phase would share a channel. */
static gboolean set_transposing(const Permutation *permutation, TwoPhase *t)
{
    guint d = permutation->dimension, onwards[BITS_MAX];
    for (guint a = 0; a < d; a++)
        if (permutation->to[permutation->to[a]] != a)
            return FALSE;
    set_companion(permutation, t->station);
    set_companion(permutation, t->origin);
    for (guint c = 0; c < d; c++)
        onwards[c] = permutation_apply(permutation, t->station[c]);
    return is_free(t->station, d) && is_free(onwards, d);
}

static void set_eliminated(const Permutation *permutation, TwoPhase *t)
{
    guint d = permutation->dimension, columns[BITS_MAX];
    set_permutation(permutation, columns);
    for (guint c = 0; c < d; c++) {
        t->origin[c] = 1u << c;
        for (guint j = c + 1; !are_independent(columns, c + 1, c + 1); j++) {
            columns[c] = 1u << permutation->to[c] ^ columns[j];
            t->origin[c] = 1u << c | 1u << j;
        }
    }
    for (guint c = 0; c < d; c++) {     /* `station` = the inverse of `origin`, from the lowest bit on */
        t->station[c] = 1u << c;
        for (guint j = c; j < d; j++)
            t->station[c] ^= t->station[c] >> j & 1 ? t->origin[j] ^ 1u << j : 0;
    }
    t->shift = 1;
}

static void find_stations(const Permutation *permutation, TwoPhase *t)
{
    guint d = permutation->dimension;
    set_permutation(permutation, t->station);
    if (is_free(t->station, d)) {
        for (guint c = 0; c < d; c++)
            t->origin[permutation->to[c]] = 1u << c;
        t->plan.head.n_steps = 1;
    } else if (!set_transposing(permutation, t))
        set_eliminated(permutation, t);
}

/* --- the schedule --- */

static guint two_phase_station(const TwoPhase *t, guint node)
{
    return apply(t->station, node) ^ t->shift;
}

static guint two_phase_origin(const TwoPhase *t, guint station)
{
    return apply(t->origin, station ^ t->shift);
}

static void two_phase_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const TwoPhase *t = two_phase_of(self);
    const Permutation *permutation = &t->plan.problem.permutation;
    guint n = pieces_count(plan_pieces(&t->plan));
    guint to = k ? permutation_apply(permutation, two_phase_origin(t, node)) : two_phase_station(t, node);
    out->phase = k == 0;
    if (to == node || n == 0)
        return;
    step_send_slots(out, to, 0, n, 0);
    step_await(out, k ? two_phase_station(t, permutation_origin(permutation, node)) : two_phase_origin(t, node));
    out->exchange = step_is_exchange(out);
}

static Schedule *two_phase_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = two_phase_step};
    TwoPhase *t = (TwoPhase *)plan_new(sizeof *t, &class, problem, NULL);
    t->plan.head.n_steps = problem->permutation.n_cycles ? 2 : 0;
    if (problem->permutation.n_cycles)
        find_stations(&problem->permutation, t);
    if (t->plan.head.n_steps == 2)      /* two phases without a barrier in between */
        t->plan.head.flags |= SCHEDULE_CONTENDS;
    return &t->plan.head;
}

const Algorithm algorithm_two_phase_permutation = {
    .name = "two-phase",
    .pattern = &pattern_permutation,
    .summary = "straight to another processor, and straight on: no two messages of a phase want one channel",
    .source = "worked out here",
    .unpublished = "worked out here: no paper at hand has it",
    .make = two_phase_make,
};
