/* Dealing things of different weights out to heaps that weigh about the same. */
#pragma once

#include <glib.h>

/* The numbers 0 ... n - 1, the heaviest first, of equals the lowest. Caller frees. */
guint *balance_order(const guint64 *weights, guint n);

/* The heap, 0 ... n_heaps - 1, of each of the n things: in balance_order(), each goes to the heap that is lightest so
 * far, of equals the first (Graham 1969, LPT). The sum of the weights must fit. No heap weighs more than the mean and
 * the heaviest thing that is not alone in a heap. n_heaps > 0. Caller frees. */
guint *balance(const guint64 *weights, guint n, guint n_heaps);
