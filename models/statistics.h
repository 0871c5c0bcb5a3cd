/* Robust intervals for measured times. Plain C, for programs without GLib as well. */
#pragma once

#include <stddef.h>

/* Returns the quantile of the standard normal distribution at 0 < p < 1. */
double statistics_normal(double p);

/* Returns the quantile of Student's t distribution with df degrees of freedom, 1, 2 or at least 3, at 0 < p < 1 (G. W.
 * Hill, Algorithm 396, CACM 13, 1970). */
double statistics_t(double p, double df);

/* Returns the largest k for which the k-th smallest of the n (n + 1) / 2 Walsh averages of n values lies above the
 * centre of their distribution with a probability of at most alpha, by the signed rank distribution: exactly for n up
 * to 64, else by its normal approximation. 0: there is none. */
size_t statistics_signed_rank(size_t n, double alpha);

/* Returns the mean of the logarithms of n > 2 values without the least and the largest. Sorts the values. */
double statistics_trimmed_log(double *values, size_t n);

/* Returns the correlation of neighbours in n values, in their order, in which outliers count as the values at the
 * distance of 3 median absolute deviations from the median. 0 for n < 4. */
double statistics_correlation(const double *values, size_t n);

typedef struct {
    double centre;
    double low, high;   /* ends, each of which is wrong with a probability of alpha; infinite if n is too small */
    double effective;   /* number of independent values that say as much as these correlated ones */
} StatisticsInterval;

/* A quantity that was measured. */
typedef struct {
    double centre;
    double error;       /* standard error of the centre; 0: the centre is exact; NaN: the error is not known */
    double df;          /* degrees of freedom of the error */
} StatisticsEstimate;

/* Estimates the logarithm of the true median of times from the median, the distance between the quartiles and the
 * number of n repetitions: by the standard error of a normal distribution's median, with as many degrees of freedom as
 * a standard deviation has that is as uncertain as the quartiles' distance. The error is not known if n < 5 or if the
 * quartiles are equal, as by a clock that is too coarse. */
StatisticsEstimate statistics_of_quartiles(double median, double spread, size_t n);

/* Returns the mean of n > 0 independent values. The error is not known if n = 1, or if all are equal. */
StatisticsEstimate statistics_mean(const double *values, size_t n);

/* Returns a - b, which are independent, with the degrees of freedom of B. L. Welch (1947). */
StatisticsEstimate statistics_difference(StatisticsEstimate a, StatisticsEstimate b);

/* Returns the interval of an estimate, each end of which is wrong with a probability of alpha; infinite if the error is
 * not known. */
StatisticsInterval statistics_ends(StatisticsEstimate estimate, double alpha);

/* Estimates the centre of a symmetric distribution from n values in their order: by the median of Walsh averages and
 * the signed rank distribution (J. L. Hodges & E. L. Lehmann, 1963), widened where neighbours correlate. NaN without
 * memory. */
StatisticsInterval statistics_interval(const double *values, size_t n, double alpha);
