/* Partitions of the dimension: reading, printing, and all the compositions. */
#include "sim/cube/partition.h"
#include "tests/support/tests.h"

static void assert_parts(const Phases *partition, const char *expected)
{
    g_autofree char *text = partition_format(partition);
    ck_assert_str_eq(text, expected);
}

TEST(parsing)
{
    static const struct {
        const char *text, *formatted;
        guint dimension;
    } cases[] = {
        {"3,3", "3,3", 6},
        {"6", "6", 6},
        {" 1 , 2,3 ", "1,2,3", 6},
        {"(3,3)", "3,3", 6},            /* as it is printed */
        {"( 1 , 5 )", "1,5", 6},
        {"()", "", 0},
        {"3,2,1", "3,2,1", 6},          /* the order is kept */
        {"", "", 0},
        {"16", "16", 16},
        {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", 16},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Phases partition;
        ck_assert_msg(partition_parse("--partition", cases[i].text, cases[i].dimension, &partition, NULL), "'%s'",
                      cases[i].text);
        assert_parts(&partition, cases[i].formatted);
    }
}

TEST(bad_partitions)
{
    static const struct {
        const char *text;
        guint dimension;
        const char *says;
    } cases[] = {
        {"2,2", 6, "'2,2' sums to 4; allowed: parts that sum to the dimension, 6"},
        {"3,4", 6, "'3,4' sums to 7"},
        {"", 6, "'' sums to 0"},
        {"1", 0, "'1' sums to 1"},
        {"16,16,16,16", 16, "sums to 64"},
        {"0", 0, "'0' is not allowed; allowed: a whole number from 1 to "},
        {"0,6", 6, "'0' is not allowed"},
        {"65", 6, "'65' is not allowed"},
        {"17", 6, "'17' is not allowed; allowed: a whole number from 1 to 6"},
        {"-3,9", 6, "'-3' is not allowed"},
        {"3,,3", 6, "'' is not allowed"},
        {"3,3,", 6, "'' is not allowed"},
        {"(3,3", 6, "'(3' is not allowed"},
        {"3,3)", 6, "'3)' is not allowed"},
        {"(3),(3)", 6, "'3)' is not allowed"},
        {"(", 6, "'(' is not allowed"},
        {"3;3", 6, "'3;3' is not allowed"},
        {"3 3", 6, "'3 3' is not allowed"},
        {"a,b", 6, "'a' is not allowed"},
        {"4294967296", 6, "'4294967296' is not allowed"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        Phases partition;
        ck_assert_msg(!partition_parse("--partition", cases[i].text, cases[i].dimension, &partition, &error),
                      "'%s' was accepted", cases[i].text);
        test_refused(error, "--partition: ", cases[i].says);
    }
}

TEST(extremes)
{
    for (guint d = 0; d <= MACHINE_DIMENSION_MAX; d++) {
        Phases standard = partition_standard(d), direct = partition_direct(d);
        ck_assert_uint_eq(standard.n_parts, d);
        for (guint i = 0; i < d; i++)
            ck_assert_uint_eq(standard.part[i], 1);
        ck_assert_uint_eq(direct.n_parts, d ? 1 : 0);
        if (d)
            ck_assert_uint_eq(direct.part[0], d);
    }
}

/* 2^(d-1) compositions, each a sum to d, no two the same. */
TEST_LOOP(compositions, 0, 13)
{
    guint d = (guint)_i;
    guint n = test_n_compositions(d);
    ck_assert_uint_eq(n, d == 0 ? 1 : 1u << (d - 1));
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < n; i++) {
        Phases partition = test_composition(d, i);
        guint sum = 0;
        for (guint p = 0; p < partition.n_parts; p++) {
            ck_assert_uint_ge(partition.part[p], 1);
            sum += partition.part[p];
        }
        ck_assert_uint_eq(sum, d);
        ck_assert(g_hash_table_add(seen, partition_format(&partition)));
    }
}

TEST(compositions_of_3)
{
    static const char *const expected[] = {"3", "1,2", "2,1", "1,1,1"};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        Phases partition = test_composition(3, i);
        assert_parts(&partition, expected[i]);
    }
}

/* Bokhari 1993: the parts of an equipartition differ by at most 1. */
TEST(equipartitions)
{
    for (guint d = 1; d <= PARTITION_DIMENSION_MAX; d++)
        for (guint n = 1; n <= d; n++) {
            Phases partition = partition_equipartition(d, n);
            guint sum = 0;
            ck_assert_uint_eq(partition.n_parts, n);
            for (guint i = 0; i < n; i++) {
                sum += partition.part[i];
                ck_assert(i == 0 || partition.part[i - 1] <= partition.part[i]);
            }
            ck_assert_uint_eq(sum, d);
            ck_assert(partition_is_equipartition(&partition));
        }
    Phases example = partition_equipartition(8, 3), uneven = {2, {1, 3}}, empty = {0};
    assert_parts(&example, "2,3,3");
    ck_assert(!partition_is_equipartition(&uneven));
    ck_assert(partition_is_equipartition(&empty));
}

