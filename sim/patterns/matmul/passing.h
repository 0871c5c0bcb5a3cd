/* The linear array algorithms of matrix multiplication on one row or one column of processors (Johnsson & Ho 1987,
 * sec. 5.1): a block of C (or of D, on a column) is multiplied where it has come, and passed on. Buffers of two blocks
 * are all that it takes; or of 2^k, if the first k steps accumulate blocks as the SBT does. */
#pragma once

#include "region.h"
#include "matrix_content.h"
#include "sim/schedule/algorithm.h"
#include "sim/schedule/schedule.h"

typedef enum {
    PASSING_RING,       /* Cyclic Rotation Algorithm: along the ring of the Gray code */
    PASSING_EXCHANGE    /* Gray Code Exchange Algorithm, after `accumulate` steps of the SBT; part j of the blocks goes
                         * across the dimensions j further */
} PassingKind;

typedef struct {
    PassingKind kind;
    guint accumulate;           /* 0 ... dimension; PASSING_EXCHANGE only */
    Region blocks;              /* what everybody has, in parts; of the ring that is the whole cube. From its slot on
                                 * there are passing_n_slots() for the buffers */
    gboolean of_c;              /* they are C's; else D's */
    Region still, a;            /* the other factor, and A, where they are at home: one slot each */
} Passing;

guint passing_n_slots(const Passing *passing);

/* The blocks are in the first slots of the buffers, part by part. `content` keeps what the schedule borrows. */
Schedule *passing_new(guint dimension, const Passing *passing, Content *content);

/* Whether a routing passes blocks on along a line of processors: cra, gcea, hybrid. */
gboolean passing_is_by(const Algorithm *routing);
