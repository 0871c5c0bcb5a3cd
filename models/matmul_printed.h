/* Tables 5-12 of Johnsson & Ho 1987: what a matrix multiplication takes, as printed.
 *
 * Symbols, with the machine model's names in brackets: N1 x N2 = N = 2^n processors, n = n1 + n2, B packet, t_c [tau x
 * element] transmission of an element, tau [lambda] start-up, t_a [flop] an operation. Rows of Table 6 are for columns;
 * for rows, N x 1, P and R are exchanged. A ceiling over an unlimited packet is 1. On one processor nothing moves. */
#pragma once

#include "matmul.h"

typedef struct {
    guint table;                /* of its element transfers: 6 (with 5 and 7), 9 (with 8 and 10), 11 (with 8) */
    const char *name;           /* as printed, "A1^l(1)" */
    MatmulAlgorithm algorithm;  /* in Table 6 for columns: matmul_row_algorithm() */
    MatmulRouting routing;      /* to count with, of those that it is for */
    Ports ports;
    const char *note;           /* how good the printed counts are */
} MatmulRow;

/* All rows, in the order of the paper. */
extern const MatmulRow matmul_rows[];
extern const guint matmul_n_rows;

/* Whether it is of Table 6, which is for 1 x N and N x 1 alone. */
gboolean matmul_row_is_one_dimensional(const MatmulRow *row);
gboolean matmul_row_is_for(const MatmulRow *row, const MatmulGrid *grid);

/* A3 by rows is a5, and A4 is a2. */
MatmulAlgorithm matmul_row_algorithm(const MatmulRow *row, const MatmulGrid *grid);

/* The primitives as in Tables 5 and 8, "SBT-p(1,N)[D] + SBT-b(1,N)[A]". Caller frees. */
char *matmul_row_communication(const MatmulRow *row, const MatmulGrid *grid);

/* `c` with the row's algorithm, routing and ports: what the functions below take, if the row is for its grid. */
MatmulCase matmul_row_case(const MatmulRow *row, const MatmulCase *c);

/* Transfers, start-ups and arithmetic: Tables 6, 7, 9 and 10; with n ports on other grids the formulas of the text
 * (sec. 5.2.1 and 5.2.2). There A1 is the larger of its two broadcasts on a machine with `terms`. A1(n) of Table 6 has
 * no ceilings; if packets are unlimited it has the least start-ups of Table 7. */
MatmulCount matmul_printed(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms);

/* B_opt in elements, one for each phase that moves anything; returns how many. Infinite where an entry divides by 0. */
guint matmul_printed_packets(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms,
                             double packets[MATMUL_PHASES_MAX]);

/* Least start-ups; -1: Table 11 has none. */
int matmul_printed_min_startups(const MatmulRow *row, const MatmulCase *c);

/* A count that may be irrational, and its time. */
typedef struct {
    double transfers, startups;     /* infinitely many where packets are infinitely small */
    gint64 operations;
    gint64 ps;                      /* rounded up once; INPUT_TIME_MAX_PS for any time from there on */
} MatmulReal;

MatmulReal matmul_real(const MatmulCount *count, gint64 element, const MatmulTerms *terms);

/* With the best packets: T_min of Table 11, and the arithmetic; the others with the least start-ups. T_min is too low
 * if lambda > (n-1) M t_c. */
MatmulReal matmul_printed_least(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms);

/* --- Table 12: P, Q and R are multiples of N --- */

/* One port: the best grid where N1 N2 = N are real numbers. */
typedef struct {
    double n1, n2;                  /* N1, N2; a grid only where both are from 1 to N */
    double transfers, operations;   /* operations: 2PQR/N */
    guint startups;
    double us;                      /* T_min */
} MatmulIdeal;

/* Of a1 to a5. */
MatmulIdeal matmul_ideal(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                         const MatmulTerms *terms);

/* --- runs --- */

/* The row that a run has: of Table 6 where that has the algorithm and its routing, else of Table 9 or 11; NULL with a
 * static `reason` if there is none. */
const MatmulRow *matmul_row_of(const MatmulCase *c, const char **reason);

/* That of Table 9 or 11, for a1 to a5. */
const MatmulRow *matmul_row_of_grid(MatmulAlgorithm algorithm, Ports ports);

/* Its printed count; FALSE with a static `reason` if there is none. */
gboolean matmul_published(const MatmulCase *c, const MatmulTerms *terms, MatmulCount *count, const char **reason);
