#include "rules.h"
#include "regret.h"
#include "sim/lib/list.h"
#include "sim/text/input.h"
#include "sim/text/message.h"
#include "sim/patterns/theory.h"

#include <math.h>
#include <string.h>

/* --- from hulls --- */

char *rules_of_hull(const Hull *hull, const Group *group, gboolean by_offsets)
{
    GString *out = g_string_new(NULL);
    g_autofree char *before = g_strdup("");
    g_string_append_printf(out, "[alltoall %u]\n", group->n);
    for (guint i = 0; i < hull->n_faces; i++) {
        double first = fmax(1, ceil(hull->faces[i].from_bytes));
        g_autofree char *list = list_of_face(&hull->faces[i], group, by_offsets);
        if (first >= hull->faces[i].to_bytes || strcmp(list, before) == 0)
            continue;
        g_string_append_printf(out, "%.0f = %s\n", first, list);
        g_free(before);
        before = g_steal_pointer(&list);
    }
    return g_string_free(out, FALSE);
}

/* --- from what was measured --- */

static guint processes_of(const Observation *o)
{
    return problem_group(&o->run.problem)->n;
}

static gint64 rules_bytes(const Observation *o)
{
    return o->run.problem.data.bytes;
}

/* Returns the observation's algorithm as rules name it, or NULL. The baseline `loop` is "direct". Caller frees. */
static char *rules_list(const Observation *o)
{
    const Problem *problem = &o->run.problem;
    if (observation_is_library(o))
        return g_strdup("library");
    return problem->algorithm->make ? pattern_theory(problem->pattern)->rule(problem) : g_strdup("direct");
}

/* Compares observations by processes, then by size, then by time. */
static int rules_compare(gconstpointer a, gconstpointer b)
{
    const Observation *x = *(const Observation *const *)a, *y = *(const Observation *const *)b;
    if (processes_of(x) != processes_of(y))
        return processes_of(x) < processes_of(y) ? -1 : 1;
    if (rules_bytes(x) != rules_bytes(y))
        return rules_bytes(x) < rules_bytes(y) ? -1 : 1;
    return (x->time_ps > y->time_ps) - (x->time_ps < y->time_ps);
}

/* Returns the observations of exchanges that rules can name, in the order of rules_compare(). Caller unrefs. */
static GPtrArray *sorted(const Measured *measured)
{
    GPtrArray *times = g_ptr_array_new();
    for (guint i = 0; i < measured->observations->len; i++) {
        Observation *o = measured->observations->pdata[i];
        g_autofree char *list = regret_counts(o) ? rules_list(o) : NULL;
        if (list && rules_bytes(o) > 0 && processes_of(o) > 1 && processes_of(o) <= 1u << RULES_DIMENSION_MAX)
            g_ptr_array_add(times, o);
    }
    g_ptr_array_sort(times, rules_compare);
    return times;
}

/* Returns the first time of the library's own function from i on at the processes and size of time i, or NULL. */
static const Observation *find_library(const GPtrArray *times, guint i)
{
    const Observation *first = times->pdata[i];
    for (; i < times->len; i++) {
        const Observation *o = times->pdata[i];
        if (processes_of(o) != processes_of(first) || rules_bytes(o) != rules_bytes(first))
            return NULL;
        if (observation_is_library(o))
            return o;
    }
    return NULL;
}

/* Appends the comment of a rule: "# 12.3 µs; MPI_Alltoall 20.1 µs". */
static void rules_put_times(GString *out, const Observation *best, const Observation *library)
{
    g_string_append_printf(out, "# %.3f µs", best->time_ps / 1e6);
    if (library && library != best)
        g_string_append_printf(out, "; MPI_Alltoall %.3f µs", library->time_ps / 1e6);
    g_string_append_c(out, '\n');
}

/* Appends the rules for the number of processes of time i. Returns the number of the first time with more processes. */
static guint put_section(GString *out, const GPtrArray *times, guint i)
{
    guint n = processes_of(times->pdata[i]), n_unknown = 0;
    gint64 last = 0;
    g_autofree char *before = g_strdup("");
    g_string_append_printf(out, "\n[alltoall %u]\n", n);
    for (; i < times->len && processes_of(times->pdata[i]) == n; i++) {
        const Observation *best = times->pdata[i], *library = find_library(times, i);
        g_autofree char *list = rules_list(best);
        if (rules_bytes(best) == last)
            continue;
        n_unknown += !library;
        last = rules_bytes(best);
        if (strcmp(list, before) == 0)
            continue;
        rules_put_times(out, best, library);
        g_string_append_printf(out, "%" G_GINT64_FORMAT " = %s\n", last, list);
        g_free(before);
        before = g_steal_pointer(&list);
    }
    if (strcmp(before, "library") != 0)
        g_string_append_printf(out, "# larger ones were not measured\n%" G_GINT64_FORMAT " = library\n", last + 1);
    if (n_unknown)
        message_print("%u processes: at %u size%s there are no times of MPI_Alltoall; measure with --baseline library",
                      n, n_unknown, n_unknown == 1 ? "" : "s");
    return i;
}

char *rules_of_measured(const Measured *measured, const char *files, GError **error)
{
    g_autoptr(GPtrArray) times = sorted(measured);
    g_autofree char *shown = input_printable(files);
    if (!times->len) {
        input_refuse(error, "%s: no times of complete exchanges that rules can name", files);
        return NULL;
    }
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# What took least, by %s.", shown);
    for (guint i = 0; i < measured->libraries->len; i++)
        g_string_append_printf(out, "\n# With %s.", (const char *)measured->libraries->pdata[i]);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < times->len;)
        i = put_section(out, times, i);
    return g_string_free(out, FALSE);
}
