/* Content of the blocks of an array, with their elements, for the uses of the complete exchange (sim/cube/use.h).
 *
 * Elements are numbers of the field of field.h, 64 bits each. With k rows on each processor, processor i has the rows
 * k i to k i + k - 1. Slot i of processor x holds the elements of x's rows in columns k i to k i + k - 1, row by row.
 * A block keeps its elements wherever it goes, and a processor works on the blocks in its slots. At the end every
 * element is compared with the right value. */
#pragma once

#include "sim/cube/use.h"
#include "sim/schedule/content.h"

/* Returns a content whose blocks have `bytes` each, a size that use_sizes() allows. Freed by content_free(). */
Content *array_content_new(const ExchangeUse *use, guint dimension, gint64 bytes);

/* Kinds of local work. A processor works on all its blocks together: each row of the processor has a piece in every
 * block. */
typedef enum {
    ARRAY_TRANSPOSE_BLOCKS = 1, /* transpose each block in its place; all its bytes count as moved */
    ARRAY_TRANSFORM_ROWS,       /* replace each row by its discrete Fourier transform (field_transform()) */
    ARRAY_SOLVE_ROWS,           /* solve a system of equations for each row, its right side (tridiagonal_solve()) */
    ARRAY_SOLVE_COLUMNS         /* as ARRAY_SOLVE_ROWS, with the systems for columns: the array has been transposed,
                                 * so its columns are rows */
} ArrayWork;

Operation array_work(const Content *content, ArrayWork work);

/* Returns the k^2 elements of a block, row by row. The content must have been filled. Borrowed. */
guint64 *array_elements(const Content *content, Block block);

/* Elements of an array at the beginning, and their right values at the end. Each value follows from the place of the
 * element alone, and is computed in another way than schedules compute it:
 *
 *   - a transposed array has element (j, i) of the array in place (i, j); elements are drawn by their numbers;
 *   - an array that is a sum of geometric series has a transform in closed form: the sum of the first n powers of g
 *     is (g^n - 1)/(g - 1). The transform is left transposed, as a single exchange leaves it;
 *   - the solution of a system of equations is drawn; the right side is the solution times both matrices.  */
typedef struct ArrayValues ArrayValues;

/* Returns the values for an array of n x n elements. Freed by array_values_free(). */
ArrayValues *array_values_new(UseKind kind, gsize n);
void array_values_free(ArrayValues *values);

guint64 array_value_at_first(const ArrayValues *values, gsize row, gsize column);
guint64 array_value_at_last(const ArrayValues *values, gsize row, gsize column);
