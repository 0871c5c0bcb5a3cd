/* Robust regression without negative coefficients: y = offset + X b, b >= 0, from rows of which some are wrong.
 *
 * Residuals are relative, (y - p)/p for the prediction p, because times range over decades. A first fit takes the least
 * sum of their absolute values. The fit itself is Tukey's bisquare: iteratively reweighted least squares in which a row
 * beyond 4.685 times the scale of the residuals has no weight (Holland & Welsch 1977). The scale is the median absolute
 * residual over 0.6745; the smallest residuals, as many as coefficients above 0, are left out. Active sets keep
 * coefficients from being negative (Lawson & Hanson 1974, algorithm NNLS). A column that depends on columns before it
 * gets a coefficient only where these alone would need a negative one. */
#pragma once

#include <glib.h>

#define REGRESSION_COLUMNS_MAX 32

/* What is fitted; the arrays are borrowed. */
typedef struct {
    guint n_rows, n_columns;    /* number of rows; number of columns, at most REGRESSION_COLUMNS_MAX */
    const double *x;            /* [n_rows][n_columns]: factors of the coefficients, at least 0 */
    const double *offset;       /* [n_rows]: parts of y that no coefficient changes */
    const double *y;            /* [n_rows]: values to be predicted, above 0 */
} RegressionData;

typedef enum {
    COLUMN_FREE,        /* a column with a coefficient of its own */
    COLUMN_EMPTY,       /* a column of zeros: no row depends on the coefficient */
    COLUMN_DEPENDENT    /* a sum of multiples of free columns before it */
} RegressionColumn;

/* Which columns have coefficients of their own. */
typedef struct {
    RegressionColumn kind[REGRESSION_COLUMNS_MAX];
    double share[REGRESSION_COLUMNS_MAX][REGRESSION_COLUMNS_MAX];
                                /* dependent column j is the sum of share[j][k] times free column k, k < j */
} RegressionRank;

typedef struct {
    guint n_rows;
    RegressionRank rank;
    double value[REGRESSION_COLUMNS_MAX];   /* [n_columns]: coefficients b */
    double error[REGRESSION_COLUMNS_MAX];   /* half of the 95 % interval, by Student's distribution, as if coefficients
                                             * that are 0 were known. Rows with equal x count once, by their mean
                                             * residual, as they may share their error. NAN: the coefficient is 0, or
                                             * there are no more different rows than coefficients above 0 */
    double *residual;                       /* [n_rows]: relative residual, (y - p)/p; the divisor p is kept within a
                                             * factor of 1000 of y */
    double *weight;                         /* [n_rows]: weight by the final residual, 0 (an outlier) to 1 */
    double scale;                           /* standard deviation of the residuals, if they are normal */
} Regression;

/* Fits the coefficients. Caller frees with regression_free(). */
Regression *regression_fit(const RegressionData *data);
void regression_free(Regression *regression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Regression, regression_free)

/* Fills in low[n_columns] and high[n_columns]: the least and the largest value of each coefficient in any b >= 0 that
 * predicts what `found` predicts. They are equal if the rows determine the coefficient; high is INFINITY for an empty
 * column. */
void regression_ranges(const RegressionData *data, const Regression *found, double *low, double *high);
