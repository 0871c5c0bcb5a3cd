/* What all-to-all communication takes when the processors' blocks have different sizes: in lock step, each step costs
 * its largest message. For matrices whose sides do not divide, where lockstep.h has no closed form.
 *
 * The routings are those of Johnsson & Ho 1987, as in spanning.h; data in n parts is cut as there, the larger parts
 * first. No message without elements is sent. */
#pragma once

#include "lockstep.h"
#include "matmul.h"

/* The most dimensions that are enumerated. */
#define UNEVEN_DIMENSION_MAX 10

typedef struct {
    MatmulRouting routing;
    Ports ports;
    SpanningCase c;             /* dimension, packet, element, and accumulate of the hybrid */
} UnevenCase;

/* All-broadcast; processor i has blocks[i] elements, [2^dimension]. */
LockstepCount uneven_broadcast(const UnevenCase *u, const gint64 *blocks);

/* All-reduction, the same backwards; processor i gets blocks[i] sums. Only the first `n_terms` processors have a term
 * of each sum; no sums of none are sent. `additions` becomes the most of any processor in each step, together. */
LockstepCount uneven_reduction(const UnevenCase *u, const gint64 *blocks, guint n_terms, gint64 *additions);

/* Complete exchange with n ports, by nrsbt or sbnt: processor i has from[i] to[j] elements for processor j. */
LockstepCount uneven_exchange(const UnevenCase *u, const gint64 *from, const gint64 *to);
