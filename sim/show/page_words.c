#include "page_words.h"
#include "difference.h"
#include "sim/run/keys.h"

#include <string.h>

#define SIZES_MAX 4     /* that are told of */

static gboolean is_told(const Record *record)
{
    return !record->failed && record->result.finished && record->result.data_ok;
}

static char *size_of(const Record *record)
{
    const Key *key = key_of_size(&record->run);
    g_autofree char *size = key_shown(key, &record->run);
    const char *unit = strcmp(size, "1") == 0 ? " byte" : " bytes";
    return strcmp(key->name, "bytes") == 0 ? g_strconcat(size, unit, NULL) : g_steal_pointer(&size);
}

static gboolean is_same_size(const Record *a, const Record *b)
{
    g_autofree char *one = size_of(a), *other = size_of(b);
    return strcmp(one, other) == 0;
}

/* "multiphase 3,3": the run without dimension and size. */
static char *name_of(const Record *record)
{
    g_autofree char *name = run_describe(&record->run), *size = size_of(record);
    g_autofree char *of_size = g_strconcat(" of ", size, NULL);
    const char *end = strstr(name, ", d = ");
    GString *out = g_string_new_len(name, end ? end - name : (gssize)strlen(name));
    g_string_replace(out, of_size, "", 0);
    return g_string_free(out, FALSE);
}

/* Appends "50 % of the time of the slowest, direct", and why. Less than all is never told as 100 %, nor something as
 * 0 %. */
static void put_share(GString *out, const Record *fastest, const Record *slowest)
{
    double share = 100.0 * (double)fastest->result.simulated_ps / (double)slowest->result.simulated_ps;
    gboolean is_near = share < 0.5 || share >= 99.5;
    g_autofree char *worst = name_of(slowest), *best = name_of(fastest);
    g_string_append_printf(out, "%.*f %% of the time of the slowest, %s. ", is_near ? 3 : 0, share, worst);
    difference_put(out, slowest, worst, fastest, best);
}

/* Of all runs of one size: the fastest, and how many others are as fast, against the slowest. Nothing if all are as
 * fast. */
static void put_size(GString *out, const Record *records, guint n, guint first)
{
    const Record *fastest = &records[first], *slowest = fastest;
    guint others = 0;
    for (guint i = first + 1; i < n; i++) {
        if (!is_told(&records[i]) || !is_same_size(&records[first], &records[i]))
            continue;
        gint64 ps = records[i].result.simulated_ps, least_ps = fastest->result.simulated_ps;
        others = ps < least_ps ? 0 : others + (ps == least_ps);
        fastest = ps < least_ps ? &records[i] : fastest;
        slowest = ps > slowest->result.simulated_ps ? &records[i] : slowest;
    }
    if (fastest->result.simulated_ps == slowest->result.simulated_ps)
        return;
    g_autofree char *size = size_of(fastest), *best = name_of(fastest);
    g_string_append_printf(out, "At %s %s ", size, best);
    if (others > 0)
        g_string_append_printf(out, "and %u other%s are the fastest: they take ", others, others == 1 ? "" : "s");
    else
        g_string_append(out, "is the fastest: it takes ");
    put_share(out, fastest, slowest);
}

static gboolean is_first_of_size(const Record *records, guint i)
{
    for (guint before = 0; before < i; before++)
        if (is_told(&records[before]) && is_same_size(&records[before], &records[i]))
            return FALSE;
    return is_told(&records[i]);
}

static void put_waiting(GString *out, const Record *records, guint n)
{
    guint64 messages = 0, blocked = 0;
    guint n_told = 0;
    for (guint i = 0; i < n; i++)
        if (is_told(&records[i])) {
            n_told++;
            messages += records[i].result.network.messages;
            blocked += records[i].result.network.blocked;
        }
    if (messages == 0)
        g_string_append(out, "There was no message.");
    else if (blocked == 0)
        g_string_append(out, "Nothing blocked.");
    else
        g_string_append_printf(out, "%s%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " messages had to wait.",
                               n_told > 1 ? "In all runs together " : "", blocked, messages);
}

static void put_single(GString *out, const Record *record)
{
    const RunResult *result = &record->result;
    double times = result->contention_free_ps ? (double)result->simulated_ps / (double)result->contention_free_ps : 1;
    g_autofree char *name = name_of(record), *time = table_time_shown(result->simulated_ps);
    g_string_append_printf(out, "%s takes %s µs, ", name, time);
    if (result->simulated_ps == result->contention_free_ps)
        g_string_append(out, "as long as it would if no message ever met another. ");
    else
        g_string_append_printf(out, "%.*f times what it would if no message ever met another. ",
                               ABS(times - 1) < 0.005 ? 6 : 2, times);
}

/* Of the first sizes, each with `end` behind it. How many sizes there are. */
static guint put_sizes(GString *out, const Record *records, guint n, char end)
{
    guint n_sizes = 0;
    for (guint i = 0; i < n; i++) {
        gsize before = out->len;
        if (is_first_of_size(records, i) && n_sizes++ < SIZES_MAX)
            put_size(out, records, n, i);
        if (out->len > before)
            g_string_append_c(out, end);
    }
    return n_sizes;
}

char *page_words_below(const Record *records, guint n_records)
{
    GString *out = g_string_new("\n");
    put_sizes(out, records, n_records, '\n');
    g_string_truncate(out, out->len > 1 ? out->len : 0);
    return g_string_free(out, FALSE);
}

char *page_words(const Record *records, guint n_records)
{
    GString *out = g_string_new(NULL);
    guint n_told = 0, n_sizes = put_sizes(out, records, n_records, ' ');
    for (guint i = 0; i < n_records; i++)
        n_told += is_told(&records[i]);
    if (n_sizes > SIZES_MAX && out->len > 0)
        g_string_append_printf(out, "%u more sizes are in the table below. ", n_sizes - SIZES_MAX);
    if (n_told == 1 && n_records == 1)
        put_single(out, &records[0]);
    if (n_told > 0)
        put_waiting(out, records, n_records);
    if (n_told < n_records) {
        g_autofree char *failed = g_strdup_printf("%u of %u runs failed.%s", n_records - n_told, n_records,
                                                  n_told > 0 ? " What follows is of the others. " : "");
        g_string_prepend(out, failed);
    }
    return g_string_free(out, FALSE);
}
