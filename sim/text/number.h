/* Exact fractions, and numbers of the papers' tables as cells. */
#pragma once

#include "table.h"

/* Fraction numerator/denominator >= 0, not reduced. */
typedef struct {
    __int128 numerator;
    gint64 denominator;
} Rational;

Rational rational_add(Rational a, Rational b);
double rational_real(Rational x);

/* Returns the greatest common divisor of a and b; of a and 0 it is a. */
gint64 common_divisor(gint64 a, gint64 b);
/* Returns the least common multiple of a and b, both above 0. */
gint64 common_multiple(gint64 a, gint64 b);

/* Adds a cell with `value`, which is not negative. */
void table_add_whole(Table *table, __int128 value);

/* Adds a cell with a fraction: 70/3 for people, 23.333333 elsewhere. */
void table_add_rational(Table *table, Rational value);

/* Adds a cell with two decimals for people and six elsewhere; without decimals if `value` is whole. A value that is not
 * finite does not apply: a dash for people. */
void table_add_real(Table *table, double value);

/* Adds one cell with n reals, as table_add_real() writes them, separated by semicolons. A value that is not finite is
 * "-". */
void table_add_reals(Table *table, const double *values, guint n);
