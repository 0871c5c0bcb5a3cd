#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define EXACT_MAX 64                /* largest number of values for the exact signed rank distribution */

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* --- quantiles --- */

double statistics_normal(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2;
        if (erfc(-middle / sqrt(2)) / 2 < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double statistics_t(double p, double df)
{
    double tail = p < 0.5 ? 2 * p : 2 * (1 - p), sign = p < 0.5 ? -1 : 1;
    if (df == 1)
        return sign / tan(tail * PI / 2);
    if (df == 2)
        return sign * sqrt(2 / (tail * (2 - tail)) - 2);
    double a = 1 / (df - 0.5), b = 48 / (a * a);
    double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
    double d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * PI / 2) * df;
    double x = d * tail, y = pow(x, 2 / df);
    if (y > 0.05 + a) {
        x = statistics_normal(tail / 2);
        y = x * x;
        if (df < 5)
            c += 0.3 * (df - 4.5) * (x + 0.6);
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
        y = expm1(a * y * y);
    } else
        y = ((1 / (((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3) + 0.5 / (df + 4)) * y - 1) * (df + 1) /
            (df + 2) + 1 / y;
    return sign * sqrt(df * y);
}

size_t statistics_signed_rank(size_t n, double alpha)
{
    static const size_t largest = EXACT_MAX * (EXACT_MAX + 1) / 2;
    double all = (double)n * (double)(n + 1) / 2, chance[EXACT_MAX * (EXACT_MAX + 1) / 2 + 1], sum = 0;
    size_t k = 0;
    if (n > EXACT_MAX) {
        double deviation = sqrt(all * (2 * (double)n + 1) / 12);
        double at = floor(all / 2 + statistics_normal(alpha) * deviation - 0.5);
        return at < 0 ? 0 : (size_t)at + 1;
    }
    /* chance[s]: probability that the ranks with positive signs have the sum s */
    memset(chance, 0, (largest + 1) * sizeof *chance);
    chance[0] = 1;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t s = rank * (rank + 1) / 2 + 1; s-- > 0;)
            chance[s] = (chance[s] + (s >= rank ? chance[s - rank] : 0)) / 2;
    while (k <= (size_t)all && (sum += chance[k]) <= alpha)
        k++;
    return k;
}

/* --- estimates --- */

double statistics_trimmed_log(double *values, size_t n)
{
    double sum = 0;
    qsort(values, n, sizeof *values, compare_values);
    for (size_t i = 1; i + 1 < n; i++)
        sum += log(values[i]);
    return sum / (double)(n - 2);
}

static double middle_of(const double *sorted, size_t n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double statistics_correlation(const double *values, size_t n)
{
    double *sorted = n < 4 ? NULL : malloc(n * sizeof *sorted), own = 0, joint = 0, last = 0;
    if (!sorted)
        return 0;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_values);
    double centre = middle_of(sorted, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = fabs(values[i] - centre);
    qsort(sorted, n, sizeof *sorted, compare_values);
    double limit = 3 * 1.4826 * middle_of(sorted, n);
    free(sorted);
    for (size_t i = 0; i < n; i++) {
        double x = fmax(-limit, fmin(limit, values[i] - centre));
        own += x * x;
        joint += i > 0 ? x * last : 0;
        last = x;
    }
    return own > 0 ? joint / own : 0;
}

/* Returns the factor by which an interval widens if neighbours correlate by r: n values are worth
 * `effective` = n (1 - r)/(1 + r) independent values. If r > 2/sqrt(n), beyond chance, and effective >= 5, Student's
 * t replaces the normal distribution. */
static double widening(double r, size_t n, double effective, double alpha)
{
    double factor = sqrt((1 + r) / (1 - r));
    if (r <= 2 / sqrt((double)n) || effective < 5)
        return factor;
    return factor * statistics_t(1 - alpha, effective - 1) / statistics_normal(1 - alpha);
}

StatisticsInterval statistics_interval(const double *values, size_t n, double alpha)
{
    size_t n_walsh = n * (n + 1) / 2, at = 0, k = statistics_signed_rank(n, alpha);
    double *walsh = malloc((n_walsh + 1) * sizeof *walsh), r = statistics_correlation(values, n);
    if (!walsh || n == 0)
        return free(walsh), (StatisticsInterval){NAN, NAN, NAN, 0};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            walsh[at++] = (values[i] + values[j]) / 2;
    qsort(walsh, n_walsh, sizeof *walsh, compare_values);
    r = fmax(0, fmin(r, 0.99));
    StatisticsInterval interval = {middle_of(walsh, n_walsh), -INFINITY, INFINITY, (double)n * (1 - r) / (1 + r)};
    if (k > 0) {
        double wide = widening(r, n, interval.effective, alpha);
        interval.low = interval.centre - wide * (interval.centre - walsh[k - 1]);
        interval.high = interval.centre + wide * (walsh[n_walsh - k] - interval.centre);
    }
    free(walsh);
    return interval;
}

/* --- from summaries --- */

#define MEDIAN_ERROR 1.2533         /* standard error of the median of n normal values, in standard
                                     * deviations/sqrt(n) */
#define QUARTILES 1.3490            /* distance between a normal distribution's quartiles, in standard deviations */
#define QUARTILES_EFFICIENCY 0.37   /* efficiency of this distance as an estimate of the standard deviation */
#define REPETITIONS_MIN 5

/* Returns `df` as statistics_t() allows it: below 3 it becomes 2 or 1. */
static double degrees(double df)
{
    return df >= 3 ? df : df >= 2 ? 2 : 1;
}

StatisticsEstimate statistics_of_quartiles(double median, double spread, size_t n)
{
    double error = MEDIAN_ERROR / QUARTILES * spread / median / sqrt((double)n);
    return (StatisticsEstimate){log(median), n < REPETITIONS_MIN || !(spread > 0) ? NAN : error,
                                degrees(QUARTILES_EFFICIENCY * ((double)n - 1))};
}

StatisticsEstimate statistics_mean(const double *values, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double df = (double)n - 1;
    return (StatisticsEstimate){mean, squares > 0 ? sqrt(squares / df / (double)n) : NAN, degrees(df)};
}

StatisticsEstimate statistics_difference(StatisticsEstimate a, StatisticsEstimate b)
{
    double x = a.error * a.error, y = b.error * b.error, both = x + y;
    double df = both > 0 ? both * both / (x * x / a.df + y * y / b.df) : fmin(a.df, b.df);
    return (StatisticsEstimate){a.centre - b.centre, sqrt(both), degrees(df)};
}

StatisticsInterval statistics_ends(StatisticsEstimate e, double alpha)
{
    double half = isnan(e.error) ? INFINITY : e.error > 0 ? e.error * statistics_t(1 - alpha, e.df) : 0;
    return (StatisticsInterval){e.centre, e.centre - half, e.centre + half, e.df + 1};
}
