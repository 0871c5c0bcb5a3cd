/* What is published of a matrix multiplication on a machine, and which algorithm and grid are best (Johnsson & Ho 1987,
 * sec. 5.1.1 and 5.2.4). */
#pragma once

#include "matmul_counts.h"

/* The published time of a run, rounded up to the picosecond once; INPUT_TIME_MAX_PS for any time
 * from there on. FALSE with a static `reason` if there is none. */
gboolean matmul_published_ps(const MatmulCase *c, const Machine *machine, gint64 *ps, const char **reason);

typedef enum { MATMUL_PUBLISHED, MATMUL_COUNTED } MatmulModel;

/* MATMUL_COLUMN and MATMUL_ROW are 1 x N and N x 1 with the algorithms of Table 6; by the published model MATMUL_ANY is
 * by Tables 9 to 11 on every grid, and MATMUL_GIVEN what is published of a run. */
typedef enum { MATMUL_ANY, MATMUL_COLUMN, MATMUL_ROW, MATMUL_GIVEN } MatmulGrids;

typedef struct {
    MatmulModel model;
    MatmulGrids grids;
    MatmulGrid grid;            /* MATMUL_GIVEN */
    guint dimension;            /* n; of `grid` as well */
    Ports ports;                /* one port: sbt; n ports: nrsbt */
    gint64 element, packet;     /* bytes; packet 0: unlimited */
    gboolean optimal;           /* the best packets, no larger than `packet`; without a limit T_min is published */
    MatmulTerms terms;
    MatmulAlgorithm with;       /* beside a1 to a5 on maps; a1: none */
    GHashTable *transpositions; /* as MatmulCase has them, to ask for many shapes; or NULL */
} MatmulQuestion;

typedef struct {
    MatmulAlgorithm algorithm;
    MatmulGrid grid;
    double transfers, startups;     /* transfers in elements */
    gint64 operations;
    gint64 ps;                      /* INPUT_TIME_MAX_PS for any time from there on */
} MatmulChoice;

/* The algorithm on the grid that is best for it, of several the one with the fewest rows, and columns. Of three
 * dimensions any grid has at least 2 x 2 x 2 processors, a given one at least two layers. FALSE if the question's
 * grids or model have none: what is printed has a1 to a5 alone. */
gboolean matmul_choose(const MatmulQuestion *question, const MatmulShape *shape, MatmulAlgorithm algorithm,
                       MatmulChoice *choice);

/* All algorithms that there are, fastest first, of several by their numbers; returns how many. */
guint matmul_ranking(const MatmulQuestion *question, const MatmulShape *shape,
                     MatmulChoice choices[MATMUL_N_ALGORITHMS]);

/* The first two of a1 to a5, and `with`. FALSE if there are none. */
gboolean matmul_best_two(const MatmulQuestion *question, const MatmulShape *shape, MatmulChoice choices[2]);
