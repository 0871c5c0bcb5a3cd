/* Matrix multiplication A <- C x D + E on a grid of processors (Johnsson & Ho 1987, sec. 5): the algorithms and what
 * they are made of, and Tables 5-12 as printed.
 *
 * Symbols, with the machine model's names in brackets: N1 x N2 = N = 2^n processors, n = n1 + n2, B packet, t_c [tau x
 * element] transmission of an element, tau [lambda] start-up, t_a [flop] an operation. Rows of Table 6 are for columns;
 * for rows, N x 1, P and R are exchanged. A ceiling over an unlimited packet is 1. On one processor nothing moves. */
#pragma once

#include "spanning.h"
#include "sim/cube/matmul_grid.h"

/* The algorithms. If several are equally good, the first in this order is taken. */
typedef enum {
    MATMUL_A1, MATMUL_A2, MATMUL_A3, MATMUL_A3B, MATMUL_A4, MATMUL_A5,
    MATMUL_CANNON, MATMUL_DEKEL, MATMUL_OUTER, MATMUL_CANNON_LOG, MATMUL_A1_SHORT,
    MATMUL_3D, MATMUL_3D_SHUFFLED
} MatmulAlgorithm;
#define MATMUL_N_ALGORITHMS (MATMUL_3D_SHUFFLED + 1)

/* Whether the algorithm is for grids of three dimensions (sec. 6). */
static inline gboolean matmul_is_deep(MatmulAlgorithm algorithm)
{
    return algorithm >= MATMUL_3D;
}

/* Routings of all-to-all broadcasts and reductions; they have the names of the algorithms of all-broadcast. */
typedef enum { MATMUL_SBT, MATMUL_CRA, MATMUL_GCEA, MATMUL_HYBRID, MATMUL_NRSBT, MATMUL_SBNT } MatmulRouting;

/* The names of MatmulAlgorithm and of MatmulRouting, by their numbers, NULL-terminated. Static. */
extern const char *const matmul_algorithm_names[], *const matmul_routing_names[];

/* --- what the algorithms are made of (figure 15) --- */

typedef enum { MATMUL_TRANSPOSE, MATMUL_BROADCAST, MATMUL_REDUCE } MatmulPhaseKind;

/* Primitive on a matrix. The grid's rows share side `by_rows` of the matrix, the grid's columns side `by_columns`:
 * before a transposition or broadcast, after a reduction. A transposition exchanges the two sides. */
typedef struct {
    MatmulPhaseKind kind;
    char matrix;                    /* 'A', 'C' or 'D' */
    MatmulSide by_rows, by_columns;
    gboolean within_rows;           /* TRUE: data moves within each row of the grid; FALSE: within each column */
} MatmulPhase;

/* How a side of the matrices is cut in the operands that a processor multiplies. */
typedef enum { MATMUL_WHOLE, MATMUL_BY_ROWS, MATMUL_BY_COLUMNS } MatmulCut;

#define MATMUL_PHASES_MAX 4
/* The phases of a1 to a5. Algorithms with a reduction multiply before the reduction, and add E after the last phase.
 * a1 multiplies after the last phase, and adds the products to E. */
typedef struct {
    guint n_phases;
    MatmulPhase phases[MATMUL_PHASES_MAX];
    MatmulCut cut[3];               /* [MatmulSide]: cut of that side */
} MatmulRecipe;

/* Returns the recipe of an algorithm (static); NULL for a3b, and for the algorithms after a5. */
const MatmulRecipe *matmul_recipe(MatmulAlgorithm algorithm);

/* Returns the recipe with the phases before the products are formed: that of a3 for a3b, else the algorithm's own.
 * NULL for the algorithms after a5. Static. */
const MatmulRecipe *matmul_recipe_at_first(MatmulAlgorithm algorithm);

/* --- costs --- */

/* One multiplication by an algorithm. */
typedef struct {
    MatmulShape shape;
    MatmulGrid grid;            /* grid of at most 2^MACHINE_DIMENSION_MAX processors */
    MatmulLayout layout;
    MatmulAlgorithm algorithm;
    MatmulRouting routing;
    Ports ports;
    gint64 element;             /* bytes of one element, 1 to MATMUL_ELEMENT_MAX */
    gint64 packet;              /* B in bytes; 0: unlimited */
    gboolean optimal;           /* whether each phase has its best packet, up to `packet` */
} MatmulCase;

/* The times of a start-up, of a byte and of an operation. */
typedef struct {
    gint64 lambda_ps, tau_fs_per_byte, flop_ps;
} MatmulTerms;

/* Returns the constants of the machine for messages of `bytes`. */
MatmulTerms matmul_terms(const Machine *machine, gint64 bytes);

/* Fills in the machine's constants for the messages of a1 to a5: those of the largest packet. Returns NULL, or the
 * reason (static) why the tables have no time: short and long packets, with different constants. */
const char *matmul_find_terms(const MatmulCase *c, const Machine *machine, MatmulTerms *terms);

/* The counts of a multiplication whose phases follow each other. */
typedef struct {
    Rational transfers;         /* number of elements transmitted */
    Rational startups;          /* number of start-ups */
    gint64 operations;          /* number of additions and multiplications of elements */
} MatmulCount;

