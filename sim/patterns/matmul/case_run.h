/* Runs of the cases of models/matmul.h. pattern.c defines this. */
#pragma once

#include "models/matmul.h"
#include "sim/patterns/run.h"

/* Returns the run of a case on `machine`, whose ports and packet become those of the case. Run.refused says why the
 * algorithm does not apply. */
Run matmul_case_run(const MatmulCase *c, Machine *machine);
