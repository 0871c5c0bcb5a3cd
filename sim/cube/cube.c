#include "cube.h"

guint cube_reverse_bits(guint node, guint dimension)
{
    guint reversed = 0;
    for (guint i = 0; i < dimension; i++)
        reversed = reversed << 1 | (node >> i & 1);
    return reversed;
}

guint cube_rotate_left(guint address, guint width, guint by)
{
    guint mask = (1u << width) - 1;
    return ((address << by) | (address >> (width - by))) & mask;
}

guint cube_base(guint address, guint width)
{
    guint base = 0, least = address;
    for (guint by = 1; by < width; by++) {
        guint rotated = cube_rotate_right(address, width, by);
        base = rotated < least ? by : base;
        least = MIN(least, rotated);
    }
    return base;
}

/* Whether the one bits of `dims` are consecutive; FALSE for 0. */
static gboolean is_run(guint dims)
{
    return dims && !(dims & (dims + (dims & -dims)));
}

guint cube_gather_bits(guint x, guint dims)
{
    if (is_run(dims))
        return (x & dims) >> __builtin_ctz(dims);
    guint gathered = 0;
    for (guint i = 0; dims; dims &= dims - 1, i++)
        gathered |= (x & dims & -dims ? 1u : 0) << i;
    return gathered;
}

guint cube_spread_bits(guint x, guint dims)
{
    if (is_run(dims))
        return x << __builtin_ctz(dims) & dims;
    guint spread = 0;
    for (; dims; dims &= dims - 1, x >>= 1)
        spread |= x & 1 ? dims & -dims : 0;
    return spread;
}
