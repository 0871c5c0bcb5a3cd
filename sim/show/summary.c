#include "summary.h"
#include "breakdown.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/run/keys.h"
#include "sim/run/estimate.h"

#include <string.h>

/* Parts whose difference is below 1/NAMED_SHARE of the largest one are not named. At least N_BREAKDOWN - 1: the slower
 * run then always has a part that is named. */
#define NAMED_SHARE 10

/* --- times --- */

/* A function that returns a time as text, with its unit: time_exact() or time_spoken(). Caller frees. */
typedef char *TimeText(gint64 ps);

static char *time_exact(gint64 ps)
{
    g_autofree char *time = table_time_shown(ps);
    return g_strconcat(time, " µs", NULL);
}

/* Returns a time of few digits in the unit that people would take: "20.2 s", "149.6 ms", "6.41 ms", "0.35 µs". Caller
 * frees. */
static char *time_spoken(gint64 ps)
{
    static const struct {
        double ps;
        const char *unit;
    } units[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "µs"}};
    guint i = 0;
    if (ps == 0)
        return g_strdup("0 µs");
    while (i < 2 && (double)ps < units[i].ps)
        i++;
    double value = (double)ps / units[i].ps;
    return g_strdup_printf("%.*f %s", value < 9.995 ? 2 : 1, value, units[i].unit);
}

/* --- the difference of two runs --- */

static gint64 more_of(const TimeBreakdown *one, const TimeBreakdown *other, BreakdownPart part)
{
    return one->ps[part] - other->ps[part];
}

/* Appends what `one` pays more than `other` for a part: "63 handshakes (7175.1 µs)", "1225 µs more for start-ups (63
 * against 14)", or "900 µs for barriers". */
static void put_part(GString *out, const TimeBreakdown *one, const TimeBreakdown *other, BreakdownPart part,
                     TimeText *text)
{
    g_autofree char *time = text(more_of(one, other, part));
    gint64 count = one->count[part], against = other->count[part];
    if (other->ps[part] == 0 && count > 0)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " %.*s (%s)", count,
                               (int)strlen(breakdown_names[part]) - (count == 1), breakdown_names[part], time);
    else
        g_string_append_printf(out, "%s %sfor %s", time, other->ps[part] ? "more " : "", breakdown_names[part]);
    if (count > 0 && against > 0)
        g_string_append_printf(out, " (%" G_GINT64_FORMAT " against %" G_GINT64_FORMAT ")", count, against);
}

/* Fills in `list` with the parts that take at least `least_ps` more time in `one` than in `other`: the largest
 * difference first, contention last. Returns their number. */
static guint list_parts(const TimeBreakdown *one, const TimeBreakdown *other, gint64 least_ps, BreakdownPart *list)
{
    guint n = 0;
    for (BreakdownPart part = 0; part < N_BREAKDOWN; part++) {
        gint64 more_ps = more_of(one, other, part);
        guint at = n;
        if (more_ps < least_ps)
            continue;
        for (; part != BREAKDOWN_CONTENTION && at > 0 && more_of(one, other, list[at - 1]) < more_ps; at--)
            list[at] = list[at - 1];
        list[at] = part;
        n++;
    }
    return n;
}

/* One of the two runs that are compared, with its name, the cause of its waiting, and the format of times. */
typedef struct {
    const Record *record;
    const char *name;
    const Cause *cause;
    TimeText *time;
} SummarySide;

/* Appends ": 80.6 % of its waiting is in step 0 and goes back to the receive port of 0"; nothing if the cause is not
 * known. */
static void put_cause(GString *out, const Cause *cause)
{
    if (cause->where)
        g_string_append_printf(out, ": %.1f %% of its waiting %s", cause->percent, cause->where);
}

/* Appends the parts that take at least `least_ps` more in `one`, the run of `side`, than in `other`. Returns their
 * number. */
