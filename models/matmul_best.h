/* Published times of matrix multiplications, and the best algorithms and grids (Johnsson & Ho 1987, sec. 5.1.1,
 * 5.2.4). */
#pragma once

#include "matmul.h"

/* Finds the published time of a run, rounded up to the picosecond once; INPUT_TIME_MAX_PS for any time from there on.
 * FALSE with a static `reason` if there is none. */
gboolean matmul_published_ps(const MatmulCase *c, const Machine *machine, gint64 *ps, const char **reason);

/* Finds the counts and time of a case; `data` is that of the question. FALSE if the case cannot be run. */
typedef gboolean MatmulTime(const MatmulCase *c, gpointer data, MatmulReal *real);

/* The grids to choose from. MATMUL_COLUMN and MATMUL_ROW are 1 x N and N x 1, with the algorithms of Table 6.
 * MATMUL_ANY: all grids; if times are the published ones, Tables 9 to 11 are used on every grid. MATMUL_GIVEN: the grid
 * `grid`, with the table that a run there uses. */
typedef enum { MATMUL_ANY, MATMUL_COLUMN, MATMUL_ROW, MATMUL_GIVEN } MatmulGrids;

typedef struct {
    MatmulTime *time;           /* gives times of all algorithms, also in three dimensions; NULL: published times */
    gpointer data;              /* argument `data` of `time` */
    MatmulGrids grids;
    MatmulGrid grid;            /* the grid, if `grids` is MATMUL_GIVEN */
    guint dimension;            /* n of the cube, which `grid` has as well */
    Ports ports;                /* the routing is sbt with one port, nrsbt with n ports */
    gint64 element, packet;     /* bytes; packet 0: unlimited */
    gboolean optimal;           /* the best packets, no larger than `packet`; if that is 0, T_min is published */
    MatmulTerms terms;
} MatmulQuestion;

typedef struct {
    MatmulAlgorithm algorithm;
    MatmulGrid grid;
    double transfers, startups;     /* transfers in elements */
    gint64 operations;
    gint64 ps;                      /* the time; INPUT_TIME_MAX_PS for any from there on */
} MatmulChoice;

/* Chooses the best grid for an algorithm, of several the one with the fewest rows, and columns. In three dimensions any
 * grid has at least 2 x 2 x 2 processors, and a given one at least two layers. FALSE if no grid of the question has a
 * time: printed times are those of a1 to a5 alone. */
gboolean matmul_choose(const MatmulQuestion *question, const MatmulShape *shape, MatmulAlgorithm algorithm,
                       MatmulChoice *choice);

/* Fills in the choices of all algorithms that have a time, the fastest first, then by number. Returns how many. */
guint matmul_ranking(const MatmulQuestion *question, const MatmulShape *shape,
                     MatmulChoice choices[MATMUL_N_ALGORITHMS]);

/* Fills in the two fastest of a1 to a5. FALSE if fewer than two have a time. */
gboolean matmul_best_two(const MatmulQuestion *question, const MatmulShape *shape, MatmulChoice choices[2]);

/* Finds the best grid for 3d or 3d-shuffled with one port and unlimited packets. It has 2^dimension processors, at
 * least 2 x 2 x 2; of several it is the one with the fewest rows, and columns. FALSE if none divides the matrices into
 * blocks of one size. */
gboolean matmul_best_deep_grid(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                               const MatmulTerms *terms, MatmulGrid *grid);
