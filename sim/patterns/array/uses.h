/* What slots hold in uses of the complete exchange (sim/cube/use.h): blocks of an array, with their elements.
 *
 * Elements are numbers of the field of field.h, 64 bits each. Slot i of processor x holds the elements of x's rows in
 * the columns that are i's rows, row by row. Each block has its elements wherever it goes: what a processor works on is
 * what lies in its slots. At the end every element is compared with what belongs there. */
#pragma once

#include "sim/cube/use.h"
#include "sim/schedule/content.h"

/* The content of blocks of `bytes`, which use_sizes() allows. Freed by content_free(). */
Content *array_content_new(const ExchangeUse *use, guint dimension, gint64 bytes);

/* Local work, of all processors on all their blocks. Rows are worked on where they lie: in each block there is a piece
 * of each row. */
typedef enum {
    ARRAY_TRANSPOSE_BLOCKS = 1, /* each block within itself: every byte is moved */
    ARRAY_TRANSFORM_ROWS,       /* discrete Fourier transforms (field_transform()) */
    ARRAY_SOLVE_ROWS,           /* systems of equations, their right sides in the rows (tridiagonal_solve()) */
    ARRAY_SOLVE_COLUMNS         /* the same with the array transposed: its rows are the columns of the systems */
} ArrayWork;

Operation array_work(const Content *content, ArrayWork work);

/* The elements of a block, in a memory that is in use: k^2, row by row. */
guint64 *array_elements(const Content *content, Block block);

/* What the elements of an array are at first, and what they must be at the end. Both follow from an element's place
 * alone, and the second is not computed as the program computes it:
 *   - a transposed array has element (j, i) of the array in place (i, j), and that is drawn by the element's number;
 *   - an array that is a sum of geometric series has a transform that can be written down: the sum of the powers of a
 *     number is (g^n - 1)/(g - 1). It is left transposed, as a single exchange leaves it;
 *   - of a system of equations the solution is drawn, and the right side is what that makes of both directions. */
typedef struct ArrayValues ArrayValues;

/* For an array of n x n elements, numbers of the field of field.h. */
ArrayValues *array_values_new(UseKind kind, gsize n);
void array_values_free(ArrayValues *values);

guint64 array_value_at_first(const ArrayValues *values, gsize row, gsize column);
guint64 array_value_at_last(const ArrayValues *values, gsize row, gsize column);
