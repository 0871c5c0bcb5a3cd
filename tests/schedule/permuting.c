#include "permuting.h"

#include <string.h>

const Algorithm *permuting_algorithm(const char *name, gboolean n_port)
{
    const Algorithm *algorithm = algorithm_find("", pattern_of(PATTERN_PERMUTATION), n_port, name, NULL);
    ck_assert_ptr_nonnull(algorithm);
    ck_assert(algorithm->n_port == n_port);
    return algorithm;
}

Permutation permutation_of_cycles(guint d, const char *text)
{
    Permutation permutation;
    ck_assert(permutation_parse_cycles("", text, d, &permutation, NULL));
    return permutation;
}

Problem permuting_problem(const Algorithm *algorithm, const Permutation *permutation, guint idle)
{
    Problem problem = problem_new(algorithm, permutation->dimension);
    problem.permutation = *permutation;
    problem.idle = idle;
    return problem;
}

Problem with_data(Problem problem, gint64 bytes, gint64 packet)
{
    problem.data = division_make(bytes, 1, problem_n_parts(&problem), packet);
    return problem;
}

gboolean takes_packets(const Algorithm *algorithm)
{
    return (algorithm->takes & TAKES_PACKETS) != 0;
}

gboolean beats_print(const Algorithm *algorithm, const Permutation *permutation)
{
    gboolean of_three = FALSE;
    for (guint c = 0; c < permutation->n_cycles; c++)
        of_three |= permutation_cycle_length(permutation, c) == 3;
    return of_three && strcmp(algorithm->name, "a1a") == 0 && !algorithm->n_port;
}
