/* Permutations of address bits: reading, applying, cycles, orders, and the laws of a group. */
#include "sim/cube/permutation.h"
#include "sim/machine/transfer.h"
#include "tests/support/tests.h"

static void assert_cycles(const Permutation *p, const char *expected)
{
    g_autofree char *text = permutation_format(p);
    ck_assert_str_eq(text, expected);
}

TEST(parsing)
{
    static const struct {
        const char *text, *cycles;
        guint dimension;
    } cases[] = {
        {"identity", "identity", 4},
        {"shuffle", "0,1,2,3", 4},
        {"shuffle:1", "0,1,2,3", 4},
        {"shuffle:2", "0,2/1,3", 4},
        {"shuffle:0", "identity", 4},
        {"shuffle:4", "identity", 4},
        {"shuffle:5", "0,1,2,3", 4},
        {"shuffle:4", "0,4,2/1,5,3", 6},
        {"unshuffle", "0,3,2,1", 4},
        {"unshuffle:3", "0,1,2,3", 4},
        {"shuffle", "identity", 1},
        {"shuffle", "identity", 0},
        {"unshuffle:7", "identity", 0},
        {"bit-reversal", "0,3/1,2", 4},
        {"bit-reversal", "0,4/1,3", 5},
        {"transpose", "0,2/1,3", 4},
        {"transpose", "0,2/1,3", 5},        /* the highest bit stays */
        {"transpose", "identity", 1},
        {"exchange:3,1", "3,1", 4},
        {"exchange: 3 , 1 ", "3,1", 4},
        {"cycles:0,1,2,3/4,5,6", "0,1,2,3/4,5,6", 7},
        {"0,1,2,3/4,5,6", "0,1,2,3/4,5,6", 7},
        {"5,6,4/2,3,0,1", "5,6,4/2,3,0,1", 7},  /* order and beginnings are kept */
        {"2/0,1/3", "0,1", 4},
        {"2", "identity", 4},
        {"cycles: 0 , 1 / 2 , 3 ", "0,1/2,3", 4},
        {"mapping:1,2,0", "0,1,2", 4},
        {"mapping:3,2,1,0", "0,3/1,2", 4},
        {"mapping:0", "identity", 4},
        {"0,5/1,2/6,7", "0,5/1,2/6,7", 4},      /* mixed, real, virtual */
        {"mapping:0,1,2,3,5,4", "4,5", 4},
        {"0,31", "0,31", 4},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_permutation(cases[i].text, cases[i].dimension);
        assert_cycles(&p, cases[i].cycles);
        ck_assert_uint_eq(p.dimension, cases[i].dimension);
        Permutation again = test_permutation(cases[i].cycles, cases[i].dimension);
        assert_cycles(&again, cases[i].cycles);
        ck_assert(permutation_equal(&p, &again));
    }
}

TEST(full_of_cycles)
{
    /* as many cycles as fit, and dimensions alone between them */
    g_autoptr(GString) text = g_string_new(NULL), alone = g_string_new("31");
    for (guint i = 0; i < 32; i += 2)
        g_string_append_printf(text, "%s%u,%u", i ? "/" : "", i, i + 1);
    Permutation p = test_permutation(text->str, 16);
    assert_cycles(&p, text->str);
    ck_assert_uint_eq(p.n_cycles, 16);
    for (guint i = 0; i < 31; i++)
        g_string_append_printf(alone, "/%u", i);
    p = test_permutation(alone->str, 16);
    assert_cycles(&p, "identity");
    g_string_append(text, "/7");
    ck_assert(!permutation_parse("x", text->str, 16, &p, NULL));
}

