#include "permuting.h"
#include "sim/patterns/run.h"
#include "sim/patterns/theory.h"

const Algorithm *permuting_algorithm(const char *name, gboolean n_port)
{
    const Algorithm *algorithm = algorithm_find("", &pattern_permutation, n_port, name, NULL);
    ck_assert_ptr_nonnull(algorithm);
    ck_assert(!!algorithm->n_port == n_port);
    return algorithm;
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
    guint parts = problem_n_parts(&problem);
    problem.data = problem.algorithm->takes & TAKES_PARTITION ? division_of_all_parts(bytes, 1, parts)
                                                              : division_make(bytes, 1, parts, packet);
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

PermutingCase permuting_case_of(const Run *run)
{
    return (PermutingCase){.permutation = &run->problem.permutation, .bytes = run->problem.data.bytes,
                           .packet = run->machine->packet, .element = run->element, .idle = run->problem.idle};
}

gint64 permuting_published(const Run *run, const char **why)
{
    *why = run->problem.algorithm->unpublished;
    return *why ? 0 : pattern_theory(run->problem.pattern)->published_ps(run, why);
}
