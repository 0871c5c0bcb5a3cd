/* A run: a machine and a problem. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"

struct Run {
    const Machine *machine;     /* borrowed; NULL if only the data is looked at */
    Problem problem;            /* and its data */
    gint64 element;             /* bytes; data is divided only between elements */
    const char *refused;        /* why it cannot be done, as its algorithm does not apply; NULL: it can. Static */
};
