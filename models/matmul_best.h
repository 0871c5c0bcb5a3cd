/* Published times of matrix multiplications, and the best algorithms and grids (Johnsson & Ho 1987, sec. 5.1.1,
 * 5.2.4). */
#pragma once

#include "matmul.h"

/* Sets `ps` to the published time of a run, rounded up to the picosecond once; at most INPUT_TIME_MAX_PS. FALSE with
 * a static `reason` if there is none. */
gboolean matmul_published_ps(const MatmulCase *c, const Machine *machine, gint64 *ps, const char **reason);

/* Sets `real` to the counts and time of a case; `data` is MatmulQuestion's. FALSE if the case cannot be run. */
typedef gboolean MatmulTime(const MatmulCase *c, gpointer data, MatmulReal *real);

/* The grids to choose from. MATMUL_COLUMN and MATMUL_ROW: 1 x N and N x 1, with the algorithms of Table 6.
 * MATMUL_ANY: all grids; published times are then always those of Tables 9 to 11. MATMUL_GIVEN: the member `grid`,
 * with the table that a run on it uses. */
typedef enum { MATMUL_ANY, MATMUL_COLUMN, MATMUL_ROW, MATMUL_GIVEN } MatmulGrids;

typedef struct {
    MatmulTime *time;           /* gives times of all algorithms, also in three dimensions; NULL: published times */
    gpointer data;              /* argument `data` of `time` */
    MatmulGrids grids;
    MatmulGrid grid;            /* the grid, if `grids` is MATMUL_GIVEN */
    guint dimension;            /* n, the dimension of the cube; `grid`, if given, has 2^n processors */
    Ports ports;                /* the routing is sbt with one port, nrsbt with n ports */
    gint64 element, packet;     /* bytes; packet 0: unlimited */
    gboolean optimal;           /* whether each phase has its best packet, up to `packet`; if `packet` is 0, the
                                 * published time is T_min */
    MatmulTerms terms;
} MatmulQuestion;

typedef struct {
    MatmulAlgorithm algorithm;
    MatmulGrid grid;
    double transfers, startups;     /* transfers in elements */
    gint64 operations;
    gint64 ps;                      /* time; at most INPUT_TIME_MAX_PS */
} MatmulChoice;

/* Chooses the best grid for an algorithm; of equally good grids, that with the fewest rows, then columns. In three
 * dimensions each side is at least 2; a given grid must have two layers or more. FALSE if no grid of the question has
 * a time: printed times are those of a1 to a5 alone. */
gboolean matmul_choose(const MatmulQuestion *question, const MatmulShape *shape, MatmulAlgorithm algorithm,
                       MatmulChoice *choice);

/* Fills in the choices of all algorithms that have a time, the fastest first, equally fast ones in the order of
 * MatmulAlgorithm. Returns their number. */
guint matmul_ranking(const MatmulQuestion *question, const MatmulShape *shape,
                     MatmulChoice choices[MATMUL_N_ALGORITHMS]);

/* Fills in the two fastest of a1 to a5. FALSE if fewer than two have a time. */
gboolean matmul_best_two(const MatmulQuestion *question, const MatmulShape *shape, MatmulChoice choices[2]);

/* Finds the best grid of 2^dimension processors for 3d or 3d-shuffled with one port and unlimited packets. Each side
 * is at least 2. Of equally good grids it takes that with the fewest rows, then columns. FALSE if no grid divides the
 * matrices into equal blocks. */
gboolean matmul_best_deep_grid(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                               const MatmulTerms *terms, MatmulGrid *grid);
