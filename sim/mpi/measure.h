/* Measuring runs on the ranks of an MPI.
 *
 * All contenders of one size are proven first: every message is checked on its arrival, every slot at the end. Then
 * their timed repetitions take turns, so that what disturbs the machine meets all of them alike. A repetition begins
 * at a barrier, and takes as long as it takes the last rank. The last repetition of each is proven again, outside the
 * clock. In a bare world there is one contender, and its only repetition comes before everything else. */
#pragma once

#include "order.h"
#include "sim/run/record.h"

typedef struct {
    Record *records;        /* [n] */
    Timing *measured;       /* [n], of the records */
    char **faults;          /* [n]: what is wrong with the data, or NULL */
    guint n;
    char *library, *hosts;
} Results;

/* Measures all that is ordered; the same at all ranks, but for times, which only the first one has. Error: a run cannot
 * be done. Caller frees. */
Results *measure(const Order *order, const World *world, GError **error);
void results_free(Results *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Results, results_free)
