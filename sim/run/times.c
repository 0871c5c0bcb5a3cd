#include "times.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double quantile(const double *sorted, guint n, double q)
{
    double at = (n - 1) * q;
    guint low = (guint)at, high = MIN(low + 1, n - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

Times times_of(double *values, guint n)
{
    qsort(values, n, sizeof *values, compare);
    return (Times){values[0], quantile(values, n, 0.5), quantile(values, n, 0.75) - quantile(values, n, 0.25)};
}
