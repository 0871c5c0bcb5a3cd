/* What a rank does in an exchange by a list: its messages and the blocks in them. Lists come from libecube.so.0, which
 * is opened when a program with rules exchanges for the first time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PLAN_UNEQUAL SIZE_MAX   /* in place of the bytes of a block: blocks differ in size, as in MPI_Alltoallv */

/* Consecutive blocks in memory. */
typedef struct {
    int is_home;                /* whether the blocks are at home; 0: they are where the program has its blocks for
                                 * other processes */
    int process, n;             /* first of n consecutive processes: sources of the blocks that will end in these places
                                 * if is_home, else destinations */
} PlanPiece;

/* A step of this rank: it sends the pieces `out` in a message to rank `to`, and receives the pieces `in` in a message
 * from rank `from`. Each message has n_blocks blocks. */
typedef struct {
    int to, from, n_blocks, n_out, n_in;
    PlanPiece *out, *in;        /* [n_out] and [n_in] pieces in one allocation, `in` behind `out` */
} PlanStep;

/* A schedule for the blocks of some sizes, as one rank sees it. */
typedef struct {
    char *list;                 /* list of offsets or radices that the steps follow, or "library" */
    size_t from_bytes, to_bytes;    /* smallest and largest block for which the plan holds */
    unsigned n_steps;           /* number of steps; 0: the MPI library's own function is used */
    int most;                   /* number of blocks in the largest message */
    int is_direct;              /* whether each block is a message of its own, and goes straight to its destination */
    PlanStep *steps;            /* [n_steps]: this rank's steps */
} RankPlan;

/* Keeps the rules: `text` (owned) of the file `path` (owned). `says`: whether this rank prints their errors. */
void rank_plan_set_rules(char *text, char *path, int says);

/* Opens libecube and reads the rules, once. Returns nonzero if there are rules that can be used. */
int rank_plan_open_rules(void);

/* Whether the text of the rules has "[alltoallv ". Does not open libecube. */
int rank_plan_may_be_unequal(void);

/* Makes the plan of `rank` among n processes for blocks of `bytes`, or PLAN_UNEQUAL. Returns nonzero on success; 0:
 * there is no memory. Caller frees with rank_plan_clear(). */
int rank_plan_make(RankPlan *plan, int n, int rank, size_t bytes);
void rank_plan_clear(RankPlan *plan);

/* Returns a checksum of a plan's list and sizes. */
unsigned rank_plan_checksum(const RankPlan *plan);

/* Frees the rules. */
void rank_plan_end(void);
