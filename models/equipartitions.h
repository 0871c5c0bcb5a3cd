/* The hull of optimality in Theta(sqrt d) time (Bokhari 1993, sec. 3.5; 1996, abstract), by a recipe that is right: the
 * printed one misses faces.
 *
 * Only the first and the last of the equipartitions of d with parts v and v + 1 can be faces, and those with up to
 * sqrt d parts. Sorted by their number of parts, their lines are sorted by slope (Property 5), so one pass finds the
 * hull. */
#pragma once

#include "loads.h"

/* Returns the numbers of parts of the candidates, guint, descending: 1 ... s, floor(d/v) and ceil(d/(v+1)) for v in
 * 1 ... s = floor(sqrt d). There are at most 2.69 sqrt d of them. d is at least 1. Caller frees (g_array_unref()). */
GArray *equipartitions_visited(guint d);

/* An equipartition that is best from `from_bytes` on. */
typedef struct {
    guint n_parts;
    ExchangeLine line;      /* time of the exchange */
    double from_bytes;
} EquipartitionFace;

/* Returns the faces of the hull, EquipartitionFace, by size; the first begins at 0 bytes. part[a] is the line of a
 * phase of a dimensions, 1 <= a <= d, as Bokhari's sec. 3 has it. Adds the number of intersections that were computed
 * to `*n_crossings`. Caller frees with g_array_unref(). */
GArray *equipartitions_hull(guint d, const ExchangeLine *part, guint *n_crossings);

/* Returns the index of the face that is best at `bytes` >= 0, by halving. Adds the number of vertices that were
 * compared with `bytes`, at most ceil(log2(faces)), to `*n_comparisons`. */
guint equipartitions_lookup(const GArray *faces, double bytes, guint *n_comparisons);
