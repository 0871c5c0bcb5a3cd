/* What a schedule is made of: an algorithm, and the problem it is to solve. */
#pragma once

#include "division.h"
#include "gathered.h"
#include "sim/cube/matmul_grid.h"
#include "sim/cube/partition.h"
#include "sim/cube/permutation.h"
#include "pattern.h"
#include "schedule.h"

/* A <- C x D + E, on the grid of the cube's processors whose columns are the dimensions n3 ... n3 + n2 - 1. */
typedef struct {
    MatmulShape shape;
    MatmulGrid grid;            /* n1 + n2 + n3 = the cube's dimension */
    MatmulLayout layout;
    const Algorithm *routing;   /* of broadcasts: an algorithm of all-broadcast; NULL: nothing is multiplied */
    gint64 element;             /* bytes */
    gint64 packet;              /* elements of a packet where transpositions are pipelined; 0: unlimited */
    gint64 packet_of_a;         /* the same of A's, if that has another one; else 0 */
    gboolean best_packets;      /* these are the ones with which they take the least time, by the tables */
    guint repeat;               /* multiplications in a row */
    gboolean overlap;           /* processors multiply while messages are under way */
} Multiplication;

#define PROBLEM_NAME_MAX 64
#define PROBLEM_OWN_MAX 4

/* What is to move where, and the parameters of the algorithm; what it does not take is 0. */
struct Problem {
    const Algorithm *algorithm;
    const Pattern *pattern;     /* the algorithm's, or the one that is its reverse */
    guint dimension;            /* of the cube, or the bits that addresses of the group take */
    const Group *group;         /* of its processors; NULL: the cube */
    Partition partition;        /* the phases; empty if there are none */
    const char *offsets;        /* the list, as "1,2,4,8,15" (cube/offset_list.h); NULL: none. Interned */
    guint rails;                /* messages that a processor sends, and receives, at a time; 0 is 1. Exchanges by
                                 * offsets and in phases, without n ports, go in rounds of so many */
    guint source;               /* of rooted patterns */
    guint accumulate;           /* accumulation steps, 0 ... dimension */
    Permutation permutation;    /* of the cube's dimension; its cycles are real, but with idle = 0 and TAKES_LOCAL */
    guint idle;                 /* 0 ... dimension: the permutation leaves so many of the highest bits, and only
                                 * processors with zeros there have data */
    Division data;              /* M bytes, and how they are divided */
    Multiplication matmul;
    Gathering gathering;        /* of messages that are not contiguous */
    gint64 own[PROBLEM_OWN_MAX];    /* for other keys of patterns */
    char name[PROBLEM_NAME_MAX];    /* of the permutation, or its cycles; "": it has none */
};

enum {
    TAKES_PARTITION = 1,
    TAKES_ACCUMULATE = 2,
    TAKES_PACKETS = 4,  /* parts are cut into packets that follow each other */
    TAKES_LOCAL = 8,    /* permutations that move bits of the address in local memory, cycle by cycle (beyond.h) */
    TAKES_ROUTING = 16, /* of its broadcasts, with what that takes */
    TAKES_OFFSETS = 32,
    TAKES_DEPTH = 64,   /* grids of three dimensions */
    TAKES_MIXED = 128   /* the same as TAKES_LOCAL, in a schedule of its own for all cycles */
};

/* An algorithm in its form for one port or for n ports per processor. */
struct Algorithm {
    const char *name;           /* as on the command line; unique within a pattern, the two forms aside */
    const char *summary;        /* one line */
    const char *source;         /* author, year, section */
    const char *unpublished;    /* why models/ has no formula of this name; NULL: it has one */
    const Pattern *pattern;
    gboolean n_port;            /* uses several channels of a processor at a time */
    gboolean any_group;         /* is for every group of processors; else for cubes alone */
    guint takes;
    Partition (*phases)(guint dimension);           /* the partition that it stands for; NULL: none */
    guint (*n_parts)(const Problem *problem);       /* into which it divides data; NULL: 1 */
    const char *(*refuses)(const Problem *problem); /* why it does not apply, or NULL; NULL: it always does */

    /* The schedule of the algorithm's own pattern without idle dimensions; for others, see make.h. The content is that
     * of problem->pattern. */
    Schedule *(*make)(const Problem *problem);
    const void *family;         /* what tells it from others of its family, for its own file */
};

static inline const Group *problem_group(const Problem *problem)
{
    return problem->group ? problem->group : group_of_cube(problem->dimension);
}

static inline guint problem_n_nodes(const Problem *problem)
{
    return problem_group(problem)->n;
}

/* Whether a hull is about the problem. */
static inline gboolean problem_has_hull(const Problem *problem)
{
    const Pattern *pattern = problem->pattern;
    return pattern->hull && !(pattern->is_part && pattern->is_part(problem));
}

static inline guint problem_rails(const Problem *problem)
{
    return MAX(1, problem->rails);
}

/* The algorithm by which the problem's broadcasts are routed; NULL: it has none. */
static inline const Algorithm *problem_routing(const Problem *problem)
{
    return problem->matmul.routing;
}

/* What the algorithm takes, itself or by the routing of its broadcasts (NULL: there is none). */
static inline guint algorithm_takes(const Algorithm *algorithm, const Algorithm *routing)
{
    return algorithm->takes | (routing && algorithm->takes & TAKES_ROUTING ? routing->takes & TAKES_ACCUMULATE : 0);
}

/* The parts into which the algorithm divides the data of a problem without idle dimensions. */
static inline guint algorithm_n_parts(const Problem *problem)
{
    return problem->algorithm->n_parts ? problem->algorithm->n_parts(problem) : 1;
}