/* Returns transfers x tau x element + start-ups x lambda + operations x flop in ps, rounded up once; at most
 * INPUT_TIME_MAX_PS. */
gint64 matmul_ps(const MatmulCount *count, gint64 element, const MatmulTerms *terms);

/* Returns the largest number of rows or columns of `side` that any processor has if `cut` cuts the side. */
gint64 matmul_part(const MatmulCase *c, MatmulSide side, MatmulCut cut);

/* Returns M of a phase in elements: a processor's largest block before it or, for a reduction, after it. */
gint64 matmul_block(const MatmulCase *c, const MatmulPhase *phase);

/* Whether the phase is a transposition in pipelined packets: with n ports, on grids with several rows and columns. */
gboolean matmul_is_pipelined(const MatmulCase *c, const MatmulPhase *phase);

/* Returns B of a phase in bytes; 0: unlimited. B is c->packet, but in pipelines with `optimal` one of the two whole
 * numbers of elements around B_opt: the one with the smaller (ceil(M/B) + n - 1)(B t_c + lambda), the larger if these
 * are equal. Then B is at most M and c->packet, and below one element only if c->packet is. */
gint64 matmul_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms);

/* --- Tables 5-12 as printed --- */

/* Row of Table 6, 9 or 11: an algorithm with its element transfers. More about rows of Table 6 is in Tables 5 and 7,
 * of Table 9 in Tables 8 and 10, of Table 11 in Table 8. */
typedef struct {
    guint table;                /* number of the table with the row's element transfers: 6, 9 or 11 */
    const char *name;           /* printed name of the row, "A1^l(1)" */
    MatmulAlgorithm algorithm;  /* in Table 6 the algorithm on 1 x N; on N x 1, A3 is a5 and A4 is a2 */
    MatmulRouting routing;      /* routing of the printed counts; other routings may have the same row */
    Ports ports;
    const char *note;           /* accuracy of the printed counts, in words */
} MatmulRow;

/* Rows of the tables, in the order of the paper. */
extern const MatmulRow matmul_rows[];
extern const guint matmul_n_rows;

/* Whether the row applies to the grid. Rows of Table 6 apply to 1 x N and N x 1 only. */
gboolean matmul_row_is_for(const MatmulRow *row, const MatmulGrid *grid);

/* Returns the row's communication as Tables 5 and 8 print it: "SBT-p(1,N)[D] + SBT-b(1,N)[A]". Caller frees. */
char *matmul_row_communication(const MatmulRow *row, const MatmulGrid *grid);

/* Returns `c` with the algorithm, routing and ports of the row, which must apply to its grid. The functions below
 * take such cases. */
MatmulCase matmul_row_case(const MatmulRow *row, const MatmulCase *c);

/* Returns the printed transfers, start-ups and arithmetic: those of Tables 6, 7, 9 and 10; for rows of Table 11 those
 * of the text (sec. 5.2.1 and 5.2.2). A1 of Table 11 counts only the broadcast that takes longer with `terms`. A1(n) of
 * Table 6 has no ceilings; if packets are unlimited, its start-ups are the least of Table 7. */
MatmulCount matmul_printed(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms);

/* Fills in B_opt, in elements, of each phase that moves data; not finite if its formula divides by 0. Returns the
 * number of these phases. */
guint matmul_printed_packets(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms,
                             double packets[MATMUL_PHASES_MAX]);

/* Returns the least start-ups as printed; -1 for Table 11, which has none. */
int matmul_printed_min_startups(const MatmulRow *row, const MatmulCase *c);

/* Counts that may be irrational, and their time. */
typedef struct {
    double transfers, startups;     /* may not be finite if B_opt is 0 or not finite */
    gint64 operations;
    gint64 ps;                      /* time, rounded up once; at most INPUT_TIME_MAX_PS */
} MatmulReal;

MatmulReal matmul_real(const MatmulCount *count, gint64 element, const MatmulTerms *terms);

/* Returns the printed counts and time with the best packets. Rows of Table 11 but A1 have T_min, which is too low if
 * lambda > (n-1) M t_c. All other rows have unlimited packets, and so the least start-ups. */
MatmulReal matmul_printed_least(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms);

/* Returns the row for the algorithm, routing, ports and grid of `c`: that of Table 6 if there is one, else that of
 * Table 9 or 11. NULL with a static `reason` if there is none. */
const MatmulRow *matmul_row_of(const MatmulCase *c, const char **reason);

/* Returns the row of Table 9 (PORTS_ONE) or 11 (PORTS_ALL) for one of a1 to a5; a3b and other ports have none. */
const MatmulRow *matmul_row_of_grid(MatmulAlgorithm algorithm, Ports ports);

/* --- Table 12, for P, Q and R that are multiples of N --- */

/* The best grid with one port if N1 and N2 may be any real numbers with N1 N2 = N. */
typedef struct {
    double n1, n2;                  /* N1 and N2; outside 1 to N they belong to no grid */
    double transfers, operations;   /* transfers in elements; operations: 2PQR/N */
    guint startups;
    double us;                      /* T_min in µs */
} MatmulIdeal;

/* Returns the best grid of Table 12 for one of a1 to a5. */
MatmulIdeal matmul_ideal(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                         const MatmulTerms *terms);
