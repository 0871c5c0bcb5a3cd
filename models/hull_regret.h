/* The regret of hulls: what it costs to have fewer partitions to choose from. */
#pragma once

#include "hull.h"

typedef struct {
    double ratio;       /* extra time as a share of the best time: 0.05 is 5 % */
    double bytes;       /* block size at which this ratio is reached; INFINITY: the ratio comes near it as blocks
                         * grow */
    Phases best;     /* best partition at that size */
} HullRegret;

/* Returns the largest regret of `face` against the hull `best` of the same machine and cube, at block sizes of the face
 * from `from_bytes` on; 0 if there are none. It is exact, as the ratio of two lines has no maximum between vertices. */
HullRegret hull_face_regret(const HullFace *face, const Hull *best, double from_bytes);

/* Returns the largest regret of any face of `chosen` against `best`, at block sizes from `from_bytes` on. */
HullRegret hull_regret(const Hull *chosen, const Hull *best, double from_bytes);
