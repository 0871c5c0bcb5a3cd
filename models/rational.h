/* Exact fractions, and what whole numbers have in common. */
#pragma once

#include <glib.h>

/* numerator/denominator >= 0, not reduced. */
typedef struct {
    __int128 numerator;
    gint64 denominator;
} Rational;

Rational rational_add(Rational a, Rational b);
double rational_real(Rational x);

/* The greatest common divisor; that of a and 0 is a. The least common multiple of numbers above 0. */
gint64 common_divisor(gint64 a, gint64 b);
gint64 common_multiple(gint64 a, gint64 b);
