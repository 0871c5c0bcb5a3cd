/* What repeated measurements say. */
#pragma once

#include <glib.h>

typedef struct {
    double minimum, median;
    double spread;          /* between the quartiles: they and the median lie between two values as Hyndman & Fan's
                             * seventh definition (1996) has it */
} Times;

/* Of values[n], n > 0, which are sorted. */
Times times_of(double *values, guint n);
