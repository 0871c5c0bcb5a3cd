/* Exact fractions, and numbers of the papers' tables as cells. */
#pragma once

#include "table.h"

/* numerator/denominator >= 0, not reduced. */
typedef struct {
    __int128 numerator;
    gint64 denominator;
} Rational;

Rational rational_add(Rational a, Rational b);
double rational_real(Rational x);

/* The greatest common divisor; of a and 0 it is a. The least common multiple of numbers above 0. */
gint64 common_divisor(gint64 a, gint64 b);
gint64 common_multiple(gint64 a, gint64 b);

/* `value` is not negative. */
void table_add_whole(Table *table, __int128 value);

/* 70/3 for people, 23.333333 elsewhere. */
void table_add_rational(Table *table, Rational value);

/* Two decimals for people, six elsewhere; a dash if it is infinite. */
void table_add_real(Table *table, double value);

/* Several reals, with semicolons between them. */
void table_add_reals(Table *table, const double *values, guint n);
