/* The discrete Fourier transform of a row, over the field of field.h (a number-theoretic transform). */
#pragma once

#include <glib.h>

typedef struct {
    gsize n;
    guint64 *roots;     /* [n/2]: the powers w^0, w^1, ... of the root of unity of order n */
} Transform;

/* Of rows of n elements; n is 0 or a power of 2. */
Transform *transform_new(gsize n);
void transform_free(Transform *transform);

/* row[v] becomes the sum of row[b] w^(b v) over all b. */
void transform_row(const Transform *transform, guint64 *row);
