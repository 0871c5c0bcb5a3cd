/* What the tests of permutations of address bits share. */
#pragma once

#include "models/permuting.h"
#include "sim/patterns/run.h"
#include "tests/support/tests.h"

/* Aborts if there is none. */
const Algorithm *permuting_algorithm(const char *name, gboolean n_port);

/* Without data; the parts count. */
Problem permuting_problem(const Algorithm *algorithm, const Permutation *permutation, guint idle);
Problem with_data(Problem problem, gint64 bytes, gint64 packet);
gboolean takes_packets(const Algorithm *algorithm);

/* Whether free-running processors are faster than A1a's printed count: with cycles of order 3. */
gboolean beats_print(const Algorithm *algorithm, const Permutation *permutation);

/* The case of Table 2 that the run is, which must outlive it; and its published time, also where that is not for the
 * machine: `*why`, or NULL. */
PermutingCase permuting_case_of(const Run *run);
gint64 permuting_published(const Run *run, const char **why);
