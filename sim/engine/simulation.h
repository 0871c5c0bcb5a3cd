/* What a simulation tells, whatever the switching. */
#pragma once

#include "models/machine.h"
#include "network.h"
#include "sim/schedule/schedule.h"

typedef struct {
    gint64 time_ps;         /* when the last processor finished */
    NetworkStats network;
    char *fault;            /* the first thing wrong with the data, or NULL */
    char *stuck;            /* who waits for whom, if the run could not finish, or NULL */
} EngineResult;
