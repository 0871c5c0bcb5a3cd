#include "matmul_torus.h"

typedef struct {
    gint64 packet, element;     /* bytes */
    Ports ports;
    MatmulLayout layout;
    guint n1, n2;               /* s = 2^n1; k = 2^(n1-n2) virtual columns in a processor */
    guint P, Q, R;
    LockstepCount count;
} Torus;

/* Fine blocks: of those first ... first + n - 1 of a side. */
static gint64 fine(const Torus *t, guint side, guint first, guint n)
{
    return matmul_share_of_first(side, t->n1, t->layout, first + n) -
           (gint64)matmul_share_of_first(side, t->n1, t->layout, first);
}

static void add(Torus *t, gint64 times, gint64 elements)
{
    lockstep_add(&t->count, t->packet, elements > 0 ? times : 0, (__int128)elements * t->element);
}

/* Messages of C and of D in a step. */
static void add_pair(Torus *t, gint64 times, gint64 of_c, gint64 of_d)
{
    if (t->ports == PORTS_ALL)
        add(t, times, MAX(of_c, of_d));
    else {
        add(t, times, of_c);
        add(t, times, of_d);
    }
}

static guint rows(const Torus *t)
{
    return 1u << t->n1;
}

static guint columns_each(const Torus *t)
{
    return 1u << (t->n1 - t->n2);
}

/* Once it is aligned, D has another row in each virtual column of a processor; the first processor has, at some time,
 * the largest of both. */
static gint64 turn_d(const Torus *t)
{
    gint64 elements = 0;
    for (guint b = 0; b < columns_each(t); b++)
        elements += fine(t, t->R, b, 1) * fine(t, t->Q, b, 1);
    return elements;
}

/* --- Cannon --- */

/* Step i of aligning C: row a turns left in steps 1 ... a, or right in s - a, one virtual column; of those that still
 * move the first have most. What crosses from processor to processor was i - 1 virtual columns away. */
static gint64 cannon_align_c(const Torus *t, guint i)
{
    guint k = columns_each(t), half = rows(t) / 2;
    if (t->n2 == 0)
        return 0;
    gint64 left = i < half ? fine(t, t->P, i, 1) * fine(t, t->Q, (i - 1) % k, 1) : 0;
    gint64 right = fine(t, t->P, half, 1) * fine(t, t->Q, (k - i % k) % k, 1);
    return MAX(left, right);
}

/* Step i of aligning D: virtual columns b turn up in steps 1 ... b, or down in s - b; a processor's together. */
static void cannon_align_d(const Torus *t, guint i, gint64 *up, gint64 *down)
{
    guint k = columns_each(t), half = rows(t) / 2;
    *up = *down = 0;
    for (guint first = 0; first < rows(t); first += k) {
        guint from = MAX(first, i), to = MIN(first + k, half);
        *up = MAX(*up, from < to ? fine(t, t->R, from, to - from) : 0);
        from = MAX(first, half), to = MIN(first + k, rows(t) - i + 1);
        *down = MAX(*down, from < to ? fine(t, t->R, from, to - from) : 0);
    }
    *up *= fine(t, t->Q, 0, 1);
    *down *= fine(t, t->Q, 0, 1);
}

/* Row a < k of C sends, in step i + 1 of the multiplication, a virtual column that was i + a columns away, modulo k. Of
 * the rows before the wrap, and of those after it, the first has most. */
static gint64 cannon_turn_c(const Torus *t, guint i)
{
    guint k = columns_each(t);
    if (t->n2 == 0)
        return 0;
    gint64 before = fine(t, t->P, 0, 1) * fine(t, t->Q, i, 1);
    return i == 0 ? before : MAX(before, fine(t, t->P, k - i, 1) * fine(t, t->Q, 0, 1));
}

static void cannon(Torus *t)
{
    guint s = rows(t), k = columns_each(t);
    for (guint i = 1; i <= s / 2; i++) {
        gint64 up, down;
        cannon_align_d(t, i, &up, &down);
        gboolean both = t->n2 == 0 && t->ports == PORTS_ONE;    /* a column alone turns both ways */
        add_pair(t, 1, cannon_align_c(t, i), both ? up : MAX(up, down));
        add(t, both, down);
    }
    gint64 of_d = turn_d(t);
    for (guint i = 0; i < k; i++) {
        guint times = s / k - (i == k - 1);     /* steps i + 1, i + 1 + k, ... of 1 ... s - 1 */
        add_pair(t, times, cannon_turn_c(t, i), of_d);
    }
}

