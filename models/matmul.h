/* Matrix multiplication A <- C x D + E on a grid of processors (Johnsson & Ho 1987, sec. 5): the algorithms, what they
 * are made of, and what their time is made of. */
#pragma once

#include "sim/cube/matmul_grid.h"
#include "sim/machine/transfer.h"

/* In the order in which the first of several that are equally good is taken. */
typedef enum {
    MATMUL_A1, MATMUL_A2, MATMUL_A3, MATMUL_A3B, MATMUL_A4, MATMUL_A5,
    MATMUL_CANNON, MATMUL_DEKEL, MATMUL_OUTER
} MatmulAlgorithm;
#define MATMUL_N_ALGORITHMS (MATMUL_OUTER + 1)

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

/* The dimensions between whose processors the phase runs: n1, n2 or both. */
guint matmul_phase_dimensions(const MatmulPhase *phase, const MatmulGrid *grid);

/* --- costs --- */

/* One use of an algorithm. */
typedef struct {
    MatmulShape shape;
    MatmulGrid grid;            /* of at most 2^MACHINE_DIMENSION_MAX processors */
    MatmulLayout layout;
    MatmulAlgorithm algorithm;
    MatmulRouting routing;
    guint accumulate;           /* k of the hybrid; else unused */
    Ports ports;
    gint64 element;             /* bytes of one element, 1 to MATMUL_ELEMENT_MAX */
    gint64 packet;              /* B in bytes; 0: unlimited */
    gboolean optimal;           /* each phase has its best packet, which is no larger than `packet` */
    GHashTable *transpositions; /* matmul_transpositions_new(), which remembers them; NULL: each is counted anew */
} MatmulCase;

/* What time is made of. */
typedef struct {
    gint64 lambda_ps, tau_ps_per_byte, flop_ps;
} MatmulTerms;

/* The machine's constants for messages of `bytes`. */
MatmulTerms matmul_terms(const Machine *machine, gint64 bytes);

/* What a multiplication takes, one after another. */
typedef struct {
    Rational transfers;         /* elements */
    Rational startups;
    gint64 operations;          /* additions and multiplications of elements */
} MatmulCount;

/* Transfers x tau x element + start-ups x lambda + operations x flop in ps, rounded up once; INPUT_TIME_MAX_PS for any
 * time from there on. */
gint64 matmul_ps(const MatmulCount *count, gint64 element, const MatmulTerms *terms);

/* The same and `more_ps` >= 0, rounded up once. */
gint64 matmul_ps_and(const MatmulCount *count, gint64 element, const MatmulTerms *terms, long double more_ps);

MatmulCount matmul_plus(MatmulCount a, MatmulCount b);

/* The most that a processor has of a side that is cut so. */
gint64 matmul_part(const MatmulCase *c, MatmulSide side, MatmulCut cut);

/* M of a phase in elements: the largest block that a processor has when the phase begins, or when a reduction ends. */
gint64 matmul_block(const MatmulCase *c, const MatmulPhase *phase);

/* Whether the phase is a transposition in pipelined packets: with n ports, on grids with several rows and columns. */
gboolean matmul_is_pipelined(const MatmulCase *c, const MatmulPhase *phase);

/* B in bytes in that phase; 0: unlimited. The best packet is a whole message, but in pipelines matmul_best_packet(). */
gint64 matmul_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms);

/* That of the two whole numbers of elements around B_opt with which (c(M,B) + n - 1)(B t_c + lambda) is less, the
 * larger if both are as good, in bytes; at least an element, at most M and the case's packet. */
gint64 matmul_best_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms);

/* B_opt of a pipeline in elements (Table 11): sqrt(M lambda/((n-1) t_c)); INFINITY where it divides by zero. */
double matmul_pipeline_packet(const MatmulCase *c, const MatmulPhase *phase, const MatmulTerms *terms);
