/* Robust regression without negative coefficients, on cases that can be worked by hand. */
#include "sim/fit/regression.h"
#include "tests/support/tests.h"

#include <math.h>

static const double none[101];

/* y = 3 + 2 x at 0, 1, 2, 3. */
TEST(line)
{
    const double x[] = {1, 0, 1, 1, 1, 2, 1, 3}, y[] = {3, 5, 7, 9};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){4, 2, x, none, y});
    ck_assert_double_eq_tol(found->value[0], 3, 1e-12);
    ck_assert_double_eq_tol(found->value[1], 2, 1e-12);
    for (guint i = 0; i < 4; i++)
        ck_assert_double_eq_tol(found->weight[i], 1, 1e-6);
}

/* What is known is taken off: y - (1, 1, 3, 3) = 2 + 1 x. */
TEST(offset)
{
    const double x[] = {1, 0, 1, 1, 1, 2, 1, 3}, known[] = {1, 1, 3, 3}, y[] = {3, 4, 7, 8};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){4, 2, x, known, y});
    ck_assert_double_eq_tol(found->value[0], 2, 1e-12);
    ck_assert_double_eq_tol(found->value[1], 1, 1e-12);
}

/* y = 10 + 2 x, but one time is ten times too long, and one a tenth of what it should be. */
TEST(outliers)
{
    double x[24], y[12];
    for (guint i = 0; i < 12; i++) {
        x[2 * i] = 1;
        x[2 * i + 1] = i;
        y[i] = (10 + 2 * i) * (i == 4 ? 10 : i == 9 ? 0.1 : 1);
    }
    g_autoptr(Regression) found = regression_fit(&(RegressionData){12, 2, x, none, y});
    ck_assert_double_eq_tol(found->value[0], 10, 1e-9);
    ck_assert_double_eq_tol(found->value[1], 2, 1e-9);
    for (guint i = 0; i < 12; i++)
        ck_assert_int_eq(found->weight[i] == 0, i == 4 || i == 9);
    ck_assert_double_eq_tol(found->residual[4], 9, 1e-9);      /* 180 instead of 18 */
    ck_assert_double_eq_tol(found->residual[9], -0.9, 1e-9);
}

/* The first fit weighs rows by their own times, and begins at sum(1/y)/sum(1/y^2) = 1.0009. By absolute residuals it
 * would begin at the mean, 486, from where the 49 long times of 101 are no outliers. With 40 short times of 101 it
 * begins at 11, from where the bisquare goes to 66, but the least absolute residuals to 100. */
static const struct {
    guint n_right;
    double right, wrong;
} starts[] = {{52, 1, 1000}, {61, 100, 10}};

TEST_LOOP(relative_start, 0, G_N_ELEMENTS(starts))
{
    double x[101], y[101];
    for (guint i = 0; i < 101; i++) {
        x[i] = 1;
        y[i] = i < starts[_i].n_right ? starts[_i].right : starts[_i].wrong;
    }
    g_autoptr(Regression) found = regression_fit(&(RegressionData){101, 1, x, none, y});
    ck_assert_double_eq_tol(found->value[0], starts[_i].right, 1e-6);
    for (guint i = 0; i < 101; i++)
        ck_assert_int_eq(found->weight[i] == 0, i >= starts[_i].n_right);
}

/* Without the bound the second coefficient were -1. */
TEST(bound)
{
    const double x[] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 1}, y[] = {5, 5, 5, 5, 4};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){5, 2, x, none, y});
    ck_assert_double_eq_tol(found->value[0], 5, 1e-9);
    ck_assert(found->value[1] == 0);
    ck_assert(isnan(found->error[1]));
}

/* Without the bound two coefficients would make both residuals 0; with it they are those of one coefficient. */
TEST(bound_without_spare_row)
{
    const double x[] = {1, 0, 1, 1}, y[] = {5, 4};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){2, 2, x, none, y});
    ck_assert_double_ge(found->value[0], 4);
    ck_assert_double_le(found->value[0], 5);
    ck_assert(found->value[1] == 0);
    ck_assert_double_gt(found->weight[0] + found->weight[1], 0);
    ck_assert_double_gt(found->error[0], 0);
}

