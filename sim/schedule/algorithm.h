/* An algorithm and the problem that it solves: a schedule is made of both. */
#pragma once

#include "division.h"
#include "gathered.h"
#include "sim/cube/matmul_grid.h"
#include "sim/cube/partition.h"
#include "sim/cube/permutation.h"
#include "pattern.h"
#include "schedule.h"

/* Multiplication of matrices, A <- C x D + E, on a grid of the cube's processors. Address bits n3 to n3 + n2 - 1 number
 * the columns of the grid. */
typedef struct {
    MatmulShape shape;
    MatmulGrid grid;            /* n1 + n2 + n3 = the cube's dimension */
    MatmulLayout layout;
    MatmulEncoding encoding;
    const Algorithm *routing;   /* algorithm of all-broadcast that routes the broadcasts; NULL: nothing is multiplied */
    gint64 element;             /* bytes of an element */
    gint64 packet;              /* number of elements in a packet, if transpositions are pipelined; 0: unlimited */
    gint64 packet_of_a;         /* number of elements in a packet of A; 0: as `packet` */
    gboolean best_packets;      /* whether `packet` and `packet_of_a` are those of least time by the paper's tables */
    guint repeat;               /* number of multiplications in a row */
    gboolean overlap;           /* whether processors multiply while messages are under way */
} Multiplication;

#define PROBLEM_OWN_MAX 4

typedef struct BlockSizes BlockSizes;

/* A problem: the data to be moved, and the parameters of the algorithm, 0 where the algorithm does not take them. */
struct Problem {
    const Algorithm *algorithm;
    const Pattern *pattern;     /* the algorithm's own pattern, or a pattern that has it as its `reverse` */
    guint dimension;            /* dimension of the cube, or number of bits in the group's addresses */
    const Group *group;         /* group of the processors; NULL: the cube */
    Phases partition;           /* parts of the phases: dimensions of a cube, radices in other groups; empty without
                                 * phases */
    const char *offsets;        /* list of offsets, as "1,2,4,8,15" (cube/offset_list.h); NULL: none. Interned */
    guint rails;                /* most messages that a processor sends, and receives, at a time; 0 stands for 1. A step
                                 * of a one-port exchange by offsets or in phases has up to `rails` messages */
    guint source;               /* processor that is the source, or destination, of a rooted pattern */
    guint accumulate;           /* number of steps in which the algorithm hybrid accumulates data, 0 ... dimension */
    Permutation permutation;    /* permutation of the cube's dimensions. It has bits of local memory (permutation.h)
                                 * only if idle = 0 and the algorithm has TAKES_LOCAL or TAKES_MIXED */
    const PermutationMap *map;  /* permutation of processors, instead of `permutation`; NULL: address bits move */
    guint idle;                 /* number of highest address bits that the permutation leaves alone, 0 ... dimension;
                                 * only processors with zeros in them have data */
    Division data;              /* M bytes and their division */
    const BlockSizes *sizes;    /* complete exchange: bytes of each block, M on average (exchange/block_sizes.h); NULL:
                                 * every block has M bytes */
    Multiplication matmul;
    Gathering gathering;        /* handling of messages that are not contiguous */
    gint64 own[PROBLEM_OWN_MAX];    /* values of the pattern's other keys, by indices that the pattern defines */
    const char *name;           /* name of the permutation, its cycles or its file, interned; NULL: none */
};

enum {
    TAKES_PARTITION = 1,
    TAKES_ACCUMULATE = 2,
    TAKES_PACKETS = 4,  /* parts are cut into packets that follow each other */
    TAKES_LOCAL = 8,    /* permutations that move bits of the address in local memory, cycle by cycle (beyond.h) */
    TAKES_ROUTING = 16, /* a routing: the algorithm of its broadcasts. algorithm_takes() adds TAKES_ACCUMULATE */
    TAKES_OFFSETS = 32,
    TAKES_DEPTH = 64,   /* grids with three dimensions */
    TAKES_MIXED = 128,  /* permutations that move bits of the address in local memory, in one schedule for all cycles
                         * (beyond.h) */
    TAKES_MAP = 256     /* any permutation of processors (Problem.map) */
};

