/* What libecube-mpi knows of the program's communicators.
 *
 * All messages go over one duplicate of MPI_COMM_WORLD, the shadow, which is made in MPI_Init. At the first exchange on
 * a communicator each rank takes a tag, unique in its process, and all ranks gather the tags. A message carries its
 * receiver's tag. So no communicator is made, none of the program's attributes is copied, and the order of collective
 * operations is the program's own. The members agree on every plan before it is used. */
#pragma once

#include "mpi_table.h"
#include "rank_plan.h"

#define TRIALS_MAX 64       /* largest number of block sizes of a communicator that an A/B counts */

/* Calls of a communicator with blocks of one size. */
typedef struct {
    size_t bytes;
    unsigned long calls;
} CallCount;

typedef struct Channel {
    MPI_Comm comm;              /* the program's communicator */
    int rank, n;
    int apart;                  /* whether only the library's functions are used: between groups, with one process or
                                 * too many, with members outside MPI_COMM_WORLD, or because a member has no memory, no
                                 * tag or another plan */
    int unruled;                /* whether the rules have no list for n processes, whatever the size of equal blocks */
    int is_library;             /* whether the library does all exchanges of equal blocks, whatever their size */
    int tag;                    /* this rank's tag; -1: none */
    int spoilt;                 /* whether an exchange has failed: the tag is not used again */
    int *world, *tags;          /* [n]: ranks of members in the shadow; tags of messages to them */
    RankPlan *plans;            /* [n_plans]: plans for equal blocks, each for a range of sizes */
    unsigned n_plans, last;     /* last: index of the plan that was used last */
    RankPlan *unequal;          /* plan for blocks of different sizes; NULL: none has been made */
    size_t unequal_bytes;       /* most bytes that blocks under way took at a time in an exchange by `unequal` so far */
    unsigned seed;              /* number of the channel at this rank; from the first plan on, its number at member 0 */
    CallCount *counts;          /* [TRIALS_MAX]: sizes in an A/B; NULL without one */
    struct Channel *next;
} Channel;

/* Begins after MPI_Init: reads the rules of rank 0 of MPI_COMM_WORLD, and makes the shadow if there are any. Collective
 * over MPI_COMM_WORLD. After some seconds it prints which ranks do not take part. */
void channel_begin(void);

/* Frees everything, in MPI_Finalize. */
void channel_end(void);

/* Returns the duplicate of MPI_COMM_WORLD; valid while channel_is_open(). */
MPI_Comm channel_shadow(void);
int channel_is_open(void);

/* Whether rules and library take turns: ECUBE_AB at rank 0 of MPI_COMM_WORLD. */
int channel_is_trial(void);

/* Finds or makes the channel of a communicator. `*channel` NULL: the library's function is used. Returns an MPI error
 * code. The communicator's error handler has been called with it. */
int channel_find(MPI_Comm comm, Channel **channel);

/* Finds or makes the plan for blocks of `bytes`. `*plan` NULL: the library's function is used, as for messages that MPI
 * cannot count. Collective over the communicator if a plan is made. Returns an MPI error code. */
int channel_plan(Channel *channel, size_t bytes, const RankPlan **plan);

/* Finds or makes the plan for blocks of different sizes. Result and `*plan` are as in channel_plan(). */
int channel_plan_unequal(Channel *channel, const RankPlan **plan);

/* Whether the plan for blocks of different sizes is made and has no steps: the library's function is used. The same at
 * all members. */
int channel_is_unequal_unruled(const Channel *channel);

/* Counts a call of an A/B. Returns its number among those with blocks of this size, from 0 on, the same at all members;
 * -1: there is no A/B, or it counts TRIALS_MAX other sizes. */
long channel_count(Channel *channel, size_t bytes);

/* Frees a communicator by `close`: MPI_Comm_free or MPI_Comm_disconnect. Exchanges in the program's attribute callbacks
 * use the library's function meanwhile. Returns the code of `close`. */
int channel_close(MPI_Comm *comm, int (*close)(MPI_Comm *comm));
