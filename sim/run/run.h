/* A run: a machine and a problem. */
#pragma once

#include "sim/machine/machine.h"
#include "sim/schedule/algorithm.h"

#define RUN_PERMUTATION_MAX 64

typedef struct {
    const Machine *machine;     /* borrowed; NULL if only the data is looked at */
    Problem problem;            /* and its data */
    gint64 element;             /* bytes; data is divided only between elements */
    char permutation[RUN_PERMUTATION_MAX];  /* its name or its cycles; "" if the pattern has none */
    const char *refused;        /* why it cannot be done, as its algorithm does not apply; NULL: it can. Static */
} Run;