static guint put_side(GString *out, const SummarySide *side, const TimeBreakdown *one, const TimeBreakdown *other,
                      gint64 least_ps)
{
    BreakdownPart list[N_BREAKDOWN];
    guint n = list_parts(one, other, least_ps, list);
    for (guint i = 0; i < n; i++) {
        if (list[i] == BREAKDOWN_CONTENTION) {
            g_autofree char *time = side->time(more_of(one, other, BREAKDOWN_CONTENTION));
            g_string_append_printf(out, "%s loses %s %sto contention", i ? ", and" : side->name, time,
                                   other->ps[BREAKDOWN_CONTENTION] ? "more " : "");
            put_cause(out, side->cause);
        } else {
            g_string_append_printf(out, "%s%s", i ? ", " : side->name, i ? "" : " pays ");
            put_part(out, one, other, list[i], side->time);
        }
    }
    return n;
}

/* Appends a sentence on the parts in which two runs differ: "The difference: direct pays 63 handshakes (7175.100 µs)."
 * Both runs must have results. */
static void summary_put_difference(GString *out, const SummarySide *slow, const SummarySide *fast)
{
    gboolean apart = breakdown_is_known(slow->record) && breakdown_is_known(fast->record);
    TimeBreakdown a = breakdown_of(slow->record, apart), b = breakdown_of(fast->record, apart);
    gint64 most_ps = 1;
    guint differ = 0;
    for (BreakdownPart part = 0; part < N_BREAKDOWN; part++) {
        most_ps = MAX(most_ps, ABS(more_of(&a, &b, part)));
        differ += more_of(&a, &b, part) != 0;
    }
    gint64 least_ps = (most_ps - 1) / NAMED_SHARE + 1;
    g_autoptr(GString) one = g_string_new(NULL), other = g_string_new(NULL);
    guint n = put_side(one, slow, &a, &b, least_ps), m = put_side(other, fast, &b, &a, least_ps);
    g_string_append_printf(out, "The difference%s: %s%s%s.", n + m < differ ? ", mainly" : "", one->str,
                           m ? "; " : "", other->str);
}

/* --- sentences on several runs --- */

#define SIZES_MAX 4     /* limit of the number of sizes about which summary_below() has sentences */
#define NAMES_MAX 4     /* limit of the number of names of runs in a heading */

gboolean summary_has_result(const Record *record)
{
    return !record->failed && record->result.finished && record->result.data_ok;
}

char *summary_size(const Record *record)
{
    const Key *key = key_of_size(&record->run);
    g_autofree char *size = key_shown(key, &record->run);
    const char *unit = strcmp(size, "1") == 0 ? " byte" : " bytes";
    return strcmp(key->name, "bytes") == 0 ? g_strconcat(size, unit, NULL) : g_steal_pointer(&size);
}

gboolean summary_is_same_size(const Record *a, const Record *b)
{
    g_autofree char *one = summary_size(a), *other = summary_size(b);
    return strcmp(one, other) == 0;
}

/* Returns `name`, a text of run_describe(), without the pattern with which it begins. Borrowed. */
static const char *summary_after_pattern(const Record *record, const char *name)
{
    g_autofree char *pattern = g_strconcat(record->run.problem.pattern->name, " ", NULL);
    return name + (g_str_has_prefix(name, pattern) ? strlen(pattern) : 0);
}

/* Returns the text by which run_describe() introduces the dimension or the processors of the record's run. Static. */
static const char *summary_place(const Record *record)
{
    return problem_group(&record->run.problem)->binary ? ", d = " : " on ";
}

char *summary_name(const Record *record)
{
    g_autofree char *name = run_describe(&record->run), *size = summary_size(record);
    g_autofree char *of_size = g_strconcat(" of ", size, NULL);
    const char *begin = summary_after_pattern(record, name);
    const char *end = strstr(begin, summary_place(record));
    GString *out = g_string_new_len(begin, end ? end - begin : (gssize)strlen(begin));
    g_string_replace(out, of_size, "", 0);
    return g_string_free(out, FALSE);
}

char *summary_label(const Record *record)
{
    g_autofree char *name = run_describe(&record->run);
    GString *out = g_string_new(summary_after_pattern(record, name));
    const char *begin = strstr(out->str, summary_place(record));
    if (begin)
        g_string_erase(out, begin - out->str, (gssize)(1 + strcspn(begin + 1, ",")));
    return g_string_free(out, FALSE);
}

