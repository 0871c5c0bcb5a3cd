/* Numbers of matrices, and their products: modulo 2^64. */
#pragma once

#include "matrix.h"
#include "region.h"

typedef struct Arithmetic Arithmetic;

Arithmetic *arithmetic_new(MatmulShape shape);
void arithmetic_free(Arithmetic *arithmetic);

/* The elements of a piece of C, D or E, each drawn by its matrix, row and column. */
void arithmetic_generate(const Arithmetic *arithmetic, guint matrix, const Piece *piece, guint64 *elements);

/* C x D + E of multiplication m, row by row, from the generator alone. Kept until the end. Borrowed. */
const guint64 *arithmetic_reference(Arithmetic *arithmetic, guint m);

typedef struct {
    const Piece *piece;
    const guint64 *elements;
} Factor;

/* Adds C x D to sums for a patch of A. One of the factors at most is less than a patch. FALSE if they do not fit: some
 * column of C's is no row of D's and some row of D's no column of C's, or the patch lacks what is to be added to. */
gboolean arithmetic_multiply(Factor c, Factor d, const Patch *a, guint64 *sums);

/* Products of two elements that this takes; and those of them that are of column j of C and row j of D. */
gint64 arithmetic_n_products(const Piece *c, const Piece *d);
gint64 arithmetic_n_products_of(const Piece *c, const Piece *d, guint j);
