/* What the elements of an array are at first, and what they must be when a use of the complete exchange has come to its
 * end. Both follow from an element's place alone, and the second is not computed as the program computes it:
 *   - a transposed array has element (j, i) of the array in place (i, j), and that is drawn by the element's number;
 *   - an array that is a sum of geometric series has a transform that can be written down: the sum of the powers of a
 *     number is (g^n - 1)/(g - 1). It is left transposed, as a single exchange leaves it;
 *   - of a system of equations the solution is drawn, and the right side is what that makes of both directions. */
#pragma once

#include "sim/cube/use.h"

typedef struct ArrayValues ArrayValues;

/* For an array of n x n elements, numbers of the field of field.h. */
ArrayValues *array_values_new(UseKind kind, gsize n);
void array_values_free(ArrayValues *values);

guint64 array_value_at_first(const ArrayValues *values, gsize row, gsize column);
guint64 array_value_at_last(const ArrayValues *values, gsize row, gsize column);
