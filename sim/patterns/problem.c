#include "problem.h"
#include "registry.h"
#include "sim/schedule/combinators.h"

/* Returns the shortest list of offsets that reaches all processors of a cube, as text: the powers of 2, with which the
 * algorithm offsets does what standard does. Interned. */
static const char *least_offsets(guint dimension)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < dimension; i++)
        g_string_append_printf(text, "%s%u", i ? "," : "", 1u << i);
    return g_intern_string(text->str);
}

Problem problem_new(const Algorithm *algorithm, guint dimension)
{
    Problem problem = {.algorithm = algorithm, .pattern = algorithm->pattern, .dimension = dimension,
                       .permutation = permutation_identity(dimension), .data = division_whole(0)};
    if (algorithm->phases)
        problem.partition = algorithm->phases(dimension);
    if (algorithm->takes & TAKES_OFFSETS)
        problem.offsets = least_offsets(dimension);
    return problem;
}

Problem problem_of_message(void)
{
    return problem_new(algorithm_find("", &pattern_broadcast, FALSE, "sbt", NULL), 1);
}

const char *problem_refused(const Problem *problem)
{
    if (!problem_group(problem)->binary && !problem->algorithm->any_group)
        return "it needs a cube, --dimension D";
    const char *why = problem->pattern->refuses ? problem->pattern->refuses(problem) : NULL;
    return !why && problem->algorithm->refuses ? problem->algorithm->refuses(problem) : why;
}

guint problem_n_parts(const Problem *problem)
{
    return (problem->pattern->n_parts ? problem->pattern->n_parts : algorithm_n_parts)(problem);
}

gboolean problem_divide_into(Problem *problem, gint64 bytes, gint64 element, guint parts, gint64 cut)
{
    if (division_n_pieces(bytes, element, parts, cut) > DIVISION_PIECES_MAX)
        return FALSE;
    problem->data = division_make(bytes, element, parts, cut);
    return TRUE;
}

gboolean problem_divide(Problem *problem, gint64 bytes, gint64 element, gint64 packet, gint64 *packet_bytes)
{
    if (problem->pattern->divide)
        return problem->pattern->divide(problem, bytes, element, packet, packet_bytes);
    *packet_bytes = problem->algorithm->takes & TAKES_PACKETS ? packet : 0;
    return problem_divide_into(problem, bytes, element, problem_n_parts(problem), *packet_bytes);
}

Schedule *schedule_make(const Problem *problem)
{
    const Pattern *pattern = problem->pattern;
    Schedule *schedule = (pattern->make ? pattern->make : problem->algorithm->make)(problem);
    if (pattern->reverse)
        schedule = schedule_backwards(schedule);
    if (problem->algorithm->n_port && problem_rails(problem) > 1)
        schedule->flags |= SCHEDULE_CONTENDS | SCHEDULE_CONTENDS_BACKWARDS;
    if (problem->gathering.how != GATHER_FREE)
        schedule = schedule_gathered(schedule, &problem->gathering);
    return schedule->flags & SCHEDULE_TRANSLATES ? schedule_translated(schedule) : schedule;
}
