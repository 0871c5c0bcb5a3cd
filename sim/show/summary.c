#include "summary.h"
#include "makeup.h"
#include "sim/run/keys.h"

#include <string.h>

#define NAMED_SHARE 10          /* parts are named from a tenth of the largest on: the slower run always has one */

/* --- the difference --- */

static gint64 more_of(const Makeup *one, const Makeup *other, MakeupPart part)
{
    return one->ps[part] - other->ps[part];
}

/* "63 handshakes (7175.100 µs)", "1225.000 µs more for start-ups (63 against 14)", "900.000 µs for barriers". */
static void put_part(GString *out, const Makeup *one, const Makeup *other, MakeupPart part)
{
    g_autofree char *time = table_time_shown(more_of(one, other, part));
    gint64 count = one->count[part], against = other->count[part];
    if (other->ps[part] == 0 && count > 0)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " %.*s (%s µs)", count,
                               (int)strlen(makeup_names[part]) - (count == 1), makeup_names[part], time);
    else
        g_string_append_printf(out, "%s µs %sfor %s", time, other->ps[part] ? "more " : "", makeup_names[part]);
    if (count > 0 && against > 0)
        g_string_append_printf(out, " (%" G_GINT64_FORMAT " against %" G_GINT64_FORMAT ")", count, against);
}

/* The parts of which one run has at least `least_ps` more than the other, the largest first, but contention last. */
static guint list_parts(const Makeup *one, const Makeup *other, gint64 least_ps, MakeupPart *list)
{
    guint n = 0;
    for (MakeupPart part = 0; part < N_MAKEUP; part++) {
        gint64 more_ps = more_of(one, other, part);
        guint at = n;
        if (more_ps < least_ps)
            continue;
        for (; part != MAKEUP_CONTENTION && at > 0 && more_of(one, other, list[at - 1]) < more_ps; at--)
            list[at] = list[at - 1];
        list[at] = part;
        n++;
    }
    return n;
}

/* How many parts were named. */
static guint put_side(GString *out, const char *name, const Makeup *one, const Makeup *other, gint64 least_ps)
{
    MakeupPart list[N_MAKEUP];
    guint n = list_parts(one, other, least_ps, list);
    for (guint i = 0; i < n; i++) {
        if (list[i] == MAKEUP_CONTENTION) {
            g_autofree char *time = table_time_shown(more_of(one, other, MAKEUP_CONTENTION));
            g_string_append_printf(out, "%s loses %s µs %sto contention", i ? ", and" : name, time,
                                   other->ps[MAKEUP_CONTENTION] ? "more " : "");
        } else {
            g_string_append_printf(out, "%s%s", i ? ", " : name, i ? "" : " pays ");
            put_part(out, one, other, list[i]);
        }
    }
    return n;
}

/* "The difference: direct pays 63 handshakes (7175.100 µs)." of two runs with results. */
static void put_difference(GString *out, const Record *slow, const char *slow_name, const Record *fast,
                           const char *fast_name)
{
    gboolean apart = makeup_is_known(slow) && makeup_is_known(fast);
    Makeup a = makeup_of(slow, apart), b = makeup_of(fast, apart);
    gint64 most_ps = 1;
    guint differ = 0;
    for (MakeupPart part = 0; part < N_MAKEUP; part++) {
        most_ps = MAX(most_ps, ABS(more_of(&a, &b, part)));
        differ += more_of(&a, &b, part) != 0;
    }
    gint64 least_ps = (most_ps - 1) / NAMED_SHARE + 1;
    g_autoptr(GString) one = g_string_new(NULL), other = g_string_new(NULL);
    guint n = put_side(one, slow_name, &a, &b, least_ps), m = put_side(other, fast_name, &b, &a, least_ps);
    g_string_append_printf(out, "The difference%s: %s%s%s.", n + m < differ ? ", mainly" : "", one->str,
                           m ? "; " : "", other->str);
}

/* --- of several runs --- */

#define SIZES_MAX 4     /* that there is a sentence for */

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