TEST(bad_permutations)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "--permutation: '' is not allowed; allowed: identity, bit-reversal, transpose, shuffle, unsh"},
        {"bit-reversl", "did you mean 'bit-reversal'?"},
        {"3-shuffle", "did you mean 'shuffle'?"},
        {"transpose:2", "--permutation: transpose: '2' is too much; allowed: nothing behind"},
        {"shuffle:x", "--permutation: shuffle: 'x' is not allowed; allowed: a whole number from 0 to 32"},
        {"shuffle:-1", "'-1' is not allowed"},
        {"shuffle:", "'' is not allowed"},
        {"exchange", "'exchange' lacks its dimensions; allowed: exchange:I,J"},
        {"exchange:1", "'1' is not two dimensions; allowed: exchange:I,J"},
        {"exchange:1,2,3", "'1,2,3' is not two dimensions"},
        {"exchange:1,1", "'1' is named twice"},
        {"exchange:1/2,3", "is not two dimensions"},
        {"cycles", "'cycles' lacks its dimensions"},
        {"mapping", "'mapping' lacks its dimensions"},
        {"0,1,0", "'0' is named twice; allowed: every dimension at most once"},
        {"0,1/1,2", "'1' is named twice"},
        {"0,1//2", "'' is an empty cycle"},
        {"0,1/", "'' is an empty cycle"},
        {"cycles:", "--permutation: cycles: '' is an empty cycle; allowed: dimensions separated by commas"},
        {"cycles:/", "'' is an empty cycle"},
        {"mapping:", "--permutation: mapping: '' is no permutation; allowed: a list with each of 0, 1, ..., one"},
        {"0,,1", "'' is not allowed; allowed: a whole number from 0 to 31"},
        {"0,32", "'32' is not allowed; allowed: a whole number from 0 to 31"},
        {"cycles:0;1", "'0;1' is not allowed"},
        {"0 1", "'0 1' is not allowed"},
        {"mapping:1,2", "'1,2' is no permutation; allowed: a list with each of 0, 1, ..., one less than its len"},
        {"mapping:1,1", "'1' is named twice"},
        {"mapping:0,1/2", "'1/2' is not allowed"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p;
        g_autoptr(GError) error = NULL;
        ck_assert_msg(!permutation_parse("--permutation", cases[i].text, 4, &p, &error), "'%s'", cases[i].text);
        test_refused(error, "--permutation: ", cases[i].says);
    }
}

