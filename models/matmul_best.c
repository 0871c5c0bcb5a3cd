#include "matmul_best.h"
#include "sim/text/input.h"

#include <math.h>
#include <stdlib.h>

gboolean matmul_published_ps(const MatmulCase *c, const Machine *machine, gint64 *ps, const char **reason)
{
    MatmulTerms terms;
    const MatmulRow *row = matmul_row_of(c, reason);
    if (!row || (*reason = matmul_find_terms(c, machine, &terms)))
        return FALSE;
    MatmulCount count = matmul_printed(row, c, &terms);
    *ps = matmul_ps(&count, c->element, &terms);
    return TRUE;
}

static MatmulCase case_of(const MatmulQuestion *q, const MatmulShape *shape, MatmulAlgorithm algorithm)
{
    return (MatmulCase){.shape = *shape, .grid = q->grid, .algorithm = algorithm,
                        .routing = q->ports == PORTS_ONE ? MATMUL_SBT : MATMUL_NRSBT, .ports = q->ports,
                        .element = q->element, .packet = q->packet, .optimal = q->optimal};
}

/* Returns the row for a case, or NULL if there is none. For MATMUL_ANY it is a row of Table 9 or 11. */
static const MatmulRow *row_of(const MatmulQuestion *q, const MatmulCase *c)
{
    const char *reason;
    if (q->grids != MATMUL_ANY)
        return matmul_row_of(c, &reason);
    return matmul_recipe(c->algorithm) ? matmul_row_of_grid(c->algorithm, c->ports) : NULL;
}

static gboolean published(const MatmulQuestion *q, const MatmulCase *c, MatmulReal *real)
{
    const MatmulRow *row = row_of(q, c);
    if (!row)
        return FALSE;
    if (q->optimal && q->packet == 0) {
        *real = matmul_printed_least(row, c, &q->terms);
        return TRUE;
    }
    MatmulCount count = matmul_printed(row, c, &q->terms);
    *real = matmul_real(&count, c->element, &q->terms);
    return TRUE;
}

/* Whether `real` is faster than `than`. Times at INPUT_TIME_MAX_PS are compared as if they had no limit. */
static gboolean is_faster(const MatmulQuestion *q, const MatmulReal *real, const MatmulChoice *than)
{
    double t_c = (double)q->element * machine_byte_ps(q->terms.tau_fs_per_byte), lambda = (double)q->terms.lambda_ps;
    double saved = (than->transfers - real->transfers) * t_c + (than->startups - real->startups) * lambda +
                   (double)(than->operations - real->operations) * (double)q->terms.flop_ps;
    return real->ps < than->ps || (real->ps == INPUT_TIME_MAX_PS && than->ps == INPUT_TIME_MAX_PS && saved > 0);
}

/* Replaces `best` by `c` if `c` has a time, and is faster or the first. Returns whether there is a best one now. */
static gboolean consider(const MatmulQuestion *q, const MatmulCase *c, gboolean has_best, MatmulChoice *best)
{
    MatmulReal real;
    if (!(q->time ? q->time(c, q->data, &real) : published(q, c, &real)))
        return has_best;
    if (!has_best || is_faster(q, &real, best))
        *best = (MatmulChoice){c->algorithm, c->grid, real.transfers, real.startups, real.operations, real.ps};
    return TRUE;
}

/* Whether Table 6 has a row for the algorithm on the grid 1 x N (columns) or, with `by_rows`, on N x 1. On N x 1, the
 * table's row A3 is for a5, and its row A4 for a2. */
static gboolean is_one_dimensional(MatmulAlgorithm algorithm, gboolean by_rows)
{
    return algorithm == MATMUL_A1 || algorithm == (by_rows ? MATMUL_A2 : MATMUL_A4) ||
           algorithm == (by_rows ? MATMUL_A5 : MATMUL_A3);
}

/* Chooses the fastest grid of three dimensions, each side at least 2. FALSE if none has a time. */
static gboolean choose_deep(const MatmulQuestion *q, MatmulCase *c, MatmulChoice *choice)
{
    gboolean found = FALSE;
    for (guint n1 = 1; n1 + 1 < q->dimension; n1++)
        for (guint n2 = 1; n1 + n2 < q->dimension; n2++) {
            c->grid = (MatmulGrid){n1, n2, q->dimension - n1 - n2};
            found = consider(q, c, found, choice);
        }
    return found;
}