Field summary_field(const Record *records, guint n, guint first)
{
    Field field = {&records[first], &records[first], 1, 1};
    for (guint i = first + 1; i < n; i++) {
        if (!summary_has_result(&records[i]) || !summary_is_same_size(&records[first], &records[i]))
            continue;
        gint64 ps = records[i].result.simulated_ps, least_ps = field.fastest->result.simulated_ps;
        field.n++;
        field.n_fastest = ps < least_ps ? 1 : field.n_fastest + (ps == least_ps);
        field.fastest = ps < least_ps ? &records[i] : field.fastest;
        field.slowest = ps > field.slowest->result.simulated_ps ? &records[i] : field.slowest;
    }
    return field;
}

/* Appends the ratio ps / of_ps, "1.94 times"; with more digits if that would be "1.00 times". `of_ps` must be above
 * 0. */
static void summary_put_times(GString *out, gint64 ps, gint64 of_ps)
{
    double times = (double)ps / (double)of_ps;
    g_string_append_printf(out, "%.*f times", ABS(times - 1) < 0.005 ? 6 : 2, times);
}

static gint64 lost_ps(const Record *record)
{
    return record->result.simulated_ps - record->result.contention_free_ps;
}

/* Appends sentences on what makes the slowest run slower than the fastest. Both are among `records` and have results.
 * causes[i] belongs to records[i]. */
static void put_reason(GString *out, const Record *slowest, const Record *fastest, const Record *records,
                       const Cause *causes, TimeText *text)
{
    g_autofree char *best = summary_name(fastest), *worst = summary_name(slowest);
    const SummarySide slow = {slowest, worst, &causes[slowest - records], text};
    const SummarySide fast = {fastest, best, &causes[fastest - records], text};
    summary_put_difference(out, &slow, &fast);
    g_autofree char *free_time = text(fastest->result.contention_free_ps);
    if (slowest->result.contention_free_ps == fastest->result.contention_free_ps)
        g_string_append_printf(out, " Without contention both would take %s.", free_time);
}

/* Appends the sentences on one size: how many times as long as the fastest run the slowest takes, and why. `field`
 * points into `records`, and its runs differ in time; causes[i] belongs to records[i]. */
static void put_answer(GString *out, const Field *field, const Record *records, const Cause *causes)
{
    const Record *fastest = field->fastest, *slowest = field->slowest;
    g_autofree char *size = summary_size(fastest), *best = summary_name(fastest), *worst = summary_name(slowest);
    guint others = field->n_fastest - 1;
    g_string_append_printf(out, "At %s %s%s takes ", size, worst, field->n > 2 ? ", the slowest," : "");
    if (fastest->result.simulated_ps)
        summary_put_times(out, slowest->result.simulated_ps, fastest->result.simulated_ps);
    else
        g_string_append(out, "infinitely many times");
    g_string_append_printf(out, " as long as %s%s", best, field->n > 2 && !others ? ", the fastest" : "");
    if (others > 0)
        g_string_append_printf(out, " and %u other%s, the fastest", others, others == 1 ? "" : "s");
    g_string_append(out, ". ");
    put_reason(out, slowest, fastest, records, causes, time_exact);
}

gboolean summary_is_first_of_size(const Record *records, guint i)
{
    for (guint before = 0; before < i; before++)
        if (summary_has_result(&records[before]) && summary_is_same_size(&records[before], &records[i]))
            return FALSE;
    return summary_has_result(&records[i]);
}

/* Largest effort (estimate_effort()) of a run that find_cause() runs again, for some tenths of a second. With packets
 * it is less, because each of a message's packets may wait behind all others in turn. */
enum { EFFORT_WHOLE = 1000000, EFFORT_IN_PACKETS = 60000 };

/* Returns the cause of a run's waiting, by a second run with a trace. Empty if nothing waited, or if the second run
 * would take long or fails. */
static Cause find_cause(const Record *record)
{
    const Run *run = &record->run;
    g_autoptr(Trace) trace = NULL;
    RunResult again;
    guint64 most = run->machine->packet ? EFFORT_IN_PACKETS : EFFORT_WHOLE;
    if (record->result.network.blocked == 0 || estimate_effort(run, &(EstimateMemo){0}) > most ||
        !run_check_traced(run, 0, NULL) || !run_execute(run, &again, &trace, NULL))
        return (Cause){0};
    return cause_of(trace, run->machine, problem_n_nodes(&run->problem));
}