/* Constants come back exactly from times without noise, also where several of them are 0. */
TEST(exact_with_zeros)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (guint system = 0; system < 200; system++) {
        double x[12 * 6], y[12] = {0}, right[6];
        for (guint j = 0; j < 6; j++)
            right[j] = g_rand_boolean(random) ? g_rand_double_range(random, 1, 2) : 0;
        right[0] = 1;
        for (guint i = 0; i < 12; i++)
            for (guint j = 0; j < 6; j++) {
                x[6 * i + j] = g_rand_double_range(random, 0, 1);
                y[i] += x[6 * i + j] * right[j];
            }
        g_autoptr(Regression) found = regression_fit(&(RegressionData){12, 6, x, none, y});
        for (guint j = 0; j < 6; j++)
            ck_assert_msg(fabs(found->value[j] - right[j]) < 1e-9, "system %u, column %u: %g, not %g", system, j,
                          found->value[j], right[j]);
    }
}

/* Columns a, b, a + 2 b, 0, b/2: what comes first is free. */
TEST(dependence)
{
    const double x[] = {1, 4, 9, 0, 2, 2, 3, 8, 0, 1.5, 5, 1, 7, 0, 0.5}, y[] = {1, 10, 3};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){3, 5, x, none, y});
    const RegressionRank *rank = &found->rank;
    const RegressionColumn kinds[] = {COLUMN_FREE, COLUMN_FREE, COLUMN_DEPENDENT, COLUMN_EMPTY, COLUMN_DEPENDENT};
    for (guint j = 0; j < 5; j++)
        ck_assert_int_eq(rank->kind[j], kinds[j]);
    ck_assert_double_eq_tol(rank->share[2][0], 1, 1e-12);
    ck_assert_double_eq_tol(rank->share[2][1], 2, 1e-12);
    ck_assert(rank->share[4][0] == 0);
    ck_assert_double_eq_tol(rank->share[4][1], 0.5, 1e-12);
}

/* Also where the first column is all zeros, and where another depends on the first alone. */
TEST(first_column)
{
    const double x[] = {0, 1, 0, 2, 0, 3}, twice[] = {1, 2, 2, 4, 3, 6}, y[] = {3, 6, 9};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){3, 2, x, none, y});
    g_autoptr(Regression) other = regression_fit(&(RegressionData){3, 2, twice, none, y});
    ck_assert_int_eq(other->rank.kind[1], COLUMN_DEPENDENT);
    ck_assert_int_eq(found->rank.kind[0], COLUMN_EMPTY);
    ck_assert_int_eq(found->rank.kind[1], COLUMN_FREE);
    ck_assert_double_eq(found->value[0], 0);
    ck_assert_double_eq_tol(found->value[1], 3, 1e-12);
}

/* Four runs of one constant, 10 % off, two of them measured twice, which tells no more: s^2 is 4 x 0.01/3, and the sum
 * of (x/10)^2 is 0.04. Student's variable with 3 degrees of freedom exceeds 3.1824 in 5 % of cases. */
TEST(interval)
{
    const double x[] = {1, 1.0001, 1.0002, 1.0003, 1, 1.0001}, y[] = {9, 11, 9, 11, 9, 11};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){6, 1, x, none, y});
    g_autoptr(Regression) once = regression_fit(&(RegressionData){4, 1, x, none, y});
    ck_assert_double_eq_tol(once->value[0], 10, 0.01);
    ck_assert_double_eq_tol(once->error[0], 3.1824 * sqrt(0.04 / 3 / 0.04 / 0.95), 0.005);
    ck_assert_double_eq_tol(found->error[0], once->error[0], 0.05);
}

/* Rows that are all of one run tell nothing of its error. */
TEST(one_run)
{
    const double x[] = {1, 1, 1, 1}, y[] = {9, 11, 9, 11};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){4, 1, x, none, y});
    ck_assert_double_eq_tol(found->value[0], 10, 1e-6);
    ck_assert_double_eq_tol(found->scale, 0.1 / 0.6745, 1e-6);
    ck_assert(isnan(found->error[0]));
}

