/* Personalized communication in a ring of processors, whose data for each other differs in size. Johnsson & Ho 1987,
 * sec. 4.4 and 5.2.2.
 *
 * The slots are those of a region (region.h), from 0 on: a slot has the same number all the way. All of them travel;
 * schedule_sparse() leaves out what is empty. */
#pragma once

#include "region.h"
#include "sim/schedule/schedule.h"

typedef enum {
    EXCHANGE_IN_ORDER,      /* across the dimensions in a given order; part p sets out p steps late, so that with
                             * n ports parts follow each other as in a pipeline */
    EXCHANGE_ROTATED,       /* part j across dimension (j + k) mod n in step k: nRSBT-p(n, N) */
    EXCHANGE_BALANCED,      /* along Spanning Balanced n-Trees, one channel in each step: SBnT-p(n, N); one part */
    EXCHANGE_SUMS           /* in order: slot r has what its destination r is to add up; one part, all numbers */
} ExchangeKind;

/* The ring is that of `region`. order[] has its dimensions, the first one first, as numbers of bits in region->dims;
 * NULL if the kind has its own. */
Schedule *exchange_new(guint dimension, const Region *region, ExchangeKind kind, const guint *order);
