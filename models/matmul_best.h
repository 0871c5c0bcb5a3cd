/* What is published of a matrix multiplication on a machine, and which algorithm and grid are best (Johnsson & Ho 1987,
 * sec. 5.1.1 and 5.2.4). */
#pragma once

#include "matmul.h"

/* The published time of a run, rounded up to the picosecond once; INPUT_TIME_MAX_PS for any time
 * from there on. FALSE with a static `reason` if there is none. */
gboolean matmul_published_ps(const MatmulCase *c, const Machine *machine, gint64 *ps, const char **reason);

/* Finds what a case takes, from the caller's `data`. FALSE: it cannot be run. */
typedef gboolean MatmulTime(const MatmulCase *c, gpointer data, MatmulReal *real);

/* MATMUL_COLUMN and MATMUL_ROW are 1 x N and N x 1 with the algorithms of Table 6; as published MATMUL_ANY is by Tables
 * 9 to 11 on every grid, and MATMUL_GIVEN what is published of a run. */
typedef enum { MATMUL_ANY, MATMUL_COLUMN, MATMUL_ROW, MATMUL_GIVEN } MatmulGrids;

typedef struct {
    MatmulTime *time;           /* of all algorithms, on grids of three dimensions as well; NULL: as published */
    gpointer data;              /* for `time` */
    MatmulGrids grids;
    MatmulGrid grid;            /* MATMUL_GIVEN */
    guint dimension;            /* n; of `grid` as well */
    Ports ports;                /* one port: sbt; n ports: nrsbt */
    gint64 element, packet;     /* bytes; packet 0: unlimited */
    gboolean optimal;           /* the best packets, no larger than `packet`; without a limit T_min is published */
    MatmulTerms terms;
} MatmulQuestion;

typedef struct {
    MatmulAlgorithm algorithm;
    MatmulGrid grid;
    double transfers, startups;     /* transfers in elements */
    gint64 operations;
    gint64 ps;                      /* INPUT_TIME_MAX_PS for any time from there on */
} MatmulChoice;

/* The algorithm on the grid that is best for it, of several the one with the fewest rows, and columns. Of three
 * dimensions any grid has at least 2 x 2 x 2 processors, a given one at least two layers. FALSE if none of the
 * question's grids has a time: what is printed has a1 to a5 alone. */
gboolean matmul_choose(const MatmulQuestion *question, const MatmulShape *shape, MatmulAlgorithm algorithm,
                       MatmulChoice *choice);

/* All algorithms that there are, fastest first, of several by their numbers; returns how many. */
guint matmul_ranking(const MatmulQuestion *question, const MatmulShape *shape,
                     MatmulChoice choices[MATMUL_N_ALGORITHMS]);

/* The first two of a1 to a5. FALSE if there are none. */
gboolean matmul_best_two(const MatmulQuestion *question, const MatmulShape *shape, MatmulChoice choices[2]);

/* Finds the grid of at least 2 x 2 x 2 of 2^dimension processors that is best for 3d, or 3d-shuffled, with one port and
 * packets without a limit; of several the one with the fewest rows, and columns. FALSE if none divides the matrices
 * into blocks of one size. */
gboolean matmul_best_deep_grid(MatmulAlgorithm algorithm, const MatmulShape *shape, guint dimension, gint64 element,
                               const MatmulTerms *terms, MatmulGrid *grid);
