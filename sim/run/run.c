#include "run.h"

char *run_describe(const Run *run)
{
    const Problem *problem = &run->problem;
    g_autofree char *partition = partition_format(&problem->partition);
    g_autoptr(GString) text = g_string_new(NULL);
    if (problem->pattern != pattern_default())
        g_string_append_printf(text, "%s ", problem->pattern->name);
    g_string_append(text, problem->algorithm->name);
    if (problem->algorithm->takes & TAKES_PARTITION)
        g_string_append_printf(text, " %s", partition);
    if (*run->permutation)
        g_string_append_printf(text, " of %s", run->permutation);
    if (problem->idle)
        g_string_append_printf(text, " with %u idle dimensions", problem->idle);
    if (problem->algorithm->takes & TAKES_ACCUMULATE)
        g_string_append_printf(text, " with %u accumulation steps", problem->accumulate);
    g_string_append_printf(text, ", d = %u, %" G_GINT64_FORMAT " bytes", problem->dimension, problem->data.bytes);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char *run_identity(const Run *run)
{
    g_autofree char *what = run_describe(run);
    return g_strdup_printf("%s, source %u, elements of %" G_GINT64_FORMAT ", packets of %" G_GINT64_FORMAT, what,
                           run->problem.source, run->element, run->machine ? run->machine->packet : 0);
}
