/* Runs of multiplications that models/matmul.h describes as cases. pattern.c defines the function. */
#pragma once

#include "models/matmul.h"
#include "sim/patterns/run.h"

/* Returns the run of a case on `machine`, and sets the machine's ports and packet to those of the case. Run.refused
 * says why the algorithm does not apply; NULL: it applies. */
Run matmul_case_run(const MatmulCase *c, Machine *machine);
