/* Partitions of the dimension: reading, printing, and all the compositions. */
#include "tests.h"
#include "../models/input.h"
#include "../models/partition.h"

#include <string.h>

static void assert_parts(const Partition *partition, const char *expected)
{
    g_autofree char *text = partition_format(partition);
    ck_assert_str_eq(text, expected);
}

START_TEST(parsing)
{
    static const struct {
        const char *text, *formatted;
        guint dimension;
    } cases[] = {
        {"3,3", "3,3", 6},
        {"6", "6", 6},
        {" 1 , 2,3 ", "1,2,3", 6},
        {"3,2,1", "3,2,1", 6},          /* the order is kept */
        {"", "", 0},
        {"16", "16", 16},
        {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", 16},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Partition partition;
        ck_assert_msg(partition_parse("--partition", cases[i].text, cases[i].dimension, &partition, NULL), "'%s'",
                      cases[i].text);
        assert_parts(&partition, cases[i].formatted);
    }
}
END_TEST

START_TEST(bad_partitions)
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
        {"0", 0, "'0' is not allowed; allowed: a whole number from 1 to 16"},
        {"0,6", 6, "'0' is not allowed"},
        {"17", 6, "'17' is not allowed"},
        {"-3,9", 6, "'-3' is not allowed"},
        {"3,,3", 6, "'' is not allowed"},
        {"3,3,", 6, "'' is not allowed"},
        {"3;3", 6, "'3;3' is not allowed"},
        {"3 3", 6, "'3 3' is not allowed"},
        {"a,b", 6, "'a' is not allowed"},
        {"4294967296", 6, "'4294967296' is not allowed"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        Partition partition;
        ck_assert_msg(!partition_parse("--partition", cases[i].text, cases[i].dimension, &partition, &error),
                      "'%s' was accepted", cases[i].text);
        ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
        ck_assert(g_str_has_prefix(error->message, "--partition: "));
        ck_assert_msg(strstr(error->message, cases[i].says) != NULL, "%s", error->message);
    }
}
END_TEST

START_TEST(extremes)
{
    for (guint d = 0; d <= MACHINE_DIMENSION_MAX; d++) {
        Partition standard = partition_standard(d), direct = partition_direct(d);
        ck_assert_uint_eq(standard.n_parts, d);
        for (guint i = 0; i < d; i++)
            ck_assert_uint_eq(standard.part[i], 1);
        ck_assert_uint_eq(direct.n_parts, d ? 1 : 0);
        if (d)
            ck_assert_uint_eq(direct.part[0], d);
    }
}
END_TEST

/* 2^(d-1) compositions, each a sum to d, no two the same. */
START_TEST(compositions)
{
    guint d = (guint)_i;
    guint n = partition_n_compositions(d);
    ck_assert_uint_eq(n, d == 0 ? 1 : 1u << (d - 1));
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < n; i++) {
        Partition partition = partition_composition(d, i);
        guint sum = 0;
        for (guint p = 0; p < partition.n_parts; p++) {
            ck_assert_uint_ge(partition.part[p], 1);
            sum += partition.part[p];
        }
        ck_assert_uint_eq(sum, d);
        ck_assert(g_hash_table_add(seen, partition_format(&partition)));
    }
}
END_TEST

START_TEST(compositions_of_3)
{
    static const char *const expected[] = {"3", "1,2", "2,1", "1,1,1"};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        Partition partition = partition_composition(3, i);
        assert_parts(&partition, expected[i]);
    }
}
END_TEST

Suite *suite_partition(void)
{
    Suite *suite = suite_create("partition");
    TCase *tc = tcase_create("partition");
    tcase_add_test(tc, parsing);
    tcase_add_test(tc, bad_partitions);
    tcase_add_test(tc, extremes);
    tcase_add_loop_test(tc, compositions, 0, 13);
    tcase_add_test(tc, compositions_of_3);
    suite_add_tcase(suite, tc);
    return suite;
}
