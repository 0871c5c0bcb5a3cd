/* One run, as it is given: a schedule, a machine and the data. */
#ifndef ECUBE_RUN_TYPE_H
#define ECUBE_RUN_TYPE_H

#include "models/machine.h"
#include "sim/schedule/schedule.h"

#define RUN_PERMUTATION_MAX 64

typedef struct {
    const Machine *machine;     /* borrowed; NULL if only the data is looked at */
    Schedule schedule;
    Division data;              /* M bytes, and how they are divided */
    gint64 element;             /* bytes; data is divided only between elements */
    char permutation[RUN_PERMUTATION_MAX];  /* its name or its cycles; "" if the pattern has none */
} Run;

#endif
