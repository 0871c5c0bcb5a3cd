/* Robust regression without negative coefficients: y = offset + X b, b >= 0, from rows of which some are wrong.
 *
 * What counts is the relative residual, (y - p)/p for the prediction p, as times range over decades. A first fit takes
 * the least sum of their absolute values; the fit itself is Tukey's bisquare: iteratively reweighted least squares in
 * which a row beyond 4.685 times the scale of the residuals has no weight (Holland & Welsch 1977; the scale is the
 * median absolute residual over 0.6745, of all rows but as many as there are coefficients). Coefficients are kept from
 * being negative by active sets (Lawson & Hanson 1974, algorithm NNLS). Knows nothing of what is fitted. */
#pragma once

#include <glib.h>

#define REGRESSION_COLUMNS_MAX 32

typedef struct {
    guint n_rows, n_columns;    /* columns: at most REGRESSION_COLUMNS_MAX */
    const double *x;            /* [n_rows][n_columns], nothing negative */
    const double *offset;       /* [n_rows] */
    const double *y;            /* [n_rows], above 0 */
} RegressionData;

typedef enum {
    COLUMN_FREE,        /* its coefficient can be told */
    COLUMN_EMPTY,       /* all zeros: nothing depends on it */
    COLUMN_DEPENDENT    /* a sum of multiples of free columns */
} RegressionColumn;

/* Which columns can be told apart. Those that come first are kept: a column depends on free ones before it. */
typedef struct {
    RegressionColumn kind[REGRESSION_COLUMNS_MAX];
    double share[REGRESSION_COLUMNS_MAX][REGRESSION_COLUMNS_MAX];
                                /* dependent column j is the sum of share[j][k] times free column k */
} RegressionRank;

typedef struct {
    guint n_rows;
    RegressionRank rank;
    double value[REGRESSION_COLUMNS_MAX];   /* 0 of columns that are not free */
    double error[REGRESSION_COLUMNS_MAX];   /* standard error; NAN where there is none: not free, kept at 0, no row to
                                             * spare (Huber 1981, sec. 7.6) */
    double *residual;                       /* [n_rows] relative, (y - p)/p */
    double *weight;                         /* [n_rows] 0: an outlier; 1: counts in full */
    double scale;                           /* of the residuals: their standard deviation, if they are normal */
} Regression;

/* Fits the free columns. Caller frees with regression_free(). */
Regression *regression_fit(const RegressionData *data);
void regression_free(Regression *regression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Regression, regression_free)

/* Twice the sum of Tukey's loss over the rows, with residuals of a given scale: about the sum of their squares in units
 * of the scale, where an outlier counts 4.685^2/3 = 7.3. */
double regression_loss(const Regression *regression, double scale);
