/* Between runs and what models/matmul.h asks: the case of a problem, and the run of a case. */
#pragma once

#include "models/matmul.h"
#include "sim/patterns/run.h"

/* Returns the case of a problem, in packets of `packet` bytes; 0: unlimited. */
MatmulCase matmul_problem_case(const Problem *problem, gint64 packet, gboolean optimal);

/* Gives pipelined transpositions the packets of Table 11, B_opt, in whole elements and no larger than the machine's. */
void matmul_choose_packets(Problem *problem, const Machine *machine);

/* Returns the run of a case on `machine`, which gets the case's ports and packet. Run.refused says why its algorithm
 * does not apply. */
Run matmul_case_run(const MatmulCase *c, Machine *machine);

/* Finds the algorithm of all-broadcast by which matrices are broadcast. NULL with an error. */
const Algorithm *matmul_routing_find(const char *where, const char *name, gboolean n_port, GError **error);