gboolean matmul_choose(const MatmulQuestion *q, const MatmulShape *shape, MatmulAlgorithm algorithm,
                       MatmulChoice *choice)
{
    MatmulCase c = case_of(q, shape, algorithm);
    guint first = 0, last = q->dimension;
    gboolean found = FALSE, is_row = q->grids == MATMUL_ROW;
    if (q->grids == MATMUL_GIVEN)
        return matmul_is_deep(algorithm) == (q->grid.n3 > 0) && consider(q, &c, FALSE, choice);
    if (q->grids == MATMUL_ANY && matmul_is_deep(algorithm))
        return choose_deep(q, &c, choice);
    if (q->grids != MATMUL_ANY) {
        if (!is_one_dimensional(algorithm, is_row))
            return FALSE;
        first = last = is_row ? q->dimension : 0;
    }
    for (guint n1 = first; n1 <= last; n1++) {
        c.grid = (MatmulGrid){n1, q->dimension - n1, 0};
        found = consider(q, &c, found, choice);
    }
    return found;
}

static int compare(const void *a, const void *b)
{
    const MatmulChoice *x = a, *y = b;
    if (x->ps != y->ps)
        return x->ps < y->ps ? -1 : 1;
    return (int)x->algorithm - (int)y->algorithm;
}

/* Fills in the choices of all algorithms, or of a1 to a5 alone, the fastest first. Returns how many have a time. */
static guint rank(const MatmulQuestion *question, const MatmulShape *shape, gboolean all, MatmulChoice *choices)
{
    guint n = 0;
    for (MatmulAlgorithm algorithm = 0; algorithm < MATMUL_N_ALGORITHMS; algorithm++)
        if (all || matmul_recipe(algorithm))
            n += matmul_choose(question, shape, algorithm, &choices[n]) ? 1 : 0;
    qsort(choices, n, sizeof *choices, compare);
    return n;
}

guint matmul_ranking(const MatmulQuestion *question, const MatmulShape *shape,
                     MatmulChoice choices[MATMUL_N_ALGORITHMS])
{
    return rank(question, shape, TRUE, choices);
}

gboolean matmul_best_two(const MatmulQuestion *question, const MatmulShape *shape, MatmulChoice choices[2])
{
    MatmulChoice all[MATMUL_N_ALGORITHMS];
    guint n = rank(question, shape, FALSE, all);
    for (guint i = 0; i < MIN(n, 2); i++)
        choices[i] = all[i];
    return n >= 2;
}

/* Whether the grid divides C, D and A into equal blocks, and these into equal parts. */
static gboolean divides(const MatmulShape *shape, const MatmulGrid *g)
{
    return shape->p % (1u << (g->n1 + g->n2)) == 0 && shape->q % (1u << (MAX(g->n1, g->n2) + g->n3)) == 0 &&
           shape->r % (1u << (g->n2 + g->n3)) == 0;
}

/* Returns the time in ps with one port and unlimited packets, by the counts of sim/patterns/matmul/README.md. */
static double deep_ps(const MatmulShape *shape, const MatmulGrid *g, gboolean shuffled, double t_c, double lambda)
{
    double c = (double)shape->p * shape->q, d = (double)shape->q * shape->r, a = (double)shape->p * shape->r;
    guint n = g->n1 + g->n2 + g->n3;
    guint shuffles_c = shuffled ? g->n2 + g->n3 : 0, shuffles_d = shuffled ? g->n1 + g->n3 : 0;
    double moved = ((1 << g->n2) - 1) * c + ((1 << g->n1) - 1) * d + ((1 << g->n3) - 1) * a +
                   shuffles_c * c / 2 + shuffles_d * d / 2;
    return ldexp(moved, -(int)n) * t_c + (n + shuffles_c + shuffles_d) * lambda;
}

gboolean matmul_best_deep_grid(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                               const MatmulTerms *terms, MatmulGrid *grid)
{
    double t_c = machine_byte_ps(terms->tau_fs_per_byte) * (double)element;
    double lambda = (double)terms->lambda_ps, least = INFINITY;
    for (guint n1 = 1; n1 + 1 < dimension; n1++)
        for (guint n2 = 1; n1 + n2 < dimension; n2++) {
            MatmulGrid one = {n1, n2, dimension - n1 - n2};
            double ps = deep_ps(shape, &one, algorithm == MATMUL_3D_SHUFFLED, t_c, lambda);
            if (divides(shape, &one) && ps < least) {
                least = ps;
                *grid = one;
            }
        }
    return least < INFINITY;
}
