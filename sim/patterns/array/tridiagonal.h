/* Tridiagonal systems of equations over the field of field.h. */
#pragma once

#include <glib.h>

/* The same three numbers in every line: lower x[i-1] + diagonal x[i] + upper x[i+1], where x[-1] and x[n] are 0. */
typedef struct {
    guint64 lower, diagonal, upper;
} Tridiagonal;

/* What an Alternating Direction Implicit sweep solves along the rows of an array, and along its columns. */
extern const Tridiagonal tridiagonal_of_rows, tridiagonal_of_columns;

/* What Thomas's algorithm needs for any right side. */
typedef struct {
    gsize n;
    guint64 upper;
    guint64 *multipliers;   /* [n]; the first is not used */
    guint64 *reciprocals;   /* [n]: of the diagonal after the elimination */
} Elimination;

Elimination *elimination_new(const Tridiagonal *matrix, gsize n);
void elimination_free(Elimination *elimination);

/* The right side becomes the solution. */
void elimination_solve(const Elimination *elimination, guint64 *row);
