#include "matmul.h"
#include "sim/text/input.h"

#include <math.h>

const char *const matmul_algorithm_names[] = {"a1", "a2", "a3", "a3b", "a4", "a5", "cannon", "dekel", "outer", NULL};
const char *const matmul_routing_names[] = {"sbt", "cra", "gcea", "hybrid", "nrsbt", "sbnt", NULL};

/* --- recipes --- */

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
