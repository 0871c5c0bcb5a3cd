/* The regret of hulls: what it costs to have fewer partitions to choose from. */
#pragma once

#include "hull.h"

typedef struct {
    double ratio;       /* extra time as a share of the best time: 0.05 is 5 % */
    double bytes;       /* block size at which the ratio is reached; INFINITY: in the limit */
    Phases best;     /* best partition at that size */
} HullRegret;

/* Returns the largest regret of `face` against the hull `best` of the same machine and cube, over its blocks of at
 * least `from_bytes` bytes. Exact: between vertices the ratio of two lines has no maximum of its own. 0 if there are
 * none. */
HullRegret hull_face_regret(const HullFace *face, const Hull *best, double from_bytes);

/* Returns the largest regret of all faces of `chosen`. */
HullRegret hull_regret(const Hull *chosen, const Hull *best, double from_bytes);
