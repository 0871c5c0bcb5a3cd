/* What it costs to have fewer partitions to choose from. */
#pragma once

#include "hull.h"

typedef struct {
    double ratio;       /* how much longer it takes, as a part of the best time: 0.05 is 5 % */
    double bytes;       /* the block size where that is so; INFINITY: in the limit */
    Partition best;     /* what would be best there */
} Regret;

/* The largest regret of a face, against the hull `best` of the same machine and cube, over the blocks of the face of at
 * least `from_bytes` bytes. Exact: between vertices the ratio of two lines has no maximum of its own. A face that ends
 * before `from_bytes` has none: 0. */
Regret regret_of_face(const HullFace *face, const Hull *best, double from_bytes);

/* The largest of all faces of `chosen`. */
Regret regret_of_hull(const Hull *chosen, const Hull *best, double from_bytes);
