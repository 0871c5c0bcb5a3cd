/* Schedules of the parts of a multiplication in which matrices move: exchanges in rings, and products of moving
 * blocks. A processor multiplies a block that arrives, along a linear array or in a broadcast, by its part of the
 * other factor. */
#pragma once

#include "matrix_content.h"
#include "sim/schedule/schedule.h"

/* --- exchanges --- */

/* Kinds of personalized communication in a ring (Region): each processor has data for each other, of different sizes
 * (Johnsson & Ho 1987, sec. 4.4 and 5.2.2). Slots are those of a region whose first slot is 0; data has the same slot
 * all the way. Empty slots travel, too, unless schedule_sparse() leaves them out. */
typedef enum {
    EXCHANGE_IN_ORDER,      /* data crosses the dimensions in a given order; part p sets out p steps late, so that with
                             * n ports parts follow each other as in a pipeline */
    EXCHANGE_ROTATED,       /* part j crosses dimension (j + k) mod n in step k: nRSBT-p(n, N) */
    EXCHANGE_BALANCED,      /* data follows its path in a Spanning Balanced n-Tree, across one dimension in each step:
                             * SBnT-p(n, N); the data is one part */
    EXCHANGE_SUMS           /* terms of sums cross the dimensions in a given order and are added up on the way. Slot r
                             * has the terms of data number r. The data is one part, and every number has a slot */
} ExchangeKind;

/* Returns the schedule of an exchange in each ring of `region`. order[] lists the ring's dimensions in the order of
 * crossing, as indices of bits in region->dims; NULL for kinds without a given order. Caller frees. */
Schedule *exchange_new(guint dimension, const Region *region, ExchangeKind kind, const guint *order);

/* --- products of blocks that move --- */

typedef struct {
    Region blocks;              /* blocks of the factor (C or D) that moves within a ring */
    gboolean of_c;              /* TRUE: C moves; FALSE: D moves */
    Region still, a;            /* region of the other factor, which stays, and region of the sums; one slot each */
} Moving;

/* --- linear arrays: one row or one column of processors (Johnsson & Ho 1987, sec. 5.1) --- */

typedef enum {
    PASSING_RING,       /* Cyclic Rotation Algorithm: blocks go round the ring of the Gray code */
    PASSING_EXCHANGE    /* Gray Code Exchange Algorithm, after `accumulate` steps of the SBT: part j of the blocks
                         * crosses the same dimensions as part 0, each rotated by j */
} PassingKind;

/* Blocks that pass along a linear array. The ring of moving.blocks must be the whole cube. A processor stores passing
 * blocks in two buffers of 2^accumulate blocks: passing_n_slots() slots from moving.blocks.slot on. */
typedef struct {
    Moving moving;
    PassingKind kind;
    guint accumulate;           /* number of steps of the SBT before blocks are passed on, 0 to dimension;
                                 * PASSING_EXCHANGE only */
} Passing;

guint passing_n_slots(const Passing *passing);

/* Returns a schedule that passes the blocks along and multiplies them. Adds the local work to `content`; this work
 * borrows the schedule. At first a processor's own block must lie in the first slots of its buffers, part by part.
 * Caller frees. */
Schedule *passing_new(guint dimension, const Passing *passing, Content *content);

/* Whether a routing passes blocks on along a line of processors: cra, gcea, hybrid. */
gboolean passing_is_by(const Algorithm *routing);

/* --- broadcasts --- */

/* Returns a schedule that multiplies while `broadcast` (taken over, of one strand) goes on. It has one more step, at
 * the beginning, in which processors multiply the blocks that they have at first. In each other step they multiply the
 * blocks that arrive in it. With `first` the products begin the sums of multiplication m. Adds the local work to
 * `content`; this work borrows the schedule. Caller frees. */
Schedule *streamed_new(Schedule *broadcast, const Moving *moving, gboolean first, guint m, Content *content);
