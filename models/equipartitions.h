/* The hull of optimality in Theta(sqrt d) time (Bokhari 1993, sec. 3.5; 1996, abstract). The printed recipe misses
 * faces; the one used here does not.
 *
 * Candidates are the equipartitions with up to sqrt d parts and, of those with parts v and v + 1, the first and the
 * last for each v. In the order of the number of parts the lines are in the order of slopes (Property 5), so that one
 * pass finds the hull. */
#pragma once

#include "loads.h"

/* Returns the numbers of parts of the candidates, guint, descending: 1 ... s, floor(d/v) and ceil(d/(v+1)) for v in
 * 1 ... s = floor(sqrt d), at most 3 sqrt d numbers. d is at least 1. Caller frees (g_array_unref()). */
GArray *equipartitions_visited(guint d);

/* Equipartition that is a face of the hull: the best from `from_bytes` on, up to the next face. */
typedef struct {
    guint n_parts;
    ExchangeLine line;      /* time of the exchange */
    double from_bytes;
} EquipartitionFace;

/* Returns the faces of the hull, EquipartitionFace, by block size; the first begins at 0 bytes. part[a], 1 <= a <= d,
 * is the line of a phase over `a` dimensions (Bokhari 1993, sec. 3). Adds the number of intersections that it
 * computed to `*n_crossings`. Caller frees with g_array_unref(). */
GArray *equipartitions_hull(guint d, const ExchangeLine *part, guint *n_crossings);

/* Returns the index of the face that is best at `bytes` >= 0, by bisection. Adds the number of comparisons, at most
 * ceil(log2(number of faces)), to `*n_comparisons`. */
guint equipartitions_lookup(const GArray *faces, double bytes, guint *n_comparisons);
