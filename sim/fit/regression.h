/* Robust regression without negative coefficients: y = offset + X b, b >= 0, from rows of which some are wrong.
 *
 * Residuals are relative, (y - p)/p for the prediction p, because times range over decades. A first fit takes the least
 * sum of their absolute values. The fit itself is Tukey's bisquare: iteratively reweighted least squares in which a row
 * beyond 4.685 times the scale of the residuals has no weight (Holland & Welsch 1977). The scale is the median absolute
 * residual over 0.6745; the smallest residuals, as many as coefficients above 0, are left out. Active sets keep
 * coefficients from being negative (Lawson & Hanson 1974, algorithm NNLS). */
#pragma once

#include <glib.h>

#define REGRESSION_COLUMNS_MAX 32

/* What is fitted; the arrays are borrowed. */
typedef struct {
    guint n_rows, n_columns;    /* columns: at most REGRESSION_COLUMNS_MAX */
    const double *x;            /* [n_rows][n_columns] at least 0 */
    const double *offset;       /* [n_rows] parts of y that no coefficient changes */
    const double *y;            /* [n_rows] above 0 */
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
    double value[REGRESSION_COLUMNS_MAX];   /* coefficients; 0 for columns that are not free */
    double error[REGRESSION_COLUMNS_MAX];   /* standard errors (Huber 1981, sec. 7.6); NAN: the column is not free, the
                                             * coefficient is 0, or rows are no more than coefficients above 0 */
    double *residual;                       /* [n_rows] relative, (y - p)/p */
    double *weight;                         /* [n_rows] 0 (an outlier) to 1 */
    double scale;                           /* standard deviation of the residuals, if they are normal */
} Regression;

/* Fits the coefficients of the free columns. Caller frees with regression_free(). */
Regression *regression_fit(const RegressionData *data);
void regression_free(Regression *regression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Regression, regression_free)

/* Returns twice the sum of Tukey's loss over the rows, with residuals in units of `scale`: about their squares, or
 * 4.685^2/3 = 7.3 for an outlier. */
double regression_loss(const Regression *regression, double scale);
