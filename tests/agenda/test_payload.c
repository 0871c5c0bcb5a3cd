/* Payloads: the bytes of blocks. */
#include "sim/agenda/payload.h"
#include "tests/support/tests.h"

/* Words 3, 9, and the low half of 15. */
TEST(bytes_of_a_key)
{
    static const guint8 wanted[] = {3, 0, 0, 0, 9, 0, 0, 0, 15, 0};
    guint8 bytes[sizeof wanted + 1];
    memset(bytes, 0xee, sizeof bytes);
    payload_fill(3, bytes, sizeof wanted);
    ck_assert_mem_eq(bytes, wanted, sizeof wanted);
    ck_assert_uint_eq(bytes[sizeof wanted], 0xee);
}

/* Whichever byte of a block is changed, it is that which is found; and nothing else. */
TEST(every_byte_counts)
{
    for (gsize n = 0; n < 20; n++) {
        guint8 bytes[20], wanted = 0;
        payload_fill(0x89abcdef, bytes, n);
        ck_assert_uint_eq(payload_compare(0x89abcdef, bytes, n, &wanted), n);
        for (gsize i = 0; i < n; i++) {
            guint8 right = bytes[i];
            bytes[i] ^= 0x10;
            ck_assert_uint_eq(payload_compare(0x89abcdef, bytes, n, &wanted), i);
            ck_assert_uint_eq(wanted, right);
            bytes[i] = right;
        }
    }
}

/* What belongs to a sum is the sum, of any number of bytes, also where words overflow. */
TEST(sums_of_payloads)
{
    static const guint32 keys[][2] = {{1, 2}, {0xffffffff, 1}, {0x80000000, 0x80000001}, {0x12345678, 0xfedcba98}};
    for (guint k = 0; k < G_N_ELEMENTS(keys); k++)
        for (gsize n = 0; n < 20; n++) {
            guint8 sum[20], term[20], wanted;
            payload_fill(keys[k][0], sum, n);
            payload_fill(keys[k][1], term, n);
            payload_add(sum, term, n);
            ck_assert_uint_eq(payload_compare(keys[k][0] + keys[k][1], sum, n, &wanted), n);
        }
}

/* Blocks that differ in one bit, wherever it is, have other keys. */
TEST(keys_of_blocks)
{
    for (guint bit = 0; bit < 64; bit++)
        ck_assert_uint_ne(payload_key((Block)1 << bit, FALSE), payload_key(0, FALSE));
    ck_assert_uint_eq(payload_key(5, TRUE) + payload_key(7, TRUE), payload_key(12, TRUE));
}

TESTS(payload, bytes_of_a_key, every_byte_counts, sums_of_payloads, keys_of_blocks)
