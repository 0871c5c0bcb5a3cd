/* Matrix multiplication in constant storage, on a torus of s x s virtual processors, s = max(N1, N2): virtual processor
 * (a, b) has block (a, b) of A, and blocks of C and D come by (Johnsson & Ho 1987, sec. 5.2.1).
 *
 * A processor has s / N1 neighbouring virtual rows of s / N2 columns. C moves within rows of the torus and D within
 * columns, both in the same way: what follows says `line` for C's row or D's column, and `place` for where in it a
 * block is. Block number t of a line is C(line, t) or D(t, line). */
#pragma once

#include "matrix_content.h"
#include "sim/schedule/schedule.h"

typedef struct {
    gboolean gray;                  /* neighbours in a line are neighbours in the cube; else places that differ in one
                                     * bit are */
    guint (*n_to_align)(guint s);   /* moves until all lines are aligned; s - 1 follow, with a product after each */

    /* The number of the block at a place after k moves, and the place to which it goes in move k. */
    guint (*at)(guint s, guint line, guint place, guint k);
    guint (*to)(guint s, guint line, guint place, guint k);
} TorusMotion;

/* With one port C moves before D; with n ports both at a time. */
Schedule *torus_make(const Problem *problem, const TorusMotion *motion);