/* As many constants as times: nothing tells how wrong they are. */
TEST(no_row_to_spare)
{
    const double x[] = {1, 1, 1, 3}, y[] = {4, 8};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){2, 2, x, none, y});
    ck_assert_double_eq_tol(found->value[0], 2, 1e-9);
    ck_assert_double_eq_tol(found->value[1], 2, 1e-9);
    ck_assert(isnan(found->error[0]) && isnan(found->error[1]));
}

/* Checks values and ranges of three coefficients for y. */
static void check_three(const double *x, const double *y, const double *values, const double *lows,
                        const double *highs)
{
    double low[3], high[3];
    const RegressionData data = {3, 3, x, none, y};
    g_autoptr(Regression) found = regression_fit(&data);
    regression_ranges(&data, found, low, high);
    for (guint j = 0; j < 3; j++) {
        ck_assert_double_eq_tol(found->value[j], values[j], 1e-9);
        ck_assert_double_eq_tol(low[j], lows[j], 1e-6);
        ck_assert_double_eq_tol(high[j], highs[j], 1e-6);
    }
}

/* With the columns a, b and a + 2 b, 3 a + 5 b is also 0.5 a + 2.5 (a + 2 b). With a, b and a - b, 2 a - b is
 * a + (a - b) to b + 2 (a - b): a coefficient of b alone were -1. */
TEST(ranges)
{
    const double sum[] = {1, 0, 1, 0, 1, 2, 1, 1, 3}, difference[] = {1, 1, 0, 1, 0, 1, 1, 1, 0};
    check_three(sum, (const double[]){3, 5, 8}, (const double[]){3, 5, 0}, (const double[]){0.5, 0, 0},
                (const double[]){3, 5, 2.5});
    check_three(difference, (const double[]){1, 2, 1}, (const double[]){1, 0, 1}, (const double[]){0, 0, 1},
                (const double[]){1, 1, 2});
}

/* Repeated rows are one point, whose coefficients, weights and scale are those of rows that are told apart by a part of
 * 1e-12 in x. The rows of a size are no neighbours, are up to 7 % off, and two of them are wrong. */
#define N_REPEATED 60

TEST(repeated_rows)
{
    double once[2 * N_REPEATED], apart[2 * N_REPEATED], y[N_REPEATED];
    for (guint i = 0; i < N_REPEATED; i++) {
        double bytes = 1 << i % 6;
        once[2 * i] = 1;
        once[2 * i + 1] = bytes;
        apart[2 * i] = 1 + 1e-12 * i;
        apart[2 * i + 1] = bytes;
        y[i] = (10 + 2 * bytes) * (i == 20 ? 3 : i == 31 ? 0.2 : 0.93 + 0.01 * (i * 7 % 15));
    }
    g_autoptr(Regression) found = regression_fit(&(RegressionData){N_REPEATED, 2, once, none, y});
    g_autoptr(Regression) expected = regression_fit(&(RegressionData){N_REPEATED, 2, apart, none, y});
    for (guint j = 0; j < 2; j++)
        ck_assert_double_eq_tol(found->value[j], expected->value[j], 1e-8);
    ck_assert_double_gt(found->scale, 0.01);
    ck_assert_double_eq_tol(found->scale, expected->scale, 1e-9);
    for (guint i = 0; i < N_REPEATED; i++) {
        ck_assert_double_eq_tol(found->weight[i], expected->weight[i], 1e-7);
        ck_assert_int_eq(found->weight[i] == 0, i == 20 || i == 31);
    }
}

/* Rows with equal x and other offsets are no point: y = offset + 2 x. */
TEST(offsets_apart)
{
    const double x[] = {1, 1, 1, 3, 3, 3}, known[] = {0, 10, 20, 0, 10, 20}, y[] = {2, 12, 22, 6, 16, 26};
    g_autoptr(Regression) found = regression_fit(&(RegressionData){6, 1, x, known, y});
    ck_assert_double_eq_tol(found->value[0], 2, 1e-12);
    for (guint i = 0; i < 6; i++)
        ck_assert_double_eq_tol(found->residual[i], 0, 1e-12);
}

TESTS(regression, line, offset, outliers, relative_start, bound, bound_without_spare_row, exact_with_zeros, dependence,
      first_column, interval, one_run, no_row_to_spare, ranges,
      repeated_rows, offsets_apart)