enum { N_PORT_IN_TURNS = 2 };

/* An algorithm in its form for one port or for n ports per processor. */
struct Algorithm {
    const char *name;           /* name on the command line; a pattern has at most one algorithm of that name for one
                                 * port, and one for n ports */
    const char *summary;        /* description in one line, for listings */
    const char *source;         /* publication: author, year, section */
    const char *unpublished;    /* why models/ has no formula of this name; NULL: it has one */
    const Pattern *pattern;
    int n_port;                 /* TRUE: this is the form for n ports, which uses several channels of a processor at a
                                 * time; N_PORT_IN_TURNS: also for 2 to 8 ports, at which its messages take turns */
    gboolean any_group;         /* whether it applies to every group of processors; FALSE: to cubes alone */
    gboolean on_mesh;           /* whether it is for meshes alone */
    guint takes;                /* parameters that it takes, as bits TAKES_... */
    Phases (*phases)(guint dimension);  /* returns its partition: a fixed one, or with TAKES_PARTITION the default;
                                         * NULL: it has none */
    guint (*n_parts)(const Problem *problem);       /* returns the number of parts of the data; NULL: 1 */
    const char *(*refuses)(const Problem *problem); /* returns why the algorithm does not apply, or NULL if it does. No
                                                     * function: it always applies */

    guint (*bound)(const Problem *problem);         /* returns a lower bound on its steps; NULL: none is known */

    /* Returns a schedule with the steps of the algorithm's pattern and the content of problem->pattern; idle must be 0.
     * schedule_make() (sim/patterns/problem.h) makes the schedules of all problems from these. Caller frees. */
    Schedule *(*make)(const Problem *problem);
    const void *family;         /* parameters of the algorithm; only the file that defines the algorithm reads them */
};

static inline const Group *problem_group(const Problem *problem)
{
    return problem->group ? problem->group : group_of_cube(problem->dimension);
}

static inline guint problem_n_nodes(const Problem *problem)
{
    return problem_group(problem)->n;
}

static inline gboolean problem_has_hull(const Problem *problem)
{
    const Pattern *pattern = problem->pattern;
    return pattern->hull && !(pattern->is_part && pattern->is_part(problem));
}

/* Returns the processor to which the problem's permutation takes the data of `node`. */
static inline guint problem_destination(const Problem *problem, guint node)
{
    return problem->map ? problem->map->to[node] : permutation_apply(&problem->permutation, node);
}

/* Returns the processor whose data the problem's permutation takes to `node`. */
static inline guint problem_origin(const Problem *problem, guint node)
{
    return problem->map ? problem->map->from[node] : permutation_origin(&problem->permutation, node);
}

/* Whether the problem's permutation moves any data, between processors or within them. */
static inline gboolean problem_permutes(const Problem *problem)
{
    return problem->map ? problem->map->moves : problem->permutation.n_cycles > 0;
}

static inline guint problem_rails(const Problem *problem)
{
    return MAX(1, problem->rails);
}

/* Returns the algorithm that routes the problem's broadcasts, or NULL. */
static inline const Algorithm *problem_routing(const Problem *problem)
{
    return problem->matmul.routing;
}

/* Returns algorithm->takes. If the algorithm takes a routing, adds TAKES_ACCUMULATE if routing->takes has this bit.
 * `routing` may be NULL. */
static inline guint algorithm_takes(const Algorithm *algorithm, const Algorithm *routing)
{
    return algorithm->takes | (routing && algorithm->takes & TAKES_ROUTING ? routing->takes & TAKES_ACCUMULATE : 0);
}

/* Returns the number of parts into which the algorithm divides the data of a problem without idle dimensions. */
static inline guint algorithm_n_parts(const Problem *problem)
{
    return problem->algorithm->n_parts ? problem->algorithm->n_parts(problem) : 1;
}