/* --- Dekel, Nassimi & Sahni --- */

/* Virtual columns with bit e send D: all of a processor, or half of them. Those that differ in lower bits have had
 * different rows since these were crossed. */
static gint64 dekel_align_d(const Torus *t, guint e)
{
    guint k = columns_each(t), bit = 1u << e, first = bit >= k ? bit : 0;
    gint64 elements = 0;
    for (guint b = first; b < first + k; b++)
        elements += b & bit ? fine(t, t->R, b, 1) * fine(t, t->Q, b & (bit - 1), 1) : 0;
    return elements;
}

/* Bit e of a virtual column is one of the processor's from e = n1 - n2 on. A row a with that bit sends its blocks of
 * C. */
static void dekel(Torus *t)
{
    guint k = columns_each(t), inside = t->n1 - t->n2;
    for (guint e = 0; e < t->n1; e++) {
        gint64 of_c = e < inside ? 0 : fine(t, t->P, 1u << e, 1) * fine(t, t->Q, 0, k);
        add_pair(t, 1, of_c, dekel_align_d(t, e));
    }
    gint64 of_c = fine(t, t->P, 0, 1) * fine(t, t->Q, 0, k);
    guint crossing = (1u << t->n2) - 1;         /* steps 1 ... s - 1 with ctz >= inside */
    add_pair(t, crossing, of_c, turn_d(t));
    add_pair(t, rows(t) - 1 - crossing, 0, turn_d(t));
}

/* --- outer products --- */

/* The first and later steps of what is in row or column x and belongs to t: (x - t) mod s, one later over the wrap. */
static guint wait(guint x, guint t, guint s)
{
    return x >= t ? x - t : x + s - t + 1;
}

/* The largest message of step `step`: of rows r (P), or columns (R), block t of Q arrives at r', the place of the other
 * side, not being there from the beginning: wait(r) + wait(r') = step, r' != t. */
static gint64 outer_message(const Torus *t, guint side, guint step)
{
    guint s = rows(t);
    gint64 most = 0;
    for (guint q = 0; q < s; q++)
        for (guint x = 0; x < s; x++) {
            guint first = wait(x, q, s);
            guint hops = step - first;
            gboolean comes = first < step && hops <= s && (hops + q < s || hops + q > s);
            most = MAX(most, comes ? fine(t, side, x, 1) * fine(t, t->Q, q, 1) : 0);
        }
    return most;
}

static void outer(Torus *t)
{
    guint s = rows(t);
    gboolean even = t->P % s == 0 && t->Q % s == 0 && t->R % s == 0;
    if (even && s >= 4)
        add_pair(t, 2 * s, fine(t, t->P, 0, 1) * fine(t, t->Q, 0, 1), fine(t, t->Q, 0, 1) * fine(t, t->R, 0, 1));
    else
        for (guint step = 1; step <= 2 * s; step++)
            add_pair(t, 1, outer_message(t, t->P, step), outer_message(t, t->R, step));
}

/* --- all --- */

static Torus torus_of(const MatmulCase *c)
{
    gboolean turned = c->grid.n1 < c->grid.n2;
    return (Torus){.packet = c->packet, .element = c->element, .ports = c->ports, .layout = c->layout,
                   .n1 = MAX(c->grid.n1, c->grid.n2), .n2 = MIN(c->grid.n1, c->grid.n2),
                   .P = turned ? c->shape.r : c->shape.p, .Q = c->shape.q, .R = turned ? c->shape.p : c->shape.r};
}

const char *matmul_torus_counts(const MatmulCase *c, LockstepCount *moved)
{
    Torus t = torus_of(c);
    if (c->algorithm == MATMUL_OUTER && t.n1 != t.n2)
        return "outer products need as many rows as columns of processors";
    if (t.n1 != t.n2 && c->layout == MATMUL_CYCLIC)     /* neighbours of the torus are nowhere near */
        return "not counted with the cyclic layout on oblong grids";
    (c->algorithm == MATMUL_OUTER ? outer : c->algorithm == MATMUL_CANNON ? cannon : dekel)(&t);
    *moved = t.count;
    return NULL;
}
