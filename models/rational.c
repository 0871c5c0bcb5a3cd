#include "rational.h"

Rational rational_add(Rational a, Rational b)
{
    if (a.denominator == b.denominator)
        return (Rational){a.numerator + b.numerator, a.denominator};
    return (Rational){a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}

double rational_real(Rational x)
{
    return (double)x.numerator / (double)x.denominator;
}

gint64 common_divisor(gint64 a, gint64 b)
{
    return b ? common_divisor(b, a % b) : a;
}

gint64 common_multiple(gint64 a, gint64 b)
{
    return a / common_divisor(a, b) * b;
}
