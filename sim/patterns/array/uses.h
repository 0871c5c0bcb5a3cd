/* The contents of uses of the complete exchange (sim/cube/use.h): blocks of an array, with their elements.
 *
 * Elements are numbers of the field of field.h, 64 bits each. Processor i has the rows k i to k i + k - 1. Slot i of
 * processor x holds, row by row, the elements of x's rows in the columns with the numbers of i's rows. A block keeps
 * its elements wherever it goes, and a processor works on the blocks in its slots. At the end every element is compared
 * with the right value. */
#pragma once

#include "sim/cube/use.h"
#include "sim/schedule/content.h"

/* Returns the content of blocks of `bytes`, which use_sizes() allows. Freed by content_free(). */
Content *array_content_new(const ExchangeUse *use, guint dimension, gint64 bytes);

/* Local work, of all processors on all their blocks. Each block has a piece of each row. */
typedef enum {
    ARRAY_TRANSPOSE_BLOCKS = 1, /* each block within itself: every byte is moved */
    ARRAY_TRANSFORM_ROWS,       /* discrete Fourier transforms (field_transform()) */
    ARRAY_SOLVE_ROWS,           /* systems of equations, their right sides in the rows (tridiagonal_solve()) */
    ARRAY_SOLVE_COLUMNS         /* systems along the columns of the array, which are the rows of its transpose */
} ArrayWork;

Operation array_work(const Content *content, ArrayWork work);

/* Returns the k^2 elements of a block, row by row, in a memory that is in use. Borrowed. */
guint64 *array_elements(const Content *content, Block block);

/* The elements of an array at the beginning, and their right values at the end. Both follow from an element's place
 * alone, and the values at the end are not computed as the program computes them:
 *   - a transposed array has element (j, i) of the array in place (i, j); elements are drawn by their numbers;
 *   - an array that is a sum of geometric series has a transform in closed form: the sum of the powers of a number g is
 *     (g^n - 1)/(g - 1). The transform is left transposed, as a single exchange leaves it;
 *   - the solution of a system of equations is drawn; the matrices of both directions make the right side of it. */
typedef struct ArrayValues ArrayValues;

/* Returns the values of an array of n x n elements, numbers of the field of field.h. Freed by array_values_free(). */
ArrayValues *array_values_new(UseKind kind, gsize n);
void array_values_free(ArrayValues *values);

guint64 array_value_at_first(const ArrayValues *values, gsize row, gsize column);
guint64 array_value_at_last(const ArrayValues *values, gsize row, gsize column);