/* The five partitions of 4 (Bokhari 1993, sec. 3), each in non-decreasing order. */
TEST(partitions_of_4)
{
    static const char *const expected[] = {"1,1,1,1", "1,1,2", "1,3", "2,2", "4"};
    Phases partition = partition_standard(4);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_parts(&partition, expected[i]);
        ck_assert_int_eq(partition_next(&partition), i + 1 < G_N_ELEMENTS(expected));
    }
}

/* p(d), the number of partitions of d, part size by part size. */
static guint64 count_partitions(guint dimension)
{
    guint64 count[PARTITION_DIMENSION_MAX + 1] = {1};
    for (guint part = 1; part <= dimension; part++)
        for (guint sum = part; sum <= dimension; sum++)
            count[sum] += count[sum - part];
    return count[dimension];
}

/* p(d), all distinct, each a sum to d. p(20) = 627 (Bokhari 1993, sec. 3.2). */
TEST_LOOP(enumeration, 0, 21)
{
    static const guint64 p[] = {1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77, 101, 135, 176, 231, 297, 385, 490, 627};
    guint d = (guint)_i;
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Phases partition = partition_standard(d);
    do {
        guint sum = 0;
        for (guint i = 0; i < partition.n_parts; i++) {
            sum += partition.part[i];
            ck_assert(i == 0 || partition.part[i - 1] <= partition.part[i]);
        }
        ck_assert_uint_eq(sum, d);
        ck_assert(g_hash_table_add(seen, partition_format(&partition)));
    } while (partition_next(&partition));
    ck_assert_uint_eq(g_hash_table_size(seen), p[d]);
    ck_assert(count_partitions(d) == p[d]);
}

TEST(equality)
{
    Phases a = {2, {3, 3}}, b = {2, {3, 3, 9}}, c = {2, {3, 4}}, shorter = {1, {3}};
    ck_assert(partition_equal(&a, &b));     /* what lies behind the last part does not count */
    ck_assert(!partition_equal(&a, &c));
    ck_assert(!partition_equal(&a, &shorter));
    Phases mixed = {3, {3, 1, 2}}, sorted = {3, {1, 2, 3}};
    ck_assert(partition_has_parts(&mixed, &sorted) && !partition_has_parts(&a, &sorted));
    ck_assert(count_partitions(64) == 1741630);
}

/* By hand for 12 and 10 processors. All lists of 12, 24 and 64, counted by f(1) = 1, f(n) = sum over r = 2 ... n of
 * f(n/r rounded up); each is allowed, its last radix as small as it can be, and no two are equal. */
TEST(radices)
{
    static const guint processors[] = {3, 12, 24, 64}, counts[] = {2, 20, 68, 409};
    Phases twos = radices_uniform(12, 2), threes = radices_uniform(12, 3), all = radices_uniform(12, 12);
    Phases equal[] = {radices_equal(10, 4), radices_equal(10, 3), radices_equal(10, 2), radices_equal(10, 1)};
    assert_parts(&twos, "2,2,2,2");
    assert_parts(&threes, "3,3,2");
    assert_parts(&all, "12");
    assert_parts(&equal[0], "2,2,2,2");
    assert_parts(&equal[1], "2,2,3");
    assert_parts(&equal[2], "3,4");
    assert_parts(&equal[3], "10");
    for (guint i = 0; i < G_N_ELEMENTS(processors); i++) {
        const Group *group = group_cyclic(processors[i]);
        Phases list = radices_uniform(group->n, 2), parsed;
        g_autofree char *before = g_strdup("");
        guint n = 0;
        do {
            g_autofree char *text = partition_format(&list);
            ck_assert(radices_parse("", text, group, &parsed, NULL) && partition_equal(&parsed, &list));
            guint last = list.part[list.n_parts - 1];
            ck_assert_uint_lt(radices_of(&list, group).stride[list.n_parts] / last * (last - 1), group->n);
            ck_assert_str_ne(text, before);
            g_free(before);
            before = g_steal_pointer(&text);
            n++;
        } while (radices_next(&list, group->n));
        ck_assert_uint_eq(n, counts[i]);
    }
}

TESTS(partition, parsing, bad_partitions, extremes, compositions, compositions_of_3, equipartitions, partitions_of_4,
      enumeration, equality, radices)
