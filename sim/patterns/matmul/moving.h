/* Parts of a multiplication in which matrices move: exchanges in rings, and products of blocks that move. Processors
 * multiply such blocks where they come by their part of the other factor: along a linear array, or during a
 * broadcast. */
#pragma once

#include "matrix_content.h"
#include "sim/schedule/schedule.h"

/* --- exchanges --- */

/* Personalized communication in a ring of processors, whose data for each other differs in size (Johnsson & Ho 1987,
 * sec. 4.4 and 5.2.2). The slots are those of a region from 0 on; data has the same slot all the way. All slots travel;
 * schedule_sparse() leaves out the empty ones. */
typedef enum {
    EXCHANGE_IN_ORDER,      /* data crosses the dimensions in a given order; part p sets out p steps late, so that with
                             * n ports parts follow each other as in a pipeline */
    EXCHANGE_ROTATED,       /* part j crosses dimension (j + k) mod n in step k: nRSBT-p(n, N) */
    EXCHANGE_BALANCED,      /* data crosses the dimensions on its path in a Spanning Balanced n-Tree, one in each step:
                             * SBnT-p(n, N); the data is one part */
    EXCHANGE_SUMS           /* terms cross the dimensions in a given order and are added up on the way: slot r has those
                             * for r; the data is one part, and the region has all numbers */
} ExchangeKind;

/* Allocates an exchange in the ring of `region`. order[] has its dimensions, the first one first, as numbers of bits in
 * region->dims; NULL if the kind has an order of its own. */
Schedule *exchange_new(guint dimension, const Region *region, ExchangeKind kind, const guint *order);

/* --- products of blocks that move --- */

typedef struct {
    Region blocks;              /* blocks of the factor that moves, in a ring */
    gboolean of_c;              /* which factor moves; TRUE: C, FALSE: D */
    Region still, a;            /* what a processor has of the other factor; its sums. One slot each */
} Moving;

/* --- linear arrays: one row or one column of processors (Johnsson & Ho 1987, sec. 5.1) --- */

typedef enum {
    PASSING_RING,       /* Cyclic Rotation Algorithm: blocks go round the ring of the Gray code */
    PASSING_EXCHANGE    /* Gray Code Exchange Algorithm, after `accumulate` steps of the SBT: part j of the blocks
                         * crosses the same dimensions as part 0, each rotated by j */
} PassingKind;

/* Blocks that pass along a linear array. The ring of moving.blocks is the whole cube. The only storage is two buffers
 * of 2^accumulate blocks: passing_n_slots() slots from moving.blocks.slot on. */
typedef struct {
    Moving moving;
    PassingKind kind;
    guint accumulate;           /* number of steps of the SBT before blocks are passed on, 0 to dimension;
                                 * PASSING_EXCHANGE only */
} Passing;

guint passing_n_slots(const Passing *passing);

/* Allocates the schedule and adds its products, which borrow the schedule, to `content`. At first the blocks are in the
 * first slots of the buffers, part by part. */
Schedule *passing_new(guint dimension, const Passing *passing, Content *content);

/* Whether a routing passes blocks on along a line of processors: cra, gcea, hybrid. */
gboolean passing_is_by(const Algorithm *routing);

/* --- broadcasts --- */

/* Allocates a schedule that multiplies while `broadcast` (owned, of one strand) goes on. It has one step more than
 * `broadcast`, the first: there processors multiply what they have from the beginning. In each other step they multiply
 * what arrives in it. With `first` the products begin the sums of multiplication m. */
Schedule *streamed_new(Schedule *broadcast, const Moving *moving, gboolean first, guint m, Content *content);