char *summary_below(const Record *records, guint n_records)
{
    GString *out = g_string_new("\n");
    g_autofree Cause *causes = g_new0(Cause, n_records);
    guint n_sizes = 0;
    for (guint i = 0; i < n_records; i++) {
        if (!summary_is_first_of_size(records, i) || n_sizes++ >= SIZES_MAX)
            continue;
        Field field = summary_field(records, n_records, i);
        if (field.n_fastest == field.n)
            continue;
        const Record *most = lost_ps(field.fastest) > lost_ps(field.slowest) ? field.fastest : field.slowest;
        causes[most - records] = find_cause(most);
        put_answer(out, &field, records, causes);
        cause_clear(&causes[most - records]);
        g_string_append_c(out, '\n');
    }
    g_string_truncate(out, out->len > 1 ? out->len : 0);
    return g_string_free(out, FALSE);
}

RunPair summary_pair(const Record *records, guint n)
{
    RunPair pair = {NULL, NULL, 0};
    for (guint i = 0; i < n; i++) {
        if (!summary_is_first_of_size(records, i))
            continue;
        Field field = summary_field(records, n, i);
        gint64 slow_ps = field.slowest->result.simulated_ps, fast_ps = field.fastest->result.simulated_ps;
        /* compares slow / fast of this size with that of `pair`, without division */
        if (!pair.slow || (slow_ps > 0 && (double)slow_ps * (double)pair.fast->result.simulated_ps >=
                                              (double)pair.slow->result.simulated_ps * (double)fast_ps))
            pair = (RunPair){field.slowest, field.fastest, field.n};
    }
    return pair;
}

/* Whether all runs have one size. */
static gboolean has_one_size(const Record *records, guint n)
{
    for (guint i = 1; i < n; i++)
        if (!summary_is_same_size(&records[0], &records[i]))
            return FALSE;
    return TRUE;
}

/* Appends the verdict on a single run; `where` is " at 8 bytes", or "". */
static void verdict_put_one(GString *out, const Record *record, const char *where)
{
    const RunResult *result = &record->result;
    g_autofree char *name = summary_name(record), *time = time_spoken(result->simulated_ps);
    g_string_append_printf(out, "%s takes %s%s", name, time, where);
    if (lost_ps(record) == 0 || result->contention_free_ps == 0) {
        g_string_append(out, lost_ps(record) ? ", and none if no message met another"
                                             : ", as if no message ever met another");
        return;
    }
    g_string_append(out, ", ");
    summary_put_times(out, result->simulated_ps, result->contention_free_ps);
    g_string_append(out, " what it would if no message met another");
}

static void verdict_put_pair(GString *out, const RunPair *pair)
{
    gint64 slow_ps = pair->slow->result.simulated_ps, fast_ps = pair->fast->result.simulated_ps;
    g_autofree char *slow = summary_name(pair->slow), *fast = summary_name(pair->fast);
    g_autofree char *slow_time = time_spoken(slow_ps), *fast_time = time_spoken(fast_ps);
    if (slow_ps == fast_ps) {
        g_string_append_printf(out, pair->n == 2 ? "Both runs take %s" : "All runs take %s", slow_time);
        return;
    }
    g_string_append_printf(out, "%s takes ", slow);
    if (fast_ps)
        summary_put_times(out, slow_ps, fast_ps);
    else
        g_string_append(out, "infinitely many times");
    g_string_append_printf(out, " as long as %s: %s against %s", fast, slow_time, fast_time);
}

/* Appends the names of the runs, each once. If there are more than NAMES_MAX names, appends the number of runs
 * instead. */
static void heading_put_names(GString *out, const Record *records, guint n)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++) {
        g_autofree char *name = summary_name(&records[i]);
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_steal_pointer(&name));
    }
    if (names->len > NAMES_MAX) {
        g_string_append_printf(out, "%u runs", n);
        return;
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *list = g_strjoinv("; ", (char **)names->pdata);
    g_string_append(out, list);
}

