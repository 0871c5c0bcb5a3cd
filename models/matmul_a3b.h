/* The second version of A3 (Johnsson & Ho 1987, sec. 5.2.3), N1 >= N2: what follows its multiplication, in lock step.
 */
#pragma once

#include "matmul.h"

/* Sums of A^T go within columns to the processor row where they belong: over the n1 - n2 dimensions that tell apart the
 * rows of the grid which share a column's rows of A, then over the others. Then they are scattered within rows. Fills
 * messages[n1 + n2], the largest of each step in elements; returns the additions of the busiest processors. */
gint64 matmul_a3b(const MatmulCase *c, gint64 *messages);
