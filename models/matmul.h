/* Matrix multiplication A <- C x D + E on a grid of processors (Johnsson & Ho 1987, sec. 5): the algorithms and what
 * they are made of, and Tables 5-12 as printed.
 *
 * Symbols, with the machine model's names in brackets: N1 x N2 = N = 2^n processors, n = n1 + n2, B packet, t_c [tau x
 * element] transmission of an element, tau [lambda] start-up, t_a [flop] an operation. Rows of Table 6 are for columns;
 * for rows, N x 1, P and R are exchanged. A ceiling over an unlimited packet is 1. On one processor nothing moves. */
#pragma once

#include "spanning.h"
#include "sim/cube/matmul_grid.h"

/* In the order in which the first of several that are equally good is taken. */
typedef enum {
    MATMUL_A1, MATMUL_A2, MATMUL_A3, MATMUL_A3B, MATMUL_A4, MATMUL_A5,
    MATMUL_CANNON, MATMUL_DEKEL, MATMUL_OUTER, MATMUL_CANNON_LOG, MATMUL_A1_SHORT,
    MATMUL_3D, MATMUL_3D_SHUFFLED
} MatmulAlgorithm;
#define MATMUL_N_ALGORITHMS (MATMUL_3D_SHUFFLED + 1)

/* Whether grids of three dimensions are for it (sec. 6). */
static inline gboolean matmul_is_deep(MatmulAlgorithm algorithm)
{
    return algorithm >= MATMUL_3D;
}

/* How all-to-all broadcasts and reductions go; the names are those of the algorithms of all-broadcast. */
typedef enum { MATMUL_SBT, MATMUL_CRA, MATMUL_GCEA, MATMUL_HYBRID, MATMUL_NRSBT, MATMUL_SBNT } MatmulRouting;

/* By the numbers of the enumerations, NULL-terminated. Static. */
extern const char *const matmul_algorithm_names[], *const matmul_routing_names[];

/* --- what the algorithms are made of (figure 15) --- */

typedef enum { MATMUL_TRANSPOSE, MATMUL_BROADCAST, MATMUL_REDUCE } MatmulPhaseKind;

/* A primitive on a matrix whose one side is cut by the rows of the grid, and the other by its columns: before a
 * transposition, which turns that round, before a broadcast, and after a reduction. */
typedef struct {
    MatmulPhaseKind kind;
    char matrix;                    /* 'A', 'C' or 'D' */
    MatmulSide by_rows, by_columns;
    gboolean within_rows;           /* between the processors of a row of the grid, not of a column */
} MatmulPhase;

/* What a side of a processor's operands is cut by while it multiplies. */
typedef enum { MATMUL_WHOLE, MATMUL_BY_ROWS, MATMUL_BY_COLUMNS } MatmulCut;

/* a1 to a5. Those with a reduction multiply before it, and add E at home at the end; a1 multiplies at the end, and adds
 * to E. */
#define MATMUL_PHASES_MAX 4
typedef struct {
    guint n_phases;
    MatmulPhase phases[MATMUL_PHASES_MAX];
    MatmulCut cut[3];               /* by MatmulSide */
} MatmulRecipe;

/* Static; NULL for the algorithms after a5, and for a3b. */
const MatmulRecipe *matmul_recipe(MatmulAlgorithm algorithm);

/* The recipe that the algorithm follows until it has multiplied: a3b follows a3, a1 to a5 follow their own. */
const MatmulRecipe *matmul_recipe_at_first(MatmulAlgorithm algorithm);

/* --- costs --- */

/* One use of an algorithm. */
typedef struct {
    MatmulShape shape;
    MatmulGrid grid;            /* of at most 2^MACHINE_DIMENSION_MAX processors */
    MatmulLayout layout;
    MatmulAlgorithm algorithm;
    MatmulRouting routing;
    Ports ports;
    gint64 element;             /* bytes of one element, 1 to MATMUL_ELEMENT_MAX */
    gint64 packet;              /* B in bytes; 0: unlimited */
    gboolean optimal;           /* each phase has its best packet, which is no larger than `packet` */
} MatmulCase;

/* What time is made of. */
typedef struct {
    gint64 lambda_ps, tau_ps_per_byte, flop_ps;
} MatmulTerms;

/* The machine's constants for messages of `bytes`. */
MatmulTerms matmul_terms(const Machine *machine, gint64 bytes);

/* Fills in the machine's constants for the messages of a1 to a5. Returns NULL, or a static reason why the tables have
 * no time: there are short and long packets, whose constants differ. Then `terms` are those of the largest packet. */
const char *matmul_find_terms(const MatmulCase *c, const Machine *machine, MatmulTerms *terms);

/* What a multiplication takes, one after another. */
typedef struct {
    Rational transfers;         /* elements */
    Rational startups;
    gint64 operations;          /* additions and multiplications of elements */
} MatmulCount;

/* Transfers x tau x element + start-ups x lambda + operations x flop in ps, rounded up once; INPUT_TIME_MAX_PS for any
 * time from there on. */
gint64 matmul_ps(const MatmulCount *count, gint64 element, const MatmulTerms *terms);

/* The most that a processor has of a side that is cut so. */
gint64 matmul_part(const MatmulCase *c, MatmulSide side, MatmulCut cut);

/* M of a phase in elements: the largest block that a processor has when the phase begins, or when a reduction ends. */
gint64 matmul_block(const MatmulCase *c, const MatmulPhase *phase);

/* Whether the phase is a transposition in pipelined packets: with n ports, on grids with several rows and columns. */
gboolean matmul_is_pipelined(const MatmulCase *c, const MatmulPhase *phase);

/* B in bytes in that phase; 0: unlimited. The best packet is a whole message. In pipelines it is that of the two whole
 * numbers of elements around B_opt with which (c(M,B) + n - 1)(B t_c + lambda) is less, the larger if both are as good;
 * at least an element, at most M and the case's packet. */
gint64 matmul_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms);

/* --- Tables 5-12 as printed --- */

typedef struct {
    guint table;                /* of its element transfers: 6 (with 5 and 7), 9 (with 8 and 10), 11 (with 8) */
    const char *name;           /* as printed, "A1^l(1)" */
    MatmulAlgorithm algorithm;  /* in Table 6 for columns; for rows its A3 is a5, and A4 is a2 */
    MatmulRouting routing;      /* to count with, of those that it is for */
    Ports ports;
    const char *note;           /* how good the printed counts are */
} MatmulRow;

/* All rows, in the order of the paper. */
extern const MatmulRow matmul_rows[];
extern const guint matmul_n_rows;

/* Table 6 is for 1 x N and N x 1 alone. */
gboolean matmul_row_is_for(const MatmulRow *row, const MatmulGrid *grid);

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

/* The row that a run has: of Table 6 where that has the algorithm and its routing, else of Table 9 or 11; NULL with a
 * static `reason` if there is none. */
const MatmulRow *matmul_row_of(const MatmulCase *c, const char **reason);

/* That of Table 9 or 11, for a1 to a5. */
const MatmulRow *matmul_row_of_grid(MatmulAlgorithm algorithm, Ports ports);

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
