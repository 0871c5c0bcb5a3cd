#include "tests/support/tests.h"

/* Walks the e-cube route and returns the number of channels; every step corrects a higher bit than the one before. */
static guint walk(guint from, guint to)
{
    guint hops = 0, above = 0;
    for (guint at = from; at != to; hops++) {
        guint dim = cube_first_dimension(at, to);
        ck_assert_uint_ge(dim, above);
        above = dim + 1;
        at ^= 1u << dim;
    }
    return hops;
}

TEST(routes)
{
    for (guint a = 0; a < 64; a++)
        for (guint b = 0; b < 64; b++) {
            ck_assert_uint_eq(walk(a, b), cube_distance(a, b));
            if (a != b)
                ck_assert_uint_eq(cube_last_dimension(a, b), 31 - (guint)__builtin_clz(a ^ b));
        }
    ck_assert_uint_eq(cube_first_dimension(5, 3), 1);
    ck_assert_uint_eq(cube_last_dimension(5, 3), 2);
}

TEST(channels)
{
    ck_assert_uint_eq(cube_channel(4, 0, 3), 3);
    ck_assert_uint_eq(cube_channel(4, 5, 1), 21);
}

TEST(bits)
{
    ck_assert_uint_eq(cube_reverse_bits(1, 4), 8);
    ck_assert_uint_eq(cube_reverse_bits(6, 3), 3);
    ck_assert_uint_eq(cube_reverse_bits(0, 0), 0);
    ck_assert_uint_eq(cube_rotate_left(0x9, 4, 1), 0x3);
    ck_assert_uint_eq(cube_rotate_left(0x9, 4, 4), 0x9);
    ck_assert_uint_eq(cube_rotate_left(0, 0, 0), 0);
    ck_assert_uint_eq(cube_rotate_left(0x8001, 16, 1), 0x0003);
    for (guint x = 0; x < 128; x++)
        ck_assert_uint_eq(cube_reverse_bits(cube_reverse_bits(x, 7), 7), x);
}

TESTS(cube, routes, channels, bits)
