/* From cases to runs, by pattern.c: the runs of the cases of models/matmul.h. */
#pragma once

#include "models/matmul.h"
#include "sim/patterns/run.h"

/* Returns the run of a case on `machine`, which gets the case's ports and packet. Run.refused says why its algorithm
 * does not apply. */
Run matmul_case_run(const MatmulCase *c, Machine *machine);
