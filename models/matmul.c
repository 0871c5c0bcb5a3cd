#include "matmul.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

const char *const matmul_algorithm_names[] = {"a1", "a2", "a3", "a3b", "a4", "a5", "cannon", "dekel", "outer", NULL};
const char *const matmul_routing_names[] = {"sbt", "cra", "gcea", "hybrid", "nrsbt", "sbnt", NULL};
const char *const matmul_layout_names[] = {"consecutive", "cyclic", NULL};

/* --- as users write them --- */

/* "AxB..." as `n` numbers from 1 to `max`. */
static gboolean parse_product(const char *text, guint n, gint64 max, gint64 *numbers)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    gboolean ok = g_strv_length(parts) == n;
    for (guint i = 0; ok && i < n; i++)
        ok = input_parse_count("", parts[i], 1, max, &numbers[i], NULL);
    return ok;
}

gboolean matmul_shape_parse(const char *where, const char *text, MatmulShape *shape, GError **error)
{
    gint64 sides[3];
    if (!parse_product(text, G_N_ELEMENTS(sides), MATMUL_SIDE_MAX, sides))
        return input_refuse(error, "%s: '%s' is not allowed; allowed: PxQxR, each from 1 to %u", where, text,
                            MATMUL_SIDE_MAX);
    *shape = (MatmulShape){(guint)sides[0], (guint)sides[1], (guint)sides[2]};
    return TRUE;
}

gboolean matmul_grid_parse(const char *where, const char *text, guint dimension, const char *others, MatmulGrid *grid,
                           GError **error)
{
    gint64 nodes = (gint64)1 << dimension, sides[2] = {1, nodes};
    gboolean ok = TRUE;
    if (strcmp(text, "row") == 0)
        sides[0] = nodes, sides[1] = 1;
    else if (strcmp(text, "column") != 0)
        ok = parse_product(text, G_N_ELEMENTS(sides), nodes, sides) && sides[0] * sides[1] == nodes;
    if (!ok)
        return input_refuse(error, "%s: '%s' is not allowed; allowed: %s, column, row, or N1xN2 with N1 N2 = "
                            "2^%u = %" G_GINT64_FORMAT, where, text, others, dimension, nodes);
    grid->n1 = (guint)g_bit_storage((gulong)sides[0]) - 1;
    grid->n2 = dimension - grid->n1;
    return TRUE;
}

char *matmul_shape_format(const MatmulShape *shape)
{
    return g_strdup_printf("%ux%ux%u", shape->p, shape->q, shape->r);
}

char *matmul_grid_format(const MatmulGrid *grid)
{
    return g_strdup_printf("%ux%u", 1u << grid->n1, 1u << grid->n2);
}

/* --- recipes --- */

guint matmul_side(const MatmulShape *shape, MatmulSide side)
{
    return side == MATMUL_P ? shape->p : side == MATMUL_Q ? shape->q : shape->r;
}

#define TXP(matrix, rows, columns) {MATMUL_TRANSPOSE, matrix, MATMUL_##rows, MATMUL_##columns, FALSE}
#define BRD(matrix, rows, columns, within_rows) {MATMUL_BROADCAST, matrix, MATMUL_##rows, MATMUL_##columns, within_rows}
#define RED(matrix, rows, columns, within_rows) {MATMUL_REDUCE, matrix, MATMUL_##rows, MATMUL_##columns, within_rows}
#define IN_ROWS TRUE
#define IN_COLUMNS FALSE

const MatmulRecipe *matmul_recipe(MatmulAlgorithm algorithm)
{
    static const MatmulRecipe recipes[MATMUL_N_ALGORITHMS] = {
        [MATMUL_A1] = {2, {BRD('C', P, Q, IN_ROWS), BRD('D', Q, R, IN_COLUMNS)},
                       {MATMUL_BY_ROWS, MATMUL_WHOLE, MATMUL_BY_COLUMNS}},
        [MATMUL_A2] = {3, {TXP('C', P, Q), BRD('C', Q, P, IN_ROWS), RED('A', P, R, IN_COLUMNS)},
                       {MATMUL_WHOLE, MATMUL_BY_ROWS, MATMUL_BY_COLUMNS}},
        [MATMUL_A3] = {4, {TXP('C', P, Q), BRD('D', Q, R, IN_ROWS), RED('A', R, P, IN_COLUMNS), TXP('A', R, P)},
                       {MATMUL_BY_COLUMNS, MATMUL_BY_ROWS, MATMUL_WHOLE}},
        [MATMUL_A4] = {3, {TXP('D', Q, R), BRD('D', R, Q, IN_COLUMNS), RED('A', P, R, IN_ROWS)},
                       {MATMUL_BY_ROWS, MATMUL_BY_COLUMNS, MATMUL_WHOLE}},
        [MATMUL_A5] = {4, {TXP('D', Q, R), BRD('C', P, Q, IN_COLUMNS), RED('A', R, P, IN_ROWS), TXP('A', R, P)},
                       {MATMUL_WHOLE, MATMUL_BY_COLUMNS, MATMUL_BY_ROWS}},
    };
    return recipes[algorithm].n_phases ? &recipes[algorithm] : NULL;
}

