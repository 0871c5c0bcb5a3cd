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
    ck_assert_double_eq_tol(statistics_t(0.995, 5), 4.032143, 1e-4);
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

/* 36 repetitions around 100, quartiles 5 apart: 1.2533/1.349 x 0.05/6. Too few say nothing, nor does a clock that is
 * too coarse. The mean of 1, 2, 6 has the error sqrt(7/3), that of equal values is not known. */
TEST(summaries)
{
    StatisticsEstimate one = statistics_of_quartiles(100, 5, 36);
    ck_assert_double_eq_tol(one.centre, log(100), 1e-12);
    ck_assert_double_eq_tol(one.error, 0.0077421, 1e-6);
    ck_assert_double_eq_tol(one.df, 12.95, 1e-9);
    ck_assert_double_eq(statistics_of_quartiles(100, 5, 9).df, 2);
    ck_assert(isnan(statistics_of_quartiles(100, 5, 4).error));
    ck_assert(isnan(statistics_of_quartiles(100, 0, 100).error));
    StatisticsEstimate mean = statistics_mean((const double[]){1, 6, 2}, 3);
    ck_assert_double_eq(mean.centre, 3);
    ck_assert_double_eq_tol(mean.error, sqrt(7 / 3.), 1e-12);
    ck_assert(isnan(statistics_mean((const double[]){2, 2}, 2).error));
    StatisticsInterval ends = statistics_ends(mean, 0.025);
    ck_assert_double_eq_tol(ends.high, 3 + 4.302653 * sqrt(7 / 3.), 1e-4);
    ck_assert_double_eq_tol(ends.low, 3 - 4.302653 * sqrt(7 / 3.), 1e-4);
    ck_assert_double_eq(statistics_ends((StatisticsEstimate){3, 0, 1}, 0.025).high, 3);
    ck_assert(isinf(statistics_ends((StatisticsEstimate){3, NAN, 1}, 0.025).low));
}

/* Errors 3 and 4, of 8 and 16 degrees: 5, and 25 x 25/(81/8 + 256/16). */
TEST(differences)
{
    StatisticsEstimate d = statistics_difference((StatisticsEstimate){10, 3, 8}, (StatisticsEstimate){4, 4, 16});
    ck_assert_double_eq(d.centre, 6);
    ck_assert_double_eq(d.error, 5);
    ck_assert_double_eq_tol(d.df, 625 / 26.125, 1e-9);
    ck_assert(isnan(statistics_difference(d, (StatisticsEstimate){1, NAN, 1}).error));
    ck_assert_double_eq(statistics_difference(d, (StatisticsEstimate){1, 0, 1}).error, 5);
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
    return *(const double *)a < *(const double *)b ? -1 : 1;
}

/* The 95 % interval of a median by its quartiles holds in 93 to 98 % of 2,000 draws, of 20 and of 100 repetitions that
 * only get longer: 100 µs and an exponential part of 20 µs, whose median is 100 + 20 ln 2. */
TEST_LOOP(medians_hold, 0, 2)
{
    const guint n = _i ? 100 : 20;
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    guint n_hold = 0;
    for (guint draw = 0; draw < 2000; draw++) {
        double v[100];
        for (guint i = 0; i < n; i++)
            v[i] = 100 - 20 * log(1 - g_rand_double(random));
        qsort(v, n, sizeof *v, compare_doubles);
        double low = v[n / 4], high = v[n - 1 - n / 4], median = (v[n / 2 - 1] + v[n / 2]) / 2;
        StatisticsInterval ends = statistics_ends(statistics_of_quartiles(median, high - low, n), 0.025);
        n_hold += ends.low <= log(100 + 20 * log(2)) && log(100 + 20 * log(2)) <= ends.high;
    }
    ck_assert_uint_ge(n_hold, 1860);
    ck_assert_uint_le(n_hold, 1960);
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

TESTS(statistics, quantiles, signed_ranks, trimmed, intervals, summaries, differences, medians_hold, correlated)
