#include "make.h"
#include "sim/schedule/combinators/combinators.h"
#include "extended.h"

Problem problem_new(const Algorithm *algorithm, guint dimension)
{
    Problem problem = {.algorithm = algorithm, .pattern = pattern_of(algorithm->pattern), .dimension = dimension,
                       .permutation = permutation_identity(dimension), .data = division_whole(0)};
    if (algorithm->phases)
        problem.partition = algorithm->phases(dimension);
    return problem;
}

static guint own_parts(const Problem *problem)
{
    return problem->algorithm->n_parts ? problem->algorithm->n_parts(problem) : 1;
}

guint problem_n_parts(const Problem *problem)
{
    return problem->idle ? extended_n_parts(problem) : own_parts(problem);
}

/* The packet of at most `packet` bytes that cuts the longest of the parts into packets as equal as can be; 0: uncut. */
static gint64 even_packet(gint64 bytes, gint64 element, guint parts, gint64 packet)
{
    gint64 longest = division_make(bytes, element, parts, 0).long_bytes;
    gint64 packets = packet ? longest / packet + (longest % packet != 0) : 1;
    return packets > 1 ? longest / packets + (longest % packets != 0) : 0;
}

gboolean problem_divide(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes)
{
    guint parts = problem_n_parts(problem);
    gint64 cut = problem->algorithm->takes & TAKES_PACKETS ? packet : 0;
    if (problem->pattern->permutes)
        cut = problem->idle ? 0 : even_packet(bytes, element, parts, cut);
    *packet_bytes = cut;
    if (division_n_pieces(bytes, element, parts, cut) > DIVISION_PIECES_MAX)
        return FALSE;
    problem->data = division_make(bytes, element, parts, cut);
    return TRUE;
}

Schedule *schedule_make(const Problem *problem)
{
    Schedule *schedule = problem->idle ? extended_make(problem) : problem->algorithm->make(problem);
    if (problem->pattern->kind != problem->algorithm->pattern)
        schedule = schedule_backwards(schedule);
    return schedule->flags & SCHEDULE_UNIFORM ? schedule_translated(schedule) : schedule;
}