const MatmulRecipe *matmul_recipe_at_first(MatmulAlgorithm algorithm)
{
    return matmul_recipe(algorithm == MATMUL_A3B ? MATMUL_A3 : algorithm);
}

guint matmul_phase_dimensions(const MatmulPhase *phase, const MatmulGrid *grid)
{
    if (phase->kind == MATMUL_TRANSPOSE)
        return grid->n1 + grid->n2;
    return phase->within_rows ? grid->n2 : grid->n1;
}

/* --- shares --- */

guint matmul_share(guint size, guint m)
{
    return (size + (1u << m) - 1) >> m;
}

guint matmul_share_of_first(guint size, guint m, MatmulLayout layout, guint count)
{
    if (layout == MATMUL_CONSECUTIVE)
        return (guint)MIN((guint64)count * matmul_share(size, m), size);
    return count * (size >> m) + MIN(count, size & ((1u << m) - 1));
}

guint matmul_owner(guint size, guint m, MatmulLayout layout, guint i)
{
    return layout == MATMUL_CONSECUTIVE ? i / matmul_share(size, m) : i & ((1u << m) - 1);
}

guint matmul_owners(guint size, guint m, MatmulLayout layout)
{
    return layout == MATMUL_CONSECUTIVE ? matmul_owner(size, m, layout, size - 1) + 1 : MIN(size, 1u << m);
}

/* --- costs --- */

MatmulTerms matmul_terms(const Machine *machine, gint64 bytes)
{
    const MachineTerms *terms = machine_terms(machine, bytes);
    return (MatmulTerms){terms->lambda_ps, terms->tau_ps_per_byte, machine->flop_ps};
}

gint64 matmul_ps_and(const MatmulCount *count, gint64 element, const MatmulTerms *terms, long double more_ps)
{
    TransferCount moved = {{count->transfers.numerator * element, count->transfers.denominator}, count->startups};
    MachineTerms each = {.lambda_ps = terms->lambda_ps, .tau_ps_per_byte = terms->tau_ps_per_byte};
    __int128 ps = (__int128)count->operations * terms->flop_ps + transfer_ps_and(moved, &each, more_ps);
    return (gint64)MIN(ps, INPUT_TIME_MAX_PS);
}

gint64 matmul_ps(const MatmulCount *count, gint64 element, const MatmulTerms *terms)
{
    return matmul_ps_and(count, element, terms, 0);
}

MatmulCount matmul_plus(MatmulCount a, MatmulCount b)
{
    return (MatmulCount){rational_add(a.transfers, b.transfers), rational_add(a.startups, b.startups),
                         a.operations + b.operations};
}

gint64 matmul_part(const MatmulCase *c, MatmulSide side, MatmulCut cut)
{
    return matmul_share(matmul_side(&c->shape, side),
                        cut == MATMUL_WHOLE ? 0 : cut == MATMUL_BY_ROWS ? c->grid.n1 : c->grid.n2);
}

gint64 matmul_block(const MatmulCase *c, const MatmulPhase *phase)
{
    return (gint64)matmul_share(matmul_side(&c->shape, phase->by_rows), c->grid.n1) *
           matmul_share(matmul_side(&c->shape, phase->by_columns), c->grid.n2);
}

gboolean matmul_is_pipelined(const MatmulCase *c, const MatmulPhase *phase)
{
    return phase->kind == MATMUL_TRANSPOSE && c->ports == PORTS_ALL && c->grid.n1 > 0 && c->grid.n2 > 0;
}

double matmul_pipeline_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    double t_c = (double)terms->tau_ps_per_byte * (double)c->element;
    guint n = c->grid.n1 + c->grid.n2;
    return sqrt((double)matmul_block(c, phase) * (double)terms->lambda_ps / ((n - 1) * t_c));
}

/* (c(M,B) + n - 1)(B t_c + lambda), B being `packet` elements. */
static __int128 pipeline_ps(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms, gint64 packet)
{
    gint64 cycles = (matmul_block(c, phase) + packet - 1) / packet + c->grid.n1 + c->grid.n2 - 1;
    return cycles * ((__int128)packet * c->element * terms->tau_ps_per_byte + terms->lambda_ps);
}

gint64 matmul_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    return c->optimal && matmul_is_pipelined(c, phase) ? matmul_best_packet(c, phase, terms) : c->packet;
}

gint64 matmul_best_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms)
{
    gint64 most = matmul_block(c, phase);
    if (c->packet)
        most = CLAMP(c->packet / c->element, 1, most);
    double best = matmul_pipeline_packet(c, phase, terms);
    gint64 below = best < (double)most ? MAX(1, (gint64)best) : most, above = MIN(below + 1, most);
    gboolean larger = pipeline_ps(c, phase, terms, above) <= pipeline_ps(c, phase, terms, below);
    gint64 bytes = (larger ? above : below) * c->element;
    return c->packet ? MIN(bytes, c->packet) : bytes;
}