char *summary_heading(const Record *records, guint n)
{
    g_autofree char *title = record_title(records, n), *size = summary_size(&records[0]);
    GString *out = g_string_new(title);
    gint64 least = records[0].run.problem.data.bytes, most = least;
    for (guint i = 0; i < n; i++) {
        least = MIN(least, records[i].run.problem.data.bytes);
        most = MAX(most, records[i].run.problem.data.bytes);
    }
    if (least < most)
        g_string_append_printf(out, ", %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " bytes", least, most);
    else if (!pattern_theory(records[0].run.problem.pattern)->size_key)     /* `title` has the size of a size_key */
        g_string_append_printf(out, ", %s", size);
    g_string_append(out, ": ");
    heading_put_names(out, records, n);
    return g_string_free(out, FALSE);
}

char *summary_verdict(const Record *records, guint n)
{
    GString *out = g_string_new(NULL);
    guint n_results = 0;
    for (guint i = 0; i < n; i++)
        n_results += summary_has_result(&records[i]);
    if (n_results < n)
        g_string_append_printf(out, "%u of %u runs failed.%s", n - n_results, n, n_results ? " Of the others: " : "");
    RunPair pair = summary_pair(records, n);
    if (!pair.slow)
        return g_string_free(out, FALSE);
    g_autofree char *size = summary_size(pair.slow);
    g_autofree char *where = has_one_size(records, n) ? g_strdup("") : g_strconcat(" at ", size, NULL);
    if (pair.n == 1)
        verdict_put_one(out, pair.slow, where);
    else
        verdict_put_pair(out, &pair);
    g_string_append_printf(out, "%s.", pair.n == 1 ? "" : where);
    return g_string_free(out, FALSE);
}

char *summary_reason(const Record *records, guint n, const Cause *causes)
{
    RunPair pair = summary_pair(records, n);
    GString *out = g_string_new(NULL);
    if (pair.n == 1 && lost_ps(pair.slow) > 0) {
        g_autofree char *lost = time_spoken(lost_ps(pair.slow));
        g_string_append_printf(out, "It loses %s to contention", lost);
        put_cause(out, &causes[pair.slow - records]);
        g_string_append_c(out, '.');
    }
    if (pair.n > 1 && pair.slow->result.simulated_ps != pair.fast->result.simulated_ps)
        put_reason(out, pair.slow, pair.fast, records, causes, time_spoken);
    return g_string_free(out, FALSE);
}

/* --- the run that waited most --- */

static const Record *most_waiting(const Record *records, guint n)
{
    const Record *most = NULL;
    for (guint i = 0; i < n; i++)
        if (summary_has_result(&records[i]) &&
            (!most || records[i].result.network.blocked_ps > most->result.network.blocked_ps))
            most = &records[i];
    return most;
}

char *summary_waiting(const Record *records, guint n_records, const Cause *causes)
{
    const Record *most = most_waiting(records, n_records);
    gboolean has_sizes = FALSE;
    guint64 n_messages = 0;
    for (guint i = 0; i < n_records; i++) {
        n_messages += summary_has_result(&records[i]) ? records[i].result.network.messages : 0;
        has_sizes |= !summary_is_same_size(&records[i], &records[0]);
    }
    if (n_messages == 0)
        return g_strdup(most ? "There is no message." : "");
    if (most->result.network.blocked == 0)
        return g_strdup("Nothing waits.");
    const Cause *cause = &causes[most - records];
    g_autofree char *name = summary_name(most), *size = summary_size(most);
    g_autofree char *sum = time_spoken(most->result.network.blocked_ps);
    GString *out = g_string_new(NULL);
    if (n_records > 1)
        g_string_append_printf(out, "Most waiting is in %s%s%s: ", name, has_sizes ? " at " : "",
                               has_sizes ? size : "");
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " messages wait, %s summed over "
                           "messages.", most->result.network.blocked, most->result.network.messages, sum);
    if (cause->kinds)
        g_string_append_printf(out, " Root causes: %s.", cause->kinds);
    return g_string_free(out, FALSE);
}