/* What of a permutation is real, and how much local memory it is about. */
TEST(parts)
{
    static const struct {
        const char *text;
        guint dimension;
        const char *real;           /* its real part */
        guint local;                /* dimensions */
        gboolean separable;
    } cases[] = {
        {"0,1/2,3", 4, "0,1/2,3", 0, TRUE},
        {"identity", 4, "identity", 0, TRUE},
        {"3,1/7", 4, "3,1", 0, TRUE},           /* alone in a cycle, dimension 7 stays */
        {"0,3", 3, "identity", 1, FALSE},
        {"0,1/3,4", 3, "0,1", 2, TRUE},
        {"0,7/3,1,2", 4, "3,1,2", 4, FALSE},    /* of 4 to 7 all but the last stay */
        {"4,5/2,1/0,6", 4, "2,1", 3, FALSE},
        {"0,1", 0, "identity", 2, TRUE},
        {"31,0", 1, "identity", 31, FALSE},
        {"mapping:1,0,2,3,4,5", 4, "0,1", 0, TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_permutation(cases[i].text, cases[i].dimension), real = permutation_real_part(&p);
        g_autofree char *text = permutation_format(&real);
        ck_assert_str_eq(text, cases[i].real);
        ck_assert_uint_eq(real.dimension, cases[i].dimension);
        ck_assert_uint_eq(permutation_local_dimensions(&p), cases[i].local);
        ck_assert_uint_eq(permutation_local_dimensions(&real), 0);
        ck_assert(permutation_is_separable(&p) == cases[i].separable);
    }
    Permutation p = test_permutation("2,1/4,0/5,3", 3), some = permutation_keep(&p, 6);
    g_autofree char *text = permutation_format(&some);
    ck_assert_str_eq(text, "4,0/5,3");
    ck_assert_uint_eq(permutation_apply(&some, 0x16), 0x07);    /* bits 1, 2 and 4: 4 goes to 0, 2 and 1 stay */
}

/* First one, then the other: apply(result, x) = apply(second, apply(first, x)). */
static Permutation then(const Permutation *first, const Permutation *second)
{
    guint8 to[PERMUTATION_BITS_MAX];
    guint n_bits = MAX(first->n_bits, second->n_bits);
    for (guint i = 0; i < n_bits; i++)
        to[i] = second->to[first->to[i]];
    return permutation_from_mapping(first->dimension, n_bits, to);
}

static Permutation inverse_of(const Permutation *p)
{
    guint8 to[PERMUTATION_BITS_MAX];
    for (guint i = 0; i < p->n_bits; i++)
        to[p->to[i]] = (guint8)i;
    return permutation_from_mapping(p->dimension, p->n_bits, to);
}

/* The smallest r > 0 such that doing it r times changes nothing: the least common multiple of the cycles' lengths. */
static guint period_of(const Permutation *p)
{
    gint64 period = 1;
    for (guint i = 0; i < p->n_cycles; i++)
        period = common_multiple(period, permutation_cycle_length(p, i));
    return (guint)period;
}

TEST(addresses)
{
    static const struct {
        const char *text;
        guint dimension, from, to;
    } cases[] = {
        {"shuffle", 4, 0x1, 0x2},           /* 0001 -> 0010 */
        {"shuffle", 4, 0x9, 0x3},           /* 1001 -> 0011 */
        {"unshuffle", 4, 0x9, 0xc},         /* 1001 -> 1100 */
        {"shuffle:3", 5, 0x13, 0x1c},       /* 10011 -> 11100 */
        {"bit-reversal", 5, 0x16, 0xd},     /* 10110 -> 01101 */
        {"transpose", 6, 0x31, 0xe},        /* 110 001 -> 001 110 */
        {"transpose", 5, 0x11, 0x14},       /* 1 00 01 -> 1 01 00 */
        {"exchange:0,3", 4, 0x1, 0x8},
        {"0,2,1", 3, 0x1, 0x4},             /* bit 0 to bit 2 */
        {"0,2,1", 3, 0x4, 0x2},             /* bit 2 to bit 1 */
        {"0,2,1", 3, 0x2, 0x1},
        {"0,4", 2, 0x11, 0x11},             /* a local bit */
        {"0,4", 2, 0x1, 0x10},
        {"0,1", 2, 0xf1, 0xf2},             /* bits above stay */
        {"0,31", 2, 0x1, 0x80000000},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_permutation(cases[i].text, cases[i].dimension), back = inverse_of(&p);
        ck_assert_uint_eq(permutation_apply(&p, cases[i].from), cases[i].to);
        ck_assert_uint_eq(permutation_apply(&back, cases[i].to), cases[i].from);
    }
}

TEST(orders)
{
    static const struct {
        const char *text;
        guint dimension, order, real, local, distance, period;
        gboolean separable;
    } cases[] = {
        {"identity", 4, 0, 0, 0, 0, 1, TRUE},
        {"shuffle", 5, 5, 5, 0, 4, 5, TRUE},
        {"bit-reversal", 5, 4, 4, 0, 4, 2, TRUE},
        {"0,1,2,3/4,5,6/7,8", 9, 9, 9, 0, 8, 12, TRUE},
        {"0,1,2/3,4,5", 6, 6, 6, 0, 4, 3, TRUE},
        {"0,1,2/5,6", 4, 5, 3, 2, 2, 6, TRUE},       /* a real and a virtual cycle */
        {"0,1,6", 4, 3, 2, 1, 2, 3, FALSE},          /* mixed: sigma_p processors apart (Lemma 4) */
        {"0,6/1,2,3", 4, 5, 4, 1, 3, 6, FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Permutation p = test_permutation(cases[i].text, cases[i].dimension);
        ck_assert_uint_eq(permutation_order(&p), cases[i].order);
        ck_assert_uint_eq(permutation_real_order(&p), cases[i].real);
        ck_assert_uint_eq(permutation_virtual_order(&p), cases[i].local);
        ck_assert_uint_eq(permutation_distance_max(&p), cases[i].distance);
        ck_assert_uint_eq(period_of(&p), cases[i].period);
        ck_assert(permutation_is_separable(&p) == cases[i].separable);
    }
    Permutation p = test_permutation("0,6/1,2,3/8,7", 4);
    ck_assert(permutation_cycle_kind(&p, 0) == CYCLE_MIXED);
    ck_assert(permutation_cycle_kind(&p, 1) == CYCLE_REAL);
    ck_assert(permutation_cycle_kind(&p, 2) == CYCLE_VIRTUAL);
}

#define N_BITS 4
#define N_ALL 24

/* All permutations of 4 bits. */
static void all_permutations(Permutation all[N_ALL])
{
    guint8 to[N_BITS] = {0, 1, 2, 3};
    guint n = 0;
    do
        all[n++] = permutation_from_mapping(N_BITS, N_BITS, to);
    while (test_next_order(to, N_BITS));
    ck_assert_uint_eq(n, N_ALL);
}

/* The largest distance between processors, counted: Theorem 1's proof. */
static guint counted_distance(const Permutation *p)
{
    guint most = 0;
    for (guint x = 0; x < 1u << p->n_bits; x++) {
        guint moved = (x ^ permutation_apply(p, x)) & ((1u << p->dimension) - 1);
        most = MAX(most, (guint)__builtin_popcount(moved));
    }
    return most;
}

TEST(group_laws)
{
    Permutation all[N_ALL], identity = permutation_identity(N_BITS);
    all_permutations(all);
    for (guint i = 0; i < N_ALL; i++) {
        Permutation inverse = inverse_of(&all[i]);
        Permutation left = then(&inverse, &all[i]), right = then(&all[i], &inverse);
        ck_assert(permutation_equal(&left, &identity) && permutation_equal(&right, &identity));
        ck_assert_uint_eq(counted_distance(&all[i]), permutation_distance_max(&all[i]));
        guint period = 1;
        for (Permutation power = all[i]; !permutation_equal(&power, &identity); period++)
            power = then(&power, &all[i]);
        ck_assert_uint_eq(period, period_of(&all[i]));
        g_autofree char *text = permutation_format(&all[i]);
        Permutation again = test_permutation(text, N_BITS);
        ck_assert(permutation_equal(&again, &all[i]));
        for (guint j = 0; j < N_ALL; j++) {
            Permutation both = then(&all[i], &all[j]);
            ck_assert(permutation_equal(&all[i], &all[j]) == (i == j));
            for (guint x = 0; x < 16; x++)
                ck_assert_uint_eq(permutation_apply(&both, x),
                                  permutation_apply(&all[j], permutation_apply(&all[i], x)));
        }
    }
}

/* Mixed and virtual cycles: the same 24 mappings on cubes of 0 to 3 processor dimensions. */
TEST(distances_with_local_bits)
{
    Permutation all[N_ALL];
    all_permutations(all);
    for (guint i = 0; i < N_ALL; i++)
        for (guint dimension = 0; dimension < N_BITS; dimension++) {
            Permutation p = permutation_from_mapping(dimension, N_BITS, all[i].to);
            ck_assert_uint_eq(counted_distance(&p), permutation_distance_max(&p));
            ck_assert_uint_eq(permutation_real_order(&p) + permutation_virtual_order(&p), permutation_order(&p));
            Permutation real = permutation_real_part(&p);
            ck_assert(permutation_equal(&real, &p) == (permutation_virtual_order(&p) == 0));
        }
}

/* Left shift, right shift, reversal and swap of halves, done with strings of bits. */
static guint from_bits(const char *bits)
{
    return (guint)g_ascii_strtoull(bits, NULL, 2);
}

TEST(names_up_to_dimension_10)
{
    for (guint d = 1; d <= 10; d++) {
        Permutation shuffle = test_permutation("shuffle", d), unshuffle = test_permutation("unshuffle", d);
        Permutation third = test_permutation("shuffle:3", d);
        Permutation reversal = test_permutation("bit-reversal", d), transpose = test_permutation("transpose", d);
        guint half = d / 2, odd = d % 2;
        for (guint x = 0; x < 1u << d; x++) {
            char bits[11] = {0}, moved[11] = {0};
            for (guint i = 0; i < d; i++)
                bits[i] = x >> (d - 1 - i) & 1 ? '1' : '0';
            for (guint i = 0; i < d; i++)
                moved[i] = bits[(i + 1) % d];
            ck_assert_uint_eq(permutation_apply(&shuffle, x), from_bits(moved));
            ck_assert_uint_eq(permutation_apply(&unshuffle, from_bits(moved)), x);
            for (guint i = 0; i < d; i++)
                moved[i] = bits[(i + 3) % d];
            ck_assert_uint_eq(permutation_apply(&third, x), from_bits(moved));
            memcpy(moved, bits, sizeof moved);
            g_strreverse(moved);
            ck_assert_uint_eq(permutation_apply(&reversal, x), from_bits(moved));
            memcpy(moved, bits, sizeof moved);
            memcpy(moved + odd, bits + odd + half, half);
            memcpy(moved + odd + half, bits + odd, half);
            ck_assert_uint_eq(permutation_apply(&transpose, x), from_bits(moved));
        }
    }
}

TESTS(permutation, parsing, full_of_cycles, bad_permutations, parts, addresses, orders, group_laws,
      distances_with_local_bits, names_up_to_dimension_10)
