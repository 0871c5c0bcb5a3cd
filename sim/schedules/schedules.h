/* Every algorithm, one declaration a line; the registry in schedule.c lists them. */
#ifndef ECUBE_SCHEDULES_H
#define ECUBE_SCHEDULES_H

#include "../schedule.h"

extern const Algorithm algorithm_standard;
extern const Algorithm algorithm_direct;
extern const Algorithm algorithm_multiphase;
extern const Algorithm algorithm_naive;
extern const Algorithm algorithm_reversed;

#endif
