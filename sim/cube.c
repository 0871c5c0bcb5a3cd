#include "cube.h"

guint cube_reverse_bits(guint node, guint dimension)
{
    guint reversed = 0;
    for (guint i = 0; i < dimension; i++)
        reversed |= (node >> i & 1) << (dimension - 1 - i);
    return reversed;
}

guint cube_rotate_left(guint address, guint width, guint by)
{
    guint mask = (1u << width) - 1;
    return ((address << by) | (address >> (width - by))) & mask;
}
