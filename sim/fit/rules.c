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

/* Returns the observations of `pool` that rules can name, in the order of rules_compare(). Caller unrefs. */
static GPtrArray *sorted(const GPtrArray *pool)
{
    GPtrArray *times = g_ptr_array_new();
    for (guint i = 0; i < pool->len; i++) {
        Observation *o = pool->pdata[i];
        g_autofree char *list = rules_list(o);
        if (list && rules_bytes(o) > 0 && processes_of(o) > 1 && processes_of(o) <= 1u << RULES_DIMENSION_MAX)
            g_ptr_array_add(times, o);
    }
    g_ptr_array_sort(times, rules_compare);
    return times;
}

/* The times of one size on one number of processes: times[first] to times[first + n - 1], the fastest first. */
typedef struct {
    const GPtrArray *times;
    guint first, n;
} RuleSize;

static const Observation *nth_of(const RuleSize *size, guint i)
{
    return size->times->pdata[size->first + i];
}

static RuleSize size_at(const GPtrArray *times, guint first)
{
    RuleSize size = {times, first, 1};
    while (first + size.n < times->len && processes_of(nth_of(&size, size.n)) == processes_of(nth_of(&size, 0)) &&
           rules_bytes(nth_of(&size, size.n)) == rules_bytes(nth_of(&size, 0)))
        size.n++;
    return size;
}

/* Returns the fastest time at that size whose rules_list() is `list`, or NULL. */
static const Observation *rules_find(const RuleSize *size, const char *list)
{
    for (guint i = 0; i < size->n; i++) {
        g_autofree char *own = rules_list(nth_of(size, i));
        if (strcmp(own, list) == 0)
            return nth_of(size, i);
    }
    return NULL;
}

/* Returns the time that a list must beat to become a rule: that of the library's own function, else of Direct; NULL:
 * neither was measured. */
static const Observation *find_plain(const RuleSize *size)
{
    const Observation *library = rules_find(size, "library");
    return library ? library : rules_find(size, "direct");
}

#define RULES_ERROR 0.05    /* probability that some rule of a file names a list that is not faster than what it is
                             * compared with */

/* Returns the interval of log(plain/best), the logarithm of the ratio of their times. The intervals of `n` such
 * comparisons hold at once. */
static StatisticsInterval gain_of(const Observation *best, const Observation *plain, guint n)
{
    return statistics_ends(statistics_difference(plain->log_time, best->log_time), RULES_ERROR / n);
}

static double rules_per_cent(double gain)
{
    return -100 * expm1(-gain);
}

/* Appends the comment of a rule: "# 12.300 µs; MPI_Alltoall 20.100 µs: 38.8 % saved (35.1 to 41.2)". */
static void rules_put_times(GString *out, const Observation *best, const Observation *plain, StatisticsInterval gain)
{
    g_string_append_printf(out, "# %.3f µs", best->time_ps / 1e6);
    if (plain && plain != best)
        g_string_append_printf(out, "; %s %.3f µs: %.1f %% saved (%.1f to %.1f)",
                               observation_is_library(plain) ? "MPI_Alltoall" : "direct", plain->time_ps / 1e6,
                               rules_per_cent(gain.centre), rules_per_cent(gain.low), rules_per_cent(gain.high));
    g_string_append_c(out, '\n');
}

/* Appends why the fastest list is no rule: "# 8 bytes: partition 1,2 takes 12.300 µs, MPI_Alltoall 12.500 µs; these
 * times do not decide". */
static void put_undecided(GString *out, const Observation *best, const Observation *plain)
{
    g_autofree char *list = rules_list(best), *other = rules_list(plain);
    g_string_append_printf(out, "# %" G_GINT64_FORMAT " bytes: %s takes %.3f µs, %s %.3f µs; these times do not "
                           "decide\n", rules_bytes(best), list, best->time_ps / 1e6,
                           observation_is_library(plain) ? "MPI_Alltoall" : other, plain->time_ps / 1e6);
}

/* Prints at how many sizes of a number of processes the library's function was not measured, and at how many the times
 * do not decide. */
static void rules_report(guint n_processes, guint n_unknown, guint n_undecided)
{
    if (n_unknown)
        message_print("%u processes: at %u size%s there are no times of MPI_Alltoall; measure with --baseline library",
                      n_processes, n_unknown, n_unknown == 1 ? "" : "s");
    if (n_undecided)
        message_print("%u processes: at %u size%s these times do not decide; measure with more repetitions, or by "
                      "`ecube-mpi --tuning`", n_processes, n_undecided, n_undecided == 1 ? "" : "s");
}

/* Appends the rules for the number of processes of times[i]. Confidence intervals are so wide that `n_comparisons` of
 * them, in all sections together, hold at once. Returns the index of the first time with more processes. */
static guint put_section(GString *out, const GPtrArray *times, guint i, guint n_comparisons)
{
    guint n = processes_of(times->pdata[i]), n_unknown = 0, n_undecided = 0;
    gint64 last = 0;
    g_autofree char *before = g_strdup("");
    g_string_append_printf(out, "\n[alltoall %u]\n", n);
    while (i < times->len && processes_of(times->pdata[i]) == n) {
        RuleSize size = size_at(times, i);
        const Observation *best = nth_of(&size, 0), *plain = find_plain(&size);
        StatisticsInterval gain = plain ? gain_of(best, plain, n_comparisons) : (StatisticsInterval){0};
        gboolean undecided = plain && plain != best && !(gain.low > 0);
        g_autofree char *list = rules_list(undecided ? plain : best);
        i += size.n;
        last = rules_bytes(best);
        n_unknown += !rules_find(&size, "library");
        n_undecided += undecided;
        if (undecided)
            put_undecided(out, best, plain);
        if (strcmp(list, before) == 0)
            continue;
        if (!undecided)
            rules_put_times(out, best, plain, gain);
        g_string_append_printf(out, "%" G_GINT64_FORMAT " = %s\n", last, list);
        g_free(before);
        before = g_steal_pointer(&list);
    }
    if (strcmp(before, "library") != 0)
        g_string_append_printf(out, "# larger ones were not measured\n%" G_GINT64_FORMAT " = library\n", last + 1);
    rules_report(n, n_unknown, n_undecided);
    return i;
}

char *rules_of_measured(const Measured *measured, const char *files, GError **error)
{
    g_autoptr(GPtrArray) pool = regret_pool(measured->observations), times = sorted(pool);
    g_autofree char *shown = input_printable(files);
    if (!times->len) {
        input_refuse(error, "%s: no times of complete exchanges that rules can name", files);
        return NULL;
    }
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# What took least, as far as its times decide, by %s.", shown);
    for (guint i = 0; i < measured->libraries->len; i++)
        g_string_append_printf(out, "\n# With %s.", (const char *)measured->libraries->pdata[i]);
    g_string_append_c(out, '\n');
    for (guint i = 0; i < times->len;)
        i = put_section(out, times, i, times->len);
    return g_string_free(out, FALSE);
}
