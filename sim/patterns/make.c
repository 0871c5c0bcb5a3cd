#include "make.h"
#include "sim/patterns/permutation/beyond.h"
#include "sim/schedule/combinators.h"

Problem problem_new(const Algorithm *algorithm, guint dimension)
{
    Problem problem = {.algorithm = algorithm, .pattern = pattern_of(algorithm->pattern), .dimension = dimension,
                       .permutation = permutation_identity(dimension), .data = division_whole(0)};
    if (algorithm->phases)
        problem.partition = algorithm->phases(dimension);
    return problem;
}

static gboolean moves_local_bits(const Problem *problem)
{
    return permutation_local_dimensions(&problem->permutation) > 0;
}

const char *problem_refused(const Problem *problem)
{
    const Algorithm *algorithm = problem->algorithm;
    if (moves_local_bits(problem) && !(algorithm->takes & TAKES_LOCAL))
        return "it has bits of local memory, which only a0, a1, a1a and a2 with one port move";
    return algorithm->refuses ? algorithm->refuses(problem) : NULL;
}

guint problem_n_parts(const Problem *problem)
{
    return problem->idle               ? extended_n_parts(problem)
           : moves_local_bits(problem) ? mixed_n_blocks(problem)
                                       : algorithm_n_parts(problem);
}

gboolean problem_divide(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes)
{
    guint parts = problem_n_parts(problem);
    gint64 cut = problem->algorithm->takes & TAKES_PACKETS ? packet : 0;
    if (problem->pattern->permutes)
        cut = problem->idle ? 0 : division_even_packet(bytes, element, parts, cut);
    *packet_bytes = cut;
    if (division_n_pieces(bytes, element, parts, cut) > DIVISION_PIECES_MAX)
        return FALSE;
    problem->data = division_make(bytes, element, parts, cut);
    if (moves_local_bits(problem))
        problem->data.pieces.n_long = parts;    /* local blocks without bytes are there as well */
    return TRUE;
}

Schedule *schedule_make(const Problem *problem)
{
    Schedule *schedule = problem->idle               ? extended_make(problem)
                         : moves_local_bits(problem) ? mixed_make(problem)
                                                     : problem->algorithm->make(problem);
    if (problem->pattern->kind != problem->algorithm->pattern)
        schedule = schedule_backwards(schedule);
    return schedule->flags & SCHEDULE_UNIFORM ? schedule_translated(schedule) : schedule;
}
