/* Matrix multiplication on rows and columns of processors (Johnsson & Ho 1987, sec. 5 and figure 15). Processor (k, l)
 * of the grid has the blocks C_kl, D_kl and E_kl at first, and A_kl at the end. On one row or one column of processors
 * these are the algorithms of figure 6. */
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"
#include "program.h"

static void a1(Program *p, ProgramDims dims)
{
    if (program_may_pass(p)) {
        program_pass(p);                                    /* A_kl, block by block */
        return;
    }
    program_broadcast_both(p);                              /* C_k*, D_*l */
    program_multiply(p, TRUE);                              /* A_kl */
}

static void a2(Program *p, ProgramDims dims)
{
    program_transpose(p, MATRIX_C);                         /* C_lk */
    program_broadcast(p, MATRIX_C, dims.within_rows);       /* C_*k */
    program_multiply(p, FALSE);                             /* A_*l */
    program_reduce(p, dims.within_columns, FALSE);          /* A_kl */
}

static void a3(Program *p, ProgramDims dims)
{
    program_transpose(p, MATRIX_C);                         /* C_lk */
    program_broadcast(p, MATRIX_D, dims.within_rows);       /* D_k* */
    program_multiply(p, FALSE);                             /* A_l* */
    program_reduce(p, dims.within_columns, TRUE);           /* A_lk */
    program_transpose(p, MATRIX_A);                         /* A_kl */
}

static void a3b(Program *p, ProgramDims dims)
{
    program_transpose(p, MATRIX_C);                         /* C_lk */
    program_broadcast(p, MATRIX_D, dims.within_rows);       /* D_k* */
    program_multiply(p, FALSE);                             /* A_l* */
    program_reduce_to_home(p);                              /* A_kl */
}

static void a4(Program *p, ProgramDims dims)
{
    program_transpose(p, MATRIX_D);                         /* D_lk */
    program_broadcast(p, MATRIX_D, dims.within_columns);    /* D_l* */
    program_multiply(p, FALSE);                             /* A_k* */
    program_reduce(p, dims.within_rows, FALSE);             /* A_kl */
}

static void a5(Program *p, ProgramDims dims)
{
    program_transpose(p, MATRIX_D);                         /* D_lk */
    program_broadcast(p, MATRIX_C, dims.within_columns);    /* C_*l */
    program_multiply(p, FALSE);                             /* A_*k */
    program_reduce(p, dims.within_rows, TRUE);              /* A_lk */
    program_transpose(p, MATRIX_A);                         /* A_kl */
}

static Schedule *make(const Problem *problem)
{
    return program_make(problem, *(Recipe *const *)problem->algorithm->family);
}

#define RECIPE(id, ports, suffix, what, where, why)                                                                    \
    const Algorithm algorithm_##id##_matmul##suffix = {                                                                \
        .name = #id, .pattern = &pattern_matmul, ports, .summary = what, .source = where, .unpublished = why,           \
        .takes = TAKES_ROUTING, .make = make, .family = &(Recipe *const){id}}

#define RECIPES(id, what, where, why)                                                                                  \
    RECIPE(id, ONE_PORT, , what, where, why);                                                                          \
    RECIPE(id, ALL_PORTS, _n, what, where, why)

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
