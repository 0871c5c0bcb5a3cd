/* Matrix multiplication A <- C x D + E on a grid of processors (Johnsson & Ho 1987, sec. 5): what it is about.
 *
 * A and E have P x R elements, C has P x Q and D Q x R. The N = 2^n processors are a grid of N1 = 2^n1 rows and
 * N2 = 2^n2 columns, n1 + n2 = n; a partitioning by columns is the grid 1 x N, one by rows N x 1. */
#pragma once

#include "sim/machine/transfer.h"

/* The largest of P, Q and R. */
#define MATMUL_SIDE_MAX (1u << 20)

/* The largest element in bytes. */
#define MATMUL_ELEMENT_MAX (1u << 20)

/* Bytes of an element where nobody says so: single precision (sec. 2). */
#define MATMUL_ELEMENT 4

/* P, Q, R: 1 ... MATMUL_SIDE_MAX. */
typedef struct {
    guint p, q, r;
} MatmulShape;

typedef struct {
    guint n1, n2;
} MatmulGrid;

/* Of h rows, row i is in processor row i div ceil(h / N1) (consecutive), or i mod N1 (cyclic); columns likewise with
 * N2. */
typedef enum { MATMUL_CONSECUTIVE, MATMUL_CYCLIC } MatmulLayout;

/* In the order in which the first of several that are equally good is taken. */
typedef enum {
    MATMUL_A1, MATMUL_A2, MATMUL_A3, MATMUL_A3B, MATMUL_A4, MATMUL_A5,
    MATMUL_CANNON, MATMUL_DEKEL, MATMUL_OUTER
} MatmulAlgorithm;
#define MATMUL_N_ALGORITHMS (MATMUL_OUTER + 1)

/* How all-to-all broadcasts and reductions go; the names are those of the algorithms of all-broadcast. */
typedef enum { MATMUL_SBT, MATMUL_CRA, MATMUL_GCEA, MATMUL_HYBRID, MATMUL_NRSBT, MATMUL_SBNT } MatmulRouting;

/* By the numbers of the enumerations, NULL-terminated. Static. */
extern const char *const matmul_algorithm_names[], *const matmul_routing_names[], *const matmul_layout_names[];

/* --- as users write them; `where` begins the error message --- */

/* "5x7x3": P, Q and R. */
gboolean matmul_shape_parse(const char *where, const char *text, MatmulShape *shape, GError **error);

/* "4x2", powers of two with the product 2^dimension; "column" is 1 x N, "row" is N x 1. `others`: what the
 * caller allows beside these, for the error message. */
gboolean matmul_grid_parse(const char *where, const char *text, guint dimension, const char *others, MatmulGrid *grid,
                           GError **error);

/* The same backwards, a grid always as "4x2". Caller frees. */
char *matmul_shape_format(const MatmulShape *shape);
char *matmul_grid_format(const MatmulGrid *grid);

/* --- what the algorithms are made of (figure 15) --- */

/* Sides of the matrices. */
typedef enum { MATMUL_P, MATMUL_Q, MATMUL_R } MatmulSide;
guint matmul_side(const MatmulShape *shape, MatmulSide side);

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

/* The recipe that the algorithm follows until it has multiplied: a3b that of a3, a1 to a5 their own. */
const MatmulRecipe *matmul_recipe_at_first(MatmulAlgorithm algorithm);

/* The dimensions between whose processors the phase runs: n1, n2 or both. */
guint matmul_phase_dimensions(const MatmulPhase *phase, const MatmulGrid *grid);

/* --- who has how much of a side of `size` that 2^m processors share --- */

/* ceil(size/2^m): the most that a processor has. */
guint matmul_share(guint size, guint m);

/* What the first `count` <= 2^m processors have together; these are never less than any others as many, and of 2^i
 * neighbours from a multiple of 2^i on no others have more. */
guint matmul_share_of_first(guint size, guint m, MatmulLayout layout, guint count);

/* The processor that has row or column `i` < size; how many have any, which are the first. */
guint matmul_owner(guint size, guint m, MatmulLayout layout, guint i);
guint matmul_owners(guint size, guint m, MatmulLayout layout);

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
