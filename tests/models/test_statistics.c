/* Robust intervals: quantiles and the signed rank distribution against printed tables, small cases worked by hand. */
#include "models/statistics.h"
#include "tests/support/tests.h"

TEST(quantiles)
{
    ck_assert_double_eq_tol(statistics_normal(0.975), 1.959964, 1e-6);
    ck_assert_double_eq_tol(statistics_normal(0.0001), -3.719016, 1e-6);
    ck_assert_double_eq_tol(statistics_t(0.995, 23), 2.807336, 1e-5);
    ck_assert_double_eq_tol(statistics_t(0.995, 11), 3.105807, 1e-5);
    ck_assert_double_eq_tol(statistics_t(0.005, 11), -3.105807, 1e-5);
    ck_assert_double_eq_tol(statistics_t(0.95, 5), 2.015048, 1e-4);
    ck_assert_double_eq_tol(statistics_t(0.975, 1), 12.706205, 1e-5);
    ck_assert_double_eq_tol(statistics_t(0.025, 2), -4.302653, 1e-5);
    ck_assert_double_eq_tol(statistics_t(0.9999, 1e6), 3.719016, 1e-3);
}

/* Wilcoxon's table: P(W <= 8) = 25/1024 for n = 10, P(W <= 2) = 3/64 for n = 6, P(W <= 0) = 1/16 for n = 4. */
TEST(signed_ranks)
{
    ck_assert_uint_eq(statistics_signed_rank(10, 0.025), 9);
    ck_assert_uint_eq(statistics_signed_rank(10, 25 / 1024.), 9);
    ck_assert_uint_eq(statistics_signed_rank(10, 24.9 / 1024.), 8);
    ck_assert_uint_eq(statistics_signed_rank(6, 0.05), 3);
    ck_assert_uint_eq(statistics_signed_rank(4, 0.05), 0);
    ck_assert_uint_eq(statistics_signed_rank(25, 0.01), 77);        /* P(W <= 76) <= 0.01 < P(W <= 77) */
    ck_assert_uint_eq(statistics_signed_rank(50, 0.05), 467);
    /* where the normal approximation takes over, the two differ by less than 1 % */
    double exact = (double)statistics_signed_rank(64, 0.001), approximate = (double)statistics_signed_rank(65, 0.001);
    ck_assert_double_eq_tol(approximate / exact, 65. * 66 / 64 / 65, 0.015);
}

TEST(trimmed)
{
    double values[] = {8, 1e9, 2, 1e-9, 4};
    ck_assert_double_eq_tol(statistics_trimmed_log(values, 5), log(4), 1e-12);
}

/* 1, 2, 3, 10, 4, 5: the 21 Walsh averages in order are 1, 1.5, 2, 2, 2.5, 2.5, 3, 3, 3, 3.5, 3.5, ... */
TEST(intervals)
{
    const double values[] = {1, 5, 2, 10, 3, 4};
    StatisticsInterval interval = statistics_interval(values, 6, 0.05);
    ck_assert_double_eq(interval.centre, 3.5);
    ck_assert(statistics_correlation(values, 6) < 0);
    ck_assert_double_eq_tol(interval.low, 2, 1e-12);        /* the third of them, as neighbours do not correlate */
    ck_assert_double_eq_tol(interval.high, 7, 1e-12);       /* the third from the end: 10, 7.5, 7 */
    ck_assert_double_eq(interval.effective, 6);
    ck_assert(isinf(statistics_interval(values, 4, 0.05).low));
}

/* Values that come in runs say less: 40 runs of 10. */
TEST(correlated)
{
    double values[400];
    GRand *random = g_rand_new_with_seed(1);
    for (guint i = 0; i < 400; i++)
        values[i] = i % 10 ? values[i - 1] : g_rand_double(random);
    g_rand_free(random);
    double r = statistics_correlation(values, 400);
    ck_assert(r > 0.85 && r < 0.95);
    StatisticsInterval interval = statistics_interval(values, 400, 0.005);
    ck_assert(interval.effective > 10 && interval.effective < 40);
    double narrow = sqrt(1 / 12. / 400) * 2.58;
    ck_assert(interval.high - interval.low > 5 * narrow);
}

TESTS(statistics, quantiles, signed_ranks, trimmed, intervals, correlated)
