#include "field.h"

#define GENERATOR 7     /* its powers are all numbers of the field but 0 */

guint64 field_power(guint64 base, guint64 exponent)
{
    guint64 power = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = field_multiply(power, base);
        base = field_multiply(base, base);
    }
    return power;
}

guint64 field_inverse(guint64 a)
{
    return field_power(a, FIELD_PRIME - 2);
}

guint64 field_root(guint64 n)
{
    g_assert(n > 0 && (FIELD_PRIME - 1) % n == 0);
    return field_power(GENERATOR, (FIELD_PRIME - 1) / n);
}
