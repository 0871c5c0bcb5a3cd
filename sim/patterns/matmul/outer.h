/* Matrix multiplication by pipelined outer products on a torus of s x s processors: wave fronts that set out from the
 * main diagonal, in constant storage (Johnsson & Ho 1987, sec. 5.2.1 and figure 16).
 *
 * C(r, t) and D(t, c) meet at processor (r, c) in step ((r - t) mod s) + ((c - t) mod s); if s is even, one later if
 * r < t and one later if c < t. C(r, t) waits at (r, t) for its first product, and then goes right; D(t, c) goes down
 * likewise. Another multiplication begins s + 1 steps later: then no processor has two products in a step. (The paper
 * has s, which is right for odd s only, and cubes have none.) */
#pragma once

#include "sim/schedule/algorithm.h"

/* problem->matmul.grid is square. */
Schedule *outer_make(const Problem *problem);
