/* Run: a machine and the problem that it solves. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"

typedef struct Run {
    const Machine *machine;     /* machine of the run, borrowed; NULL if only the data is looked at */
    Problem problem;            /* pattern, data and algorithm of the run */
    gint64 element;             /* bytes of an element; data is divided into parts only between elements */
    const char *refused;        /* reason why the algorithm does not apply, static; NULL: it applies */
} Run;
