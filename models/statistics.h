/* Robust intervals for measured times. Plain C, for programs without GLib as well. */
#pragma once

#include <stddef.h>

/* Returns the p-quantile of the standard normal distribution, 0 < p < 1. */
double statistics_normal(double p);

/* Returns the p-quantile of Student's t distribution, 0 < p < 1, with df degrees of freedom: 1, 2 or at least 3 (G.
 * W. Hill, Algorithm 396, CACM 13, 1970). */
double statistics_t(double p, double df);

/* Returns the largest k for which the k-th smallest of the n (n + 1)/2 Walsh averages of n values lies above the
 * centre of the distribution with a probability of at most alpha; 0 if there is none. Computed from the signed rank
 * distribution, above n = 64 from its normal approximation. */
size_t statistics_signed_rank(size_t n, double alpha);

/* Returns the mean of the logarithms of n > 2 values without the least and the largest. Sorts the values. */
double statistics_trimmed_log(double *values, size_t n);

/* Returns the correlation between neighbours in a sequence of n values; 0 for n < 4, or without memory. Outliers are
 * moved to 3 standard deviations (by the median absolute deviation) from the median first. */
double statistics_correlation(const double *values, size_t n);

typedef struct {
    double centre;
    double low, high;   /* ends of the interval, each wrong with a probability of alpha; infinite if n is too small */
    double effective;   /* number of independent values that would say as much as these */
} StatisticsInterval;

/* Measured quantity. */
typedef struct {
    double centre;
    double error;       /* standard error of the centre; 0: the centre is exact; NaN: the error is not known */
    double df;          /* degrees of freedom of the error */
} StatisticsEstimate;

/* Estimates the logarithm of the true median of times from the median, the distance `spread` between the quartiles,
 * and the number n of repetitions. The error is that of a normal distribution's median. Its degrees of freedom are
 * 0.37 (n - 1), as the spread estimates the standard deviation with an efficiency of 0.37. The error is not known if
 * n < 5, or if the quartiles are equal, as with a clock that is too coarse. */
StatisticsEstimate statistics_of_quartiles(double median, double spread, size_t n);

/* Returns the mean of n > 0 independent values. Its error is not known if n = 1 or all values are equal. */
StatisticsEstimate statistics_mean(const double *values, size_t n);

/* Returns a - b for independent a and b, with the degrees of freedom by B. L. Welch (1947). */
StatisticsEstimate statistics_difference(StatisticsEstimate a, StatisticsEstimate b);

/* Returns the interval of an estimate. Each end is wrong with a probability of alpha. It is infinite if the error is
 * not known. */
StatisticsInterval statistics_ends(StatisticsEstimate estimate, double alpha);

/* Estimates the centre of a symmetric distribution from a sequence of n values: by the median of Walsh averages, and
 * the signed rank distribution for the interval (J. L. Hodges & E. L. Lehmann, 1963). Widens the interval if
 * neighbours correlate. NaN without memory, or if n is 0. */
StatisticsInterval statistics_interval(const double *values, size_t n, double alpha);