char *summary_name(const Record *record)
{
    g_autofree char *name = run_describe(&record->run), *size = summary_size(record);
    g_autofree char *of_size = g_strconcat(" of ", size, NULL);
    const char *end = strstr(name, ", d = ");
    GString *out = g_string_new_len(name, end ? end - name : (gssize)strlen(name));
    g_string_replace(out, of_size, "", 0);
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

/* "1.94 times"; what is more than once is never 1.00 times. `of_ps` > 0. */
static void put_times(GString *out, gint64 ps, gint64 of_ps)
{
    double times = (double)ps / (double)of_ps;
    g_string_append_printf(out, "%.*f times", ABS(times - 1) < 0.005 ? 6 : 2, times);
}

/* A run on its own, against what it would be without contention. */
static void put_alone(GString *out, const Record *record)
{
    const RunResult *result = &record->result;
    gint64 contention_ps = result->simulated_ps - result->contention_free_ps;
    g_autofree char *name = summary_name(record), *time = table_time_shown(result->simulated_ps);
    g_autofree char *lost = table_time_shown(contention_ps);
    g_string_append_printf(out, "%s takes %s µs, ", name, time);
    if (contention_ps == 0 || result->contention_free_ps == 0) {
        g_string_append_printf(out, "%s if no message ever met another.",
                               contention_ps ? "and none" : "as long as it would");
        return;
    }
    put_times(out, result->simulated_ps, result->contention_free_ps);
    g_string_append_printf(out, " what it would if no message ever met another: it loses %s µs to contention.", lost);
}

static void put_equal(GString *out, const Field *field)
{
    g_autofree char *time = table_time_shown(field->fastest->result.simulated_ps);
    if (field->n == 2)
        g_string_append_printf(out, "both runs take equally long, %s µs.", time);
    else
        g_string_append_printf(out, "all %u runs take equally long, %s µs.", field->n, time);
}

/* Of one size: how many times the slowest run takes as long as the fastest, and what made the difference. */
static void put_answer(GString *out, const Field *field, gboolean has_sizes)
{
    const Record *fastest = field->fastest, *slowest = field->slowest;
    g_autofree char *size = summary_size(fastest), *best = summary_name(fastest), *worst = summary_name(slowest);
    guint others = field->n_fastest - 1;
    if (field->n > 1 || has_sizes)
        g_string_append_printf(out, "At %s ", size);
    if (field->n == 1) {
        put_alone(out, fastest);
        return;
    }
    if (field->n_fastest == field->n) {
        put_equal(out, field);
        return;
    }
    g_string_append_printf(out, "%s%s takes ", worst, field->n > 2 ? ", the slowest," : "");
    if (fastest->result.simulated_ps)
        put_times(out, slowest->result.simulated_ps, fastest->result.simulated_ps);
    else
        g_string_append(out, "infinitely many times");
    g_string_append_printf(out, " as long as %s%s", best, field->n > 2 && !others ? ", the fastest" : "");
    if (others > 0)
        g_string_append_printf(out, " and %u other%s, the fastest", others, others == 1 ? "" : "s");
    g_string_append(out, ". ");
    put_difference(out, slowest, worst, fastest, best);
    g_autofree char *free_time = table_time_shown(fastest->result.contention_free_ps);
    if (slowest->result.contention_free_ps == fastest->result.contention_free_ps)
        g_string_append_printf(out, " Without contention both would take %s µs.", free_time);
}

gboolean summary_is_first_of_size(const Record *records, guint i)
{
    for (guint before = 0; before < i; before++)
        if (summary_has_result(&records[before]) && summary_is_same_size(&records[before], &records[i]))
            return FALSE;
    return summary_has_result(&records[i]);
}

char *summary_below(const Record *records, guint n_records)
{
    GString *out = g_string_new("\n");
    guint n_sizes = 0;
    for (guint i = 0; i < n_records; i++) {
        if (!summary_is_first_of_size(records, i) || n_sizes++ >= SIZES_MAX)
            continue;
        Field field = summary_field(records, n_records, i);
        if (field.n_fastest == field.n)
            continue;
        put_answer(out, &field, TRUE);
        g_string_append_c(out, '\n');
    }
    g_string_truncate(out, out->len > 1 ? out->len : 0);
    return g_string_free(out, FALSE);
}

char *summary_text(const Record *records, guint n_records)
{
    GString *out = g_string_new(NULL);
    guint n_results = 0, n_sizes = 0;
    for (guint i = 0; i < n_records; i++) {
        n_results += summary_has_result(&records[i]);
        n_sizes += summary_is_first_of_size(records, i);
    }
    if (n_results < n_records)
        g_string_append_printf(out, "%u of %u runs failed.%s", n_records - n_results, n_records,
                               n_results > 0 ? " What follows is of the others." : "");
    for (guint i = 0, n = 0; i < n_records; i++) {
        if (!summary_is_first_of_size(records, i) || (n++ > 0 && n < n_sizes))
            continue;
        Field field = summary_field(records, n_records, i);
        g_string_append(out, out->len ? " " : "");
        put_answer(out, &field, n_records > 1);
    }
    if (n_sizes > 2)
        g_string_append_printf(out, " %u %s between them.", n_sizes - 2, n_sizes == 3 ? "size lies" : "sizes lie");
    return g_string_free(out, FALSE);
}

/* --- what waited --- */

static const Record *most_waiting(const Record *records, guint n)
{
    const Record *most = NULL;
    for (guint i = 0; i < n; i++)
        if (summary_has_result(&records[i]) &&
            (!most || records[i].result.network.blocked_ps > most->result.network.blocked_ps))
            most = &records[i];
    return most;
}

char *summary_waiting(const Record *records, guint n_records, const Wanted *wanted)
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
    const Wanted *place = &wanted[most - records];
    g_autofree char *name = summary_name(most), *size = summary_size(most);
    g_autofree char *sum = table_time_shown(most->result.network.blocked_ps), *of = table_time_shown(place->waited_ps);
    GString *out = g_string_new(NULL);
    if (n_records > 1)
        g_string_append_printf(out, "Most waiting is in %s%s%s: ", name, has_sizes ? " at " : "",
                               has_sizes ? size : "");
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " messages wait, %s µs summed over "
                           "messages", most->result.network.blocked, most->result.network.messages, sum);
    if (place->waited_ps)
        g_string_append_printf(out, "; of channels and ports, %s%s is waited for most, %s µs",
                               g_str_has_prefix(place->what, "channel") ? "" : "the ", place->what, of);
    g_string_append_c(out, '.');
    return g_string_free(out, FALSE);
}
