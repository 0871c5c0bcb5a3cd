/* Multiplications with constant storage (Johnsson & Ho 1987, sec. 5.2.1): what Cannon's algorithm, that of Dekel,
 * Nassimi & Sahni and the pipelined outer products move, in lock step, on the torus of s x s virtual processors, s =
 * max(N1, N2). A processor has s/N1 rows and s/N2 columns of them. With one port C moves before D in each step, with n
 * ports at a time. The published codes are right for N1 = N2 alone (models/README.md). */
#pragma once

#include "lockstep.h"
#include "matmul.h"

/* FALSE with a static `reason` if the algorithm, or its count, is not for the grid: outer needs a square; on an oblong
 * grid with the cyclic layout neighbours of the torus are nowhere near. */
gboolean matmul_torus(const MatmulCase *c, LockstepCount *moved, const char **reason);

/* What a processor has at most of a side of `size`, cut into 2^n1 or 2^n2 times as many fine blocks as there are
 * processors in a column or row (2^m): that many ceil(size/s). */
guint matmul_torus_share(const MatmulCase *c, guint size, guint m);
